//! Process trees: which processes belong to a child, and how all of them are ended.
//!
//! A child runs in its own process group and carries a marker in its environment. That finds everything but a
//! daemon: a process that forks twice, starts a new session and clears its environment. Where
//! [`adopt_orphans`] was called such a process becomes our own child when its parent dies, and is killed as
//! soon as no living engine can have started it.

use crate::platform::{self, kill, kill_group};
use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// Environment variable by which descendants are recognised.
pub(super) const MARKER: &str = "TENGEN_ARENA_CHILD";
/// Environment variable that names the run a child belongs to.
pub const RUN_MARKER: &str = "TENGEN_ARENA_RUN";

/// Rounds of looking for processes and killing them before giving up on a tree that grows faster.
const KILL_ROUNDS: usize = 200;

static ADOPTING: AtomicBool = AtomicBool::new(false);
/// Living children with their start times. Held while a process is started, so that it is never taken for an
/// orphan.
static LIVING: Mutex<Option<HashMap<i32, u64>>> = Mutex::new(None);

/// From now on every child process that was not started through [`Child`](super::Child) is an engine's orphan
/// and will be killed. Only for programs whose children are all engines.
pub fn adopt_orphans() -> io::Result<()> {
    platform::adopt_orphans()?;
    ADOPTING.store(true, Ordering::SeqCst);
    Ok(())
}

/// Kills what an earlier run that was itself killed may have left behind; how many processes there were.
pub fn sweep(run: &str) -> usize {
    let left = platform::processes_marked(format!("{RUN_MARKER}={run}\0").as_bytes());
    left.iter().copied().for_each(kill);
    left.len()
}

/// A unique value for [`MARKER`].
pub(super) fn fresh_marker() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    format!("{}.{}", std::process::id(), COUNTER.fetch_add(1, Ordering::Relaxed))
}

/// Starts a process and registers it.
pub(super) fn start(command: &mut std::process::Command) -> io::Result<std::process::Child> {
    let mut living = living();
    let process = command.spawn()?;
    let pid = process.id() as i32;
    living.get_or_insert_default().insert(pid, platform::start_time(pid).unwrap_or(0));
    Ok(process)
}

/// Kills the process group, the descendants, all processes with the marker, and daemons, and reaps the child.
pub(super) fn kill_tree(process: &mut std::process::Child, marker: &str) {
    let pid = process.id() as i32;
    let mut tree = platform::descendants(pid);
    kill_group(process);
    let _ = process.kill();
    let _ = process.wait();
    kill_group(process);
    living().get_or_insert_default().remove(&pid);
    let needle = format!("{MARKER}={marker}\0");
    // A process that is just being started shows no environment: look until there was nothing twice.
    let mut empty = 0;
    for _ in 0..KILL_ROUNDS {
        tree.extend(platform::processes_marked(needle.as_bytes()));
        let orphans = kill_orphans();
        empty = if tree.is_empty() && orphans == 0 { empty + 1 } else { 0 };
        if empty == 2 {
            break;
        }
        tree.drain().for_each(kill);
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Kills adopted processes that no living engine can have started; how many there were.
fn kill_orphans() -> usize {
    if !ADOPTING.load(Ordering::SeqCst) {
        return 0;
    }
    let mut guard = living();
    let living = guard.get_or_insert_default();
    let ours: HashSet<i32> = living.keys().copied().collect();
    let oldest = living.values().copied().min().unwrap_or(u64::MAX);
    let orphans = platform::own_children().into_iter().filter(|pid| !ours.contains(pid));
    let dead: Vec<i32> =
        orphans.filter(|pid| platform::start_time(*pid).is_some_and(|start| start < oldest)).collect();
    for pid in &dead {
        kill(*pid);
        platform::reap(*pid);
    }
    dead.len()
}

fn living() -> MutexGuard<'static, Option<HashMap<i32, u64>>> {
    LIVING.lock().unwrap_or_else(|e| e.into_inner())
}
