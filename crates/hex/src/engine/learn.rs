//! What the learning tool (`examples/learn.rs`) needs from the engine: games of it with itself, and of each
//! position that its trees have been to often, the features of every move and how often it was visited.

use super::features::{RING_FEATURES, Scene};
use super::policy::Policy;
use super::search::Memory;
use super::{Tengen, playout::Playout};
use crate::{HexPosition, Size, by_width};
use game::{Engine, Limits, Move, Position, Watch};
use search::Rng;

/// A position to learn from.
#[derive(Clone, Debug, Default)]
pub struct Lesson {
    /// For each move its features, and the share of visits it got.
    pub moves: Vec<(Vec<u16>, f32)>,
}

impl Lesson {
    /// The feature of a move's ring, which is all that playouts look at.
    pub fn ring(features: &[u16]) -> Option<u16> {
        features.iter().copied().find(|&feature| (feature as usize) < RING_FEATURES)
    }
}

/// Plays a game with itself from a random opening, so many playouts a move, and hands over the lessons of
/// positions with at least `visits` visits. Returns how many moves it had.
pub fn play(
    policy: &Policy,
    size: Size,
    seed: u64,
    (playouts, visits): (u64, u32),
    lesson: &mut dyn FnMut(Lesson),
) -> usize {
    let mut engine = Tengen::with_policy(policy.clone());
    let mut position = HexPosition::empty(size);
    let mut rng = Rng::new(seed);
    for _ in 0..1 + rng.below(3) {
        let moves = position.legal_moves();
        if let Some(mv) = rng.pick(&moves) {
            // A legal move cannot be refused.
            let _ = position.play(mv);
        }
    }
    while position.outcome().is_none() {
        engine.new_game();
        let limits = Limits { seed: rng.next_u64(), ..Limits::nodes(playouts) };
        let Ok(decision) = engine.think(&position, &limits, &Watch::default(), &mut |_| {}) else { break };
        by_width!(size, W => lessons::<W>(&engine, visits, lesson));
        // What is proved teaches nothing more.
        if decision.report.win_rate <= 0.02 || decision.report.win_rate >= 0.98 {
            break;
        }
        let mv: Move = decision.mv;
        if position.play(mv).is_err() {
            break;
        }
    }
    position.history().len()
}

fn lessons<const W: usize>(engine: &Tengen, visits: u32, lesson: &mut dyn FnMut(Lesson)) {
    let Some(memory) = engine.memory.as_ref().and_then(|memory| memory.downcast_ref::<Memory<W>>()) else {
        return;
    };
    let mut playout = Playout::new(memory.shape());
    memory.well_visited(visits, |start, children| {
        playout.set(&start.stones);
        let scene = Scene::new(memory.outlook(), &playout, &start.stones, start.to_move, start.last);
        let total: u32 = children.iter().map(|child| child.1).sum();
        let moves = children.iter().map(|&(cell, visits)| {
            let mut features = Vec::new();
            scene.each_feature(cell, |feature| features.push(feature as u16));
            (features, visits as f32 / total.max(1) as f32)
        });
        lesson(Lesson { moves: moves.collect() });
    });
}
