//! `tengen serve` before it serves: what an operator got wrong is named, and nothing is left behind.

use super::{Folder, fail, run, succeed};

#[test]
fn a_taken_port_is_named_with_a_way_out() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = taken.local_addr().unwrap().to_string();
    let folder = Folder::new();
    let data = folder.path("data").display().to_string();
    let message = fail(1, run(&["serve", "--addr", &addr, "--data", &data]));
    assert!(message.contains(&addr) && message.contains("--addr"), "{message}");
}

#[test]
fn a_data_folder_that_cannot_be_used_is_named_with_a_way_out() {
    let folder = Folder::new();
    let file = folder.file("occupied", "not a folder");
    let message = fail(1, run(&["serve", "--addr", "127.0.0.1:0", "--data", &file]));
    assert!(message.contains(&file) && message.contains("--data"), "{message}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "not a folder");
}

#[test]
fn mistakes_in_the_configuration_are_named_with_file_and_line() {
    let folder = Folder::new();
    let config = folder.file("tengen.toml", "workers = 1\nadr = \"127.0.0.1:1\"\n");
    let message = fail(2, run(&["serve", "--config", &config]));
    assert!(
        message.contains(&config) && message.contains("line 2") && message.contains("`addr`"),
        "{message}"
    );
}

#[test]
fn the_shipped_configuration_is_accepted_and_printing_it_makes_no_folder() {
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging/tengen.toml");
    let folder = Folder::new();
    let data = folder.path("data").display().to_string();
    let printed = succeed(run(&["serve", "--config", shipped, "--data", &data, "--print-config"]));
    assert!(printed.contains("addr = \"127.0.0.1:7878\"") && printed.contains(&data), "{printed}");
    assert_eq!(folder.count(), 0, "nothing is created to print settings");
}
