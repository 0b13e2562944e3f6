//! The other side of the table: judges a person's moves in a puzzle, defends as stubbornly as it can, and helps.

use super::position;
use crate::solver::{AttackResult, SolverBudget, Vcf, Vct};
use crate::{Point, Position};
use ::game::{Move, Outcome, Position as GamePosition, Puzzle, Side};

/// Judges and defends.
pub struct Guide {
    attacker: Side,
    vcf: Vcf,
    vct: Vct,
}

/// What a person's move is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The game is won.
    Solved,
    /// The win is still there; this is the most stubborn answer, if there is one at all.
    Winning(Option<Move>),
    /// No forced win is left.
    Lost,
    /// Neither a forced win nor a refutation was found in time.
    Unclear,
}

/// Nodes for each question. Most take a hundredth; a wrong move that is hard to refute takes a few seconds.
const NODES: u64 = 150_000;
/// Nodes of it to look for a win by fours first.
const VCF_NODES: u64 = 20_000;

impl Guide {
    /// A guide for one puzzle. It goes through the puzzle's line from its end, as the makers do, so that the
    /// proof of each position helps with the one before it.
    pub fn new(puzzle: &Puzzle) -> Guide {
        let mut guide = Guide { attacker: puzzle.side, vcf: Vcf::new(1 << 16), vct: Vct::new(32) };
        if let Ok(mut game) = position(puzzle) {
            let start = game.history().len();
            for text in &puzzle.line {
                let played = game.parse_move(text).and_then(|mv| game.play(mv));
                if played.is_err() {
                    break;
                }
            }
            while game.history().len() >= start {
                if game.to_move() == guide.attacker && game.outcome().is_none() {
                    let mut board = game.board().clone();
                    guide.vct.run(&mut board, guide.attacker, &mut SolverBudget::nodes(NODES));
                }
                if game.undo().is_none() {
                    break;
                }
            }
        }
        guide
    }

    /// Judges the position after a move of the person's.
    pub fn rule(&mut self, position: &Position) -> Ruling {
        match position.outcome() {
            Some(Outcome::Win { side, .. }) if side == self.attacker => return Ruling::Solved,
            Some(_) => return Ruling::Lost,
            None if position.to_move() == self.attacker => return Ruling::Lost,
            None => {}
        }
        let mut board = position.board().clone();
        match self.vct.run_against(&mut board, self.attacker, &mut SolverBudget::nodes(NODES)) {
            AttackResult::Win => {
                let reply = self.vct.defence(&mut board, self.attacker, &mut SolverBudget::nodes(NODES));
                Ruling::Winning(reply.map(place).or_else(|| position.legal_moves().first().copied()))
            }
            AttackResult::None => Ruling::Lost,
            AttackResult::Unknown => Ruling::Unclear,
        }
    }

    /// A way to win for the person to move: the shortest by fours, else one by threats.
    pub fn line(&mut self, position: &Position) -> Option<Vec<Move>> {
        if position.outcome().is_some() || position.to_move() != self.attacker {
            return None;
        }
        let mut board = position.board().clone();
        let mut fours = SolverBudget::nodes(VCF_NODES);
        let line = if self.vcf.shortest(&mut board, self.attacker, &mut fours) == AttackResult::Win {
            self.vcf.line().to_vec()
        } else if self.vct.run(&mut board, self.attacker, &mut SolverBudget::nodes(NODES))
            == AttackResult::Win
        {
            self.vct.line(&mut board, self.attacker)
        } else {
            return None;
        };
        Some(line.into_iter().map(place).collect())
    }
}

fn place(point: Point) -> Move {
    Move::Place(point.cell())
}
