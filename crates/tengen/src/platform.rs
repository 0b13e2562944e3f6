//! What differs between operating systems: signals, terminals that go away, the permissions of new files.
//!
//! Windows knows neither of the three: there `tengen serve` ends at Ctrl-C, and files get the permissions of their folder.

use std::fs::File;
use std::io;

/// Ready at Ctrl-C, or when the system asks the process to end.
pub(crate) async fn stop_requested() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => {
                tokio::select! {
                    _ = interrupt => {}
                    _ = terminate.recv() => {}
                }
            }
            Err(_) => drop(interrupt.await),
        }
    }
    #[cfg(not(unix))]
    drop(interrupt.await);
}

/// Runs `leave` and ends the program when the other end of the terminal goes away. Only another thread can: crossterm
/// reads the end of the input again and again inside its own loop.
#[cfg(unix)]
pub(crate) fn end_on_hang_up(leave: fn()) {
    use rustix::event::{PollFd, PollFlags, poll};
    std::thread::spawn(move || {
        let stdin = io::stdin();
        // Without a flag to wait for, only a hang-up or an error wakes this.
        let mut fds = [PollFd::new(&stdin, PollFlags::empty())];
        while poll(&mut fds, None).is_err_and(|error| error == rustix::io::Errno::INTR) {}
        if !fds[0].revents().is_empty() {
            leave();
            std::process::exit(1);
        }
    });
}

#[cfg(not(unix))]
pub(crate) fn end_on_hang_up(_leave: fn()) {}

/// Lets a temporary file be created with the permissions that any new file gets.
pub(crate) fn usual_permissions(builder: &mut tempfile::Builder<'_, '_>) {
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    let _ = builder;
}

/// Lets only the owner read a file.
pub(crate) fn make_private(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}
