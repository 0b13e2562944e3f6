//! Depth zero: the static evaluation, or a win by continuous fours. Gomoku's quiescence search.

use super::leaf_vcf::vcf;
use super::observer::Observer;
use super::params::{LEAF_VCF_NODES, PLY};
use super::score::{MATE, MATE_BOUND, loss_in, of_forced_end};
use super::techniques::Technique;
use super::transposition::Entry;
use super::worker::Worker;
use crate::Class;
use crate::threat::{five_blocks, forced_end, has_four, may_play};
use ::game::Bound;
use ::search::theatre::End;

/// Depth stored with a VCF win: a proof cuts at every depth.
const PROOF_DEPTH: i32 = 100 * PLY;

impl<O: Observer> Worker<'_, O> {
    /// The value of a position at depth zero.
    pub(super) fn leaf(&mut self, ply: usize, alpha: i32, beta: i32) -> i32 {
        let side = self.side;
        let key = self.board.hash(side);
        let found = self.shared.table.get(key, ply as i32);
        if let Some(entry) = found
            && entry.cuts(alpha, beta)
            && entry.depth >= 0
        {
            self.observer.end(End::Table);
            return entry.value;
        }
        // Standing pat. A VCF is looked for only where it could raise alpha.
        let eval = self.evaluate();
        if eval >= beta
            || !has_four(&self.board, side)
            || alpha >= MATE_BOUND
            || !self.uses(Technique::LeafVcf)
        {
            return eval;
        }
        let mut budget = LEAF_VCF_NODES;
        let win = vcf(&mut self.board, side, &mut self.memory.refuted, &mut budget);
        self.nodes += u64::from(LEAF_VCF_NODES - budget);
        let (value, bound) = match win {
            Some(plies) => {
                self.observer.end(End::Vcf);
                (MATE - ply as i32 - plies, Bound::Lower)
            }
            None => (eval, Bound::Exact),
        };
        let depth = if win.is_some() { PROOF_DEPTH } else { 0 };
        let entry = Entry { best: None, value, eval, depth, bound, on_pv: false };
        self.shared.table.put(key, entry, ply as i32);
        value
    }

    /// Depth zero with a four to block: the only replies are played out, and their positions are leaves.
    pub(super) fn blocked_leaf(&mut self, ply: usize, alpha: i32, beta: i32) -> i32 {
        let (side, other) = (self.side, self.side.other());
        let mut best = loss_in(ply as i32 + 2);
        for block in five_blocks(&self.board, other).into_points() {
            if !may_play(&mut self.board, block, side) {
                continue;
            }
            self.enter(ply, block);
            let value = match forced_end(&self.board, self.side) {
                Some(end) => -of_forced_end(end, ply as i32 + 1),
                None if self.board.count(side, Class::Five) > 0 => -self.evaluate(),
                None => -self.leaf(ply + 1, -beta, -alpha),
            };
            self.leave();
            best = best.max(value);
        }
        best
    }
}
