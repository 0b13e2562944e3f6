//! Rounds, trial games and the ladder.

use super::Class;
use crate::search_args;
use anyhow::bail;
use arena::journal::Finished;
use arena::sandbox::Sandbox;
use arena::schedule::Format;
use arena::tournament::Results;
use class::ladder::Ladder;
use class::round::{self, Round};
use class::students::Students;
use class::trial::Trial;
use indicatif::ProgressBar;
use serde_json::json;
use std::io::IsTerminal;
use std::path::PathBuf;

/// Exit code of a run that Ctrl-C or `class pause` ended.
const INTERRUPTED: i32 = 130;

#[derive(clap::Args)]
pub(super) struct RunArgs {
    /// The class folder
    folder: PathBuf,
    /// Name of the round; one that exists goes on where it was
    #[arg(long, default_value = "final")]
    round: String,
    /// round-robin, swiss, swiss:ROUNDS or knockout [default: round-robin]
    #[arg(long, value_parser = |text: &str| text.parse::<Format>())]
    format: Option<Format>,
    /// Games of each pairing [default: 2]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    games: Option<u32>,
    /// JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &RunArgs) -> anyhow::Result<()> {
    let class = Class::open(&args.folder)?;
    let sandbox = Sandbox::new(class.config.limits.clone())?;
    let round = Round::open(&class.folder, &class.config, &args.round, args.format, args.games)?;
    let stop = search_args::stop_on_ctrl_c();
    let live = std::io::stderr().is_terminal() && !args.json;
    let bar = if live { ProgressBar::new(round.games_planned() as u64) } else { ProgressBar::hidden() };
    let mut watch = |game: &Finished, results: &Results| {
        bar.set_position(results.len() as u64);
        if game.reason.is_fault() {
            let loser = usize::from(game.winner == Some(game::Seat::First));
            let text = format!("game {}: {} loses by {}", game.task.id, game.names[loser], game.reason);
            bar.suspend(|| eprintln!("{text}"));
        }
    };
    let results = round.play(&class.folder, &class.config, class.game, &sandbox, &stop, &mut watch)?;
    bar.finish_and_clear();
    if args.json {
        println!("{}", json!({"round": round.name, "games": results.len(), "stopped": stop.is_stopped()}));
    } else {
        println!("round {}: {} games of {} programs", round.name, results.len(), round.participants.len());
    }
    if stop.is_stopped() {
        eprintln!("stopped; the same command goes on");
        std::process::exit(INTERRUPTED);
    }
    Ok(())
}

#[derive(clap::Args)]
pub(super) struct PauseArgs {
    /// The class folder
    folder: PathBuf,
}

pub(super) fn pause(args: &PauseArgs) -> anyhow::Result<()> {
    let class = Class::open(&args.folder)?;
    round::pause(&class.folder)?;
    println!("the round stops after the games under way; go on with: tengen class run");
    Ok(())
}

#[derive(clap::Args)]
pub(super) struct TryArgs {
    /// The class folder
    folder: PathBuf,
    /// Student number
    student: String,
    /// Only against this reference opponent
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn try_games(args: &TryArgs) -> anyhow::Result<()> {
    let class = Class::open(&args.folder)?;
    let (folder, config, game) = (&class.folder, &class.config, class.game);
    Students::read(folder)?.get(&args.student)?;
    let trial = Trial::new(folder, config, &args.student, args.against.as_deref())?;
    let sandbox = Sandbox::new(config.limits.clone())?;
    let stop = search_args::stop_on_ctrl_c();
    let mut list = Vec::new();
    trial.play(game, &sandbox, &stop, &mut |played| {
        let [first, second] = &played.names;
        let winner = played.winner.map(|seat| &played.names[seat.index()]);
        if !args.json {
            let result = winner.map_or("a draw".into(), |winner| format!("{winner} wins"));
            println!("{first} - {second}: {result} by {}, {} moves", played.reason, played.moves.len());
        }
        list.push(json!({"first": first, "second": second, "winner": winner,
                         "reason": played.reason, "moves": played.moves}));
    })?;
    if stop.is_stopped() {
        bail!("stopped");
    }
    if args.json {
        println!("{}", json!({"version": trial.version(), "games": list}));
    }
    Ok(())
}

#[derive(clap::Args)]
pub(super) struct LadderArgs {
    /// The class folder
    folder: PathBuf,
    /// Stop after so many games [default: play until Ctrl-C]
    #[arg(long)]
    games: Option<u32>,
}

pub(super) fn ladder(args: &LadderArgs) -> anyhow::Result<()> {
    let class = Class::open(&args.folder)?;
    let sandbox = Sandbox::new(class.config.limits.clone())?;
    let mut ladder = Ladder::open(&class.folder, &class.config, class.game)?;
    let stop = search_args::stop_on_ctrl_c();
    let mut played = 0;
    while args.games.is_none_or(|games| played < games) {
        // What was handed in meanwhile takes part from the next game on.
        let finished = ladder.step(&class.folder, &class.config, class.game, &sandbox, &stop)?;
        let Some(game) = finished else {
            if stop.is_stopped() {
                break;
            }
            bail!("fewer than two programs can play: accepted submissions and references are needed");
        };
        played += 1;
        let result = match game.winner {
            Some(seat) => format!("{} wins by {}", game.names[seat.index()], game.reason),
            None => "a draw".into(),
        };
        println!("{} {} - {}: {result}", game.task.id, game.names[0], game.names[1]);
    }
    Ok(())
}
