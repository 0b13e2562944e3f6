//! The settings a Gomocup client sends with `INFO`, and the limits they put on a search.
//!
//! Two families of clients use the key `rule` differently. Gomocup's is a bit mask: 1 exactly five wins,
//! 2 continuous game, 4 Renju, 8 Caro. Yixin's is a number: 0 freestyle, 1 standard, 2 Renju, 4 Renju as
//! well, 5 freestyle with swap after the first move, 6 freestyle with Swap2 (the client makes those swaps
//! itself, or asks with `SWAP2BOARD`). No Gomocup tournament sends 2
//! (a continuous game is not refereed), so a client that sends it, or any `YX…` command, speaks Yixin. The
//! number is kept as sent and read again when it turns out which dialect the client speaks.

use crate::frontend::ClientTime;
use game::{Level, Limits};
use std::time::Duration;

/// The value of `time_left` that means "no limit".
const NO_LIMIT_MS: u64 = 2_147_483_647;

/// Settings of one client.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Threads, memory, depth, nodes, level, seed of the next search.
    pub(super) limits: Limits,
    /// Time per move if the client sends no time setting.
    default_turn: Option<Duration>,
    turn: Option<Duration>,
    game_time: Option<Duration>,
    left: Option<Duration>,
    rule: u64,
    yixin: bool,
    /// Yixin's `show_detail`: bit 1 marks on the board, bit 2 search details.
    pub(super) detail: u8,
    /// Think in the opponent's time.
    pub(super) pondering: bool,
}

/// What has to happen after a value is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing.
    None,
    /// The rule may have changed.
    Rule,
}

impl Settings {
    /// The settings before the first `INFO`; `limits.move_time` is the default time per move.
    pub(super) fn new(mut limits: Limits) -> Settings {
        Settings {
            default_turn: limits.move_time.take(),
            limits,
            turn: None,
            game_time: None,
            left: None,
            rule: 0,
            yixin: false,
            detail: 0,
            pondering: false,
        }
    }

    /// Handles `INFO key value`. Unknown keys are ignored, as the protocol asks.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<Effect, String> {
        let number = || parse(key, value);
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.turn = Some(Duration::from_millis(number()?)),
            "timeout_match" => {
                self.game_time = Some(number()?).filter(|ms| *ms > 0).map(Duration::from_millis);
                self.left = self.game_time;
            }
            "time_left" => {
                let ms = if value.trim().starts_with('-') { 0 } else { number()? };
                self.left = Some(ms).filter(|ms| *ms < NO_LIMIT_MS).map(Duration::from_millis);
            }
            "max_memory" => self.set_memory(number()? >> 20),
            "hash_size" => self.set_memory(number()? >> 10),
            "max_depth" => self.limits.depth = u32::try_from(number()?).ok().filter(|depth| *depth > 0),
            "max_node" => {
                let unlimited = value.trim().starts_with('-');
                let nodes = if unlimited { 0 } else { number()? };
                self.limits.nodes = Some(nodes).filter(|nodes| (1..u64::MAX).contains(nodes));
            }
            "thread_num" => self.limits.threads = number()?.clamp(1, 256) as usize,
            "show_detail" => self.detail = number()?.min(3) as u8,
            "pondering" => self.pondering = number()? != 0,
            "strength" => {
                // 0 to 100, as other programs have it.
                self.limits.level = Level::of(1 + number()? / 12).unwrap_or(Level::MAX);
            }
            "rule" => {
                self.rule = number()?;
                self.yixin |= self.rule == 2;
                return Ok(Effect::Rule);
            }
            // game_type, evaluate and folder are for other kinds of programs.
            _ => {}
        }
        Ok(Effect::None)
    }

    /// Notes that the client has sent a `YX…` command; `true` the first time.
    pub(super) fn speaks_yixin(&mut self) -> bool {
        !std::mem::replace(&mut self.yixin, true)
    }

    /// The rule in force, by its name in the `Game` trait.
    pub(super) fn rule(&self) -> &'static str {
        match (self.yixin, self.rule) {
            (true, 2 | 4) => "renju",
            (true, 5 | 6) => "freestyle",
            (_, bits) if bits & 4 != 0 => "renju",
            (_, bits) if bits & 8 != 0 => "caro",
            (_, bits) if bits & 1 != 0 => "standard",
            _ => "freestyle",
        }
    }

    /// A new game: resets the clock.
    pub(super) fn new_game(&mut self) {
        self.left = self.game_time;
    }

    /// Takes the time of a move off the clock, for clients that do not send `time_left`.
    pub(super) fn spend(&mut self, elapsed: Duration) {
        self.left = self.left.map(|left| left.saturating_sub(elapsed));
    }

    /// The time limits for the next move.
    pub(super) fn time(&self) -> ClientTime {
        let turn = match (self.turn, self.left) {
            (Some(turn), _) => Some(turn),
            (None, Some(_)) => None,
            (None, None) => self.default_turn,
        };
        ClientTime { turn, left: self.left, increment: Duration::ZERO }
    }

    fn set_memory(&mut self, mib: u64) {
        // Zero is "no limit" and leaves what was set at the start; a quarter is kept for the program itself.
        if mib > 0 {
            self.limits.memory_mb = usize::try_from((mib - mib / 4).clamp(4, 1 << 20)).unwrap_or(4);
        }
    }
}

