//! The features of a move that the [`Policy`](super::Policy) weighs: the stones around it, bridges and straight jumps from
//! it, its place on the board, and its offset from the last moves.
//!
//! Everything is seen as black sees it; white's view is mirrored on the long diagonal, where direction `d` becomes
//! `5 - d`. A half turn makes `d` into `d + 3` and must not matter.

use super::heavy_playout::{HeavyPlayout, NO_CELL, RINGS, saves};
use crate::stones::Stones;
use crate::{DIRECTIONS, Size};
use game::Side;
use std::sync::LazyLock;

/// Different rings up to a half turn.
const RING_FEATURES: usize = 378;
const BRIDGES: usize = RING_FEATURES;
const JUMPS: usize = BRIDGES + 3 * 27;
const REPLIES: usize = JUMPS + 3 * 9;
const OWN_MOVES: usize = REPLIES + OFFSETS;
const SAVE: usize = OWN_MOVES + OFFSETS;
const PLACES: usize = SAVE + 1;
/// All features.
pub const TOTAL: usize = PLACES + PHASES * AREAS;

/// Rows and columns that a reply XX
const REACH: i32 = 3;
const OFFSETS: usize = 49;
/// Rows from the near edge, up to five, by columns from either side, up to five, and the middle.
const AREAS: usize = 5 * 11;
/// Game phases by number of stones.
const PHASES: usize = 3;

/// For each side the feature of each ring code; [`NO_RING`] for impossible codes.
static RING_OF: LazyLock<[Vec<u16>; 2]> = LazyLock::new(|| {
    let turn = |six: u16| (six << 3 | six >> 3) & 63;
    let mirror = |six: u16| (0..6).fold(0, |out, place| out | (six >> place & 1) << (5 - place));
    let mut black = vec![NO_RING; RINGS];
    let mut next = 0;
    for code in 0..RINGS as u16 {
        let (own, other) = (code & 63, code >> 6);
        let turned = turn(own) | turn(other) << 6;
        if own & other == 0 && black[code as usize] == NO_RING {
            black[code as usize] = next;
            black[turned as usize] = next;
            next += 1;
        }
    }
    let white = (0..RINGS as u16)
        .map(|code| {
            let (own, other) = (mirror(code >> 6), mirror(code & 63));
            black[(own | other << 6) as usize]
        })
        .collect();
    [black, white]
});

const NO_RING: u16 = u16::MAX;

/// The feature of a ring code for a side.
fn ring_feature(side: Side, code: u16) -> Option<usize> {
    let feature = *RING_OF[side.index()].get(code as usize)?;
    (feature != NO_RING).then_some(feature as usize)
}

/// Precomputed tables for a board size.
#[derive(Clone, Debug)]
pub(crate) struct FeatureTables {
    size: Size,
    /// For each cell the six cells a bridge away and the six two steps straight away; beyond an edge it is
    /// `cells` for black and `cells + 1` for white.
    far: Vec<[u16; 12]>,
    /// For each side and cell, its area.
    areas: [Vec<u8>; 2],
}

impl FeatureTables {
    /// The tables of a board size.
    pub(crate) fn new(size: Size) -> FeatureTables {
        let far_of = |index: usize| {
            let cell = size.cell(index);
            std::array::from_fn(|at| {
                let (a, b) = (DIRECTIONS[at % 6], DIRECTIONS[if at < 6 { (at + 1) % 6 } else { at % 6 }]);
                let step = (a.0 + b.0, a.1 + b.1);
                match size.step(cell, step) {
                    Some(far) => size.index(far) as u16,
                    None => {
                        let row = i16::from(cell.row) + i16::from(step.0);
                        let white = (0..i16::from(size.rows())).contains(&row);
                        (size.cells() + usize::from(white)) as u16
                    }
                }
            })
        };
        let area = |side: Side, index: usize| {
            let cell = size.cell(index);
            let (mut row, mut col, rows, cols) = match side {
                Side::Black => (cell.row, cell.col, size.rows(), size.cols()),
                Side::White => (cell.col, cell.row, size.cols(), size.rows()),
            };
            let below = u16::from(row) * 2 + 1;
            let in_the_middle = below == u16::from(rows);
            if below > u16::from(rows) || (in_the_middle && u16::from(col) * 2 + 1 > u16::from(cols)) {
                (row, col) = (rows - 1 - row, cols - 1 - col);
            }
            let right = cols - 1 - col;
            let column = if col <= right { col.min(5) } else { 10 - right.min(5) };
            row.min(4) * 11 + column
        };
        FeatureTables {
            size,
            far: (0..size.cells()).map(far_of).collect(),
            areas: Side::BOTH.map(|side| (0..size.cells()).map(|index| area(side, index)).collect()),
        }
    }
}

