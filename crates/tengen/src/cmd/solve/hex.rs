//! `tengen solve hex POSITION --ask winner|winning-moves`.

use super::{FleetBatch, batch, fleet_batch, words};
use crate::position::{self, BoardArgs, parse_side};
use crate::search_args::{parse_count, parse_seconds, stop_on_ctrl_c};
use crate::usage::usage;
use crate::{games, json};
use anyhow::{Context, bail};
use api::ProofBody;
use game::{Game, Move, Position as _, ProofResult, Setup, Side, StopFlag, Watch};
use hex::solver::proof::{Proof, ProofStep};
use hex::solver::{self, Progress, Query, Solution, SolverLimits, Target};
use hex::{Position, Size};
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A file, `-`, a move string, or `empty`
    #[arg(required_unless_present = "batch")]
    position: Option<String>,
    /// Many positions: one JSON object per line in, one per line out, in the same order; - for standard input. A line may have its own `ask`
    /// and `side`, and an `sgf` that names a file beside it or in the folder `puzzles` beside it
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["position", "proof"])]
    batch: Option<PathBuf>,
    /// What to find out: winner or winning-moves (all of them)
    #[arg(long, value_parser = parse_ask, default_value = "winner")]
    ask: Target,
    /// Side to move [default: from the position]
    #[arg(long, value_parser = parse_side)]
    side: Option<Side>,
    /// Build a proof of the winner and verify it with the rules alone
    #[arg(long)]
    verify: bool,
    /// Write the checked proof here as JSON
    #[arg(long, value_name = "FILE.json", requires = "verify")]
    proof: Option<PathBuf>,
    /// Seconds per position [default: no limit]
    #[arg(long, value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Nodes per position
    #[arg(long, value_parser = parse_count)]
    nodes: Option<u64>,
    /// Worker threads on each position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory for the table of positions, in MiB
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    memory: u32,
    #[command(flatten)]
    board: BoardArgs,
    /// With --batch
    #[command(flatten)]
    fleet: crate::fleet::FleetArgs,
    /// One JSON object (--batch always writes JSON)
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let game = games::by_name("hex")?;
    let stop = stop_on_ctrl_c();
    if let (Some(file), Some(url)) = (&args.batch, &args.fleet.url) {
        args.board.setup(game)?;
        let title = format!("solve hex: {}", file.display());
        // Threads share a table, so their answers may differ from run to run.
        let exact = args.time.is_none() && args.threads == 1;
        let batch = FleetBatch { url, title, words: args.words(), exact };
        return fleet_batch(file, batch, &stop, |line| portable(file, line));
    }
    if args.fleet.url.is_some() {
        usage!("--fleet is for --batch: one position is solved on this machine");
    }
    if let Some(file) = &args.batch {
        let defaults = args.board.setup(game)?;
        let (defaults, stop) = (&defaults, &stop);
        return batch(file, 1, || {
            move |line: &str| {
                let (position, query) = read_line(game, args, file, line, defaults)?;
                let answer = solve(args, &position, &query, stop);
                Ok(to_json(&position, &query, &answer))
            }
        });
    }
    let word = args.position.as_deref().unwrap_or("empty");
    let (_, position) = position::read("hex", word, &args.board)?;
    let position = own(&*position)?;
    let query =
        Query { target: args.ask, to_move: args.side.unwrap_or(position.to_move()), verify: args.verify };
    let answer = solve(args, &position, &query, &stop);
    if let (Some(file), Some(proof)) = (&args.proof, &answer.proof) {
        let text = proof_json(position.size(), proof).to_string();
        crate::output::write_file(file, text.as_bytes())?;
    }
    if args.json {
        println!("{}", to_json(&position, &query, &answer));
    } else {
        print(&position, &query, &answer);
    }
    Ok(())
}

fn own(position: &dyn game::Position) -> anyhow::Result<Position> {
    position.downcast::<Position>().cloned().context("a position of hex")
}

