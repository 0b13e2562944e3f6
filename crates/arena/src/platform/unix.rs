//! POSIX systems: process groups and signals.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::AsFd;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

/// Lets a command start as the leader of a process group of its own.
pub(crate) fn own_group(command: &mut Command) {
    command.process_group(0);
}

/// Kills a child that was started with [`own_group`], and its group.
pub(crate) fn kill_group(process: &mut Child) {
    let _ = kill_process_group(Pid::from_child(process), Signal::KILL);
}

/// Kills a process.
pub(crate) fn kill(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// Has the other end of an output pipe been closed?
pub fn output_is_closed(output: impl AsFd) -> bool {
    let mut fds = [PollFd::new(&output, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut fds, Some(&now)).is_ok()
        && fds[0].revents().intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL)
}
