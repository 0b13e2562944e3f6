//! How long a proved win can last: the longest line of the proof, over every move of the defender.

use super::Vct;
use crate::solver::SolverBudget;
use crate::threat::{may_play, winning_four};
use crate::{Board, Class};
use ::game::Side;
use std::collections::HashMap;

impl Vct {
    /// Plies within which `attacker`, to move, wins against every defence, after [`Vct::run`] found a win. There may be
    /// a faster one. `None` where the budget ended before the whole proof was walked through.
    pub fn longest(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut SolverBudget<'_>,
    ) -> Option<u32> {
        self.attacker = attacker;
        Walk { vct: self, attacker, budget, known: HashMap::new() }.attack(board)
    }
}

struct Walk<'a, 'b> {
    vct: &'a mut Vct,
    attacker: Side,
    budget: &'a mut SolverBudget<'b>,
    /// Positions with the attacker to move.
    known: HashMap<u64, u32>,
}

impl Walk<'_, '_> {
    /// The attacker is to move.
    fn attack(&mut self, board: &mut Board) -> Option<u32> {
        if board.five_point(self.attacker).is_some() {
            return Some(1);
        }
        let pressed = board.count(self.attacker.other(), Class::Five) > 0;
        if !pressed && winning_four(board, self.attacker).is_some() {
            return Some(3);
        }
        let key = board.hash(self.attacker);
        if let Some(plies) = self.known.get(&key) {
            return Some(*plies);
        }
        if !self.budget.spend() {
            return None;
        }
        let point = self.vct.attack_within(board, self.attacker, self.budget)?;
        board.make(point, self.attacker);
        let rest = self.defend(board);
        board.undo();
        let plies = 1 + rest?;
        self.known.insert(key, plies);
        Some(plies)
    }

    /// The defender is to move.
    fn defend(&mut self, board: &mut Board) -> Option<u32> {
        let defender = self.attacker.other();
        let replies = self.vct.replies(board, self.budget).ok()?;
        let mut longest = replies.plies_of_others;
        for point in replies.points.into_points() {
            if may_play(board, point, defender) {
                board.make(point, defender);
                let rest = self.attack(board);
                board.undo();
                longest = longest.max(1 + rest?);
            }
        }
        Some(longest)
    }
}
