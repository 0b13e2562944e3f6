//! [`Game::prove`](::game::Game::prove) and [`Game::defend`](::game::Game::defend) for Gomoku.

use super::{AttackResult, Goal, Solution, Solver, SolverBudget};
use crate::{Board, Class, Point, Position};
use ::game::{Defence, Limits, Move, Position as GamePosition, Proof, ProofResult, Watch};

/// What can be asked.
pub(crate) const QUESTIONS: [(&str, &str); 3] = [
    ("vcf", "a win by fours alone"),
    ("vct", "a win by threats, fours and threes"),
    ("win", "a forced win by any means: threats, then the main search"),
];

/// Answers shown of a defence.
const SHOWN: usize = 8;

/// Nodes to see what an attack threatens.
const PASS: u64 = 20_000;

/// How many answers of a defence are tried, the likely ones first, with how many nodes each: where one holds, the
/// short tries mostly find it before a hard one uses up what the others need.
const SHARES: [(usize, u64); 3] = [(16, 2_000), (16, 20_000), (usize::MAX, 200_000)];

impl From<AttackResult> for ProofResult {
    fn from(result: AttackResult) -> ProofResult {
        match result {
            AttackResult::Win => ProofResult::Win,
            AttackResult::None => ProofResult::None,
            AttackResult::Unknown => ProofResult::Unknown,
        }
    }
}

/// Does the side to move have a win of this kind?
pub(crate) fn prove(position: &Position, goal: Goal, limits: &Limits, watch: &Watch) -> Option<Proof> {
    if let Some(result) = ProofResult::of_outcome(position) {
        return Some(Proof::bare(result, 0));
    }
    let mut board = position.board().clone();
    let mut solver = Solver::new(limits.memory_mb);
    let mut budget = SolverBudget::new(limits, watch);
    let Solution { result, line, nodes, .. } =
        solver.solve(&mut board, position.to_move(), goal, &mut budget);
    let line = line.into_iter().map(|point| Move::Place(point.cell())).collect();
    Some(Proof { line, ..Proof::bare(result.into(), nodes) })
}

/// How the side to move meets an attack of this kind: every legal answer is tried, the likely ones first.
pub(crate) fn defend(position: &Position, goal: Goal, limits: &Limits, watch: &Watch) -> Option<Defence> {
    if position.outcome().is_some() {
        return None;
    }
    let mut budget = SolverBudget::new(limits, watch);
    let mut board = position.board().clone();
    let mut solver = Solver::new(limits.memory_mb);
    let defender = position.to_move();
    let attacker = defender.other();
    let place = |point: Point| Move::Place(point.cell());
    let forbidden = position.forbidden();
    let allowed = |point: &Point| !forbidden.iter().any(|(cell, _)| *cell == point.cell());

    if let Some(five) = board.five_point(defender).filter(|five| allowed(five)) {
        return Some(Defence { replies: vec![place(five)], holds: Some(true), nodes: 0 });
    }
    if let Some(five) = board.five_point(attacker) {
        let replies: Vec<Move> =
            [five].iter().filter(|five| allowed(five)).map(|five| place(*five)).collect();
        if replies.is_empty() {
            return Some(Defence { replies, holds: Some(false), nodes: 0 });
        }
        board.make(five, defender);
        let after = solver.solve_threats(&mut board, attacker, goal, &mut budget);
        let holds = match after.result {
            AttackResult::Win => Some(false),
            AttackResult::None => Some(true),
            AttackResult::Unknown => None,
        };
        return Some(Defence { replies, holds, nodes: budget.spent() });
    }
    // Threats on the board narrow the answers down: an attack that wins by them needs no trying of every point.
    let beaten = match goal {
        Goal::Vcf => false,
        Goal::Vct | Goal::Win => solver.beaten(&mut board, attacker, &mut budget),
    };
    // The attack after a pass by the defender limits where an answer has to be.
    let threat = budget.share(PASS, |budget| solver.solve_threats(&mut board, attacker, goal, budget));
    let mut lost: Vec<(usize, Point)> = Vec::new();
    let mut open: Vec<Point> = in_order(&board, defender, &threat.line).into_iter().filter(allowed).collect();
    for (likely, share) in SHARES {
        let mut undecided = Vec::new();
        for (nth, point) in open.into_iter().enumerate() {
            if nth >= likely || budget.ended() || beaten && lost.len() == SHOWN {
                undecided.push(point);
                continue;
            }
            board.make(point, defender);
            let answer =
                budget.share(share, |budget| solver.solve_threats(&mut board, attacker, goal, budget));
            board.undo();
            match answer.result {
                AttackResult::None => {
                    let replies = vec![place(point)];
                    return Some(Defence { replies, holds: Some(true), nodes: budget.spent() });
                }
                AttackResult::Win => lost.push((answer.line.len(), point)),
                AttackResult::Unknown => undecided.push(point),
            }
        }
        open = undecided;
    }
    lost.sort_by_key(|(plies, _)| std::cmp::Reverse(*plies));
    let holds = (beaten || open.is_empty()).then_some(false);
    let mut replies: Vec<Point> = lost.into_iter().map(|(_, point)| point).collect();
    // Where the attack does not win for certain, what may hold is more stubborn than what certainly loses.
    let at = if beaten { replies.len() } else { 0 };
    replies.splice(at..at, open);
    let replies = replies.into_iter().take(SHOWN).map(place).collect();
    Some(Defence { replies, holds, nodes: budget.spent() })
}

