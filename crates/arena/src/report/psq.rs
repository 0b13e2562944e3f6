//! Piskvork's `.psq` files: size, then `column,row,milliseconds` for each stone (from 1), then the players.

use crate::journal::Finished;
use game::Game;
use std::fmt::Write;

/// A game as `.psq`; `None` where a move is no stone or stones were set up.
pub fn psq(game: &dyn Game, finished: &Finished) -> Option<String> {
    let (_, moves) = finished.replay(game).ok()?;
    if !finished.setup.stones.is_empty() {
        return None;
    }
    let mut out = format!("Piskvorky {}x{}, 0:0, 1\r\n", finished.setup.cols, finished.setup.rows);
    for (index, mv) in moves.iter().enumerate() {
        let cell = mv.cell()?;
        let seconds = finished.notes.get(index).and_then(|note| note.seconds).unwrap_or(0.0);
        let millis = (seconds * 1000.0).round();
        let _ = write!(out, "{},{},{millis}\r\n", u16::from(cell.col) + 1, u16::from(cell.row) + 1);
    }
    for name in &finished.names {
        let _ = write!(out, "{}\r\n", name.replace(['\r', '\n'], " "));
    }
    let _ = write!(out, "-1\r\n");
    Some(out)
}
