//! Players, clocks and visibility of a game.

use crate::{Host, Problem};
use game::{Game, Level, Limits, Options, Seat};
use play::TimeControl;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;
use utoipa::ToSchema;

/// The longest name of a person or a bot, in characters.
pub(crate) const NAME: usize = 40;

/// A player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Player {
    /// A person, who holds the seat's secret.
    Human {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// A built-in engine, or one of the operator's.
    Engine {
        /// Its name; empty means the recommended one.
        #[serde(default)]
        engine: String,
        /// 1, for beginners, to 9, full strength.
        #[serde(default)]
        #[schema(value_type = u8, minimum = 1, maximum = 9)]
        level: Level,
        /// Milliseconds per move; by level if omitted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_ms: Option<u64>,
        /// Options of the engine.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        options: BTreeMap<String, String>,
    },
    /// A remote program, connected with its token.
    Bot {
        /// Its id.
        bot: String,
        /// Its name, filled in by the server.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
}

impl Player {
    /// The name for records.
    pub fn name(&self) -> String {
        match self {
            Player::Human { name } => name.clone().unwrap_or_default(),
            Player::Engine { engine, level, .. } => format!("{engine} level {level}"),
            Player::Bot { name, bot } => name.clone().unwrap_or_else(|| bot.clone()),
        }
    }

    /// Validates a player from a request, and fills in the recommended engine.
    pub fn checked(self, game: &dyn Game, host: &Host) -> Result<Player, Problem> {
        match self {
            Player::Human { name: Some(name) } => Ok(Player::Human { name: Some(checked_name(&name)?) }),
            Player::Engine { engine, level, time_ms, options } => {
                let choice = host.engine(game, &engine)?;
                check_options(&options)?;
                choice.make(&options.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect())?;
                if time_ms.is_some_and(|ms| !(1..=MOVE_MS).contains(&ms)) {
                    let detail = format!("time_ms must be 1 to {MOVE_MS}");
                    return Err(Problem::refused("engine.time", detail));
                }
                Ok(Player::Engine { engine: choice.name.to_string(), level, time_ms, options })
            }
            other => Ok(other),
        }
    }

    /// Limits per move and options of an engine player.
    pub fn limits(&self) -> Option<(Limits, Options)> {
        let Player::Engine { level, time_ms, options, .. } = self else { return None };
        let usual = *level.row(&USUAL_MS);
        let limits = Limits {
            move_time: Some(Duration::from_millis(time_ms.unwrap_or(usual))),
            level: *level,
            memory_mb: 64,
            ..Limits::default()
        };
        let options = options.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        Some((limits, options))
    }
}

/// Milliseconds per move of each level, where nothing else is said. Below the highest the nodes of a level end its search
/// first on most machines.
const USUAL_MS: [u64; 9] = [400, 400, 600, 800, 1_000, 1_500, 2_000, 2_500, 5_000];

/// The longest time for a move of a built-in engine, in milliseconds.
pub(crate) const MOVE_MS: u64 = 60_000;

/// Limits number and length of options, as they come from untrusted clients.
pub(crate) fn check_options(options: &BTreeMap<String, String>) -> Result<(), Problem> {
    let long = options.iter().any(|(key, value)| key.len() > 40 || value.len() > 80);
    if options.len() > 16 || long {
        return Err(Problem::refused("engine.options", "at most 16 options of 40 and 80 characters"));
    }
    Ok(())
}

/// A name of 1 to 40 visible characters.
pub fn checked_name(name: &str) -> Result<String, Problem> {
    let name = name.trim();
    let length = name.chars().count();
    if length == 0 || length > NAME || name.chars().any(is_invisible) {
        return Err(Problem::refused("name.refused", format!("a name has 1 to {NAME} printable characters")));
    }
    Ok(name.into())
}

/// Controls, zero-width characters and those that change the direction of text: two names that look the same would
/// differ, or a name would change how the text around it reads.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Both players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Players {
    /// The player who moves first.
    pub first: Player,
    /// Its opponent.
    pub second: Player,
}

impl Players {
    /// The player in a seat.
    pub fn at(&self, seat: Seat) -> &Player {
        match seat {
            Seat::First => &self.first,
            Seat::Second => &self.second,
        }
    }
}

/// Time for the whole game, and what each move adds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockRule {
    /// 1 s to 24 h.
    pub initial_ms: u64,
    /// Up to 10 minutes.
    #[serde(default)]
    pub increment_ms: u64,
}

impl ClockRule {
    pub fn check(&self) -> Result<(), Problem> {
        if !(1_000..=86_400_000).contains(&self.initial_ms) || self.increment_ms > 600_000 {
            let detail = "initial_ms must be 1000 to 86400000, increment_ms at most 600000";
            return Err(Problem::refused("clock.refused", detail));
        }
        Ok(())
    }
}

impl From<ClockRule> for TimeControl {
    fn from(rule: ClockRule) -> TimeControl {
        let ms = Duration::from_millis;
        TimeControl::per_game(ms(rule.initial_ms), ms(rule.increment_ms))
    }
}

/// Who may view a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Only those who hold one of its secrets.
    #[default]
    Private,
    /// Everyone with its id.
    Link,
    /// Listed publicly.
    Public,
}

impl Visibility {
    pub fn word(self) -> &'static str {
        match self {
            Visibility::Private => "private",
            Visibility::Link => "link",
            Visibility::Public => "public",
        }
    }

    pub fn read(word: &str) -> Option<Visibility> {
        [Visibility::Private, Visibility::Link, Visibility::Public].into_iter().find(|v| v.word() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_visible_and_run_one_way() {
        for good in ["Deep Hex", "天元", "Ωmega-3", " x ", "Éloi", "שלום"] {
            assert_eq!(checked_name(good).unwrap(), good.trim());
        }
        for bad in [
            "",
            " ",
            "a\u{200b}b",
            "\u{202e}evil",
            "a\u{2066}b",
            "a\u{feff}",
            "tab\tbed",
            "\u{3164}",
            "a\u{a0}b",
        ] {
            assert!(checked_name(bad).is_err(), "{bad:?}");
        }
        assert!(checked_name(&"x".repeat(41)).is_err());
    }
}
