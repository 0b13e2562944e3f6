//! The trait every game implements: set-up, notation, files and its own engines.

use crate::{
    Cell, Defence, EngineError, EngineInfo, Limits, Position, Proof, Puzzle, Record, Side, StopFlag, Watch,
    Xray,
};
use search::theatre::{Record as TheatreRecord, RecordOptions};
use serde::{Deserialize, Serialize};

/// A game, as the arena, the command line and the server see it.
pub trait Game: Sync {
    /// Its name on the command line (`gomoku`, `hex`).
    fn name(&self) -> &'static str;

    /// The rule names accepted in [`Setup::rule`], the default first.
    fn rules(&self) -> &'static [&'static str];

    /// The opening protocols accepted in [`Setup::opening`], the default first.
    fn openings(&self) -> &'static [&'static str];

    /// The usual board, as (rows, columns).
    fn default_size(&self) -> (u8, u8);

    /// Can a game end without a winner?
    fn has_draws(&self) -> bool {
        true
    }

    /// The position a set-up describes.
    fn position(&self, setup: &Setup) -> Result<Box<dyn Position>, SetupError>;

    /// Reads a position in any notation the game accepts (grid, move string, SGF, JSON, …). `defaults`
    /// gives what the text leaves open: size, rule, opening protocol, side to move.
    fn parse(&self, text: &str, defaults: &Setup) -> Result<Box<dyn Position>, TextError>;

    /// Reads a file of openings: each a position to start a pair of games from.
    fn parse_openings(&self, text: &str, defaults: &Setup) -> Result<Vec<Box<dyn Position>>, TextError>;

    /// Openings that long searches think balanced, as [`Game::parse_openings`] reads them, for matches that name none;
    /// `None` where none ship for the set-up.
    fn balanced_openings(&self, _setup: &Setup) -> Option<&'static str> {
        None
    }

    /// The set-up that, followed by the position's history, gives the position again.
    fn setup_of(&self, position: &dyn Position) -> Setup;

    /// Writes a game record as SGF.
    fn write_sgf(&self, record: &Record) -> String;

    /// The cell that a point in an SGF property such as `TR` names; `None` if there is none on a board of this size.
    fn read_sgf_point(&self, _setup: &Setup, _text: &str) -> Option<Cell> {
        None
    }

    /// A cell as [`Game::write_sgf`] writes it.
    fn write_sgf_point(&self, _cell: Cell) -> Option<String> {
        None
    }

    /// Text formats of the game's own that [`Game::write`] knows besides SGF, each with one line on what it
    /// is (`("psq", "Piskvork")`).
    fn formats(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Writes a game record in one of [`Game::formats`]; `None` for an unknown name.
    fn write(&self, _record: &Record, _format: &str) -> Option<String> {
        None
    }

    /// Draws a position as SVG.
    fn draw_svg(&self, position: &dyn Position, picture: &Picture) -> String;

    /// Draws a position for a terminal, with ANSI colours or without.
    fn draw_text(&self, position: &dyn Position, picture: &Picture, colour: bool) -> String;

    /// The kinds of knowledge that [`Game::layer`] can show, each with one line on what it is.
    fn layers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Knowledge about a position as data to draw over the board; `None` for an unknown name.
    fn layer(&self, _position: &dyn Position, _name: &str) -> Option<Layer> {
        None
    }

    /// What [`Game::prove`] can be asked, each with one line on what it is.
    fn questions(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Proves or refutes, for the side to move, within the time, nodes, threads and memory of the limits;
    /// `None` for an unknown question or a position of another game.
    fn prove(
        &self,
        _position: &dyn Position,
        _question: &str,
        _limits: &Limits,
        _stop: &StopFlag,
    ) -> Option<Proof> {
        None
    }

    /// The most stubborn answers of the side to move to an opponent who claims a win of the kind the
    /// question asks for; `None` as in [`Game::prove`].
    fn defend(
        &self,
        _position: &dyn Position,
        _question: &str,
        _limits: &Limits,
        _stop: &StopFlag,
    ) -> Option<Defence> {
        None
    }

    /// Searches a position with a textbook algorithm over an engine's evaluation (an empty name: the usual one) and
    /// returns the record for watching. `Unsupported` where the game or the engine cannot be watched.
    fn explain(
        &self,
        _position: &dyn Position,
        _engine: &str,
        _wanted: &RecordOptions,
        _watch: &Watch,
    ) -> Result<TheatreRecord, EngineError> {
        Err(EngineError::Unsupported(format!("{} has no search that can be watched", self.name())))
    }

    /// What an engine's evaluation sees in a position, part by part; `None` where it does not say.
    fn xray(&self, _position: &dyn Position, _engine: &str) -> Option<Xray> {
        None
    }

    /// The puzzles that ship with the game, easy ones first.
    fn puzzles(&self) -> &'static [Puzzle] {
        &[]
    }

    /// The built-in engines, the recommended one first.
    fn engines(&self) -> &'static [EngineInfo];

    /// The protocol that programs for this game usually speak, as the arena names it: `gomocup` or `htp`.
    fn engine_protocol(&self) -> &'static str {
        "htp"
    }
}

