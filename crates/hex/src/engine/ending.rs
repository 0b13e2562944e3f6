//! A decided game told to its end: as far as the tree has proved it, then by virtual connections.

use super::params::ROOT_EFFORT;
use super::root;
use crate::stones::{Shape, Stones};
use crate::{Size, endgame};
use game::{Move, Report, Side};

/// A line of play that `winner` wins, all of whose moves are proved.
pub(crate) struct Ending {
    cells: Vec<usize>,
    winner: Side,
    to_move: Side,
    /// Does it reach the end of the game?
    complete: bool,
}

impl Ending {
    /// The line that begins with these proved moves.
    pub(crate) fn of<const W: usize>(
        shape: &Shape<W>,
        stones: &Stones<W>,
        (to_move, winner): (Side, Side),
        first: Vec<usize>,
        stop: &dyn Fn() -> bool,
    ) -> Ending {
        let (mut after, mut side) = (*stones, to_move);
        let mut play = |after: &mut Stones<W>, cells: &[usize]| {
            for &cell in cells {
                after.put(side, cell);
                side = side.other();
            }
            side
        };
        let turn = play(&mut after, &first);
        let rest = endgame::line(shape, &after, (turn, winner), ROOT_EFFORT, stop);
        play(&mut after, &rest);
        let complete = shape.winner(&after) == Some(winner);
        let cells = first.into_iter().chain(rest).collect();
        Ending { cells, winner, to_move, complete }
    }

    /// The moves; only the first where the line does not reach the end.
    pub(crate) fn moves(&self, size: Size) -> Vec<Move> {
        let count = if self.complete { self.cells.len() } else { 1 };
        self.cells.iter().take(count).map(|&cell| root::place(size, cell)).collect()
    }

    /// The end in plies, as a report gives it.
    pub(crate) fn mate(&self) -> Option<i32> {
        let plies = i32::try_from(self.cells.len()).ok()?;
        self.complete.then_some(if self.winner == self.to_move { plies } else { -plies })
    }

    /// Puts the line first in a report of the search that found it.
    pub(crate) fn tell(&self, size: Size, report: &mut Report) {
        let (Some(mate), Some(line)) = (self.mate(), report.lines.first_mut()) else { return };
        line.moves = self.moves(size);
        line.depth = line.moves.len() as u32;
        (line.mate, report.mate, report.depth) = (Some(mate), Some(mate), line.depth);
    }
}
