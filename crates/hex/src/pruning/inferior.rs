//! Inferior cells: dead, captured, dominated and reversible ones.
//!
//! A *dead* cell's colour never matters. A pair of cells is *captured* by a side if it can answer a stone on
//! either with one on the other that leaves the intruder dead: both may be filled for it. Filling in dead and
//! captured cells ([`fill_in`]) does not change who wins, whoever is to move. For the side to move a cell is
//! *dominated* by another that would kill or capture it, and *reversible* if an answer of the opponent kills it;
//! neither needs to be tried, with the exceptions that [`inferior_cells`] observes.
//!
//! Hayward, van Rijswijck: *Hex and combinatorics*, 2006; Henderson: *Playing and solving the game of Hex*, 2010.

use super::dead::{Ring, dead_cells, opposite};
use crate::bits::Bits;
use crate::stones::{Neighbour, Shape, Stones};
use game::Side;

/// The inferior cells of a position for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InferiorCells<const W: usize> {
    /// Cells whose colour never matters.
    pub dead: Bits<W>,
    /// Cells captured by black and by white.
    pub captured: [Bits<W>; 2],
    /// Cells the side to move need not try because another move is at least as good, each with that move.
    pub dominated: Vec<(usize, usize)>,
    /// Cells the side to move need not try because an answer kills them, each with that answer.
    pub reversible: Vec<(usize, usize)>,
    /// The stones with dead and captured cells filled.
    pub filled: Stones<W>,
}

impl<const W: usize> InferiorCells<W> {
    /// The cells the side to move need not try on the filled board.
    pub fn pruned(&self) -> Bits<W> {
        let mut cells = Bits::EMPTY;
        self.dominated.iter().chain(&self.reversible).for_each(|&(cell, _)| cells.insert(cell));
        cells
    }
}

/// Finds all inferior cells for the side to move.
///
/// If the side to move can win, it can win with a move on a cell that is still empty in
/// [`InferiorCells::filled`] and not in [`InferiorCells::pruned`].
pub(crate) fn inferior_cells<const W: usize>(
    shape: &Shape<W>,
    stones: &Stones<W>,
    to_move: Side,
) -> InferiorCells<W> {
    let fill = fill_in(shape, stones);
    let (dominated, reversible) = prunable(shape, &fill.stones, to_move);
    InferiorCells { dead: fill.dead, captured: fill.captured, dominated, reversible, filled: fill.stones }
}

/// Is a cell, empty or not, dead?
pub(crate) fn is_dead<const W: usize>(shape: &Shape<W>, stones: &Stones<W>, index: usize) -> bool {
    Ring::of(shape, stones, index).is_dead()
}

/// The outcome of [`fill_in`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FillIn<const W: usize> {
    /// All stones after fill-in.
    pub stones: Stones<W>,
    /// The cells that were dead.
    pub dead: Bits<W>,
    /// The cells that were captured by black and by white.
    pub captured: [Bits<W>; 2],
}

/// Fills dead and captured cells until there are none.
pub fn fill_in<const W: usize>(shape: &Shape<W>, stones: &Stones<W>) -> FillIn<W> {
    let mut fill = FillIn { stones: *stones, dead: Bits::EMPTY, captured: [Bits::EMPTY; 2] };
    loop {
        let dead = dead_cells(shape, &fill.stones);
        fill.dead = fill.dead | dead;
        // Any colour will do.
        fill.stones = fill.stones.with_all(Side::Black, dead);
        let mut captured_any = false;
        for index in shape.empty(&fill.stones).iter() {
            for side in Side::BOTH {
                if let Some(other) = captured_with(shape, &fill.stones, side, index) {
                    for cell in [index, other] {
                        fill.stones.put(side, cell);
                        fill.captured[side.index()].insert(cell);
                    }
                    captured_any = true;
                    break;
                }
            }
        }
        if !captured_any {
            return fill;
        }
    }
}

/// The cell that together with this empty one is captured by the side.
fn captured_with<const W: usize>(
    shape: &Shape<W>,
    stones: &Stones<W>,
    side: Side,
    index: usize,
) -> Option<usize> {
    if stones.both().contains(index) {
        return None;
    }
    let ring = Ring::of(shape, stones, index);
    if ring.is_far_from_dead() {
        return None;
    }
    shape.ring(index).iter().enumerate().find_map(|(place, neighbour)| {
        let Neighbour::Cell(other) = *neighbour else { return None };
        let other = other as usize;
        let both_ways = !stones.both().contains(other)
            && ring.with(side, place).is_dead()
            && Ring::of(shape, stones, other).with(side, opposite(place)).is_dead();
        both_ways.then_some(other)
    })
}

/// Pairs of a cell and the cell that makes it inferior.
type Pairs = Vec<(usize, usize)>;

/// Dominated and reversible cells of a filled position that may be left out together.
///
/// A dominated cell may go if its dominator stays. A reversible cell may go if its killer stays, and supports
/// no domination (as dominator or as part of a pair that would be captured): in the argument the killer becomes
/// the opponent's stone, after which the dominations must still hold.
fn prunable<const W: usize>(shape: &Shape<W>, stones: &Stones<W>, side: Side) -> (Pairs, Pairs) {
    let empty = shape.empty(stones);
    let (mut dominated, mut reversible) = (Vec::new(), Vec::new());
    let (mut pruned, mut dominators, mut supports) = (Bits::EMPTY, Bits::EMPTY, Bits::<W>::EMPTY);
    for by in empty.iter() {
        if pruned.contains(by) {
            continue;
        }
        let after = stones.with(side, by);
        for cell in (shape.near(by) & empty).iter() {
            if Ring::of(shape, &after, cell).is_dead() {
                if !(pruned | dominators).contains(cell) {
                    pruned.insert(cell);
                    dominators.insert(by);
                    dominated.push((cell, by));
                }
            } else if let Some(other) = captured_with(shape, &after, side, cell) {
                supports = supports.with(cell).with(other);
                for cell in [cell, other] {
                    if !(pruned | dominators).contains(cell) {
                        pruned.insert(cell);
                        dominators.insert(by);
                        dominated.push((cell, by));
                    }
                }
            }
        }
    }
    supports = supports | dominators;
    let mut killers = Bits::<W>::EMPTY;
    for cell in empty.iter() {
        if (pruned | dominators | killers).contains(cell) {
            continue;
        }
        let ring = Ring::of(shape, stones, cell);
        let killer = shape.ring(cell).iter().enumerate().find_map(|(place, neighbour)| {
            let Neighbour::Cell(by) = *neighbour else { return None };
            let by = by as usize;
            let may = empty.contains(by) && !(pruned | supports).contains(by);
            (may && ring.with(side.other(), place).is_dead()).then_some(by)
        });
        if let Some(by) = killer {
            pruned.insert(cell);
            killers.insert(by);
            reversible.push((cell, by));
        }
    }
    (dominated, reversible)
}
