//! The path searches against each other, with breadth-first search as the oracle, on random grids and the 8-puzzle.

use search::Rng;
use search::path::{
    Memory, PathObserver, PathOutcome, PathSearchResult, Problem, astar, bfs, dijkstra, idastar,
};
use search::stop::{after, never};

/// A grid with walls; entering a cell costs what `cost` says.
struct Grid {
    side: usize,
    wall: Vec<bool>,
    cost: Vec<f64>,
}

impl Grid {
    fn random(rng: &mut Rng, side: usize, walls: f64, dearest: usize) -> Grid {
        let cells = side * side;
        let mut wall: Vec<bool> = (0..cells).map(|_| rng.unit() < walls).collect();
        (wall[0], wall[cells - 1]) = (false, false);
        Grid { side, wall, cost: (0..cells).map(|_| 1.0 + rng.below(dearest) as f64).collect() }
    }
}

impl Problem for Grid {
    type State = (usize, usize);

    fn start(&self) -> Self::State {
        (0, 0)
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        *state == (self.side - 1, self.side - 1)
    }

    fn successors(&self, &(row, col): &Self::State, out: &mut Vec<(Self::State, f64)>) {
        let beside = [(row + 1, col), (row, col + 1), (row.wrapping_sub(1), col), (row, col.wrapping_sub(1))];
        for (r, c) in beside {
            if r < self.side && c < self.side && !self.wall[r * self.side + c] {
                out.push(((r, c), self.cost[r * self.side + c]));
            }
        }
    }

    fn heuristic(&self, &(row, col): &Self::State) -> f64 {
        (2 * (self.side - 1) - row - col) as f64
    }
}

/// The sliding 8-puzzle, 0 the gap.
struct EightPuzzle([u8; 9]);

impl Problem for EightPuzzle {
    type State = [u8; 9];

    fn start(&self) -> Self::State {
        self.0
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        *state == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    }

    fn successors(&self, state: &Self::State, out: &mut Vec<(Self::State, f64)>) {
        let gap = state.iter().position(|&tile| tile == 0).unwrap();
        for to in 0..9usize {
            if (to / 3).abs_diff(gap / 3) + (to % 3).abs_diff(gap % 3) == 1 {
                let mut next = *state;
                next.swap(gap, to);
                out.push((next, 1.0));
            }
        }
    }

    fn heuristic(&self, state: &Self::State) -> f64 {
        let distance = |(at, &tile): (usize, &u8)| {
            let home = usize::from(tile);
            if tile == 0 { 0 } else { (at / 3).abs_diff(home / 3) + (at % 3).abs_diff(home % 3) }
        };
        state.iter().enumerate().map(distance).sum::<usize>() as f64
    }
}

/// Walks the path, checks every step and the cost.
fn check_path<P: Problem>(problem: &P, outcome: &PathOutcome<P::State>)
where
    P::State: std::fmt::Debug,
{
    let PathSearchResult::Found { path, cost } = &outcome.result else { return };
    assert!(path[0] == problem.start() && problem.is_goal(path.last().unwrap()));
    let mut sum = 0.0;
    for step in path.windows(2) {
        let mut out = Vec::new();
        problem.successors(&step[0], &mut out);
        let found =
            out.iter().filter(|(to, _)| *to == step[1]).map(|(_, cost)| *cost).fold(f64::NAN, f64::min);
        sum += found;
    }
    assert_eq!(sum, *cost);
}

#[test]
fn all_agree_with_breadth_first_search_on_random_grids() {
    let mut rng = Rng::new(1);
    let (mut solved, mut blocked) = (0, 0);
    for _ in 0..150 {
        let grid = Grid::random(&mut rng, 10, 0.35, 1);
        let oracle = bfs(&grid, never(), &mut ());
        check_path(&grid, &oracle);
        if oracle.path().is_some() {
            solved += 1
        } else {
            blocked += 1
        }
        for outcome in [
            dijkstra(&grid, never(), &mut ()),
            astar(&grid, 1.0, never(), &mut ()),
            idastar(&grid, Memory::Costs, never(), &mut ()),
        ] {
            check_path(&grid, &outcome);
            assert_eq!(outcome.cost(), oracle.cost());
        }
        assert!(astar(&grid, 1.0, never(), &mut ()).stats.expanded <= oracle.stats.expanded.max(1));
    }
    assert!(solved > 20 && blocked > 20, "{solved} {blocked}");
}

#[test]
fn weighted_cells_and_the_bound_of_weighted_astar() {
    let mut rng = Rng::new(2);
    let (mut least_work, mut weighted_work, mut worse) = (0, 0, 0);
    for _ in 0..100 {
        let grid = Grid::random(&mut rng, 14, 0.2, 4);
        let least = dijkstra(&grid, never(), &mut ());
        let exact = astar(&grid, 1.0, never(), &mut ());
        assert_eq!(least.cost(), exact.cost());
        assert_eq!(exact.stats.reopened, 0, "the heuristic is consistent");
        for weight in [1.5, 3.0, 10.0] {
            let quick = astar(&grid, weight, never(), &mut ());
            check_path(&grid, &quick);
            assert_eq!(quick.cost().is_some(), least.cost().is_some());
            if let (Some(quick_cost), Some(least_cost)) = (quick.cost(), least.cost()) {
                assert!(least_cost <= quick_cost && quick_cost <= weight * least_cost);
                worse += u32::from(quick_cost > least_cost);
                least_work += exact.stats.expanded;
                weighted_work += quick.stats.expanded;
            }
        }
    }
    assert!(worse > 0 && weighted_work < least_work);
    let small = Grid::random(&mut rng, 6, 0.2, 3);
    let exact = dijkstra(&small, never(), &mut ());
    assert_eq!(idastar(&small, Memory::Costs, never(), &mut ()).cost(), exact.cost());
    assert_eq!(astar(&small, f64::NAN, never(), &mut ()).cost(), exact.cost());
}

