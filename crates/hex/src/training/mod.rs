//! Training of the network: search self-play gives samples, a training loop learns from them and from cheap policy-only
//! games. `tengen train hex` runs it; `data/hex/README.md` says how the shipped weights were made.
//!
//! | module | what it does |
//! |---|---|
//! | [`self_play`] | games of the engine against itself, with noise; every well-visited node becomes a sample |
//! | [`sample`] | a position with search results, and its text form |
//! | [`improved_policy`] | policy targets from a search (Grill et al. 2020) |
//! | [`patterns`] | weights of move features, for searches without the network |
//! | [`policy_games`] | games played from the policy alone, with TD(lambda) targets |
//! | [`trainer`] | backpropagation, Adam and EMA |
//! | [`train`] | the loop over batches and threads |
//! | [`accuracy`] | how often the winner of finished games is known, by ply |

mod accuracy;
mod improved_policy;
mod patterns;
mod policy_games;
mod sample;
mod self_play;
mod train;
mod trainer;

pub use accuracy::{Accuracy, PLY_RANGES, judge_game};
pub use patterns::{PatternLosses, fit_patterns};
pub use sample::{Sample, SearchedMove};
pub use self_play::play;
pub use train::{Progress, TrainConfig, measure_activation_ranges, train};
pub use trainer::Trainer;
