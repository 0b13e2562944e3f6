//! Any-angle search against a visibility graph of all cells, written as plainly as possible.

use maze::{Algorithm, Cell, Grid, Neighbours, Outcome, Path, Query, Solver};
use pathfinding::prelude::dijkstra;
use proptest::prelude::*;

fn grid_strategy(
    sides: std::ops::Range<u32>,
    walls: std::ops::Range<u8>,
) -> impl Strategy<Value = (Grid, Cell, Cell)> {
    (sides.clone(), sides, walls).prop_flat_map(|(height, width, walls)| {
        let cells = prop::collection::vec(0u8..100, (height * width) as usize);
        (cells, 0..height, 0..width, 0..height, 0..width).prop_map(move |(cells, r1, c1, r2, c2)| {
            let mut grid = Grid::open(u64::from(height), u64::from(width)).unwrap();
            for (cell, number) in grid.cells().zip(cells) {
                grid.set_free(cell, number >= walls);
            }
            let (from, to) = (Cell::new(r1, c1), Cell::new(r2, c2));
            grid.set_free(from, true);
            grid.set_free(to, true);
            (grid, from, to)
        })
    })
}

/// The centre of the agent keeps out of the open 2x2 square around every blocked cell, and of what is outside the map.
fn sees(grid: &Grid, a: Cell, b: Cell) -> bool {
    grid.cells().all(|wall| grid.is_free(wall) || !enters(a, b, wall))
}

/// Does the line pass through the open square? Clips its parameter, a fraction, to the square's rows and columns.
fn enters(a: Cell, b: Cell, wall: Cell) -> bool {
    // The part of the line from `low` to `high`, as fractions with denominators above zero.
    let (mut low, mut high) = ((0i64, 1i64), (1i64, 1i64));
    for (a, b, wall) in [(a.row, b.row, wall.row), (a.col, b.col, wall.col)] {
        let (start, change) = (i64::from(a) - i64::from(wall), i64::from(b) - i64::from(a));
        if change == 0 {
            if start.abs() >= 1 {
                return false;
            }
            continue;
        }
        let (near, far) = if change > 0 { (-1 - start, 1 - start) } else { (start - 1, start + 1) };
        let size = change.abs();
        if near * low.1 > low.0 * size {
            low = (near, size);
        }
        if far * high.1 < high.0 * size {
            high = (far, size);
        }
    }
    low.0 * high.1 < high.0 * low.1
}

fn length(a: Cell, b: Cell) -> f64 {
    f64::from(a.row.abs_diff(b.row)).hypot(f64::from(a.col.abs_diff(b.col)))
}

const SCALE: f64 = 1e12;

fn optimum(grid: &Grid, from: Cell, to: Cell) -> Option<f64> {
    optimum_by(grid, from, to, &|_| true)
}

/// The same with turns at some cells only.
fn optimum_by(grid: &Grid, from: Cell, to: Cell, may_turn: &dyn Fn(Cell) -> bool) -> Option<f64> {
    let cells: Vec<Cell> =
        grid.cells().filter(|cell| grid.is_free(*cell) && (may_turn(*cell) || *cell == to)).collect();
    let next = |cell: &Cell| {
        let at = *cell;
        let others = cells.iter().copied().filter(|other| *other != at && sees(grid, at, *other));
        others.map(|other| (other, (length(at, other) * SCALE).round() as u64)).collect::<Vec<_>>()
    };
    dijkstra(&from, next, |cell| *cell == to).map(|(_, cost)| cost as f64 / SCALE)
}

fn solve(grid: &Grid, algorithm: Algorithm, from: Cell, to: Cell) -> Option<Path> {
    let query = Query::new(from, to).by(algorithm).with_neighbours(Neighbours::Eight);
    match Solver::new(grid).solve(&query).unwrap().outcome {
        Outcome::Found(path) => Some(path),
        Outcome::NoPath => None,
        Outcome::OutOfBudget { .. } => panic!("there was no budget"),
    }
}

fn check_path(grid: &Grid, path: &Path, from: Cell, to: Cell) {
    assert_eq!((path.cells.first(), path.cells.last()), (Some(&from), Some(&to)));
    for pair in path.cells.windows(2) {
        assert!(sees(grid, pair[0], pair[1]), "{} does not see {}", pair[0], pair[1]);
    }
    let sum: f64 = path.cells.windows(2).map(|pair| length(pair[0], pair[1])).sum();
    assert!((sum - path.cost).abs() < 1e-9);
}