#[test]
fn eight_puzzles_take_the_same_number_of_moves() {
    let mut rng = Rng::new(3);
    for scramble in 0..20 {
        let mut tiles = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        for _ in 0..scramble {
            let mut out = Vec::new();
            EightPuzzle(tiles).successors(&tiles, &mut out);
            tiles = rng.pick(&out).unwrap().0;
        }
        let puzzle = EightPuzzle(tiles);
        let oracle = bfs(&puzzle, never(), &mut ());
        for outcome in [
            dijkstra(&puzzle, never(), &mut ()),
            astar(&puzzle, 1.0, never(), &mut ()),
            idastar(&puzzle, Memory::PathOnly, never(), &mut ()),
            idastar(&puzzle, Memory::Costs, never(), &mut ()),
        ] {
            check_path(&puzzle, &outcome);
            assert_eq!(outcome.cost(), oracle.cost());
        }
    }
}

#[test]
fn an_inconsistent_heuristic_reopens_and_is_still_optimal() {
    /// Two ways to C: A-B-C (1 + 1) and A-C (3); C to goal costs 10. B looks bad (h = 11 is still admissible).
    struct Diamond;
    impl Problem for Diamond {
        type State = char;
        fn start(&self) -> char {
            'A'
        }
        fn is_goal(&self, state: &char) -> bool {
            *state == 'G'
        }
        fn successors(&self, state: &char, out: &mut Vec<(char, f64)>) {
            match state {
                'A' => out.extend([('B', 1.0), ('C', 3.0)]),
                'B' => out.push(('C', 1.0)),
                'C' => out.push(('G', 10.0)),
                _ => {}
            }
        }
        fn heuristic(&self, state: &char) -> f64 {
            if *state == 'B' { 11.0 } else { 0.0 }
        }
    }
    let outcome = astar(&Diamond, 1.0, never(), &mut ());
    assert_eq!(outcome.result, PathSearchResult::Found { path: vec!['A', 'B', 'C', 'G'], cost: 12.0 });
    assert_eq!(outcome.stats.reopened, 1);
    assert_eq!(idastar(&Diamond, Memory::Costs, never(), &mut ()).cost(), Some(12.0));
}

#[test]
fn giving_up_is_not_the_same_as_no_path() {
    let mut rng = Rng::new(4);
    let open = Grid::random(&mut rng, 30, 0.0, 1);
    let gave_up = idastar(&open, Memory::PathOnly, after(10), &mut ());
    assert_eq!((gave_up.result, gave_up.stats.expanded), (PathSearchResult::GaveUp, 10));
    assert_eq!(astar(&open, 1.0, after(5), &mut ()).result, PathSearchResult::GaveUp);
    assert_eq!(bfs(&open, after(5), &mut ()).result, PathSearchResult::GaveUp);

    let mut walled = Grid::random(&mut rng, 5, 0.0, 1);
    (walled.wall[1], walled.wall[5]) = (true, true);
    assert_eq!(idastar(&walled, Memory::PathOnly, never(), &mut ()).result, PathSearchResult::NoPath);
    assert_eq!(dijkstra(&walled, never(), &mut ()).result, PathSearchResult::NoPath);
}

#[test]
fn observers_see_exactly_the_counted_states() {
    #[derive(Default, PartialEq, Debug)]
    struct Count {
        expanded: u64,
        generated: u64,
        reopened: u64,
        bounds: Vec<f64>,
    }
    impl<S> PathObserver<S> for Count {
        fn expand(&mut self, _: &S, _: f64, _: f64) {
            self.expanded += 1;
        }
        fn generate(&mut self, _: &S, _: &S, _: f64) {
            self.generated += 1;
        }
        fn reopen(&mut self, _: &S, _: f64, _: f64) {
            self.reopened += 1;
        }
        fn bound(&mut self, bound: f64) {
            self.bounds.push(bound);
        }
    }
    let grid = Grid::random(&mut Rng::new(5), 9, 0.3, 3);
    for algorithm in 0..4 {
        let mut count = Count::default();
        let stats = match algorithm {
            0 => bfs(&grid, never(), &mut count).stats,
            1 => dijkstra(&grid, never(), &mut count).stats,
            2 => astar(&grid, 2.0, never(), &mut count).stats,
            _ => idastar(&grid, Memory::Costs, never(), &mut count).stats,
        };
        assert!(stats.expanded > 1);
        assert_eq!(
            (stats.expanded, stats.generated, stats.reopened),
            (count.expanded, count.generated, count.reopened)
        );
        if algorithm == 3 {
            assert_eq!(stats.rounds, count.bounds.len() as u64);
            assert!(count.bounds.is_sorted());
        }
    }
}
