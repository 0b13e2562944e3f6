//! What a search may spend, and the meter that keeps count.

use game::Watch;
use std::time::Duration;

/// Limits of one query. `None` does not limit.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Expanded cells.
    pub expansions: Option<u64>,
    /// The caller's clock and stop flag: a search reads no other.
    pub timer: Option<Timer>,
}

impl Budget {
    /// A budget that ends when the watch shows `limit`, or when its flag says stop.
    pub fn timed(watch: Watch, limit: Option<Duration>) -> Budget {
        Budget { expansions: None, timer: Some(Timer { watch, limit }) }
    }
}

/// A clock started by the caller, and when to stop by it.
#[derive(Clone, Debug)]
pub struct Timer {
    /// The clock and the stop flag.
    pub watch: Watch,
    /// Time on the watch at which the search stops.
    pub limit: Option<Duration>,
}

impl Timer {
    #[cold]
    pub(crate) fn has_expired(&self) -> bool {
        self.watch.is_stopped() || self.limit.is_some_and(|limit| self.watch.elapsed() >= limit)
    }
}

/// Counts expansions and says when to stop.
pub(super) struct Meter<'a> {
    expanded: u64,
    expansions: u64,
    timer: Option<&'a Timer>,
}

impl<'a> Meter<'a> {
    pub(super) fn new(budget: &'a Budget) -> Meter<'a> {
        Meter { expanded: 0, expansions: budget.expansions.unwrap_or(u64::MAX), timer: budget.timer.as_ref() }
    }

    /// Counts one expansion; `true` says that the budget is spent.
    #[inline]
    pub(super) fn spent(&mut self) -> bool {
        if self.expanded >= self.expansions {
            return true;
        }
        self.expanded += 1;
        self.expanded & 63 == 0 && self.timer.is_some_and(Timer::has_expired)
    }

    pub(super) fn expanded(&self) -> u64 {
        self.expanded
    }
}
