//! The file of a table: the distances. What is in sight of each cell is not in it: looking again is as quick as reading.

use super::sight::Sight;
use super::{SubgoalTable, index};
use crate::grid::Grid;
use crate::prepared::{FileError, Kind};

const KIND: Kind = Kind { name: "subgoal table", magic: b"tengensg", version: 2 };

impl SubgoalTable {
    /// The table as a file.
    pub fn to_bytes(&self, grid: &Grid) -> Vec<u8> {
        KIND.write(grid, self.distances.iter().copied())
    }

    /// Reads the table of a map.
    pub fn from_bytes(bytes: &[u8], grid: &Grid) -> Result<SubgoalTable, FileError> {
        let distances = KIND.read(bytes, grid)?;
        let sight = Sight::new(grid).filter(|sight| index(sight.cells.len() as u16, 0) == distances.len());
        Ok(SubgoalTable { sight: sight.ok_or(FileError::Damaged)?, distances })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;
    use crate::generate::{Recipe, Style};
    use crate::prepared::HEADER;
    use game::StopFlag;
    use std::num::NonZero;

    fn table() -> (Grid, SubgoalTable) {
        let grid = Recipe::new(Style::ALL[0], 17, 23, 1).make().unwrap();
        let table = SubgoalTable::build(&grid, NonZero::new(2).unwrap(), &StopFlag::new(), &|_| {}).unwrap();
        (grid, table)
    }

    #[test]
    fn what_was_written_is_read() {
        let (grid, table) = table();
        assert!(table.subgoals() > 10);
        assert_eq!(SubgoalTable::from_bytes(&table.to_bytes(&grid), &grid), Ok(table));
    }

    #[test]
    fn other_maps_versions_and_damage_are_refused() {
        let (grid, table) = table();
        let bytes = table.to_bytes(&grid);
        let read = |bytes: &[u8]| SubgoalTable::from_bytes(bytes, &grid).unwrap_err();
        let mut changed = grid.clone();
        changed.set_free(Cell::new(0, 0), !grid.is_free(Cell::new(0, 0)));
        assert_eq!(SubgoalTable::from_bytes(&bytes, &changed), Err(FileError::OtherMap));
        let mut later = bytes.clone();
        later[8] = 7;
        assert_eq!(read(&later), FileError::Version { found: 7, expected: 2 });
        assert_eq!(read(b"type octile\n"), FileError::NotATable("subgoal table"));
        assert_eq!(read(&[b'x'; 200]), FileError::NotATable("subgoal table"));
        let cut = &bytes[..bytes.len() - 1];
        assert_eq!(read(cut), FileError::Length { found: cut.len(), expected: bytes.len() });
        for i in (HEADER..bytes.len()).step_by(97) {
            let mut damaged = bytes.clone();
            damaged[i] ^= 1;
            assert_eq!(read(&damaged), FileError::Damaged);
        }
    }
}
