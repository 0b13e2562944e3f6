//! Time controls and chess clocks.

use game::{Clock, Limits, Seat};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use std::time::Duration;
use web_time::Instant;

/// What a player may spend on a move and on a game. The default, for matches between programs, limits nothing
/// and has a margin for pipes and schedulers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Time for the game, and what each move adds, without a margin: a chess clock.
    pub fn per_game(time: Duration, increment: Duration) -> TimeControl {
        TimeControl { per_game: Some(time), increment, margin: Duration::ZERO, ..TimeControl::default() }
    }

    /// A fixed time for each move.
    pub fn per_move(time: Duration) -> TimeControl {
        TimeControl { per_move: Some(time), ..TimeControl::default() }
    }

    /// A fixed number of nodes for each move.
    pub fn nodes(nodes: u64) -> TimeControl {
        TimeControl { nodes: Some(nodes), ..TimeControl::default() }
    }
}

/// A text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a clock; accepted: MINUTES or MINUTES+SECONDS, such as 10 or 5+3")]
pub struct TimeControlError(String);

/// Reads minutes for the game, or `MINUTES+SECONDS` with an increment.
impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let bad = || TimeControlError(text.into());
        let number = |word: &str| word.trim().parse::<f64>().map_err(|_| bad());
        let (minutes, seconds) = match text.split_once('+') {
            Some((minutes, seconds)) => (number(minutes)?, number(seconds)?),
            None => (number(text)?, 0.0),
        };
        let span = |seconds: f64| Duration::try_from_secs_f64(seconds).map_err(|_| bad());
        let (base, increment) = (span(minutes * 60.0)?, span(seconds)?);
        let day = Duration::from_secs(24 * 3600);
        if base.is_zero() || base > day || increment > day {
            return Err(bad());
        }
        Ok(TimeControl::per_game(base, increment))
    }
}

/// One player's clock, charged move by move.
///
/// The flag falls when a move has taken all the time there was, margin included. A move that comes after
/// that earns no increment: a fallen flag stays fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatClock {
    control: TimeControl,
    left: Option<Duration>,
}

impl SeatClock {
    /// A full clock.
    pub fn new(control: TimeControl) -> SeatClock {
        SeatClock { control, left: control.per_game }
    }

    /// Time left for the game, where it is limited.
    pub fn left(&self) -> Option<Duration> {
        self.left
    }

    /// The time for the next move, where a clock limits it.
    pub fn allowance(&self) -> Option<Duration> {
        [self.control.per_move, self.left].into_iter().flatten().min()
    }

    /// How long the next move may take, margin included.
    pub fn limit(&self) -> Option<Duration> {
        self.allowance().map(|time| time.saturating_add(self.control.margin))
    }

    /// Charges a move. False if the flag had fallen before it; there is no increment then.
    pub fn spend(&mut self, time: Duration) -> bool {
        let in_time = self.limit().is_none_or(|limit| time < limit);
        if let Some(left) = &mut self.left {
            let increment = if in_time { self.control.increment } else { Duration::ZERO };
            *left = left.saturating_sub(time) + increment;
        }
        in_time
    }

    /// How long to wait for the next move: its limit, or the control's patience where no clock limits it.
    pub fn wait(&self) -> Duration {
        self.limit().unwrap_or(self.control.patience)
    }

    /// Writes what the next search may spend into its limits.
    pub fn fill(&self, limits: &mut Limits) {
        limits.move_time = self.control.per_move;
        limits.clock = self.left.map(|left| Clock { left, increment: self.control.increment });
        limits.nodes = self.control.nodes;
        limits.depth = self.control.depth;
    }
}

/// Both clocks of a [`Session`](crate::Session), of which at most one runs. They count whole milliseconds, as
/// events store them; the fraction of a millisecond that a move took is not charged.
#[derive(Clone, Debug, PartialEq)]
pub struct Clocks {
    seats: [SeatClock; 2],
    running: Option<(Seat, Instant)>,
}

impl Clocks {
    /// Full clocks that stand.
    pub fn new(controls: [TimeControl; 2]) -> Clocks {
        Clocks { seats: controls.map(SeatClock::new), running: None }
    }

    /// A player's clock as it was when it last stood.
    pub fn seat(&self, seat: Seat) -> &SeatClock {
        &self.seats[seat.index()]
    }

    /// What both showed at the start, in milliseconds.
    pub(crate) fn initial_ms(&self) -> [i64; 2] {
        self.seats.map(|clock| millis(clock.control.per_game.unwrap_or_default()))
    }

    /// What both show, in milliseconds.
    pub fn left_ms(&self, now: Instant) -> [i64; 2] {
        [Seat::First, Seat::Second].map(|seat| millis(self.left(seat, now)))
    }

