//! The options of `match` and `tournament`.

use crate::search_args;
use crate::usage::usage;
use arena::adjudication::{DrawRule, ResignRule};
use arena::engine_limits::EngineLimits;
use play::TimeControl;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// Options of every contest.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ContestArgs {
    /// The game: gomoku or hex
    #[arg(long)]
    pub(crate) game: Option<String>,
    /// Seconds per move
    #[arg(long, value_parser = search_args::parse_seconds)]
    pub(crate) time: Option<Duration>,
    /// Seconds per game
    #[arg(long, value_parser = search_args::parse_seconds)]
    pub(crate) game_time: Option<Duration>,
    /// Seconds added to the game's time after each move
    #[arg(long, value_parser = search_args::parse_seconds, requires = "game_time")]
    pub(crate) increment: Option<Duration>,
    /// Nodes or playouts per move
    #[arg(long)]
    pub(crate) nodes: Option<u64>,
    /// Depth per move, in plies
    #[arg(long)]
    pub(crate) depth: Option<u32>,
    /// How much later than its limit an answer still counts, in seconds
    #[arg(long, value_parser = search_args::parse_seconds, default_value = "0.1")]
    pub(crate) margin: Duration,
    /// How long an engine may take to start, or to move where no clock limits it, in seconds
    #[arg(long, value_parser = search_args::parse_seconds, default_value = "60")]
    pub(crate) patience: Duration,
    /// Board size
    #[arg(long)]
    pub(crate) size: Option<u8>,
    /// Rule variant
    #[arg(long, default_value = "")]
    pub(crate) rule: String,
    /// Opening protocol, such as swap2 or swap-pieces
    #[arg(long, default_value = "")]
    pub(crate) opening: String,
    /// File of openings; each is played twice with the sides exchanged [default: balanced random openings
    /// where a pairing has more than two games]
    #[arg(long, conflicts_with = "random_openings")]
    pub(crate) openings: Option<PathBuf>,
    /// Random openings of so many stones; 0 starts every game from the empty board
    #[arg(long, value_name = "PLIES")]
    pub(crate) random_openings: Option<usize>,
    /// Built-in engine that judges whether random openings are even [default: the recommended one where
    /// openings are chosen for you, none with --random-openings]
    #[arg(long, value_name = "ENGINE", requires = "random_openings")]
    pub(crate) judge: Option<String>,
    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) concurrency: u16,
    /// Do not pin each game to its own share of the cores
    #[arg(long)]
    pub(crate) no_pin: bool,
    /// Threads of each engine
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: u16,
    /// Memory each engine may use for its tables, in MiB
    #[arg(long, default_value_t = 128)]
    pub(crate) memory: usize,
    /// Address space each engine process may take, in MiB
    #[arg(long, value_name = "MB")]
    pub(crate) memory_limit: Option<u64>,
    /// Adjudicate a loss after MOVES moves in a row at -SCORE or worse: MOVES,SCORE; both must agree unless `,alone`
    #[arg(long, value_name = "MOVES,SCORE[,alone]", value_parser = parse_resign)]
    pub(crate) resign: Option<ResignRule>,
    /// Adjudicate a draw after MOVES moves of each within SCORE of zero: MOVES,SCORE[,FROM-MOVE]
    #[arg(long, value_name = "MOVES,SCORE[,FROM]", value_parser = parse_draw)]
    pub(crate) draw: Option<DrawRule>,
    /// Adjudicate a draw when so many moves are on the board
    #[arg(long)]
    pub(crate) max_moves: Option<usize>,
    /// The first engine (a built-in one) learns from its games
    #[arg(long)]
    pub(crate) learn: bool,
    /// File that it learns from; in the data folder if omitted
    #[arg(long, value_name = "FILE", requires = "learn")]
    pub(crate) experience: Option<PathBuf>,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// File of engines (see guide/en/tournaments.md)
    #[arg(long, default_value = "engines.toml")]
    pub(crate) engines: PathBuf,
    /// Folder for the journal, games, report and logs
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// Continue the run in --out; --games may be higher than before
    #[arg(long, requires = "out")]
    pub(crate) resume: bool,
    /// Compute Elo and SPRT even if more than one game in ten repeats an earlier one
    #[arg(long)]
    pub(crate) allow_repeats: bool,
    /// Folder for traces: every line to and from each engine process, with times
    #[arg(long, value_name = "DIR")]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) fleet: crate::fleet::FleetArgs,
    /// One JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

