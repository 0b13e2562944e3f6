//! Limits of one engine that differ from those of the run: `ENGINE@name=A,time=0.5`, or a `limits` table in
//! `engines.toml`.

use game::Level;
use serde::{Deserialize, Serialize};

/// What one engine may spend; what is missing is as for the whole run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineLimits {
    /// Seconds per move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Seconds per game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_time: Option<f64>,
    /// Seconds added after each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub increment: Option<f64>,
    /// Nodes or playouts per move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// Memory for tables, in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<usize>,
    /// Level of a built-in engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
}

const KEYS: [&str; 9] =
    ["name", "time", "game-time", "increment", "nodes", "depth", "threads", "memory", "level"];

impl EngineLimits {
    /// Splits `ENGINE@key=value,…` into the engine, the name it gets and its limits. An `@` that is not followed
    /// by one of the keys and `=` belongs to the engine.
    pub fn split(text: &str) -> Result<(&str, Option<String>, EngineLimits), String> {
        let mut limits = EngineLimits::default();
        let found = text
            .rsplit_once('@')
            .filter(|(_, rest)| rest.split_once('=').is_some_and(|(key, _)| KEYS.contains(&key.trim())));
        let Some((engine, rest)) = found else { return Ok((text, None, limits)) };
        let mut name = None;
        for word in rest.split(',') {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let (key, value) = (key.trim(), value.trim());
            match key {
                "name" if !value.is_empty() => name = Some(value.to_string()),
                "time" => limits.time = Some(seconds(key, value)?),
                "game-time" => limits.game_time = Some(seconds(key, value)?),
                "increment" => limits.increment = Some(seconds(key, value)?),
                "nodes" => limits.nodes = Some(number(key, value)?),
                "depth" => limits.depth = Some(number(key, value)?),
                "threads" => limits.threads = Some(number(key, value)?),
                "memory" => limits.memory = Some(number(key, value)?),
                "level" => limits.level = Some(value.parse()?),
                _ => {
                    return Err(format!("'{word}' after @; accepted: {}, each with =VALUE", KEYS.join(", ")));
                }
            }
        }
        limits.check()?;
        Ok((engine, name, limits))
    }

    /// The same limits with those of `over` in place of its own where it has any.
    pub fn overridden_by(&self, over: &EngineLimits) -> EngineLimits {
        EngineLimits {
            time: over.time.or(self.time),
            game_time: over.game_time.or(self.game_time),
            increment: over.increment.or(self.increment),
            nodes: over.nodes.or(self.nodes),
            depth: over.depth.or(self.depth),
            threads: over.threads.or(self.threads),
            memory: over.memory.or(self.memory),
            level: over.level.or(self.level),
        }
    }

    /// Refuses what no engine can keep.
    pub fn check(&self) -> Result<(), String> {
        let times = [("time", self.time), ("game-time", self.game_time), ("increment", self.increment)];
        for (key, value) in times {
            if value.is_some_and(|s| !(0.0..1e9).contains(&s) || (s == 0.0 && key != "increment")) {
                return Err(format!("{key} must be a number of seconds above 0"));
            }
        }
        if self.threads.is_some_and(|n| !(1..=256).contains(&n)) || self.memory == Some(0) {
            return Err("threads must be 1 to 256, and memory above 0".into());
        }
        Ok(())
    }
}

fn seconds(key: &str, value: &str) -> Result<f64, String> {
    value.parse().map_err(|_| format!("{key}={value}; accepted: seconds, such as {key}=0.5"))
}

fn number<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{key}={value}; accepted: a whole number, such as {key}=4"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_follow_the_last_at_sign() {
        let split = |text| EngineLimits::split(text).unwrap();
        let (engine, name, limits) = split("classic-ac:width=all,depth=4@name=A b,time=0.5,nodes=7");
        assert_eq!((engine, name.as_deref()), ("classic-ac:width=all,depth=4", Some("A b")));
        assert_eq!((limits.time, limits.nodes, limits.depth), (Some(0.5), Some(7), None));
        assert_eq!(split("cmd:ssh me@host brain --x=1").0, "cmd:ssh me@host brain --x=1");
        assert_eq!(split("cmd:ssh me@host brain@depth=3").0, "cmd:ssh me@host brain");
    }

    #[test]
    fn bad_settings_are_named() {
        for (text, word) in [
            ("tengen@time=soon", "time=soon"),
            ("tengen@time=0", "above 0"),
            ("tengen@time=-1", "above 0"),
            ("tengen@name=A,colour=red", "colour=red"),
            ("tengen@name=", "name="),
            ("tengen@threads=0", "threads"),
            ("tengen@nodes=1.5", "nodes=1.5"),
            ("tengen@level=10", "9 (full strength)"),
        ] {
            let error = EngineLimits::split(text).unwrap_err();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
