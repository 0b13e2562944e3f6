//! Time controls and running clocks.

use game::{Clock, Limits};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// What each player may spend.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Time for one move.
    pub per_move: Option<Duration>,
    /// Time for all moves of a game.
    pub per_game: Option<Duration>,
    /// Added to the game's time after each move.
    pub increment: Duration,
    /// Nodes for one move.
    pub nodes: Option<u64>,
    /// Depth for one move.
    pub depth: Option<u32>,
    /// How much later than its limit an answer still counts.
    pub margin: Duration,
    /// How long a player may be silent where no clock limits it: at the start of a game, and with only
    /// node or depth limits.
    pub patience: Duration,
}

impl Default for TimeControl {
    fn default() -> TimeControl {
        TimeControl {
            per_move: None,
            per_game: None,
            increment: Duration::ZERO,
            nodes: None,
            depth: None,
            margin: Duration::from_millis(100),
            patience: Duration::from_secs(60),
        }
    }
}

impl TimeControl {
    /// A fixed time for each move.
    pub fn per_move(time: Duration) -> TimeControl {
        TimeControl { per_move: Some(time), ..TimeControl::default() }
    }

    /// A fixed number of nodes for each move.
    pub fn nodes(nodes: u64) -> TimeControl {
        TimeControl { nodes: Some(nodes), ..TimeControl::default() }
    }
}

/// One player's clock during a game.
#[derive(Clone, Debug)]
pub struct RunningClock {
    control: TimeControl,
    left: Option<Duration>,
    used: Duration,
}

impl RunningClock {
    /// A full clock.
    pub fn new(control: TimeControl) -> RunningClock {
        RunningClock { control, left: control.per_game, used: Duration::ZERO }
    }

    /// The time for the next move, where a clock limits it.
    pub fn allowance(&self) -> Option<Duration> {
        match (self.control.per_move, self.left) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// When the answer to a request made now must be here, margin included.
    pub fn deadline(&self, now: Instant) -> Instant {
        now + self.allowance().map_or(self.control.patience, |time| time + self.control.margin)
    }

    /// Writes what is left into the limits of the next search.
    pub fn fill(&self, limits: &mut Limits) {
        limits.move_time = self.control.per_move;
        limits.clock = self.left.map(|left| Clock { left, increment: self.control.increment });
        limits.nodes = self.control.nodes;
        limits.depth = self.control.depth;
    }

    /// Books the time of a move. False once the time is overstepped by more than the margin.
    pub fn spend(&mut self, time: Duration) -> bool {
        self.used += time;
        let in_time = self.allowance().is_none_or(|allowed| time <= allowed + self.control.margin);
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(time) + self.control.increment;
        }
        in_time
    }

    /// Time left for the game, where it is limited.
    pub fn left(&self) -> Option<Duration> {
        self.left
    }

    /// Time used so far.
    pub fn used(&self) -> Duration {
        self.used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Duration = Duration::from_secs(1);

    #[test]
    fn game_time_runs_down_and_the_increment_comes_back() {
        let control = TimeControl { per_game: Some(10 * S), increment: S, ..TimeControl::default() };
        let mut clock = RunningClock::new(control);
        assert!(clock.spend(4 * S));
        assert_eq!(clock.left(), Some(7 * S));
        assert!(clock.spend(7 * S + control.margin));
        assert_eq!(clock.left(), Some(S));
        assert!(!clock.spend(S + 2 * control.margin));
        assert_eq!(clock.used(), 12 * S + 3 * control.margin);
    }

    #[test]
    fn the_tighter_limit_counts() {
        let control = TimeControl { per_move: Some(2 * S), per_game: Some(3 * S), ..TimeControl::default() };
        let mut clock = RunningClock::new(control);
        assert_eq!(clock.allowance(), Some(2 * S));
        assert!(clock.spend(2 * S));
        assert_eq!(clock.allowance(), Some(S));
    }
}
