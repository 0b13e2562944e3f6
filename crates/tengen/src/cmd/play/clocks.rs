//! The game clock: time left for each seat, with an increment after every move.

use game::{Clock, Seat};
use std::time::Duration;

/// What `--clock MIN+INC` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeControl {
    /// Time for the game.
    pub(crate) base: Duration,
    /// Added after each move.
    pub(crate) increment: Duration,
}

impl TimeControl {
    /// Reads minutes, or `MINUTES+SECONDS`.
    pub(crate) fn parse(text: &str) -> Result<TimeControl, String> {
        let bad =
            || format!("'{text}' is not a clock; accepted: MINUTES or MINUTES+SECONDS, such as 10 or 5+3");
        let number = |word: &str| word.trim().parse::<f64>().map_err(|_| bad());
        let (minutes, seconds) = match text.split_once('+') {
            Some((minutes, seconds)) => (number(minutes)?, number(seconds)?),
            None => (number(text)?, 0.0),
        };
        let span = |seconds: f64| Duration::try_from_secs_f64(seconds).map_err(|_| bad());
        let control = TimeControl { base: span(minutes * 60.0)?, increment: span(seconds)? };
        let day = Duration::from_secs(24 * 3600);
        if control.base.is_zero() || control.base > day || control.increment > day {
            return Err(bad());
        }
        Ok(control)
    }
}

/// Both players' time left, as it was when the present turn began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clocks {
    left: [Duration; 2],
    increment: Duration,
}

impl Clocks {
    /// Full clocks.
    pub(crate) fn new(control: TimeControl) -> Clocks {
        Clocks { left: [control.base; 2], increment: control.increment }
    }

    /// Time left for a seat that has spent `spent` of its present turn.
    pub(crate) fn left(&self, seat: Seat, spent: Duration) -> Duration {
        self.left[seat.index()].saturating_sub(spent)
    }

    /// Ends a turn; `false` if the time was over before it.
    pub(crate) fn charge(&mut self, seat: Seat, spent: Duration) -> bool {
        let left = &mut self.left[seat.index()];
        let in_time = spent < *left;
        *left = left.saturating_sub(spent) + if in_time { self.increment } else { Duration::ZERO };
        in_time
    }

    /// Takes time off without ending the turn.
    pub(crate) fn spend(&mut self, seat: Seat, spent: Duration) {
        self.left[seat.index()] = self.left(seat, spent);
    }

    /// The clock as an engine is told it.
    pub(crate) fn for_engine(&self, seat: Seat) -> Clock {
        Clock { left: self.left[seat.index()], increment: self.increment }
    }
}

/// `4:59`, `1:02:03`, and tenths in the last twenty seconds.
pub(crate) fn show(left: Duration) -> String {
    if left < Duration::from_secs(20) {
        return format!("0:{:04.1}", (left.as_secs_f64() * 10.0).floor() / 10.0);
    }
    let seconds = left.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_minutes_and_increment() {
        let control = TimeControl::parse("5+3").unwrap();
        assert_eq!((control.base.as_secs(), control.increment.as_secs()), (300, 3));
        assert_eq!(TimeControl::parse("0.5").unwrap().base.as_secs(), 30);
        for bad in ["", "+", "x", "5+", "-1", "0", "1e99", "nan", "5+3+1", "2000"] {
            assert!(TimeControl::parse(bad).unwrap_err().contains("accepted"), "{bad}");
        }
    }

    #[test]
    fn a_turn_costs_time_and_earns_the_increment() {
        let second = Duration::from_secs(1);
        let mut clocks = Clocks::new(TimeControl { base: 10 * second, increment: 2 * second });
        assert!(clocks.charge(Seat::First, 4 * second));
        assert_eq!(clocks.left(Seat::First, Duration::ZERO), 8 * second);
        assert_eq!(clocks.left(Seat::Second, 3 * second), 7 * second);
        assert!(!clocks.charge(Seat::First, 8 * second));
        assert_eq!(clocks.left(Seat::First, Duration::ZERO), Duration::ZERO);
    }

    #[test]
    fn shows_hours_minutes_and_tenths() {
        let shown = |seconds: f64| show(Duration::from_secs_f64(seconds));
        assert_eq!(shown(3723.0), "1:02:03");
        assert_eq!(shown(299.9), "4:59");
        assert_eq!(shown(9.97), "0:09.9");
        assert_eq!(shown(0.0), "0:00.0");
    }
}
