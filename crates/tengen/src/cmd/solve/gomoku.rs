//! `tengen solve gomoku POSITION --goal vcf|vct|win`.

use super::{FleetBatch, batch, fleet_batch, words};
use crate::position::{self, BoardArgs};
use crate::search_args::{parse_count, parse_seconds, stop_on_ctrl_c};
use crate::usage::usage;
use crate::{games, json};
use anyhow::Context;
use api::ProofBody;
use game::{Limits, Move, Position, ProofResult, StopFlag, Watch};
use gomoku::solver::{AttackResult, Goal, Solution, Solver, SolverBudget, VerifyError};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A file, `-`, a move string, or `empty`; the side to move attacks
    #[arg(required_unless_present = "batch")]
    position: Option<String>,
    /// Many positions: one JSON object per line in, one per line out, in the same order; - for standard input
    #[arg(long, value_name = "FILE.jsonl", conflicts_with = "position")]
    batch: Option<PathBuf>,
    /// Kind of win: vcf (fours alone), vct (threats), win (any means)
    #[arg(long)]
    goal: Goal,
    /// The win with the fewest moves (goal vcf)
    #[arg(long)]
    shortest: bool,
    /// Have every win checked against every defence by the independent verifier
    #[arg(long)]
    verify: bool,
    /// Seconds per position [default: 10, if --nodes is not given]
    #[arg(long, value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Nodes per position
    #[arg(long, value_parser = parse_count)]
    nodes: Option<u64>,
    /// Worker threads, each on a position of its own (with --batch)
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory for tables, in MiB
    #[arg(long, default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
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
    if args.shortest && args.goal != Goal::Vcf {
        usage!("--shortest is for --goal vcf");
    }
    let game = games::by_name("gomoku")?;
    let stop = stop_on_ctrl_c();
    if let (Some(file), Some(url)) = (&args.batch, &args.fleet.url) {
        args.board.setup(game)?;
        let title = format!("solve gomoku {}: {}", args.goal.name(), file.display());
        let exact = args.time.is_none() && args.nodes.is_some();
        let batch = FleetBatch { url, title, words: args.words(), exact };
        return fleet_batch(file, batch, &stop, |line| Ok(line.into()));
    }
    if args.fleet.url.is_some() {
        usage!("--fleet is for --batch: one position is solved on this machine");
    }
    if let Some(file) = &args.batch {
        let defaults = args.board.setup(game)?;
        let threads = usize::from(args.threads);
        let memory = args.memory as usize / threads.max(1);
        return batch(file, threads, || {
            let mut solver = Solver::new(memory);
            let (defaults, stop) = (&defaults, &stop);
            move |line: &str| {
                let position = position::parse(game, line, defaults)?;
                let solved = solve(args, &*position, &mut solver, stop)?;
                Ok(solved.json(&*position))
            }
        });
    }
    let word = args.position.as_deref().unwrap_or("empty");
    let (_, position) = position::read("gomoku", word, &args.board)?;
    let solved = solve(args, &*position, &mut Solver::new(args.memory as usize), &stop)?;
    if args.json {
        println!("{}", solved.json(&*position));
    } else {
        solved.print(&*position, args.goal);
    }
    Ok(())
}

impl Args {
    /// The options that decide an answer, as words of a command line.
    fn words(&self) -> Vec<String> {
        let goal = ("goal", Some(self.goal.name().into()));
        let mut words = words("gomoku", &[goal], (self.time, self.nodes, self.memory), &self.board);
        words.extend(self.shortest.then(|| "--shortest".into()));
        words.extend(self.verify.then(|| "--verify".into()));
        words
    }
}

/// Answers one line of a batch, with tables of its own: the answer does not depend on other lines.
pub(super) fn answer_line(args: &Args, line: &str, stop: &StopFlag) -> anyhow::Result<Value> {
    let game = games::by_name("gomoku")?;
    let position = position::parse(game, line, &args.board.setup(game)?)?;
    Ok(solve(args, &*position, &mut Solver::new(args.memory as usize), stop)?.json(&*position))
}

struct Solved {
    result: ProofResult,
    line: Vec<Move>,
    nodes: u64,
    elapsed: Duration,
    verified: Option<Result<(), VerifyError>>,
    /// For `unknown`: what was searched without deciding the question.
    undecided: &'static str,
}

fn solve(
    args: &Args,
    position: &dyn Position,
    solver: &mut Solver,
    stop: &StopFlag,
) -> anyhow::Result<Solved> {
    let watch = Watch::start(stop.clone());
    if let Some(result) = ProofResult::of_outcome(position) {
        let elapsed = watch.elapsed();
        return Ok(Solved { result, line: Vec::new(), nodes: 0, elapsed, verified: None, undecided: "" });
    }
    let attacker = position.to_move();
    let gomoku = position.downcast::<gomoku::Position>().context("a position of gomoku")?;
    let mut board = gomoku.board().clone();
    let free = args.time.is_none() && args.nodes.is_none();
    let limits = Limits {
        move_time: args.time.or(free.then_some(Duration::from_secs(10))),
        nodes: args.nodes,
        ..Limits::default()
    };
    let mut budget = SolverBudget::new(&limits, &watch);
    let Solution { result, line, nodes, undecided } = match args.shortest {
        true => solver.shortest_vcf(&mut board, attacker, &mut budget),
        false => solver.solve(&mut board, attacker, args.goal, &mut budget),
    };
    let elapsed = watch.elapsed();
    let verified = (args.verify && result == AttackResult::Win).then(|| {
        let watch = Watch::start(stop.clone());
        solver.verify(&mut board, attacker, args.goal, &mut SolverBudget::new(&Limits::default(), &watch))
    });
    let line = line.into_iter().map(|point| Move::Place(point.cell())).collect();
    Ok(Solved { result: result.into(), line, nodes, elapsed, verified, undecided })
}

impl Solved {
    fn json(&self, position: &dyn Position) -> Value {
        let mut answer = json!(self.body(position));
        if let Some(first) = self.line.first() {
            json::put_move(&mut answer, position, *first);
        }
        if self.result == ProofResult::Unknown {
            answer["reason"] = json!(self.undecided);
        }
        if let Some(verified) = &self.verified {
            answer["verified"] = json!(verified.is_ok());
        }
        answer
    }

    fn body(&self, position: &dyn Position) -> ProofBody {
        ProofBody::new(position, self.result, &self.line, self.nodes, self.elapsed)
    }

    fn print(&self, position: &dyn Position, goal: Goal) {
        let side = position.to_move();
        match self.result {
            ProofResult::Win => {
                let line = api::words(position, &self.line).join(" ");
                let length = self.body(position).mate().map(|plies| format!(", {}", api::mate_text(plies)));
                println!("{side} wins ({}{}): {line}", goal.name(), length.unwrap_or_default());
            }
            ProofResult::Loss => println!("{side} has lost"),
            ProofResult::None => println!("{side} has no win ({})", goal.name()),
            ProofResult::Unknown => println!("unknown: {}", self.undecided),
        }
        match &self.verified {
            Some(Ok(())) => println!("verified against every defence"),
            Some(Err(doubt)) => println!("not verified: {doubt}"),
            None => {}
        }
        println!("{} nodes, {:.3} s", self.nodes, self.elapsed.as_secs_f64());
    }
}
