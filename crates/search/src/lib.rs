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
//!
//! ```
//! use search::adversarial::{GameObserver, Window, alpha_beta};
//! use search::stop::after;
//! use search::tictactoe::TicTacToe;
//!
//! /// Counts the nodes that the search enters.
//! struct Entered(u64);
//!
//! impl GameObserver<u8> for Entered {
//!     fn enter(&mut self, _ply: u32, _mv: u8, _window: &Window) {
//!         self.0 += 1;
//!     }
//! }
//!
//! let mut position: TicTacToe = "XX. OO. ...".parse()?;
//! let mut entered = Entered(0);
//! let outcome = alpha_beta(&mut position, 9, after(10_000), &mut entered);
//! assert!(outcome.completed);
//! assert_eq!((outcome.best, outcome.value), (Some(2), 1.0));
//! assert_eq!(entered.0, outcome.stats.nodes);
//! # Ok::<(), search::tictactoe::ParseError>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`path`] | shortest paths: BFS, Dijkstra, A*, IDA* |
//! | [`adversarial`] | two-player search: minimax, alpha-beta, transposition table, flat Monte Carlo, UCT |
//! | [`theatre`] | compact records of searches that `tengen explain` writes and the web app plays back |
//! | [`tictactoe`] | the example game |
//! | [`named!`] | names of an enum's variants, written and read |
//! | [`rng`] | SplitMix64, the only random number generator of the workspace |
//! | [`stop`] | ready-made `keep_going` closures |
//!
//! The code here is written to be read; the fast engines are specialised and live with their games.

pub mod adversarial;
mod named;
pub mod path;
pub mod rng;
pub mod stop;
pub mod theatre;
pub mod tictactoe;

pub use rng::Rng;
