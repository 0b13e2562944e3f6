//! Linux: processes through `/proc`, limits through `prlimit`, pinning through the scheduler.

use super::TreeUsage;
use rustix::fs::statvfs;
use rustix::process::{Pid, Resource, Rlimit, WaitOptions, getpid, prlimit, set_child_subreaper, waitpid};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::collections::{HashMap, HashSet};
use std::io;
use std::os::unix::fs::MetadataExt;

/// The unit of times in `/proc`, the same on every Linux.
const TICKS_PER_SECOND: u64 = 100;

/// Makes this process the parent of descendants whose own parent has died, whatever session they are in.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Processes whose environment holds `needle`, except ourselves.
pub(crate) fn processes_marked(needle: &[u8]) -> HashSet<i32> {
    let me = std::process::id() as i32;
    let holds = |pid: &i32| {
        std::fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|env| env.windows(needle.len()).any(|window| window == needle))
    };
    pids().filter(|pid| *pid != me).filter(holds).collect()
}

/// All descendants of a process.
pub(crate) fn descendants(root: i32) -> HashSet<i32> {
    let parents: Vec<(i32, i32)> = pids().filter_map(|pid| Some((pid, parent_of(pid)?))).collect();
    let mut tree = HashSet::from([root]);
    loop {
        let before = tree.len();
        let children: Vec<i32> =
            parents.iter().filter(|(_, parent)| tree.contains(parent)).map(|p| p.0).collect();
        tree.extend(children);
        if tree.len() == before {
            tree.remove(&root);
            return tree;
        }
    }
}

/// Our direct children, orphans that we adopted included.
pub(crate) fn own_children() -> Vec<i32> {
    let me = std::process::id() as i32;
    pids().filter(|pid| parent_of(*pid) == Some(me)).collect()
}

/// When a process started, in clock ticks since boot.
pub(crate) fn start_time(pid: i32) -> Option<u64> {
    stat_field(pid, 19)?.parse().ok()
}

/// Collects the exit status of a child if it has exited.
pub(crate) fn reap(pid: i32) {
    let _ = waitpid(Pid::from_raw(pid), WaitOptions::NOHANG);
}

/// Does every thread of a process and of its descendants sleep? `None` if unknown.
pub(crate) fn is_idle(pid: i32) -> Option<bool> {
    let mut tree = descendants(pid);
    tree.insert(pid);
    let mut seen = false;
    for pid in tree {
        let Ok(tasks) = std::fs::read_dir(format!("/proc/{pid}/task")) else { continue };
        for task in tasks.flatten() {
            let Ok(stat) = std::fs::read_to_string(task.path().join("stat")) else { continue };
            let Some(state) = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().next())
            else {
                continue;
            };
            seen = true;
            // R: running or waiting for a core; D: waiting for the disk.
            if matches!(state, "R" | "D") {
                return Some(false);
            }
        }
    }
    seen.then_some(true)
}

/// Peak resident memory of a process and its living descendants together, in MiB.
pub(crate) fn peak_memory_mb(pid: i32) -> Option<u64> {
    let own = peak_memory_kb(pid)?;
    let others: u64 = descendants(pid).into_iter().filter_map(peak_memory_kb).sum();
    Some((own + others) >> 10)
}

