//! The game-tree searches against each other: on all of tic-tac-toe, and on made-up trees whose answers are known.

use std::collections::HashSet;

use search::Rng;
use search::adversarial::{
    Bound, Cutoff, Game, GameObserver, GameOutcome, Selection, TranspositionTable, UctOptions, Window,
    alpha_beta, alpha_beta_tt, flat_monte_carlo, full_tree, iterative_deepening, minimax, uct,
};
use search::rng::mix;
use search::stop::{after, never};
use search::tictactoe::TicTacToe;

/// A tree with the same number of moves everywhere; leaf values come from the path to them.
struct Uniform {
    width: usize,
    path: Vec<usize>,
    leaf: fn(&[usize]) -> f64,
}

impl Uniform {
    fn new(width: usize, leaf: fn(&[usize]) -> f64) -> Self {
        Uniform { width, path: Vec::new(), leaf }
    }
}

impl Game for Uniform {
    type Move = usize;
    fn moves(&mut self, out: &mut Vec<usize>) {
        out.extend(0..self.width);
    }
    fn play(&mut self, mv: usize) {
        self.path.push(mv);
    }
    fn undo(&mut self, mv: usize) {
        assert_eq!(self.path.pop(), Some(mv));
    }
    fn is_over(&self) -> bool {
        false
    }
    fn evaluate(&self) -> f64 {
        (self.leaf)(&self.path)
    }
    fn max_to_move(&self) -> bool {
        self.path.len().is_multiple_of(2)
    }
    fn result(&self) -> Option<f64> {
        None
    }
}

/// Every move but the first costs its mover something: the first is best everywhere.
fn first_is_best(path: &[usize]) -> f64 {
    path.iter().enumerate().map(|(ply, &mv)| if ply % 2 == 0 { -(mv as f64) } else { mv as f64 }).sum()
}

fn scattered(path: &[usize]) -> f64 {
    let hash = path.iter().fold(7, |hash, &mv| mix(hash ^ mv as u64));
    (hash % 41) as f64 - 20.0
}

fn all_positions() -> Vec<TicTacToe> {
    let mut met = HashSet::from([TicTacToe::new()]);
    let mut queue = vec![TicTacToe::new()];
    let mut moves = Vec::new();
    while let Some(position) = queue.pop() {
        if position.is_over() {
            continue;
        }
        moves.clear();
        position.clone().moves(&mut moves);
        for &mv in &moves {
            let mut next = position;
            next.play(mv);
            if met.insert(next) {
                queue.push(next);
            }
        }
    }
    met.into_iter().collect()
}

