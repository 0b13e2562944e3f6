//! Installing the network from a file, as a page does: a process of its own, because what ships is set once.

use gomoku::install_network;
use std::fs;

#[test]
fn a_network_is_installed_once_and_a_damaged_file_never() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/gomoku/freestyle.net");
    let mut file = fs::read(path).unwrap();
    assert!(!install_network(b"no network"));
    assert!(!install_network(&file[..file.len() / 2]));
    assert!(install_network(&file), "damaged files leave the place free");
    assert!(!install_network(&file), "there is one already");
    file.clear();
    assert!(!install_network(&file));
}
