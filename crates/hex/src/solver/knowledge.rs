//! What is known about a position before it is searched: it is decided, or it shrinks to fewer cells and fewer
//! moves worth trying.

use crate::inferior;
use crate::stones::{Shape, Stones};
use crate::vc::{Connections, Effort};
use game::Side;

use super::order;

/// A position after a look at it.
#[derive(Clone, Debug)]
pub(crate) enum Looked<const W: usize> {
    Won,
    Lost,
    Open(Opened<W>),
}

impl<const W: usize> Looked<W> {
    /// How many moves are left to try.
    pub(crate) fn breadth(&self) -> usize {
        match self {
            Looked::Won | Looked::Lost => 0,
            Looked::Open(opened) => opened.moves.len(),
        }
    }
}

/// A position that has to be searched.
#[derive(Clone, Debug)]
pub(crate) struct Opened<const W: usize> {
    /// The stones with dead and captured cells filled.
    pub(crate) stones: Stones<W>,
    /// The moves that suffice, the most promising first.
    pub(crate) moves: Box<[u16]>,
}

/// Memory that looking needs again and again; one for each thread.
pub(crate) struct Looker<'a, const W: usize> {
    shape: &'a Shape<W>,
    connections: Connections<W>,
    effort: Effort,
}

impl<'a, const W: usize> Looker<'a, W> {
    pub(crate) fn new(shape: &'a Shape<W>, effort: Effort) -> Looker<'a, W> {
        Looker { shape, connections: Connections::unbuilt(shape, Side::Black), effort }
    }

    pub(crate) fn look(&mut self, stones: &Stones<W>, to_move: Side) -> Looked<W> {
        let shape = self.shape;
        let inferior = inferior::analyze(shape, stones, to_move);
        let filled = inferior.filled;
        if let Some(winner) = shape.winner(&filled) {
            return if winner == to_move { Looked::Won } else { Looked::Lost };
        }
        self.connections.rebuild(shape, &filled, to_move, Effort { until_semi: true, ..self.effort });
        if self.connections.wins_moving_first() {
            return Looked::Won;
        }
        self.connections.rebuild(shape, &filled, to_move.other(), self.effort);
        let must_play = self.connections.winning().must_play;
        let moves = must_play & !inferior.pruned();
        if moves.is_empty() {
            return Looked::Lost;
        }
        let moves = order::most_promising_first(shape, &filled, to_move, moves);
        Looked::Open(Opened { stones: filled, moves })
    }
}
