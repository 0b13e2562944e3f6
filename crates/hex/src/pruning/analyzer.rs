//! Analysis of a position before it is searched: it is decided, or it shrinks to fewer cells and fewer moves.

use super::{InferiorCells, ProvedWins, inferior_cells, order};
use crate::bits::Bits;
use crate::stones::{Shape, Stones};
use crate::vc::{Connections, Effort};
use game::Side;

/// The result of an analysis.
#[derive(Clone, Debug)]
pub(crate) enum Analysis<const W: usize> {
    Won,
    Lost,
    Open(Reduced<W>),
}

impl<const W: usize> Analysis<W> {
    /// How many moves are left to try.
    pub(crate) fn breadth(&self) -> usize {
        match self {
            Analysis::Won | Analysis::Lost => 0,
            Analysis::Open(reduced) => reduced.moves.len(),
        }
    }
}

/// A position that has to be searched.
#[derive(Clone, Debug)]
pub(crate) struct Reduced<const W: usize> {
    /// The stones after fill-in.
    pub(crate) stones: Stones<W>,
    /// The moves that need to be searched, most promising first.
    pub(crate) moves: Box<[u16]>,
    /// The cells that were filled for black and for white because they are captured.
    captured: [Bits<W>; 2],
    /// The opponent wins against every move outside this …
    must_play: Bits<W>,
    /// … within these cells.
    refutation: Bits<W>,
    /// Cells of the must-play region that are no moves, each with the cell that makes it inferior.
    inferior: Box<[(u16, u16)]>,
}

impl<const W: usize> Reduced<W> {
    /// The carrier of a win of `side`, to move, by a move after which it wins with carrier `then`.
    pub(crate) fn carrier_of_win(&self, side: Side, cell: usize, then: Bits<W>) -> Bits<W> {
        then.with(cell) | self.captured[side.index()]
    }

    /// The carrier of a loss against `winner`, from the carriers of its wins against some of the moves; `None` if
    /// they leave a move open.
    ///
    /// A move outside of a carrier loses against the play that never leaves it; so the moves within all of them
    /// are left, and those must be inferior ones. What makes them inferior has to stay as it is.
    pub(crate) fn carrier_of_loss(&self, winner: Side, wins: &[Bits<W>]) -> Option<Bits<W>> {
        let mut sorted: Vec<&Bits<W>> = wins.iter().collect();
        sorted.sort_by_key(|carrier| carrier.len());
        let mut left = self.must_play;
        let mut needed = self.refutation;
        let inferior =
            |left: &Bits<W>| self.inferior.iter().filter(|&&(cell, _)| left.contains(cell as usize)).count();
        for carrier in sorted {
            if left.len() == inferior(&left) {
                break;
            }
            if !left.is_subset(carrier) {
                left = left & *carrier;
                needed = needed | *carrier;
            }
        }
        if left.len() > inferior(&left) {
            return None;
        }
        for &(_, by) in self.inferior.iter().filter(|&&(cell, _)| left.contains(cell as usize)) {
            needed.insert(by as usize);
        }
        Some(needed | self.captured[winner.index()])
    }
}

/// What is known about the connections of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OwnConnections {
    /// Nothing: they have to be computed.
    Unknown,
    /// None wins: the opponent's last move was in the must-play region of those found before it, and an opponent's stone
    /// creates no connections. Limits on list lengths may have hidden some, in about one position of a hundred; finding
    /// those would double the cost of an analysis.
    CutByLastMove,
}

/// How a decided position is won.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strategy<const W: usize> {
    /// The winner wins even if all empty cells but these are the loser's.
    pub(crate) carrier: Bits<W>,
    /// The winner's move if it is to move; `None` if any move wins.
    pub(crate) reply: Option<u16>,
}

impl<const W: usize> Strategy<W> {
    /// For a position that is not decided.
    pub(crate) const NOT_YET: Strategy<W> = Strategy { carrier: Bits::EMPTY, reply: None };
}

/// Reusable per-thread scratch space.
pub(crate) struct Analyzer<'a, const W: usize> {
    shape: &'a Shape<W>,
    connections: Connections<W>,
    effort: Effort,
}

