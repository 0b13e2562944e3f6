//! Policy-only self-play: games with one network evaluation per move, as HexHex trains. Cheap, and they visit positions
//! that searches avoid.
//!
//! Targets are those of Watkins's Q(lambda) (1989): going back from the end, a move's value is what the opponent's reply
//! leaves, mixed with the network's value of the position; a poor reply, drawn for variety, says little about the move
//! before it.

use super::trainer::TrainingPosition;
use crate::engine::network::{self, Bf16Workspace, Network};
use crate::engine::tree::Estimate;
use crate::stones::{Shape, Stones};
use crate::{Size, by_width};
use game::Side;
use search::Rng;
use std::collections::HashMap;

/// Board sizes, each as often as it is listed.
const SIZES: [u8; 16] = [11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 9, 10, 12, 13, 13];
/// Moves are drawn by their policy times the odds of their value to this power. Random play makes results say little
/// about positions.
const SHARPNESS: f32 = 8.0;
/// Plies with half of that, for variety.
const VARIED_PLIES: usize = 6;
/// The share of moves that are kept, of open and of decided positions: neighbouring positions are much alike, and playing
/// is cheaper than learning.
const KEPT: (f64, f64) = (0.5, 0.15);
/// Trace decay per move.
const LAMBDA: f32 = 0.98;
/// Trace decay per logit below the best move.
const CUT: f32 = 0.1;
/// Most games are given up below this value.
const RESIGN: f32 = 0.02;

/// A move of a game with its value target.
pub(super) struct PlayedMove {
    size: u8,
    white: bool,
    stones: [Box<[u16]>; 2],
    pub(super) cell: u16,
    pub(super) target: f32,
}

impl PlayedMove {
    /// The position before the move.
    pub(super) fn position(&self, turned: bool) -> TrainingPosition<'_> {
        let [own, other] = &self.stones;
        TrainingPosition { size: self.size, white: self.white, own, other, turned }
    }
}

/// How targets are computed.
#[derive(Clone, Copy)]
pub(super) struct Targets {
    lambda: f32,
    cut: f32,
    /// Whether all games are played to the end.
    to_the_end: bool,
}

impl Targets {
    /// Q(lambda), with resignation.
    pub(super) const TD: Targets = Targets { lambda: LAMBDA, cut: CUT, to_the_end: false };
    /// Results only, of games played to the end: for a network whose values mean little yet.
    pub(super) const RESULTS: Targets = Targets { lambda: 1.0, cut: 0.0, to_the_end: true };
    /// The network's own values, of games played to the end.
    pub(super) const VALUES: Targets = Targets { lambda: 0.0, cut: 0.0, to_the_end: true };

    /// The value target of each move of a game, from (logits below the best move, value of the position) of each; the last
    /// mover gets `end`.
    fn of(self, moves: &[(f32, f32)], end: f32) -> Vec<f32> {
        let mut target = end;
        let mut out: Vec<f32> = moves
            .iter()
            .rev()
            .map(|&(below_best, value)| {
                let trace = self.lambda * (self.cut * below_best).exp();
                let before = 1.0 - (trace * target + (1.0 - trace) * value);
                std::mem::replace(&mut target, before)
            })
            .collect();
        out.reverse();
        out
    }
}

/// Scratch space of a thread that plays.
#[derive(Default)]
pub(super) struct PolicyPlayer {
    workspaces: HashMap<(u8, bool), Bf16Workspace>,
}

impl PolicyPlayer {
    pub(super) fn play(&mut self, network: &Network, targets: Targets, rng: &mut Rng) -> Vec<PlayedMove> {
        let side = SIZES[rng.below(SIZES.len())];
        let Some(size) = Size::new(side, side) else { return Vec::new() };
        by_width!(size, W => self.play_by_width::<W>(network, size, targets, rng))
    }

