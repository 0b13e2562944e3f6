//! Time management: when the search for one move ends, by the limits on time and the clock of the game.

use crate::{Limits, Watch};
use std::time::Duration;

/// How an engine divides its time.
#[derive(Clone, Copy, Debug)]
pub struct TimePlan {
    /// Moves that share the clock.
    pub moves_to_go: u32,
    /// A move that needs it takes at most so many times its share.
    pub stretch: u32,
    /// Kept at most from a fixed time, for what follows the search: its last step, the report, the reply.
    pub reserve: Duration,
}

/// When the search for a move ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveTime {
    /// From here on it may end; `None` where no clock of a game runs.
    pub soft: Option<Duration>,
    /// Here it must.
    pub hard: Option<Duration>,
}

impl MoveTime {
    /// What the limits allow for one move.
    pub fn of(limits: &Limits, plan: &TimePlan) -> MoveTime {
        let ms = Duration::from_millis;
        let least = Duration::from_micros(500);
        let kept = |time: Duration| time - (time / 20).clamp(least, plan.reserve).min(time);
        let fixed = limits.move_time.map(kept);
        let Some(clock) = limits.clock else { return MoveTime { soft: None, hard: fixed } };
        let left = clock.left.saturating_sub(ms(30).min(clock.left / 4));
        let share = (left / plan.moves_to_go + clock.increment * 3 / 4).min(left / 2);
        let longest = (share * plan.stretch).min(left / 2);
        MoveTime { soft: Some(share), hard: Some(fixed.map_or(longest, |fixed| fixed.min(longest))) }
    }

    /// May the search end if its answer is settled?
    #[inline]
    pub fn is_enough(&self, watch: &Watch) -> bool {
        self.soft.is_some_and(|soft| watch.elapsed() >= soft)
    }

    /// Must it end, by time or because somebody stopped it?
    #[inline]
    pub fn is_over(&self, watch: &Watch) -> bool {
        watch.is_stopped() || self.hard.is_some_and(|hard| watch.elapsed() >= hard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clock;

    #[test]
    fn times_stay_within_the_limits() {
        let ms = Duration::from_millis;
        for (moves_to_go, stretch, reserve) in [(25, 3, ms(15)), (6, 2, ms(10)), (30, 2, ms(10))] {
            let plan = TimePlan { moves_to_go, stretch, reserve };
            for millis in [0, 1, 5, 30, 100, 1000, 60_000] {
                let time = ms(millis);
                let fixed = MoveTime::of(&Limits::time(time), &plan);
                assert!(fixed.soft.is_none() && fixed.hard.is_some_and(|hard| hard <= time));
                let clock = Some(Clock { left: time, increment: ms(10) });
                let timed = MoveTime::of(&Limits { clock, ..Limits::default() }, &plan);
                assert!(timed.hard.is_some_and(|hard| hard <= time), "{millis} {timed:?}");
                assert!(timed.soft <= timed.hard || millis == 0);
                let both = MoveTime::of(&Limits { clock, ..Limits::time(time / 2) }, &plan);
                assert!(both.hard.is_some_and(|hard| hard <= time / 2) && both.hard <= timed.hard);
            }
        }
        let plan = TimePlan { moves_to_go: 1, stretch: 1, reserve: ms(1) };
        assert_eq!(MoveTime::of(&Limits::nodes(7), &plan), MoveTime::default());
    }
}