/// All empty points: those of the threatened line, then the defender's own threats, then those near stones.
fn in_order(board: &Board, defender: ::game::Side, line: &[Point]) -> Vec<Point> {
    let near = board.candidates(2);
    let mut points: Vec<Point> = board.empty_points().iter().collect();
    points.sort_by_key(|point| {
        let on_line = line.iter().position(|other| other == point);
        let own = board.class(*point, defender) > Class::Quiet;
        let near = near.iter().any(|other| other == *point);
        (on_line.unwrap_or(line.len()), !own, !near)
    });
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::game::{Cell, Game, Setup};
    use std::time::Duration;

    fn after(moves: &str) -> Box<dyn GamePosition> {
        crate::GOMOKU.parse(moves, &Setup::empty(15, 15)).unwrap()
    }

    fn limits() -> Limits {
        Limits { memory_mb: 16, ..Limits::time(Duration::from_secs(5)) }
    }

    fn ask(position: &dyn GamePosition, question: &str) -> Proof {
        crate::GOMOKU.prove(position, question, &limits(), &Watch::default()).unwrap()
    }

    #[test]
    fn every_question_is_answered_and_no_other() {
        let position = after("h8a1h9a2h10a3");
        for (question, _) in crate::GOMOKU.questions() {
            let proof = ask(&*position, question);
            assert_eq!(proof.result, ProofResult::Win, "{question}");
            let mut at = position.boxed();
            for mv in &proof.line {
                at.play(*mv).unwrap();
            }
            assert!(at.outcome().is_some(), "{question}: the line ends with five");
        }
        assert!(crate::GOMOKU.prove(&*position, "winner", &limits(), &Watch::default()).is_none());
        assert_eq!(ask(&*after("h8"), "vcf").result, ProofResult::None);
    }

    #[test]
    fn a_four_is_answered_at_its_end_and_an_open_three_in_one_of_three_ways() {
        let defend = |position: &dyn GamePosition, question: &str| {
            crate::GOMOKU.defend(position, question, &limits(), &Watch::default()).unwrap()
        };
        let closed = after("h8h7h9a1h10o1h11");
        let met = defend(&*closed, "vcf");
        assert_eq!(met.replies, [closed.parse_move("h12").unwrap()]);
        assert_eq!(met.holds, Some(true));
        let three = after("h8a1h9o1h10");
        let met = defend(&*three, "vcf");
        assert_eq!(met.holds, Some(true));
        let Some(Move::Place(Cell { col, .. })) = met.replies.first() else { panic!("{met:?}") };
        assert_eq!(*col, 7, "on the line of the three");
    }

    #[test]
    fn a_won_attack_cannot_be_met() {
        // Two open threes that cross: whatever white does, black has a four next.
        let position = after("h8a1h9o1h10a15g8o15f8");
        let met = crate::GOMOKU.defend(&*position, "vct", &limits(), &Watch::default()).unwrap();
        assert_eq!(met.holds, Some(false), "{met:?}");
        assert!(!met.replies.is_empty());
    }
}
