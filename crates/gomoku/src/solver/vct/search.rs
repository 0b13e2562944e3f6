//! Depth-first proof-number search.

use super::{AttackResult, Known, Numbers, SolverBudget, Vct};
use crate::solver::proof_table::INFINITE;
use crate::{Board, Point};
use ::game::Side;

impl Vct {
    /// Does `attacker` win where `side` is to move?
    pub(super) fn prove(
        &mut self,
        board: &mut Board,
        attacker: Side,
        side: Side,
        budget: &mut SolverBudget<'_>,
    ) -> AttackResult {
        self.attacker = attacker;
        self.children.clear();
        let all = Numbers { phi: INFINITE, delta: INFINITE };
        let Numbers { phi, delta } = self.search(board, side, all, budget);
        let (to_win, to_stop) = if side == attacker { (phi, delta) } else { (delta, phi) };
        match (to_win, to_stop) {
            (0, _) => AttackResult::Win,
            (_, 0) => AttackResult::None,
            _ => AttackResult::Unknown,
        }
    }

    /// Searches until the numbers reach a threshold or the budget ends.
    fn search(
        &mut self,
        board: &mut Board,
        side: Side,
        until: Numbers,
        budget: &mut SolverBudget<'_>,
    ) -> Numbers {
        let key = self.key(board, side);
        let known = self.table.probe(key);
        if let Some(known) = known
            && (known.numbers.is_solved()
                || known.numbers.phi >= until.phi
                || known.numbers.delta >= until.delta)
        {
            return known.numbers;
        }
        let spent = budget.spent();
        if !budget.spend() {
            return known.map_or(Numbers::OPEN, |known| known.numbers);
        }
        let base = self.children.len();
        let mut best = Point::from_index(0);
        let at_once = if side == self.attacker {
            self.expand_attack(board, known.is_none(), &mut best, budget)
        } else {
            self.expand_defence(board, known.is_none(), budget)
        };
        let numbers = match at_once {
            Some(numbers) => numbers,
            None => self.deepen(board, side, base, until, &mut best, budget),
        };
        self.children.truncate(base);
        let work = (budget.spent() - spent).saturating_add(known.map_or(0, |known| u64::from(known.work)));
        self.table.store(key, Known { numbers, best, work: work.min(u64::from(u32::MAX)) as u32 });
        numbers
    }

    /// Searches the most promising child again and again.
    fn deepen(
        &mut self,
        board: &mut Board,
        side: Side,
        base: usize,
        until: Numbers,
        best: &mut Point,
        budget: &mut SolverBudget<'_>,
    ) -> Numbers {
        for at in base..self.children.len() {
            let point = self.children[at].point;
            let key = self.key_after(board, point, side);
            if let Some(known) = self.table.probe(key) {
                self.children[at].numbers = known.numbers;
            }
        }
        loop {
            let (mut first, mut second) = (base, INFINITE);
            let (mut phi, mut delta) = (INFINITE, 0u32);
            for (at, child) in self.children.iter().enumerate().skip(base) {
                if child.numbers.delta < phi {
                    second = phi;
                    phi = child.numbers.delta;
                    first = at;
                } else {
                    second = second.min(child.numbers.delta);
                }
                delta = delta.saturating_add(child.numbers.phi).min(INFINITE);
            }
            let Some(child) = self.children.get(first).copied() else { return Numbers::NO };
            *best = child.point;
            if phi == 0 {
                return Numbers::YES;
            }
            if phi >= INFINITE {
                return Numbers::NO;
            }
            let numbers = Numbers { phi, delta: delta.min(INFINITE - 1) };
            if numbers.phi >= until.phi || numbers.delta >= until.delta || budget.ended() {
                return numbers;
            }
            // A quarter more than the second best keeps the search from hopping between equals.
            let below = Numbers {
                phi: until.delta.saturating_sub(numbers.delta - child.numbers.phi.min(numbers.delta)),
                delta: until.phi.min(second.saturating_add(second / 4).saturating_add(1)),
            };
            board.make(child.point, side);
            let found = self.search(board, side.other(), below, budget);
            board.undo();
            self.children[first].numbers = found;
        }
    }
}
