//! The policy network: what a long search would make of a position, guessed at a glance.
//!
//! Seven convolutions over a cell and its six neighbours, 32 channels each; then every empty cell has a score, whose
//! softmax is the policy. One set of weights serves all sizes. Everything is seen as black sees it; white's board is mirrored on the long diagonal.

mod kernel;
pub mod train;

use super::playout::NOWHERE;
use super::worker::Start;
use crate::{DIRECTIONS, Size};
use game::Side;
use kernel::{BLOCK, CHANNELS, Lane, TAPS, convolve};
use std::sync::LazyLock;

/// Own stones, the opponent's, its last move, the own one before it.
const PLANES: usize = 4;
/// Convolutions after the first.
const DEPTH: usize = 6;

/// The weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Rows of the first convolution: [`TAPS`] times [`PLANES`].
    entry: Vec<Lane>,
    /// Rows of the others: [`TAPS`] times [`CHANNELS`] each.
    layers: Vec<Vec<Lane>>,
    /// One for each convolution.
    biases: Vec<Lane>,
    /// From the last convolution to a cell's score.
    policy: Lane,
}

/// A weight is stored in steps of this, as a 16-bit number.
const STEP: f32 = 1.0 / 4096.0;

static SHIPPED: LazyLock<Option<Network>> =
    LazyLock::new(|| Network::read(include_bytes!("../../../../../data/hex/network.bin")));

impl Network {
    /// The network that ships.
    pub fn shipped() -> Option<&'static Network> {
        SHIPPED.as_ref()
    }

    fn blank() -> Network {
        let rows = |many: usize| vec![[0.0; CHANNELS]; many];
        Network {
            entry: rows(TAPS * PLANES),
            layers: vec![rows(TAPS * CHANNELS); DEPTH],
            biases: rows(DEPTH + 1),
            policy: [0.0; CHANNELS],
        }
    }

    /// All weights, in the order of the file.
    fn weights(&self) -> impl Iterator<Item = &f32> {
        let rows = self.entry.iter().chain(self.layers.iter().flatten()).chain(&self.biases);
        rows.chain([&self.policy]).flatten()
    }

    fn weights_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let rows = self.entry.iter_mut().chain(self.layers.iter_mut().flatten()).chain(&mut self.biases);
        rows.chain([&mut self.policy]).flatten()
    }

    /// Reads a file of 16-bit numbers; `None` if there are not as many as there are weights.
    pub fn read(bytes: &[u8]) -> Option<Network> {
        let mut network = Network::blank();
        let (numbers, rest) = bytes.as_chunks::<2>();
        if !rest.is_empty() || numbers.len() != network.weights().count() {
            return None;
        }
        let stored = numbers.iter().map(|&number| f32::from(i16::from_le_bytes(number)) * STEP);
        network.weights_mut().zip(stored).for_each(|(weight, stored)| *weight = stored);
        Some(network)
    }

    /// Writes the file that [`Network::read`] reads.
    pub fn write(&self) -> Vec<u8> {
        let stored = |weight: &f32| ((weight / STEP).round() as i16).to_le_bytes();
        self.weights().flat_map(stored).collect()
    }

    /// Fills in the scores of all cells.
    fn run(&self, view: &mut View) {
        let View { span, ref taps, ref input, ref mut lanes, .. } = *view;
        let (entry, rest) = lanes.split_at_mut(1);
        convolve::<PLANES>(input, taps, (&self.entry, &self.biases[0]), &mut entry[0], span);
        rectify(&mut entry[0], &view.on_board);
        let mut before = &entry[0];
        for ((layer, bias), lane) in self.layers.iter().zip(&self.biases[1..]).zip(rest) {
            convolve::<CHANNELS>(before, taps, (layer, bias), lane, span);
            rectify(lane, &view.on_board);
            before = lane;
        }
        let last = &lanes[DEPTH];
        for (score, &at) in view.scores.iter_mut().zip(&view.places) {
            *score = dot(&last[at as usize], &self.policy);
        }
    }

    /// Turns moves into moves with their priors, which sum to 1.
    pub(super) fn priors<const W: usize>(&self, view: &mut View, start: &Start<W>, moves: &mut [(u16, f32)]) {
        view.set(start);
        self.run(view);
        let largest = moves.iter().map(|row| view.scores[row.0 as usize]).fold(f32::NEG_INFINITY, f32::max);
        let mut total = 0.0;
        for (cell, prior) in moves.iter_mut() {
            *prior = (view.scores[*cell as usize] - largest).exp();
            total += *prior;
        }
        moves.iter_mut().for_each(|(_, prior)| *prior /= total);
    }
}

