//! Which subgoals are in sight of a cell.
//!
//! Two cells are in sight of each other if a path as long as if nothing were in the way joins them, and no subgoal lies on
//! any such path (*directly h-reachable*). Then no wall lies between them either, so going diagonally first is such a path.

use super::MAX_SUBGOALS;
use crate::grid::{Cell, Grid};
use crate::moves::{Dir, E, N, NE, NW, Neighbours, S, SE, SW, Units, W, offsets};
use crate::solve::{jump_table, pack, unpack};

/// Subgoals, and what is in sight of every cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sight {
    /// The cell of every subgoal, packed.
    pub(super) cells: Vec<u32>,
    /// Of every id, the subgoals in its sight; of a subgoal, itself alone.
    pub(super) near: Lists,
    /// Of every id, its jump points.
    pub(super) jump_points: Lists,
    /// Of every subgoal, the subgoals in its sight.
    pub(super) edges: Lists,
    units: Units,
}

impl Sight {
    /// Looks from every free cell; none for a map with more subgoals than [`MAX_SUBGOALS`], or with too much in sight.
    pub(super) fn new(grid: &Grid) -> Option<Sight> {
        let clear = Clearance::new(grid)?;
        let jumps = jump_table(grid);
        let bits = grid.bits();
        let mut sight = Sight {
            cells: clear.subgoals.iter().map(|cell| pack(*cell)).collect(),
            near: Lists::default(),
            jump_points: Lists::default(),
            edges: Lists::default(),
            units: Neighbours::Eight.units(),
        };
        for id in 0..bits.len() as u32 {
            if bits.get(id) {
                clear.add_jump_points(&jumps, id, &mut sight.jump_points.items);
                match clear.subgoal[id as usize] {
                    NOT_A_SUBGOAL => clear.look(id, &mut sight.near.items),
                    subgoal => {
                        sight.near.items.push(subgoal);
                        clear.look(id, &mut sight.edges.items);
                        sight.edges.end();
                    }
                }
            }
            sight.near.end();
            sight.jump_points.end();
            if sight.near.items.len().max(sight.jump_points.items.len()) > MOST_IN_SIGHT {
                return None;
            }
        }
        Some(sight)
    }

    /// Length of an edge, in units.
    pub(super) fn length(&self, from: u16, to: u16) -> u64 {
        let cell = |subgoal: u16| unpack(self.cells[usize::from(subgoal)]);
        self.units.between(cell(from), cell(to))
    }

    pub(super) fn bytes(&self) -> usize {
        self.cells.len() * 4 + self.near.bytes() + self.jump_points.bytes() + self.edges.bytes()
    }
}

/// Lists of subgoals, one after another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lists {
    items: Vec<u16>,
    /// Where every list begins; the end of the last comes last.
    starts: Vec<u32>,
}

impl Default for Lists {
    fn default() -> Lists {
        Lists { items: Vec::new(), starts: vec![0] }
    }
}

impl Lists {
    /// Ends a list: what is added from now on is the next one's.
    fn end(&mut self) {
        self.starts.push(self.items.len() as u32);
    }

