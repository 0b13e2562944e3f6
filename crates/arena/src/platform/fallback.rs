//! Systems without `/proc`: see the module above for what is missing.

use std::collections::{HashMap, HashSet};
use std::io;

pub(crate) fn adopt_orphans() -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

pub(crate) fn processes_marked(_needle: &[u8]) -> HashSet<i32> {
    HashSet::new()
}

pub(crate) fn descendants(_root: i32) -> HashSet<i32> {
    HashSet::new()
}

pub(crate) fn own_children() -> Vec<i32> {
    Vec::new()
}

pub(crate) fn start_time(_pid: i32) -> Option<u64> {
    None
}

pub(crate) fn reap(_pid: i32) {}

pub(crate) fn is_idle(_pid: i32) -> Option<bool> {
    None
}

pub(crate) fn peak_memory_mb(_pid: i32) -> Option<u64> {
    None
}

pub(crate) fn tree_usage(_roots: &HashMap<i32, u64>) -> Vec<super::TreeUsage> {
    Vec::new()
}

pub(crate) fn check_memory_limits() -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "memory limits need Linux"))
}

pub(crate) fn limit_memory(_pid: i32, _mb: u64) -> io::Result<()> {
    check_memory_limits()
}

/// Cores this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

pub(crate) fn pin_thread(_index: usize, _shares: usize) {}
