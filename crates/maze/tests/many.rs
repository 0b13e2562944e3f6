//! Many queries and many goals against one query at a time.

use game::StopFlag;
use maze::{Algorithm, Budget, Cell, FirstMoves, Grid, Neighbours, Query, Solver, batch};
use proptest::prelude::*;
use std::num::NonZero;

fn grid_strategy() -> impl Strategy<Value = (Grid, Vec<Cell>)> {
    (2u32..14, 2u32..14, 0u8..50).prop_flat_map(|(height, width, walls)| {
        let cells = prop::collection::vec((0u8..100, 1u8..4), (height * width) as usize);
        let ends = prop::collection::vec((0..height, 0..width), 2..40);
        (cells, ends, any::<bool>()).prop_map(move |(cells, ends, weighted)| {
            let mut grid = Grid::open(u64::from(height), u64::from(width)).unwrap();
            for (cell, (number, weight)) in grid.cells().zip(cells) {
                grid.set_free(cell, number >= walls);
                grid.set_weight(cell, if weighted { weight } else { 1 });
            }
            let ends: Vec<Cell> = ends.into_iter().map(|(row, col)| Cell::new(row, col)).collect();
            ends.iter().for_each(|end| grid.set_free(*end, true));
            (grid, ends)
        })
    })
}

fn cost(grid: &Grid, from: Cell, to: Cell, rule: Neighbours) -> Option<f64> {
    let query = Query::new(from, to).by(Algorithm::Dijkstra).with_neighbours(rule);
    Solver::new(grid).solve(&query).unwrap().path().map(|path| path.cost)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_nearest_goals_are_those_of_single_searches((grid, ends) in grid_strategy(), count in 0usize..50) {
        let (from, goals) = (ends[0], &ends[1..]);
        for rule in Neighbours::ALL {
            let mut expected: Vec<f64> = goals.iter().filter_map(|goal| cost(&grid, from, *goal, rule)).collect();
            expected.sort_by(f64::total_cmp);
            expected.truncate(count);
            let found = Solver::new(&grid).nearest(from, goals, count, rule, &Budget::default()).unwrap();
            prop_assert!(found.complete);
            prop_assert_eq!(found.reached.len(), expected.len());
            let mut indices: Vec<usize> = found.reached.iter().map(|reached| reached.index).collect();
            for (reached, expected) in found.reached.iter().zip(expected) {
                prop_assert_eq!(reached.goal, goals[reached.index]);
                prop_assert!((reached.cost - expected).abs() < 1e-5, "{} for {}", reached.cost, expected);
                let alone = cost(&grid, from, reached.goal, rule).unwrap();
                prop_assert!((reached.cost - alone).abs() < 1e-5, "{} for {}", reached.cost, alone);
            }
            indices.sort_unstable();
            indices.dedup();
            prop_assert_eq!(indices.len(), found.reached.len());
        }
    }

    #[test]
    fn a_batch_answers_in_order_on_any_number_of_threads((grid, ends) in grid_strategy(), threads in 1usize..5) {
        let queries: Vec<Query> = ends
            .iter()
            .flat_map(|from| ends.iter().take(3).map(|to| Query::new(*from, *to).with_neighbours(Neighbours::Eight)))
            .collect();
        let found = batch(|| Solver::new(&grid), &queries, NonZero::new(threads).unwrap(), |index, searched| {
            (index, searched.unwrap().cost())
        });
        prop_assert_eq!(found.len(), queries.len());
        for (i, ((index, found), query)) in found.into_iter().zip(&queries).enumerate() {
            prop_assert_eq!(index, i);
            let alone = cost(&grid, query.from, query.to, Neighbours::Eight);
            prop_assert_eq!(found.is_some(), alone.is_some());
            prop_assert!((found.unwrap_or(0.0) - alone.unwrap_or(0.0)).abs() < 1e-5);
        }
    }

    #[test]
    fn first_moves_lead_along_shortest_paths((grid, ends) in grid_strategy()) {
        if grid.is_weighted() {
            return Ok(());
        }
        let table = FirstMoves::build(&grid, NonZero::new(2).unwrap(), &StopFlag::new(), &|_| {}).unwrap();
        for pair in ends.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let Some(whole) = cost(&grid, from, to, Neighbours::Eight).filter(|_| from != to) else {
                prop_assert_eq!(table.first_move(from, to), None);
                continue;
            };
            let next = table.first_move(from, to).unwrap();
            let step = f64::from(from.row.abs_diff(next.row) + from.col.abs_diff(next.col)).sqrt();
            let rest = cost(&grid, next, to, Neighbours::Eight).unwrap();
            prop_assert!((step + rest - whole).abs() < 1e-6, "{from} {next} {to}: {step} + {rest} is not {whole}");
        }
    }
}

#[test]
fn budgets_walls_and_empty_lists() {
    let mut grid = Grid::open(30, 30).unwrap();
    grid.set_free(Cell::new(3, 3), false);
    let mut solver = Solver::new(&grid);
    let goals = [Cell::new(0, 1), Cell::new(29, 29), Cell::new(0, 1)];
    let budget = Budget { expansions: Some(20), ..Budget::default() };
    let found = solver.nearest(Cell::new(0, 0), &goals, 3, Neighbours::Four, &budget).unwrap();
    assert_eq!((found.complete, found.expanded), (false, 20));
    assert_eq!(found.reached.iter().map(|reached| reached.index).collect::<Vec<_>>(), [0, 2]);
    let none = solver.nearest(Cell::new(0, 0), &[], 3, Neighbours::Four, &Budget::default()).unwrap();
    assert!(none.complete && none.reached.is_empty());
    let wall = solver.nearest(Cell::new(0, 0), &[Cell::new(3, 3)], 1, Neighbours::Four, &budget).unwrap_err();
    assert_eq!(wall.to_string(), "the goal 3,3 (row, column) is in a wall");
    assert!(batch(|| Solver::new(&grid), &[], NonZero::new(4).unwrap(), |index, _| index).is_empty());
}
