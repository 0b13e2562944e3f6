//! The first stone where a swap is possible: neither too strong nor too weak, by the map where there is one.

use crate::Size;
use crate::opening::SwapMap;
use game::Cell;

/// A first stone that leaves the game about even; another seed may choose another.
pub(super) fn first_stone(size: Size, seed: u64) -> Cell {
    if let Some(map) = SwapMap::shipped(size)
        && let Some(cell) = search::Rng::new(seed).pick(&map.even())
    {
        return size.cell(cell);
    }
    // Next to the acute corner: near to even on the sizes of play.
    if size.rows() >= 3 { Cell::new(1, 0) } else { Cell::new(0, 0) }
}
