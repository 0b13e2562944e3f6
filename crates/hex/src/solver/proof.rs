//! Proofs that can be checked by the rules alone.
//!
//! A proof is a strategy, written as steps each of which joins two *ends* of the winner: stones or edges. The
//! checker uses no solver, virtual connections, fill-in or patterns: only the rules, and two arguments that follow from
//! them. A strategy that plays only in some cells, its *carrier*, works whatever happens
//! elsewhere: so one answer serves for all of the opponent's moves outside of its carrier. And two strategies with
//! carriers that have no cell in common can be followed side by side, each where the opponent intrudes.
//!
//! What a step has been checked to need (its stones and its carrier) is remembered, so that a step serves in
//! every position that has these stones and leaves these cells.

use crate::bits::Bits;
use crate::stones::{Shape, Stones};
use game::Side;

/// A strategy; valid if [`check`] accepts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Who wins.
    pub winner: Side,
    /// The steps; each refers to earlier ones, the last is the root and joins the winner's edges.
    pub steps: Vec<ProofStep>,
}

/// How two ends are joined. Steps are referred to by their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofStep {
    /// By stones that touch.
    Touch,
    /// The winner is to move: it plays the cell and goes on with a step against the opponent's next move.
    Play(usize, usize),
    /// The opponent is to move: each of these wins, by a step with the winner to move, against the opponent's
    /// stone on its cell (if it names one) and against every move that its step does not need. Together
    /// they leave the opponent none.
    Meet(Vec<(Option<usize>, usize)>),
    /// By way of the winner's stone on this cell: one step joins the first end to it, another it to the second.
    Both(usize, [usize; 2]),
}

/// What a step connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The winner's first or second edge.
    Edge(usize),
    /// A stone of the winner, with what touches it.
    Stone(usize),
}

/// The ends that decide the game.
pub(crate) const EDGES: [End; 2] = [End::Edge(0), End::Edge(1)];

/// What a step needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs<const W: usize> {
    /// The winner's stones.
    pub stones: Bits<W>,
    /// The cells where the winner plays; none may be the opponent's.
    pub carrier: Bits<W>,
}

/// Does the proof hold in this position?
pub fn check<const W: usize>(shape: &Shape<W>, stones: &Stones<W>, to_move: Side, proof: &Proof) -> bool {
    let mut checker = Checker { shape, proof, known: vec![None; proof.steps.len()] };
    let Some(root) = proof.steps.len().checked_sub(1) else { return false };
    let own = stones.of(proof.winner);
    let needs = match to_move == proof.winner {
        true => checker.moving_first(root, own, EDGES),
        false => checker.moving_second(root, own, EDGES),
    };
    needs.is_some_and(|needs| !needs.carrier.meets(&stones.both()))
}

struct Checker<'a, const W: usize> {
    shape: &'a Shape<W>,
    proof: &'a Proof,
    /// What each step checked so far joins, with the opponent to move, and what it needs.
    known: Vec<Option<([End; 2], Needs<W>)>>,
}

impl<const W: usize> Checker<'_, W> {
    /// What a step needs to join the ends if the winner moves; `None` if it does not.
    fn moving_first(&mut self, step: usize, own: Bits<W>, ends: [End; 2]) -> Option<Needs<W>> {
        let &ProofStep::Play(cell, then) = &self.proof.steps[step] else {
            // What holds against any move of the opponent holds without one.
            return self.moving_second(step, own, ends);
        };
        if then >= step || cell >= self.shape.size().cells() || own.contains(cell) {
            return None;
        }
        let Needs { stones, carrier } = self.moving_second(then, own.with(cell), ends)?;
        Some(Needs { stones: stones.without(cell), carrier: carrier.with(cell) })
    }

    /// The same if the opponent moves.
    fn moving_second(&mut self, step: usize, own: Bits<W>, ends: [End; 2]) -> Option<Needs<W>> {
        if let Some((joined, needs)) = self.known[step]
            && joined == ends
            && needs.stones.is_subset(&own)
            && !needs.carrier.meets(&own)
        {
            return Some(needs);
        }
        let needs = match &self.proof.steps[step] {
            ProofStep::Touch => {
                Needs { stones: touching(self.shape, self.proof.winner, own, ends)?, carrier: Bits::EMPTY }
            }
            ProofStep::Meet(answers) => self.meet(step, answers, own, ends)?,
            &ProofStep::Both(over, steps) => {
                let [from, to] = ends;
                if steps.iter().any(|&earlier| earlier >= step) {
                    return None;
                }
                let first = self.moving_second(steps[0], own, [from, End::Stone(over)])?;
                let second = self.moving_second(steps[1], own, [End::Stone(over), to])?;
                if first.carrier.meets(&second.carrier) {
                    return None;
                }
                Needs { stones: first.stones | second.stones, carrier: first.carrier | second.carrier }
            }
            ProofStep::Play(..) => return None,
        };
        self.known[step] = Some((ends, needs));
        Some(needs)
    }

    fn meet(
        &mut self,
        step: usize,
        answers: &[(Option<usize>, usize)],
        own: Bits<W>,
        ends: [End; 2],
    ) -> Option<Needs<W>> {
        let mut open = self.shape.lattice().all();
        let mut all = Needs { stones: Bits::EMPTY, carrier: Bits::EMPTY };
        for &(cell, then) in answers {
            let taken = |cell: usize| cell >= self.shape.size().cells() || own.contains(cell);
            if then >= step || cell.is_some_and(taken) {
                return None;
            }
            let needs = self.moving_first(then, own, ends)?;
            if cell.is_some_and(|cell| needs.carrier.contains(cell)) {
                return None;
            }
            open = open & needs.carrier;
            all = Needs { stones: all.stones | needs.stones, carrier: all.carrier | needs.carrier };
        }
        open.is_empty().then_some(all)
    }
}

