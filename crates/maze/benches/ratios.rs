//! Our searches against `pathfinding::astar` in the same run, as ratios: how many times quicker.
//!
//! `cargo bench -p tengen-maze --bench ratios [-- NAME…] [--queries N]` prints a table: for each map and
//! neighbour rule the median over the queries of (peer's time / our time), for each of our algorithms.
//! Maps are made by our own generators; MovingAI maps join when `shared/data/movingai` is in a directory
//! above the project (or `TENGEN_MOVINGAI` names it); without them the bench says so, and fails in CI. Queries include no preparation; the last columns
//! give its time and the memory held. Every cost is compared with the peer's.
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs, reason = "a program for people")]

use maze::generate::{Recipe, Style};
use maze::{Algorithm, Cell, Grid, Neighbours, Query, Solver};
use std::path::PathBuf;
use std::time::Instant;

struct Map {
    name: String,
    grid: Grid,
    queries: Vec<(Cell, Cell)>,
}

fn main() {
    let mut wanted: Vec<String> = Vec::new();
    let mut queries = 60;
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        if argument == "--queries" {
            queries = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(queries);
        } else {
            wanted.push(argument);
        }
    }
    let chosen = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    for rule in [Neighbours::Eight, Neighbours::Four] {
        let ours: Vec<Algorithm> = Algorithm::ALL.into_iter().filter(|&a| takes_part(a, rule)).collect();
        println!("\n{rule} neighbours: median of peer's time / our time over {queries} queries a map");
        print!("{:24}{:>12}", "map", "peer us");
        ours.iter().for_each(|a| print!("{:>14}", a.name()));
        println!("{:>10}  {:>12}{:>12}", "best", "prepare ms", "bytes/cell");
        for map in maps(queries).into_iter().filter(|map| chosen(&map.name)) {
            bench(&map, rule, &ours);
        }
    }
}

/// Left out are those that are not meant to be quick here.
fn takes_part(algorithm: Algorithm, rule: Neighbours) -> bool {
    // Some maps have too many subgoals or cells: `--peer` and the bench `first_moves` measure these.
    let slow = [
        Algorithm::Subgoal,
        Algorithm::FirstMoves,
        Algorithm::IdaStar,
        Algorithm::Dijkstra,
        Algorithm::Bfs,
        Algorithm::WeightedAStar,
    ];
    let double = algorithm == Algorithm::Jps && rule == Neighbours::Four;
    algorithm.allows(rule) && !slow.contains(&algorithm) && !double && !algorithm.is_any_angle()
}

