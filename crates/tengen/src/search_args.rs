//! Engine and limit options that several subcommands share.

use crate::usage::usage;
use game::{Level, Limits, Options, Position, StopFlag};
use std::time::Duration;

/// Which engine, and how long it may think.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SearchArgs {
    /// Engine name (see `tengen engines`) [default: tengen]
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) engine: String,
    /// Engine option KEY=VALUE; may be repeated (see `tengen engines`)
    #[arg(long = "option", short = 'o', value_name = "KEY=VALUE")]
    pub(crate) options: Vec<String>,
    /// Depth limit in plies
    #[arg(long, value_parser = parse_depth)]
    pub(crate) depth: Option<u32>,
    /// Limit of nodes or playouts
    #[arg(long, value_parser = parse_count)]
    pub(crate) nodes: Option<u64>,
    /// Time limit in seconds [default: 5 s (play: 2 s) if there is no other limit]
    #[arg(long, value_parser = parse_seconds)]
    pub(crate) time: Option<Duration>,
    /// Worker threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: u16,
    /// Memory for hash tables and trees, in MiB
    #[arg(long, default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub(crate) memory: u32,
    /// Random seed [default: 1]
    #[arg(long, value_parser = parse_count)]
    pub(crate) seed: Option<u64>,
    /// Playing strength: 1 (beginner) to 9 (full) [default: 9]
    #[arg(long)]
    pub(crate) level: Option<Level>,
}

impl SearchArgs {
    /// The limits these options describe; `default_time` applies where none of time, nodes, depth is set.
    pub(crate) fn limits(&self, default_time: Option<Duration>) -> Limits {
        let free = self.depth.is_none() && self.nodes.is_none() && self.time.is_none();
        Limits {
            move_time: self.time.or(default_time.filter(|_| free)),
            nodes: self.nodes,
            depth: self.depth,
            threads: usize::from(self.threads),
            memory_mb: self.memory as usize,
            seed: self.seed.unwrap_or(1),
            level: self.level.unwrap_or(Level::MAX),
            ..Limits::default()
        }
    }

    /// The `KEY=VALUE` words.
    pub(crate) fn options(&self) -> anyhow::Result<Options> {
        let mut options = Options::new();
        for word in &self.options {
            match word.split_once('=') {
                Some((key, value)) => options.set(key, value),
                None => usage!("option '{word}'; accepted: KEY=VALUE"),
            }
        }
        Ok(options)
    }
}

/// Reads moves such as `h8,i9` for `position`.
pub(crate) fn moves(position: &dyn Position, text: &str) -> anyhow::Result<Vec<game::Move>> {
    let words = text.split([',', ' ']).filter(|word| !word.is_empty());
    words.map(|word| Ok(position.parse_move(word)?)).collect()
}

/// A switch that Ctrl-C turns on, so that a search ends early but with its results.
pub(crate) fn stop_on_ctrl_c() -> StopFlag {
    let stop = StopFlag::new();
    let switch = stop.clone();
    // A second Ctrl-C ends the program even if a search does not listen.
    let handler = move || {
        if switch.is_stopped() {
            std::process::exit(130);
        }
        switch.stop();
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        eprintln!("tengen: Ctrl-C will end the program at once ({error})");
    }
    stop
}

/// A whole number from 0, of nodes, playouts or games.
pub(crate) fn parse_count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("'{text}' is not a whole number; accepted: 0 to {}", u64::MAX))
}

fn parse_depth(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("'{text}' is not a depth; accepted: whole numbers from 0"))
}

pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let bad = || format!("'{text}' is not a time; accepted: seconds, such as 2 or 0.5");
    let seconds: f64 = text.parse().map_err(|_| bad())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| bad())
}
