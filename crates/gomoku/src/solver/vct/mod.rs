//! VCT, victory by continuous threats: after every move of the attacker the defender would, if it passed, lose
//! to a five or to a VCF. Fours and threes are such moves, and so are quieter ones that prepare a VCF.
//!
//! The search is df-pn (depth-first proof-number search) over attacker and defender nodes, with [`Vcf`] tried
//! first at every attacker node. The defender's moves are limited without losing any that matters:
//! - the attacker can make five: only the point of the five;
//! - it can make a sure four (two fives at once): every move that touches all such fours, and every four of
//!   the defender's own, since any other leaves a sure four standing and makes no threat that comes first;
//! - it has some other VCF: every point of its line, every point from which a stone could make a four
//!   together with the line's forced blocks, and every four (`replies::vcf_zone`).
//!
//! So a win is a win against all defences. The attacker's moves are those that make at least a two or a
//! closed three ([`Class::Two`] and up) or block a four: `None` means that no win exists within them
//! ([`Vct::run_wide`] then tries the rest).

mod children;
mod longest;
mod replies;
mod search;

use super::proof_table::{Known, Numbers, ProofTable};
use super::{AttackResult, AttackStrategy, SolverBudget, TableScope, Vcf};
use crate::threat::may_play;
use crate::{Board, Class, Point, PointSet};
use ::game::Side;

/// A reusable VCT solver.
pub struct Vct {
    table: ProofTable,
    vcf: Vcf,
    scope: TableScope,
    attacker: Side,
    /// Does the attacker try all moves near the stones?
    wide: bool,
    /// Stones on the board where the search began.
    root: usize,
    /// The children of all nodes on the path.
    children: Vec<Child>,
}

#[derive(Clone, Copy)]
struct Child {
    point: Point,
    numbers: Numbers,
}

/// How far from some stone an attacking move may be: further away it makes no two.
const NEAR: usize = 4;

impl Vct {
    /// A solver that uses about so much memory.
    pub fn new(memory_mb: usize) -> Vct {
        let bytes = memory_mb.clamp(1, 1 << 20) << 20;
        Vct {
            table: ProofTable::new(bytes / 4 * 3),
            vcf: Vcf::new((bytes / 8 / 8).next_power_of_two()),
            scope: TableScope::default(),
            attacker: Side::Black,
            wide: false,
            root: 0,
            children: Vec::with_capacity(1 << 12),
        }
    }

    /// Does `attacker`, to move, win by continuous threats? The game must not be over.
    pub fn run(&mut self, board: &mut Board, attacker: Side, budget: &mut SolverBudget<'_>) -> AttackResult {
        self.start(board);
        self.prove(board, attacker, attacker, budget)
    }

    /// Like [`Vct::run`], and where the usual threats do not win, every move near the stones that threatens a
    /// VCF is tried: among them blocks of what the defender would make on the way.
    pub(crate) fn run_wide(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut SolverBudget<'_>,
    ) -> AttackResult {
        match self.run(board, attacker, budget) {
            AttackResult::None => {}
            decided => return decided,
        }
        self.wide = true;
        self.prove(board, attacker, attacker, budget)
    }

    /// Does `attacker` win by continuous threats with this legal move first?
    pub(crate) fn run_after(
        &mut self,
        board: &mut Board,
        attacker: Side,
        point: Point,
        budget: &mut SolverBudget<'_>,
    ) -> AttackResult {
        self.start(board);
        if board.makes_five(point, attacker) {
            return AttackResult::Win;
        }
        self.prove_after(board, attacker, point, budget)
    }

    /// Like [`Vct::run_after`], and where the usual threats do not win, every move near the stones is tried, as in
    /// [`Vct::run_wide`].
    pub(crate) fn run_after_wide(
        &mut self,
        board: &mut Board,
        attacker: Side,
        point: Point,
        budget: &mut SolverBudget<'_>,
    ) -> AttackResult {
        match self.run_after(board, attacker, point, budget) {
            AttackResult::None => {}
            decided => return decided,
        }
        self.wide = true;
        self.prove_after(board, attacker, point, budget)
    }

    fn prove_after(
        &mut self,
        board: &mut Board,
        attacker: Side,
        point: Point,
        budget: &mut SolverBudget<'_>,
    ) -> AttackResult {
        board.make(point, attacker);
        let result = self.prove(board, attacker, attacker.other(), budget);
        board.undo();
        result
    }

