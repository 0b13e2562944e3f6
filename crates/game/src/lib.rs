//! The doors: what a game, a position, a move, an outcome, an engine, a limit and a report are.
//!
//! Every concrete game implements [`Game`] and [`Position`], every player implements [`Engine`].
//! The arena, the command line and the server speak only through these, so they need not know which
//! game is on the board. Hot loops never cross a door: an engine downcasts the position once at the
//! root ([`dyn Position::downcast`](trait.Position.html)) and searches on its own board type.

pub mod bench;
pub mod draw;
mod engine;
mod explain;
mod level;
mod limits;
mod moves;
mod outcome;
mod position;
mod position_json;
mod prove;
mod puzzle;
mod record;
mod report;
mod rules;
pub mod sgf;
#[doc(hidden)]
pub mod testing;

pub use engine::{Decision, Engine, EngineError, EngineInfo, Options};
pub use explain::{AutomatonStep, Pattern, Xray, XrayLine, XrayTerm, stage};
pub use level::Level;
pub use limits::{Clock, Limits, StopFlag, Watch};
pub use moves::{Cell, Move, Seat, Side};
pub use outcome::{EndReason, Outcome};
pub use position::{IllegalMove, Position};
pub use position_json::{MovesJson, PositionJson, SizeJson, read_for_side};
pub use prove::{Defence, Proof, ProofResult};
pub use puzzle::Puzzle;
pub use record::{MoveNote, Record};
pub use report::{Line, Report, RootMove};
pub use rules::{Game, Layer, LayerCell, LayerLink, Picture, Setup, SetupError, TextError};
