//! Textbook search that can be watched.
//!
//! Two families, each over one small trait:
//!
//! | trait | algorithms | watched through |
//! |---|---|---|
//! | [`Problem`](path::Problem) | [`bfs`](path::bfs), [`dijkstra`](path::dijkstra), [`astar`](path::astar), [`idastar`](path::idastar) | [`PathObserver`](path::PathObserver) |
//! | [`Game`](adversarial::Game) | [`minimax`](adversarial::minimax), [`alpha_beta`](adversarial::alpha_beta), [`alpha_beta_tt`](adversarial::alpha_beta_tt), [`flat_monte_carlo`](adversarial::flat_monte_carlo), [`uct`](adversarial::uct) | [`GameObserver`](adversarial::GameObserver) |
//!
//! Every algorithm takes a `keep_going` closure, asked once per node or playout (see [`stop`]), and an observer.
//! The observer `()` does nothing; dispatch is static, so watching costs nothing when nobody watches.
//! [`record`] holds ready-made observers that keep a bounded list of events, [`theatre`] the compact records that
//! `tengen explain` writes and the web app plays back, [`tictactoe`] the example game.
//!
//! ```
//! use search::adversarial::alpha_beta;
//! use search::record::{GameEvent, GameRecorder};
//! use search::stop::after;
//! use search::tictactoe::TicTacToe;
//!
//! let mut position: TicTacToe = "XX. OO. ...".parse()?;
//! let mut recorder = GameRecorder::new(1_000);
//! let outcome = alpha_beta(&mut position, 9, after(10_000), &mut recorder);
//! assert!(outcome.completed);
//! assert_eq!((outcome.best, outcome.value), (Some(2), 1.0));
//! let entered = recorder.events.iter().filter(|event| matches!(event, GameEvent::Enter { .. })).count();
//! assert_eq!(entered as u64, outcome.stats.nodes);
//! # Ok::<(), search::tictactoe::ParseError>(())
//! ```
//!
//! The code here is written to be read; the fast engines of the house are specialised and live with their games.

pub mod adversarial;
pub mod path;
pub mod record;
pub mod rng;
pub mod stop;
pub mod theatre;
pub mod tictactoe;

pub use rng::Rng;
