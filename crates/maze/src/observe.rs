//! Watching a search: every event goes to an [`Observer`], which costs nothing when it is [`Silent`].
//!
//! [`Recorder`] keeps a bounded number of events, the first or the last ones, for pictures and animation.

use crate::grid::Cell;
use serde::Serialize;
use std::collections::VecDeque;

/// One thing that happened in a search. Costs are in steps (a diagonal is the square root of two).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A cell was put on the open list, or found again more cheaply.
    Open {
        /// The cell.
        cell: Cell,
        /// Where it was reached from.
        from: Cell,
        /// Cost so far.
        g: f64,
        /// Estimated cost to go.
        h: f64,
        /// What the open list sorts by.
        f: f64,
    },
    /// A cell was taken from the open list and its successors are about to be made.
    Close {
        /// The cell.
        cell: Cell,
        /// Cost so far.
        g: f64,
        /// Estimated cost to go.
        h: f64,
        /// Their sum, with the weight of weighted A*.
        f: f64,
    },
    /// A scan from one cell found this jump point.
    Jump {
        /// Where the scan began.
        from: Cell,
        /// The jump point.
        to: Cell,
    },
    /// IDA* starts again with this bound.
    Bound {
        /// No path is cheaper than this.
        bound: f64,
    },
    /// The two halves of a bidirectional search met.
    Meet {
        /// Where.
        cell: Cell,
        /// Cost of the path through it.
        cost: f64,
    },
}

/// Receives the events of a search.
pub trait Observer {
    /// Whether events are wanted at all; `false` removes every trace of them from the compiled search.
    const ON: bool = true;

    /// Takes one event.
    fn see(&mut self, event: Event);
}

/// Observes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    const ON: bool = false;

    #[inline(always)]
    fn see(&mut self, _: Event) {}
}

/// Which events a full [`Recorder`] gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The first ones stay.
    First,
    /// The last ones stay.
    Last,
}

/// Keeps at most a given number of events and counts the rest.
#[derive(Clone, Debug)]
pub struct Recorder {
    events: VecDeque<Event>,
    limit: usize,
    keep: Keep,
    seen: u64,
}

impl Recorder {
    /// A recorder that never holds more than `limit` events.
    pub fn new(limit: usize, keep: Keep) -> Recorder {
        Recorder { events: VecDeque::new(), limit, keep, seen: 0 }
    }

    /// The events kept, oldest first.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.events.iter()
    }

    /// The closed cells kept, in order of expansion.
    pub fn closed(&self) -> Vec<Cell> {
        let cell = |event: &Event| if let Event::Close { cell, .. } = event { Some(*cell) } else { None };
        self.events.iter().filter_map(cell).collect()
    }

    /// Events that happened.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Events that were given up.
    pub fn dropped(&self) -> u64 {
        self.seen - self.events.len() as u64
    }
}

impl Observer for Recorder {
    fn see(&mut self, event: Event) {
        self.seen += 1;
        if self.events.len() >= self.limit {
            // With no capacity left, or only for the first ones, this one is dropped.
            if self.keep == Keep::First || self.events.pop_front().is_none() {
                return;
            }
        }
        self.events.push_back(event);
    }
}

/// Every closed cell in order, and nothing else: for shading a picture. Holds at most `limit` cells.
#[derive(Clone, Debug)]
pub struct ClosedCells {
    /// In order of expansion.
    pub cells: Vec<Cell>,
    limit: usize,
}

impl ClosedCells {
    /// Keeps the first `limit` closed cells.
    pub fn new(limit: usize) -> ClosedCells {
        ClosedCells { cells: Vec::new(), limit }
    }
}

impl Observer for ClosedCells {
    fn see(&mut self, event: Event) {
        if let Event::Close { cell, .. } = event
            && self.cells.len() < self.limit
        {
            self.cells.push(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_recorder_keeps_the_right_end() {
        for (keep, kept) in [(Keep::First, [0.0, 1.0]), (Keep::Last, [3.0, 4.0])] {
            let mut recorder = Recorder::new(2, keep);
            (0..5).for_each(|i| recorder.see(Event::Bound { bound: f64::from(i) }));
            let bounds: Vec<_> = recorder.events().copied().collect();
            assert_eq!(bounds, kept.map(|bound| Event::Bound { bound }));
            assert_eq!((recorder.seen(), recorder.dropped()), (5, 3));
        }
        let mut none = Recorder::new(0, Keep::Last);
        none.see(Event::Bound { bound: 1.0 });
        assert_eq!(none.dropped(), 1);
    }
}
