//! The first two decisions where a swap is possible: a first stone that is neither too strong nor too weak, and
//! whether to take the opponent's, by the map where there is one that is sure, otherwise by search.

use crate::opening::SwapMap;
use crate::{Edge, HexPosition, Size};
use game::Cell;

/// A first stone that leaves the game about even; another seed may choose another.
pub(super) fn first_stone(size: Size, seed: u64) -> Cell {
    if let Some(map) = SwapMap::shipped(size)
        && let Some(cell) = search::Rng::new(seed).pick(&at_the_edge(size, map.even()))
    {
        return size.cell(cell);
    }
    // Next to the acute corner: near to even on the sizes of play.
    if size.rows() >= 3 { Cell::new(1, 0) } else { Cell::new(0, 0) }
}

/// What a search says of the middle is less sure than of the edge, where no stone is strong.
fn at_the_edge(size: Size, mut cells: Vec<usize>) -> Vec<usize> {
    let edges = [Edge::Top, Edge::Bottom, Edge::Left, Edge::Right];
    cells.retain(|&cell| edges.iter().any(|edge| size.touches(size.cell(cell), *edge)));
    cells
}

/// What the map says about taking over the only stone on the board.
pub(super) fn takes_over(position: &HexPosition) -> Option<bool> {
    let size = position.size();
    let map = SwapMap::shipped(size)?;
    let (side, cell) = position.board().stones().next()?;
    // The map is black's; white's stone is seen in the mirror.
    let cell = match side {
        game::Side::Black => cell,
        game::Side::White if size.is_square() => size.index(size.mirrored(size.cell(cell))),
        game::Side::White => return None,
    };
    map.sure(cell)
}
