//! `Board`: a position with its history, for any game.

use crate::error::{bad, illegal, problem};
use crate::games;
use api::{Host, PlayedLine, Setup};
use game::{Cell, Game, IllegalMove, Move, Picture, Position, Record, Side};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

/// A board of Gomoku or Hex with its history.
#[pyclass(module = "tengen")]
pub(crate) struct Board {
    pub(crate) game: &'static dyn Game,
    pub(crate) position: Box<dyn Position>,
}

/// A move as Python gives it.
#[derive(FromPyObject)]
pub(crate) enum GivenMove {
    /// In the game's notation: `h8`, `swap-pieces`.
    Text(String),
    /// Row and column, 0-based from the top left.
    Cell(u8, u8),
}

pub(crate) fn game_named(name: &str) -> PyResult<&'static dyn Game> {
    Host::new(games()).game(name).map_err(|error| problem(&error))
}

pub(crate) fn side_name(side: Side) -> &'static str {
    if side == Side::Black { "black" } else { "white" }
}

impl Board {
    pub(crate) fn read_move(&self, given: &GivenMove) -> PyResult<Move> {
        match given {
            GivenMove::Text(text) => self.position.parse_move(text).map_err(illegal),
            GivenMove::Cell(row, col) => Ok(Move::Place(Cell::new(*row, *col))),
        }
    }

    fn copied(&self) -> Board {
        Board { game: self.game, position: self.position.clone() }
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let cols = self.position.cols();
        (0..self.position.rows()).flat_map(move |row| (0..cols).map(move |col| Cell::new(row, col)))
    }

