//! Tables made once per map: the loop over their rows, why one cannot be made, and the file that one is kept in beside its map.
//!
//! A file is a header and a body. The header has the hash of the map, so the table of another map, or of a map that was
//! changed since, is refused, and the hash of the body, so a damaged file is too. Files are read whole: mapping them into
//! memory needs `unsafe`, which this crate does without. All numbers are little-endian.

use crate::grid::Grid;
use game::StopFlag;
use sha2::{Digest, Sha256};
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Why no table was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// More subgoals than [`crate::MAX_SUBGOALS`], or lists of those in sight that would fill the memory.
    #[error(
        "the map has more than {} subgoals (corners of walls), or too many in sight of each cell",
        crate::MAX_SUBGOALS
    )]
    TooManySubgoals,
    /// More cells than a table is made for.
    #[error("the map has {cells} {what}; such a table is made for at most {most}")]
    TooManyCells {
        /// `cells` or `free cells`.
        what: &'static str,
        /// How many of them the map has.
        cells: u64,
        /// How many it may have.
        most: u64,
    },
    /// A first-move table above [`crate::MAX_FIRST_MOVE_BYTES`].
    #[error("the first-move table of this map would take more than {} MB", crate::MAX_FIRST_MOVE_BYTES / 1_000_000)]
    TooLarge,
    /// Cells of different weight.
    #[error("the map has cells of different weight; a prepared table needs equal ones")]
    Weighted,
    /// A distance that 32 bits do not hold.
    #[error("the map has shortest paths of more than 300,000 steps, which a subgoal table cannot hold")]
    PathTooLong,
    /// The stop flag was set.
    #[error("stopped before the table was finished")]
    Stopped,
}

/// Makes the `count` rows of a table, in order, on as many threads as are given. `worker` makes what computes rows on one
/// thread and keeps its memory; `progress` gets the number of rows done.
pub(crate) fn build_rows<R: Send, W: FnMut(usize) -> Result<R, BuildError>>(
    count: usize,
    threads: NonZero<usize>,
    stop: &StopFlag,
    progress: &(dyn Fn(usize) + Sync),
    worker: impl Fn() -> W + Sync,
) -> Result<Vec<R>, BuildError> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || -> Result<Vec<(usize, R)>, BuildError> {
        let mut row_of = worker();
        let mut rows = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return Ok(rows);
            }
            if stop.is_stopped() {
                return Err(BuildError::Stopped);
            }
            rows.push((number, row_of(number)?));
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    let mut rows = thread::scope(|scope| -> Result<Vec<_>, BuildError> {
        let others: Vec<_> = (1..threads.get()).map(|_| scope.spawn(work)).collect();
        let mut rows = work()?;
        for other in others {
            rows.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(rows)
    })?;
    rows.sort_unstable_by_key(|(number, _)| *number);
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// Why a file is not the table of a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Something else.
    #[error("not a {0}")]
    NotATable(&'static str),
    /// Made by another version of the program.
    #[error("a table of version {found}, and this program reads version {expected}; prepare the map again")]
    Version {
        /// The file's version.
        found: u32,
        /// The version read here.
        expected: u32,
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

/// What the file of one kind of table begins with.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) magic: &'static [u8; 8],
    /// Raised whenever the body, or the numbering that it relies on, changes.
    pub(crate) version: u32,
}

/// Magic, version, words of the body, hash of the map, hash of the body.
pub(crate) const HEADER: usize = 8 + 2 * 4 + 2 * 32;

impl Kind {
    /// A table as a file.
    pub(crate) fn write(&self, grid: &Grid, words: impl Iterator<Item = u32>) -> Vec<u8> {
        let body: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        let mut bytes = Vec::with_capacity(HEADER + body.len());
        bytes.extend_from_slice(self.magic);
        bytes.extend_from_slice(&self.version.to_le_bytes());
        bytes.extend_from_slice(&((body.len() / 4) as u32).to_le_bytes());
        bytes.extend_from_slice(&map_hash(grid));
        bytes.extend_from_slice(&Sha256::digest(&body));
        bytes.extend_from_slice(&body);
        bytes
    }

    /// The body of the table of a map.
    pub(crate) fn read(&self, bytes: &[u8], grid: &Grid) -> Result<Vec<u32>, FileError> {
        let (header, body) = bytes.split_at_checked(HEADER).ok_or(FileError::NotATable(self.name))?;
        if !header.starts_with(self.magic) {
            return Err(FileError::NotATable(self.name));
        }
        let (numbers, hashes) = header[self.magic.len()..].split_at(8);
        let numbers: Vec<u32> = words(numbers).collect();
        if numbers[0] != self.version {
            return Err(FileError::Version { found: numbers[0], expected: self.version });
        }
        let (of_map, of_body) = hashes.split_at(32);
        if of_map != map_hash(grid) {
            return Err(FileError::OtherMap);
        }
        let expected = HEADER + numbers[1] as usize * 4;
        if bytes.len() != expected {
            return Err(FileError::Length { found: bytes.len(), expected });
        }
        if of_body != Sha256::digest(body).as_slice() {
            return Err(FileError::Damaged);
        }
        Ok(words(body).collect())
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
