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
//! [`record`] holds ready-made observers that keep a bounded list of events, [`tictactoe`] the example game.
//!
//! The code here is written to be read; the fast engines of the house are specialised and live with their games.

pub mod adversarial;
pub mod path;
pub mod record;
pub mod rng;
pub mod stop;
pub mod tictactoe;

pub use rng::Rng;
