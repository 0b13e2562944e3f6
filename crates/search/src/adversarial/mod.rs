//! Adversarial search: two players, MAX and MIN, who take turns and both see everything.
//!
//! | algorithm | answers with | time | memory |
//! |---|---|---|---|
//! | [`minimax`] | the exact value at a depth | b^d | O(b d) |
//! | [`alpha_beta`] | the same value | b^(d/2) with perfect ordering, b^d at worst | O(b d) |
//! | [`alpha_beta_tt`] | the same value | less where moves transpose | a table of fixed size |
//! | [`flat_monte_carlo`] | the best win rate | the playouts | O(b) |
//! | [`uct`] | the most visited move | the playouts | an arena of fixed size |
//!
//! b moves a position, d plies deep. [`iterative_deepening`] wraps the depth-first ones.

mod alpha_beta;
mod deepening;
mod minimax;
mod monte_carlo;
mod observer;
mod outcome;
mod transposition;
mod uct;

use std::fmt::Debug;

pub use alpha_beta::alpha_beta;
pub use deepening::iterative_deepening;
pub use minimax::minimax;
pub use monte_carlo::{MonteCarloMove, MonteCarloOutcome, flat_monte_carlo};
pub use observer::{Bound, Cutoff, GameObserver, Selection, Window};
pub use outcome::{GameOutcome, RootMove, Stats, Width, full_tree};
pub use transposition::{TranspositionTable, alpha_beta_tt};
pub use uct::{UctOptions, uct};

use crate::rng::Rng;

/// A game in progress. All values are from MAX's point of view, whoever is to move.
pub trait Game {
    /// A move.
    type Move: Copy + Eq + Debug;

    /// Appends the moves worth searching, in search order: ordering and truncation belong to the game.
    /// May append none, also before the game is over; such a position is then evaluated as it stands.
    fn moves(&mut self, out: &mut Vec<Self::Move>);

    /// Makes a move that [`Game::moves`] named.
    fn play(&mut self, mv: Self::Move);

    /// Takes back `mv`, the last move made.
    fn undo(&mut self, mv: Self::Move);

    /// Whether nothing is to be searched below this position.
    fn is_over(&self) -> bool;

    /// The value of this position if the search stops here: finite, higher is better for MAX.
    fn evaluate(&self) -> f64;

    /// Whether MAX is the one to move.
    fn max_to_move(&self) -> bool;

    /// The result of a finished game, for Monte Carlo: 1 if MAX won, 0 if MIN did, 0.5 for a draw; `None` before that.
    fn result(&self) -> Option<f64>;

    /// A hash of everything that [`Game::evaluate`] and the future depend on, the side to move included.
    /// `None` means that this game has none, and [`alpha_beta_tt`] then works without its table.
    fn hash(&self) -> Option<u64> {
        None
    }

    /// Plays to the end at random, appends the moves to `line`, takes them back and returns the result.
    ///
    /// Games with a faster way (filling a Hex board in one go) override this. A line that ends with no result is a draw.
    fn playout(&mut self, rng: &mut Rng, line: &mut Vec<Self::Move>) -> f64 {
        let before = line.len();
        let mut moves = Vec::new();
        let result = loop {
            if let Some(result) = self.result() {
                break result;
            }
            moves.clear();
            self.moves(&mut moves);
            let Some(mv) = rng.pick(&moves) else { break 0.5 };
            self.play(mv);
            line.push(mv);
        };
        for &mv in line[before..].iter().rev() {
            self.undo(mv);
        }
        result
    }
}
