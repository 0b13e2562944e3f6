//! The network in int8, as searches use it: several times as fast as bf16, and nearly the same.
//!
//! The input of each layer is quantized by the largest activation measured there ([`Network::activation_ranges`]); the
//! residual stream stays in `f32`.

use super::layout::Layout;
use super::{DEPTH, Network, TAPS};
use crate::Size;
use crate::bits::Lattice;
use crate::stones::Stones;
use game::Side;
use nn::int8::{CELL_GROUP, I32x64, Int8Weights, Kernel, MAX_ACTIVATION, MIN_CELLS, U8x64, convolve_int8};
use nn::layer::{Requantize, dot, requantize};
use nn::{CHANNELS, F32x64};
use std::sync::OnceLock;

/// A network with 8-bit weights and activations.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantizedNetwork {
    layers: Vec<(Int8Weights<TAPS>, Requantize)>,
    heads: [F32x64; 2],
    head_biases: [f32; 2],
}

static SHIPPED: OnceLock<Option<QuantizedNetwork>> = OnceLock::new();

impl QuantizedNetwork {
    /// The network that ships.
    pub fn shipped() -> Option<&'static QuantizedNetwork> {
        SHIPPED.get_or_init(|| Network::shipped().as_ref().map(QuantizedNetwork::of)).as_ref()
    }

    /// Has this file, as [`Network::read`] reads it, used as the one that ships; false if it is damaged, or if a search
    /// has asked for the shipped one before.
    pub fn install(bytes: &[u8]) -> bool {
        Network::read(bytes).is_some_and(|network| SHIPPED.set(Some(QuantizedNetwork::of(&network))).is_ok())
    }

    /// Quantizes a network.
    pub fn of(network: &Network) -> QuantizedNetwork {
        let most = f32::from(MAX_ACTIVATION);
        let layer = |depth: usize| {
            // What a step of each input stands for; input planes are 0 and 1.
            let step = match depth {
                0 => F32x64([1.0 / most; CHANNELS]),
                _ => F32x64(network.activation_ranges[depth - 1].0.map(|range| range / most)),
            };
            let mut rows = network.layers[depth].clone();
            for (at, row) in rows.iter_mut().enumerate() {
                row.0.iter_mut().for_each(|weight| *weight *= step.0[at % CHANNELS]);
            }
            let (weights, scales) = Int8Weights::new(&rows);
            let steps = match network.activation_ranges.get(depth) {
                Some(ranges) => ranges.0.map(|range| if range > 0.0 { most / range } else { 0.0 }),
                None => [0.0; CHANNELS],
            };
            (weights, Requantize { scales, bias: network.biases[depth], steps: F32x64(steps) })
        };
        QuantizedNetwork {
            layers: (0..=DEPTH).map(layer).collect(),
            heads: network.heads,
            head_biases: network.head_biases,
        }
    }

    /// The value and policy logits of every cell; those of occupied cells mean zeros.
    pub(crate) fn logits<'a, const W: usize>(
        &self,
        workspace: &'a mut Workspace,
        lattice: &Lattice<W>,
        (stones, to_move): (&Stones<W>, Side),
    ) -> &'a [Vec<f32>; 2] {
        let Workspace { kernel, layout, empty_board, input, outputs: [even, odd], sums, activations, logits } =
            workspace;
        input.copy_from_slice(empty_board);
        layout.mark(lattice, stones, to_move, |plane, at| input[at].0[plane] = MAX_ACTIVATION);
        activations.fill(F32x64::ZERO);
        for (depth, (weights, by)) in self.layers.iter().enumerate() {
            let (before, after) = if depth % 2 == 0 { (&*odd, &mut *even) } else { (&*even, &mut *odd) };
            let before = if depth == 0 { &*input } else { before };
            convolve_int8(*kernel, before, &layout.taps, weights, layout.first, sums);
            requantize(sums, by, &layout.on_board[layout.first..], activations, &mut after[layout.first..]);
        }
        for ((logits, head), bias) in logits.iter_mut().zip(&self.heads).zip(self.head_biases) {
            for (logit, &at) in logits.iter_mut().zip(&layout.places) {
                *logit = bias + dot(&activations[at as usize - layout.first], head);
            }
        }
        logits
    }
}

/// Scratch space for one board size and side to move.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    kernel: Kernel,
    layout: Layout,
    empty_board: Vec<U8x64>,
    input: Vec<U8x64>,
    /// The quantized outputs of even and odd layers; zero off the board.
    outputs: [Vec<U8x64>; 2],
    sums: Vec<I32x64>,
    activations: Vec<F32x64>,
    /// Value and policy logits of each cell.
    logits: [Vec<f32>; 2],
}

impl Workspace {
    pub(crate) fn new(size: Size, side: Side, kernel: Kernel) -> Workspace {
        let layout = Layout::new(size, side, |cells| cells.next_multiple_of(CELL_GROUP).max(MIN_CELLS));
        let zeros = vec![U8x64::ZERO; layout.len()];
        let mut empty_board = zeros.clone();
        layout.empty_board().for_each(|(plane, at)| empty_board[at].0[plane] = MAX_ACTIVATION);
        Workspace {
            kernel,
            empty_board,
            input: zeros.clone(),
            outputs: [zeros.clone(), zeros],
            sums: vec![I32x64::ZERO; layout.count],
            activations: vec![F32x64::ZERO; layout.count],
            logits: [(); 2].map(|()| vec![0.0; size.cells()]),
            layout,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Bf16Workspace;
    use super::*;
    use search::Rng;

    /// In random positions the logits differ by less than 0.1 on average.
    fn compare<const W: usize>(size: Size, seed: u64) {
        let (quantized, network) = (QuantizedNetwork::shipped().unwrap(), Network::shipped().unwrap());
        let (lattice, mut rng) = (Lattice::<W>::new(size), Rng::new(seed));
        let mut workspaces = Side::BOTH.map(|side| Workspace::new(size, side, Kernel::fastest()));
        let mut exact_workspaces = Side::BOTH.map(|side| Bf16Workspace::new(size, side));
        let mut stones = Stones::EMPTY;
        let mut to_move = Side::Black;
        let (mut sum, mut many) = (0.0, 0);
        for _ in 0..size.cells() / 3 {
            let empty: Vec<usize> = (lattice.all() & !stones.both()).iter().collect();
            stones.put(to_move, empty[rng.below(empty.len())]);
            to_move = to_move.other();
            let near = quantized.logits(&mut workspaces[to_move.index()], &lattice, (&stones, to_move));
            let exact = network.logits(&mut exact_workspaces[to_move.index()], &lattice, &stones, to_move);
            for (near, exact) in near.iter().flatten().zip(exact.iter().flatten()) {
                sum += (near - exact).abs();
                many += 1;
            }
        }
        let mean = sum / many as f32;
        assert!(mean > 0.0 && mean < 0.1, "{size:?}: {mean}");
    }

    #[test]
    fn quantized_logits_are_near_the_exact_ones() {
        for (rows, cols) in [(11, 11), (7, 9), (13, 13)] {
            let size = Size::new(rows, cols).unwrap();
            crate::by_width!(size, W => compare::<W>(size, 1));
        }
    }
}
