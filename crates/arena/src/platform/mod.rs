//! What differs between operating systems.
//!
//! | | Linux | macOS, BSD | Windows |
//! |---|---|---|---|
//! | [`Pipes`] to a child, with deadlines | `poll` | `poll` | a thread per pipe |
//! | a child and what it started is killed | group, marker, orphans | process group | `taskkill /T` |
//! | memory limits | `prlimit` | asking for one is an error | asking for one is an error |
//! | peak memory, idleness | `/proc` | unknown | unknown |
//! | pinning games to cores | yes | no | no |
//! | noticing that the reader of our output has gone | at once | at once | at the next write |
//!
//! Matches run everywhere. Outside Linux, processes that an engine starts in another group (macOS) or leaves behind
//! after its own end (Windows) are not cleaned up.

#[cfg(not(target_os = "linux"))]
mod fallback;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(unix)]
mod polled_pipes;
#[cfg(any(test, not(unix)))]
mod threaded_pipes;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(not(target_os = "linux"))]
use fallback as system;
#[cfg(target_os = "linux")]
use linux as system;

pub use system::cores;
pub(crate) use system::{
    adopt_orphans, check_memory_limits, descendants, is_idle, limit_memory, own_children, peak_memory_mb,
    pin_thread, processes_marked, reap, start_time, tree_usage,
};

#[cfg(unix)]
pub(crate) use polled_pipes::Pipes;
#[cfg(not(unix))]
pub(crate) use threaded_pipes::Pipes;
#[cfg(unix)]
pub use unix::output_is_closed;
#[cfg(unix)]
pub(crate) use unix::{kill, kill_group, own_group};
#[cfg(windows)]
pub use windows::output_is_closed;
#[cfg(windows)]
pub(crate) use windows::{kill, kill_group, own_group};

/// What a process and all its descendants use.
pub(crate) struct TreeUsage {
    /// The process.
    pub(crate) root: i32,
    /// Resident memory, in MiB.
    pub(crate) memory_mb: u64,
    /// CPU time, of processes that have ended too.
    pub(crate) cpu_seconds: u64,
    /// Files in their private temporary folders.
    pub(crate) files: u64,
}
