//! The network: what a long search would make of each move, guessed at a glance.
//!
//! A convolution over a cell and its six neighbours, then twelve more that each add to what they see, 64 channels; every
//! empty cell has two scores: the logarithm of the odds that the side to move wins with it (as HexHex has it), and, up to
//! a constant, of the chance that a search would play it. One set of
//! weights serves all sizes. Everything is seen as black sees it; white's board is mirrored on the long diagonal.

pub mod games;
mod kernel;
pub mod train;

use super::tree::Guess;
use crate::Size;
use crate::geometry::DIRECTIONS;
use crate::stones::Stones;
use game::Side;
use kernel::{dot, finish};
use std::sync::LazyLock;
use tile::{BLOCK, CHANNELS, Halves, Lane, STRIP, TAPS, Weights, convolve, narrow, widen};

/// Own stones, the opponent's, and the board itself.
const PLANES: usize = 3;
/// Convolutions after the first.
const DEPTH: usize = 12;
/// A one.
const ONE: u16 = 0x3f80;

/// The weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Rows of the convolutions: [`TAPS`] times [`CHANNELS`] each; of the first only [`PLANES`] of a tap count.
    layers: Vec<Vec<Lane>>,
    /// One for each convolution.
    biases: Vec<Lane>,
    /// From the last convolution to a cell's scores: its chance, and how likely it is played.
    heads: [Lane; 2],
    /// What is added to every score.
    bases: [f32; 2],
    packed: Vec<Weights>,
}

static SHIPPED: LazyLock<Option<Network>> =
    LazyLock::new(|| Network::read(include_bytes!("../../../../../data/hex/network.bin")));

impl Network {
    /// The network that ships.
    pub fn shipped() -> Option<&'static Network> {
        SHIPPED.as_ref()
    }

    fn blank() -> Network {
        let rows = vec![Lane::ZERO; TAPS * CHANNELS];
        Network {
            packed: vec![Weights::new(&rows); DEPTH + 1],
            layers: vec![rows; DEPTH + 1],
            biases: vec![Lane::ZERO; DEPTH + 1],
            heads: [Lane::ZERO; 2],
            bases: [0.0; 2],
        }
    }

    /// Packs the rows after they changed.
    fn pack(&mut self) {
        self.packed.iter_mut().zip(&self.layers).for_each(|(packed, rows)| packed.set(rows));
    }

    /// All weights, in the order of the file.
    fn weights_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let Network { layers, biases, heads, bases, .. } = self;
        let counts = |(at, _): &(usize, &mut Lane)| at / (TAPS * CHANNELS) > 0 || at % CHANNELS < PLANES;
        let rows = layers.iter_mut().flatten().enumerate().filter(counts).map(|row| row.1);
        rows.chain(biases).chain(heads).flat_map(|row| &mut row.0).chain(bases)
    }

    /// Reads a file of bfloat16 numbers; `None` if there are not as many as there are weights.
    pub fn read(bytes: &[u8]) -> Option<Network> {
        let mut network = Network::blank();
        let (numbers, rest) = bytes.as_chunks::<2>();
        if !rest.is_empty() || numbers.len() != network.weights_mut().count() {
            return None;
        }
        let stored = numbers.iter().map(|&number| widen(u16::from_le_bytes(number)));
        network.weights_mut().zip(stored).for_each(|(weight, stored)| *weight = stored);
        network.pack();
        Some(network)
    }

    /// Writes the file that [`Network::read`] reads.
    pub fn write(&self) -> Vec<u8> {
        self.clone().weights_mut().flat_map(|weight| narrow(*weight).to_le_bytes()).collect()
    }

    /// Fills in the scores of all cells.
    fn run(&self, view: &mut View) {
        let View { first, ref taps, ref input, ref mut lanes, ref mut sums, ref on_board, .. } = *view;
        let on_board = &on_board[first..];
        let mut before = input;
        for (depth, after) in lanes.iter_mut().enumerate() {
            convolve(before, taps, &self.packed[depth], first, sums);
            let stays = if depth == 0 { &view.nothing } else { before };
            finish(sums, &self.biases[depth], &stays[first..], on_board, &mut after[first..]);
            before = after;
        }
        for ((scores, head), base) in view.scores.iter_mut().zip(&self.heads).zip(self.bases) {
            for (score, &at) in scores.iter_mut().zip(&view.places) {
                *score = base + dot(&before[at as usize], head);
            }
        }
    }

    /// Scores every cell, the stones' too: by its chance, and by how likely it is played.
    pub(super) fn scores<'a, const W: usize>(
        &self,
        view: &'a mut View,
        stones: &Stones<W>,
        to_move: Side,
    ) -> &'a [Vec<f32>; 2] {
        view.clear();
        for (plane, side) in [to_move, to_move.other()].into_iter().enumerate() {
            stones.of(side).iter().for_each(|cell| view.mark(plane, cell));
        }
        self.run(view);
        &view.scores
    }
}