fn peak_memory_kb(pid: i32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// What the processes at `roots` use, each with all its descendants. `limit_mb` tells each root's limit: only where
/// the cheap count is above it are shared pages divided among those who share them.
pub(crate) fn tree_usage(roots: &HashMap<i32, u64>) -> Vec<TreeUsage> {
    let parents: HashMap<i32, i32> = pids().filter_map(|pid| Some((pid, parent_of(pid)?))).collect();
    let mut trees: HashMap<i32, Vec<i32>> = HashMap::new();
    for pid in parents.keys() {
        let ancestors = std::iter::successors(Some(pid), |id| parents.get(*id));
        if let Some(root) = ancestors.into_iter().find(|id| roots.contains_key(id)) {
            trees.entry(*root).or_default().push(*pid);
        }
    }
    let usage = |(root, tree): (i32, Vec<i32>)| {
        let memory = |kb: fn(i32) -> u64| tree.iter().map(|pid| kb(*pid)).sum::<u64>() >> 10;
        let resident = memory(resident_kb);
        let over = resident > *roots.get(&root).unwrap_or(&u64::MAX);
        let memory_mb = if over { memory(proportional_kb) } else { resident };
        let files = tree.iter().map(|pid| private_files(*pid)).max().unwrap_or(0);
        let ticks: u64 = tree.iter().map(|pid| cpu_ticks(*pid)).sum();
        TreeUsage { root, memory_mb, cpu_seconds: ticks / TICKS_PER_SECOND, files }
    };
    trees.into_iter().map(usage).collect()
}

/// CPU time of a process and of its children that have ended.
fn cpu_ticks(pid: i32) -> u64 {
    // Fields 14 to 17 of the manual page: utime, stime, cutime, cstime.
    stat(pid)
        .map_or(0, |fields| fields.iter().skip(11).take(4).filter_map(|word| word.parse::<u64>().ok()).sum())
}

/// Memory without files on disk; pages that a process shares with one it forked count for both.
fn resident_kb(pid: i32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    kilobytes(&status, "RssAnon:") + kilobytes(&status, "RssShmem:")
}

/// The same with shared pages divided by the number of those who share them: exact, and slow.
fn proportional_kb(pid: i32) -> u64 {
    match std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")) {
        Ok(maps) => kilobytes(&maps, "Pss_Anon:") + kilobytes(&maps, "Pss_Shmem:"),
        Err(_) => resident_kb(pid),
    }
}

/// The value of a line `Name:   123 kB`.
fn kilobytes(text: &str, name: &str) -> u64 {
    let line = text.lines().find(|line| line.starts_with(name));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}

/// Files in the temporary folders of a process, where they are not the system's own.
fn private_files(pid: i32) -> u64 {
    let device = |path: &str| Some(std::fs::metadata(path).ok()?.dev());
    let files = |place: &str| {
        let path = format!("/proc/{pid}/root{place}");
        // While a sandbox is being made, its processes still see the system's folders.
        if device(&path) == device(place) {
            return 0;
        }
        statvfs(&path).map_or(0, |found| found.f_files.saturating_sub(found.f_ffree))
    };
    files("/tmp").max(files("/dev/shm"))
}

/// Can memory be limited here?
pub(crate) fn check_memory_limits() -> io::Result<()> {
    Ok(())
}

/// Limits the address space of a process, in MiB.
pub(crate) fn limit_memory(pid: i32, mb: u64) -> io::Result<()> {
    let bytes = Some(mb.saturating_mul(1 << 20));
    prlimit(Pid::from_raw(pid), Resource::As, Rlimit { current: bytes, maximum: bytes })?;
    Ok(())
}

/// Cores this process may use.
pub fn cores() -> usize {
    allowed_cores().len().max(1)
}

/// Gives the calling thread, and the processes it will start, share `index` of `shares` of the cores.
pub(crate) fn pin_thread(index: usize, shares: usize) {
    let cores = allowed_cores();
    if cores.len() < shares || shares < 2 {
        return;
    }
    let mut share = CpuSet::new();
    cores[index * cores.len() / shares..(index + 1) * cores.len() / shares]
        .iter()
        .for_each(|cpu| share.set(*cpu));
    // Pinning only makes timing steadier; without permission the games go on unpinned.
    let _ = sched_setaffinity(None, &share);
}

fn allowed_cores() -> Vec<usize> {
    let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|cpu| allowed.is_set(*cpu)).collect()
}

fn pids() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

fn parent_of(pid: i32) -> Option<i32> {
    stat_field(pid, 1)?.parse().ok()
}

/// A field of `/proc/PID/stat`, counted from 0 after the name.
fn stat_field(pid: i32, index: usize) -> Option<String> {
    stat(pid)?.into_iter().nth(index)
}

/// The fields of `/proc/PID/stat` after the name.
fn stat(pid: i32) -> Option<Vec<String>> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may itself hold spaces and parentheses.
    Some(stat.rsplit_once(')')?.1.split_whitespace().map(str::to_string).collect())
}