/// A position prepared for computing the features of its moves.
pub(crate) struct MoveFeatures<'a, const W: usize> {
    tables: &'a FeatureTables,
    rings: &'a [u16],
    stones: &'a Stones<W>,
    side: Side,
    /// The opponent's last move and the side's own before it, or [`NO_CELL`].
    last: [usize; 2],
    /// Places around the last move that save a bridge.
    saves: u16,
    phase: usize,
}

impl<'a, const W: usize> MoveFeatures<'a, W> {
    pub(crate) fn new(
        tables: &'a FeatureTables,
        playout: &'a HeavyPlayout<W>,
        stones: &'a Stones<W>,
        side: Side,
        last: [usize; 2],
    ) -> MoveFeatures<'a, W> {
        let rings = playout.rings();
        let saves = rings.get(last[0]).map_or(0, |ring| saves(side, *ring));
        let filled = stones.both().len() * 100 / tables.size.cells().max(1);
        let phase = usize::from(filled >= 3) + usize::from(filled >= 12);
        MoveFeatures { tables, rings, stones, side, last, saves, phase }
    }

    /// Calls `name` with every feature of an empty cell.
    #[inline]
    pub(crate) fn each_feature(&self, cell: usize, mut name: impl FnMut(usize)) {
        let code = self.rings[cell];
        let white = self.side == Side::White;
        if let Some(feature) = ring_feature(self.side, code) {
            name(feature);
        }
        let far = &self.tables.far[cell];
        let place = |d: usize| self.state((code >> d & 1) != 0, (code >> (d + 6) & 1) != 0);
        for d in 0..6 {
            let (a, b) = (place(d), place((d + 1) % 6));
            let beyond = self.state_at(far[d] as usize);
            // The bridge between places d and d + 1 lies between 5 - d and 4 - d in the mirror.
            let (direction, first, second) = if white { ((10 - d) % 6, b, a) } else { (d, a, b) };
            name(BRIDGES + direction % 3 * 27 + first * 9 + second * 3 + beyond);
            let direction = if white { 5 - d } else { d };
            name(JUMPS + direction % 3 * 9 + a * 3 + self.state_at(far[d + 6] as usize));
        }
        for (last, base) in self.last.into_iter().zip([REPLIES, OWN_MOVES]) {
            if let Some(offset) = self.offset(last, cell) {
                name(base + offset);
            }
        }
        if self.saves != 0 && self.saves_at(cell) {
            name(SAVE);
        }
        name(PLACES + self.phase * AREAS + self.tables.areas[self.side.index()][cell] as usize);
    }

    /// 0 empty, 1 own, 2 the opponent's.
    #[inline]
    fn state(&self, black: bool, white: bool) -> usize {
        let (own, other) = if self.side == Side::Black { (black, white) } else { (white, black) };
        usize::from(own) + 2 * usize::from(other)
    }

    #[inline]
    fn state_at(&self, index: usize) -> usize {
        let cells = self.rings.len();
        if index < cells {
            self.state(
                self.stones.of(Side::Black).contains(index),
                self.stones.of(Side::White).contains(index),
            )
        } else {
            self.state(index == cells, index > cells)
        }
    }

    #[inline]
    fn offset(&self, from: usize, to: usize) -> Option<usize> {
        if from == NO_CELL {
            return None;
        }
        let (from, to) = (self.tables.size.cell(from), self.tables.size.cell(to));
        let mut rows = i32::from(to.row) - i32::from(from.row);
        let mut cols = i32::from(to.col) - i32::from(from.col);
        if rows.abs() > REACH || cols.abs() > REACH {
            return None;
        }
        if self.side == Side::White {
            (rows, cols) = (cols, rows);
        }
        if (rows, cols) < (0, 0) {
            (rows, cols) = (-rows, -cols);
        }
        Some(((rows + REACH) * 7 + cols + REACH) as usize)
    }

    fn saves_at(&self, cell: usize) -> bool {
        let from = self.tables.size.cell(self.last[0]);
        (0..6).any(|place| {
            self.saves >> place & 1 != 0
                && self.tables.size.step(from, DIRECTIONS[place]) == Some(self.tables.size.cell(cell))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stones::Shape;
    use proptest::prelude::*;
    use search::Rng;

    fn names(stones: &Stones<2>, shape: &Shape<2>, side: Side, last: [usize; 2], cell: usize) -> Vec<usize> {
        let tables = FeatureTables::new(shape.size());
        let mut playout = HeavyPlayout::new(shape);
        playout.set(stones);
        let mut all = Vec::new();
        MoveFeatures::new(&tables, &playout, stones, side, last).each_feature(cell, |name| all.push(name));
        all.sort_unstable();
        all
    }

    fn mapped(stones: &Stones<2>, colours: bool, to: impl Fn(usize) -> usize) -> Stones<2> {
        let mut out = Stones::EMPTY;
        for side in Side::BOTH {
            let new = if colours { side.other() } else { side };
            stones.of(side).iter().for_each(|cell| out.put(new, to(cell)));
        }
        out
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn half_turns_and_mirrors_with_changed_colours_see_the_same(seed: u64) {
            let size = Size::new(9, 9).unwrap();
            let shape = Shape::<2>::new(size);
            let stones: Stones<2> = crate::stones::oracle::random_stones(&shape, seed, 60);
            let empty: Vec<usize> = shape.empty(&stones).iter().collect();
            let mut rng = Rng::new(seed);
            let Some(cell) = rng.pick(&empty) else { return Ok(()) };
            let others: Vec<usize> = stones.both().iter().collect();
            let last = [rng.pick(&others), rng.pick(&others)].map(|cell| cell.unwrap_or(NO_CELL));
            // Cells off a corner may belong to either edge, so the corner's surroundings are left out.
            let near_corner = |cell: usize| {
                let cell = size.cell(cell);
                let edge = |at: u8| !(2..=6).contains(&at);
                edge(cell.row) && edge(cell.col)
            };
            prop_assume!(!near_corner(cell));
            let plain = names(&stones, &shape, Side::Black, last, cell);
            prop_assert!(plain.iter().all(|&name| name < TOTAL));
            let move_last = |to: &dyn Fn(usize) -> usize| {
                last.map(|cell| if cell == NO_CELL { NO_CELL } else { to(cell) })
            };
            let mirror = |cell: usize| size.index(size.mirrored(size.cell(cell)));
            let mirrored = mapped(&stones, true, mirror);
            prop_assert_eq!(&names(&mirrored, &shape, Side::White, move_last(&mirror), mirror(cell)), &plain);
            let turn = |cell: usize| size.turned(cell);
            let turned = mapped(&stones, false, turn);
            prop_assert_eq!(&names(&turned, &shape, Side::Black, move_last(&turn), turn(cell)), &plain);
        }
    }

    #[test]
    fn rings_are_numbered_without_gaps() {
        let largest = (0..RINGS as u16).filter_map(|code| ring_feature(Side::Black, code)).max();
        assert_eq!(largest, Some(RING_FEATURES - 1));
    }
}
