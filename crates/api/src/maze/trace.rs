//! Compact search trace, one u32 per event: what the app plays back on large maps.

use maze::{Event, Observer};

const OPEN: u32 = 1;
const CLOSED: u32 = 2;
const RESTART: u32 = 3;
/// Events kept: enough for every cell of a map of 1024 x 1024 cells to be opened, opened again now and then, and closed.
const MAX_EVENTS: usize = 3_000_000;

/// Keeps the first events of a search and counts the rest.
pub(super) struct Trace {
    cols: u32,
    pub(super) events: Vec<u32>,
    pub(super) dropped: u64,
}

impl Trace {
    pub(super) fn new(cols: u32) -> Trace {
        Trace { cols, events: Vec::new(), dropped: 0 }
    }
}

impl Observer for Trace {
    fn see(&mut self, event: Event) {
        let (kind, cell) = match event {
            Event::Open { cell, .. } => (OPEN, Some(cell)),
            Event::Close { cell, .. } | Event::Meet { cell, .. } => (CLOSED, Some(cell)),
            Event::Bound { .. } => (RESTART, None),
            Event::Jump { .. } => return,
        };
        if self.events.len() == MAX_EVENTS {
            self.dropped += 1;
            return;
        }
        self.events.push(cell.map_or(0, |cell| 4 * (cell.row * self.cols + cell.col)) + kind);
    }
}
