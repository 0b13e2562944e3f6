//! The solver as [`Game::prove`](game::Game::prove) and [`Game::defend`](game::Game::defend).

use super::{Query, Solution, SolverLimits, Target, solve};
use crate::{Position, overlay};
use game::{Defence, Limits, Move, Position as _, Proof, ProofResult, Watch};

/// What can be asked.
pub(crate) const QUESTIONS: [(&str, &str); 2] = [
    ("winner", "who wins with best play"),
    ("winning-moves", "all first moves with which the side to move wins"),
];

/// Replies listed in a defence.
const MAX_REPLIES: usize = 8;

/// Who wins, or all winning moves of the side to move.
pub(crate) fn prove(position: &Position, question: &str, limits: &Limits, watch: &Watch) -> Option<Proof> {
    let target = match question {
        // The goal of a puzzle.
        "winner" | "win" => Target::Winner,
        "winning-moves" => Target::WinningMoves,
        _ => return None,
    };
    if let Some(result) = ProofResult::of_outcome(position) {
        return Some(Proof::bare(result, 0));
    }
    let solution = solution(position, target, limits, watch);
    let moves = |cells: &[usize]| -> Vec<Move> {
        cells.iter().map(|&cell| Move::Place(position.size().cell(cell))).collect()
    };
    Some(Proof {
        result: solution.result(position.to_move()),
        line: moves(&solution.line),
        winning_moves: (target == Target::WinningMoves).then(|| moves(&solution.winning_moves)),
        undecided: moves(&solution.undecided),
        nodes: solution.nodes,
    })
}

/// The side to move against an opponent who claims to win: a winning move if there is one, or the answer that
/// took the solver most work, with other cells where the opponent's connections can be disturbed at all.
pub(crate) fn defend(position: &Position, question: &str, limits: &Limits, watch: &Watch) -> Option<Defence> {
    if question != "winner" && question != "win" || position.outcome().is_some() {
        return None;
    }
    let solution = solution(position, Target::Winner, limits, watch);
    let size = position.size();
    let mut replies: Vec<Move> =
        solution.line.first().map(|&cell| Move::Place(size.cell(cell))).into_iter().collect();
    let holds = solution.winner.map(|winner| winner == position.to_move());
    if holds != Some(true) {
        let region = overlay::layer(position, "must-play").unwrap_or_default();
        if holds.is_some() && region.cells.is_empty() {
            // Joined by a virtual connection: nothing is left to try.
            return Some(Defence { replies: Vec::new(), holds, nodes: solution.nodes });
        }
        let cells =
            region.cells.iter().filter(|cell| cell.side.is_none_or(|side| side == position.to_move()));
        for cell in cells {
            let mv = Move::Place(cell.cell);
            if !replies.contains(&mv) && position.legal(mv).is_ok() {
                replies.push(mv);
            }
        }
        replies.truncate(MAX_REPLIES);
    }
    Some(Defence { replies, holds, nodes: solution.nodes })
}

fn solution(position: &Position, target: Target, limits: &Limits, watch: &Watch) -> Solution {
    let solver_limits = SolverLimits {
        time: limits.move_time,
        nodes: limits.nodes,
        threads: limits.threads.max(1),
        memory_mb: limits.memory_mb,
    };
    let query = Query { target, to_move: position.to_move(), verify: false };
    solve(position.board(), &query, &solver_limits, watch, &|_| {})
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Game, Setup};
    use std::time::Duration;

    fn limits() -> Limits {
        Limits { memory_mb: 16, ..Limits::time(Duration::from_secs(10)) }
    }

    #[test]
    fn every_question_is_answered_and_no_other() {
        let empty = crate::HEX.position(&Setup::empty(4, 4)).unwrap();
        for (question, _) in crate::HEX.questions() {
            let proof = crate::HEX.prove(&*empty, question, &limits(), &Watch::default()).unwrap();
            assert_eq!(proof.result, ProofResult::Win, "{question}: the first player wins");
            assert_eq!(proof.winning_moves.is_some(), *question == "winning-moves");
            assert!(proof.undecided.is_empty());
        }
        assert!(crate::HEX.prove(&*empty, "vcf", &limits(), &Watch::default()).is_none());
    }

    #[test]
    fn a_bad_opening_is_refuted_and_a_good_one_is_not() {
        let proof = {
            let empty = crate::HEX.position(&Setup::empty(4, 4)).unwrap();
            crate::HEX.prove(&*empty, "winning-moves", &limits(), &Watch::default()).unwrap()
        };
        let wins = proof.winning_moves.unwrap();
        for text in ["a1", "b3", "d1"] {
            let mut position = crate::HEX.position(&Setup::empty(4, 4)).unwrap();
            let mv = position.parse_move(text).unwrap();
            position.play(mv).unwrap();
            let met = crate::HEX.defend(&*position, "win", &limits(), &Watch::default()).unwrap();
            assert_eq!(met.holds, Some(!wins.contains(&mv)), "{text}");
            assert!(met.replies.iter().all(|mv| position.legal(*mv).is_ok()));
        }
    }
}
