//! `tengen puzzle list|show|play|check|make GAME`: positions with one clear winning idea.
//!
//! What only a game can do (make, check, defend) is in its [`PuzzleCommands`]; a game that has one is one entry of [`all_commands`].

mod gomoku;
mod hex;
mod play;

pub(crate) use self::gomoku::GomokuPuzzles;
pub(crate) use self::hex::HexPuzzles;

use crate::fleet::FleetArgs;
use crate::search_args::stop_on_ctrl_c;
use crate::{games, output, position, terminal};
use anyhow::{Context, bail};
use game::{Game, Picture, Position, Puzzle, Setup, StopFlag};
use serde_json::json;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// List a game's puzzles
    List(ListArgs),
    /// Draw a puzzle; with --solution also how it is won
    Show(ShowArgs),
    /// Solve a puzzle in the terminal: you move, the most stubborn defence answers
    Play(PlayArgs),
    /// Prove every puzzle again, against every defence
    Check(CheckArgs),
    /// Find new puzzles in self-play games
    Make(MakeArgs),
}

#[derive(clap::Args)]
struct Which {
    /// The game
    game: String,
    /// Puzzles of this file (one JSON object per line) instead of those that ship
    #[arg(long, value_name = "FILE.jsonl")]
    file: Option<PathBuf>,
}

#[derive(clap::Args)]
struct ListArgs {
    #[command(flatten)]
    which: Which,
    /// Only this grade, 1 to 5
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=5))]
    grade: Option<u8>,
    /// Only this goal (gomoku: vcf, vct)
    #[arg(long)]
    goal: Option<String>,
    /// Only this rule variant
    #[arg(long)]
    rule: Option<String>,
    /// Only puzzles with exactly one winning first move
    #[arg(long)]
    unique: bool,
    /// One JSON array
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct ShowArgs {
    #[command(flatten)]
    which: Which,
    /// The puzzle's id
    id: String,
    /// Also show the first moves and a whole line
    #[arg(long)]
    solution: bool,
    /// One JSON object, solution included
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct PlayArgs {
    #[command(flatten)]
    which: Which,
    /// The puzzle's id; the first if omitted
    id: Option<String>,
}

#[derive(clap::Args)]
struct CheckArgs {
    #[command(flatten)]
    which: Which,
    /// Only this puzzle
    id: Option<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
pub(crate) struct MakeArgs {
    /// The game
    game: String,
    /// How many puzzles
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) count: u32,
    /// Rule variants, taken in turn (gomoku: freestyle,standard,renju,caro)
    #[arg(long, value_delimiter = ',')]
    pub(crate) rule: Vec<String>,
    /// Board size; the default size if omitted
    #[arg(long)]
    pub(crate) size: Option<u8>,
    /// Random seed; the same seed makes the same puzzles
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Most games to play
    #[arg(long, default_value_t = 100_000)]
    pub(crate) games: u64,
    /// Games played in parallel on this machine; the puzzles do not depend on it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: u16,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE.jsonl")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) fleet: FleetArgs,
}

/// Called with a short progress message.
type Progress = dyn FnMut(&str);

/// What a game brings to its puzzles.
struct PuzzleCommands {
    game: &'static str,
    make: fn(&MakeArgs, &StopFlag, &mut Progress) -> anyhow::Result<Vec<Puzzle>>,
    /// Says what is wrong with a puzzle.
    check: fn(&Puzzle) -> anyhow::Result<()>,
    /// Somebody to play a puzzle against.
    guide: fn(&Puzzle) -> Box<dyn play::Guide>,
}

fn all_commands() -> [PuzzleCommands; 2] {
    [gomoku::COMMANDS, hex::COMMANDS]
}

fn commands(game: &dyn Game) -> anyhow::Result<PuzzleCommands> {
    let found = all_commands().into_iter().find(|commands| commands.game == game.name());
    found.with_context(|| format!("{} has no puzzles yet", game.name()))
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.action {
        Action::List(args) => list(args),
        Action::Show(args) => show(args),
        Action::Play(args) => play(args),
        Action::Check(args) => check(args),
        Action::Make(args) => make(args),
    }
}

fn list(args: &ListArgs) -> anyhow::Result<()> {
    let (_, puzzles) = args.which.read()?;
    let wanted = |puzzle: &&Puzzle| {
        args.grade.is_none_or(|grade| puzzle.grade == grade)
            && args.goal.as_ref().is_none_or(|goal| puzzle.goal == *goal)
            && args.rule.as_ref().is_none_or(|rule| puzzle.rule == *rule)
            && (!args.unique || puzzle.unique())
    };
    let chosen: Vec<&Puzzle> = puzzles.iter().filter(wanted).collect();
    if args.json {
        println!("{}", json!(chosen));
        return Ok(());
    }
    println!(
        "{:<8} {:<5} {:<4} {:>5} {:>11}  {:<9} side",
        "id", "grade", "goal", "plies", "first moves", "rule"
    );
    for puzzle in &chosen {
        let Puzzle { id, grade, goal, plies, first_moves, rule, side, .. } = puzzle;
        println!("{id:<8} {grade:<5} {goal:<4} {plies:>5} {:>11}  {rule:<9} {side}", first_moves.len());
    }
    println!("{} puzzles", chosen.len());
    Ok(())
}

fn show(args: &ShowArgs) -> anyhow::Result<()> {
    let (game, puzzles) = args.which.read()?;
    let puzzle = by_id(&puzzles, &args.id)?;
    if args.json {
        println!("{}", json!(puzzle));
        return Ok(());
    }
    let position = read_position(game, puzzle)?;
    let colour = terminal::colour();
    print!("{}", game.draw_text(&*position, &Picture::default(), colour));
    println!("{}", headline(puzzle));
    if args.solution {
        println!("first moves: {}", puzzle.first_moves.join(" "));
        println!("line: {}", puzzle.line.join(" "));
    }
    Ok(())
}

fn play(args: &PlayArgs) -> anyhow::Result<()> {
    let (game, puzzles) = args.which.read()?;
    let puzzle = match &args.id {
        Some(id) => by_id(&puzzles, id)?,
        None => puzzles.first().with_context(|| format!("{} has no puzzles", game.name()))?,
    };
    let position = read_position(game, puzzle)?;
    let guide = (commands(game)?.guide)(puzzle);
    let prompt = std::io::stdin().is_terminal();
    let colour = terminal::colour();
    play::PuzzleSession { game, puzzle: puzzle.clone(), start: position, guide, prompt, colour }
        .run(std::io::stdin().lock(), &mut std::io::stdout().lock())
        .map_err(Into::into)
}

fn check(args: &CheckArgs) -> anyhow::Result<()> {
    let (game, puzzles) = args.which.read()?;
    let commands = commands(game)?;
    let chosen: Vec<&Puzzle> = match &args.id {
        Some(id) => vec![by_id(&puzzles, id)?],
        None => puzzles.iter().collect(),
    };
    let stop = stop_on_ctrl_c();
    let (mut checked, mut faults) = (0, Vec::new());
    let total = chosen.len();
    for puzzle in chosen {
        if stop.is_stopped() {
            break;
        }
        checked += 1;
        if let Err(fault) = (commands.check)(puzzle) {
            if !args.json {
                println!("{}: {fault:#}", puzzle.id);
            }
            faults.push(json!({"id": puzzle.id, "fault": format!("{fault:#}")}));
        }
        output::progress(&format!("{checked} of {total} checked"));
    }
    output::progress("");
    let stopped = checked < total;
    if args.json {
        let answer = json!({
            "game": game.name(), "checked": checked, "puzzles": total, "stopped": stopped, "faults": faults,
        });
        println!("{answer}");
    } else {
        println!("{checked} of {total} puzzles checked, {} faulty", faults.len());
    }
    if stopped && faults.is_empty() {
        bail!("stopped: {} puzzles were not checked", total - checked);
    }
    if faults.is_empty() { Ok(()) } else { bail!("{} puzzles are not what they say", faults.len()) }
}

fn make(args: &MakeArgs) -> anyhow::Result<()> {
    let game = games::by_name(&args.game)?;
    let commands = commands(game)?;
    args.out.as_deref().map_or(Ok(()), output::check_writable)?;
    let stop = stop_on_ctrl_c();
    let puzzles = (commands.make)(args, &stop, &mut output::progress)?;
    output::progress("");
    let mut lines = String::new();
    for puzzle in &puzzles {
        lines.push_str(&serde_json::to_string(puzzle)?);
        lines.push('\n');
    }
    match &args.out {
        // Nothing found is no reason to empty a file.
        Some(_) if puzzles.is_empty() => {}
        Some(path) => output::write_file(path, lines.as_bytes())?,
        None => print!("{lines}"),
    }
    let found = puzzles.len();
    if stop.is_stopped() {
        bail!("stopped: {found} of {} puzzles found", args.count);
    }
    if found < args.count as usize {
        bail!("{found} of {} puzzles found within the limits of the search", args.count);
    }
    Ok(())
}

impl Which {
    /// The game and its puzzles, those that ship or a file's.
    fn read(&self) -> anyhow::Result<(&'static dyn Game, Vec<Puzzle>)> {
        let game = games::by_name(&self.game)?;
        let puzzles = match &self.file {
            Some(file) => read_puzzles(file)?,
            None => game.puzzles().to_vec(),
        };
        Ok((game, puzzles))
    }
}

fn read_puzzles(file: &Path) -> anyhow::Result<Vec<Puzzle>> {
    let text = position::read_file(file)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line).with_context(|| format!("{}, line {}", file.display(), number + 1))
        })
        .collect()
}