/// The stones by which the ends touch.
pub(crate) fn touching<const W: usize>(
    shape: &Shape<W>,
    side: Side,
    own: Bits<W>,
    ends: [End; 2],
) -> Option<Bits<W>> {
    let [from, to] = ends.map(|end| match end {
        End::Edge(which) => shape.edges(side).get(which).map(|edge| *edge & own),
        End::Stone(cell) => own.contains(cell).then(|| Bits::EMPTY.with(cell)),
    });
    let (from, to) = (from?, to?);
    let joined = shape.lattice().flood(from, own);
    let needed = shape.lattice().flood(to & joined, joined);
    (!needed.is_empty()).then_some(needed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    fn holds(to_move: Side, steps: &[ProofStep]) -> bool {
        // Black's stone in the middle of 3x3 has bridges to both edges: cells 1 2 and 6 7.
        let shape = Shape::<1>::new(Size::new(3, 3).unwrap());
        let stones = Stones::EMPTY.with(Side::Black, 4);
        check(&shape, &stones, to_move, &Proof { winner: Side::Black, steps: steps.to_vec() })
    }

    fn bridges(middle: usize, lower: [usize; 2]) -> Vec<ProofStep> {
        let [left, right] = lower;
        vec![
            ProofStep::Touch,
            ProofStep::Play(1, 0),
            ProofStep::Play(2, 0),
            ProofStep::Meet(vec![(Some(2), 1), (None, 2)]),
            ProofStep::Play(left, 0),
            ProofStep::Play(right, 0),
            ProofStep::Meet(vec![(None, 4), (None, 5)]),
            ProofStep::Both(middle, [3, 6]),
        ]
    }

    #[test]
    fn two_bridges_win_whoever_moves() {
        assert!(holds(Side::White, &bridges(4, [6, 7])));
        assert!(holds(Side::Black, &bridges(4, [6, 7])));
    }

    #[test]
    fn what_is_missing_or_shared_is_seen() {
        assert!(!holds(Side::White, &bridges(3, [6, 7])), "no stone there");
        assert!(!holds(Side::White, &bridges(4, [6, 6])), "one answer for two moves");
        assert!(!holds(Side::White, &bridges(4, [7, 8])), "8 does not touch the stone");
        assert!(!holds(Side::White, &bridges(4, [6, 9])), "outside of the board");
        assert!(!holds(Side::White, &bridges(4, [6, 4])), "taken");
        assert!(!holds(Side::White, &[ProofStep::Touch]) && !holds(Side::White, &[]));
        assert!(!holds(Side::White, &[ProofStep::Both(4, [0, 0])]), "a step must not rest on itself");
        // The same bridge cannot serve as both halves: the second half would need the first's cells.
        let mut steps = bridges(4, [6, 7]);
        steps[7] = ProofStep::Both(4, [3, 3]);
        assert!(!holds(Side::White, &steps));
        // Only one of the two intrusions is met.
        let mut steps = bridges(4, [6, 7]);
        steps[3] = ProofStep::Meet(vec![(Some(2), 1)]);
        assert!(!holds(Side::White, &steps));
        // The answer is the intruder's own cell.
        steps[3] = ProofStep::Meet(vec![(Some(1), 1), (None, 2)]);
        assert!(!holds(Side::White, &steps));
    }
}
