//! A nearly full board without symmetry: the few free points tell how a program reads and writes coordinates.

use super::Cause;
use game::{Cell, Game, Position, Setup, Side};

/// A board with few free points, none of which is another's mirror image or neighbour on the diagonal.
pub(super) struct CrowdedBoard {
    pub(super) position: Box<dyn Position>,
    free: Vec<Cell>,
}

impl CrowdedBoard {
    /// Fills the board in one of several patterns, the first that leaves the game undecided. `None` where the board
    /// is too small.
    pub(super) fn new(game: &dyn Game, setup: &Setup) -> Option<CrowdedBoard> {
        let (rows, cols) = (setup.rows, setup.cols);
        if rows != cols || rows < 7 {
            return None;
        }
        let free = vec![Cell::new(1, 3), Cell::new(rows - 2, 1), Cell::new(2, cols - 2)];
        // Stripes of two that shift by one per row hold no long lines; a column with a hole keeps two areas apart.
        let patterns: [fn(Cell) -> bool; 2] =
            [|cell| (cell.col / 2 + cell.row) % 2 == 0, |cell| cell.col == 3];
        patterns.iter().find_map(|black| {
            let cells = (0..rows).flat_map(|row| (0..cols).map(move |col| Cell::new(row, col)));
            let stones = cells
                .filter(|cell| !free.contains(cell))
                .map(|cell| (if black(cell) { Side::Black } else { Side::White }, cell))
                .collect();
            let setup = Setup { stones, to_move: Some(Side::White), ..setup.clone() };
            let position = game.position(&setup).ok()?;
            let usable = position.outcome().is_none()
                && free.iter().all(|cell| position.legal((*cell).into()).is_ok());
            usable.then(|| CrowdedBoard { position, free: free.clone() })
        })
    }

    /// The coordinate system that an answer implies; `None` if it is one of the free points.
    pub(super) fn diagnose(&self, answer: Cell) -> Option<Cause> {
        let (rows, cols) = (self.position.rows(), self.position.cols());
        let free = |row: u8, col: u8| self.free.contains(&Cell::new(row, col));
        let Cell { row, col } = answer;
        if free(row, col) {
            None
        } else if free(col, row) {
            Some(Cause::Swapped)
        } else if row == rows || col == cols || (row > 0 && col > 0 && free(row - 1, col - 1)) {
            Some(Cause::FromOne)
        } else if row < rows && free(rows - 1 - row, col) {
            Some(Cause::Flipped)
        } else {
            Some(Cause::LostBoard)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mistake_points_elsewhere() {
        let games: [&dyn Game; 2] = [&gomoku::GOMOKU, &hex::HEX];
        for (game, size) in games.into_iter().flat_map(|game| [(game, 9), (game, 11), (game, 15)]) {
            let board = CrowdedBoard::new(game, &Setup::empty(size, size)).unwrap();
            assert_eq!(board.position.legal_moves().iter().filter(|mv| mv.cell().is_some()).count(), 3);
            for cell in board.free.clone() {
                let Cell { row, col } = cell;
                assert_eq!(board.diagnose(cell), None);
                assert_eq!(board.diagnose(Cell::new(col, row)), Some(Cause::Swapped));
                assert_eq!(board.diagnose(Cell::new(row + 1, col + 1)), Some(Cause::FromOne));
                assert_eq!(
                    board.diagnose(Cell::new(size - 1 - row, col)),
                    Some(Cause::Flipped),
                    "{cell:?} {size}"
                );
            }
            assert_eq!(board.diagnose(Cell::new(0, 0)), Some(Cause::LostBoard));
        }
    }
}
