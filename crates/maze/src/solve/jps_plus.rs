//! JPS+: jump point search that looks its jumps up instead of scanning for them (Rabin and Silva 2015).
//!
//! For every cell and direction a table holds how far the next jump point is, or, as a number not above 0,
//! how far one can go without meeting any. Sixteen bytes per cell, made once per map by the same scans that
//! `jps` does at every query. Only the goal, which no table knows, is looked for at query time.

use super::jumper::{Estimate, Jumper, Node, Open, Straight, diagonal_first};
use super::{End, Memory, PACKED_STEPS, Run};
use crate::bits::{Bits, Scan};
use crate::grid::Grid;
use crate::labels::ROOT;
use crate::moves::{Dir, E, N, NE, NW, S, SE, SW, W, offsets};
use crate::observe::Observer;

/// The four diagonals with their parts.
const DIAGONALS: [(Dir, Dir, Dir); 4] = [(NE, N, E), (SE, S, E), (SW, S, W), (NW, N, W)];

pub(super) fn search<O: Observer>(run: Run<'_, '_, O>) -> End {
    let Run { context, memory, meter, seen } = run;
    let Memory { labels, parents, buckets, columns, jumps, .. } = memory;
    let (rows, cols) = (context.bits, columns.get(context.grid));
    let jumps = jumps.get(context.grid, cols);
    let jumper =
        Jumper::begin(context, rows, cols, Open { labels, parents, buckets }, seen, Straight::new(context));
    jumper.run(meter, diagonal_first, |jumper, node, dir| jumper.expand_by_table(jumps, node, dir))
}

impl<O: Observer, E: Estimate> Jumper<'_, O, E> {
    fn expand_by_table(&mut self, jumps: &[[i16; 8]], node: Node, dir: Dir) {
        if dir == ROOT {
            for dir in [N, E, S, W] {
                self.straight_by_table(jumps, node, node, dir);
            }
            for diagonal in DIAGONALS {
                self.diagonal_by_table(jumps, node, diagonal);
            }
            return;
        }
        self.straight_by_table(jumps, node, node, dir);
        let back = self.row_offsets[usize::from(dir ^ 2)];
        let sides = if dir == N || dir == S { [E, W] } else { [N, S] };
        for side in sides {
            let beside = node.row_id.wrapping_add(self.row_offsets[usize::from(side)]);
            if self.rows.get(beside) && !self.rows.get(beside.wrapping_add(back)) {
                self.straight_by_table(jumps, node, node, side);
                let (vertical, horizontal) = if side == N || side == S { (side, dir) } else { (dir, side) };
                let diagonal = match (vertical, horizontal) {
                    (N, E) => NE,
                    (S, E) => SE,
                    (S, _) => SW,
                    _ => NW,
                };
                self.diagonal_by_table(jumps, node, (diagonal, vertical, horizontal));
            }
        }
    }

    #[inline]
    fn straight_by_table(&mut self, jumps: &[[i16; 8]], from: Node, at: Node, dir: Dir) {
        let d = usize::from(dir);
        let jump = jumps[at.row_id as usize][d];
        let (rows, cols) = self.to_goal(at);
        let ahead = match dir {
            N if cols == 0 => -rows,
            S if cols == 0 => rows,
            E if rows == 0 => cols,
            W if rows == 0 => -cols,
            _ => 0,
        };
        if ahead > 0 && ahead <= i32::from(jump.unsigned_abs()) {
            self.push_along(from, at, d, ahead as u32, dir);
        } else if jump > 0 {
            self.push_along(from, at, d, jump as u32, dir);
        }
    }

    #[inline]
    fn diagonal_by_table(
        &mut self,
        jumps: &[[i16; 8]],
        from: Node,
        (diagonal, vertical, horizontal): (Dir, Dir, Dir),
    ) {
        let (v, h) = (usize::from(vertical), usize::from(horizontal));
        let mut at = from;
        loop {
            let jump = jumps[at.row_id as usize][usize::from(diagonal)];
            let reach = i32::from(jump.unsigned_abs());
            let (rows, cols) = self.to_goal(at);
            let (rows, cols) =
                (if vertical == N { -rows } else { rows }, if horizontal == W { -cols } else { cols });
            let both = rows.min(cols);
            if both > 0 && both <= reach {
                // The run passes where the goal's row or column begins; is the way clear from there?
                let turn = self.diagonally(at, v, h, both as u32);
                let (rest, d) = if rows > cols { (rows - both, v) } else { (cols - both, h) };
                if rest <= i32::from(jumps[turn.row_id as usize][d].unsigned_abs()) {
                    self.push_along(from, turn, d, rest as u32, d as Dir);
                }
            }
            if jump <= 0 {
                return;
            }
            at = self.diagonally(at, v, h, jump as u32);
            for dir in [vertical, horizontal] {
                let d = usize::from(dir);
                let jump = jumps[at.row_id as usize][d];
                if jump > 0 {
                    self.push_along(from, at, d, jump as u32, dir);
                }
            }
        }
    }

    #[inline]
    fn diagonally(&self, at: Node, v: usize, h: usize, steps: u32) -> Node {
        let packed = PACKED_STEPS[v].wrapping_add(PACKED_STEPS[h]);
        let row_id = self.row_offsets[v].wrapping_add(self.row_offsets[h]);
        Node {
            packed: at.packed.wrapping_add(packed.wrapping_mul(steps)),
            row_id: at.row_id.wrapping_add(row_id.wrapping_mul(steps)),
            col_id: 0,
            g: at.g + self.units.diagonal * u64::from(steps),
        }
    }
}