/// A board as a side to move sees it, with room for what the network computes; two for each thread.
#[derive(Clone, Debug)]
pub(super) struct View {
    taps: [isize; TAPS],
    /// First cell to compute; `sums` has room for all of them.
    first: usize,
    on_board: Vec<bool>,
    /// Where each cell lies.
    places: Vec<u16>,
    /// The input of an empty board: only the edges count as stones.
    bare: Vec<Halves>,
    input: Vec<Halves>,
    nothing: Vec<Halves>,
    lanes: Vec<Vec<Halves>>,
    sums: Vec<Lane>,
    /// By each head, of each cell.
    scores: [Vec<f32>; 2],
}

impl View {
    /// Cells lie in rows one longer than the board, so that a neighbour is always at the same distance and the cell
    /// between two rows is off the board on both sides.
    pub(super) fn new(size: Size, side: Side) -> View {
        let seen = |row: usize, col: usize| if side == Side::Black { (row, col) } else { (col, row) };
        let (rows, cols) = seen(size.rows().into(), size.cols().into());
        let stride = cols + 1;
        let first = (stride + 1).next_multiple_of(2);
        let count = (rows * stride).next_multiple_of(BLOCK);
        // Slopes are summed by strips, which are longer than blocks.
        let all = (first + count.next_multiple_of(STRIP) + stride).next_multiple_of(2);
        let place = |(row, col): (usize, usize)| first + row * stride + col;
        let places: Vec<u16> = (0..size.cells())
            .map(|cell| size.cell(cell))
            .map(|cell| place(seen(cell.row.into(), cell.col.into())) as u16)
            .collect();
        let mut on_board = vec![false; all];
        let mut bare = vec![Halves::ZERO; all];
        for &at in &places {
            on_board[at as usize] = true;
            bare[at as usize].0[2] = ONE;
        }
        for col in 0..=cols {
            bare[place((0, col)) - stride].0[0] = ONE;
            bare[place((rows, col))].0[0] = ONE;
        }
        for row in 0..=rows {
            bare[place((row, 0)) - 1].0[1] = ONE;
        }
        let mut taps = [0; TAPS];
        for (tap, (down, right)) in taps[1..].iter_mut().zip(DIRECTIONS) {
            *tap = isize::from(down) * stride as isize + isize::from(right);
        }
        View {
            taps,
            first,
            input: bare.clone(),
            bare,
            nothing: vec![Halves::ZERO; all],
            lanes: vec![vec![Halves::ZERO; all]; DEPTH + 1],
            sums: vec![Lane::ZERO; count],
            scores: [(); 2].map(|()| vec![0.0; places.len()]),
            on_board,
            places,
        }
    }

    fn clear(&mut self) {
        self.input.copy_from_slice(&self.bare);
    }

    fn mark(&mut self, plane: usize, cell: usize) {
        self.input[self.places[cell] as usize].0[plane] = ONE;
    }
}

/// How much better chances count in the worth of a position.
const BEST: f32 = 4.0;

/// From scores to what they say of some moves. Returns what the position is worth to the side to move.
pub(super) fn read([chances, likely]: &[Vec<f32>; 2], moves: &mut [(u16, Guess)]) -> f32 {
    let most =
        |scores: &[f32]| moves.iter().map(|row| scores[row.0 as usize]).fold(f32::NEG_INFINITY, f32::max);
    let (best, likeliest) = (most(chances), most(likely));
    let (mut total, mut worth, mut weights) = (0.0, 0.0, 0.0);
    for (cell, guess) in moves.iter_mut() {
        let (score, likely) = (chances[*cell as usize], likely[*cell as usize]);
        *guess = Guess { prior: (likely - likeliest).exp(), chance: chance(score) };
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
        assert_eq!(Network::read(&network.write()).as_ref(), Some(network));
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
        let network = Network::shipped().unwrap();
        let (mut black, mut white) = (View::new(size, Side::Black), View::new(mirrored, Side::White));
        let black = network.scores(&mut black, &stones(Side::Black, &|cell| cell), Side::Black);
        let white = network.scores(&mut white, &stones(Side::White, &mirror), Side::White);
        for (black, white) in black.iter().zip(white) {
            assert_ne!(black[0], black[1]);
            for cell in 0..size.cells() {
                assert_eq!(black[cell], white[mirror(cell)]);
            }
        }
    }
}