impl<'a, const W: usize> Analyzer<'a, W> {
    pub(crate) fn new(shape: &'a Shape<W>, effort: Effort) -> Analyzer<'a, W> {
        Analyzer { shape, connections: Connections::unbuilt(shape, Side::Black), effort }
    }

    pub(crate) fn analyze(&mut self, stones: &Stones<W>, to_move: Side) -> Analysis<W> {
        self.analyze_until(stones, to_move, &|| false)
    }

    /// An analysis that ends early when `stop` is set; it then prunes and decides less.
    pub(crate) fn analyze_until(
        &mut self,
        stones: &Stones<W>,
        to_move: Side,
        stop: &dyn Fn() -> bool,
    ) -> Analysis<W> {
        self.analyze_with_wins(stones, to_move, OwnConnections::Unknown, None, stop).0
    }

    /// An analysis that also uses wins proved before; if it decides the position, returns how.
    pub(crate) fn analyze_with_wins(
        &mut self,
        stones: &Stones<W>,
        to_move: Side,
        own: OwnConnections,
        wins: Option<&ProvedWins<W>>,
        stop: &dyn Fn() -> bool,
    ) -> (Analysis<W>, Strategy<W>) {
        let shape = self.shape;
        let InferiorCells { filled, captured, dominated, reversible, .. } =
            inferior_cells(shape, stones, to_move);
        let winner = to_move.other();
        let empty = shape.empty(&filled);
        // The carrier includes captured cells, whose pairs need both; dead cells may be anybody's.
        let won = |carrier: Bits<W>, reply: Option<u16>| {
            (Analysis::Won, Strategy { carrier: carrier & empty | captured[to_move.index()], reply })
        };
        let lost = |carrier: Bits<W>| {
            (Analysis::Lost, Strategy { carrier: carrier & empty | captured[winner.index()], reply: None })
        };
        match shape.winner(&filled) {
            Some(side) if side == to_move => return won(Bits::EMPTY, None),
            Some(_) => return lost(Bits::EMPTY),
            None => {}
        }
        if let Some(win) = wins.and_then(|wins| wins.find(&filled, to_move, true)) {
            // If its first move has been made already, it needs none.
            return won(win.carrier, win.reply.filter(|&cell| empty.contains(cell as usize)));
        }
        if let Some(win) = wins.and_then(|wins| wins.find(&filled, winner, false)) {
            return lost(win.carrier);
        }
        if own == OwnConnections::Unknown {
            let effort = Effort { until_semi: true, ..self.effort };
            self.connections.rebuild_until(shape, &filled, to_move, effort, stop);
            if let Some((carrier, key)) = self.connections.winning().semi {
                return won(carrier, Some(key as u16));
            }
            if self.connections.wins_moving_second() {
                return won(self.connections.refutation(), None);
            }
        }
        self.connections.rebuild_until(shape, &filled, winner, self.effort, stop);
        let mut must_play = self.connections.winning().must_play;
        let mut refutation = self.connections.refutation();
        if let Some(wins) = wins {
            let mut threats = wins.threats(&filled, winner, &must_play);
            while let Some(best) = threats.iter().min_by_key(|threat| (must_play & **threat).len()) {
                (must_play, refutation) = (must_play & *best, refutation | *best & empty);
                threats.retain(|threat| !must_play.is_subset(threat));
            }
        }
        let mut moves = must_play;
        let mut pairs = Vec::new();
        for (cell, by) in dominated.into_iter().chain(reversible) {
            if moves.contains(cell) {
                moves.remove(cell);
                pairs.push((cell as u16, by as u16));
            }
        }
        let mut reduced = Reduced {
            stones: filled,
            moves: Box::default(),
            captured,
            must_play,
            refutation,
            inferior: pairs.into(),
        };
        if let Some(carrier) = reduced.carrier_of_loss(winner, &[]) {
            return lost(carrier);
        }
        reduced.moves = order::most_promising_first(shape, &filled, to_move, moves);
        (Analysis::Open(reduced), Strategy::NOT_YET)
    }
}