fn bench(map: &Map, rule: Neighbours, ours: &[Algorithm]) {
    let mut peer = vec![f64::MAX; map.queries.len()];
    let mut costs = vec![None; map.queries.len()];
    let mut times = vec![vec![f64::MAX; map.queries.len()]; ours.len()];
    let mut solvers: Vec<Solver<'_>> = ours.iter().map(|_| Solver::new(&map.grid)).collect();
    let prepare_ms = |(solver, &algorithm): (&mut Solver<'_>, &Algorithm)| {
        let started = Instant::now();
        solver.prepare(algorithm, rule).expect("a map of this size needs no table");
        started.elapsed().as_secs_f64() * 1e3
    };
    let prepare: Vec<f64> = solvers.iter_mut().zip(ours).map(prepare_ms).collect();
    // The best of three rounds for everybody: other work on the machine only ever adds.
    for round in 0..3 {
        for (q, &(from, to)) in map.queries.iter().enumerate() {
            let started = Instant::now();
            let cost = peer_astar(&map.grid, rule, from, to);
            peer[q] = peer[q].min(started.elapsed().as_secs_f64());
            costs[q] = cost;
            for (a, solver) in solvers.iter_mut().enumerate() {
                let query = Query::new(from, to).by(ours[a]).with_neighbours(rule);
                let started = Instant::now();
                let answer = solver.solve(&query).expect("the ends are free");
                times[a][q] = times[a][q].min(started.elapsed().as_secs_f64());
                if round == 0 {
                    let found = answer.path().map(|path| path.cost);
                    let same = found
                        .zip(cost)
                        .map_or(found.is_none() && cost.is_none(), |(x, y)| (x - y).abs() < 1e-4);
                    assert!(same, "{} {}: {found:?} is not {cost:?} from {from} to {to}", map.name, ours[a]);
                }
            }
        }
    }
    print!("{:24}{:>12.1}", map.name, median(peer.clone()) * 1e6);
    let ratios: Vec<f64> = times
        .iter()
        .map(|times| median(times.iter().zip(&peer).map(|(ours, peer)| peer / ours).collect()))
        .collect();
    ratios.iter().for_each(|ratio| print!("{ratio:>14.1}"));
    let best = (0..ours.len()).max_by(|&a, &b| ratios[a].total_cmp(&ratios[b])).unwrap_or(0);
    let cells = f64::from(map.grid.width()) * f64::from(map.grid.height());
    println!(
        "{:>10.1}  {:>12.2}{:>12.1}",
        ratios[best],
        prepare[best],
        solvers[best].memory_bytes() as f64 / cells
    );
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The peer on the same neighbour rule: cells as pairs of numbers, costs as integers, as its users do.
fn peer_astar(grid: &Grid, rule: Neighbours, from: Cell, to: Cell) -> Option<f64> {
    const STRAIGHT: u64 = 13860;
    const DIAGONAL: u64 = 19601;
    let free = |row: i32, col: i32| row >= 0 && col >= 0 && grid.is_free(Cell::new(row as u32, col as u32));
    let goal = (to.row as i32, to.col as i32);
    let start = (from.row as i32, from.col as i32);
    let (path, _) = if rule == Neighbours::Four {
        let next = |&(r, c): &(i32, i32)| {
            [(r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)]
                .into_iter()
                .filter(|&(r, c)| free(r, c))
                .map(|cell| (cell, 1u64))
        };
        let h = |&(r, c): &(i32, i32)| u64::from(r.abs_diff(goal.0) + c.abs_diff(goal.1));
        pathfinding::prelude::astar(&start, next, h, |cell| *cell == goal)?
    } else {
        let next = |&(r, c): &(i32, i32)| {
            let (n, e, s, w) = (free(r - 1, c), free(r, c + 1), free(r + 1, c), free(r, c - 1));
            [
                (n, (r - 1, c), STRAIGHT),
                (e, (r, c + 1), STRAIGHT),
                (s, (r + 1, c), STRAIGHT),
                (w, (r, c - 1), STRAIGHT),
                (n && e && free(r - 1, c + 1), (r - 1, c + 1), DIAGONAL),
                (s && e && free(r + 1, c + 1), (r + 1, c + 1), DIAGONAL),
                (s && w && free(r + 1, c - 1), (r + 1, c - 1), DIAGONAL),
                (n && w && free(r - 1, c - 1), (r - 1, c - 1), DIAGONAL),
            ]
            .into_iter()
            .filter(|step| step.0)
            .map(|(_, cell, cost)| (cell, cost))
        };
        let h = |&(r, c): &(i32, i32)| {
            let (rows, cols) = (u64::from(r.abs_diff(goal.0)), u64::from(c.abs_diff(goal.1)));
            let both = rows.min(cols);
            (rows.max(cols) - both) * STRAIGHT + both * DIAGONAL
        };
        pathfinding::prelude::astar(&start, next, h, |cell| *cell == goal)?
    };
    let turned = |pair: &&[(i32, i32)]| pair[0].0 != pair[1].0 && pair[0].1 != pair[1].1;
    let diagonal = path.windows(2).filter(turned).count();
    Some((path.len() - 1 - diagonal) as f64 + diagonal as f64 * std::f64::consts::SQRT_2)
}

fn maps(queries: usize) -> Vec<Map> {
    let mut maps: Vec<Map> = [Style::Backtracker, Style::Wilson, Style::Obstacles, Style::Rooms]
        .into_iter()
        .map(|style| made(style, queries))
        .collect();
    let named = std::env::var_os("TENGEN_MOVINGAI").map(PathBuf::from);
    let Some(folder) = named.or_else(|| game::testing::shared_data("movingai")) else { return maps };
    for name in
        ["dao/brc202d", "mazes/maze512-8-0", "rooms/32room_000", "mazes/maze512-1-0", "random/random512-25-0"]
    {
        let read = |ending: &str| {
            let path = folder.join(format!("{name}{ending}"));
            std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        let (map, scenarios) = (read(".map"), read(".map.scen"));
        let grid = maze::format::read(name, &map).expect(name).grid;
        let list = maze::format::read_scenarios(name, &scenarios).expect(name).list;
        // Evenly over the file, which is sorted by length.
        let picked = (0..queries).map(|i| &list[(2 * i + 1) * list.len() / (2 * queries)]);
        let queries = picked.map(|scenario| (scenario.from, scenario.to)).collect();
        maps.push(Map { name: name.rsplit('/').next().unwrap_or(name).to_owned(), grid, queries });
    }
    maps
}

/// A map of our own, with queries between cells far apart in reading order.
fn made(style: Style, queries: usize) -> Map {
    let recipe = Recipe { room: 31, ..Recipe::new(style, 257, 257, 11) };
    let grid = recipe.make().expect("a good recipe");
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let pick = |i: usize| free[i * 7919 % free.len()];
    let queries = (0..queries).map(|i| (pick(2 * i + 1), pick(2 * i + 2 + free.len() / 3))).collect();
    Map { name: format!("{style} 257x257"), grid, queries }
}