    fn record(&self) -> Record {
        let outcome = self.position.outcome();
        let result = outcome.as_ref().map_or("?".into(), play::sgf_result);
        Record {
            setup: self.game.setup_of(&*self.position),
            moves: self.position.history().iter().map(|mv| (*mv, Default::default())).collect(),
            first: String::new(),
            second: String::new(),
            result,
            reason: String::new(),
            date: String::new(),
        }
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (game="gomoku", size=None, *, rule="", opening="", moves=None))]
    fn new(
        game: &str,
        size: Option<u8>,
        rule: &str,
        opening: &str,
        moves: Option<Vec<GivenMove>>,
    ) -> PyResult<Board> {
        let game = game_named(game)?;
        let setup = Setup {
            game: game.name().into(),
            rows: size.unwrap_or(0),
            cols: size.unwrap_or(0),
            rule: rule.into(),
            opening: opening.into(),
            stones: Vec::new(),
            to_move: None,
        };
        if size == Some(0) {
            return Err(bad("a board of size 0"));
        }
        let mut board = Board { game, position: setup.position(game).map_err(|error| problem(&error))? };
        for given in moves.unwrap_or_default() {
            board.push(given)?;
        }
        Ok(board)
    }

    /// Reads a position in any notation: a grid, a move string, SGF, JSON.
    #[staticmethod]
    #[pyo3(signature = (text, game="gomoku", size=None, *, rule="", opening="", to_move=None))]
    fn parse(
        text: &str,
        game: &str,
        size: Option<u8>,
        rule: &str,
        opening: &str,
        to_move: Option<&str>,
    ) -> PyResult<Board> {
        let game = game_named(game)?;
        let (rows, cols) = size.map_or(game.default_size(), |size| (size, size));
        let to_move = match to_move {
            None => None,
            Some(word) => {
                Some(Side::parse(word).ok_or_else(|| bad(format!("side '{word}'; accepted: black, white")))?)
            }
        };
        let defaults = game::Setup {
            rule: rule.into(),
            opening: opening.into(),
            to_move,
            ..game::Setup::empty(rows, cols)
        };
        Ok(Board { game, position: game.parse(text, &defaults).map_err(bad)? })
    }

    /// The set-up and the moves as JSON; `from_json` reads it.
    fn to_json(&self) -> String {
        json!({ "setup": Setup::of(self.game, &*self.position), "moves": self.move_stack() }).to_string()
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Board> {
        let line: PlayedLine = serde_json::from_str(text).map_err(bad)?;
        let (game, position) = line.position(&Host::new(games())).map_err(|error| problem(&error))?;
        Ok(Board { game, position })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_json")?, (slf.borrow().to_json(),)))
    }

    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    #[getter]
    fn rule(&self) -> &str {
        self.position.rule()
    }

    #[getter]
    fn rows(&self) -> u8 {
        self.position.rows()
    }

    #[getter]
    fn cols(&self) -> u8 {
        self.position.cols()
    }

    /// The colour of the next stone.
    #[getter]
    fn turn(&self) -> &'static str {
        side_name(self.position.to_move())
    }

    /// Moves played since the set-up.
    #[getter]
    fn ply(&self) -> usize {
        self.position.history().len()
    }

    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        self.position.legal_moves().into_iter().map(|mv| self.position.format_move(mv)).collect()
    }

    /// The moves played, oldest first, each as it is written in its own position.
    #[getter]
    fn move_stack(&self) -> Vec<String> {
        match self.game.position(&self.game.setup_of(&*self.position)) {
            Ok(start) => api::words(&*start, self.position.history()),
            Err(_) => Vec::new(),
        }
    }

    #[pyo3(name = "is_legal")]
    fn is_legal(&self, r#move: GivenMove) -> PyResult<bool> {
        Ok(self.position.legal(self.read_move(&r#move)?).is_ok())
    }

    pub(crate) fn push(&mut self, r#move: GivenMove) -> PyResult<()> {
        let mv = self.read_move(&r#move)?;
        self.position.play(mv).map_err(illegal)
    }

    /// Takes the last move back and returns it.
    fn pop(&mut self) -> PyResult<String> {
        let last = self.move_stack().pop();
        match (self.position.undo(), last) {
            (Some(_), Some(text)) => Ok(text),
            _ => Err(pyo3::exceptions::PyIndexError::new_err("no move to take back")),
        }
    }

    fn is_game_over(&self) -> bool {
        self.position.outcome().is_some()
    }

    /// `black`, `white`, `draw`; `None` while the game goes on.
    fn result(&self) -> Option<&'static str> {
        self.position.outcome().map(|outcome| outcome.winner().map_or("draw", side_name))
    }

    /// The stones that won, in order along the row or chain.
    #[getter]
    fn winning_cells(&self) -> Vec<(u8, u8)> {
        match self.position.outcome() {
            Some(game::Outcome::Win { cells, .. }) => cells.iter().map(|cell| (cell.row, cell.col)).collect(),
            _ => Vec::new(),
        }
    }

    /// Points forbidden to the side to move, with the reason of each.
    #[getter]
    fn forbidden(&self) -> std::collections::BTreeMap<String, &'static str> {
        let name = |cell| self.position.format_move(Move::Place(cell));
        self.position.forbidden().into_iter().map(|(cell, why)| (name(cell), why)).collect()
    }

    /// The colour of the stone at a point; `None` where it is empty.
    fn at(&self, r#move: GivenMove) -> PyResult<Option<&'static str>> {
        let cell = self.checked(&r#move)?;
        Ok(self.position.at(cell).map(side_name))
    }

    /// Row and column of a move, 0-based from the top left.
    fn cell(&self, r#move: GivenMove) -> PyResult<(u8, u8)> {
        self.checked(&r#move).map(|cell| (cell.row, cell.col))
    }

    /// The move at a row and column, in the game's notation.
    #[pyo3(name = "move")]
    fn move_at(&self, row: u8, col: u8) -> PyResult<String> {
        let cell = self.checked(&GivenMove::Cell(row, col))?;
        Ok(self.position.format_move(Move::Place(cell)))
    }

    /// A hash of board, side to move and rule state.
    #[getter]
    fn key(&self) -> u64 {
        self.position.hash()
    }

    /// The same for all positions that a symmetry maps onto each other.
    #[getter]
    fn canonical_key(&self) -> u64 {
        self.position.canonical_hash()
    }

    /// Row by row from the top: 1 black, -1 white, 0 empty, a signed byte each.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes: Vec<u8> = self.cells().map(|cell| stone(self.position.at(cell)) as u8).collect();
        PyBytes::new(py, &bytes)
    }

    fn sgf(&self) -> String {
        self.game.write_sgf(&self.record())
    }

    #[pyo3(signature = (*, cell=32.0, numbers=false, coordinates=true, marks=None))]
    fn svg(
        &self,
        cell: f64,
        numbers: bool,
        coordinates: bool,
        marks: Option<Vec<(GivenMove, String)>>,
    ) -> PyResult<String> {
        if !(4.0..=400.0).contains(&cell) {
            return Err(bad(format!("cell={cell}; accepted: 4 to 400 pixels")));
        }
        let marks = marks.unwrap_or_default();
        let marks = marks.into_iter().map(|(mv, label)| Ok((self.checked(&mv)?, label)));
        let marks = marks.collect::<PyResult<_>>()?;
        let picture = Picture { cell, coordinates, numbers, marks, ..Picture::default() };
        Ok(self.game.draw_svg(&*self.position, &picture))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(28.0, true, true, None)
    }

    fn copy(&self) -> Board {
        self.copied()
    }

    fn __copy__(&self) -> Board {
        self.copied()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Board {
        self.copied()
    }

    /// The same game, rule, stones and history.
    fn __eq__(&self, other: &Board) -> bool {
        let of = |board: &Board| (board.position.hash(), board.game.setup_of(&*board.position));
        self.game() == other.game()
            && self.position.history() == other.position.history()
            && of(self) == of(other)
    }

    fn __str__(&self) -> String {
        self.game.draw_text(&*self.position, &Picture::default(), false)
    }

    fn __repr__(&self) -> String {
        let moves = self.move_stack().concat();
        format!("<Board {} {}x{} {} '{moves}'>", self.game(), self.rows(), self.cols(), self.rule())
    }
}

impl Board {
    /// The cell of a placement on this board, occupied or not.
    fn checked(&self, given: &GivenMove) -> PyResult<Cell> {
        let mv = self.read_move(given)?;
        let Some(cell) = mv.cell() else {
            return Err(bad(format!("{} has no cell", self.position.format_move(mv))));
        };
        if cell.row >= self.position.rows() || cell.col >= self.position.cols() {
            let (rows, cols) = (self.position.rows() - 1, self.position.cols() - 1);
            return Err(illegal(IllegalMove::OffBoard {
                text: format!("row {}, column {}", cell.row, cell.col),
                accepted: format!("rows 0 to {rows}, columns 0 to {cols}"),
            }));
        }
        Ok(cell)
    }
}

/// 1 black, -1 white, 0 empty.
pub(crate) fn stone(side: Option<Side>) -> i8 {
    match side {
        None => 0,
        Some(Side::Black) => 1,
        Some(Side::White) => -1,
    }
}
