//! The network: from a position to a policy and a value for every move.
//!
//! Residual convolutions over a cell and its six neighbours, [`DEPTH`] + 1 layers of 64 channels. Every empty cell has two
//! logits: that the side to move wins with it (as in HexHex), and, for a softmax, that a search would play it. The input
//! is the stones and the [edge distances](edge_distance). One set of weights serves all board sizes and both sides: white's
//! board is mirrored on the long diagonal.
//!
//! [`Network`] holds the weights and runs in bf16 for training; [`QuantizedNetwork`] is what searches use.

mod edge_distance;
pub(crate) mod layout;
mod quantized;

pub use nn::int8::Kernel;
pub use quantized::QuantizedNetwork;
pub(crate) use quantized::Workspace;

use super::tree::Estimate;
use crate::Size;
use crate::bits::Lattice;
use crate::stones::Stones;
use game::Side;
use layout::{Layout, PLANES};
use nn::layer::{dot, residual_relu};
use nn::{BLOCK, Bf16x64, CHANNELS, F32x64, ONE_BF16, Weights, convolve, from_bf16, to_bf16};

/// Convolutions after the first.
pub(crate) const DEPTH: usize = 12;
/// A cell and its six neighbours.
pub(crate) const TAPS: usize = 7;

/// Numbers in the file: the rows of the convolutions, their biases, the heads with theirs, and the activation ranges.
const STORED: usize = (TAPS * PLANES + DEPTH * TAPS * CHANNELS + (DEPTH + 1) + 2 + DEPTH) * CHANNELS + 2;

/// The weights, in `f32` and packed for the bf16 kernels.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Rows of the convolutions: [`TAPS`] times [`CHANNELS`] each; the first uses only [`PLANES`] rows per tap.
    pub(crate) layers: Vec<Vec<F32x64>>,
    /// One per convolution.
    pub(crate) biases: Vec<F32x64>,
    /// From the last convolution to a cell's logits: value and policy.
    pub(crate) heads: [F32x64; 2],
    /// The biases of the heads.
    pub(crate) head_biases: [f32; 2],
    /// The largest activation of each channel after each convolution but the last, as measured in games: sets the
    /// quantization scales of a [`QuantizedNetwork`].
    activation_ranges: Vec<F32x64>,
    packed: Vec<Weights<TAPS>>,
}

impl Network {
    /// The network that ships. In a page it is a file of its own, see [`QuantizedNetwork::install`].
    pub fn shipped() -> Option<Network> {
        #[cfg(target_family = "wasm")]
        return None;
        #[cfg(not(target_family = "wasm"))]
        Network::read(include_bytes!("../../../../../data/hex/network.bin"))
    }

    /// All weights zero.
    pub(crate) fn zero() -> Network {
        let rows = vec![F32x64::ZERO; TAPS * CHANNELS];
        Network {
            packed: vec![Weights::new(&rows); DEPTH + 1],
            layers: vec![rows; DEPTH + 1],
            biases: vec![F32x64::ZERO; DEPTH + 1],
            heads: [F32x64::ZERO; 2],
            head_biases: [0.0; 2],
            activation_ranges: vec![F32x64::ZERO; DEPTH],
        }
    }

    /// Packs the rows after they changed.
    pub(crate) fn pack(&mut self) {
        self.packed.iter_mut().zip(&self.layers).for_each(|(packed, rows)| packed.set(rows));
    }

    /// All weights, in the order of the file.
    pub(crate) fn weights_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let Network { layers, biases, heads, head_biases, .. } = self;
        let counts = |(at, _): &(usize, &mut F32x64)| at / (TAPS * CHANNELS) > 0 || at % CHANNELS < PLANES;
        let rows = layers.iter_mut().flatten().enumerate().filter(counts).map(|row| row.1);
        rows.chain(biases).chain(heads).flat_map(|row| &mut row.0).chain(head_biases)
    }

    /// Reads a file of bf16 numbers, weights and activation ranges; `None` if the length is wrong.
    pub fn read(bytes: &[u8]) -> Option<Network> {
        let (numbers, rest) = bytes.as_chunks::<2>();
        if !rest.is_empty() || numbers.len() != STORED {
            return None;
        }
        let mut network = Network::zero();
        let mut stored = numbers.iter().map(|&number| from_bf16(u16::from_le_bytes(number)));
        network.weights_mut().zip(&mut stored).for_each(|(weight, stored)| *weight = stored);
        network
            .activation_ranges
            .iter_mut()
            .flat_map(|range| &mut range.0)
            .zip(stored)
            .for_each(|(range, stored)| *range = stored);
        network.pack();
        Some(network)
    }

    /// Writes the file that [`Network::read`] reads.
    pub fn write(&self) -> Vec<u8> {
        let mut network = self.clone();
        let activation_ranges = self.activation_ranges.iter().flat_map(|range| &range.0).copied();
        let numbers: Vec<f32> =
            network.weights_mut().map(|weight| *weight).chain(activation_ranges).collect();
        numbers.into_iter().flat_map(|number| to_bf16(number).to_le_bytes()).collect()
    }

    /// Computes the logits of all cells.
    fn run(&self, workspace: &mut Bf16Workspace) {
        let Bf16Workspace { layout, input, zeros, activations, sums, logits, .. } = workspace;
        let Layout { first, ref taps, ref on_board, ref places, .. } = *layout;
        let mut before = &*input;
        for (depth, after) in activations.iter_mut().enumerate() {
            convolve(before, taps, &self.packed[depth], first, sums);
            let residual = if depth == 0 { &*zeros } else { before };
            residual_relu(
                sums,
                &self.biases[depth],
                &residual[first..],
                &on_board[first..],
                &mut after[first..],
            );
            before = after;
        }
        for ((logits, head), bias) in logits.iter_mut().zip(&self.heads).zip(self.head_biases) {
            for (logit, &at) in logits.iter_mut().zip(places) {
                *logit = bias + dot(&F32x64(before[at as usize].0.map(from_bf16)), head);
            }
        }
    }

    /// The value and policy logits of every cell; those of occupied cells mean nothing.
    pub(crate) fn logits<'a, const W: usize>(
        &self,
        workspace: &'a mut Bf16Workspace,
        lattice: &Lattice<W>,
        stones: &Stones<W>,
        to_move: Side,
    ) -> &'a [Vec<f32>; 2] {
        let Bf16Workspace { layout, input, empty_board, .. } = workspace;
        input.copy_from_slice(empty_board);
        layout.mark(lattice, stones, to_move, |plane, at| input[at].0[plane] = ONE_BF16);
        self.run(workspace);
        &workspace.logits
    }

    pub(crate) fn reset_activation_ranges(&mut self) {
        self.activation_ranges.fill(F32x64::ZERO);
    }

    /// Widens the ranges to the activations of an evaluated workspace.
    pub(crate) fn widen_activation_ranges(&mut self, workspace: &Bf16Workspace) {
        for (ranges, cells) in self.activation_ranges.iter_mut().zip(&workspace.activations) {
            for cell in cells {
                ranges.0.iter_mut().zip(cell.0).for_each(|(range, x)| *range = range.max(from_bf16(x)));
            }
        }
    }
}

