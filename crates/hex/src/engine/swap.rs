//! The first two decisions with a swap rule: a first stone that is neither too strong nor too weak, and whether to swap
//! the opponent's: by the swap map where it is clear, otherwise by search.

use crate::book::SwapMap;
use crate::{Edge, Position, Size};
use game::Cell;

/// A first stone that leaves the game about even; another seed may choose another.
pub(crate) fn first_stone(size: Size, seed: u64) -> Cell {
    if let Some(map) = SwapMap::shipped(size)
        && let Some(cell) = search::Rng::new(seed).pick(&on_the_edge(size, map.even()))
    {
        return size.cell(cell);
    }
    // Next to the acute corner: near to even on the sizes of play.
    if size.rows() >= 3 { Cell::new(1, 0) } else { Cell::new(0, 0) }
}

/// Only edge cells: their win rates are more reliable than those of the centre.
fn on_the_edge(size: Size, mut cells: Vec<usize>) -> Vec<usize> {
    let edges = [Edge::Top, Edge::Bottom, Edge::Left, Edge::Right];
    cells.retain(|&cell| edges.iter().any(|edge| size.touches(size.cell(cell), *edge)));
    cells
}

/// Whether to swap the only stone on the board; `None` where the swap map is not clear.
pub(crate) fn should_swap(position: &Position) -> Option<bool> {
    let size = position.size();
    let map = SwapMap::shipped(size)?;
    let (side, cell) = position.board().stones().next()?;
    // The map is for black; a white stone is looked up mirrored.
    let cell = match side {
        game::Side::Black => cell,
        game::Side::White if size.is_square() => size.index(size.mirrored(size.cell(cell))),
        game::Side::White => return None,
    };
    map.clear_choice(cell)
}
