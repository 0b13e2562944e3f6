//! Importing a map allocates in proportion to its text, and nothing for somebody who has left.

use api::maze::{MapText, import};
use game::Watch;
use serde_json::json;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What an import allocates, in bytes, and whether it reads the map.
fn allocated(text: &str, watch: &Watch) -> (usize, bool) {
    let asked: MapText = serde_json::from_value(json!({ "text": text })).unwrap();
    let region = Region::new(ALLOCATOR);
    let read = import(&asked, watch).is_ok();
    let change = region.change();
    (change.bytes_allocated + change.bytes_reallocated.unsigned_abs(), read)
}

/// One test alone: the counter is the process's.
#[test]
fn memory_is_bounded_by_the_text() {
    // 65 kB; a grid of the size that they claim would be 512 MB.
    let ragged = format!("2{}\n{}", ".".repeat(32_767), ".\n".repeat(16_383));
    let going = Watch::default();
    let (bytes, read) = allocated(&ragged, &going);
    assert!(!read && bytes <= 64 * ragged.len(), "{bytes} bytes for a text of {}", ragged.len());
    let square = format!("{}\n", ".".repeat(250)).repeat(250);
    let (bytes, read) = allocated(&square, &going);
    assert!(read && bytes <= 64 * square.len(), "{bytes} bytes for a text of {}", square.len());
    let left = Watch::default();
    left.stop_flag().stop();
    let (bytes, read) = allocated(&square, &left);
    assert!(!read && bytes < 4096, "{bytes} bytes for nobody");
}
