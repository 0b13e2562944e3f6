//! The native half of the Python package `tengen`: thin bindings over the crates below.
//!
//! ```python
//! import json
//! from tengen._tengen import Board, request
//!
//! board = Board("hex", 3, moves=["b2"])
//! assert board.turn == "white" and len(board.legal_moves) == 8
//! # The centre of a 3x3 board wins, so the side to move has lost.
//! asked = json.loads(board.to_json()) | {"question": "winner"}
//! assert json.loads(request("solve", json.dumps(asked)))["result"] == "loss"
//! ```
//!
//! | module | what Python sees |
//! |---|---|
//! | `board` | `Board`: push, pop, legal moves, result, pictures |
//! | `engine` | `Thinker`: a built-in engine that thinks without the interpreter's lock and stops on Ctrl-C |
//! | `request` | solver, recorded searches, evaluations and mazes: the requests of `crates/api` as JSON |
//! | `contest` | games between Python functions and engines, refereed by `crates/arena` |
//! | `batch` | `Boards`: many boards at once, as arrays |
//! | `interrupt` | long work without the interpreter's lock, ended by Ctrl-C |
//! | `error` | the exceptions |
//!
//! What users import, with its documentation and types, is in `python/tengen`.

#![allow(missing_docs, reason = "Python users read the docstrings and the type stubs")]

mod batch;
mod board;
mod contest;
mod engine;
mod error;
mod interrupt;
mod request;

use game::Game;
use pyo3::prelude::*;

/// Every game, as the command line has them.
fn games() -> Vec<&'static dyn Game> {
    vec![&gomoku::GOMOKU, &hex::HEX]
}

#[pymodule]
mod _tengen {
    #[pymodule_export]
    use crate::batch::Boards;
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::contest::play_games;
    #[pymodule_export]
    use crate::engine::Thinker;
    #[pymodule_export]
    use crate::error::{EngineError, IllegalMove};
    #[pymodule_export]
    use crate::request::{maze_svg, request};
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