/// How to draw a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Pixels from one point to the next.
    pub cell: f64,
    /// Show column letters and row numbers.
    pub coordinates: bool,
    /// Write move numbers on the stones.
    pub numbers: bool,
    /// Orientation of the board, where the game has several; empty is the usual one.
    pub orientation: String,
    /// Short labels on cells.
    pub marks: Vec<(Cell, String)>,
}

impl Default for Picture {
    fn default() -> Picture {
        Picture {
            cell: 32.0,
            coordinates: true,
            numbers: false,
            orientation: String::new(),
            marks: Vec::new(),
        }
    }
}

/// Knowledge about a position that can be drawn over it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    /// Values of cells, with a short label each.
    pub cells: Vec<LayerCell>,
    /// Pairs of cells (or a cell and an edge's name) that belong together.
    pub links: Vec<LayerLink>,
}

/// One cell of a [`Layer`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayerCell {
    /// Where.
    pub cell: Cell,
    /// How much, 0 to 1 where it is to be shaded.
    pub value: f64,
    /// What to write on it.
    pub label: String,
    /// Whose it is, where it belongs to a side.
    pub side: Option<Side>,
}

/// A connection in a [`Layer`], such as a bridge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayerLink {
    /// One end.
    pub from: Cell,
    /// The other end; `None` where it is an edge of the board.
    pub to: Option<Cell>,
    /// The edge, where `to` is one: `top`, `bottom`, `left`, `right`.
    pub edge: String,
    /// The cells that carry it.
    pub carrier: Vec<Cell>,
    /// Whose it is.
    pub side: Side,
}

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// Rows of the board.
    pub rows: u8,
    /// Columns of the board.
    pub cols: u8,
    /// Rule variant; empty means the game's default.
    #[serde(default)]
    pub rule: String,
    /// Opening protocol (`free`, `swap2`, `swap-pieces`, …); empty means the game's default.
    #[serde(default)]
    pub opening: String,
    /// Stones on the board before the first move.
    #[serde(default)]
    pub stones: Vec<(Side, Cell)>,
    /// Who moves first; `None`: black, or as the counts of stones say.
    #[serde(default)]
    pub to_move: Option<Side>,
}

impl Setup {
    /// An empty board of this size with the game's defaults.
    pub fn empty(rows: u8, cols: u8) -> Setup {
        Setup { rows, cols, rule: String::new(), opening: String::new(), stones: Vec::new(), to_move: None }
    }
}

/// Why a set-up is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(pub String);

/// Why a text is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct TextError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong and what is accepted.
    pub message: String,
}

impl TextError {
    /// An error at a line and column (both from 1).
    pub fn new(line: usize, column: usize, message: impl Into<String>) -> TextError {
        TextError { line, column, message: message.into() }
    }

    /// An error at a byte offset of a text.
    pub fn at(text: &str, offset: usize, message: impl Into<String>) -> TextError {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        TextError { line, column, message: message.into() }
    }
}
