//! When a search ends, from the limits given.

use ::game::{Limits, MoveTime, TimePlan};
use std::time::Duration;

/// When a search ends.
#[derive(Clone, Debug)]
pub(super) struct SearchLimits {
    /// No new iteration is begun once it is enough; once it is over the search is aborted.
    pub(super) time: MoveTime,
    /// Nodes of the main thread.
    pub(super) nodes: u64,
    /// Iterations.
    pub(super) depth: i32,
    /// Nodes between two checks of the clock.
    pub(super) check_interval: u64,
}

/// Iterations at most: deeper than any game is long.
const DEEPEST: u32 = 120;

const PLAN: TimePlan = TimePlan { moves_to_go: 25, stretch: 3, reserve: Duration::from_millis(15) };

impl SearchLimits {
    /// What the limits allow for one move.
    pub(super) fn of(limits: &Limits) -> SearchLimits {
        let time = MoveTime::of(limits, &PLAN);
        let short = time.hard.is_some_and(|time| time < Duration::from_millis(20));
        SearchLimits {
            time,
            nodes: limits.nodes.unwrap_or(u64::MAX),
            depth: limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST) as i32,
            check_interval: if short { 32 } else { 512 },
        }
    }
}
