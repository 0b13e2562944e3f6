//! Every algorithm against a slow, obvious oracle on small random grids, and the answers' own consistency.

use maze::{Algorithm, Cell, Grid, Neighbours, Outcome, Path, Query, Solver};
use pathfinding::prelude::dijkstra;
use proptest::prelude::*;
use search::Rng;

fn grid_strategy() -> impl Strategy<Value = (Grid, Cell, Cell)> {
    (1u64..14, 1u64..90, 0u8..60, any::<u64>()).prop_map(|(height, width, walls, seed)| {
        let mut rng = Rng::new(seed);
        // Half of the grids lie on their side: columns are scanned like rows.
        let (height, width) = if seed % 2 == 0 { (height, width) } else { (width, height) };
        let mut grid = Grid::open(height, width).unwrap();
        for cell in grid.cells() {
            grid.set_free(cell, rng.below(100) >= usize::from(walls));
        }
        let mut pick = || Cell::new(rng.below(height as usize) as u32, rng.below(width as usize) as u32);
        let (from, to) = (pick(), pick());
        grid.set_free(from, true);
        grid.set_free(to, true);
        (grid, from, to)
    })
}

/// The rule once more, written as plainly as possible.
fn successors(grid: &Grid, rule: Neighbours, cell: Cell) -> Vec<(Cell, f64)> {
    let mut list = Vec::new();
    for (dr, dc) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)] {
        let at = |dr, dc| Cell::new(cell.row.wrapping_add_signed(dr), cell.col.wrapping_add_signed(dc));
        let to = at(dr, dc);
        let sides = u8::from(grid.is_free(at(dr, 0))) + u8::from(grid.is_free(at(0, dc)));
        let allowed = match rule {
            _ if dr == 0 || dc == 0 => true,
            Neighbours::Four => false,
            Neighbours::Eight => sides == 2,
            Neighbours::EightCutting => sides >= 1,
        };
        if allowed && grid.is_free(to) {
            let length = if dr == 0 || dc == 0 { 1.0 } else { 2f64.sqrt() };
            list.push((to, length * f64::from(grid.weight(to))));
        }
    }
    list
}

fn optimum(grid: &Grid, rule: Neighbours, from: Cell, to: Cell) -> Option<f64> {
    const SCALE: f64 = 1e9;
    let next = |cell: &Cell| {
        let list = successors(grid, rule, *cell);
        list.into_iter().map(|(cell, cost)| (cell, (cost * SCALE).round() as u64)).collect::<Vec<_>>()
    };
    dijkstra(&from, next, |cell| *cell == to).map(|(_, cost)| cost as f64 / SCALE)
}

/// Every step is a legal one and the cost is their sum.
fn check_path(grid: &Grid, rule: Neighbours, path: &Path, from: Cell, to: Cell) {
    assert_eq!((path.cells.first(), path.cells.last()), (Some(&from), Some(&to)));
    let mut cost = 0.0;
    for pair in path.cells.windows(2) {
        let step = successors(grid, rule, pair[0]).into_iter().find(|(cell, _)| *cell == pair[1]);
        cost += step.unwrap_or_else(|| panic!("{} to {} is no step", pair[0], pair[1])).1;
    }
    assert!((cost - path.cost).abs() < 1e-6, "{cost} is not {}", path.cost);
}

fn check_all(grid: &Grid, from: Cell, to: Cell) {
    let mut solver = Solver::new(grid);
    for rule in Neighbours::ALL {
        let expected = optimum(grid, rule, from, to);
        for algorithm in Algorithm::ALL {
            if algorithm.is_any_angle()
                || !algorithm.allows(rule)
                || (grid.is_weighted() && !algorithm.allows_weights())
            {
                continue;
            }
            let query = Query { weight: 2.0, ..Query::new(from, to).by(algorithm).with_neighbours(rule) };
            let answer = solver.solve(&query).unwrap();
            let name = format!("{algorithm} with {rule} neighbours");
            match (&answer.outcome, expected) {
                (Outcome::NoPath, None) => {}
                (Outcome::Found(path), Some(expected)) => {
                    check_path(grid, rule, path, from, to);
                    match answer.bound {
                        Some(bound) => assert!(
                            path.cost <= expected * bound + 1e-6,
                            "{name}: {} for {expected}",
                            path.cost
                        ),
                        None => assert_eq!(algorithm, Algorithm::Bfs),
                    }
                    assert!(path.cost >= expected - 1e-6, "{name}: {} for {expected}", path.cost);
                }
                (outcome, expected) => panic!("{name}: {outcome:?} for {expected:?}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn all_algorithms_agree_with_the_oracle((grid, from, to) in grid_strategy()) {
        check_all(&grid, from, to);
    }

    #[test]
    fn with_weights_too((mut grid, from, to) in grid_strategy(), seed: u64) {
        for (i, cell) in grid.cells().enumerate() {
            grid.set_weight(cell, (seed.rotate_left(i as u32 % 61) % 9 + 1) as u8);
        }
        check_all(&grid, from, to);
    }
}
