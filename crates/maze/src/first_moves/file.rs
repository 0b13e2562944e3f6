//! The file of a table: where the runs of each cell begin, then the runs. The numbering is made again from the map.

use super::build::{check, number};
use super::{FirstMoves, MOVE_BITS};
use crate::grid::Grid;
use crate::prepared::{FileError, Kind};

const KIND: Kind = Kind { name: "first-move table", magic: b"tengenfm", version: 1 };

impl FirstMoves {
    /// The table as a file.
    pub fn to_bytes(&self, grid: &Grid) -> Vec<u8> {
        KIND.write(grid, self.starts.iter().chain(&self.runs).copied())
    }

    /// Reads the table of a map.
    pub fn from_bytes(bytes: &[u8], grid: &Grid) -> Result<FirstMoves, FileError> {
        let mut starts = KIND.read(bytes, grid)?;
        check(grid).map_err(|_| FileError::Damaged)?;
        let (numbering, order) = number(grid);
        if starts.len() < order.len() + 1 {
            return Err(FileError::Damaged);
        }
        let runs = starts.split_off(order.len() + 1);
        let rising = starts.is_sorted() && starts.first() == Some(&0);
        // Every row has a run for every number, and each run a move.
        let rows = starts.windows(2).all(|pair| {
            let row = runs.get(pair[0] as usize..pair[1] as usize).unwrap_or_default();
            row.first().is_some_and(|run| run >> MOVE_BITS == 0)
        });
        if !rising || !rows || starts.last() != Some(&(runs.len() as u32)) {
            return Err(FileError::Damaged);
        }
        Ok(FirstMoves { numbering, starts, runs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepared::HEADER;
    use crate::{BuildError, Cell};
    use game::StopFlag;
    use std::num::NonZero;

    fn table(text: &str) -> (Grid, FirstMoves) {
        let grid = crate::format::read("map", text.as_bytes()).unwrap().grid;
        let table = FirstMoves::build(&grid, NonZero::new(2).unwrap(), &StopFlag::new(), &|_| {}).unwrap();
        (grid, table)
    }

    const MAP: &str = "......\n.##.#.\n....#.\n.##...\n";

    #[test]
    fn what_was_written_is_read() {
        let (grid, table) = table(MAP);
        assert_eq!(FirstMoves::from_bytes(&table.to_bytes(&grid), &grid), Ok(table));
    }

    #[test]
    fn other_maps_kinds_versions_and_damage_are_refused() {
        let (grid, table) = table(MAP);
        let bytes = table.to_bytes(&grid);
        let read = |bytes: &[u8]| FirstMoves::from_bytes(bytes, &grid).unwrap_err();
        let mut changed = grid.clone();
        changed.set_free(Cell::new(0, 0), false);
        assert_eq!(FirstMoves::from_bytes(&bytes, &changed), Err(FileError::OtherMap));
        let mut later = bytes.clone();
        later[8] = 9;
        assert_eq!(read(&later), FileError::Version { found: 9, expected: 1 });
        let subgoals = crate::SubgoalTable::build(&grid, NonZero::<usize>::MIN, &StopFlag::new(), &|_| {});
        let other = subgoals.unwrap().to_bytes(&grid);
        assert_eq!(read(&other), FileError::NotATable("first-move table"));
        let cut = &bytes[..bytes.len() - 4];
        assert_eq!(read(cut), FileError::Length { found: cut.len(), expected: bytes.len() });
        for i in (HEADER..bytes.len()).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[i] ^= 1;
            assert_eq!(read(&damaged), FileError::Damaged);
        }
        // A valid hash over an invalid table.
        for words in [vec![], vec![0; 3], vec![7; 400], (0..400).rev().collect()] {
            assert_eq!(read(&KIND.write(&grid, words.into_iter())), FileError::Damaged);
        }
    }

    #[test]
    fn maps_that_it_cannot_hold_are_refused() {
        let build = |grid: &Grid| {
            FirstMoves::build(grid, NonZero::<usize>::MIN, &StopFlag::new(), &|_| {}).unwrap_err()
        };
        let weighted = crate::format::read("map", b"..5\n...\n").unwrap().grid;
        assert_eq!(build(&weighted), BuildError::Weighted);
        let mut open = Grid::blocked(600, 600).unwrap();
        open.cells().collect::<Vec<_>>().into_iter().for_each(|cell| open.set_free(cell, true));
        let most = crate::MAX_FIRST_MOVE_CELLS;
        assert_eq!(build(&open), BuildError::TooManyCells { what: "free cells", cells: 360_000, most });
    }
}