fn rectify(lanes: &mut [Lane], on_board: &[bool]) {
    for (lane, &on_board) in lanes.iter_mut().zip(on_board) {
        lane.iter_mut().for_each(|x| *x = if on_board { x.max(0.0) } else { 0.0 });
    }
}

fn dot(a: &Lane, b: &Lane) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A board as a side to move sees it, with room for what the network computes; two for each thread.
#[derive(Clone, Debug)]
pub(super) struct View {
    taps: [isize; TAPS],
    /// First cell and number of cells to compute.
    span: (usize, usize),
    on_board: Vec<bool>,
    /// Where each cell lies.
    places: Vec<u16>,
    /// The input of an empty board: only the edges count as stones.
    bare: Vec<[f32; PLANES]>,
    input: Vec<[f32; PLANES]>,
    lanes: Vec<Vec<Lane>>,
    /// Of each cell.
    scores: Vec<f32>,
}

impl View {
    pub(super) fn new(size: Size, side: Side) -> View {
        let seen = |row: usize, col: usize| if side == Side::Black { (row, col) } else { (col, row) };
        let (rows, cols) = seen(size.rows().into(), size.cols().into());
        let stride = cols + 1;
        let first = stride + 1;
        let count = (rows * stride).next_multiple_of(BLOCK);
        let all = first + count + stride + BLOCK;
        let place = |(row, col): (usize, usize)| first + row * stride + col;
        let places: Vec<u16> = (0..size.cells())
            .map(|cell| size.cell(cell))
            .map(|cell| place(seen(cell.row.into(), cell.col.into())) as u16)
            .collect();
        let mut on_board = vec![false; all];
        places.iter().for_each(|&at| on_board[at as usize] = true);
        let mut bare = vec![[0.0; PLANES]; all];
        for col in 0..=cols {
            bare[place((0, col)) - stride][0] = 1.0;
            bare[place((rows, col))][0] = 1.0;
        }
        for row in 0..=rows {
            bare[place((row, 0)) - 1][1] = 1.0;
        }
        let mut taps = [0; TAPS];
        for (tap, (down, right)) in taps[1..].iter_mut().zip(DIRECTIONS) {
            *tap = isize::from(down) * stride as isize + isize::from(right);
        }
        View {
            taps,
            span: (first, count),
            input: bare.clone(),
            bare,
            lanes: vec![vec![[0.0; CHANNELS]; all]; DEPTH + 1],
            scores: vec![0.0; places.len()],
            on_board,
            places,
        }
    }

    fn set<const W: usize>(&mut self, start: &Start<W>) {
        self.clear();
        for (plane, side) in [start.to_move, start.to_move.other()].into_iter().enumerate() {
            start.stones.of(side).iter().for_each(|cell| self.mark(plane, cell));
        }
        for (plane, cell) in start.last.into_iter().enumerate() {
            if cell != NOWHERE {
                self.mark(2 + plane, cell);
            }
        }
    }

    fn clear(&mut self) {
        self.input.copy_from_slice(&self.bare);
    }

    fn mark(&mut self, plane: usize, cell: usize) {
        self.input[self.places[cell] as usize][plane] = 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stones::Stones;

    #[test]
    fn the_shipped_network_is_read_and_others_are_refused() {
        assert!(Network::shipped().is_some());
        assert!(Network::read(&[]).is_none() && Network::read(&[0; 7]).is_none());
    }

    #[test]
    fn white_sees_what_black_sees_in_the_mirror() {
        let size = Size::new(6, 8).unwrap();
        let mirrored = Size::new(8, 6).unwrap();
        let mirror = |cell: usize| mirrored.index(size.mirrored(size.cell(cell)));
        let (own, other, last) = ([3, 20, 31], [9, 22, 40], [40, 31]);
        let start = |side: Side, to: &dyn Fn(usize) -> usize| {
            let mut stones = Stones::<1>::EMPTY;
            own.iter().for_each(|&cell| stones.put(side, to(cell)));
            other.iter().for_each(|&cell| stones.put(side.other(), to(cell)));
            Start { stones, to_move: side, last: last.map(to) }
        };
        let network = Network::shipped().unwrap();
        let cells = [0, 5, 21, 30, 47];
        let mut black = cells.map(|cell| (cell as u16, 0.0));
        let mut white = cells.map(|cell| (mirror(cell) as u16, 0.0));
        let mut view = View::new(size, Side::Black);
        network.priors(&mut view, &start(Side::Black, &|cell| cell), &mut black);
        network.priors(&mut View::new(mirrored, Side::White), &start(Side::White, &mirror), &mut white);
        let total: f32 = black.iter().map(|row| row.1).sum();
        assert!((total - 1.0).abs() < 1e-5 && black[0].1 != black[1].1);
        for (black, white) in black.iter().zip(&white) {
            assert_eq!(black.1, white.1);
        }
    }
}
