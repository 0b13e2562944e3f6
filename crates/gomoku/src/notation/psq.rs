//! Piskvork's `.psq` files, the format Gomocup publishes games in.
//!
//! A head line `Piskvorky 20x20, 11:11, 0`, then one move a line as `column,row,milliseconds` from 1 at the
//! top left, then the players' files and the result, which are not read. The rule is not in the file.

use super::from_setup;
use crate::Position;
use ::game::{Cell, Move, Position as _, Record, Setup, TextError};
use std::fmt::Write;

/// Reads a game; its moves become the history.
pub fn read(text: &str, defaults: &Setup) -> Result<Position, TextError> {
    let mut lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let (_, head) = lines.by_ref().find(|(_, line)| !line.trim().is_empty()).unwrap_or((0, ""));
    let (cols, rows) = board_size(head)
        .ok_or_else(|| TextError::new(1, 1, "not a psq file; accepted: 'Piskvorky 20x20, 11:11, 0'"))?;
    let mut position = from_setup(text, Setup { rows, cols, ..defaults.clone() })?;
    for (number, line) in lines {
        let Some((x, y)) = move_numbers(line) else { break };
        let size = u32::from(position.size());
        if x == 0 || y == 0 || x > size || y > size {
            let message = format!("{x},{y} is off the board; accepted: 1,1 to {size},{size}");
            return Err(TextError::new(number + 1, 1, message));
        }
        let cell = Cell::new((y - 1) as u8, (x - 1) as u8);
        position.play(cell.into()).map_err(|error| TextError::new(number + 1, 1, error.to_string()))?;
    }
    Ok(position)
}

/// Writes a game record; set-up stones come first, in their order.
pub fn write(record: &Record) -> String {
    let setup = &record.setup;
    let mut out = format!("Piskvorky {}x{}, 11:11, 0\n", setup.cols, setup.rows);
    let mut line = |cell: Cell, seconds: f64| {
        let milliseconds = (seconds * 1000.0).clamp(0.0, 1e12) as u64;
        let _ = writeln!(out, "{},{},{milliseconds}", u16::from(cell.col) + 1, u16::from(cell.row) + 1);
    };
    for (_, cell) in &setup.stones {
        line(*cell, 0.0);
    }
    for (mv, note) in &record.moves {
        if let Move::Place(cell) = mv {
            line(*cell, note.seconds.unwrap_or(0.0));
        }
    }
    let result = match record.result.as_bytes().first() {
        Some(b'B') => 1,
        Some(b'W') => 2,
        _ => 0,
    };
    let name = |name: &str| name.replace(['\r', '\n'], " ");
    let _ = write!(out, "{}\n{}\n{result}\n", name(&record.first), name(&record.second));
    out
}

/// `20x20` of the head line, as (columns, rows).
fn board_size(head: &str) -> Option<(u8, u8)> {
    let mut words = head.split_whitespace();
    words.next().filter(|word| word.eq_ignore_ascii_case("piskvorky"))?;
    let (cols, rows) = words.next()?.trim_end_matches(',').split_once('x')?;
    Some((cols.parse().ok()?, rows.parse().ok()?))
}

/// The first two of exactly three numbers.
fn move_numbers(line: &str) -> Option<(u32, u32)> {
    let mut numbers = line.trim().split(',').map(|word| word.trim().parse::<u32>());
    let (x, y) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    numbers.next()?.ok()?;
    numbers.next().is_none().then_some((x, y))
}