impl ContestArgs {
    /// The time control of the run.
    pub(super) fn control(&self) -> anyhow::Result<TimeControl> {
        let args = self;
        let limited =
            args.time.is_some() || args.game_time.is_some() || args.nodes.is_some() || args.depth.is_some();
        if args.time.is_some_and(|t| t.is_zero()) || args.game_time.is_some_and(|t| t.is_zero()) {
            usage!("--time and --game-time must be above 0");
        }
        Ok(TimeControl {
            per_move: args.time.or_else(|| (!limited).then_some(Duration::from_secs(1))),
            per_game: args.game_time,
            increment: args.increment.unwrap_or_default(),
            nodes: args.nodes,
            depth: args.depth,
            margin: args.margin,
            patience: args.patience,
        })
    }
}

/// The time control of one engine: its own settings override those of the run.
pub(super) fn control_of(run: TimeControl, own: &EngineLimits) -> TimeControl {
    let time = |seconds: Option<f64>| seconds.map(Duration::from_secs_f64);
    let limited = own.time.is_some() || own.game_time.is_some() || own.nodes.is_some() || own.depth.is_some();
    // Limits of its own are all it has: `nodes=100` does not add to a time per move.
    let base = if limited {
        TimeControl {
            per_move: None,
            per_game: None,
            increment: Duration::ZERO,
            nodes: None,
            depth: None,
            ..run
        }
    } else {
        run
    };
    TimeControl {
        per_move: time(own.time).or(base.per_move),
        per_game: time(own.game_time).or(base.per_game),
        increment: time(own.increment).unwrap_or(base.increment),
        nodes: own.nodes.or(base.nodes),
        depth: own.depth.or(base.depth),
        ..base
    }
}

/// A time control as the journal keeps it, times in seconds.
pub(super) fn control_json(control: &TimeControl) -> Value {
    let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
    json!({
        "time": seconds(control.per_move), "game_time": seconds(control.per_game),
        "increment": control.increment.as_secs_f64(), "nodes": control.nodes, "depth": control.depth,
        "margin": control.margin.as_secs_f64(),
    })
}

fn parse_resign(text: &str) -> Result<ResignRule, String> {
    let bad = || format!("'{text}'; accepted: MOVES,SCORE or MOVES,SCORE,alone such as 3,500");
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let agree = match words.get(2) {
        None => true,
        Some(&"alone") => false,
        Some(_) => return Err(bad()),
    };
    let [moves, score, ..] = words.as_slice() else { return Err(bad()) };
    let rule = ResignRule {
        moves: moves.parse().map_err(|_| bad())?,
        score: score.parse().map_err(|_| bad())?,
        agree,
    };
    if rule.moves == 0 || !rule.score.is_finite() || words.len() > 3 { Err(bad()) } else { Ok(rule) }
}

fn parse_draw(text: &str) -> Result<DrawRule, String> {
    let bad = || format!("'{text}'; accepted: MOVES,SCORE or MOVES,SCORE,FROM such as 8,10,40");
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let [moves, score, ..] = words.as_slice() else { return Err(bad()) };
    let rule = DrawRule {
        moves: moves.parse().map_err(|_| bad())?,
        score: score.parse().map_err(|_| bad())?,
        from: words.get(2).map_or(Ok(0), |from| from.parse()).map_err(|_| bad())?,
    };
    if rule.moves == 0 || rule.score.is_nan() || rule.score < 0.0 || words.len() > 3 {
        Err(bad())
    } else {
        Ok(rule)
    }
}
