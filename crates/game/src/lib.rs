//! Traits and plain types that every game and engine share: side, move, outcome, position, engine, limits, report.
//!
//! Every concrete game implements [`Game`] and [`Position`], every player implements [`Engine`]. The arena, the command
//! line and the server use only these traits, so they need not know which game is on the board. Hot loops never go
//! through a trait object: an engine downcasts the position once at the root
//! ([`dyn Position::downcast`](trait.Position.html)) and searches on its own board type.
//!
//! ```
//! use game::{Limits, Side, StopFlag, Watch};
//! use std::time::Duration;
//!
//! // What an engine is given: how much it may spend, and a watch that another thread can stop.
//! let limits = Limits::time(Duration::from_secs(5));
//! let stop = StopFlag::new();
//! let watch = Watch::start(stop.clone());
//! assert!(limits.nodes.is_none() && !watch.is_stopped());
//! stop.stop();
//! assert!(watch.is_stopped());
//!
//! // What games share in files: SGF syntax, whatever the moves mean.
//! let tree = &game::sgf::parse("(;FF[4]GM[4];B[h8];W[i9])")?[0];
//! let moves: Vec<_> = tree.main_line().filter_map(|node| node.value("B").or(node.value("W"))).collect();
//! assert_eq!(moves, ["h8", "i9"]);
//! assert_eq!(Side::Black.other(), Side::White);
//! # Ok::<(), game::TextError>(())
//! ```
//!
//! | what | where |
//! |---|---|
//! | traits | [`Game`], [`Position`], [`Engine`] |
//! | moves and results | [`Cell`], [`Move`], [`Side`], [`Seat`], [`Outcome`] |
//! | searching | [`Limits`], [`MoveTime`], [`Watch`], [`StopFlag`], [`Report`], [`Decision`], [`Level`] |
//! | proofs and puzzles | [`Proof`], [`Defence`], [`Puzzle`] |
//! | texts | [`Setup`], [`PositionJson`], [`Record`], [`sgf`] |
//! | pictures | [`Picture`], [`Layer`], [`draw`] |
//! | evaluation parts | [`Xray`] |
//! | fixed searches | [`mod@bench`] |

pub mod bench;
pub mod draw;
mod engine;
mod explain;
mod level;
mod limits;
mod move_time;
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

pub use engine::{Decision, Engine, EngineError, EngineInfo, Options, own_position};
pub use explain::{AutomatonStep, Pattern, Xray, XrayLine, XrayTerm, stage};
pub use level::Level;
pub use limits::{Clock, Limits, StopFlag, Watch};
pub use move_time::{MoveTime, TimePlan};
pub use moves::{Cell, Move, Seat, Side};
pub use outcome::{EndReason, Outcome};
pub use position::{IllegalMove, OpeningStep, Position};
pub use position_json::{MovesJson, PositionJson, SizeJson, read_for_side};
pub use prove::{Defence, Proof, ProofResult};
pub use puzzle::Puzzle;
pub use record::{MoveNote, Record};
pub use report::{Bound, Line, Report, RootMove};
pub use rules::{Game, Layer, LayerCell, LayerLink, Picture, Setup, SetupError, TextError};
