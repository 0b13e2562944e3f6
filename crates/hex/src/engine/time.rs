//! When a search ends, from the limits given.

use game::{Limits, MoveTime, TimePlan};
use std::time::Duration;

/// When a search ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchLimits {
    /// Once it is enough the search may end if the most visited move is also the best.
    pub(crate) time: MoveTime,
    /// Visits at most.
    pub(crate) visits: u64,
}

/// Visits without a limit on nodes or time: about a second on 11x11 with AMX.
const DEFAULT_VISITS: u64 = 8_000;

/// Moves that share the clock: about as many as a side still makes in a typical game.
fn moves_to_go(empty: usize) -> u32 {
    (empty as u32 / 5).clamp(6, 30)
}

impl SearchLimits {
    /// The limits for one move with so many empty cells and at most `most` visits.
    pub(crate) fn of(limits: &Limits, empty: usize, most: u64) -> SearchLimits {
        let plan =
            TimePlan { moves_to_go: moves_to_go(empty), stretch: 2, reserve: Duration::from_millis(10) };
        let time = MoveTime::of(limits, &plan);
        let default = if time.hard.is_some() || limits.nodes.is_some() { u64::MAX } else { DEFAULT_VISITS };
        SearchLimits { time, visits: limits.nodes.unwrap_or(default).min(most).max(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_the_level_limit_visits() {
        assert_eq!(SearchLimits::of(&Limits::nodes(7), 9, u64::MAX).visits, 7);
        assert_eq!(SearchLimits::of(&Limits::nodes(7), 9, 3).visits, 3);
    }
}
