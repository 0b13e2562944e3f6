//! Whose turn it is in a classic engine's game, and the first row of five since the root.

use super::lines::{BLACK, WHITE};
use crate::Position;
use ::game::Side;

/// Side to move and winner of a game that is searched. MAX is Black.
#[derive(Clone)]
pub(super) struct Turn {
    pub(super) black_to_move: bool,
    /// Has Black five (or White), and since which ply?
    winner: Option<(bool, u32)>,
    ply: u32,
}

impl Turn {
    pub(super) fn of(position: &Position) -> Turn {
        let black_to_move = ::game::Position::to_move(position) == Side::Black;
        Turn { black_to_move, winner: None, ply: 0 }
    }

    /// The stone that the side to move plays.
    pub(super) fn stone(&self) -> u8 {
        if self.black_to_move { BLACK } else { WHITE }
    }

    /// After a stone of the side to move; `makes_five` tells whether it completed a five.
    pub(super) fn play(&mut self, makes_five: impl FnOnce() -> bool) {
        self.ply += 1;
        if self.winner.is_none() && makes_five() {
            self.winner = Some((self.black_to_move, self.ply));
        }
        self.black_to_move = !self.black_to_move;
    }

    /// Takes [`Turn::play`] back.
    pub(super) fn undo(&mut self) {
        if self.winner.is_some_and(|(_, ply)| ply == self.ply) {
            self.winner = None;
        }
        self.ply -= 1;
        self.black_to_move = !self.black_to_move;
    }

    /// Has Black won? `None` while nobody has five.
    pub(super) fn black_won(&self) -> Option<bool> {
        self.winner.map(|(black, _)| black)
    }

    /// Black's result: 1, 0, or 1/2 on a full board.
    pub(super) fn result(&self, is_full: bool) -> Option<f64> {
        match self.black_won() {
            Some(black) => Some(f64::from(u8::from(black))),
            None => is_full.then_some(0.5),
        }
    }
}
