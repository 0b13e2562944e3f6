//! Fits the weights of evaluation and move ordering ([`crate::weights`]) to self-play games.
//!
//! [`SelfPlay::play`] lets the engine play itself and writes the game as one line of text; [`read_games`] turns such
//! lines into samples; [`fit`] fits the weights, and [`Weights::source`] is the new `weights/tuned.rs`. The
//! evaluation is fitted by logistic regression to a blend of each game's result and the scores of the search
//! (Texel tuning), move ordering by softmax regression to the moves chosen. `examples/tune.rs` is the program.

mod features;
mod fit;
mod games;
pub mod network;

pub use features::{Samples, read_games};
pub use fit::{Weights, fit};
pub use games::SelfPlay;

use thiserror::Error;

/// What can go wrong while training.
#[derive(Debug, Error)]
pub enum TrainingError {
    /// The engine refused a position.
    #[error("self-play: {0}")]
    Engine(#[from] ::game::EngineError),
    /// A move was refused.
    #[error("line {line}: {problem}")]
    Move {
        /// The line of the file of games, from 1; 0 in self-play.
        line: usize,
        /// What was wrong.
        problem: ::game::IllegalMove,
    },
    /// A line is not a game.
    #[error("line {line}: '{text}' is not {wanted}")]
    Syntax {
        /// The line of the file of games, from 1.
        line: usize,
        /// The text that was found.
        text: String,
        /// What is accepted there.
        wanted: &'static str,
    },
    /// The network to start from cannot be read.
    #[error("the network to start from: {0}")]
    Network(#[from] crate::network::NetworkError),
    /// The network to start from has a row for each side, and the rule has one for both.
    #[error(
        "the network to start from is for {found}, where the sides differ; one for {rule} starts from a network for a \
         rule that is the same for both"
    )]
    Start {
        /// The rule of the network.
        found: crate::Rule,
        /// The rule to train for.
        rule: crate::Rule,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::game::Watch;
    use search::rng::Rng;

    #[test]
    fn games_of_self_play_can_be_read_and_fitted() {
        let mut engine = crate::engine::Tengen::new(&::game::Options::new()).unwrap();
        let config = SelfPlay { rule: crate::Rule::Freestyle, sizes: vec![15], nodes: 300 };
        let games: Vec<String> = (0..2)
            .map(|number| {
                config.play(&mut engine, &mut Rng::stream(7, number), &Watch::untimed()).unwrap().unwrap()
            })
            .collect();
        let samples = read_games(&games.join("\n")).unwrap();
        let mut reported = Vec::new();
        let source = fit(&samples, &mut |line| reported.push(line.to_string())).source();
        assert!(reported.iter().any(|line| line.contains("held-out")), "{reported:?}");
        for name in ["VALUE", "ATTACK", "DEFENCE", "THREATS", "TEMPO"] {
            assert!(source.contains(&format!("pub(crate) const {name}:")), "{name}");
        }
    }

    #[test]
    fn a_broken_line_is_named() {
        let error = |text: &str| read_games(text).err().expect("refused").to_string();
        assert!(error("1 15 h8:-\nx 15 h8:1").contains("line 2"));
        assert!(error("1 15 h8").contains("line 1"));
        assert!(error("1 15 h8:0 h8:0").contains("line 1"));
    }
}
