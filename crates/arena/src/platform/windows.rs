//! Windows: process trees through `taskkill`, which every Windows has. A job object would also catch processes whose
//! parent has ended, but needs `unsafe`.

use std::os::windows::process::CommandExt;
use std::process::{Child, Command, Stdio};

const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// Lets a command start in a process group of its own, so that Ctrl-C is ours, and without a console window.
pub(crate) fn own_group(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
}

/// Kills a child and the processes that descend from it, while it lives.
pub(crate) fn kill_group(process: &mut Child) {
    if let Ok(None) = process.try_wait() {
        kill(process.id() as i32);
    }
}

/// Kills a process and its descendants.
pub(crate) fn kill(pid: i32) {
    let mut command = Command::new("taskkill");
    command.args(["/F", "/T", "/PID", &(pid as u32).to_string()]);
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = quiet.creation_flags(CREATE_NO_WINDOW).status();
}

/// Has the other end of an output pipe been closed? Windows tells only whoever writes.
pub fn output_is_closed<T>(_output: T) -> bool {
    false
}
