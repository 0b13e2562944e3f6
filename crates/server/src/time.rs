//! The server's own time line, in milliseconds since 1970.
//!
//! The system's clock is read once, at the start; from then on time is monotonic, so that setting the clock
//! changes no interval between two stored times. Nor does a start of the server begin before the last one was
//! alive ([`not_before`]): stored times never go backwards, and what a clock ran is a plain difference.

use play::Moment;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::{Instant, SystemTime};

static TIMELINE: Timeline = Timeline::new(system_ms);

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    moment().unix_ms
}

/// Now, by the monotonic clock and on the time line.
pub(crate) fn moment() -> Moment {
    TIMELINE.at(Instant::now())
}

/// Moves the time line so that it is past `ms`.
pub(crate) fn not_before(ms: i64) {
    TIMELINE.not_before(ms, Instant::now());
}

struct Timeline {
    system_ms: fn() -> i64,
    start: OnceLock<Moment>,
    lead_ms: AtomicI64,
}

impl Timeline {
    const fn new(system_ms: fn() -> i64) -> Timeline {
        Timeline { system_ms, start: OnceLock::new(), lead_ms: AtomicI64::new(0) }
    }

    fn at(&self, instant: Instant) -> Moment {
        let start = self.start.get_or_init(|| Moment { instant, unix_ms: (self.system_ms)() });
        let lead_ms = self.lead_ms.load(Relaxed);
        Moment { unix_ms: start.unix_ms + lead_ms, ..*start }.at(instant)
    }

    fn not_before(&self, ms: i64, instant: Instant) {
        self.lead_ms.fetch_add((ms + 1 - self.at(instant).unix_ms).max(0), Relaxed);
    }
}

fn system_ms() -> i64 {
    Moment::new(Instant::now(), SystemTime::now()).unix_ms
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn setting_the_system_clock_changes_no_interval() {
        static SYSTEM: AtomicI64 = AtomicI64::new(1_000_000);
        let (timeline, now) = (Timeline::new(|| SYSTEM.load(Relaxed)), Instant::now());
        assert_eq!(timeline.at(now).unix_ms, 1_000_000);
        SYSTEM.fetch_add(300_000, Relaxed);
        assert_eq!(timeline.at(now + Duration::from_secs(2)).unix_ms, 1_002_000);
        SYSTEM.fetch_sub(900_000, Relaxed);
        assert_eq!(timeline.at(now + Duration::from_secs(3)).unix_ms, 1_003_000);
    }

    #[test]
    fn a_start_never_begins_before_the_last_one_was_alive() {
        let (timeline, now) = (Timeline::new(|| 5_000), Instant::now());
        timeline.not_before(4_000, now);
        assert_eq!(timeline.at(now).unix_ms, 5_000);
        timeline.not_before(9_000, now);
        assert_eq!(timeline.at(now).unix_ms, 9_001);
    }
}
