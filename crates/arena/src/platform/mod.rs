//! What differs between operating systems.
//!
//! [`Child`](crate::process::Child) needs only POSIX: pipes, `poll`, process groups and `sh`. Everything beyond
//! that is here. Linux has all of it. Elsewhere the fallback sees no process trees, limits no memory (asking
//! for a limit is an error) and pins nothing: matches run, but processes that an engine forks into another
//! group are not cleaned up.

#[cfg(not(target_os = "linux"))]
mod fallback;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
use fallback as system;
#[cfg(target_os = "linux")]
use linux as system;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::AsFd;

pub use system::cores;
pub(crate) use system::{
    adopt_orphans, descendants, is_idle, limit_memory, own_children, peak_memory_mb, pin_thread,
    processes_marked, reap, start_time, tree_usage,
};

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

/// Has the other end of an output pipe been closed?
pub fn output_is_closed(output: impl AsFd) -> bool {
    let mut fds = [PollFd::new(&output, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut fds, Some(&now)).is_ok()
        && fds[0].revents().intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL)
}