    fn play_by_width<const W: usize>(
        &mut self,
        network: &Network,
        size: Size,
        targets: Targets,
        rng: &mut Rng,
    ) -> Vec<PlayedMove> {
        let shape = Shape::<W>::new(size);
        let sharpness = SHARPNESS * (1.4 * rng.unit() as f32 - 0.9).exp();
        let to_the_end = targets.to_the_end || rng.below(8) == 0;
        // At most one blunder, so that poor moves are learned too.
        let blunder = rng.below(size.cells());
        let (mut stones, mut to_move) = self.opening(network, &shape, rng);
        // For each move: the stones before it, the side, the cell, logits below the best move, value of the position.
        let mut line: Vec<(Stones<W>, Side, usize, f32, f32)> = Vec::new();
        let mut resigned = None;
        let mut moves: Vec<(u16, Estimate)> = Vec::new();
        loop {
            let logits = network.logits(self.workspace(size, to_move), shape.lattice(), &stones, to_move);
            moves.clear();
            moves.extend(shape.empty(&stones).iter().map(|cell| (cell as u16, Estimate::default())));
            let value = network::estimate(logits, &mut moves, 1.0);
            let logits = &logits[0];
            let best = moves.iter().map(|row| logits[row.0 as usize]).fold(f32::NEG_INFINITY, f32::max);
            if value < RESIGN && !to_the_end {
                resigned = Some(value);
                break;
            }
            let sharpness = match line.len() {
                ply if ply == blunder => 1.0,
                ply if ply < VARIED_PLIES => 0.5 * sharpness,
                _ => sharpness,
            };
            let drawn = rng.weighted(moves.iter().map(|&(cell, estimate)| {
                f64::from(estimate.prior * (sharpness * (logits[cell as usize] - best)).exp())
            }));
            let cell = moves[drawn.unwrap_or(0)].0 as usize;
            line.push((stones, to_move, cell, logits[cell] - best, value));
            stones.put(to_move, cell);
            if shape.winner(&stones).is_some() {
                break;
            }
            to_move = to_move.other();
        }
        let values: Vec<(f32, f32)> = line.iter().map(|row| (row.3, row.4)).collect();
        let targets = targets.of(&values, resigned.map_or(1.0, |value| 1.0 - value));
        let mut out = Vec::with_capacity(line.len());
        for ((stones, to_move, cell, _, value), target) in line.into_iter().zip(targets) {
            let decided = !(0.03..=0.97).contains(&value);
            if rng.unit() < if decided { KEPT.1 } else { KEPT.0 } {
                let cells = |side: Side| stones.of(side).iter().map(|cell| cell as u16).collect();
                out.push(PlayedMove {
                    size: size.rows(),
                    white: to_move == Side::White,
                    stones: [cells(to_move), cells(to_move.other())],
                    cell: cell as u16,
                    target,
                });
            }
        }
        out
    }

    fn workspace(&mut self, size: Size, side: Side) -> &mut Bf16Workspace {
        let key = (size.rows(), side == Side::White);
        self.workspaces.entry(key).or_insert_with(|| Bf16Workspace::new(size, side))
    }

    /// The most even of four random openings of one or two moves.
    fn opening<const W: usize>(
        &mut self,
        network: &Network,
        shape: &Shape<W>,
        rng: &mut Rng,
    ) -> (Stones<W>, Side) {
        let mut best = (f32::INFINITY, Stones::EMPTY, Side::Black);
        for _ in 0..4 {
            let (mut stones, mut to_move) = (Stones::EMPTY, Side::Black);
            for _ in 0..1 + rng.below(2) {
                let empty: Vec<usize> = shape.empty(&stones).iter().collect();
                stones.put(to_move, empty[rng.below(empty.len())]);
                to_move = to_move.other();
            }
            let [logits, _] =
                network.logits(self.workspace(shape.size(), to_move), shape.lattice(), &stones, to_move);
            let most = shape.empty(&stones).iter().map(|cell| logits[cell]).fold(f32::NEG_INFINITY, f32::max);
            if most.abs() < best.0 {
                best = (most.abs(), stones, to_move);
            }
        }
        (best.1, best.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::Trainer;

    #[test]
    fn a_target_is_what_the_reply_leaves() {
        let moves = [(0.0, 0.6), (-2.0, 0.3), (0.0, 0.9)];
        assert_eq!(Targets::RESULTS.of(&moves, 1.0), [1.0, 0.0, 1.0]);
        assert_eq!(Targets::VALUES.of(&moves, 1.0), [1.0 - 0.3, 1.0 - 0.9, 1.0]);
        // A poor reply says less about the move before it.
        let cut = Targets { cut: 10.0, ..Targets::RESULTS }.of(&moves, 1.0);
        assert!((cut[0] - 0.7).abs() < 1e-3 && cut[1] == 0.0, "{cut:?}");
    }

    #[test]
    fn games_end_and_their_targets_are_results() {
        let network = Trainer::new(1).network;
        let mut rng = Rng::new(2);
        let mut player = PolicyPlayer::default();
        let moves: Vec<PlayedMove> =
            (0..4).flat_map(|_| player.play(&network, Targets::RESULTS, &mut rng)).collect();
        assert!(moves.len() > 40 && moves.iter().all(|mv| mv.target == 0.0 || mv.target == 1.0));
        for mv in moves {
            let [own, other] = &mv.stones;
            assert!(!own.contains(&mv.cell) && !other.contains(&mv.cell));
            assert!(own.len() == other.len() || own.len() + 1 == other.len());
        }
    }
}