    /// What a player's clock shows.
    pub fn left(&self, seat: Seat, now: Instant) -> Duration {
        self.seats[seat.index()].left.unwrap_or_default().saturating_sub(self.elapsed(seat, now))
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Seat> {
        self.running.map(|(seat, _)| seat)
    }

    /// When the running clock reaches zero.
    pub fn falls(&self) -> Option<Instant> {
        let (seat, since) = self.running?;
        since.checked_add(self.seats[seat.index()].limit()?)
    }

    /// The player whose flag has fallen.
    pub fn fallen(&self, now: Instant) -> Option<Seat> {
        self.falls().filter(|falls| now >= *falls).and(self.running())
    }

    /// What both will show once `mover` has moved now. A clock that stands is not charged and earns nothing.
    pub(crate) fn after_move(&self, mover: Seat, now: Instant) -> [i64; 2] {
        let mut seats = self.seats;
        if self.running() == Some(mover) {
            seats[mover.index()].spend(self.elapsed(mover, now));
        }
        seats.map(|clock| millis(clock.left.unwrap_or_default().saturating_add(ALMOST_A_MILLISECOND)))
    }

    /// Sets both, and starts one of them (or none).
    pub(crate) fn set(&mut self, left_ms: [i64; 2], running: Option<Seat>, now: Instant) {
        for (clock, ms) in self.seats.iter_mut().zip(left_ms) {
            clock.left = clock.left.map(|_| Duration::from_millis(ms.max(0) as u64));
        }
        self.running = running.map(|seat| (seat, now));
    }

    /// Time left and increment for a player, as an engine is told it.
    pub fn for_engine(&self, seat: Seat, now: Instant) -> Clock {
        Clock { left: self.left(seat, now), increment: self.seats[seat.index()].control.increment }
    }

    fn elapsed(&self, seat: Seat, now: Instant) -> Duration {
        match self.running {
            Some((running, since)) if running == seat => now.saturating_duration_since(since),
            _ => Duration::ZERO,
        }
    }
}

/// Added before rounding down, to round up.
const ALMOST_A_MILLISECOND: Duration = Duration::from_nanos(999_999);

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const S: Duration = Duration::from_secs(1);

    #[test]
    fn reads_minutes_and_increment() {
        assert_eq!("5+3".parse(), Ok(TimeControl::per_game(300 * S, 3 * S)));
        assert_eq!("0.5".parse(), Ok(TimeControl::per_game(30 * S, Duration::ZERO)));
        for bad in ["", "+", "x", "5+", "-1", "0", "1e99", "nan", "5+3+1", "2000"] {
            assert!(bad.parse::<TimeControl>().unwrap_err().to_string().contains("accepted"), "{bad}");
        }
    }

    #[test]
    fn a_move_costs_time_and_earns_the_increment() {
        let mut clock = SeatClock::new(TimeControl { margin: S / 10, ..TimeControl::per_game(10 * S, S) });
        assert!(clock.spend(4 * S));
        assert_eq!(clock.left(), Some(7 * S));
        assert!(clock.spend(7 * S + S / 20), "within the margin");
        assert_eq!(clock.left(), Some(S));
    }

    #[test]
    fn a_fallen_flag_earns_no_increment() {
        let mut clock = SeatClock::new(TimeControl::per_game(10 * S, 5 * S));
        assert!(!clock.spend(10 * S), "a clock at zero has fallen");
        assert_eq!(clock.left(), Some(Duration::ZERO));

        let now = Instant::now();
        let mut clocks = Clocks::new([TimeControl::per_game(10 * S, 5 * S); 2]);
        clocks.set([10_000, 10_000], Some(Seat::Second), now);
        assert_eq!(clocks.after_move(Seat::Second, now + 9 * S), [10_000, 6_000]);
        assert_eq!(clocks.after_move(Seat::Second, now + 10 * S), [10_000, 0]);
        assert_eq!(clocks.fallen(now + 9 * S), None);
        assert_eq!(clocks.fallen(now + 10 * S), Some(Seat::Second));
    }

    #[test]
    fn the_tighter_limit_counts() {
        let control = TimeControl { per_move: Some(2 * S), ..TimeControl::per_game(3 * S, Duration::ZERO) };
        let mut clock = SeatClock::new(control);
        assert_eq!(clock.allowance(), Some(2 * S));
        assert!(clock.spend(2 * S - S / 100));
        assert_eq!(clock.allowance(), Some(S + S / 100));
    }

    proptest! {
        /// Time left and used add up to what was given, and a clock that has fallen shows zero.
        #[test]
        fn time_is_neither_lost_nor_made(base in 1u64..100_000, increment in 0u64..5_000,
                                         moves in prop::collection::vec(0u64..20_000, 0..30)) {
            let ms = Duration::from_millis;
            let mut clock = SeatClock::new(TimeControl::per_game(ms(base), ms(increment)));
            let (mut given, mut used) = (ms(base), Duration::ZERO);
            for spent in moves.into_iter().map(ms) {
                if !clock.spend(spent) {
                    prop_assert_eq!(clock.left(), Some(Duration::ZERO));
                    break;
                }
                (given, used) = (given + ms(increment), used + spent);
                prop_assert_eq!(clock.left().unwrap() + used, given);
            }
        }
    }
}
