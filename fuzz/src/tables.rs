//! Tables made once for a map, which are kept in files beside it.

use game::StopFlag;
use maze::{Cell, FirstMoves, Grid, SubgoalTable};
use sha2::{Digest, Sha256};
use std::num::NonZero;
use std::sync::LazyLock;

/// The map, and the files of its own tables.
struct Map {
    grid: Grid,
    subgoals: Vec<u8>,
    first_moves: Vec<u8>,
}

static MAP: LazyLock<Map> = LazyLock::new(|| {
    let text = b"......#...\n..##..#...\n......#.#.\n.#......#.\n";
    let grid = maze::format::read("map", text).expect("a map").grid;
    let (one, stop) = (NonZero::<usize>::MIN, StopFlag::new());
    let subgoals = SubgoalTable::build(&grid, one, &stop, &|_| {}).expect("a table").to_bytes(&grid);
    let first_moves = FirstMoves::build(&grid, one, &stop, &|_| {}).expect("a table").to_bytes(&grid);
    Map { grid, subgoals, first_moves }
});

pub(crate) fn subgoals(data: &[u8]) {
    let Map { grid, subgoals, .. } = &*MAP;
    for file in [data.to_vec(), with_header(subgoals, data)] {
        if let Ok(table) = SubgoalTable::from_bytes(&file, grid) {
            assert_eq!(table.to_bytes(grid), file);
        }
    }
}

pub(crate) fn first_moves(data: &[u8]) {
    let Map { grid, first_moves, .. } = &*MAP;
    for file in [data.to_vec(), with_header(first_moves, data)] {
        let Ok(table) = FirstMoves::from_bytes(&file, grid) else { continue };
        assert_eq!(table.to_bytes(grid), file);
        let goal = Cell::new(3, 9);
        for row in 0..grid.height() {
            for col in 0..grid.width() {
                let _ = table.first_move(Cell::new(row, col), goal);
            }
        }
    }
}

/// Magic, version, number of words, hash of the map, hash of the body.
const HEADER: usize = 8 + 2 * 4 + 2 * 32;

/// The words of `data` under the header that belongs to them: mutations do not guess a hash.
fn with_header(own: &[u8], data: &[u8]) -> Vec<u8> {
    let body = &data[..data.len() / 4 * 4];
    let mut file = own[..HEADER].to_vec();
    file[12..16].copy_from_slice(&((body.len() / 4) as u32).to_le_bytes());
    file[HEADER - 32..].copy_from_slice(&Sha256::digest(body));
    file.extend_from_slice(body);
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without it, fuzzing would never get past the header.
    #[test]
    fn a_body_gets_the_header_that_belongs_to_it() {
        let Map { grid, subgoals, first_moves } = &*MAP;
        assert_eq!(with_header(subgoals, &subgoals[HEADER..]), *subgoals);
        assert_eq!(with_header(first_moves, &first_moves[HEADER..]), *first_moves);
        let mut other = first_moves[HEADER..].to_vec();
        // The low bits of a run are its move.
        let last = other.len() - 4;
        other[last] ^= 1;
        assert!(FirstMoves::from_bytes(&with_header(first_moves, &other), grid).is_ok());
    }

    #[test]
    fn the_corpus_has_the_tables_of_this_map() {
        let Map { grid, .. } = &*MAP;
        let table = include_bytes!("../corpus/subgoal-table/file");
        assert!(SubgoalTable::from_bytes(table, grid).is_ok());
        let table = include_bytes!("../corpus/first-move-table/file");
        assert!(FirstMoves::from_bytes(table, grid).is_ok());
    }
}
