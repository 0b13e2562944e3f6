//! Fuzz targets: every parser and protocol loop that reads what others wrote.
//!
//! A target takes any bytes. [`Target::check`] fails by a panic of the code under test, by an invariant that does not
//! hold (what was written must be read back as the same), or by taking longer than [`allowed`]. The same targets
//! run under libFuzzer (`cargo xtask fuzz`) and on the corpus with random mutations in every test run (`tests/replay.rs`).

mod courses;
mod journals;
mod parsers;
mod protocols;
mod tables;

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Code under test.
pub struct Target {
    /// Its name, and that of its corpus in `corpus`.
    pub name: &'static str,
    run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "sgf", run: parsers::sgf },
    Target { name: "gomoku", run: parsers::gomoku },
    Target { name: "gomoku-files", run: parsers::gomoku_files },
    Target { name: "gomoku-network", run: parsers::gomoku_network },
    Target { name: "hex", run: parsers::hex },
    Target { name: "hex-files", run: parsers::hex_files },
    Target { name: "hex-network", run: parsers::hex_network },
    Target { name: "maze", run: parsers::maze },
    Target { name: "scenarios", run: parsers::scenarios },
    Target { name: "engines", run: parsers::engines },
    Target { name: "class-archive", run: courses::archive },
    Target { name: "class-students", run: courses::students },
    Target { name: "class-exams", run: courses::exams },
    Target { name: "journal", run: journals::journal },
    Target { name: "subgoal-table", run: tables::subgoals },
    Target { name: "first-move-table", run: tables::first_moves },
    Target { name: "gomocup", run: protocols::gomocup },
    Target { name: "htp", run: protocols::htp },
    Target { name: "line", run: protocols::line },
    Target { name: "botzone", run: protocols::botzone },
    Target { name: "gomocup-loop", run: protocols::gomocup_loop },
    Target { name: "htp-loop", run: protocols::htp_loop },
];

/// Runs of an input that is too slow: the quickest counts, because lazy tables are made in the first one and the
/// machine may be busy.
const RUNS: usize = 3;

impl Target {
    /// Runs the target; panics if it does, or if it takes too long.
    pub fn check(&self, data: &[u8]) {
        let allowed = allowed(data.len());
        let mut took = Duration::MAX;
        for _ in 0..RUNS {
            let started = thread_time();
            (self.run)(data);
            took = took.min(thread_time().saturating_sub(started));
            if took <= allowed {
                return;
            }
        }
        panic!("{}: {} bytes took {took:?} of CPU time; allowed: {allowed:?}", self.name, data.len());
    }
}

/// CPU time that an input of so many bytes may take: 10 ms per kB, and 50 ms for anything.
fn allowed(bytes: usize) -> Duration {
    Duration::from_millis(50).max(Duration::from_micros(10 * bytes as u64))
}

/// CPU time of this thread, which does not grow while others use the processor.
fn thread_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}
