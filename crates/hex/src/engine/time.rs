//! How long to think, from the limits given.

use game::{Limits, Watch};
use std::time::Duration;

/// When a search ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// Enough, if the most visited move is also the best.
    soft: Option<Duration>,
    /// The end in any case.
    hard: Option<Duration>,
    /// Visits at most.
    pub(super) visits: u64,
}

/// Visits where the limits name neither number nor time: about a second on 11x11 where the network is fast.
const VISITS: u64 = 8_000;

/// Moves that a clock is shared among: half of those that a game on a board of so many cells still has.
fn moves_to_go(empty: usize) -> u32 {
    (empty as u32 / 5).clamp(6, 30)
}

impl Budget {
    /// What the limits allow for one move with so many cells empty.
    pub(super) fn of(limits: &Limits, empty: usize, most: u64) -> Budget {
        // What a move costs besides the search: the last look at the clock, the report, the way back.
        let kept = |time: Duration| time - (time / 20).clamp(Duration::from_micros(500), ms(10)).min(time);
        let (mut soft, mut hard) = (None, limits.move_time.map(kept));
        if let Some(clock) = limits.clock {
            let left = clock.left.saturating_sub(ms(30).min(clock.left / 4));
            let share = (left / moves_to_go(empty) + clock.increment * 3 / 4).min(left / 2);
            soft = Some(share);
            hard = [Some((share * 2).min(left / 2)), hard].into_iter().flatten().min();
        }
        let default = if hard.is_some() || limits.nodes.is_some() { u64::MAX } else { VISITS };
        Budget { soft, hard, visits: limits.nodes.unwrap_or(default).min(most).max(1) }
    }

    /// Must the search be broken off?
    #[inline]
    pub(super) fn is_spent(&self, watch: &Watch) -> bool {
        watch.is_stopped() || self.hard.is_some_and(|hard| watch.elapsed() >= hard)
    }

    /// May the search end, if its answer is settled?
    pub(super) fn is_enough(&self, watch: &Watch) -> bool {
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
    fn budgets_stay_within_the_limits() {
        for millis in [0, 1, 5, 30, 100, 1000, 60_000] {
            let time = ms(millis);
            let fixed = Budget::of(&Limits::time(time), 100, u64::MAX);
            assert!(fixed.hard.is_some_and(|hard| hard <= time));
            let clock = Clock { left: time, increment: ms(10) };
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            let timed = Budget::of(&limits, 100, u64::MAX);
            assert!(timed.hard.is_some_and(|hard| hard <= time), "{millis} {timed:?}");
            assert!(timed.soft <= timed.hard || millis == 0);
        }
        assert_eq!(Budget::of(&Limits::nodes(7), 9, u64::MAX).visits, 7);
        assert_eq!(Budget::of(&Limits::nodes(7), 9, 3).visits, 3);
    }
}