    /// Does `attacker` win by continuous threats where the defender is to move? Only a threat that is on the board
    /// already counts.
    pub(crate) fn run_against(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut SolverBudget<'_>,
    ) -> AttackResult {
        self.start(board);
        self.prove(board, attacker, attacker.other(), budget)
    }

    /// The attacker's winning move, or `None` where none is found within the budget.
    pub(crate) fn attack_within(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut SolverBudget<'_>,
    ) -> Option<Point> {
        match self.prove(board, attacker, attacker, budget) {
            AttackResult::Win => self.table.probe(self.key(board, attacker)).map(|known| known.best),
            AttackResult::None | AttackResult::Unknown => None,
        }
    }

    /// The defender's most stubborn answer, where [`Vct::run_after`] found that the attacker's last move wins:
    /// the one that took most work to beat. `None` where the defender has no legal move that changes anything.
    pub fn defence(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut SolverBudget<'_>,
    ) -> Option<Point> {
        self.start(board);
        match self.prove(board, attacker, attacker.other(), budget) {
            AttackResult::Win => self.most_stubborn(board),
            AttackResult::None | AttackResult::Unknown => None,
        }
    }

    /// The moves that may begin a win by threats: every legal move of the attacker's that [`Vct::run`] would try.
    pub fn attacks(&mut self, board: &mut Board, attacker: Side) -> Vec<Point> {
        let near = board.candidates(NEAR).into_points();
        let threats: Vec<Point> = near.filter(|point| board.class(*point, attacker) >= Class::Two).collect();
        let blocks: Vec<Point> = board.points_of(attacker.other(), Class::Five).collect();
        let moves = threats.into_iter().chain(blocks).collect::<PointSet>();
        moves.into_points().filter(|point| may_play(board, *point, attacker)).collect()
    }

    /// One way the attack can go, after [`Vct::run`] found a win: against the defence that took most work.
    pub fn line(&mut self, board: &mut Board, attacker: Side) -> Vec<Point> {
        let mut line = Vec::new();
        while let Some(point) = self.attack(board, attacker) {
            let wins = board.makes_five(point, attacker);
            board.make(point, attacker);
            line.push(point);
            if wins {
                break;
            }
            match self.most_stubborn(board) {
                Some(reply) => {
                    board.make(reply, attacker.other());
                    line.push(reply);
                }
                None => break,
            }
        }
        line.iter().for_each(|_| {
            board.undo();
        });
        line
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        self.vcf.clear();
        self.scope = TableScope::default();
    }

    fn start(&mut self, board: &Board) {
        if self.scope.is_left_for(board) {
            self.table.clear();
            self.vcf.clear();
        }
        self.table.grow_old();
        self.wide = false;
        self.root = board.stones();
    }

    /// The answer that took most work to beat, the defender to move.
    fn most_stubborn(&mut self, board: &mut Board) -> Option<Point> {
        let base = self.children.len();
        let open = self.expand_defence(board, false, &mut SolverBudget::nodes(u64::MAX)).is_none();
        let replies: Vec<Point> = self.children.drain(base..).map(|child| child.point).collect();
        let worked = |point: &Point| {
            let known = self.table.probe(self.key_after(board, *point, self.attacker.other()));
            (known.map_or(0, |known| known.work), std::cmp::Reverse(*point))
        };
        if open {
            return replies.into_iter().max_by_key(worked);
        }
        // Nothing helps: the line still shows a defence, where the attacker would play next.
        let next = self.attack(board, self.attacker)?;
        may_play(board, next, self.attacker.other()).then_some(next)
    }

    #[inline]
    fn key(&self, board: &Board, side: Side) -> u64 {
        board.hash(side) ^ self.attacker_key()
    }

    #[inline]
    fn key_after(&self, board: &Board, point: Point, side: Side) -> u64 {
        board.hash_after(point, side) ^ self.attacker_key()
    }

    /// Numbers belong to an attacker and to the moves it tries.
    #[inline]
    fn attacker_key(&self) -> u64 {
        let keys = [0, 0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b];
        keys[self.attacker.index() + 2 * usize::from(self.wide)]
    }
}

impl AttackStrategy for Vct {
    fn attack(&mut self, board: &mut Board, attacker: Side) -> Option<Point> {
        self.attack_within(board, attacker, &mut SolverBudget::nodes(u64::MAX))
    }
}

#[cfg(test)]
mod tests;
