//! The board a frontend keeps for its client: a position that also accepts stones out of turn.
//!
//! Clients place stones of either colour in any order and ask for either side's move. `Position` knows only
//! alternate play, so where a client breaks the order the position is set up again with the same stones. Every
//! earlier position is kept, which makes taking back exact whatever happened.

use game::{Cell, Game, IllegalMove, Move, Position, Setup, SetupError, Side};

/// A position and how it came about.
pub struct ClientBoard {
    game: &'static dyn Game,
    now: Box<dyn Position>,
    past: Vec<Box<dyn Position>>,
}

impl ClientBoard {
    /// The position that a set-up describes.
    pub fn new(game: &'static dyn Game, setup: &Setup) -> Result<ClientBoard, SetupError> {
        Ok(ClientBoard { game, now: game.position(setup)?, past: Vec::new() })
    }

    /// The position on the board.
    pub fn position(&self) -> &dyn Position {
        &*self.now
    }

    /// Plays a move of the side to move.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let mut next = self.now.boxed();
        next.play(mv)?;
        self.past.push(std::mem::replace(&mut self.now, next));
        Ok(())
    }

    /// Places a stone of either colour, in turn or not; then the other colour is to move.
    pub fn put(&mut self, side: Side, cell: Cell) -> Result<(), IllegalMove> {
        let mut next = self.as_seen_by(side)?;
        next.play(Move::Place(cell))?;
        self.past.push(std::mem::replace(&mut self.now, next));
        Ok(())
    }

    /// The position with this side to move: the position itself where it is that side's turn.
    pub(crate) fn as_seen_by(&self, side: Side) -> Result<Box<dyn Position>, IllegalMove> {
        if self.now.to_move() == side {
            return Ok(self.now.boxed());
        }
        let setup = Setup {
            rows: self.now.rows(),
            cols: self.now.cols(),
            rule: self.now.rule().into(),
            opening: String::new(),
            stones: self.stones(),
            to_move: Some(side),
        };
        self.game.position(&setup).map_err(|error| IllegalMove::Rule(error.to_string()))
    }

    /// Makes it this side's turn. Not a step of its own when taking back.
    pub(crate) fn turn_to(&mut self, side: Side) -> Result<(), IllegalMove> {
        self.now = self.as_seen_by(side)?;
        Ok(())
    }

    /// The same game with a changed set-up (another rule, another opening protocol).
    pub fn under(&self, change: impl Fn(&mut Setup)) -> Result<ClientBoard, SetupError> {
        let again = |position: &dyn Position| {
            let mut setup = self.game.setup_of(position);
            change(&mut setup);
            let mut anew = self.game.position(&setup)?;
            for mv in position.history() {
                anew.play(*mv).map_err(|error| SetupError(error.to_string()))?;
            }
            Ok(anew)
        };
        let past = self.past.iter().map(|position| again(&**position)).collect::<Result<_, _>>()?;
        Ok(ClientBoard { game: self.game, now: again(&*self.now)?, past })
    }

    /// Takes the last step back; `false` at the start.
    pub fn undo(&mut self) -> bool {
        match self.past.pop() {
            Some(before) => {
                self.now = before;
                true
            }
            None => false,
        }
    }

    /// The cell of the last stone, if the last step put one.
    pub fn last(&self) -> Option<Cell> {
        let before = self.past.last()?;
        self.cells().find(|cell| self.now.at(*cell).is_some() && before.at(*cell).is_none())
    }

    /// Every stone, in row order.
    pub fn stones(&self) -> Vec<(Side, Cell)> {
        self.cells().filter_map(|cell| Some((self.now.at(cell)?, cell))).collect()
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (rows, cols) = (self.now.rows(), self.now.cols());
        (0..rows).flat_map(move |row| (0..cols).map(move |col| Cell::new(row, col)))
    }
}
