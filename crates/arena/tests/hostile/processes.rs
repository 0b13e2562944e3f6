//! Which processes are left of a sandbox: each has process namespaces of its own.

use std::collections::HashSet;

/// Process namespaces, other than our own, that descendants of a process live in.
pub(crate) fn namespaces_below(root: u32) -> HashSet<String> {
    let own = namespace(std::process::id()).unwrap_or_default();
    let parents: Vec<(u32, u32)> = processes().filter_map(|pid| Some((pid, parent(pid)?))).collect();
    let mut tree = HashSet::from([root]);
    for _ in 0..8 {
        let more: Vec<u32> = parents.iter().filter(|(_, up)| tree.contains(up)).map(|p| p.0).collect();
        tree.extend(more);
    }
    tree.into_iter().filter_map(namespace).filter(|space| *space != own).collect()
}

/// Processes in these namespaces.
pub(crate) fn processes_in(namespaces: &HashSet<String>) -> Vec<u32> {
    processes().filter(|pid| namespace(*pid).is_some_and(|space| namespaces.contains(&space))).collect()
}

fn processes() -> impl Iterator<Item = u32> {
    std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

fn namespace(pid: u32) -> Option<String> {
    Some(std::fs::read_link(format!("/proc/{pid}/ns/pid")).ok()?.to_string_lossy().into_owned())
}

fn parent(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}