    #[inline]
    pub(super) fn get(&self, list: u32) -> &[u16] {
        let list = list as usize;
        &self.items[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    fn bytes(&self) -> usize {
        self.items.len() * 2 + self.starts.len() * 4
    }
}

/// The subgoals of a map: free cells beside the corner of a wall, where two straight moves lead round it.
pub(super) fn subgoals(grid: &Grid) -> impl Iterator<Item = Cell> {
    let table = Neighbours::Eight.table();
    let bits = grid.bits();
    grid.cells().filter(move |cell| {
        let square = bits.square(bits.id(cell.row, cell.col));
        // Both straight moves but not the diagonal between them.
        let moves = table[square];
        let round = |a: Dir, b: Dir, both: Dir| moves >> a & moves >> b & !(moves >> both) & 1 != 0;
        grid.is_free(*cell) && (round(N, E, NE) || round(S, E, SE) || round(S, W, SW) || round(N, W, NW))
    })
}

/// Entries of all lists of one kind together: 256 MB.
const MOST_IN_SIGHT: usize = 1 << 27;
const NOT_A_SUBGOAL: u16 = u16::MAX;
/// Diagonals with their straight parts.
const DIAGONALS: [(Dir, [Dir; 2]); 4] = [(NE, [N, E]), (SE, [S, E]), (SW, [S, W]), (NW, [N, W])];

/// How far one can go in each direction from every cell, up to and including the first subgoal.
struct Clearance {
    subgoals: Vec<Cell>,
    /// The number of the subgoal at every id.
    subgoal: Vec<u16>,
    clear: Vec<[u16; 8]>,
    offsets: [u32; 8],
}

impl Clearance {
    fn new(grid: &Grid) -> Option<Clearance> {
        let subgoals: Vec<Cell> = subgoals(grid).take(MAX_SUBGOALS + 1).collect();
        if subgoals.len() > MAX_SUBGOALS {
            return None;
        }
        let bits = grid.bits();
        let (table, offsets) = (Neighbours::Eight.table(), offsets(bits.stride()));
        let mut subgoal = vec![NOT_A_SUBGOAL; bits.len()];
        for (number, cell) in subgoals.iter().enumerate() {
            subgoal[bits.id(cell.row, cell.col) as usize] = number as u16;
        }
        let mut clear = vec![[0u16; 8]; bits.len()];
        let mut extend = |id: u32, dirs: [Dir; 4]| {
            if !bits.get(id) {
                return;
            }
            let moves = table[bits.square(id)];
            for dir in dirs.map(usize::from) {
                let next = id.wrapping_add(offsets[dir]) as usize;
                if moves >> dir & 1 != 0 {
                    let beyond = if subgoal[next] == NOT_A_SUBGOAL { clear[next][dir] } else { 0 };
                    clear[id as usize][dir] = beyond + 1;
                }
            }
        };
        // A clearance follows from that of the next cell, which comes before in one of the two orders.
        let ids = || grid.cells().map(|cell| bits.id(cell.row, cell.col));
        ids().for_each(|id| extend(id, [W, NW, N, NE]));
        for row in (0..grid.height()).rev() {
            (0..grid.width()).rev().for_each(|col| extend(bits.id(row, col), [E, SE, S, SW]));
        }
        Some(Clearance { subgoals, subgoal, clear, offsets })
    }

    /// Adds the subgoals in sight of a cell.
    fn look(&self, id: u32, found: &mut Vec<u16>) {
        for dir in [N, E, S, W] {
            let (_, subgoal) = self.ahead(id, dir);
            found.extend(subgoal);
        }
        for (diagonal, sides) in DIAGONALS {
            let (reach, subgoal) = self.ahead(id, diagonal);
            found.extend(subgoal);
            for side in sides {
                // What lies beyond a wall or a subgoal beside an earlier part of the diagonal is not in sight.
                let (mut most, _) = self.ahead(id, side);
                let mut at = id;
                for _ in 0..reach {
                    at = at.wrapping_add(self.offsets[usize::from(diagonal)]);
                    let (free, subgoal) = self.ahead(at, side);
                    if free < most {
                        found.extend(subgoal);
                        most = free;
                    }
                }
            }
        }
    }

    /// Adds the jump points of a cell in all directions.
    fn add_jump_points(&self, jumps: &[[i16; 8]], id: u32, found: &mut Vec<u16>) {
        let from = found.len();
        let mut add = |at: u32, dir: Dir| {
            let steps = jumps[at as usize][usize::from(dir)];
            if steps > 0 {
                found.push(self.subgoal[self.along(at, dir, steps as u32) as usize]);
            }
        };
        [N, E, S, W].into_iter().for_each(|dir| add(id, dir));
        for (diagonal, sides) in DIAGONALS {
            let mut at = id;
            while let steps @ 1.. = jumps[at as usize][usize::from(diagonal)] {
                at = self.along(at, diagonal, steps as u32);
                sides.into_iter().for_each(|side| add(at, side));
            }
        }
        // Straight runs from different cells of a diagonal may end at the same jump point.
        found[from..].sort_unstable();
        let mut kept = from;
        for i in from..found.len() {
            if i == from || found[i] != found[kept - 1] {
                found[kept] = found[i];
                kept += 1;
            }
        }
        found.truncate(kept);
    }

    #[inline]
    fn along(&self, id: u32, dir: Dir, steps: u32) -> u32 {
        id.wrapping_add(self.offsets[usize::from(dir)].wrapping_mul(steps))
    }

    /// How many free cells follow in a direction before a wall or a subgoal, and the subgoal.
    fn ahead(&self, id: u32, dir: Dir) -> (u16, Option<u16>) {
        let steps = self.clear[id as usize][usize::from(dir)];
        let last = self.along(id, dir, u32::from(steps));
        match self.subgoal[last as usize] {
            subgoal if steps > 0 && subgoal != NOT_A_SUBGOAL => (steps - 1, Some(subgoal)),
            _ => (steps, None),
        }
    }
}
