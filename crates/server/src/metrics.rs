//! Counters for `/metrics`, in the text format that Prometheus reads.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Upper bounds of the acknowledgement histogram, in milliseconds.
const BOUNDS: [u64; 9] = [1, 2, 5, 10, 25, 50, 100, 250, 1000];

/// What the server counts about itself.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Answers by the first digit of their status.
    statuses: [AtomicU64; 6],
    acknowledged: [AtomicU64; BOUNDS.len() + 1],
    acknowledged_micros: AtomicU64,
    /// Events written, and the transactions they took.
    pub(crate) events: AtomicU64,
    pub(crate) transactions: AtomicU64,
    pub(crate) failed_transactions: AtomicU64,
    /// Searches begun, and those that were stopped before their limit.
    pub(crate) searches: AtomicU64,
    pub(crate) cancelled: AtomicU64,
    /// Searches that workers on other machines made.
    pub(crate) searches_on_workers: AtomicU64,
    pub(crate) live_games: AtomicU64,
    pub(crate) games_in_progress: AtomicU64,
    pub(crate) panics: AtomicU64,
}

impl Metrics {
    /// Counts an answer.
    pub(crate) fn answered(&self, status: u16) {
        if let Some(counter) = self.statuses.get(usize::from(status / 100)) {
            counter.fetch_add(1, Relaxed);
        }
    }

    /// Counts a move that is on disk, and how long that took.
    pub(crate) fn acknowledged(&self, took: Duration) {
        let millis = took.as_millis() as u64;
        let slot = BOUNDS.iter().position(|bound| millis < *bound).unwrap_or(BOUNDS.len());
        self.acknowledged[slot].fetch_add(1, Relaxed);
        self.acknowledged_micros.fetch_add(took.as_micros() as u64, Relaxed);
    }

    /// The page; `now` adds gauges that others keep.
    pub(crate) fn page(&self, now: &[(&str, &str, u64)]) -> String {
        let mut page = String::new();
        let own = [
            ("tengen_events_total", "events written", &self.events),
            ("tengen_transactions_total", "transactions they took", &self.transactions),
            (
                "tengen_transactions_failed_total",
                "transactions that failed, those tried again included",
                &self.failed_transactions,
            ),
            ("tengen_searches_total", "searches begun", &self.searches),
            ("tengen_searches_cancelled_total", "searches stopped early", &self.cancelled),
            ("tengen_searches_on_workers_total", "searches made on workers", &self.searches_on_workers),
            ("tengen_panics_total", "requests that panicked", &self.panics),
        ];
        for (name, about, counter) in own {
            let _ = writeln!(
                page,
                "# HELP {name} {about}\n# TYPE {name} counter\n{name} {}",
                counter.load(Relaxed)
            );
        }
        let live = [("tengen_live_games", "games in memory", self.live_games.load(Relaxed))];
        for (name, about, value) in live.iter().chain(now) {
            let _ = writeln!(page, "# HELP {name} {about}\n# TYPE {name} gauge\n{name} {value}");
        }
        let name = "tengen_http_responses_total";
        let _ = writeln!(page, "# HELP {name} answers by class of status\n# TYPE {name} counter");
        for (class, counter) in self.statuses.iter().enumerate().skip(1) {
            let _ = writeln!(page, "{name}{{class=\"{class}xx\"}} {}", counter.load(Relaxed));
        }
        let name = "tengen_move_ack_seconds";
        let _ = writeln!(
            page,
            "# HELP {name} from a move's arrival to its safety on disk\n# TYPE {name} histogram"
        );
        let mut total = 0;
        for (slot, counter) in self.acknowledged.iter().enumerate() {
            total += counter.load(Relaxed);
            let bound = BOUNDS.get(slot).map_or("+Inf".into(), |ms| (*ms as f64 / 1000.0).to_string());
            let _ = writeln!(page, "{name}_bucket{{le=\"{bound}\"}} {total}");
        }
        let sum = self.acknowledged_micros.load(Relaxed) as f64 / 1e6;
        let _ = writeln!(page, "{name}_sum {sum}\n{name}_count {total}");
        page
    }
}
