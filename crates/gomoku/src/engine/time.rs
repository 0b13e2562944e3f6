//! Time management: when a search ends, from the limits given.

use ::game::{Limits, Watch};
use std::time::Duration;

/// When a search ends.
#[derive(Clone, Debug)]
pub(super) struct SearchLimits {
    /// No new iteration is begun after this.
    pub(super) soft: Option<Duration>,
    /// The search is aborted at this.
    pub(super) hard: Option<Duration>,
    /// Nodes of the main thread.
    pub(super) nodes: u64,
    /// Iterations.
    pub(super) depth: i32,
    /// Nodes between two checks of the clock.
    pub(super) check_interval: u64,
}

/// Iterations at most: deeper than any game is long.
const DEEPEST: u32 = 120;

impl SearchLimits {
    /// What the limits allow for one move.
    pub(super) fn of(limits: &Limits) -> SearchLimits {
        // A move costs time besides the search: the last check of the clock, the report, the reply.
        let kept = |time: Duration| time - (time / 20).clamp(Duration::from_micros(500), ms(15)).min(time);
        let move_time = limits.move_time.map(kept);
        let (mut soft, mut hard) = (None, move_time);
        if let Some(clock) = limits.clock {
            let left = clock.left.saturating_sub(ms(30).min(clock.left / 4));
            let share = (left / 25 + clock.increment * 3 / 4).min(left / 2);
            soft = Some(share);
            hard = [Some((share * 3).min(left / 2)), hard].into_iter().flatten().min();
        }
        SearchLimits {
            soft,
            hard,
            nodes: limits.nodes.unwrap_or(u64::MAX),
            depth: limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST) as i32,
            check_interval: if hard.is_some_and(|time| time < ms(20)) { 32 } else { 512 },
        }
    }

    /// Must the search be aborted?
    pub(super) fn is_exceeded(&self, watch: &Watch) -> bool {
        watch.is_stopped() || self.hard.is_some_and(|hard| watch.elapsed() >= hard)
    }

    /// Does a game clock run? Without one the engine analyses.
    pub(super) fn is_game(&self) -> bool {
        self.soft.is_some()
    }

    /// May another iteration begin?
    pub(super) fn allows_iteration(&self, watch: &Watch) -> bool {
        self.soft.is_none_or(|soft| watch.elapsed() < soft)
    }
}

const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::game::Clock;

    #[test]
    fn times_stay_within_the_limits() {
        for millis in [0, 1, 5, 30, 100, 1000, 60_000] {
            let time = ms(millis);
            let fixed = SearchLimits::of(&Limits::time(time));
            assert!(fixed.hard.is_some_and(|hard| hard <= time));
            let clock = Clock { left: time, increment: ms(10) };
            let timed = SearchLimits::of(&Limits { clock: Some(clock), ..Limits::default() });
            assert!(timed.hard.is_some_and(|hard| hard <= time), "{millis} {timed:?}");
            assert!(timed.soft <= timed.hard || millis == 0);
        }
    }
}
