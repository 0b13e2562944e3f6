//! What is known about a position before it is searched: it is decided, or it shrinks to fewer cells and fewer
//! moves worth trying.

use crate::bits::Bits;
use crate::inferior::{self, Inferior};
use crate::stones::{Shape, Stones};
use crate::vc::{Connections, Effort};
use game::Side;

use super::order;
use super::wins::Wins;

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
    /// The cells that were filled for black and for white because they are captured.
    captured: [Bits<W>; 2],
    /// The opponent wins against every move outside of this …
    must_play: Bits<W>,
    /// … within these cells.
    refutation: Bits<W>,
    /// Cells of the must-play region that are no moves, each with the cell that makes it inferior.
    inferior: Box<[(u16, u16)]>,
}

impl<const W: usize> Opened<W> {
    /// The carrier of a win of `side`, to move, by a move after which it wins with carrier `then`.
    pub(super) fn carrier_of_win(&self, side: Side, cell: usize, then: Bits<W>) -> Bits<W> {
        then.with(cell) | self.captured[side.index()]
    }

    /// The carrier of a loss against `winner`, from the carriers of its wins against some of the moves; `None` if
    /// they leave a move open.
    ///
    /// A move outside of a carrier loses against the play that never leaves it; so the moves within all of them
    /// are left, and those must be inferior ones. What makes them inferior has to stay as it is.
    pub(super) fn carrier_of_loss(&self, winner: Side, wins: &[Bits<W>]) -> Option<Bits<W>> {
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
pub(super) enum Connected {
    /// Nothing.
    Unknown,
    /// They were found before the opponent's last move, which went where all that won had to be met. A stone of
    /// the opponent makes no new ones; only for want of room in the lists some may have been missed, in one
    /// position of a hundred, and finding those would cost as much as all the rest of a look.
    BeforeTheMove,
}

/// How a decided position is won.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decided<const W: usize> {
    /// Empty cells so that the winner wins even if all others are the loser's.
    pub(super) carrier: Bits<W>,
    /// The winner's move, if it is to move; none if any will do.
    pub(super) reply: Option<u16>,
}

impl<const W: usize> Decided<W> {
    /// What stands for a position that is not decided.
    pub(super) const NOT_YET: Decided<W> = Decided { carrier: Bits::EMPTY, reply: None };
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
        self.look_with_wins(stones, to_move, Connected::Unknown, None).0
    }

    /// A look that also uses wins proved before; if it decides the position, says how.
    pub(super) fn look_with_wins(
        &mut self,
        stones: &Stones<W>,
        to_move: Side,
        own: Connected,
        wins: Option<&Wins<W>>,
    ) -> (Looked<W>, Decided<W>) {
        let shape = self.shape;
        let Inferior { filled, captured, dominated, reversible, .. } =
            inferior::analyze(shape, stones, to_move);
        let winner = to_move.other();
        let empty = shape.empty(&filled);
        // Captured cells have to stay empty: their pairs need both. Dead ones may be anybody's.
        let won = |carrier: Bits<W>, reply: Option<u16>| {
            (Looked::Won, Decided { carrier: carrier & empty | captured[to_move.index()], reply })
        };
        let lost = |carrier: Bits<W>| {
            (Looked::Lost, Decided { carrier: carrier & empty | captured[winner.index()], reply: None })
        };
        match shape.winner(&filled) {
            Some(side) if side == to_move => return won(Bits::EMPTY, None),
            Some(_) => return lost(Bits::EMPTY),
            None => {}
        }
        if let Some(win) = wins.and_then(|wins| wins.find(&filled, to_move, true)) {
            // If its first move was made already, it needs none.
            return won(win.carrier, win.reply.filter(|&cell| empty.contains(cell as usize)));
        }
        if let Some(win) = wins.and_then(|wins| wins.find(&filled, winner, false)) {
            return lost(win.carrier);
        }
        if own == Connected::Unknown {
            self.connections.rebuild(shape, &filled, to_move, Effort { until_semi: true, ..self.effort });
            if let Some((carrier, key)) = self.connections.winning().semi {
                return won(carrier, Some(key as u16));
            }
            if self.connections.wins_moving_second() {
                return won(self.connections.refutation(), None);
            }
        }
        self.connections.rebuild(shape, &filled, winner, self.effort);
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
        let mut opened = Opened {
            stones: filled,
            moves: Box::default(),
            captured,
            must_play,
            refutation,
            inferior: pairs.into(),
        };
        if let Some(carrier) = opened.carrier_of_loss(winner, &[]) {
            return lost(carrier);
        }
        opened.moves = order::most_promising_first(shape, &filled, to_move, moves);
        (Looked::Open(opened), Decided::NOT_YET)
    }
}
