//! The JSON of Botzone's bots, shared by the referee's and the engine's side.
//!
//! A point is `{"x": row, "y": column}`, both from 0 at the top left; -1, -1 stands for "no move yet". On a Gomoku
//! board rows and columns may be exchanged without consequence; in Hex the first player joins top and bottom.

use game::Cell;
use serde_json::{Value, json};

/// The line by which a bot asks to be kept running.
pub(crate) const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// A point, or the absence of one.
pub(crate) fn point(cell: Option<Cell>) -> Value {
    match cell {
        Some(cell) => json!({"x": cell.row, "y": cell.col}),
        None => json!({"x": -1, "y": -1}),
    }
}

/// Reads a point; `None` is -1, -1. Numbers may be written as text.
pub(crate) fn read_point(value: &Value) -> Result<Option<Cell>, String> {
    read_fields(value, "x", "y")
}

/// The move that the platform prescribes, where it does.
pub(crate) fn read_forced(value: &Value) -> Result<Option<Cell>, String> {
    if value.get("forced_x").is_none() { Ok(None) } else { read_fields(value, "forced_x", "forced_y") }
}

fn read_fields(value: &Value, x: &str, y: &str) -> Result<Option<Cell>, String> {
    let number = |key: &str| {
        let field = value.get(key)?;
        field.as_i64().or_else(|| field.as_str()?.trim().parse().ok())
    };
    let shown: String = value.to_string().chars().take(60).collect();
    match (number(x), number(y)) {
        (Some(-1), Some(-1)) => Ok(None),
        (Some(row), Some(col)) => match (u8::try_from(row), u8::try_from(col)) {
            (Ok(row), Ok(col)) => Ok(Some(Cell::new(row, col))),
            _ => Err(format!("{shown} is not on the board")),
        },
        _ => Err(format!("{shown} is not a move; accepted: {{\"{x}\":ROW,\"{y}\":COLUMN}}, both from 0")),
    }
}