fn by_id<'a>(puzzles: &'a [Puzzle], id: &str) -> anyhow::Result<&'a Puzzle> {
    match puzzles.iter().find(|puzzle| puzzle.id.eq_ignore_ascii_case(id)) {
        Some(puzzle) => Ok(puzzle),
        None => match (puzzles.first(), puzzles.last()) {
            (Some(first), Some(last)) => {
                bail!("no puzzle '{id}'; there are {}, from {} to {}", puzzles.len(), first.id, last.id)
            }
            _ => bail!("no puzzle '{id}': there are none"),
        },
    }
}

fn read_position(game: &dyn Game, puzzle: &Puzzle) -> anyhow::Result<Box<dyn Position>> {
    let setup = Setup { rule: puzzle.rule.clone(), ..Setup::empty(puzzle.size.0, puzzle.size.1) };
    game.parse(&puzzle.position, &setup).with_context(|| format!("puzzle {}", puzzle.id))
}

/// One line about a puzzle that does not give it away.
fn headline(puzzle: &Puzzle) -> String {
    let Puzzle { id, side, grade, plies, rule, .. } = puzzle;
    let how = match puzzle.goal.as_str() {
        "vcf" => "by fours alone",
        "vct" => "by threats",
        _ => "by any means",
    };
    let moves = plies.div_ceil(2);
    let only = if puzzle.unique() { ", only one first move wins that way" } else { "" };
    let rule = if rule.is_empty() { String::new() } else { format!(", {rule}") };
    format!("{id}: {side} to move and win {how} in about {moves} moves{only} (grade {grade}{rule})")
}