/// The table of jumps, made when first needed.
#[derive(Debug, Default)]
pub(super) struct Jumps(Vec<[i16; 8]>);

impl Jumps {
    pub(super) fn get(&mut self, grid: &Grid, cols: &Bits) -> &[[i16; 8]] {
        if self.0.is_empty() {
            self.0 = make(grid, cols);
        }
        &self.0
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.len() * 16
    }
}

/// The table of a map alone.
pub(crate) fn jump_table(grid: &Grid) -> Vec<[i16; 8]> {
    make(grid, &grid.bits().transposed())
}

fn make(grid: &Grid, cols: &Bits) -> Vec<[i16; 8]> {
    let rows = grid.bits();
    let offsets = offsets(rows.stride());
    let mut jumps = vec![[0i16; 8]; rows.len()];
    // Sides are at most 32768, so a run is at most 32767.
    let signed = |scan: Scan| if scan.jump { scan.steps as i16 } else { -(scan.steps as i16) };
    for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
        let (id, col_id) = (rows.id(cell.row, cell.col), cols.id(cell.col, cell.row));
        let entry = &mut jumps[id as usize];
        entry[usize::from(N)] = signed(cols.scan_down(col_id));
        entry[usize::from(E)] = signed(rows.scan_up(id));
        entry[usize::from(S)] = signed(cols.scan_up(col_id));
        entry[usize::from(W)] = signed(rows.scan_down(id));
    }
    // A diagonal entry follows from that of the next cell on the diagonal: northern ones from the top row
    // down, southern ones from the bottom row up.
    for (diagonal, vertical, horizontal) in DIAGONALS {
        let [d, v, h] = [diagonal, vertical, horizontal].map(usize::from);
        for i in 0..grid.height() {
            let row = if vertical == N { i } else { grid.height() - 1 - i };
            for col in 0..grid.width() {
                let id = rows.id(row, col);
                let next = id.wrapping_add(offsets[d]);
                let open = rows.get(id)
                    && rows.get(next)
                    && rows.get(id.wrapping_add(offsets[v]))
                    && rows.get(id.wrapping_add(offsets[h]));
                if open {
                    let beyond = jumps[next as usize];
                    let found = beyond[v] > 0 || beyond[h] > 0;
                    jumps[id as usize][d] = match beyond[d] {
                        _ if found => 1,
                        jump if jump > 0 => jump + 1,
                        clear => clear - 1,
                    };
                }
            }
        }
    }
    jumps
}
