//! Proofs that need no knowledge to be believed.
//!
//! A proof is a strategy of the winner: a move wherever the winner is to move, until its stones join its edges.
//! The checker asks a prover for these moves and believes nothing but the rules. What keeps it from trying
//! every answer is one argument about rules alone: a strategy that never looks at cells outside its *carrier*
//! works whatever happens there. So after an answer has been met by a reply, only answers within the cells of
//! that reply and what follows it can still be different.

use crate::bits::Bits;
use crate::stones::{Shape, Stones};
use game::Side;
use std::collections::HashMap;

/// A checked strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Who wins.
    pub winner: Side,
    /// The steps; later ones refer to earlier ones, the last is the root.
    pub steps: Vec<Step>,
}

/// A position of the strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The winner's edges are joined.
    Joined,
    /// The winner is to move, moves here, and goes on with that step.
    Play(usize, usize),
    /// The opponent is to move: for each answer that matters, the cell and the step that follows. Any other
    /// is met like the last one.
    Meet(Vec<(usize, usize)>),
}

/// Makes and checks a proof that `winner` wins. `prover` names a move for the winner in a position where it is
/// to move. `None` if it has none, or names one that does not win.
pub fn check<const W: usize>(
    shape: &Shape<W>,
    stones: &Stones<W>,
    to_move: Side,
    winner: Side,
    prover: &mut dyn FnMut(&Stones<W>) -> Option<usize>,
) -> Option<Proof> {
    let mut checker = Checker { shape, winner, prover, steps: Vec::new(), known: HashMap::new() };
    if to_move == winner {
        checker.play(stones)?
    } else {
        checker.meet(stones)?
    };
    Some(Proof { winner, steps: checker.steps })
}

struct Checker<'a, const W: usize> {
    shape: &'a Shape<W>,
    winner: Side,
    prover: &'a mut dyn FnMut(&Stones<W>) -> Option<usize>,
    steps: Vec<Step>,
    /// Positions with the winner to move.
    known: HashMap<Stones<W>, Checked<W>>,
}

/// A step that holds, and the cells it looks at.
#[derive(Clone, Copy)]
struct Checked<const W: usize> {
    step: usize,
    carrier: Bits<W>,
}

impl<const W: usize> Checker<'_, W> {
    fn play(&mut self, stones: &Stones<W>) -> Option<Checked<W>> {
        if let Some(joined) = self.joined(stones) {
            return Some(joined);
        }
        if let Some(&checked) = self.known.get(stones) {
            return Some(checked);
        }
        let cell = (self.prover)(stones)?;
        if cell >= self.shape.size().cells() || stones.both().contains(cell) {
            return None;
        }
        let then = self.meet(&stones.with(self.winner, cell))?;
        let checked =
            Checked { step: self.add(Step::Play(cell, then.step)), carrier: then.carrier.with(cell) };
        self.known.insert(*stones, checked);
        Some(checked)
    }

    fn meet(&mut self, stones: &Stones<W>) -> Option<Checked<W>> {
        if let Some(joined) = self.joined(stones) {
            return Some(joined);
        }
        let mut open = self.shape.empty(stones);
        let mut answers = Vec::new();
        let mut carrier = Bits::EMPTY;
        // A full board without a chain is lost.
        open.first()?;
        while let Some(answer) = open.first() {
            let then = self.play(&stones.with(self.winner.other(), answer))?;
            answers.push((answer, then.step));
            // The reply's strategy does not look at the answer's own cell, so this takes it out too.
            open = open & then.carrier;
            carrier = carrier | then.carrier;
        }
        Some(Checked { step: self.add(Step::Meet(answers)), carrier })
    }

    fn joined(&mut self, stones: &Stones<W>) -> Option<Checked<W>> {
        let joined = self.shape.lattice().joins(self.winner, &stones.of(self.winner));
        joined.then(|| Checked { step: self.add(Step::Joined), carrier: Bits::EMPTY })
    }

    fn add(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }
}
