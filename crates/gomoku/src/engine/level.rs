//! Levels below the strongest: shallower searches that see forced wins less far ahead, and choose among good moves at
//! random, the more so the less they differ.

use super::params::LEVELS;
use super::root::RootMove;
use super::score::{MATE, is_decided};
use crate::{Point, Position};
use ::game::{Level, Limits, Position as _};
use search::rng::Rng;

/// How a level weakens the engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weakness {
    /// Depth in plies.
    pub(super) depth: u32,
    /// Nodes: at the lower levels a safety stop only, large enough that every root move is searched.
    pub(super) nodes: u64,
    /// Moves to choose among.
    pub(super) lines: usize,
    /// Softmax temperature of the choice, in points of score; 0: always the best.
    pub(super) temperature: f64,
    /// Forced wins and losses farther away than this many plies are only good and bad positions.
    pub(super) foresight: i32,
    /// The share of moves at which a five or an open four may be overlooked.
    pub(super) careless: f64,
    /// Whether the network evaluates, where there is one.
    pub(super) network: bool,
}

/// The worth of a win that is beyond the foresight, in points of score.
const BEYOND_FORESIGHT: f64 = 400.0;

impl Weakness {
    /// `None` at full strength.
    pub(super) fn of(level: Level) -> Option<&'static Weakness> {
        LEVELS.get(usize::from(level.number()) - 1)
    }

    /// The limits of the level's search.
    pub(super) fn limits(&self, limits: &Limits) -> Limits {
        Limits {
            depth: Some(limits.depth.map_or(self.depth, |depth| depth.min(self.depth))),
            nodes: Some(limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes))),
            lines: limits.lines.max(self.lines),
            ..limits.clone()
        }
    }

    /// The moves that the level considers, in a position where stones are put by turns.
    pub(super) fn considered(&self, position: &Position, moves: &mut Vec<Point>, seed: u64) {
        let mut rng = Rng::new(seed ^ position.hash().rotate_left(17));
        if rng.unit() >= self.careless {
            crate::safe_moves::keep_safe(position.board(), position.to_move(), moves);
        }
    }

    /// Chooses by Gumbel noise, which draws from the softmax of the values.
    pub(super) fn choose<'r>(&self, roots: &'r [RootMove], seed: u64) -> Option<&'r RootMove> {
        let roots = &roots[..self.lines.min(roots.len())];
        let first = roots.first()?;
        if self.temperature == 0.0 || self.sees(first.value) && first.value > 0 {
            return Some(first);
        }
        let mut rng = Rng::new(seed);
        let mut noisy = |value: i32| {
            let noise = -(-rng.unit().max(f64::MIN_POSITIVE).ln()).max(f64::MIN_POSITIVE).ln();
            match is_decided(value) {
                true if self.sees(value) => f64::from(value),
                true => BEYOND_FORESIGHT * f64::from(value.signum()) + self.temperature * noise,
                false => f64::from(value) + self.temperature * noise,
            }
        };
        let values: Vec<(f64, &RootMove)> = roots.iter().map(|root| (noisy(root.value), root)).collect();
        values.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, root)| root)
    }

    fn sees(&self, value: i32) -> bool {
        is_decided(value) && MATE - value.abs() <= self.foresight
    }
}
