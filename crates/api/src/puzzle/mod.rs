//! Puzzles in play: the person attacks, the solver judges every move and defends as stubbornly as it can.
//!
//! Nothing is remembered between requests: a request carries all moves since the puzzle's position.

mod request;
mod solution;

pub use request::{
    AllProgress, Attempt, Chosen, JudgedBody, Progress, PuzzleBody, PuzzleEntry, PuzzleList, SolutionBody,
    list,
};
pub use solution::Branch;
use solution::solution;

use crate::Problem;
use game::{Defence, Game, Limits, Move, Options, Position, ProofResult, Puzzle, Setup, Watch};
use serde::Serialize;
use std::time::Duration;

/// Time to judge a move, a first one that the maker proved to win, and one of the puzzle's own line.
const JUDGE: Duration = Duration::from_secs(3);
const JUDGE_KNOWN: Duration = Duration::from_millis(1200);
const JUDGE_LINE: Duration = Duration::from_millis(300);
/// Time of an engine that answers where the solver has no opinion.
const REPLY: Duration = Duration::from_millis(600);

/// What a move was worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum MoveResult {
    /// The game is won, or cannot be lost any more.
    Solved,
    /// It still wins.
    Right,
    /// The answer refutes it.
    Wrong,
    /// Neither was proved in time: the game goes on, and its end decides.
    Unclear,
}

/// A judged move: the answer to it is on the board already.
struct Judged {
    verdict: MoveResult,
    position: Box<dyn Position>,
    reply: Option<Move>,
}

/// The position of a puzzle. Ours are made by our own tools, so a broken one is a fault of the build.
fn position(game: &dyn Game, puzzle: &Puzzle) -> Result<Box<dyn Position>, Problem> {
    let (rows, cols) = puzzle.size;
    let defaults = Setup { rule: puzzle.rule.clone(), ..Setup::empty(rows, cols) };
    let position = game.parse(&puzzle.position, &defaults)?;
    if position.to_move() == puzzle.side {
        return Ok(position);
    }
    // Moves say whose turn it is; a drawing of stones may leave it open.
    Ok(game.parse(&puzzle.position, &Setup { to_move: Some(puzzle.side), ..defaults })?)
}

/// The position after moves of both sides.
fn after(game: &dyn Game, puzzle: &Puzzle, moves: &[String]) -> Result<Box<dyn Position>, Problem> {
    let mut at = position(game, puzzle)?;
    for (ply, text) in moves.iter().enumerate() {
        at.parse_move(text)
            .and_then(|mv| at.play(mv))
            .map_err(|error| Problem::from(error).with("ply", ply).with("move", text.as_str()))?;
    }
    Ok(at)
}

fn limits(time: Duration) -> Limits {
    Limits { memory_mb: 32, ..Limits::time(time) }
}

/// What the defender is asked to meet. A win by threats is a win, also where fours alone would have done.
fn question(puzzle: &Puzzle) -> &str {
    if puzzle.goal == "vcf" { "vct" } else { &puzzle.goal }
}

/// Judges the last of the moves played, which is on the board, and answers it.
fn judge(
    game: &dyn Game,
    puzzle: &Puzzle,
    played: &[String],
    mut position: Box<dyn Position>,
    watch: &Watch,
) -> Judged {
    if let Some(outcome) = position.outcome() {
        let verdict =
            if outcome.winner() == Some(puzzle.side) { MoveResult::Solved } else { MoveResult::Wrong };
        return Judged { verdict, position, reply: None };
    }
    // What the maker proved need not be proved again: the first moves that win, and one whole line. What the maker
    // did not prove is judged here: the list of first moves may lack one that takes long to prove.
    let same = |a: &String, b: &String| a.eq_ignore_ascii_case(b);
    let on_line =
        played.len() < puzzle.line.len() && played.iter().zip(&puzzle.line).all(|(a, b)| same(a, b));
    let first = matches!(played, [first] if puzzle.first_moves.iter().any(|known| same(known, first)));
    let proved = on_line || first;
    let known = puzzle.line.get(played.len()).filter(|_| on_line);
    let known = known.and_then(|text| position.parse_move(text).ok());
    let time = match (known, proved) {
        (Some(_), _) => JUDGE_LINE,
        (None, true) => JUDGE_KNOWN,
        (None, false) => JUDGE,
    };
    let Some(Defence { replies, holds, .. }) =
        game.defend(&*position, question(puzzle), &limits(time), &watch.restarted())
    else {
        return Judged { verdict: MoveResult::Unclear, position, reply: None };
    };
    let verdict = match holds {
        Some(false) if replies.is_empty() => MoveResult::Solved,
        Some(false) => MoveResult::Right,
        _ if proved => MoveResult::Right,
        Some(true) => MoveResult::Wrong,
        None => MoveResult::Unclear,
    };
    let reply = match verdict {
        MoveResult::Solved => None,
        MoveResult::Right if known.is_some() => known,
        MoveResult::Unclear => engine_move(game, &*position, watch).or(replies.first().copied()),
        _ => replies.first().copied().or_else(|| engine_move(game, &*position, watch)),
    };
    let reply = reply.filter(|mv| position.play(*mv).is_ok());
    // A defender who has won by now has refuted everything.
    let lost = position.outcome().is_some_and(|outcome| outcome.winner() != Some(puzzle.side));
    Judged { verdict: if lost { MoveResult::Wrong } else { verdict }, position, reply }
}

/// What the recommended engine would answer.
fn engine_move(game: &dyn Game, position: &dyn Position, watch: &Watch) -> Option<Move> {
    let mut engine = (game.engines().first()?.make)(&Options::new()).ok()?;
    let found = engine.think(position, &limits(REPLY), &watch.restarted(), &mut |_| {});
    found.ok().map(|decision| decision.mv)
}

/// The move that wins now, if the position is still won.
fn hint(game: &dyn Game, puzzle: &Puzzle, position: &dyn Position, watch: &Watch) -> Option<Move> {
    if position.history().len() == self::position(game, puzzle).ok()?.history().len() {
        return position.parse_move(puzzle.first_moves.first().or(puzzle.line.first())?).ok();
    }
    let proof = game.prove(position, question(puzzle), &limits(JUDGE), watch)?;
    (proof.result == ProofResult::Win).then(|| proof.line.first().copied())?
}
