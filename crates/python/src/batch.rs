//! Many boards of one kind at once, for programs that learn: every call moves arrays of bytes, so that its cost is
//! the rules' and not the interpreter's. `python/tengen/batch.py` turns the bytes into NumPy arrays.

use crate::board::{game_named, stone};
use crate::error::{IllegalMove, bad};
use game::{Cell, Move, Position, Setup};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

/// Boards in a batch at most: the memory of a Gomoku position is some 20 kB.
const MOST: usize = 1 << 20;

/// Boards that are played in step.
#[pyclass(module = "tengen")]
pub(crate) struct Boards {
    start: Box<dyn Position>,
    games: Vec<Box<dyn Position>>,
    /// Of all boards, one after the other, row by row: 1 black, -1 white, 0 empty.
    cells: Vec<u8>,
    /// 1 black has won, -1 white has won, 0 neither.
    winner: Vec<u8>,
    /// 1 once the game is over.
    done: Vec<u8>,
}

impl Boards {
    fn area(&self) -> usize {
        usize::from(self.start.rows()) * usize::from(self.start.cols())
    }
}

#[pymethods]
impl Boards {
    #[new]
    fn new(count: usize, game: &str, size: Option<u8>, rule: &str) -> PyResult<Boards> {
        if !(1..=MOST).contains(&count) {
            return Err(bad(format!("{count} boards; accepted: 1 to {MOST}")));
        }
        let game = game_named(game)?;
        let (rows, cols) = size.map_or(game.default_size(), |size| (size, size));
        let setup = Setup { rule: rule.into(), ..Setup::empty(rows, cols) };
        let start = game.position(&setup).map_err(bad)?;
        let area = usize::from(rows) * usize::from(cols);
        Ok(Boards {
            games: vec![start.clone(); count],
            cells: vec![0; count * area],
            winner: vec![0; count],
            done: vec![0; count],
            start,
        })
    }

    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        (self.games.len(), usize::from(self.start.rows()), usize::from(self.start.cols()))
    }

    /// Plays one move on every board: a cell counted row by row, or less than 0 to leave the board alone. After an illegal
    /// move all boards are as before.
    fn step(&mut self, py: Python<'_>, actions: &[u8]) -> PyResult<()> {
        if actions.len() != 4 * self.games.len() {
            let given = actions.len() / 4;
            return Err(bad(format!(
                "{given} moves for {} boards; accepted: one for each",
                self.games.len()
            )));
        }
        py.detach(|| self.play(actions)).map_err(IllegalMove::new_err)
    }

    /// Starts the boards anew whose byte is not 0.
    fn reset(&mut self, which: &[u8]) -> PyResult<()> {
        if which.len() != self.games.len() {
            let given = which.len();
            return Err(bad(format!(
                "{given} values for {} boards; accepted: one for each",
                self.games.len()
            )));
        }
        let area = self.area();
        for (at, _) in which.iter().enumerate().filter(|(_, wanted)| **wanted != 0) {
            while self.games[at].undo().is_some() {}
            self.cells[at * area..][..area].fill(0);
            (self.winner[at], self.done[at]) = (0, 0);
        }
        Ok(())
    }

    fn cells<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        PyByteArray::new(py, &self.cells)
    }

    fn winner<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        PyByteArray::new(py, &self.winner)
    }

    fn done<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        PyByteArray::new(py, &self.done)
    }

    /// The side to move on every board: 1 black, -1 white.
    fn to_move<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        let sides: Vec<u8> = self.games.iter().map(|game| stone(Some(game.to_move())) as u8).collect();
        PyByteArray::new(py, &sides)
    }

    /// 1 for every cell that may be played.
    fn legal<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        let area = self.area();
        let cols = usize::from(self.start.cols());
        let mut legal = vec![0u8; self.cells.len()];
        for (game, row) in self.games.iter().zip(legal.chunks_mut(area)) {
            for cell in game.legal_moves().into_iter().filter_map(Move::cell) {
                row[usize::from(cell.row) * cols + usize::from(cell.col)] = 1;
            }
        }
        PyByteArray::new(py, &legal)
    }

    /// The moves of one board, as cells.
    fn moves<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyBytes>> {
        let Some(game) = self.games.get(index) else {
            return Err(bad(format!("board {index}; accepted: 0 to {}", self.games.len() - 1)));
        };
        let cells = game.history().iter().filter_map(|mv| mv.cell());
        let bytes: Vec<u8> = cells.flat_map(|cell| [cell.row, cell.col]).collect();
        Ok(PyBytes::new(py, &bytes))
    }
}

impl Boards {
    fn play(&mut self, actions: &[u8]) -> Result<(), String> {
        let (area, cols) = (self.area(), i32::from(self.start.cols()));
        let action = |at: usize| {
            let bytes = &actions[4 * at..][..4];
            i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
        };
        let mv = |action: i32| Move::Place(Cell::new((action / cols) as u8, (action % cols) as u8));
        for at in 0..self.games.len() {
            let wanted = action(at);
            if wanted < 0 {
                continue;
            }
            let played = match usize::try_from(wanted) {
                Ok(cell) if cell < area => self.games[at].play(mv(wanted)).map_err(|error| error.to_string()),
                _ => Err(format!("cell {wanted} is not on the board; accepted: 0 to {}", area - 1)),
            };
            if let Err(why) = played {
                let before = self.games[..at].iter_mut().enumerate().filter(|(at, _)| action(*at) >= 0);
                before.for_each(|(_, game)| {
                    game.undo();
                });
                return Err(format!("board {at}: {why}"));
            }
        }
        for (at, game) in self.games.iter().enumerate() {
            let wanted = action(at);
            if wanted < 0 {
                continue;
            }
            self.cells[at * area + wanted as usize] = stone(Some(game.to_move().other())) as u8;
            if let Some(outcome) = game.outcome() {
                self.done[at] = 1;
                self.winner[at] = stone(outcome.winner()) as u8;
            }
        }
        Ok(())
    }
}
