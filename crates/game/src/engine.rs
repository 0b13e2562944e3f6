//! The trait every engine implements.

use crate::{Limits, Move, Position, Report, Watch};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Something that chooses moves: a pure function of position, limits, seed and its own memory.
///
/// It reads time only through `watch`, looks at [`Watch::is_stopped`] often enough to answer within 20 ms of
/// being stopped, and with one thread and a node or depth limit gives the same answer every time after
/// [`Engine::new_game`].
pub trait Engine: Send {
    /// The name it is chosen by.
    fn name(&self) -> &str;

    /// Forgets everything learnt from earlier searches.
    fn new_game(&mut self) {}

    /// Does a search of the position after its own move make its next search better? Such an engine can ponder: search
    /// that position while the opponent thinks.
    fn can_ponder(&self) -> bool {
        false
    }

    /// Chooses a move in a position that is not over. `report` is called for every new result.
    fn think(
        &mut self,
        position: &dyn Position,
        limits: &Limits,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError>;
}

/// The move chosen, and the final report of the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The move to play.
    pub mv: Move,
    /// The final report.
    pub report: Report,
}

/// Why an engine gave no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum EngineError {
    /// A position of another game was handed in.
    #[error("{engine} plays {plays}, not {got}")]
    WrongGame {
        /// The engine asked.
        engine: String,
        /// The game it plays.
        plays: String,
        /// The game of the position.
        got: String,
    },
    /// The game is already over, or the limits exclude every move.
    #[error("there is no move to choose: {0}")]
    NoMove(String),
    /// An option is unknown or its value is not accepted.
    #[error("option {key}={value}: {problem}")]
    Option {
        /// Option name.
        key: String,
        /// The value given.
        value: String,
        /// What is accepted.
        problem: String,
    },
    /// The engine cannot play this board or rule.
    #[error("{0}")]
    Unsupported(String),
    /// The engine's process or data failed.
    #[error("{0}")]
    Failed(String),
}

/// The position as the type of the engine's own game, `plays`.
pub fn own_position<'a, P: Position>(
    engine: &str,
    plays: &'static str,
    position: &'a dyn Position,
) -> Result<&'a P, EngineError> {
    let wrong =
        || EngineError::WrongGame { engine: engine.into(), plays: plays.into(), got: position.game().into() };
    position.downcast().ok_or_else(wrong)
}

/// An entry of the list of built-in engines.
#[derive(Clone, Copy)]
pub struct EngineInfo {
    /// The name it is chosen by, such as `classic-ac`.
    pub name: &'static str,
    /// One line on what it is.
    pub about: &'static str,
    /// The options it takes, each with one line: `("width", "successors searched, a number or all")`.
    pub options: &'static [(&'static str, &'static str)],
    /// Makes one. Unknown options are an error.
    pub make: fn(&Options) -> Result<Box<dyn Engine>, EngineError>,
}

/// Engine options as `key=value` words, as they come from a command line or a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options(BTreeMap<String, String>);

impl Options {
    /// No options.
    pub fn new() -> Options {
        Options::default()
    }

    /// Sets one option.
    pub fn set(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.0.insert(key.into(), value.into());
    }

    /// The value of an option.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// The parsed value of an option, or `default` where it is not set.
    pub fn parse<T: std::str::FromStr>(&self, key: &str, default: T) -> Result<T, EngineError> {
        match self.get(key) {
            None => Ok(default),
            Some(value) => value.parse().map_err(|_| EngineError::Option {
                key: key.into(),
                value: value.into(),
                problem: format!("not a {}", std::any::type_name::<T>()),
            }),
        }
    }

    /// An option that is `on` or `off`, or `default` where it is not set.
    pub fn switch(&self, key: &str, default: bool) -> Result<bool, EngineError> {
        match self.get(key) {
            None => Ok(default),
            Some("on") => Ok(true),
            Some("off") => Ok(false),
            Some(value) => Err(EngineError::Option {
                key: key.into(),
                value: value.into(),
                problem: "accepted: on, off".into(),
            }),
        }
    }

    /// The options under their present names: `names` pairs a former name with the present one, which wins if both are set.
    pub fn renamed(&self, names: &[(&str, &str)]) -> Options {
        let mut options = self.clone();
        for &(former, present) in names {
            if let Some(value) = options.0.remove(former) {
                options.0.entry(present.into()).or_insert(value);
            }
        }
        options
    }

    /// Fails on the first option that is not in `known` (an [`EngineInfo::options`] list).
    pub fn check(&self, known: &[(&str, &str)]) -> Result<(), EngineError> {
        match self.0.iter().find(|(key, _)| !known.iter().any(|(name, _)| name == key)) {
            None => Ok(()),
            Some((key, value)) => Err(EngineError::Option {
                key: key.clone(),
                value: value.clone(),
                problem: if known.is_empty() {
                    "this engine takes no options".into()
                } else {
                    let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
                    format!("unknown option; accepted: {}", names.join(", "))
                },
            }),
        }
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Options {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Options {
        Options(pairs.into_iter().map(|(k, v)| (k.into(), v.into())).collect())
    }
}
