//! The JSON shapes that command line, server and page share, and the pure functions from a request to its answer.
//!
//! A server adds HTTP, limits and a pool of threads; the page's engine calls the same functions in a worker. Nothing here
//! does I/O, and time is read only through a [`game::Watch`].
//!
//! ```
//! use api::{Host, PlayedLine, view};
//!
//! let host = Host::new(vec![&gomoku::GOMOKU, &hex::HEX]);
//! let line: PlayedLine = serde_json::from_str(r#"{ "setup": { "game": "gomoku" }, "moves": ["h8"] }"#).unwrap();
//! let view = view(&host, &line).unwrap();
//! assert!(serde_json::to_string(&view).unwrap().contains("\"ply\":1"));
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `host` | the games and engines that requests name, and what one search may use |
//! | `problem` | errors as problem documents |
//! | `setup`, `line`, `view` | a position reached by moves, and how it is shown |
//! | `report` | what a search says |
//! | `player`, `game_body` | a game between players |
//! | `analysis`, [`review`] | searches that report while they run |
//! | `layer`, `solve`, [`explain`] | knowledge, proofs, recorded searches |
//! | `elsewhere` | engines and proofs on other machines |
//! | [`files`] | any notation to a tree of moves and back |
//! | [`puzzle`], [`maze`], `catalog` | puzzles, mazes, what can be chosen |

#![allow(missing_docs, reason = "a field of a shape is named as in JSON; types and functions are documented")]

mod analysis;
mod catalog;
mod deep;
mod elsewhere;
pub mod explain;
pub mod files;
mod game_body;
mod host;
mod layer;
mod line;
pub mod maze;
mod player;
mod problem;
pub mod puzzle;
mod report;
pub mod review;
mod setup;
mod solve;
mod view;
mod words;

pub use analysis::{AnalysisMessage, AnalysisRequest, Hint, Search, SearchOrder, hint};
pub use catalog::{Catalog, catalog};
pub use deep::read_deep;
pub use elsewhere::{Elsewhere, Found, SearchTask, Searcher};
pub use game_body::{Acknowledged, ClockBody, Done, GameBody, GameHeader, GameStatus, Presence, Presences};
pub use host::{Choice, Host};
pub use layer::{LayerRequest, layer};
pub use line::PlayedLine;
use line::check_count;
pub use player::{ClockRule, Player, Players, Visibility, checked_name};
pub use problem::{ErrorBody, Problem, ProblemBody};
pub use report::{LayerBody, ReportBody, layer_body, words};
pub use setup::Setup;
pub use solve::{ProofBody, SolveAnswer, SolveRequest, solve};
pub use view::{MoveBody, View, move_body, view};
pub use words::SideWord;

/// A request that was checked, ready to be run where it may take a while. The caller starts the watch; the work ends
/// early once that says stop.
pub type Work<T> = Box<dyn FnOnce(&game::Watch) -> Result<T, Problem> + Send>;
