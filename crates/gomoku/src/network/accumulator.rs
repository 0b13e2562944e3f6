//! The network's state for one board, kept up to date under make and undo.
//!
//! Moves are only noted when they are made and applied when a value or a policy is asked for: a search cuts many
//! nodes off without asking. Applying a move logs the features it overwrites, and undo copies them back.

use super::{Network, patterns::REACH};
use crate::point::{FRAME, STRIDE};
use crate::{Board, Direction, Point};
use ::game::Side;
use nn::patterns::{self, Change, I16x64, POOLED, Pool, activation};

/// Changed lines of one move at most: the stone's own four and those of its neighbours within reach.
const CHANGES: usize = 4 * (2 * REACH + 1);

/// The features of a cell, as Black and as White sees it.
type CellFeatures = [I16x64; 2];

/// Features of all cells and their sums.
pub(crate) struct Accumulator<'a> {
    network: &'a Network,
    size: usize,
    /// Two bits per cell as in [`Board`], of the moves applied so far.
    lines: [[u64; 64]; 4],
    cells: Vec<CellFeatures>,
    /// By cell and direction: the row of the line's pattern, as Black and as White sees it.
    rows: Vec<[[u32; 2]; 4]>,
    pool: Pool,
    log: Vec<Logged>,
    /// The moves since the start, of which the first `applied.len()` have been applied.
    moves: Vec<(Point, Side)>,
    applied: Vec<Applied>,
}

struct Logged {
    cell: u16,
    rows: [[u32; 2]; 4],
    features: CellFeatures,
}

struct Applied {
    logged: usize,
    pool: Pool,
}

impl<'a> Accumulator<'a> {
    /// The state for a board.
    pub(crate) fn new(network: &'a Network, board: &Board) -> Accumulator<'a> {
        let size = usize::from(board.size());
        let mut state = Accumulator {
            network,
            size,
            lines: [[u64::MAX; 64]; 4],
            cells: vec![[network.bias; 2]; size * size],
            rows: vec![[[0; 2]; 4]; size * size],
            pool: [[0; POOLED]; 2],
            log: Vec::with_capacity(CHANGES * 64),
            moves: Vec::with_capacity(256),
            applied: Vec::with_capacity(256),
        };
        for point in board.all_points() {
            state.write(point, board.at(point));
        }
        for point in board.all_points() {
            let cell = state.cell(point.index());
            for direction in Direction::ALL {
                let window = state.around(point.index(), direction, REACH);
                let rows = network.patterns.rows_of(window);
                state.rows[cell][direction.index()] = rows;
                for (features, row) in state.cells[cell].iter_mut().zip(rows) {
                    let row = &network.table[row as usize].0;
                    features.0.iter_mut().zip(row).for_each(|(feature, add)| *feature += add);
                }
            }
            for (pool, features) in state.pool.iter_mut().zip(&state.cells[cell]) {
                pool.iter_mut().zip(&features.0).for_each(|(sum, feature)| *sum += activation(*feature));
            }
        }
        state
    }

    /// A stone was put on the board.
    #[inline]
    pub(crate) fn make(&mut self, point: Point, side: Side) {
        self.moves.push((point, side));
    }

    /// The last stone was taken away.
    #[inline]
    pub(crate) fn undo(&mut self) {
        if self.applied.len() == self.moves.len()
            && let Some(Applied { logged, pool }) = self.applied.pop()
        {
            self.pool = pool;
            for entry in &self.log[logged..] {
                let cell = usize::from(entry.cell);
                (self.cells[cell], self.rows[cell]) = (entry.features, entry.rows);
            }
            self.log.truncate(logged);
            self.write(self.moves[self.applied.len()].0, None);
        }
        self.moves.pop();
    }

    /// The value of the position to the side to move: a logit in thousandths. `board` is the one that the moves
    /// were made on.
    pub(crate) fn value(&mut self, board: &Board, to_move: Side) -> i32 {
        self.apply_pending();
        let [own, other] = [to_move, to_move.other()].map(|side| &self.pool[side.index()]);
        patterns::value(&self.network.value, own, other, &self.network.threat_row(board, to_move))
    }

    /// Applies all moves made so far; [`Accumulator::policy`] speaks of the board after them.
    #[inline]
    pub(crate) fn apply_pending(&mut self) {
        while let Some(&(point, side)) = self.moves.get(self.applied.len()) {
            self.applied.push(Applied { logged: self.log.len(), pool: self.pool });
            self.write(point, Some(side));
            self.apply(point);
        }
    }

    /// How likely a point is to be the best move of a side: a logit in hundredths.
    #[inline]
    pub(crate) fn policy(&self, point: Point, side: Side) -> i32 {
        let features = &self.cells[self.cell(point.index())][side.index()];
        patterns::policy(&self.network.policy, features)
    }

    /// Updates every cell that sees the point on one of its lines.
    fn apply(&mut self, point: Point) {
        let mut changes = [Change::default(); CHANGES];
        let mut count = 0;
        for direction in Direction::ALL {
            let around = self.around(point.index(), direction, 2 * REACH);
            for step in 0..=2 * REACH {
                if around >> (2 * (step + REACH)) & 3 == 3 {
                    continue;
                }
                let offset = direction.stride() * (step as isize - REACH as isize);
                let cell = self.cell((point.index() as isize + offset) as usize % FRAME);
                // The stone's own cell changes on all four lines and is logged once.
                if step != REACH || direction.index() == 0 {
                    let (rows, features) = (self.rows[cell], self.cells[cell]);
                    self.log.push(Logged { cell: cell as u16, rows, features });
                }
                let new = self.network.patterns.rows_of(around >> (2 * step));
                let row = &mut self.rows[cell][direction.index()];
                changes[count] = Change { cell: cell as u16, old: *row, new };
                *row = new;
                count += 1;
            }
        }
        patterns::update(&self.network.table, &mut self.cells, &mut self.pool, &changes[..count]);
    }

    /// The place of a point in `cells`.
    #[inline]
    fn cell(&self, index: usize) -> usize {
        let point = Point::from_index(index);
        usize::from(point.row()) * self.size + usize::from(point.col())
    }

    /// The cells of a line from `reach` before a point on, two bits each.
    #[inline]
    fn around(&self, index: usize, direction: Direction, reach: usize) -> u64 {
        let (line, place) = direction.line_of(index);
        let word = self.lines[direction.index()][line % 64];
        word.rotate_right((2 * (place + STRIDE - reach)) as u32 % 64)
    }

    fn write(&mut self, point: Point, stone: Option<Side>) {
        let value = stone.map_or(0, |side| side.index() as u64 + 1);
        for direction in Direction::ALL {
            let (line, place) = direction.line_of(point.index());
            let word = &mut self.lines[direction.index()][line % 64];
            *word = *word & !(3 << (2 * place)) | value << (2 * place);
        }
    }
}

#[cfg(test)]
impl Accumulator<'_> {
    /// The pooled activations as a side sees them.
    pub(super) fn pool_of(&self, side: Side) -> &[u16; POOLED] {
        &self.pool[side.index()]
    }
}
