//! Chess clocks: what is left, and since when one of them runs.

use crate::shape::ClockRule;
use game::Seat;
use std::time::{Duration, Instant};

/// Both clocks of a game. They start with the game's first move.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    left_ms: [i64; 2],
    increment_ms: i64,
    running: Option<(Seat, Instant)>,
}

impl Clocks {
    pub(super) fn new(rule: ClockRule) -> Clocks {
        let initial = rule.initial_ms as i64;
        Clocks { left_ms: [initial; 2], increment_ms: rule.increment_ms as i64, running: None }
    }

    /// What both show now.
    pub(super) fn show(&self, now: Instant) -> [i64; 2] {
        let mut left = self.left_ms;
        if let Some((seat, since)) = self.running {
            left[seat.index()] -= millis(now.saturating_duration_since(since));
        }
        left.map(|ms| ms.max(0))
    }

    /// Whose clock runs.
    pub(super) fn running(&self) -> Option<Seat> {
        self.running.map(|(seat, _)| seat)
    }

    /// When the running clock will reach zero.
    pub(super) fn falls(&self) -> Option<Instant> {
        let (seat, since) = self.running?;
        Some(since + Duration::from_millis(self.left_ms[seat.index()].max(0) as u64))
    }

    /// Has the running clock reached zero?
    pub(super) fn fallen(&self, now: Instant) -> Option<Seat> {
        self.falls().filter(|falls| now >= *falls).and(self.running())
    }

    /// What both will show once `mover` has moved now.
    pub(super) fn after_move(&self, mover: Seat, now: Instant) -> [i64; 2] {
        let mut left = self.show(now);
        if self.running.is_some() {
            left[mover.index()] += self.increment_ms;
        }
        left
    }

    /// Sets both, and starts one of them (or none).
    pub(super) fn set(&mut self, left_ms: [i64; 2], running: Option<Seat>, now: Instant) {
        self.left_ms = left_ms;
        self.running = running.map(|seat| (seat, now));
    }

    /// Takes away time that passed before this process began.
    pub(super) fn charge(&mut self, ms: i64) {
        if let Some((seat, _)) = self.running {
            self.left_ms[seat.index()] -= ms.max(0);
        }
    }

    /// Time left and increment for a player, as an engine wants to know it.
    pub(super) fn for_engine(&self, seat: Seat, now: Instant) -> game::Clock {
        game::Clock {
            left: Duration::from_millis(self.show(now)[seat.index()] as u64),
            increment: Duration::from_millis(self.increment_ms.max(0) as u64),
        }
    }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_for_one_and_the_increment_comes_with_the_move() {
        let now = Instant::now();
        let mut clocks = Clocks::new(ClockRule { initial_ms: 10_000, increment_ms: 500 });
        assert_eq!(clocks.after_move(Seat::First, now), [10_000, 10_000], "the first move is free");
        clocks.set([10_000, 10_000], Some(Seat::Second), now);
        let later = now + Duration::from_secs(3);
        assert_eq!(clocks.show(later), [10_000, 7_000]);
        assert_eq!(clocks.after_move(Seat::Second, later), [10_000, 7_500]);
        assert_eq!(clocks.fallen(later), None);
        assert_eq!(clocks.fallen(now + Duration::from_secs(10)), Some(Seat::Second));
        clocks.charge(4_000);
        assert_eq!(clocks.show(later), [10_000, 3_000]);
    }
}
