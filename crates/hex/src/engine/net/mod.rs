//! The network: what a long search would make of each move, guessed at a glance.
//!
//! A convolution over a cell and its six neighbours, then twelve more that each add to what they see, 64 channels; every
//! empty cell has two scores: the logarithm of the odds that the side to move wins with it (as HexHex has it), and, up to
//! a constant, of the chance that a search would play it. One set of weights serves all sizes. It is told the stones, and how
//! far cells are from the edges ([`far`]). Everything is seen as black sees it; white's board is mirrored on the long diagonal.

mod far;
mod field;
pub mod games;
mod judge;
pub mod train;

pub use judge::Judge;
pub(super) use judge::Sight;

use super::tree::Guess;
use crate::Size;
use crate::bits::Lattice;
use crate::stones::Stones;
use field::{Field, PLANES};
use game::Side;
use nn::layer::{dot, residual_relu};
use nn::{BLOCK, Bf16x64, CHANNELS, F32x64, ONE_BF16, Weights, convolve, from_bf16, to_bf16};

/// Convolutions after the first.
const DEPTH: usize = 12;
/// A cell and its six neighbours.
const TAPS: usize = 7;

/// The weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Rows of the convolutions: [`TAPS`] times [`CHANNELS`] each; of the first only [`PLANES`] of a tap count.
    layers: Vec<Vec<F32x64>>,
    /// One for each convolution.
    biases: Vec<F32x64>,
    /// From the last convolution to a cell's scores: its chance, and how likely it is played.
    heads: [F32x64; 2],
    /// What is added to every score.
    bases: [f32; 2],
    /// The largest that each channel holds after a convolution, of all but the last, as far as was seen: what a
    /// [`Judge`] needs to know.
    spans: Vec<F32x64>,
    packed: Vec<Weights<TAPS>>,
}

impl Network {
    /// The network that ships.
    pub fn shipped() -> Option<Network> {
        Network::read(include_bytes!("../../../../../data/hex/network.bin"))
    }

    fn blank() -> Network {
        let rows = vec![F32x64::ZERO; TAPS * CHANNELS];
        Network {
            packed: vec![Weights::new(&rows); DEPTH + 1],
            layers: vec![rows; DEPTH + 1],
            biases: vec![F32x64::ZERO; DEPTH + 1],
            heads: [F32x64::ZERO; 2],
            bases: [0.0; 2],
            spans: vec![F32x64::ZERO; DEPTH],
        }
    }

    /// Packs the rows after they changed.
    fn pack(&mut self) {
        self.packed.iter_mut().zip(&self.layers).for_each(|(packed, rows)| packed.set(rows));
    }

    /// All weights, in the order of the file.
    fn weights_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let Network { layers, biases, heads, bases, .. } = self;
        let counts = |(at, _): &(usize, &mut F32x64)| at / (TAPS * CHANNELS) > 0 || at % CHANNELS < PLANES;
        let rows = layers.iter_mut().flatten().enumerate().filter(counts).map(|row| row.1);
        rows.chain(biases).chain(heads).flat_map(|row| &mut row.0).chain(bases)
    }

    /// Reads a file of bfloat16 numbers, weights and spans; `None` if there are not as many as there should be.
    pub fn read(bytes: &[u8]) -> Option<Network> {
        let mut network = Network::blank();
        let (numbers, rest) = bytes.as_chunks::<2>();
        let weights = network.weights_mut().count();
        if !rest.is_empty() || numbers.len() != weights + DEPTH * CHANNELS {
            return None;
        }
        let mut stored = numbers.iter().map(|&number| from_bf16(u16::from_le_bytes(number)));
        network.weights_mut().zip(&mut stored).for_each(|(weight, stored)| *weight = stored);
        network
            .spans
            .iter_mut()
            .flat_map(|span| &mut span.0)
            .zip(stored)
            .for_each(|(span, stored)| *span = stored);
        network.pack();
        Some(network)
    }

    /// Writes the file that [`Network::read`] reads.
    pub fn write(&self) -> Vec<u8> {
        let mut network = self.clone();
        let spans = self.spans.iter().flat_map(|span| &span.0).copied();
        let numbers: Vec<f32> = network.weights_mut().map(|weight| *weight).chain(spans).collect();
        numbers.into_iter().flat_map(|number| to_bf16(number).to_le_bytes()).collect()
    }

    /// Fills in the scores of all cells.
    fn run(&self, view: &mut View) {
        let View { field, input, nothing, lanes, sums, scores, .. } = view;
        let Field { first, ref taps, ref on_board, ref places, .. } = *field;
        let mut before = &*input;
        for (depth, after) in lanes.iter_mut().enumerate() {
            convolve(before, taps, &self.packed[depth], first, sums);
            let stays = if depth == 0 { &*nothing } else { before };
            residual_relu(
                sums,
                &self.biases[depth],
                &stays[first..],
                &on_board[first..],
                &mut after[first..],
            );
            before = after;
        }
        for ((scores, head), base) in scores.iter_mut().zip(&self.heads).zip(self.bases) {
            for (score, &at) in scores.iter_mut().zip(places) {
                *score = base + dot(&F32x64(before[at as usize].0.map(from_bf16)), head);
            }
        }
    }

    /// Scores every cell, the stones' too: by its chance, and by how likely it is played.
    fn scores<'a, const W: usize>(
        &self,
        view: &'a mut View,
        lattice: &Lattice<W>,
        stones: &Stones<W>,
        to_move: Side,
    ) -> &'a [Vec<f32>; 2] {
        let View { field, input, bare, .. } = view;
        input.copy_from_slice(bare);
        field.mark(lattice, stones, to_move, |plane, at| input[at].0[plane] = ONE_BF16);
        self.run(view);
        &view.scores
    }

    fn forget_spans(&mut self) {
        self.spans.fill(F32x64::ZERO);
    }

    /// Remembers what the channels hold in a view that was scored, where it is more than was seen before.
    fn widen_spans(&mut self, view: &View) {
        for (spans, lanes) in self.spans.iter_mut().zip(&view.lanes) {
            for lane in lanes {
                spans.0.iter_mut().zip(lane.0).for_each(|(span, held)| *span = span.max(from_bf16(held)));
            }
        }
    }
}