impl Args {
    /// The options that decide an answer, as words of a command line.
    fn words(&self) -> Vec<String> {
        let ask = if self.ask == Target::Winner { "winner" } else { "winning-moves" };
        let own = [
            ("ask", Some(ask.into())),
            ("side", self.side.map(|side| side.to_string())),
            ("threads", Some(self.threads.to_string())),
        ];
        let mut words = words("hex", &own, (self.time, self.nodes, self.memory), &self.board);
        words.extend(self.verify.then(|| "--verify".into()));
        words
    }
}

/// Answers one line of a batch.
pub(super) fn answer_line(args: &Args, line: &str, stop: &StopFlag) -> anyhow::Result<Value> {
    let game = games::by_name("hex")?;
    // On a worker there is no file beside the batch: lines that name one have its text.
    let (position, query) = read_line(game, args, Path::new(""), line, &args.board.setup(game)?)?;
    let answer = solve(args, &position, &query, stop);
    Ok(to_json(&position, &query, &answer))
}

/// A line with the text of the file that it names.
fn portable(file: &Path, line: &str) -> anyhow::Result<String> {
    let mut value: Value = serde_json::from_str(line)?;
    if let Some(path) = named_file(file, &value)? {
        value["sgf"] = json!(position::read_file(&path)?);
    }
    Ok(value.to_string())
}

/// The file that a line names with `sgf`, beside the batch or in the folder `puzzles` there.
fn named_file(file: &Path, line: &Value) -> anyhow::Result<Option<PathBuf>> {
    let sgf = line.get("sgf").and_then(Value::as_str);
    let Some(name) = sgf.filter(|text| !text.trim_start().starts_with('(')) else { return Ok(None) };
    let beside = file.parent().unwrap_or(Path::new(""));
    let places = [beside.join(name), beside.join("puzzles").join(name)];
    match places.into_iter().find(|path| path.is_file()) {
        Some(path) => Ok(Some(path)),
        None => bail!("\"sgf\" names the file {name}: not found beside the batch nor in puzzles/ there"),
    }
}

/// A line of a batch: a position, perhaps in a file it names, with the question it asks.
fn read_line(
    game: &dyn Game,
    args: &Args,
    file: &Path,
    line: &str,
    defaults: &Setup,
) -> anyhow::Result<(Position, Query)> {
    let value: Value = serde_json::from_str(line)?;
    let word = |name: &str| value.get(name).and_then(Value::as_str);
    let position = match named_file(file, &value)? {
        Some(path) => {
            let text = position::read_file(&path)?;
            position::parse(game, &text, defaults).with_context(|| path.display().to_string())?
        }
        None => position::parse(game, line, defaults)?,
    };
    let position = own(&*position)?;
    let ask = word("ask").map(parse_ask).transpose().map_err(anyhow::Error::msg)?;
    let side = word("side").map(parse_side).transpose().map_err(anyhow::Error::msg)?;
    let to_move = args.side.or(side).unwrap_or(position.to_move());
    Ok((position, Query { target: ask.unwrap_or(args.ask), to_move, verify: args.verify }))
}

fn solve(args: &Args, position: &Position, query: &Query, stop: &StopFlag) -> Solution {
    let budget = SolverLimits {
        time: args.time,
        nodes: args.nodes,
        threads: usize::from(args.threads),
        memory_mb: args.memory as usize,
    };
    let live = std::io::stderr().is_terminal();
    let progress = |progress: &Progress| {
        if live {
            let (done, all) = progress.moves;
            let seconds = progress.elapsed.as_secs_f64();
            eprint!("\r{:>12} nodes {seconds:>8.1} s, {done} of {all} decided ", progress.nodes);
            let _ = std::io::stderr().flush();
        }
    };
    let watch = Watch::start(stop.clone());
    let answer = solver::solve(position.board(), query, &budget, &watch, &progress);
    if live {
        eprint!("\r\x1b[K");
    }
    answer
}

/// Was everything answered within the budget?
fn is_complete(query: &Query, answer: &Solution) -> bool {
    answer.winner.is_some() && (query.target == Target::Winner || answer.undecided.is_empty())
}

