//! The file of a table: a header and the distances, all numbers little-endian.
//!
//! The header has the hash of the map, so the table of another map, or of a map that was changed since, is refused, and
//! the hash of the rest, so a damaged file is too. The file is read whole: mapping it into memory needs `unsafe`, which
//! this crate does without. What is in sight of each cell is not in the file: looking again is as quick as reading.

use super::sight::Sight;
use super::{SubgoalTable, index};
use crate::grid::Grid;
use sha2::{Digest, Sha256};

const MAGIC: &[u8; 8] = b"tengensg";
/// Raised whenever the file, the numbering of subgoals or the unit of distance changes.
const VERSION: u32 = 1;
/// Magic, version, subgoals, hash of the map, hash of the distances.
const HEADER: usize = 8 + 2 * 4 + 2 * 32;

/// Why a file is not the table of a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Something else.
    #[error("not a subgoal table: tengen maze prepare makes one")]
    NotATable,
    /// Made by another version of the program.
    #[error(
        "a subgoal table of version {found}, and this program reads version {VERSION}; prepare the map again"
    )]
    Version {
        /// The file's version.
        found: u32,
    },
    /// Of another map, or of this one before it was changed.
    #[error("the table was made for another map, or the map was changed since; prepare the map again")]
    OtherMap,
    /// Shorter or longer than its header says.
    #[error("the file has {found} bytes, and {expected} are expected: it is cut off or damaged")]
    Length {
        /// Bytes it has.
        found: usize,
        /// Bytes its header asks for.
        expected: usize,
    },
    /// Its contents are not what was written.
    #[error("the file is damaged; prepare the map again")]
    Damaged,
}

impl SubgoalTable {
    /// The table as a file.
    pub fn to_bytes(&self, grid: &Grid) -> Vec<u8> {
        let body: Vec<u8> = self.distances.iter().flat_map(|distance| distance.to_le_bytes()).collect();
        let mut bytes = Vec::with_capacity(HEADER + body.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(self.subgoals() as u32).to_le_bytes());
        bytes.extend_from_slice(&map_hash(grid));
        bytes.extend_from_slice(&Sha256::digest(&body));
        bytes.extend_from_slice(&body);
        bytes
    }

    /// Reads the table of a map.
    pub fn from_bytes(bytes: &[u8], grid: &Grid) -> Result<SubgoalTable, FileError> {
        let (header, body) = bytes.split_at_checked(HEADER).ok_or(FileError::NotATable)?;
        if !header.starts_with(MAGIC) {
            return Err(FileError::NotATable);
        }
        let (numbers, hashes) = header[MAGIC.len()..].split_at(8);
        let numbers: Vec<u32> = words(numbers).collect();
        if numbers[0] != VERSION {
            return Err(FileError::Version { found: numbers[0] });
        }
        let (of_map, of_body) = hashes.split_at(32);
        if of_map != map_hash(grid) {
            return Err(FileError::OtherMap);
        }
        let sight = Sight::new(grid).filter(|sight| sight.cells.len() == numbers[1] as usize);
        let sight = sight.ok_or(FileError::Damaged)?;
        let expected = HEADER + index(numbers[1] as u16, 0) * 4;
        if bytes.len() != expected {
            return Err(FileError::Length { found: bytes.len(), expected });
        }
        if of_body != Sha256::digest(body).as_slice() {
            return Err(FileError::Damaged);
        }
        Ok(SubgoalTable { sight, distances: words(body).collect() })
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

/// A hash of the size and the free cells.
fn map_hash(grid: &Grid) -> [u8; 32] {
    let mut hash = Sha256::new();
    for side in [grid.width(), grid.height()] {
        hash.update(side.to_le_bytes());
    }
    grid.bits().words().iter().for_each(|word| hash.update(word.to_le_bytes()));
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;
    use crate::generate::{Recipe, Style};
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
        assert_eq!(read(&later), FileError::Version { found: 7 });
        assert_eq!(read(b"type octile\n"), FileError::NotATable);
        assert_eq!(read(&[b'x'; 200]), FileError::NotATable);
        let cut = &bytes[..bytes.len() - 1];
        assert_eq!(read(cut), FileError::Length { found: cut.len(), expected: bytes.len() });
        for i in (HEADER..bytes.len()).step_by(97) {
            let mut damaged = bytes.clone();
            damaged[i] ^= 1;
            assert_eq!(read(&damaged), FileError::Damaged);
        }
    }
}
