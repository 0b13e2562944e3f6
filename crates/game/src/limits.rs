//! How long an engine may think, and how it is stopped.

use crate::{Level, Move};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
// The clock of `std` panics in a browser; elsewhere this is the same type.
use web_time::Instant;

/// Moves that a game is expected to last, whatever its clock shows.
const MOVES_TO_GO: u32 = 30;

/// What a search may spend. `None` means that this resource does not limit it; a search with no limit at
/// all runs until it is stopped or has proved its answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time for this move.
    pub move_time: Option<Duration>,
    /// Time for the rest of the game.
    pub clock: Option<Clock>,
    /// Nodes (or playouts) for this move.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Worker threads, at least 1. Only one thread gives repeatable answers.
    pub threads: usize,
    /// Memory for hash tables and trees, in MiB.
    pub memory_mb: usize,
    /// Seed of everything random.
    pub seed: u64,
    /// Playing strength.
    pub level: Level,
    /// How many principal lines to report, at least 1.
    pub lines: usize,
    /// Root moves to search; empty means all.
    pub only: Vec<Move>,
    /// Root moves to leave out.
    pub exclude: Vec<Move>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            move_time: None,
            clock: None,
            nodes: None,
            depth: None,
            threads: 1,
            memory_mb: 128,
            seed: 1,
            level: Level::MAX,
            lines: 1,
            only: Vec::new(),
            exclude: Vec::new(),
        }
    }
}

impl Limits {
    /// Limits with only a time for this move.
    pub fn time(move_time: Duration) -> Limits {
        Limits { move_time: Some(move_time), ..Limits::default() }
    }

    /// Limits with only a number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Limits with only a depth.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A plain share of the time there is: that for the move, and no more of the game's than would last for a
    /// whole game; `None` where no clock runs.
    pub fn time_share(&self) -> Option<Duration> {
        let share = self.clock.map(|clock| {
            let spare = clock.left.saturating_sub(Duration::from_millis(20).min(clock.left / 4));
            spare.min(clock.left / MOVES_TO_GO + clock.increment)
        });
        [self.move_time, share].into_iter().flatten().min()
    }

    /// May this root move be searched?
    pub fn allows(&self, mv: Move) -> bool {
        (self.only.is_empty() || self.only.contains(&mv)) && !self.exclude.contains(&mv)
    }
}

/// Time left on a player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// Time for all moves still to come.
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// A switch that stops a search from another thread.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A switch that is off.
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    /// Tells the search to stop; it answers within 20 ms.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Makes the switch usable for the next search.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Has somebody asked to stop?
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The only clock an engine reads: when the search started, and whether to stop.
#[derive(Clone, Debug)]
pub struct Watch {
    /// `None` stands at zero.
    started: Option<Instant>,
    stop: StopFlag,
}

impl Watch {
    /// Starts the watch now.
    pub fn start(stop: StopFlag) -> Watch {
        Watch { started: Some(Instant::now()), stop }
    }

    /// A watch that stands at zero and is never stopped: for searches that only nodes or depth limit.
    pub fn untimed() -> Watch {
        Watch { started: None, stop: StopFlag::new() }
    }

    /// The watch of another search: it shows zero now, and the same switch stops it.
    pub fn restarted(&self) -> Watch {
        Watch { started: self.started.map(|_| Instant::now()), stop: self.stop.clone() }
    }

    /// Time since the search started.
    #[inline]
    pub fn elapsed(&self) -> Duration {
        self.started.map_or(Duration::ZERO, |started| started.elapsed())
    }

    /// Has somebody asked to stop? Cheap: read it at every node.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// The switch itself, for worker threads.
    pub fn stop_flag(&self) -> &StopFlag {
        &self.stop
    }
}

impl Default for Watch {
    fn default() -> Watch {
        Watch::start(StopFlag::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_never_exceeds_what_is_left() {
        let second = Duration::from_secs(1);
        assert_eq!(Limits::default().time_share(), None);
        assert_eq!(Limits::time(second).time_share(), Some(second));
        for millis in [0, 1, 7, 50, 1_000, 60_000] {
            let left = Duration::from_millis(millis);
            let clock = Some(Clock { left, increment: second });
            let share = Limits { clock, ..Limits::time(second) }.time_share();
            assert!(share.is_some_and(|share| share <= left && share <= second), "{millis} {share:?}");
        }
        let clock = Some(Clock { left: 60 * second, increment: Duration::ZERO });
        assert_eq!(Limits { clock, ..Limits::default() }.time_share(), Some(2 * second));
    }

    #[test]
    fn a_restarted_watch_begins_at_zero_and_stops_with_the_first() {
        let watch = Watch::default();
        std::thread::sleep(Duration::from_millis(5));
        let before = watch.elapsed();
        let again = watch.restarted();
        assert!(again.elapsed() < watch.elapsed() && before <= watch.elapsed());
        watch.stop_flag().stop();
        assert!(again.is_stopped());
    }

    #[test]
    fn an_untimed_watch_stands_at_zero() {
        let watch = Watch::untimed();
        std::thread::sleep(Duration::from_millis(1));
        assert_eq!((watch.elapsed(), watch.restarted().elapsed()), (Duration::ZERO, Duration::ZERO));
        assert!(!watch.is_stopped());
    }
}