fn to_json(position: &Position, query: &Query, answer: &Solution) -> Value {
    let size = position.size();
    let names = |cells: &[usize]| cells.iter().map(|&cell| name(size, cell)).collect::<Vec<_>>();
    let result = answer.result(query.to_move);
    let line: Vec<Move> = answer.line.iter().map(|&cell| Move::Place(size.cell(cell))).collect();
    // The line is played by the side that the question is about.
    let asked = position.as_set_up(query.to_move);
    let mut object = json!(ProofBody::new(&asked, result, &line, answer.nodes, answer.elapsed));
    object["winner"] = json!(answer.winner);
    object["side"] = json!(query.to_move);
    object["complete"] = json!(is_complete(query, answer));
    object["stored"] = json!(answer.stored);
    if query.target == Target::WinningMoves {
        object["winning_moves"] = json!(names(&answer.winning_moves));
        object["undecided"] = json!(names(&answer.undecided));
    }
    if query.verify {
        object["verified"] = json!(answer.proof.is_some());
        match &answer.proof {
            Some(proof) => object["proof_steps"] = json!(proof.steps.len()),
            None => object["not_verified"] = json!(why_not(answer)),
        }
    }
    if let (Some(&first), ProofResult::Win) = (answer.line.first(), result) {
        json::put_move(&mut object, position, Move::Place(size.cell(first)));
    }
    object
}

fn print(position: &Position, query: &Query, answer: &Solution) {
    let size = position.size();
    let names = |cells: &[usize]| cells.iter().map(|&cell| name(size, cell)).collect::<Vec<_>>().join(" ");
    match answer.winner {
        Some(side) => {
            let line: Vec<Move> = answer.line.iter().map(|&cell| Move::Place(size.cell(cell))).collect();
            let end = api::end_of(&position.as_set_up(query.to_move), &line).filter(|plies| *plies != 0);
            let length = end.map(|plies| format!(", {}", api::mate_text(plies))).unwrap_or_default();
            println!("{side} wins ({} to move{length}): {}", query.to_move, names(&answer.line));
        }
        None => println!("unknown: the budget ended first"),
    }
    if query.target == Target::WinningMoves {
        println!("winning moves: {}", names(&answer.winning_moves));
        if !answer.undecided.is_empty() {
            println!("undecided: {}", names(&answer.undecided));
        }
    }
    match &answer.proof {
        Some(proof) => println!("proof of {} steps, checked by the rules alone", proof.steps.len()),
        None if query.verify => println!("not verified: {}", why_not(answer)),
        None => {}
    }
    println!("{} nodes in {:.3} s", answer.nodes, answer.elapsed.as_secs_f64());
}

fn why_not(answer: &Solution) -> &'static str {
    if answer.proof_failed { "the proof does not check" } else { "budget" }
}

/// The steps of a proof: `play` has a cell and the number of the step that follows, `meet` pairs of the
/// opponent's cell (or null for any) and a step, `over` a stone with the steps that join it to both ends.
fn proof_json(size: Size, proof: &Proof) -> Value {
    let step = |step: &ProofStep| match step {
        ProofStep::Touch => json!("touch"),
        ProofStep::Play(cell, then) => json!({"play": [name(size, *cell), then]}),
        ProofStep::Meet(answers) => {
            let pairs: Vec<_> =
                answers.iter().map(|(cell, then)| (cell.map(|cell| name(size, cell)), then)).collect();
            json!({ "meet": pairs })
        }
        ProofStep::Both(over, steps) => json!({"over": name(size, *over), "both": steps}),
    };
    let steps: Vec<Value> = proof.steps.iter().map(step).collect();
    json!({"winner": proof.winner, "root": steps.len().saturating_sub(1), "steps": steps})
}

fn name(size: Size, cell: usize) -> String {
    hex::notation::point::format(size.cell(cell))
}

fn parse_ask(text: &str) -> Result<Target, String> {
    match text {
        "winner" => Ok(Target::Winner),
        "winning-moves" => Ok(Target::WinningMoves),
        _ => Err(format!("'{text}' cannot be asked; accepted: winner, winning-moves")),
    }
}
