//! Long work without the interpreter's lock, ended by Ctrl-C.

use game::{StopFlag, Watch};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often pending signals are looked at.
const SIGNALS: Duration = Duration::from_millis(25);

/// Runs `work` on a thread of its own while other Python threads go on. Ctrl-C calls `stop`, waits for the work to
/// end and raises `KeyboardInterrupt`.
pub(crate) fn without_lock<T: Send>(
    py: Python<'_>,
    stop: impl Fn() + Sync,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let caller = std::thread::current();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
            done.store(true, Ordering::Release);
            caller.unpark();
            answer
        });
        let mut interrupted = Ok(());
        while !done.load(Ordering::Acquire) {
            py.detach(|| std::thread::park_timeout(SIGNALS));
            if interrupted.is_ok() {
                interrupted = py.check_signals();
            }
            if interrupted.is_err() {
                stop();
            }
        }
        interrupted?;
        let answer = thread.join().unwrap_or_else(Err);
        answer.map_err(|_| PyRuntimeError::new_err("the search failed; please report this position"))
    })
}

/// The same for work with a watch, which starts now.
pub(crate) fn stoppable<T: Send>(py: Python<'_>, work: impl FnOnce(&Watch) -> T + Send) -> PyResult<T> {
    let flag = StopFlag::new();
    let watch = Watch::start(flag.clone());
    without_lock(py, || flag.stop(), || work(&watch))
}
