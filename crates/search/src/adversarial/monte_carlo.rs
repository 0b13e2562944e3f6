//! Flat Monte Carlo: play every move many times at random to the end, and take the one that wins most.

use serde::{Deserialize, Serialize};

use super::{Game, GameObserver};
use crate::rng::Rng;

/// The answer of [`flat_monte_carlo`] and [`uct`](super::uct).
#[derive(Clone, Debug, PartialEq)]
pub struct MonteCarloOutcome<M> {
    /// The move to play; `None` if there is none.
    pub best: Option<M>,
    /// Every root move in the game's order.
    pub root: Vec<MonteCarloMove<M>>,
    /// Playouts made.
    pub playouts: u64,
    /// Tree nodes made, the root included (UCT only).
    pub nodes: usize,
    /// False when `keep_going` ended the search before its budget was used.
    pub completed: bool,
    /// Whether the root's mover is MAX: whose wins the rates count.
    pub max_to_move: bool,
}

/// What the playouts say about a root move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MonteCarloMove<M> {
    /// The move.
    pub mv: M,
    /// Playouts through it.
    pub visits: u64,
    /// MAX's wins in them, draws counted half.
    pub max_wins: f64,
}

impl<M: Copy + Eq> MonteCarloMove<M> {
    /// The share of wins of MAX, or of MIN; 0 when never tried.
    pub fn rate(&self, for_max: bool) -> f64 {
        match self.visits {
            0 => 0.0,
            n if for_max => self.max_wins / n as f64,
            n => 1.0 - self.max_wins / n as f64,
        }
    }
}

/// Shares `playouts` equally among all root moves and takes the best win rate, the first of equals.
///
/// Goes round the moves, so the shares differ by one at most even when stopped. Time O(playouts x game length), memory
/// O(b). For many cores, run it on each with its own [`Rng::stream`] and [`merge`](MonteCarloOutcome::merge).
///
/// Abramson: *Expected-outcome: a general model of static evaluation*, IEEE PAMI 12, 1990.
pub fn flat_monte_carlo<G: Game, O: GameObserver<G::Move> + ?Sized>(
    game: &mut G,
    playouts: u64,
    rng: &mut Rng,
    mut keep_going: impl FnMut() -> bool,
    observer: &mut O,
) -> MonteCarloOutcome<G::Move> {
    let mut moves = Vec::new();
    if !game.is_over() {
        game.moves(&mut moves);
    }
    let mut root: Vec<_> =
        moves.into_iter().map(|mv| MonteCarloMove { mv, visits: 0, max_wins: 0.0 }).collect();
    let mut line = Vec::new();
    let mut done = 0;

    'budget: while !root.is_empty() {
        for candidate in &mut root {
            if done == playouts || !keep_going() {
                break 'budget;
            }
            line.clear();
            line.push(candidate.mv);
            game.play(candidate.mv);
            let result = game.playout(rng, &mut line);
            game.undo(candidate.mv);
            observer.playout(&line, result);
            candidate.visits += 1;
            candidate.max_wins += result;
            done += 1;
        }
    }

    let max_to_move = game.max_to_move();
    let completed = done == playouts || root.is_empty();
    let mut outcome =
        MonteCarloOutcome { best: None, root, playouts: done, nodes: 0, completed, max_to_move };
    outcome.choose_best_rate();
    outcome
}

impl<M: Copy + Eq> MonteCarloOutcome<M> {
    /// Adds the playouts of another worker on the same position, and chooses again by win rate.
    pub fn merge(&mut self, other: &MonteCarloOutcome<M>) {
        for theirs in &other.root {
            match self.root.iter_mut().find(|ours| ours.mv == theirs.mv) {
                Some(ours) => {
                    ours.visits += theirs.visits;
                    ours.max_wins += theirs.max_wins;
                }
                None => self.root.push(*theirs),
            }
        }
        self.playouts += other.playouts;
        self.completed &= other.completed;
        self.choose_best_rate();
    }

    fn choose_best_rate(&mut self) {
        let mut best: Option<&MonteCarloMove<M>> = None;
        for candidate in &self.root {
            if best.is_none_or(|best| candidate.rate(self.max_to_move) > best.rate(self.max_to_move)) {
                best = Some(candidate);
            }
        }
        self.best = best.map(|best| best.mv);
    }
}
