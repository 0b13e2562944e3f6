//! The game of the Monte Carlo searches, with [light playouts](crate::light_playout). MAX is black.

use crate::Position;
use crate::light_playout::LightPlayouts;
use game::{Position as _, Side};
use search::Rng;
use search::adversarial::Game;

/// The game from a position on. Moves are cell indices.
#[derive(Clone, Debug)]
pub(super) struct Simulation<const W: usize> {
    board: LightPlayouts<W>,
    ply: u32,
    root: Vec<usize>,
}

impl<const W: usize> Simulation<W> {
    /// A game whose first move is one of `root` (all if empty); the board must fit into `W` words.
    pub(super) fn new(position: &Position, root: Vec<usize>) -> Simulation<W> {
        Simulation { board: LightPlayouts::new(position.board(), position.to_move()), ply: 0, root }
    }
}

impl<const W: usize> Game for Simulation<W> {
    type Move = usize;

    fn moves(&mut self, out: &mut Vec<usize>) {
        if self.ply == 0 && !self.root.is_empty() {
            out.extend_from_slice(&self.root);
        } else {
            out.extend(self.board.empty().iter());
        }
    }

    fn play(&mut self, index: usize) {
        self.board.place(index);
        self.ply += 1;
    }

    fn undo(&mut self, index: usize) {
        self.board.take_back(index);
        self.ply -= 1;
    }

    fn is_over(&self) -> bool {
        self.board.winner().is_some()
    }

    fn evaluate(&self) -> f64 {
        self.result().unwrap_or(0.5)
    }

    fn max_to_move(&self) -> bool {
        self.board.to_move() == Side::Black
    }

    fn result(&self) -> Option<f64> {
        self.board.winner().map(won_by_black)
    }

    /// Fills the board at once; there is no order of moves, so the line stays as it is.
    fn playout(&mut self, rng: &mut Rng, _line: &mut Vec<usize>) -> f64 {
        won_by_black(self.board.playout(rng))
    }
}

fn won_by_black(side: Side) -> f64 {
    f64::from(u8::from(side == Side::Black))
}
