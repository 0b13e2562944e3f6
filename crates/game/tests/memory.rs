//! Reading SGF allocates in proportion to its text.

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// One test alone: the counter is the process's.
#[test]
fn memory_grows_with_the_text_and_no_faster() {
    let leaves = |n: usize| format!("(;{})", "(;B[a1])".repeat(n));
    let properties = |n: usize| format!("(;{})", (0..n).map(|n| format!("P{n}[]")).collect::<String>());
    let nodes = |n: usize| format!("({})", ";".repeat(n));
    let values = |n: usize| format!("(;AB{})", "[]".repeat(n));
    let kinds: [(&str, &dyn Fn(usize) -> String); 4] =
        [("leaves", &leaves), ("properties", &properties), ("nodes", &nodes), ("values", &values)];
    for (what, make) in kinds {
        let cost = |n: usize| {
            let text = make(n);
            let region = Region::new(ALLOCATOR);
            let trees = game::sgf::parse(&text).unwrap();
            let allocated = region.change().bytes_allocated;
            drop(trees);
            (allocated as f64, text.len() as f64)
        };
        let ((small, short), (large, long)) = (cost(1_000), cost(32_000));
        assert!(large / long <= 2.0 * small / short, "{what}: {small} bytes, then {large}");
        assert!(large <= 300.0 * long, "{what}: {large} bytes for a text of {long}");
    }
}
