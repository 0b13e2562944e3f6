//! Verifies a puzzle: every claim is proved again, and every defence tried by the verifier.

use super::position;
use crate::solver::{AttackResult, AttackStrategy, Goal, SolverBudget, Vcf, Vct, VerifyError, verify};
use crate::threat::may_play;
use crate::{Board, Point, Position};
use ::game::{Move, Position as GamePosition, Puzzle, Side, TextError};

/// What is wrong with a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its position cannot be read.
    #[error("its position: {0}")]
    Position(#[from] TextError),
    /// A field contradicts the position or another field.
    #[error("{0}")]
    Field(String),
    /// A first move is not shown to win.
    #[error("first move {mv}: {problem}")]
    FirstMove {
        /// The move.
        mv: String,
        /// The verifier's error.
        problem: VerifyError,
    },
}

/// Attacking positions the verifier may look at for one first move; the largest puzzle that ships takes a
/// hundredth of it.
const VERIFY_NODES: u64 = 2_000_000;

/// Checks every claim of a puzzle: the side to move wins by the goal with each of the first moves against every
/// defence, and the line is legal play that ends with the win.
pub fn check(puzzle: &Puzzle) -> Result<(), Fault> {
    let fault = |text: String| Err(Fault::Field(text));
    let position = position(puzzle)?;
    let goal: Goal = puzzle.goal.parse().map_err(Fault::Field)?;
    if position.outcome().is_some() {
        return fault("its game is over".into());
    }
    if position.to_move() != puzzle.side {
        return fault(format!("{} is to move, not {}", position.to_move(), puzzle.side));
    }
    if !(1..=5).contains(&puzzle.grade) {
        return fault(format!("grade {}; accepted: 1 to 5", puzzle.grade));
    }
    if usize::from(puzzle.plies) != puzzle.line.len() {
        return fault(format!("{} plies, but a line of {}", puzzle.plies, puzzle.line.len()));
    }
    if !puzzle.line.first().is_some_and(|first| puzzle.first_moves.contains(first)) {
        return fault("its line does not begin with one of its first moves".into());
    }
    check_line(&position, puzzle)?;
    for text in &puzzle.first_moves {
        let first = point(&position, text)?;
        let verified = verify_first_move(&position, goal, first);
        verified.map_err(|problem| Fault::FirstMove { mv: text.clone(), problem })?;
    }
    if puzzle.unique() { check_uniqueness(&position, puzzle, goal) } else { Ok(()) }
}

/// Nodes to refute one other first move of a puzzle that claims to have only one.
pub(super) const UNIQUE_NODES: u64 = 100_000;

/// A puzzle with one first move claims that no other wins by its goal: each of the others is refuted.
fn check_uniqueness(position: &Position, puzzle: &Puzzle, goal: Goal) -> Result<(), Fault> {
    let mut board = position.board().clone();
    let (mut vcf, mut vct) = (Vcf::new(1 << 16), Vct::new(16));
    let mut proof = FirstMoveProof { goal, vcf: &mut vcf, vct: &mut vct };
    for point in board.empty_points().into_points() {
        let text = position.format_move(Move::Place(point.cell()));
        if puzzle.first_moves.contains(&text) {
            continue;
        }
        match proof.run(&mut board, puzzle.side, point, UNIQUE_NODES) {
            AttackResult::None => {}
            AttackResult::Win => {
                return Err(Fault::Field(format!("one first move is given, but {text} wins too")));
            }
            AttackResult::Unknown => {
                return Err(Fault::Field(format!("one first move is given, but {text} is not refuted")));
            }
        }
    }
    Ok(())
}

/// Has a win that begins with `first` checked against every defence.
fn verify_first_move(position: &Position, goal: Goal, first: Point) -> Result<(), VerifyError> {
    let mut strategy = FirstThen { first: Some(first), rest: Rest::of(goal) };
    let mut board = position.board().clone();
    verify(&mut board, position.to_move(), &mut strategy, &mut SolverBudget::nodes(VERIFY_NODES))
}

