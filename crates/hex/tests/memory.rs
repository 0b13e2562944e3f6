//! A file that is no network is refused before anything is allocated for it.

use hex::engine::network::Network;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// One test alone: the counter is the process's.
#[test]
fn a_file_of_the_wrong_length_costs_no_memory() {
    let region = Region::new(ALLOCATOR);
    assert!(Network::read(b"no network").is_none());
    // A network has millions of bytes; the test harness may allocate a few beside this thread.
    assert!(region.change().bytes_allocated < 100_000);
}
