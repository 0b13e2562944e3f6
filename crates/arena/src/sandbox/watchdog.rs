//! Ends programs whose processes together use more than they may.
//!
//! A resource limit holds for one process; a program that forks multiplies it. And a file system in memory has a
//! limit on bytes, none on files, each of which costs the kernel a kilobyte. One thread looks at all guarded
//! process trees ten times a second and kills those over their limits. Killing the outermost process is enough:
//! it ends the sandbox's process namespace.

use crate::platform;
use crate::process::TreeLimits;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

const INTERVAL: Duration = Duration::from_millis(100);
/// Files that a program may have in its private folders.
const MAX_FILES: u64 = 20_000;

/// Guarded processes.
static GUARDED: Mutex<Option<HashMap<i32, Tree>>> = Mutex::new(None);

struct Tree {
    limits: TreeLimits,
    /// What it was killed for.
    over: Option<String>,
}

/// Watches one process tree until it is dropped.
#[derive(Debug)]
pub(crate) struct Guard {
    pid: i32,
}

impl Guard {
    /// Watches the tree below a process from now on.
    pub(crate) fn new(pid: i32, limits: TreeLimits) -> Guard {
        let mut guarded = guarded();
        if guarded.is_none() {
            // Lives as long as the process: one thread for all sandboxes there will ever be.
            std::thread::spawn(watch);
        }
        guarded.get_or_insert_default().insert(pid, Tree { limits, over: None });
        Guard { pid }
    }

    /// What the tree used too much of when it was killed for it.
    pub(crate) fn over_limit(&self) -> Option<String> {
        guarded().as_ref()?.get(&self.pid)?.over.clone()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        guarded().get_or_insert_default().remove(&self.pid);
    }
}

fn watch() {
    loop {
        std::thread::sleep(INTERVAL);
        let limits: HashMap<i32, u64> = guarded()
            .get_or_insert_default()
            .iter()
            .map(|(pid, tree)| (*pid, tree.limits.memory_mb))
            .collect();
        if limits.is_empty() {
            continue;
        }
        for usage in platform::tree_usage(&limits) {
            if let Some(tree) = guarded().get_or_insert_default().get_mut(&usage.root) {
                let over = if usage.memory_mb > tree.limits.memory_mb {
                    format!("{} MiB of memory", usage.memory_mb)
                } else if usage.cpu_seconds > tree.limits.cpu_seconds {
                    format!("{} s of CPU time", usage.cpu_seconds)
                } else if usage.files > MAX_FILES {
                    format!("{} files", usage.files)
                } else {
                    continue;
                };
                tree.over.get_or_insert(over);
                platform::kill(usage.root);
            }
        }
    }
}

fn guarded() -> MutexGuard<'static, Option<HashMap<i32, Tree>>> {
    GUARDED.lock().unwrap_or_else(|e| e.into_inner())
}