/// A board as a side to move sees it, with room for all that a network at school computes.
#[derive(Clone, Debug)]
struct View {
    field: Field,
    bare: Vec<Bf16x64>,
    input: Vec<Bf16x64>,
    nothing: Vec<Bf16x64>,
    lanes: Vec<Vec<Bf16x64>>,
    sums: Vec<F32x64>,
    /// By each head, of each cell.
    scores: [Vec<f32>; 2],
}

impl View {
    fn new(size: Size, side: Side) -> View {
        let field = Field::new(size, side, |cells| cells.next_multiple_of(BLOCK));
        let nothing = vec![Bf16x64::ZERO; field.room()];
        let mut bare = nothing.clone();
        field.bare().for_each(|(plane, at)| bare[at].0[plane] = ONE_BF16);
        View {
            input: bare.clone(),
            bare,
            lanes: vec![nothing.clone(); DEPTH + 1],
            nothing,
            sums: vec![F32x64::ZERO; field.count],
            scores: [(); 2].map(|()| vec![0.0; size.cells()]),
            field,
        }
    }
}

/// How much better chances count in the worth of a position.
const BEST: f32 = 4.0;

/// From scores to what they say of some moves, with likelihoods taken to the power `flat`. Returns what the position is worth
/// to the side to move.
pub(super) fn read([chances, likely]: &[Vec<f32>; 2], moves: &mut [(u16, Guess)], flat: f32) -> f32 {
    let most =
        |scores: &[f32]| moves.iter().map(|row| scores[row.0 as usize]).fold(f32::NEG_INFINITY, f32::max);
    let (best, likeliest) = (most(chances), most(likely));
    let (mut total, mut worth, mut weights) = (0.0, 0.0, 0.0);
    for (cell, guess) in moves.iter_mut() {
        let (score, likely) = (chances[*cell as usize], likely[*cell as usize]);
        *guess = Guess { prior: (flat * (likely - likeliest)).exp(), chance: chance(score) };
        total += guess.prior;
        // What is played counts, and of that the better moves.
        let weight = (likely - likeliest + BEST * (score - best)).exp();
        worth += weight * guess.chance;
        weights += weight;
    }
    moves.iter_mut().for_each(|(_, guess)| guess.prior /= total);
    if weights > 0.0 { worth / weights } else { 0.5 }
}

/// The chance that a score stands for.
pub(super) fn chance(score: f32) -> f32 {
    1.0 / (1.0 + (-score).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_network_is_read_and_others_are_refused() {
        let network = Network::shipped().unwrap();
        assert_eq!(Network::read(&network.write()), Some(network));
        assert!(Network::read(&[]).is_none() && Network::read(&[0; 7]).is_none());
    }

    #[test]
    fn white_sees_what_black_sees_in_the_mirror() {
        let size = Size::new(6, 8).unwrap();
        let mirrored = Size::new(8, 6).unwrap();
        let mirror = |cell: usize| mirrored.index(size.mirrored(size.cell(cell)));
        let (own, other) = ([3, 20, 31], [9, 22, 40]);
        let stones = |side: Side, to: &dyn Fn(usize) -> usize| {
            let mut stones = Stones::<1>::EMPTY;
            own.iter().for_each(|&cell| stones.put(side, to(cell)));
            other.iter().for_each(|&cell| stones.put(side.other(), to(cell)));
            stones
        };
        let judge = Judge::shipped().unwrap();
        let (mut black, mut white) = (Sight::new(size, Side::Black), Sight::new(mirrored, Side::White));
        let black =
            judge.scores(&mut black, &Lattice::new(size), (&stones(Side::Black, &|cell| cell), Side::Black));
        let white =
            judge.scores(&mut white, &Lattice::new(mirrored), (&stones(Side::White, &mirror), Side::White));
        for (black, white) in black.iter().zip(white) {
            assert_ne!(black[0], black[1]);
            for cell in 0..size.cells() {
                assert_eq!(black[cell], white[mirror(cell)]);
            }
        }
    }
}