fn parse(key: &str, value: &str) -> Result<u64, String> {
    value.trim().parse().map_err(|_| {
        format!(
            "INFO {}: {} is not a number; accepted: 0, 1, 2, …",
            key,
            crate::frontend::quote(value.trim())
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(lines: &[(&str, &str)]) -> Settings {
        let mut settings = Settings::new(Limits::time(Duration::from_secs(7)));
        for (key, value) in lines {
            settings.set(key, value).unwrap();
        }
        settings
    }

    #[test]
    fn gomocup_sends_a_bit_mask() {
        for (value, rule) in [
            ("0", "freestyle"),
            ("1", "standard"),
            ("3", "standard"),
            ("4", "renju"),
            ("5", "renju"),
            ("6", "renju"),
            ("8", "caro"),
            ("9", "caro"),
        ] {
            assert_eq!(settings(&[("rule", value)]).rule(), rule, "rule {value}");
        }
    }

    #[test]
    fn yixin_sends_a_number() {
        for (value, rule) in [
            ("0", "freestyle"),
            ("1", "standard"),
            ("2", "renju"),
            ("4", "renju"),
            ("5", "freestyle"),
            ("6", "freestyle"),
        ] {
            let mut settings = settings(&[("rule", value)]);
            settings.speaks_yixin();
            assert_eq!(settings.rule(), rule, "rule {value}");
        }
        assert_eq!(settings(&[("rule", "2")]).rule(), "renju", "2 alone identifies a Yixin client");
        assert_eq!(settings(&[("rule", "2"), ("rule", "5")]).rule(), "freestyle");
    }

    #[test]
    fn times_are_milliseconds_and_the_default_gives_way() {
        assert_eq!(settings(&[]).time().turn, Some(Duration::from_secs(7)));
        assert_eq!(settings(&[("timeout_turn", "250")]).time().turn, Some(Duration::from_millis(250)));
        let clock = settings(&[("timeout_match", "60000")]);
        assert_eq!((clock.time().turn, clock.time().left), (None, Some(Duration::from_secs(60))));
        assert_eq!(settings(&[("timeout_match", "0")]).time().left, None);
        assert_eq!(settings(&[("time_left", "2147483647")]).time().left, None);
        assert_eq!(settings(&[("time_left", "-5")]).time().left, Some(Duration::ZERO));
    }

    #[test]
    fn the_clock_runs_without_time_left_and_starts_again() {
        let mut clock = settings(&[("timeout_match", "60000")]);
        clock.spend(Duration::from_secs(20));
        assert_eq!(clock.time().left, Some(Duration::from_secs(40)));
        clock.new_game();
        assert_eq!(clock.time().left, Some(Duration::from_secs(60)));
    }

    #[test]
    fn memory_comes_in_bytes_or_kib() {
        assert_eq!(settings(&[("max_memory", "367001600")]).limits.memory_mb, 263);
        assert_eq!(settings(&[("max_memory", "0")]).limits.memory_mb, 128);
        assert_eq!(settings(&[("hash_size", "65536")]).limits.memory_mb, 48);
        assert_eq!(settings(&[("max_memory", "1048576")]).limits.memory_mb, 4);
    }

    #[test]
    fn bad_values_are_named_and_unknown_keys_are_not() {
        let mut settings = settings(&[]);
        assert!(settings.set("timeout_turn", "soon").unwrap_err().contains("'soon'"));
        assert_eq!(settings.set("colour_of_the_moon", "blue"), Ok(Effect::None));
        assert_eq!(settings.set("max_node", "-1"), Ok(Effect::None));
        assert_eq!(settings.limits.nodes, None);
    }
}
