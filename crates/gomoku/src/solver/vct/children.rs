//! The children of a node: which moves the attacker tries, which the defender has, and how much work each is likely
//! to be.

use super::replies::{strong_four_stops, vcf_zone};
use super::{AttackResult, Child, Known, NEAR, Numbers, SolverBudget, Vct};
use crate::threat::{five_blocks, four_points, makes_four, may_play, winning_four};
use crate::{Board, Class, Point, PointSet, Rule};

/// What the defender has to choose from.
pub(super) struct Replies {
    /// The moves that matter.
    pub(super) points: PointSet,
    /// How soon every other move loses: it and the attacker's threat, up to the five.
    pub(super) plies_of_others: u32,
}

/// Nodes for a VCF at a new attacker node: enough for nearly all there are.
const VCF_NODES: u64 = 400;
/// First guess of the work to prove a three, in leaves: it leaves the defender about so many answers. This and the
/// next four were chosen by how many of 99 public three-move problems were solved within 60,000 nodes: 69 before, 93 to
/// 95 with them.
const THREE_WORK: u32 = 3;
/// The same for a four. A VCF has been looked for, so most fours left only give away what they were for.
const FOUR_WORK: u32 = 8;
/// The same for a move that makes neither: most of them threaten nothing.
const QUIET_WORK: u32 = 20;
/// What each move already made adds to these: short wins are looked for first.
const PLY_WORK: u32 = 2;
/// With so many points for fours and threes an attack is likely to go on; with fewer it takes more work.
const ENOUGH_POINTS: u32 = 6;

impl Vct {
    /// The attacker's moves as children, or the numbers where they are plain.
    pub(super) fn expand_attack(
        &mut self,
        board: &mut Board,
        first_visit: bool,
        best: &mut Point,
        budget: &mut SolverBudget<'_>,
    ) -> Option<Numbers> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        if let Some(five) = board.five_point(attacker) {
            *best = five;
            return Some(Numbers::YES);
        }
        let pressed = board.count(defender, Class::Five) > 0;
        if !pressed && let Some(four) = winning_four(board, attacker) {
            *best = four;
            return Some(Numbers::YES);
        }
        if first_visit {
            let vcf = &mut self.vcf;
            if budget.share(VCF_NODES, |share| vcf.run(board, attacker, share)) == AttackResult::Win {
                *best = vcf.line().first().copied().unwrap_or(*best);
                return Some(Numbers::YES);
            }
        }
        let moves: PointSet = if pressed {
            let fives: PointSet = board.points_of(defender, Class::Five).collect();
            match (board.rule(), fives.len()) {
                (Rule::Caro, _) => board.hot_points(attacker).union(&fives),
                (_, 1) => fives,
                _ => PointSet::EMPTY,
            }
        } else {
            let least = if self.wide { Class::Quiet } else { Class::Two };
            let near = board.candidates(NEAR).into_points();
            near.filter(|point| board.class(*point, attacker) >= least).collect()
        };
        let base = self.children.len();
        let late = PLY_WORK * board.stones().saturating_sub(self.root) as u32;
        for point in moves.into_points() {
            if may_play(board, point, attacker) {
                let work = match board.class(point, attacker) {
                    _ if pressed => 1,
                    _ if makes_four(board, point, attacker) => late + FOUR_WORK,
                    class if class >= Class::Three => late + THREE_WORK,
                    class if class >= Class::Two => late + QUIET_WORK,
                    _ => late + 2 * QUIET_WORK,
                };
                self.children.push(Child { point, numbers: Numbers { phi: 1, delta: work } });
            }
        }
        if self.children.len() == base {
            return Some(Numbers::NO);
        }
        self.children[base..].sort_by_key(|child| std::cmp::Reverse(board.class(child.point, attacker)));
        None
    }

    /// The defender's moves as children, or the numbers where they are plain.
    pub(super) fn expand_defence(
        &mut self,
        board: &mut Board,
        first_visit: bool,
        budget: &mut SolverBudget<'_>,
    ) -> Option<Numbers> {
        let defender = self.attacker.other();
        let base = self.children.len();
        let replies = match self.replies(board, budget) {
            Ok(replies) => replies.points,
            Err(numbers) => return Some(numbers),
        };
        for point in replies.into_points() {
            if may_play(board, point, defender) {
                let numbers = if first_visit { self.judge(board, point, budget) } else { Numbers::OPEN };
                self.children.push(Child { point, numbers });
            }
        }
        (self.children.len() == base).then_some(Numbers::NO)
    }

    /// The defender's moves that matter, or the numbers where there is nothing to search.
    pub(super) fn replies(
        &mut self,
        board: &mut Board,
        budget: &mut SolverBudget<'_>,
    ) -> Result<Replies, Numbers> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        if board.count(defender, Class::Five) > 0 {
            return Err(Numbers::YES);
        }
        if board.count(attacker, Class::Five) > 0 {
            return Ok(Replies { points: five_blocks(board, attacker), plies_of_others: 2 });
        }
        let (stops, plies_of_others) = match strong_four_stops(board, attacker) {
            Some(stops) => (stops, 4),
            None => {
                let vcf = &mut self.vcf;
                let mut threat = budget.share(VCF_NODES, |share| vcf.run(board, attacker, share));
                if threat == AttackResult::Unknown {
                    // Rare; but only a finished search proves that the attacker threatens nothing.
                    threat = vcf.run(board, attacker, budget);
                }
                match threat {
                    AttackResult::Win => (vcf_zone(board, attacker, vcf.line()), 1 + vcf.line().len() as u32),
                    AttackResult::None => return Err(Numbers::YES),
                    AttackResult::Unknown => return Err(Numbers::OPEN),
                }
            }
        };
        Ok(Replies { points: stops.union(&four_points(board, defender)), plies_of_others })
    }

    /// Is an answer met by a VCF? Told beforehand, so that the proof numbers count only real defences.
    fn judge(&mut self, board: &mut Board, reply: Point, budget: &mut SolverBudget<'_>) -> Numbers {
        let key = self.key_after(board, reply, self.attacker.other());
        if let Some(known) = self.table.probe(key) {
            return known.numbers;
        }
        board.make(reply, self.attacker.other());
        let (attacker, vcf) = (self.attacker, &mut self.vcf);
        let won = budget.share(VCF_NODES, |share| vcf.run(board, attacker, share)) == AttackResult::Win;
        let points = board.hot_points(attacker).len() as u32;
        board.undo();
        let best = vcf.line().first().copied().unwrap_or(reply);
        let numbers = match won {
            true => Numbers::YES,
            false => Numbers { phi: 1 + ENOUGH_POINTS.saturating_sub(points) / 2, delta: 1 + points },
        };
        self.table.store(key, Known { numbers, best, work: 1 });
        numbers
    }
}