/// Scratch space for one board size and side to move, with all activations for the backward pass.
#[derive(Clone, Debug)]
pub(crate) struct Bf16Workspace {
    pub(crate) layout: Layout,
    empty_board: Vec<Bf16x64>,
    pub(crate) input: Vec<Bf16x64>,
    zeros: Vec<Bf16x64>,
    pub(crate) activations: Vec<Vec<Bf16x64>>,
    pub(crate) sums: Vec<F32x64>,
    /// Value and policy logits of each cell.
    pub(crate) logits: [Vec<f32>; 2],
}

impl Bf16Workspace {
    pub(crate) fn new(size: Size, side: Side) -> Bf16Workspace {
        let layout = Layout::new(size, side, |cells| cells.next_multiple_of(BLOCK));
        let zeros = vec![Bf16x64::ZERO; layout.len()];
        let mut empty_board = zeros.clone();
        layout.empty_board().for_each(|(plane, at)| empty_board[at].0[plane] = ONE_BF16);
        Bf16Workspace {
            input: empty_board.clone(),
            empty_board,
            activations: vec![zeros.clone(); DEPTH + 1],
            zeros,
            sums: vec![F32x64::ZERO; layout.count],
            logits: [(); 2].map(|()| vec![0.0; size.cells()]),
            layout,
        }
    }
}

/// How strongly better moves dominate the value of a position: the weight of a move's value logit beside its policy logit.
const VALUE_WEIGHT: f32 = 4.0;

/// Turns logits into priors and values of some moves. Returns the value of the position for the side to move: the mean of
/// the moves' values, weighted by policy and value.
pub(crate) fn estimate(
    [values, policies]: &[Vec<f32>; 2],
    moves: &mut [(u16, Estimate)],
    temperature: f32,
) -> f32 {
    let largest =
        |logits: &[f32]| moves.iter().map(|row| logits[row.0 as usize]).fold(f32::NEG_INFINITY, f32::max);
    let (best_value, best_policy) = (largest(values), largest(policies));
    let (mut total, mut value_sum, mut weights) = (0.0, 0.0, 0.0);
    for (cell, estimate) in moves.iter_mut() {
        let (value, policy) = (values[*cell as usize], policies[*cell as usize]);
        *estimate = Estimate { prior: ((policy - best_policy) / temperature).exp(), value: sigmoid(value) };
        total += estimate.prior;
        let weight = (policy - best_policy + VALUE_WEIGHT * (value - best_value)).exp();
        value_sum += weight * estimate.value;
        weights += weight;
    }
    moves.iter_mut().for_each(|(_, estimate)| estimate.prior /= total);
    if weights > 0.0 { value_sum / weights } else { 0.5 }
}

/// The probability of a logit.
pub(crate) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_network_is_read_and_others_are_refused() {
        let network = Network::shipped().unwrap();
        let file = network.write();
        assert_eq!(Network::read(&file), Some(network));
        assert_eq!(Network::zero().weights_mut().count(), STORED - DEPTH * CHANNELS);
        for wrong in [0, 7, file.len() - 2, file.len() - 1] {
            assert!(Network::read(&file[..wrong]).is_none(), "{wrong} bytes");
        }
        assert!(Network::read(&[&file[..], &[0, 0]].concat()).is_none());
    }

    #[test]
    fn mirroring_the_board_and_the_sides_keeps_the_logits() {
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
        let quantized = QuantizedNetwork::shipped().unwrap();
        let kernel = nn::int8::Kernel::fastest();
        let (mut black, mut white) =
            (Workspace::new(size, Side::Black, kernel), Workspace::new(mirrored, Side::White, kernel));
        let black = quantized.logits(
            &mut black,
            &Lattice::new(size),
            (&stones(Side::Black, &|cell| cell), Side::Black),
        );
        let white = quantized.logits(
            &mut white,
            &Lattice::new(mirrored),
            (&stones(Side::White, &mirror), Side::White),
        );
        for (black, white) in black.iter().zip(white) {
            assert_ne!(black[0], black[1]);
            for cell in 0..size.cells() {
                assert_eq!(black[cell], white[mirror(cell)]);
            }
        }
    }
}
