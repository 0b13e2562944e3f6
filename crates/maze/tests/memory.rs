//! Reading a map allocates in proportion to its text, whatever size the text claims.

use maze::format::read;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// One test alone: the counter is the process's.
#[test]
fn memory_is_bounded_by_the_text() {
    let side = 32_767;
    let short_rows = |first: String, row: &str| first + &row.repeat(16_383);
    let texts = [
        ("a weight, then ragged rows", short_rows(format!("2{}\n", ".".repeat(side)), ".\n")),
        ("a wide matrix, then ragged rows", short_rows(format!("{}\n", "0".repeat(side)), "0\n")),
        ("a header without rows", "type octile\nheight 16384\nwidth 32768\nmap\n".into()),
        (
            "a header and one row",
            format!("type octile\nheight 16384\nwidth {side}\nmap\n{}\n", ".".repeat(side)),
        ),
        ("blank lines", "\n".repeat(60_000)),
        ("a column of weights", "2\n".repeat(30_000)),
        ("a row of weights", "2".repeat(30_000)),
        ("a narrow matrix", "0\n".repeat(30_000)),
    ];
    for (what, text) in texts {
        let region = Region::new(ALLOCATOR);
        let loaded = read("map", text.as_bytes());
        let allocated = region.change().bytes_allocated + region.change().bytes_reallocated.unsigned_abs();
        drop(loaded);
        // A growing list of rows is copied a few times; the worst text has two bytes per row.
        let most = 64 * text.len() + 4096;
        assert!(allocated <= most, "{what}: {allocated} bytes for a text of {}", text.len());
    }
}
