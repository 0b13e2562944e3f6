//! The trait every game position implements.

use crate::{Cell, Move, Outcome, Seat, Side};
use std::any::Any;

/// A position with its history: the board, who is to move, and how it got there.
pub trait Position: Any + Send + Sync {
    /// The name of the game (`gomoku`, `hex`).
    fn game(&self) -> &'static str;

    /// The rule variant in force, as [`Setup::rule`](crate::Setup::rule) names it.
    fn rule(&self) -> &str;

    /// Rows.
    fn rows(&self) -> u8;

    /// Columns.
    fn cols(&self) -> u8;

    /// The stone at a cell of the board.
    fn at(&self, cell: Cell) -> Option<Side>;

    /// The colour of the next stone.
    fn to_move(&self) -> Side;

    /// The colour that a player holds now.
    fn colour_of(&self, seat: Seat) -> Side;

    /// The player who decides next.
    fn turn(&self) -> Seat {
        if self.colour_of(Seat::First) == self.to_move() { Seat::First } else { Seat::Second }
    }

    /// Is this move allowed now?
    fn legal(&self, mv: Move) -> Result<(), IllegalMove>;

    /// Every move allowed now, placements in row order; empty once the game is over.
    fn legal_moves(&self) -> Vec<Move>;

    /// Cells that are forbidden to the side to move, each with the reason's name (`double-three`).
    fn forbidden(&self) -> Vec<(Cell, &'static str)> {
        Vec::new()
    }

    /// What the opening protocol asks for besides a stone anywhere or a swap; `None` outside such openings.
    fn opening_step(&self) -> Option<OpeningStep> {
        None
    }

    /// Plays a move, or returns why it is illegal and changes nothing.
    fn play(&mut self, mv: Move) -> Result<(), IllegalMove>;

    /// Takes the last move back; `None` at the start.
    fn undo(&mut self) -> Option<Move>;

    /// The moves played since the set-up position.
    fn history(&self) -> &[Move];

    /// The result, once the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// A hash of board, side to move and rule state.
    fn hash(&self) -> u64;

    /// The same for all positions that a symmetry of the game maps onto each other.
    fn canonical_hash(&self) -> u64;

    /// Writes a move in the game's notation (`h8`, `swap-pieces`).
    fn format_move(&self, mv: Move) -> String;

    /// Reads a move in the game's notation; does not ask whether it is legal.
    fn parse_move(&self, text: &str) -> Result<Move, IllegalMove>;

    /// A copy as a trait object.
    fn boxed(&self) -> Box<dyn Position>;
}

/// A step of an opening protocol that restricts where to play, or asks for something else than a stone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningStep {
    /// The cells that may be played or offered, where they are restricted.
    pub cells: Option<Vec<Cell>>,
    /// Fifth moves offered so far.
    pub offers: Vec<Cell>,
    /// Fifth moves still to be offered; 0 where none are.
    pub offers_left: u8,
    /// The most fifth moves that may be declared now; 0 where nothing is declared.
    pub declare_up_to: u8,
}

impl dyn Position {
    /// The concrete position, if it is a `P`.
    pub fn downcast<P: Position>(&self) -> Option<&P> {
        (self as &dyn Any).downcast_ref()
    }
}

impl Clone for Box<dyn Position> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// Why a move is refused. The position is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// A stone is there already.
    #[error("{0} is occupied")]
    Occupied(String),
    /// Not a point of this board.
    #[error("{text} is not on the board; accepted: {accepted}")]
    OffBoard {
        /// What was given.
        text: String,
        /// What points look like here.
        accepted: String,
    },
    /// The text is not a move at all.
    #[error("'{text}' is not a move; accepted: {accepted}")]
    Syntax {
        /// What was given.
        text: String,
        /// What is accepted.
        accepted: String,
    },
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// A point that Renju forbids to Black.
    #[error("{point} is forbidden to black: {kind}")]
    Forbidden {
        /// The point.
        point: String,
        /// What would be made there: `double-three`, `double-four` or `overline`.
        kind: &'static str,
    },
    /// The rule forbids it now (a swap at the wrong time, a move against the opening).
    #[error("{0}")]
    Rule(String),
}