/// Completes the first moves of a puzzle that names only one: others that win are added, others that can neither be
/// proved nor refuted are recorded as undecided.
pub fn complete_first_moves(puzzle: &mut Puzzle) -> Result<(), Fault> {
    let position = position(puzzle)?;
    let goal: Goal = puzzle.goal.parse().map_err(Fault::Field)?;
    let [only] = puzzle.first_moves.as_slice() else { return Ok(()) };
    let only = only.clone();
    puzzle.undecided.clear();
    let mut board = position.board().clone();
    let (mut vcf, mut vct) = (Vcf::new(1 << 16), Vct::new(16));
    let mut proof = FirstMoveProof { goal, vcf: &mut vcf, vct: &mut vct };
    for point in board.empty_points().into_points() {
        let text = position.format_move(Move::Place(point.cell()));
        let result = match text == only {
            true => AttackResult::None,
            false => proof.run(&mut board, puzzle.side, point, UNIQUE_NODES),
        };
        match result {
            AttackResult::Win if verify_first_move(&position, goal, point).is_ok() => {
                puzzle.first_moves.push(text)
            }
            AttackResult::Win | AttackResult::Unknown => puzzle.undecided.push(text),
            AttackResult::None => {}
        }
    }
    if puzzle.first_moves.len() > 1 {
        puzzle.undecided.clear();
    }
    Ok(())
}

/// Decides whether a first move wins by a goal.
pub(super) struct FirstMoveProof<'a> {
    pub(super) goal: Goal,
    pub(super) vcf: &'a mut Vcf,
    pub(super) vct: &'a mut Vct,
}

impl FirstMoveProof<'_> {
    /// The result of one first move; a point forbidden to Black is none.
    pub(super) fn run(&mut self, board: &mut Board, side: Side, point: Point, nodes: u64) -> AttackResult {
        let budget = &mut SolverBudget::nodes(nodes);
        match self.goal {
            _ if !may_play(board, point, side) => AttackResult::None,
            Goal::Vcf => self.vcf.run_after(board, side, point, budget),
            Goal::Vct | Goal::Win => self.vct.run_after_wide(board, side, point, budget),
        }
    }
}

/// The line is legal, and at its end the solver has won or the defender has no legal answer to a four.
fn check_line(position: &Position, puzzle: &Puzzle) -> Result<(), Fault> {
    let mut at = position.clone();
    for text in &puzzle.line {
        let mv = Move::Place(point(&at, text)?.cell());
        at.play(mv).map_err(|error| Fault::Field(format!("its line: {error}")))?;
    }
    let winner = at.outcome().and_then(|outcome| outcome.winner());
    let unanswered = winner.is_none()
        && at.to_move() != puzzle.side
        && at.board().five_point(puzzle.side).is_some()
        && at.board().five_point(puzzle.side.other()).is_none();
    if winner == Some(puzzle.side) || unanswered {
        return Ok(());
    }
    Err(Fault::Field("its line does not end with the win".into()))
}

fn point(position: &Position, text: &str) -> Result<Point, Fault> {
    let refused = |error: ::game::IllegalMove| Fault::Field(format!("'{text}': {error}"));
    let mv = position.parse_move(text).map_err(refused)?;
    position.legal(mv).map_err(refused)?;
    mv.cell().map(Point::of).ok_or_else(|| Fault::Field(format!("'{text}' is not a point")))
}

/// Claims a win that begins with a given move.
struct FirstThen {
    first: Option<Point>,
    rest: Rest,
}

enum Rest {
    Vcf(Vcf),
    Vct(Vct),
}

impl Rest {
    fn of(goal: Goal) -> Rest {
        match goal {
            Goal::Vcf => Rest::Vcf(Vcf::new(1 << 16)),
            Goal::Vct | Goal::Win => Rest::Vct(Vct::new(16)),
        }
    }
}

/// Nodes for the answer to one defence: a claim that takes more is not confirmed.
const ANSWER_NODES: u64 = 200_000;

impl AttackStrategy for FirstThen {
    fn attack(&mut self, board: &mut Board, attacker: Side) -> Option<Point> {
        match (self.first.take(), &mut self.rest) {
            (Some(first), _) => Some(first),
            (None, Rest::Vcf(vcf)) => vcf.attack(board, attacker),
            (None, Rest::Vct(vct)) => {
                vct.attack_within(board, attacker, &mut SolverBudget::nodes(ANSWER_NODES))
            }
        }
    }
}
