//! A position being read: texts may contain what no legal game does (two black stones in a row, passes, removed stones);
//! what was read before then becomes the set-up.

use crate::{Position, SwapRule};
use game::{Cell, Move, Position as _, Setup, Side};

/// A position in the making.
pub(super) struct Draft {
    position: Position,
    /// The text may still say which swap is played.
    open_rule: bool,
}

impl Draft {
    /// Starts from a set-up; an empty opening leaves the swap rule open.
    pub(super) fn new(setup: &Setup) -> Result<Draft, String> {
        let position = Position::new(setup).map_err(|error| error.0)?;
        Ok(Draft { position, open_rule: setup.opening.is_empty() })
    }

    /// What was read.
    pub(super) fn finish(self) -> Position {
        self.position
    }

    /// The position so far.
    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// A move in the game's notation, or `swap-pieces`, `swap-sides`, `swap`, `change`.
    pub(super) fn word(&mut self, word: &str) -> Result<(), String> {
        match word.to_ascii_lowercase().as_str() {
            "swap-pieces" | "change" => self.swap(Some(SwapRule::Pieces)),
            "swap-sides" => self.swap(Some(SwapRule::Sides)),
            "swap" => self.swap(None),
            "pass" => {
                self.pass();
                Ok(())
            }
            _ => {
                let mv = self.position.parse_move(word).map_err(|e| e.to_string())?;
                self.position.play(mv).map_err(|e| e.to_string())
            }
        }
    }

    /// A stone of a given colour, in turn or not.
    pub(super) fn place(&mut self, side: Side, cell: Cell) -> Result<(), String> {
        if side != self.position.to_move() {
            self.position = self.position.as_set_up(side);
        }
        self.position.play(Move::Place(cell)).map_err(|e| e.to_string())
    }

    /// A swap, of the kind that the text names. If neither text nor rule names one it is swap pieces, as `change` in the
    /// line protocol.
    pub(super) fn swap(&mut self, kind: Option<SwapRule>) -> Result<(), String> {
        if self.open_rule {
            let kind = kind.unwrap_or(SwapRule::Pieces);
            if kind == SwapRule::Pieces && !self.position.size().is_square() {
                return Err("swap-pieces needs a square board; accepted here: swap-sides".into());
            }
            let trial = self.position.clone().with_swap_rule(kind);
            trial.legal(Move::Swap).map_err(|e| e.to_string())?;
            self.position = trial;
            self.open_rule = false;
        } else if kind.is_some_and(|kind| kind != self.position.swap_rule()) {
            let rule = self.position.swap_rule().name();
            return Err(format!("another swap than the rule of this game, which is {rule}"));
        }
        self.position.play(Move::Swap).map_err(|e| e.to_string())
    }

    /// A turn without a stone.
    pub(super) fn pass(&mut self) {
        self.position = self.position.as_set_up(self.position.to_move().other());
    }

    /// Makes it this side's turn.
    pub(super) fn turn(&mut self, side: Side) {
        if side != self.position.to_move() {
            self.position = self.position.as_set_up(side);
        }
    }

    /// Places, replaces or removes stones without a move.
    pub(super) fn edit(&mut self, edits: &[(Cell, Option<Side>)]) -> Result<(), String> {
        let to_move = self.position.to_move();
        let mut setup = self.position.as_set_up(to_move).setup();
        for &(cell, stone) in edits {
            setup.stones.retain(|(_, other)| *other != cell);
            if let Some(side) = stone {
                setup.stones.push((side, cell));
            }
        }
        self.position = Position::new(&setup).map_err(|error| error.0)?;
        Ok(())
    }

    /// Sets the side to move by the number of stones: the side with fewer, black if equal.
    pub(super) fn turn_by_count(&mut self) {
        let (mut black, mut white) = (0, 0);
        for (side, _) in self.position.board().stones() {
            *(if side == Side::Black { &mut black } else { &mut white }) += 1;
        }
        self.turn(if black > white { Side::White } else { Side::Black });
    }
}
