//! Solves boards and prints what it took: `solve 7` (empty board), `solve 7 all` (every opening),
//! `solve --puzzles FOLDER SECONDS` (lines of `puzzles.jsonl` there).
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use game::{Position as _, Setup, Side, Watch};
use hex::solver::{Query, SolverLimits, Target, solve};
use hex::{Board, Position, Size, notation};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let threads = std::env::var("THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let verify = std::env::var("VERIFY").is_ok();
    let budget = SolverLimits { threads, ..SolverLimits::default() };
    if words.first().is_some_and(|word| word == "--puzzles") {
        let seconds = words.get(2).map_or(Ok(10.0), |word| word.parse())?;
        return puzzles(words.get(1).ok_or("which folder?")?, seconds, &budget);
    }
    let n: u8 = words.first().map_or(Ok(5), |word| word.parse())?;
    let board = Board::new(Size::new(n, n).ok_or("a size from 1 to 19")?);
    let all = words.get(1).is_some_and(|word| word == "all");
    let target = if all { Target::WinningMoves } else { Target::Winner };
    let query = Query { target, to_move: Side::Black, verify };
    let printed = std::sync::atomic::AtomicUsize::new(0);
    let progress = |at: &hex::solver::Progress| {
        if printed.swap(at.moves.0, std::sync::atomic::Ordering::Relaxed) != at.moves.0 {
            eprintln!("{:?} {} nodes {:.1} s", at.moves, at.nodes, at.elapsed.as_secs_f64());
        }
    };
    let answer = solve(&board, &query, &budget, &Watch::default(), &progress);
    println!("{:?} {} nodes {:.3} s", answer.winner, answer.nodes, answer.elapsed.as_secs_f64());
    if let Some(proof) = &answer.proof {
        println!("proof of {} steps", proof.steps.len());
    }
    if all {
        for row in 0..n as usize {
            let row: String = (0..n as usize)
                .map(|col| if answer.winning_moves.contains(&(row * n as usize + col)) { 'W' } else { '.' })
                .collect();
            println!("{row}");
        }
    }
    Ok(())
}

fn puzzles(folder: &str, seconds: f64, budget: &SolverLimits) -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::var("FILE").unwrap_or("puzzles.jsonl".into());
    let text = std::fs::read_to_string(format!("{folder}/{file}"))?;
    for puzzle in notation::parse_puzzles(&text)? {
        let sgf = std::fs::read_to_string(format!("{folder}/puzzles/{}", puzzle.sgf))?;
        let position = notation::parse(&sgf, &Setup::empty(11, 11))?;
        let to_move = Side::parse(&puzzle.side).unwrap_or(position.to_move());
        let target = if puzzle.ask == "winner" { Target::Winner } else { Target::WinningMoves };
        let query = Query { target, to_move, verify: false };
        let budget = SolverLimits { time: Some(Duration::from_secs_f64(seconds)), ..*budget };
        let answer = solve(position.board(), &query, &budget, &Watch::default(), &|_| {});
        let size = position.size();
        let moves: Vec<String> =
            answer.winning_moves.iter().map(|&cell| notation::point::format(size.cell(cell))).collect();
        let ours = match target {
            Target::Winner => answer.winner.map(|side| side.to_string()),
            Target::WinningMoves => answer.undecided.is_empty().then(|| moves.join(" ")),
        };
        let sorted = |text: &str| {
            let mut words: Vec<String> = text.split_whitespace().map(str::to_string).collect();
            words.sort();
            words
        };
        // The reference omits winning moves that it considers inferior; each further one of ours needs a proof.
        let more = |ours: &str, theirs: &str| {
            let (ours, theirs) = (sorted(ours), sorted(theirs));
            let proved = |name: &String| proved(&position, to_move, name, &budget);
            theirs.iter().all(|name| ours.contains(name))
                && ours.iter().filter(|name| !theirs.contains(name)).all(proved)
        };
        let comparison = match (&ours, &puzzle.answer) {
            (None, _) => "unknown",
            (Some(ours), Some(theirs)) if sorted(ours) == sorted(theirs) => "right",
            (Some(ours), Some(theirs)) if target == Target::WinningMoves && more(ours, theirs) => "more",
            (Some(_), Some(_)) => "WRONG",
            (Some(_), None) => "answered",
        };
        println!(
            "{:<28} {comparison:<8} {:>8} nodes {:>7.2} s  {ours:?} {:?}",
            puzzle.sgf,
            answer.nodes,
            answer.elapsed.as_secs_f64(),
            puzzle.answer
        );
    }
    Ok(())
}

/// Is there a checked proof that the move wins?
fn proved(position: &Position, to_move: Side, name: &str, budget: &SolverLimits) -> bool {
    let Some(cell) = notation::point::parse(name) else { return false };
    let mut board = position.board().clone();
    board.place(to_move, position.size().index(cell));
    let query = Query { target: Target::Winner, to_move: to_move.other(), verify: true };
    let answer = solve(&board, &query, budget, &Watch::default(), &|_| {});
    answer.proof.is_some_and(|proof| proof.winner == to_move)
}
