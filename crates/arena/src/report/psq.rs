//! Piskvork's `.psq` files: size, then `column,row,milliseconds` for each stone (from 1), then the players.

use crate::journal::Finished;
use game::{Game, Side};
use std::fmt::Write;

/// A game as `.psq`, an opening's stones first and in turn; `None` where a move is no stone.
pub fn psq(game: &dyn Game, finished: &Finished) -> Option<String> {
    let (_, moves) = finished.replay(game).ok()?;
    let mut out = format!("Piskvorky {}x{}, 0:0, 1\r\n", finished.setup.cols, finished.setup.rows);
    let of =
        |side: Side| finished.setup.stones.iter().filter(move |(s, _)| *s == side).map(|(_, cell)| *cell);
    let (mut black, mut white) = (of(Side::Black), of(Side::White));
    for cell in
        (0..finished.setup.stones.len()).filter_map(|i| if i % 2 == 0 { black.next() } else { white.next() })
    {
        let _ = write!(out, "{},{},0\r\n", u16::from(cell.col) + 1, u16::from(cell.row) + 1);
    }
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