#[test]
fn minimax_alpha_beta_and_the_table_agree_on_every_position_of_tic_tac_toe() {
    let positions = all_positions();
    assert_eq!(positions.len(), 5478);
    let mut table = TranspositionTable::new(1 << 14);
    for mut position in positions {
        let before = position;
        let exact = minimax(&mut position, 9, never(), &mut ());
        let pruned = alpha_beta(&mut position, 9, never(), &mut ());
        let tabled = alpha_beta_tt(&mut position, 9, &mut table, never(), &mut ());
        assert_eq!(position, before, "a search leaves the game as it found it");
        for outcome in [&pruned, &tabled] {
            assert_eq!((outcome.value, outcome.best), (exact.value, exact.best), "\n{position}");
            assert!(outcome.completed && outcome.stats.nodes <= exact.stats.nodes);
        }
        // The line is legal and leads to the value.
        for &mv in &pruned.line {
            position.play(mv);
        }
        assert!(position.is_over());
        assert_eq!(position.evaluate(), exact.value);
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let whole = minimax(&mut TicTacToe::new(), 9, never(), &mut ());
    assert_eq!(whole.value, 0.0);
    assert!(whole.root.iter().all(|row| row.value == 0.0));
    // All 549,946 nodes of the game tree, the root included, of which 255,168 are finished games.
    assert_eq!((whole.stats.nodes, whole.stats.leaves), (549_945, 255_168));
    assert_eq!(whole.stats.full_tree().round(), 549_945.0);

    let pruned = alpha_beta(&mut TicTacToe::new(), 9, never(), &mut ());
    assert_eq!(pruned.value, 0.0);
    assert!(pruned.stats.prune_ratio(549_945.0) > 0.9);
    let tabled =
        alpha_beta_tt(&mut TicTacToe::new(), 9, &mut TranspositionTable::new(1 << 14), never(), &mut ());
    assert!(tabled.stats.nodes < pruned.stats.nodes / 3 && tabled.stats.table_hits > 0);
}

#[test]
fn perfect_ordering_visits_the_theoretical_minimum() {
    for width in 1..=5u64 {
        for depth in 1..=6u32 {
            let outcome =
                alpha_beta(&mut Uniform::new(width as usize, first_is_best), depth, never(), &mut ());
            let least = width.pow(depth.div_ceil(2)) + width.pow(depth / 2) - 1;
            assert_eq!(outcome.stats.leaves, least, "width {width}, depth {depth}");
            assert_eq!((outcome.value, outcome.best), (0.0, Some(0)));
            assert_eq!(outcome.stats.full_tree(), full_tree((0..depth).map(|_| width as f64)));
        }
    }
}

#[test]
fn alpha_beta_is_minimax_on_scattered_trees() {
    for (width, depth) in [(2, 9), (3, 6), (5, 4), (9, 3), (1, 5), (6, 1), (4, 0)] {
        let exact = minimax(&mut Uniform::new(width, scattered), depth, never(), &mut ());
        let pruned = alpha_beta(&mut Uniform::new(width, scattered), depth, never(), &mut ());
        assert_eq!((exact.value, exact.best, &exact.line), (pruned.value, pruned.best, &pruned.line));
        let nodes = full_tree((0..depth).map(|_| width as f64));
        assert_eq!(exact.stats.nodes as f64, nodes);
        assert_eq!(exact.stats.full_tree(), nodes);
        assert_eq!(exact.stats.prune_ratio(nodes), 0.0);
    }
}

/// Fail-hard alpha-beta as lecture notes write it, on plain numbers: the oracle for counts and for the root table.
fn plain(
    path: &mut Vec<usize>,
    width: usize,
    depth: usize,
    mut alpha: f64,
    mut beta: f64,
    nodes: &mut u64,
) -> f64 {
    if path.len() == depth {
        return scattered(path);
    }
    for mv in 0..width {
        *nodes += 1;
        let max = path.len().is_multiple_of(2);
        path.push(mv);
        let value = plain(path, width, depth, alpha, beta, nodes);
        path.pop();
        if max && value > alpha {
            alpha = value;
        } else if !max && value < beta {
            beta = value;
        }
        if beta <= alpha {
            break;
        }
    }
    if path.len().is_multiple_of(2) { alpha } else { beta }
}

#[test]
fn the_root_table_shows_what_fail_hard_search_returns() {
    let (width, depth) = (7, 5);
    let outcome = alpha_beta(&mut Uniform::new(width, scattered), depth, never(), &mut ());
    let (mut alpha, mut nodes) = (f64::NEG_INFINITY, 0);
    for (mv, row) in outcome.root.iter().enumerate() {
        let before = nodes;
        nodes += 1;
        let value = plain(&mut vec![mv], width, depth as usize, alpha, f64::INFINITY, &mut nodes);
        alpha = alpha.max(value);
        assert_eq!((row.mv, row.value, row.nodes), (mv, value, nodes - before));
        assert_eq!(value, alpha, "a move that is no better returns the bound");
    }
    assert_eq!((outcome.root.len(), outcome.stats.nodes, outcome.value), (width, nodes, alpha));
    assert_eq!(outcome.best, outcome.root.iter().find(|row| row.value == alpha).map(|row| row.mv));
}

#[test]
fn a_stopped_search_says_so_and_keeps_finished_moves() {
    let mut game = Uniform::new(5, scattered);
    let whole = alpha_beta(&mut game, 4, never(), &mut ());
    for limit in [0, 1, 20, 60] {
        let cut = alpha_beta(&mut game, 4, after(limit), &mut ());
        assert!(!cut.completed && game.path.is_empty());
        assert_eq!(cut.stats.nodes, limit);
        assert_eq!(cut.root, whole.root[..cut.root.len()]);
        assert_eq!(cut.best.is_some(), !cut.root.is_empty());
    }
}

#[test]
fn deepening_keeps_the_last_finished_answer() {
    let mut game = Uniform::new(4, scattered);
    let single: Vec<GameOutcome<usize>> =
        (1..=5).map(|depth| alpha_beta(&mut game, depth, never(), &mut ())).collect();
    let work: u64 = single.iter().map(|outcome| outcome.stats.nodes).sum();

    let mut depths = Vec::new();
    let whole =
        iterative_deepening(5, |d| alpha_beta(&mut game, d, never(), &mut ()), |o| depths.push(o.depth));
    assert_eq!(depths, [1, 2, 3, 4, 5]);
    assert_eq!((whole.value, whole.best, whole.stats.nodes), (single[4].value, single[4].best, work));

    let mut budget = after(work - 1);
    let cut = iterative_deepening(5, |d| alpha_beta(&mut game, d, &mut budget, &mut ()), |_| {});
    assert_eq!((cut.depth, cut.best, cut.stats.nodes), (4, single[3].best, work - 1));
}

#[test]
fn monte_carlo_shares_playouts_and_finds_the_win() {
    // X wins at once with 2; everything else lets O play on.
    let mut position: TicTacToe = "XX.OO....".parse().unwrap();
    let outcome = flat_monte_carlo(&mut position, 1003, &mut Rng::new(1), never(), &mut ());
    assert_eq!((outcome.best, outcome.playouts, outcome.completed), (Some(2), 1003, true));
    assert_eq!(outcome.root.iter().map(|row| row.visits).collect::<Vec<_>>(), [201, 201, 201, 200, 200]);
    assert_eq!(outcome.root[0].rate(true), 1.0);

    let mut merged = flat_monte_carlo(&mut position, 500, &mut Rng::stream(1, 0), never(), &mut ());
    let other = flat_monte_carlo(&mut position, 500, &mut Rng::stream(1, 1), after(70), &mut ());
    assert!(!other.completed && other.playouts == 70);
    merged.merge(&other);
    assert_eq!((merged.best, merged.playouts, merged.completed), (Some(2), 570, false));
    assert_eq!(merged.root.iter().map(|row| row.visits).sum::<u64>(), 570);

    // MIN's rates are MIN's: O to move must take 5.
    let mut position: TicTacToe = "XX.OO...X".parse().unwrap();
    let outcome = flat_monte_carlo(&mut position, 1000, &mut Rng::new(1), never(), &mut ());
    assert_eq!(outcome.best, Some(5));
}

#[test]
fn uct_converges_to_the_minimax_move() {
    let mut rng = Rng::new(9);
    let mut positions: Vec<TicTacToe> =
        all_positions().into_iter().filter(|position| !position.is_over()).collect();
    positions.sort_by_key(|position| position.hash());
    for seed in 0..60 {
        let mut position = rng.pick(&positions).unwrap();
        let exact = minimax(&mut position, 9, never(), &mut ());
        let options = UctOptions { playouts: 8000, seed, ..UctOptions::default() };
        let outcome = uct(&mut position, &options, never(), &mut ());
        let value = exact.root.iter().find(|row| Some(row.mv) == outcome.best).map(|row| row.value);
        assert_eq!(value, Some(exact.value), "\n{position}\n{outcome:?}");
        assert_eq!(outcome.root.iter().map(|row| row.visits).sum::<u64>(), 8000);
        assert_eq!(uct(&mut position, &options, never(), &mut ()), outcome, "same seed, same search");
    }
}

#[test]
fn uct_respects_its_arena_and_its_stop() {
    let options = UctOptions { playouts: 3000, max_nodes: 100, ..UctOptions::default() };
    let outcome = uct(&mut TicTacToe::new(), &options, never(), &mut ());
    assert!(outcome.nodes <= 100 + 9 && outcome.playouts == 3000);
    let stopped = uct(&mut TicTacToe::new(), &options, after(17), &mut ());
    assert!(stopped.playouts == 17 && !stopped.completed);
    let mut over: TicTacToe = "XXXOO....".parse().unwrap();
    assert_eq!(uct(&mut over, &options, never(), &mut ()).best, None);
    assert_eq!(flat_monte_carlo(&mut over, 10, &mut Rng::new(1), never(), &mut ()).best, None);
    assert_eq!(alpha_beta(&mut over, 9, never(), &mut ()).best, None);
    assert_eq!(alpha_beta(&mut over, 9, never(), &mut ()).value, 1.0);
}

/// Counts, and checks that what it is shown fits together.
#[derive(Default)]
struct Watcher {
    open: Vec<(u32, Window)>,
    nodes: u64,
    cutoffs: u64,
    hits: u64,
    deep_cuts: u64,
    selections: u64,
    playouts: u64,
    backups: u64,
}

impl<M: Copy + Eq + std::fmt::Debug> GameObserver<M> for Watcher {
    fn enter(&mut self, ply: u32, _: M, window: &Window) {
        assert_eq!(self.open.len(), ply as usize);
        assert!(!window.is_shut());
        assert!(window.alpha_from.is_none_or(|from| from <= ply && from.is_multiple_of(2)));
        assert!(window.beta_from.is_none_or(|from| from <= ply && !from.is_multiple_of(2)));
        self.open.push((ply, *window));
        self.nodes += 1;
    }
    fn leave(&mut self, ply: u32, _: M, value: f64) {
        assert!(value.is_finite());
        assert_eq!(self.open.pop().map(|(at, _)| at), Some(ply));
    }
    fn raise(&mut self, ply: u32, _: M, bound: Bound, _: f64) {
        assert_eq!(bound == Bound::Alpha, ply.is_multiple_of(2));
    }
    fn cutoff(&mut self, cutoff: &Cutoff<M>) {
        self.cutoffs += 1;
        assert!(cutoff.skipped > 0);
        let from = cutoff.bound_from.expect("an infinite bound cuts nothing");
        assert!(from < cutoff.ply && (cutoff.ply - from) % 2 == 1);
        // The bound is the one that stands on the edges below the node it came from.
        let (_, window) = self.open[cutoff.ply as usize - 1];
        let (limit, refuted) = match cutoff.bound {
            Bound::Alpha => (window.alpha, cutoff.value <= cutoff.limit),
            Bound::Beta => (window.beta, cutoff.value >= cutoff.limit),
        };
        assert!(limit == cutoff.limit && refuted);
        self.deep_cuts += u64::from(cutoff.ply - from > 1);
    }
    fn table_hit(&mut self, _: u32, _: f64) {
        self.hits += 1;
    }
    fn select(&mut self, step: &Selection<M>) {
        self.selections += 1;
        assert_eq!(step.exploration.is_infinite(), step.visits == 0);
        assert!((0.0..=1.0).contains(&step.exploitation) && step.visits <= step.parent_visits);
    }
    fn playout(&mut self, _: &[M], result: f64) {
        self.playouts += 1;
        assert!((0.0..=1.0).contains(&result));
    }
    fn backup(&mut self, _: u32, _: M, visits: u64, wins: f64) {
        self.backups += 1;
        assert!(wins <= visits as f64);
    }
}

#[test]
fn observers_see_exactly_the_counted_nodes() {
    let mut watcher = Watcher::default();
    let outcome = minimax(&mut Uniform::new(4, scattered), 5, never(), &mut watcher);
    assert_eq!((watcher.nodes, watcher.cutoffs), (outcome.stats.nodes, 0));

    let mut watcher = Watcher::default();
    let outcome = alpha_beta(&mut Uniform::new(4, scattered), 6, never(), &mut watcher);
    assert_eq!((watcher.nodes, watcher.cutoffs), (outcome.stats.nodes, outcome.stats.cutoffs));
    assert!(watcher.cutoffs > 0 && watcher.deep_cuts > 0 && watcher.open.is_empty());
    assert_eq!(outcome.root.iter().map(|row| row.nodes).sum::<u64>(), outcome.stats.nodes);

    let mut watcher = Watcher::default();
    let outcome =
        alpha_beta_tt(&mut TicTacToe::new(), 9, &mut TranspositionTable::new(512), never(), &mut watcher);
    assert_eq!(outcome.value, 0.0);
    assert_eq!((watcher.nodes, watcher.cutoffs), (outcome.stats.nodes, outcome.stats.cutoffs));
    assert!(watcher.hits > 0 && watcher.hits == outcome.stats.table_hits);

    let mut watcher = Watcher::default();
    let options = UctOptions { playouts: 500, ..UctOptions::default() };
    uct(&mut TicTacToe::new(), &options, never(), &mut watcher);
    assert_eq!((watcher.playouts, watcher.selections), (500, watcher.backups));
    assert!(watcher.selections > 500);

    // Also through a trait object, as a caller that chooses its observer at run time has it.
    let mut watcher = Watcher::default();
    let chosen: &mut dyn GameObserver<u8> = &mut watcher;
    flat_monte_carlo(&mut TicTacToe::new(), 90, &mut Rng::new(1), never(), chosen);
    assert_eq!(watcher.playouts, 90);
}
