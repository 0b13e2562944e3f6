//! Time settings and parameters of an HTP client.

use super::{HtpFrontend, colour};
use crate::frontend::{ClientTime, quote};
use game::Level;
use std::time::Duration;

impl HtpFrontend {
    /// `time_settings main byo_yomi stones`, in seconds.
    pub(super) fn time_settings(&mut self, args: &[&str]) -> Result<String, String> {
        let [main, extra, stones] = args else {
            return Err(
                "time_settings needs main time, extra time and stones, such as: time_settings 300 0 0".into(),
            );
        };
        let (main, extra) = (seconds(main)?, seconds(extra)?);
        let stones: u32 =
            stones.parse().map_err(|_| format!("{} is not a number of stones", quote(stones)))?;
        let each = extra.checked_div(stones).unwrap_or(Duration::ZERO);
        let control = match (main.is_zero(), stones) {
            // GTP's way to say "no limit": extra time for no stones.
            (true, 0) if !extra.is_zero() => ClientTime::default(),
            (true, _) => ClientTime { turn: Some(each), left: None, increment: Duration::ZERO },
            (false, _) => ClientTime { turn: None, left: Some(main), increment: each },
        };
        self.clocks = [control; 2];
        Ok(String::new())
    }

    /// `time_left colour seconds [stones]`.
    pub(super) fn time_left(&mut self, args: &[&str]) -> Result<String, String> {
        let (side, time, stones) = match args {
            [side, time] => (colour(side)?, seconds(time)?, 0),
            [side, time, stones] => {
                let stones: u32 =
                    stones.parse().map_err(|_| format!("{} is not a number of stones", quote(stones)))?;
                (colour(side)?, seconds(time)?, stones)
            }
            _ => return Err("time_left needs a colour and seconds, such as: time_left black 120".into()),
        };
        let clock = &mut self.clocks[side.index()];
        match time.checked_div(stones) {
            None => clock.left = Some(time),
            Some(each) => *clock = ClientTime { turn: Some(each), left: None, increment: Duration::ZERO },
        }
        Ok(String::new())
    }

    pub(super) fn param_game(&mut self, args: &[&str]) -> Result<String, String> {
        match args {
            [] => {
                let kind = self.swap.trim_start_matches("swap-");
                return Ok(format!(
                    "[bool] allow_swap {}\n[list/pieces/sides] swap {kind}",
                    u8::from(self.allow_swap)
                ));
            }
            ["allow_swap", value] => self.allow_swap = boolean(value)?,
            ["swap", "pieces"] => self.swap = "swap-pieces",
            ["swap", "sides"] => self.swap = "swap-sides",
            _ => return Err("accepted: param_game allow_swap 0|1, param_game swap pieces|sides".into()),
        }
        // A board that is still empty follows at once, a game in progress keeps its rules.
        let position = self.board.position();
        if self.board.stones().is_empty() {
            self.clear(position.rows(), position.cols())?;
        }
        Ok(String::new())
    }

    pub(super) fn param_tengen(&mut self, args: &[&str]) -> Result<String, String> {
        let number = |value: &str| {
            value
                .parse::<u64>()
                .map_err(|_| format!("{} is not a number; accepted: 0, 1, 2, …", quote(value)))
        };
        match args {
            [] => {
                let limits = &self.limits;
                let turn = self.clocks[0].turn.map_or(0.0, |turn| turn.as_secs_f64());
                return Ok(format!(
                    "[string] max_time {turn}\n[string] max_nodes {}\n[string] max_depth {}\n[string] threads {}\n\
                     [string] memory {}\n[string] seed {}\n[list/1/2/3/4/5/6/7/8/9] level {}",
                    limits.nodes.unwrap_or(0),
                    limits.depth.unwrap_or(0),
                    limits.threads,
                    limits.memory_mb,
                    limits.seed,
                    limits.level
                ));
            }
            ["max_time", value] => {
                let turn = Some(seconds(value)?).filter(|turn| !turn.is_zero());
                self.clocks = [ClientTime { turn, ..ClientTime::default() }; 2];
            }
            ["max_nodes", value] => self.limits.nodes = Some(number(value)?).filter(|nodes| *nodes > 0),
            ["max_depth", value] => {
                self.limits.depth = u32::try_from(number(value)?).ok().filter(|depth| *depth > 0);
            }
            ["threads", value] => self.limits.threads = number(value)?.clamp(1, 256) as usize,
            ["memory", value] => self.limits.memory_mb = number(value)?.clamp(1, 1 << 20) as usize,
            ["seed", value] => self.limits.seed = number(value)?,
            ["level", value] => self.limits.level = value.parse::<Level>()?,
            _ => {
                let keys = "max_time, max_nodes, max_depth, threads, memory, seed, level";
                return Err(format!("accepted: param_tengen KEY VALUE with one of {keys}"));
            }
        }
        Ok(String::new())
    }
}

fn boolean(word: &str) -> Result<bool, String> {
    match word {
        "0" | "false" => Ok(false),
        "1" | "true" => Ok(true),
        _ => Err(format!("{} is not a switch; accepted: 0, 1", quote(word))),
    }
}

fn seconds(word: &str) -> Result<Duration, String> {
    let bad = || format!("{} is not a time; accepted: seconds, such as 30 or 0.5", quote(word));
    Duration::try_from_secs_f64(word.parse().map_err(|_| bad())?)
        .ok()
        .filter(|time| time.as_secs() < 1 << 32)
        .ok_or_else(bad)
}
