//! Engines of live games, kept between moves so that tree and table go on where the last search ended.
//!
//! [`SeatEngines`] belongs to the task of one game and lends its engines to the pool's threads; with the task the engines
//! go. [`KeptEngines`] is the server's list of all engines at rest: beyond its limit the one longest not used is
//! dropped, and its game makes a new one at its next turn. Engines at work are bounded by the pool.

use game::{Engine, Seat};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How long a search waits for the engine that an earlier search, already told to stop, is giving back.
const PATIENCE: Duration = Duration::from_millis(500);

enum Place {
    Empty,
    Kept(Box<dyn Engine>),
    /// At work.
    Lent,
}

/// The engines of one game, by seat.
pub(super) struct SeatEngines {
    places: Mutex<[Place; 2]>,
    returned: Condvar,
    all: Arc<KeptEngines>,
}

impl SeatEngines {
    pub(super) fn new(all: &Arc<KeptEngines>) -> Arc<SeatEngines> {
        let places = Mutex::new([Place::Empty, Place::Empty]);
        Arc::new(SeatEngines { places, returned: Condvar::new(), all: all.clone() })
    }

    fn places(&self) -> MutexGuard<'_, [Place; 2]> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the engine of a seat out, if there is one. It comes back by [`Loan::keep`].
    pub(super) fn borrow(self: &Arc<Self>, seat: Seat) -> (Loan, Option<Box<dyn Engine>>) {
        let until = Instant::now() + PATIENCE;
        let mut places = self.places();
        while matches!(places[seat.index()], Place::Lent) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            places = self.returned.wait_timeout(places, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        let engine = match std::mem::replace(&mut places[seat.index()], Place::Lent) {
            Place::Kept(engine) => Some(engine),
            Place::Empty | Place::Lent => None,
        };
        drop(places);
        self.all.remove(self, seat);
        (Loan { seats: Arc::downgrade(self), seat }, engine)
    }

    /// Drops the engines at rest, such as when the game is over.
    pub(super) fn clear(self: &Arc<Self>) {
        for seat in [Seat::First, Seat::Second] {
            self.all.remove(self, seat);
            drop(self.take(seat));
        }
    }

    /// The engine of a seat, if it is at rest.
    fn take(&self, seat: Seat) -> Option<Box<dyn Engine>> {
        let place = &mut self.places()[seat.index()];
        match std::mem::replace(place, Place::Empty) {
            Place::Kept(engine) => Some(engine),
            other => {
                *place = other;
                None
            }
        }
    }

    fn give_back(&self, seat: Seat, place: Place) {
        let before = std::mem::replace(&mut self.places()[seat.index()], place);
        self.returned.notify_all();
        drop(before);
    }
}

/// An engine that is at work. Dropped without [`Loan::keep`] (the engine failed), the seat has none any more.
pub(super) struct Loan {
    seats: Weak<SeatEngines>,
    seat: Seat,
}

impl Loan {
    /// Gives the engine back for the next move, unless the game is gone.
    pub(super) fn keep(self, engine: Box<dyn Engine>) {
        if let Some(seats) = self.seats.upgrade() {
            seats.give_back(self.seat, Place::Kept(engine));
            seats.all.add(&seats, self.seat);
        }
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        let Some(seats) = self.seats.upgrade() else { return };
        if matches!(seats.places()[self.seat.index()], Place::Lent) {
            seats.give_back(self.seat, Place::Empty);
        }
    }
}

/// All engines at rest, the one longest not used first.
pub(crate) struct KeptEngines {
    most: usize,
    resting: Mutex<VecDeque<(Weak<SeatEngines>, Seat)>>,
}

impl KeptEngines {
    pub(crate) fn new(most: usize) -> KeptEngines {
        KeptEngines { most, resting: Mutex::default() }
    }

    fn resting(&self) -> MutexGuard<'_, VecDeque<(Weak<SeatEngines>, Seat)>> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remove(&self, seats: &Arc<SeatEngines>, seat: Seat) {
        self.resting().retain(|(own, place)| own.as_ptr() != Arc::as_ptr(seats) || *place != seat);
    }

