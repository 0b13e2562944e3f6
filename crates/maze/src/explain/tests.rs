//! Records of paths against the solver, which nobody watched.

use super::*;
use crate::Ends;

fn grid(text: &str) -> (Grid, Cell, Cell) {
    let grid = crate::format::read("test", text.as_bytes()).unwrap().grid;
    let ends = Ends::resolve(&grid, None, None).unwrap();
    (grid, ends.from, ends.to)
}

const MAP: &str = "\
S.........
.########.
.#......#.
.#.####.#.
...#..#.#.
.###.##.#.
.....#..#.
.#####.##.
..........
.########G
";

/// Straight on is muddy, the way round is clean: greedy estimates walk into the mud.
const MUD: &str = "\
S999999G
........
";

fn ask(algorithm: Algorithm, neighbours: Neighbours, from: Cell, to: Cell) -> Explain {
    let query = Query::new(from, to).by(algorithm).with_neighbours(neighbours);
    Explain { query, heuristic: Heuristic::usual(neighbours), keep: 100_000 }
}

#[test]
fn every_algorithm_finds_the_solvers_cost() {
    let (grid, from, to) = grid(MAP);
    for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| !algorithm.is_any_angle()) {
        for neighbours in Neighbours::ALL.into_iter().filter(|n| algorithm.allows(*n)) {
            if algorithm == Algorithm::Bfs && neighbours != Neighbours::Four {
                continue;
            }
            let ask = ask(algorithm, neighbours, from, to);
            let record = explain(&grid, &ask).unwrap();
            let answer = Solver::new(&grid).solve(&ask.query.clone().by(Algorithm::AStar)).unwrap();
            let cost = record.result.cost.unwrap().0;
            assert!((cost - answer.path().unwrap().cost).abs() < 1e-9, "{algorithm} {neighbours}");
            assert_eq!(record.result.optimal.unwrap().0, cost);
            let closed = record.columns.event.iter().filter(|event| **event == PathKind::Close as u8).count();
            if matches!(algorithm, Algorithm::Bfs | Algorithm::Dijkstra | Algorithm::AStar) {
                assert_eq!(closed as u64, record.result.expanded, "{algorithm}");
            }
            assert!(closed > 0, "{algorithm}");
        }
    }
}

#[test]
fn the_top_of_the_heap_is_what_is_taken_next() {
    let (grid, from, to) = grid(MAP);
    let record = explain(&grid, &ask(Algorithm::AStar, Neighbours::Eight, from, to)).unwrap();
    let columns = &record.columns;
    let mut open: Vec<(i32, f64, f64)> = Vec::new();
    for at in 0..columns.event.len() {
        let (cell, g, f) = (columns.cell[at], columns.g[at].0, columns.g[at].0 + columns.h[at].0);
        match columns.event[at] {
            0 => {
                open.retain(|entry| entry.0 != cell);
                open.push((cell, f, g));
            }
            1 => {
                let least = open.iter().map(|entry| entry.1).fold(f64::INFINITY, f64::min);
                assert!((f - least).abs() < 1e-9, "event {at}: took {f}, had {least}");
                open.retain(|entry| entry.0 != cell);
            }
            _ => {}
        }
    }
}

#[test]
fn a_broken_heuristic_gives_a_wrong_answer_and_the_record_says_so() {
    let (grid, from, to) = grid(MUD);
    let honest = explain(&grid, &ask(Algorithm::AStar, Neighbours::Four, from, to)).unwrap();
    assert_eq!(honest.result.overestimates, Some(0));
    assert_eq!(honest.result.cost, honest.result.optimal);
    let mut broken = ask(Algorithm::AStar, Neighbours::Four, from, to);
    broken.heuristic = Heuristic::Squared;
    let broken = explain(&grid, &broken).unwrap();
    assert!(broken.result.overestimates.unwrap() > 0);
    assert!(broken.result.cost.unwrap().0 > broken.result.optimal.unwrap().0, "{:?}", broken.result);
}

#[test]
fn ida_star_shows_its_rounds_and_turns() {
    let (grid, from, to) = grid("S.#G\n..#.\n....\n");
    let record = explain(&grid, &ask(Algorithm::IdaStar, Neighbours::Four, from, to)).unwrap();
    let of = |kind: PathKind| record.columns.event.iter().filter(|event| **event == kind as u8).count();
    assert_eq!(of(PathKind::Bound) as u64, record.result.rounds);
    assert_eq!(of(PathKind::Close) as u64, record.result.expanded);
    assert!(of(PathKind::Cut) > 0 && record.result.rounds > 1);
    let text = walk_through(&record, 1_000);
    assert!(text.contains("a round with bound") && text.contains("beyond the bound"), "{text}");
}

#[test]
fn jump_points_are_seen_and_budgets_end_a_search() {
    let (map, from, to) = grid(MAP);
    let record = explain(&map, &ask(Algorithm::Jps, Neighbours::Eight, from, to)).unwrap();
    assert!(record.columns.event.contains(&(PathKind::Jump as u8)));
    let mut short = ask(Algorithm::AStar, Neighbours::Four, from, to);
    short.query.budget.expansions = Some(3);
    short.keep = 2;
    let record = explain(&map, &short).unwrap();
    assert_eq!((record.result.verdict, record.columns.event.len()), ("unknown", 2));
    assert!(record.columns.dropped > 0);
    let walled = grid("S.#.G\n..#..\n");
    let record = explain(&walled.0, &ask(Algorithm::AStar, Neighbours::Four, walled.1, walled.2)).unwrap();
    assert_eq!((record.result.verdict, record.result.cost), ("none", None));
}
