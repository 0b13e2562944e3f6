//! Converts a client's time settings to the limits of one search.
//!
//! The client's clock also counts the pipes, the scheduler and the engine's last node. So an engine is given
//! a little less time than the client grants, and is stopped from outside before that time is up.

use game::{Clock, Limits};
use play::SeatClock;
use std::time::Duration;

/// The time for one move, where the time for the rest of the game is not known to be shorter: a tenth of
/// what is left, so that an engine that knows no clocks still plays many moves.
const SHARE_OF_CLOCK: u32 = 10;

/// The least time a search is given: "as fast as possible" still has to find a legal move.
const MIN_TIME: Duration = Duration::from_millis(2);

/// The time settings in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientTime {
    /// For each move; `None` is without limit, zero is as fast as possible.
    pub turn: Option<Duration>,
    /// What is left for the whole game; `None` is without limit.
    pub left: Option<Duration>,
    /// Added to `left` after each move.
    pub increment: Duration,
}

impl ClientTime {
    /// Writes the times into `limits` and returns when the search must be stopped from outside.
    pub fn apply(&self, limits: &mut Limits) -> Option<Duration> {
        limits.clock = self.left.map(|left| Clock { left, increment: self.increment });
        let share = self.left.map(|left| left / SHARE_OF_CLOCK + self.increment.min(left));
        let whole = match (self.turn, share) {
            (Some(turn), Some(share)) => turn.min(share),
            (Some(turn), None) => turn,
            (None, Some(share)) => share,
            (None, None) => return None,
        };
        let target = whole.saturating_sub(margin(whole)).max(MIN_TIME);
        limits.move_time = Some(limits.move_time.map_or(target, |asked| asked.min(target)));
        Some(target + margin(whole) / 4)
    }

    /// Subtracts the time of a move from the clock; there is no increment once it is used up.
    pub fn spend(&mut self, elapsed: Duration) {
        self.left = self.left.and_then(|left| {
            let mut clock = SeatClock::new(play::TimeControl::per_game(left, self.increment));
            clock.spend(elapsed);
            clock.left()
        });
    }
}

/// The safety margin: 15 ms and 2 % of the turn, but at most 150 ms and never more than half.
fn margin(turn: Duration) -> Duration {
    (Duration::from_millis(15) + turn / 50).min(Duration::from_millis(150)).min(turn / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn limits(turn: Option<u32>, left: Option<u32>) -> (Limits, Option<Duration>) {
        let mut limits = Limits::default();
        let control =
            ClientTime { turn: turn.map(|t| t * MS), left: left.map(|t| t * MS), increment: Duration::ZERO };
        let deadline = control.apply(&mut limits);
        (limits, deadline)
    }

    #[test]
    fn no_time_is_no_limit() {
        let (limits, deadline) = limits(None, None);
        assert_eq!((limits.move_time, limits.clock.is_none(), deadline), (None, true, None));
    }

    #[test]
    fn zero_is_as_fast_as_possible() {
        let (limits, deadline) = limits(Some(0), None);
        assert_eq!(limits.move_time, Some(MIN_TIME));
        assert!(deadline.unwrap() <= 5 * MS);
    }

    #[test]
    fn every_deadline_is_before_the_time_is_out() {
        for turn in [20, 50, 100, 500, 1000, 5000, 30_000, 600_000] {
            let (limits, deadline) = limits(Some(turn), None);
            let (target, deadline) = (limits.move_time.unwrap(), deadline.unwrap());
            assert!(target < deadline && deadline < turn * MS, "{turn}: {target:?} {deadline:?}");
            assert!(target >= turn * MS / 2);
        }
    }

    #[test]
    fn a_short_clock_shortens_the_turn() {
        let (limits, deadline) = limits(Some(5000), Some(1000));
        assert!(deadline.unwrap() <= 100 * MS);
        assert_eq!(limits.clock.map(|clock| clock.left), Some(1000 * MS));
    }

    #[test]
    fn the_clock_runs_down_and_never_below_zero() {
        let mut control = ClientTime { turn: None, left: Some(100 * MS), increment: 10 * MS };
        control.spend(60 * MS);
        assert_eq!(control.left, Some(50 * MS));
        control.spend(600 * MS);
        assert_eq!(control.left, Some(Duration::ZERO), "no increment after the flag has fallen");
    }
}
