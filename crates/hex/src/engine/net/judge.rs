//! The network as searches ask it: in bytes, several times as fast as the halves it was taught in, and nearly the same.
//!
//! What a cell holds between layers is told to the next one in bytes, by its share of the largest that was seen there
//! ([`Network::spans`]); what is added up from layer to layer stays as it is.

use super::field::Field;
use super::{DEPTH, Network, TAPS};
use crate::Size;
use crate::bits::Lattice;
use crate::stones::Stones;
use game::Side;
use nn::int8::{CELL_GROUP, I32x64, Int8Weights, MAX_ACTIVATION, MIN_CELLS, U8x64, convolve_int8};
use nn::layer::{Requantize, dot, requantize};
use nn::{CHANNELS, F32x64};
use std::sync::LazyLock;

/// A network in bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Judge {
    layers: Vec<(Int8Weights<TAPS>, Requantize)>,
    heads: [F32x64; 2],
    bases: [f32; 2],
}

static SHIPPED: LazyLock<Option<Judge>> = LazyLock::new(|| Network::shipped().as_ref().map(Judge::of));

impl Judge {
    /// The network that ships.
    pub fn shipped() -> Option<&'static Judge> {
        SHIPPED.as_ref()
    }

    /// The nearest to a network.
    pub fn of(network: &Network) -> Judge {
        let most = f32::from(MAX_ACTIVATION);
        let layer = |depth: usize| {
            // What a byte of each input stands for: the planes of a board are 0 and 1.
            let one = match depth {
                0 => F32x64([1.0 / most; CHANNELS]),
                _ => F32x64(network.spans[depth - 1].0.map(|span| span / most)),
            };
            let mut rows = network.layers[depth].clone();
            for (at, row) in rows.iter_mut().enumerate() {
                row.0.iter_mut().for_each(|weight| *weight *= one.0[at % CHANNELS]);
            }
            let (weights, scales) = Int8Weights::new(&rows);
            let steps = match network.spans.get(depth) {
                Some(spans) => spans.0.map(|span| if span > 0.0 { most / span } else { 0.0 }),
                None => [0.0; CHANNELS],
            };
            (weights, Requantize { scales, bias: network.biases[depth], steps: F32x64(steps) })
        };
        Judge { layers: (0..=DEPTH).map(layer).collect(), heads: network.heads, bases: network.bases }
    }

    /// Scores every cell, the stones' too: by its chance, and by how likely it is played.
    pub(in super::super) fn scores<'a, const W: usize>(
        &self,
        sight: &'a mut Sight,
        lattice: &Lattice<W>,
        (stones, to_move): (&Stones<W>, Side),
    ) -> &'a [Vec<f32>; 2] {
        let Sight { field, bare, input, told: [even, odd], sums, lanes, scores } = sight;
        input.copy_from_slice(bare);
        field.mark(lattice, stones, to_move, |plane, at| input[at].0[plane] = MAX_ACTIVATION);
        lanes.fill(F32x64::ZERO);
        for (depth, (weights, told)) in self.layers.iter().enumerate() {
            let (before, after) = if depth % 2 == 0 { (&*odd, &mut *even) } else { (&*even, &mut *odd) };
            let before = if depth == 0 { &*input } else { before };
            convolve_int8(before, &field.taps, weights, field.first, sums);
            requantize(sums, told, &field.on_board[field.first..], lanes, &mut after[field.first..]);
        }
        for ((scores, head), base) in scores.iter_mut().zip(&self.heads).zip(self.bases) {
            for (score, &at) in scores.iter_mut().zip(&field.places) {
                *score = base + dot(&lanes[at as usize - field.first], head);
            }
        }
        scores
    }
}

/// A board as a side to move sees it, with room for what a [`Judge`] computes.
#[derive(Clone, Debug)]
pub(in super::super) struct Sight {
    field: Field,
    bare: Vec<U8x64>,
    input: Vec<U8x64>,
    /// What even and odd layers tell the next one; nothing off the board.
    told: [Vec<U8x64>; 2],
    sums: Vec<I32x64>,
    lanes: Vec<F32x64>,
    /// By each head, of each cell.
    scores: [Vec<f32>; 2],
}

impl Sight {
    pub(in super::super) fn new(size: Size, side: Side) -> Sight {
        let field = Field::new(size, side, |cells| cells.next_multiple_of(CELL_GROUP).max(MIN_CELLS));
        let nothing = vec![U8x64::ZERO; field.room()];
        let mut bare = nothing.clone();
        field.bare().for_each(|(plane, at)| bare[at].0[plane] = MAX_ACTIVATION);
        Sight {
            bare,
            input: nothing.clone(),
            told: [nothing.clone(), nothing],
            sums: vec![I32x64::ZERO; field.count],
            lanes: vec![F32x64::ZERO; field.count],
            scores: [(); 2].map(|()| vec![0.0; size.cells()]),
            field,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::View;
    use super::*;
    use search::Rng;

    /// U8x64 lose little: in random positions scores, which are logarithms, differ by less than a tenth on the whole.
    fn compare<const W: usize>(size: Size, seed: u64) {
        let (judge, network) = (Judge::shipped().unwrap(), Network::shipped().unwrap());
        let (lattice, mut rng) = (Lattice::<W>::new(size), Rng::new(seed));
        let mut sights = Side::BOTH.map(|side| Sight::new(size, side));
        let mut views = Side::BOTH.map(|side| View::new(size, side));
        let mut stones = Stones::EMPTY;
        let mut to_move = Side::Black;
        let (mut sum, mut many) = (0.0, 0);
        for _ in 0..size.cells() / 3 {
            let empty: Vec<usize> = (lattice.all() & !stones.both()).iter().collect();
            stones.put(to_move, empty[rng.below(empty.len())]);
            to_move = to_move.other();
            let near = judge.scores(&mut sights[to_move.index()], &lattice, (&stones, to_move));
            let exact = network.scores(&mut views[to_move.index()], &lattice, &stones, to_move);
            for (near, exact) in near.iter().flatten().zip(exact.iter().flatten()) {
                sum += (near - exact).abs();
                many += 1;
            }
        }
        let mean = sum / many as f32;
        assert!(mean > 0.0 && mean < 0.1, "{size:?}: {mean}");
    }

    #[test]
    fn a_judge_thinks_as_its_network_does() {
        for (rows, cols) in [(11, 11), (7, 9), (13, 13)] {
            let size = Size::new(rows, cols).unwrap();
            crate::by_width!(size, W => compare::<W>(size, 1));
        }
    }
}
