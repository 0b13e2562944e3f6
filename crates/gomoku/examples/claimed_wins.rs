//! Is a move shown as a win a win? Analyses positions, plays every root move that is shown as won, and asks the
//! solver whether the opponent then wins; also checks that principal lines are legal and distances belong to proved ends.
//! Exits with 1 when a claim is refuted, with 2 when there was nothing to check:
//! `cargo run --release -p tengen-gomoku --example claimed_wins -- FILE.jsonl POSITIONS NODES [SOLVER_NODES]`.

#![allow(missing_docs, clippy::print_stdout)]

use ::game::{Bound, Engine as _, Limits, Options, Position as _, Setup, Watch};
use gomoku::engine::Tengen;
use gomoku::solver::{AttackResult, Goal, Solver, SolverBudget};
use gomoku::{Position, notation};
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (file, wanted, nodes, solver_nodes) = match args.as_slice() {
        [file, wanted, nodes] => (file, wanted.parse()?, nodes.parse()?, 200_000),
        [file, wanted, nodes, solver] => (file, wanted.parse()?, nodes.parse()?, solver.parse()?),
        _ => return Err("accepted: FILE.jsonl POSITIONS NODES [SOLVER_NODES]".into()),
    };
    let text = std::fs::read_to_string(file)?;
    let defaults = Setup { rule: "renju".into(), ..Setup::empty(15, 15) };
    let every = (text.lines().count() / std::cmp::max(wanted, 1)).max(1);
    let mut engine = Tengen::new(&Options::new())?;
    let mut solver = Solver::new(64);
    let mut counts = Counts::default();
    for (number, position) in notation::json::read_lines(&text, &defaults).step_by(every).take(wanted) {
        let position = position?;
        engine.new_game();
        let limits = Limits { memory_mb: 32, ..Limits::nodes(nodes) };
        let report = engine.think(&position, &limits, &Watch::default(), &mut |_| {})?.report;
        counts.positions += 1;
        counts.won += usize::from(report.win_rate == 1.0);
        // A win may be proved without its longest line being known; but a distance belongs to a proof.
        let decided = report.win_rate == 1.0 || report.win_rate == 0.0;
        counts.distances += usize::from(report.mate.is_some());
        if report.mate.is_some() && !decided {
            counts.faults += 1;
            println!("{file}:{number}: not decided, but the distance is {:?}", report.mate);
        }
        for line in &report.lines {
            let mut at = position.clone();
            if let Some(bad) = line.moves.iter().find(|mv| at.play(**mv).is_err()) {
                counts.faults += 1;
                println!("{file}:{number}: the line has an illegal move: {}", position.format_move(*bad));
            }
            counts.whole += usize::from(line.mate.is_some() && at.outcome().is_some());
        }
        for row in report.root.iter().filter(|row| row.win_rate == 1.0 && row.bound != Bound::Upper) {
            counts.claims += 1;
            let Some(refutation) = refute(&position, row.mv, &mut solver, solver_nodes) else { continue };
            counts.faults += 1;
            println!("{file}:{number}: {} is shown as won, but {refutation}", position.format_move(row.mv));
        }
    }
    println!("{counts:?}");
    Ok(match counts {
        Counts { claims: 0, .. } => ExitCode::from(2),
        Counts { faults: 0, .. } => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    })
}

#[derive(Debug, Default)]
struct Counts {
    positions: usize,
    /// Positions shown as won.
    won: usize,
    /// Decided positions with a distance.
    distances: usize,
    /// Root moves shown as won.
    claims: usize,
    /// Decided lines that are played out to the five.
    whole: usize,
    faults: usize,
}

/// How the opponent wins after a move, if the solver finds out.
fn refute(position: &Position, mv: ::game::Move, solver: &mut Solver, nodes: u64) -> Option<String> {
    let mut after = position.clone();
    if let Err(problem) = after.play(mv) {
        return Some(problem.to_string());
    }
    if after.outcome().is_some() {
        return None;
    }
    let mut board = after.board().clone();
    let found = solver.solve(&mut board, after.to_move(), Goal::Vct, &mut SolverBudget::nodes(nodes));
    (found.result == AttackResult::Win).then(|| {
        let line = found.line.iter().map(|point| after.format_move(::game::Move::Place(point.cell())));
        format!("the opponent wins: {}", line.collect::<Vec<_>>().join(" "))
    })
}
