//! Playing levels a person can choose.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// How hard an engine should try. Below [`Level::Max`] an engine is weaker the way a person is: it looks
/// less far and errs a little, but never overlooks a win or a loss in one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// For somebody who has just learnt the rules.
    Easy,
    /// For a casual player.
    Medium,
    /// For a club player.
    Hard,
    /// All the engine has.
    #[default]
    Max,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 4] = [Level::Easy, Level::Medium, Level::Hard, Level::Max];

    /// The word used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Max => "max",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Level {
    type Err = String;
    fn from_str(text: &str) -> Result<Level, String> {
        Level::ALL
            .into_iter()
            .find(|level| level.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| format!("unknown level '{text}'; accepted: easy, medium, hard, max"))
    }
}
