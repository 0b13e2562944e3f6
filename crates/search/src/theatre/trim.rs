//! A game whose moves are put in another order, or cut to the first few: to show what ordering and truncation buy.

use crate::Rng;
use crate::adversarial::Game;

/// A game in front of another, changing only which moves it offers and in which order.
pub struct Trim<G: Game, K> {
    /// The game itself.
    pub game: G,
    /// Sorts the moves, least first and stably; `None` leaves the order.
    pub key: Option<K>,
    /// Keeps this many.
    pub width: Option<usize>,
}

impl<G: Game, K: Fn(G::Move) -> i64> Game for Trim<G, K> {
    type Move = G::Move;

    fn moves(&mut self, out: &mut Vec<G::Move>) {
        let from = out.len();
        self.game.moves(out);
        if let Some(key) = &self.key {
            out[from..].sort_by_key(|mv| key(*mv));
        }
        if let Some(width) = self.width {
            out.truncate(from.saturating_add(width));
        }
    }

    fn play(&mut self, mv: G::Move) {
        self.game.play(mv);
    }

    fn undo(&mut self, mv: G::Move) {
        self.game.undo(mv);
    }

    fn is_over(&self) -> bool {
        self.game.is_over()
    }

    fn evaluate(&self) -> f64 {
        self.game.evaluate()
    }

    fn max_to_move(&self) -> bool {
        self.game.max_to_move()
    }

    fn result(&self) -> Option<f64> {
        self.game.result()
    }

    fn hash(&self) -> Option<u64> {
        self.game.hash()
    }

    fn playout(&mut self, rng: &mut Rng, line: &mut Vec<G::Move>) -> f64 {
        self.game.playout(rng, line)
    }
}
