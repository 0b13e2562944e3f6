//! Writes down why a side wins as a [`Proof`]: the solver's moves as long as the position is open, then the derivations
//! of the connections that H-search finds on the real stones, without fill-in.

use super::proof::{EDGES, Needs, Proof, ProofStep, touching};
use super::session::EFFORT;
use crate::bits::Bits;
use crate::pruning::Strategy;
use crate::stones::{Shape, Stones};
use crate::vc::Connections;
use game::Side;

/// The solver's results.
pub(super) trait Guide<const W: usize> {
    /// How the winner wins a position; `None` ends the work.
    fn win(&self, stones: &Stones<W>, to_move: Side) -> Option<Strategy<W>>;

    /// Moves of the opponent in a position where it is to move; first those whose refutation needs few cells.
    fn answers(&self, stones: &Stones<W>) -> Vec<usize>;
}

/// Writes a proof that `winner` wins.
pub(super) fn write<const W: usize>(
    shape: &Shape<W>,
    stones: &Stones<W>,
    to_move: Side,
    winner: Side,
    guide: &dyn Guide<W>,
) -> Option<Proof> {
    let mut certifier = Certifier {
        shape,
        winner,
        guide,
        connections: Connections::unbuilt(shape, winner),
        written: Written::default(),
        winner_to_move: Vec::new(),
        opponent_to_move: Vec::new(),
    };
    let root = match to_move == winner {
        true => certifier.write_winner_to_move(stones)?,
        false => certifier.write_opponent_to_move(stones)?,
    };
    let mut steps = certifier.written.steps;
    // The root may be an earlier step that was reused.
    steps.truncate(root + 1);
    Some(Proof { winner, steps })
}

/// The steps so far, with what each needs.
#[derive(Default)]
pub(crate) struct Written<const W: usize> {
    steps: Vec<ProofStep>,
    needs: Vec<Needs<W>>,
}

impl<const W: usize> Written<W> {
    pub(crate) fn carrier(&self, step: usize) -> Bits<W> {
        self.needs[step].carrier
    }

    pub(crate) fn touch(&mut self, stones: Bits<W>) -> usize {
        self.add(ProofStep::Touch, Needs { stones, carrier: Bits::EMPTY })
    }

    pub(crate) fn play(&mut self, cell: usize, then: usize) -> usize {
        let Needs { stones, carrier } = self.needs[then];
        self.add(
            ProofStep::Play(cell, then),
            Needs { stones: stones.without(cell), carrier: carrier.with(cell) },
        )
    }

    pub(crate) fn meet(&mut self, answers: Vec<(Option<usize>, usize)>) -> usize {
        let mut all = Needs { stones: Bits::EMPTY, carrier: Bits::EMPTY };
        for &(_, step) in &answers {
            let needs = self.needs[step];
            all = Needs { stones: all.stones | needs.stones, carrier: all.carrier | needs.carrier };
        }
        self.add(ProofStep::Meet(answers), all)
    }

    pub(crate) fn both(&mut self, over: usize, steps: [usize; 2]) -> usize {
        let [first, second] = steps.map(|step| self.needs[step]);
        let needs = Needs { stones: first.stones | second.stones, carrier: first.carrier | second.carrier };
        self.add(ProofStep::Both(over, steps), needs)
    }

    fn add(&mut self, step: ProofStep, needs: Needs<W>) -> usize {
        self.steps.push(step);
        self.needs.push(needs);
        self.steps.len() - 1
    }

    /// Does the step hold in a position with these stones too?
    fn applies(&self, step: usize, own: &Bits<W>, taken: &Bits<W>) -> bool {
        let needs = &self.needs[step];
        needs.stones.is_subset(own) && !needs.carrier.meets(taken)
    }
}

struct Certifier<'a, const W: usize> {
    shape: &'a Shape<W>,
    winner: Side,
    guide: &'a dyn Guide<W>,
    connections: Connections<W>,
    written: Written<W>,
    /// Wins written so far with the winner to move.
    winner_to_move: Vec<usize>,
    /// Wins written so far with the opponent to move.
    opponent_to_move: Vec<usize>,
}

impl<const W: usize> Certifier<'_, W> {
    /// Writes the win of a position with the winner to move; its number.
    fn write_winner_to_move(&mut self, stones: &Stones<W>) -> Option<usize> {
        let own = stones.of(self.winner);
        if let Some(step) = self.known(&self.winner_to_move, stones) {
            return Some(step);
        }
        if let Some(touching) = touching(self.shape, self.winner, own, EDGES) {
            return Some(self.written.touch(touching));
        }
        let Strategy { carrier, reply } = self.guide.win(stones, self.winner)?;
        let stones = &self.within(stones, carrier);
        self.connections.rebuild(self.shape, stones, self.winner, EFFORT);
        let known = self.connections.derive_wins(self.shape, own, &mut self.written).first().copied();
        let step = match (known, reply) {
            (Some(step), _) => step,
            (None, Some(cell)) => {
                let then = self.write_opponent_to_move(&stones.with(self.winner, cell as usize))?;
                self.written.play(cell as usize, then)
            }
            (None, None) => self.write_opponent_to_move(stones)?,
        };
        self.winner_to_move.push(step);
        Some(step)
    }

    /// Writes the win of a position with the opponent to move; its number.
    fn write_opponent_to_move(&mut self, stones: &Stones<W>) -> Option<usize> {
        let own = stones.of(self.winner);
        if let Some(step) = self.known(&self.opponent_to_move, stones) {
            return Some(step);
        }
        if let Some(touching) = touching(self.shape, self.winner, own, EDGES) {
            return Some(self.written.touch(touching));
        }
        let carrier = self.guide.win(stones, self.winner.other())?.carrier;
        let stones = &self.within(stones, carrier);
        self.connections.rebuild(self.shape, stones, self.winner, EFFORT);
        let step = match self.connections.derive_full_win(self.shape, own, &mut self.written) {
            Some(step) => step,
            None => {
                let wins = self.connections.derive_wins(self.shape, own, &mut self.written);
                self.meet(stones, &wins)?
            }
        };
        self.opponent_to_move.push(step);
        Some(step)
    }

    /// The stones with all cells outside the carrier given to the opponent: the proof has to deal only with the rest.
    fn within(&self, stones: &Stones<W>, carrier: Bits<W>) -> Stones<W> {
        stones.with_all(self.winner.other(), self.shape.empty(stones) & !carrier)
    }

    /// An earlier step that holds here too.
    fn known(&self, steps: &[usize], stones: &Stones<W>) -> Option<usize> {
        let (own, taken) = (stones.of(self.winner), stones.both());
        steps.iter().rev().copied().find(|&step| self.written.applies(step, &own, &taken))
    }

    /// Answers all moves that the wins of H-search do not answer already.
    fn meet(&mut self, stones: &Stones<W>, wins: &[usize]) -> Option<usize> {
        let mut open = self.shape.empty(stones);
        let mut parts = Vec::new();
        for &win in wins {
            let carrier = self.written.carrier(win);
            if !open.is_subset(&carrier) {
                open = open & carrier;
                parts.push((None, win));
            }
        }
        if !open.is_empty() {
            let answers = self.guide.answers(stones);
            let all = self.shape.empty(stones);
            for cell in answers.into_iter().chain(all.iter()) {
                if open.contains(cell) {
                    let step = self.write_winner_to_move(&stones.with(self.winner.other(), cell))?;
                    parts.push((Some(cell), step));
                    open = open & self.written.carrier(step);
                }
            }
        }
        Some(self.written.meet(parts))
    }
}
