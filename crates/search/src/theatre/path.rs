//! The record of a path search: events as columns. The crate that has the map fills them.

use super::Num;
use serde::Serialize;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// A cell was put on the open list, or found again more cheaply.
    Open = 0,
    /// A cell was taken up and its successors looked at.
    Close = 1,
    /// A closed cell is taken back: a cheaper way to it was found.
    Reopen = 2,
    /// IDA* starts a round with the bound `g`.
    Bound = 3,
    /// IDA* turns back at a cell, because its `f` exceeds the bound.
    Cut = 4,
    /// A scan from `from` found a jump point.
    Jump = 5,
    /// Two halves of a search met.
    Meet = 6,
}

/// Events as columns; cells are counted row by row, -1 is none.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PathColumns {
    /// Events that were not written down.
    pub dropped: u64,
    /// [`PathKind`] as a number.
    pub event: Vec<u8>,
    /// The cell.
    pub cell: Vec<i32>,
    /// Where it was reached from.
    pub from: Vec<i32>,
    /// Cost so far (for a bound: the bound).
    pub g: Vec<Num>,
    /// Estimated cost to go.
    pub h: Vec<Num>,
    #[serde(skip)]
    keep: usize,
}

impl PathColumns {
    /// Keeps at most `keep` events.
    pub fn new(keep: usize) -> PathColumns {
        PathColumns { keep, ..PathColumns::default() }
    }

    /// Records an event unless the record is full.
    pub fn push(&mut self, kind: PathKind, cell: i32, from: i32, g: f64, h: f64) {
        if self.event.len() >= self.keep {
            self.dropped += 1;
            return;
        }
        self.event.push(kind as u8);
        self.cell.push(cell);
        self.from.push(from);
        self.g.push(Num(g));
        self.h.push(Num(h));
    }
}
