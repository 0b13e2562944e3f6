//! How long to think, from the limits given.

use game::{Limits, Watch};
use std::time::Duration;

/// When a search ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchLimits {
    /// From here on the search may end if the most visited move is also the best.
    soft: Option<Duration>,
    /// The end in any case.
    hard: Option<Duration>,
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
        // Reserved for what follows the search: the last visit, the report, the way to the caller.
        let kept = |time: Duration| time - (time / 20).clamp(Duration::from_micros(500), ms(10)).min(time);
        let (mut soft, mut hard) = (None, limits.move_time.map(kept));
        if let Some(clock) = limits.clock {
            let left = clock.left.saturating_sub(ms(30).min(clock.left / 4));
            let share = (left / moves_to_go(empty) + clock.increment * 3 / 4).min(left / 2);
            soft = Some(share);
            hard = [Some((share * 2).min(left / 2)), hard].into_iter().flatten().min();
        }
        let default = if hard.is_some() || limits.nodes.is_some() { u64::MAX } else { DEFAULT_VISITS };
        SearchLimits { soft, hard, visits: limits.nodes.unwrap_or(default).min(most).max(1) }
    }

    /// Must the search end now?
    #[inline]
    pub(crate) fn is_spent(&self, watch: &Watch) -> bool {
        watch.is_stopped() || self.hard.is_some_and(|hard| watch.elapsed() >= hard)
    }

    /// May the search end if its answer is settled?
    pub(crate) fn is_enough(&self, watch: &Watch) -> bool {
        self.soft.is_some_and(|soft| watch.elapsed() >= soft)
    }
}

const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Clock;

    #[test]
    fn search_limits_stay_within_the_limits() {
        for millis in [0, 1, 5, 30, 100, 1000, 60_000] {
            let time = ms(millis);
            let fixed = SearchLimits::of(&Limits::time(time), 100, u64::MAX);
            assert!(fixed.hard.is_some_and(|hard| hard <= time));
            let clock = Clock { left: time, increment: ms(10) };
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            let timed = SearchLimits::of(&limits, 100, u64::MAX);
            assert!(timed.hard.is_some_and(|hard| hard <= time), "{millis} {timed:?}");
            assert!(timed.soft <= timed.hard || millis == 0);
        }
        assert_eq!(SearchLimits::of(&Limits::nodes(7), 9, u64::MAX).visits, 7);
        assert_eq!(SearchLimits::of(&Limits::nodes(7), 9, 3).visits, 3);
    }
}
