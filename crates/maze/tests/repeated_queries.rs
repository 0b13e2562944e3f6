//! What a solver keeps between queries: enough that a query asked again allocates nothing, and not more than 16 bytes a
//! cell.

use maze::generate::{Recipe, Style};
use maze::{Algorithm, Cell, Grid, Neighbours, Query, Solver};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Search state of an online search.
const BYTES_PER_CELL: usize = 16;
const SIDE: u64 = 512;

/// One test alone: the counter is the process's.
#[test]
fn a_query_asked_again_allocates_nothing_and_the_state_is_small() {
    for style in Style::ALL {
        let grid = Recipe::new(style, SIDE, SIDE, 1).make().unwrap();
        let ends = far_ends(&grid);
        for (algorithm, rule) in [
            (Algorithm::Jps, Neighbours::Eight),
            (Algorithm::Jps, Neighbours::EightCutting),
            (Algorithm::Jps, Neighbours::Four),
            (Algorithm::AStar, Neighbours::Eight),
            (Algorithm::AStar, Neighbours::Four),
        ] {
            let query = Query::new(ends.0, ends.1).by(algorithm).with_neighbours(rule);
            let mut solver = Solver::new(&grid);
            let found = solver.search(&query).unwrap().cost();
            let bytes = solver.memory_bytes();
            let most = BYTES_PER_CELL * (SIDE * SIDE) as usize;
            assert!(bytes <= most, "{style} {algorithm} {rule}: {bytes} bytes, at most {most}");
            if algorithm != Algorithm::Jps {
                continue;
            }
            let region = Region::new(ALLOCATOR);
            let again = solver.search(&query).unwrap().cost();
            let change = region.change();
            assert_eq!(again, found);
            assert_eq!((change.allocations, change.reallocations), (0, 0), "{style} {algorithm} {rule}");
        }
    }
}

/// The first and the last free cell.
fn far_ends(grid: &Grid) -> (Cell, Cell) {
    let mut free = grid.cells().filter(|cell| grid.is_free(*cell));
    let first = free.next().unwrap();
    (first, free.last().unwrap())
}