/// The map turned by a quarter, or seen in a mirror.
fn image(grid: &Grid, mirrored: bool, turn: impl Fn(Cell) -> Cell) -> Grid {
    let (height, width) = (u64::from(grid.height()), u64::from(grid.width()));
    let mut other =
        if mirrored { Grid::blocked(height, width) } else { Grid::blocked(width, height) }.unwrap();
    grid.cells().filter(|cell| grid.is_free(*cell)).for_each(|cell| other.set_free(turn(cell), true));
    other
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn exact_costs_are_the_oracles_and_theta_is_between((grid, from, to) in grid_strategy(1..9, 0..60)) {
        let expected = optimum(&grid, from, to);
        let exact = solve(&grid, Algorithm::AnyAngle, from, to);
        let theta = solve(&grid, Algorithm::Theta, from, to);
        let steps = solve(&grid, Algorithm::AStar, from, to);
        prop_assert_eq!(exact.is_some(), expected.is_some());
        prop_assert_eq!(theta.is_some(), expected.is_some());
        prop_assert_eq!(steps.is_some(), expected.is_some());
        if let (Some(expected), Some(exact), Some(theta), Some(steps)) = (expected, exact, theta, steps) {
            check_path(&grid, &exact, from, to);
            check_path(&grid, &theta, from, to);
            check_path(&grid, &steps, from, to);
            prop_assert!((exact.cost - expected).abs() < 1e-9, "{} for {}", exact.cost, expected);
            prop_assert!(theta.cost >= exact.cost - 1e-9);
            prop_assert!(exact.cost <= steps.cost + 1e-9);
        }
    }

    #[test]
    fn all_symmetries_and_the_way_back_cost_the_same((grid, from, to) in grid_strategy(1..9, 0..60)) {
        let cost = |grid: &Grid, from, to| solve(grid, Algorithm::AnyAngle, from, to).map(|path| path.cost);
        let expected = cost(&grid, from, to);
        let close = |other: Option<f64>| match (expected, other) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-9,
            (a, b) => a == b,
        };
        prop_assert!(close(cost(&grid, to, from)));
        let (mut grid, mut from, mut to) = (grid, from, to);
        for _ in 0..4 {
            let (bottom, right) = (grid.height() - 1, grid.width() - 1);
            let mirror = |cell: Cell| Cell::new(cell.row, right - cell.col);
            prop_assert!(close(cost(&image(&grid, true, mirror), mirror(from), mirror(to))));
            let turn = |cell: Cell| Cell::new(cell.col, bottom - cell.row);
            grid = image(&grid, false, turn);
            (from, to) = (turn(from), turn(to));
            prop_assert!(close(cost(&grid, from, to)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Few walls on maps of more than a word per row: long lines, wide cones. The oracle turns only beside walls.
    #[test]
    fn exact_costs_are_the_oracles_on_wide_maps((grid, from, to) in grid_strategy(20..80, 0..6)) {
        let beside_a_wall = |cell: Cell| {
            let around = |row: i32, col: i32| {
                Cell::new(cell.row.wrapping_add_signed(row), cell.col.wrapping_add_signed(col))
            };
            (-1..=1).any(|row| (-1..=1).any(|col| {
                let other = around(row, col);
                grid.contains(other) && !grid.is_free(other) && row * col != 0
            }))
        };
        let expected = optimum_by(&grid, from, to, &beside_a_wall);
        let exact = solve(&grid, Algorithm::AnyAngle, from, to);
        prop_assert_eq!(exact.is_some(), expected.is_some());
        if let (Some(expected), Some(exact)) = (expected, exact) {
            check_path(&grid, &exact, from, to);
            prop_assert!((exact.cost - expected).abs() < 1e-8, "{} for {}", exact.cost, expected);
        }
    }
}

#[test]
fn a_solver_forgets_earlier_queries() {
    let grid = maze::generate::Recipe::new(maze::generate::Style::ALL[0], 25, 31, 3).make().unwrap();
    let free: Vec<Cell> = grid.cells().filter(|cell| grid.is_free(*cell)).collect();
    for algorithm in [Algorithm::AnyAngle, Algorithm::Theta] {
        let mut solver = Solver::new(&grid);
        for i in 0..20 {
            let (from, to) = (free[i * 7 % free.len()], free[free.len() - 1 - i * 11 % free.len()]);
            let query = Query::new(from, to).by(algorithm).with_neighbours(Neighbours::Eight);
            let again = solver.solve(&query).unwrap();
            assert_eq!(again.path(), solve(&grid, algorithm, from, to).as_ref());
        }
    }
}
