//! What a search may spend, and the meter that keeps count.

use game::{StopFlag, Watch};
use std::time::Duration;

/// Limits of one query. `None` does not limit.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Wall time.
    pub time: Option<Duration>,
    /// Expanded cells.
    pub expansions: Option<u64>,
    /// A switch that another thread may use.
    pub stop: StopFlag,
}

/// Counts expansions and says when to stop.
pub(super) struct Meter {
    expanded: u64,
    expansions: u64,
    time: Option<Duration>,
    watch: Watch,
}

impl Meter {
    pub(super) fn start(budget: &Budget) -> Meter {
        Meter {
            expanded: 0,
            expansions: budget.expansions.unwrap_or(u64::MAX),
            time: budget.time,
            watch: Watch::start(budget.stop.clone()),
        }
    }

    /// Counts one expansion; `true` says that the budget is spent.
    #[inline]
    pub(super) fn spent(&mut self) -> bool {
        if self.expanded >= self.expansions {
            return true;
        }
        self.expanded += 1;
        self.expanded & 63 == 0 && self.called_off()
    }

    /// Time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    pub(super) fn expanded(&self) -> u64 {
        self.expanded
    }

    #[cold]
    fn called_off(&self) -> bool {
        self.watch.is_stopped() || self.time.is_some_and(|limit| self.watch.elapsed() >= limit)
    }
}