    fn add(&self, seats: &Arc<SeatEngines>, seat: Seat) {
        let mut resting = self.resting();
        resting.retain(|(own, place)| {
            own.strong_count() > 0 && (own.as_ptr() != Arc::as_ptr(seats) || *place != seat)
        });
        resting.push_back((Arc::downgrade(seats), seat));
        let surplus = resting.len().saturating_sub(self.most);
        let dropped: Vec<_> = resting.drain(..surplus).collect();
        drop(resting);
        for (seats, seat) in dropped {
            // Without the lock: ending a process takes a while.
            drop(seats.upgrade().and_then(|seats| seats.take(seat)));
        }
    }

    /// How many are kept.
    pub(crate) fn count(&self) -> usize {
        self.resting().iter().filter(|(seats, _)| seats.strong_count() > 0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Decision, EngineError, Limits, Position, Report, Watch};

    /// An engine whose end is noticed.
    struct Noted(#[expect(dead_code, reason = "only counted")] Arc<()>);

    impl Engine for Noted {
        fn name(&self) -> &str {
            "noted"
        }

        fn think(
            &mut self,
            _: &dyn Position,
            _: &Limits,
            _: &Watch,
            _: &mut dyn FnMut(&Report),
        ) -> Result<Decision, EngineError> {
            Err(EngineError::NoMove("it never thinks".into()))
        }
    }

    fn use_once(seats: &Arc<SeatEngines>, seat: Seat, references: &Arc<()>) -> bool {
        let (loan, engine) = seats.borrow(seat);
        let kept = engine.is_some();
        loan.keep(engine.unwrap_or_else(|| Box::new(Noted(references.clone()))));
        kept
    }

    #[test]
    fn an_engine_is_kept_for_its_seat_until_the_game_leaves() {
        let all = Arc::new(KeptEngines::new(10));
        let (seats, references) = (SeatEngines::new(&all), Arc::new(()));
        assert!(!use_once(&seats, Seat::First, &references));
        assert!(use_once(&seats, Seat::First, &references));
        assert!(!use_once(&seats, Seat::Second, &references), "each seat has its own");
        assert_eq!((Arc::strong_count(&references), all.count()), (3, 2));
        drop(seats);
        assert_eq!((Arc::strong_count(&references), all.count()), (1, 0));
    }

    #[test]
    fn the_engine_longest_not_used_goes_first() {
        let all = Arc::new(KeptEngines::new(2));
        let references = Arc::new(());
        let games: Vec<_> = (0..3).map(|_| SeatEngines::new(&all)).collect();
        for at in [0, 1, 0, 2] {
            use_once(&games[at], Seat::First, &references);
        }
        assert_eq!((Arc::strong_count(&references), all.count()), (3, 2));
        assert!(use_once(&games[0], Seat::First, &references));
        assert!(!use_once(&games[1], Seat::First, &references), "dropped");
    }

    #[test]
    fn a_failed_engine_is_not_kept_and_one_of_a_game_that_left_is_dropped() {
        let all = Arc::new(KeptEngines::new(2));
        let (seats, references) = (SeatEngines::new(&all), Arc::new(()));
        use_once(&seats, Seat::First, &references);
        drop(seats.borrow(Seat::First));
        assert_eq!(Arc::strong_count(&references), 1);
        let (loan, _) = seats.borrow(Seat::First);
        drop(seats);
        loan.keep(Box::new(Noted(references.clone())));
        assert_eq!((Arc::strong_count(&references), all.count()), (1, 0));
    }

    #[test]
    fn a_search_waits_for_the_engine_that_is_being_given_back() {
        let all = Arc::new(KeptEngines::new(2));
        let (seats, references) = (SeatEngines::new(&all), Arc::new(()));
        let (loan, _) = seats.borrow(Seat::First);
        let next = std::thread::spawn({
            let seats = seats.clone();
            move || seats.borrow(Seat::First).1.is_some()
        });
        loan.keep(Box::new(Noted(references)));
        assert!(next.join().unwrap());
    }
}
