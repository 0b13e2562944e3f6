//! Reading and writing maps: the 0/1 matrix, the MovingAI map and our own drawing, distinguished by their
//! first character; and MovingAI scenario files.
//!
//! Everything is parsed from bytes: a text line after a matrix may be in any encoding. Rows are checked before a grid
//! is allocated, so that memory is in proportion to the text and not to the size it claims.

mod drawing;
mod matrix;
mod movingai;
mod scenario;

pub use scenario::{Scenario, Scenarios, read_scenarios};

use crate::grid::{Grid, MAX_SIDE, SizeError};
use crate::moves::Neighbours;
use std::fmt;

/// How a map is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Rows of `0` (free) and `1` (wall), with or without spaces, and perhaps a last line with entry and exit.
    Matrix,
    /// MovingAI `.map`: a header and rows of terrain letters.
    MovingAi,
    /// `#` wall, `.` or space free, `2` to `9` free at that cost, `S` start, `G` goal, `*` path.
    Drawing,
}

search::named!(Format, "format": Matrix = "matrix", MovingAi = "movingai", Drawing = "drawing");

impl Format {
    /// The neighbour rule maps in this format are made for.
    pub fn neighbours(self) -> Neighbours {
        if self == Format::MovingAi { Neighbours::Eight } else { Neighbours::Four }
    }

    /// Tells the format from the first character that is not white space.
    fn detect(bytes: &[u8]) -> Option<Format> {
        let text = bytes.trim_ascii_start();
        Some(match text.first()? {
            b'0' | b'1' => Format::Matrix,
            _ if text.starts_with(b"type") => Format::MovingAi,
            _ => Format::Drawing,
        })
    }
}

/// A map and how it was written.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The map.
    pub grid: Grid,
    /// Its format.
    pub format: Format,
}

/// Reads a map in any of the formats. `name` is what errors call the file.
pub fn read(name: &str, bytes: &[u8]) -> Result<Loaded, FormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let at = |(line, column, problem)| FormatError { file: name.to_owned(), line, column, problem };
    let format = Format::detect(bytes).ok_or_else(|| at((1, 1, Problem::Empty)))?;
    let grid = match format {
        Format::Matrix => matrix::read(bytes),
        Format::MovingAi => movingai::read(bytes),
        Format::Drawing => drawing::read(bytes),
    };
    Ok(Loaded { grid: grid.map_err(at)?, format })
}

/// Writes a map.
pub fn write(grid: &Grid, format: Format) -> String {
    match format {
        Format::Matrix => matrix::write(grid),
        Format::MovingAi => movingai::write(grid),
        Format::Drawing => drawing::write(grid, &[]),
    }
}

/// Writes a map as a drawing with a path in it.
pub fn draw_path(grid: &Grid, path: &[crate::Cell]) -> String {
    drawing::write(grid, path)
}

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}:{line}:{column}: {problem}")]
pub struct FormatError {
    /// The file's name as the caller gave it.
    pub file: String,
    /// From 1.
    pub line: u64,
    /// In bytes, from 1.
    pub column: u64,
    /// What is wrong there.
    pub problem: Problem,
}

/// What can be wrong with a map or a scenario file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    /// Nothing but white space.
    #[error("the file is empty; a map is expected")]
    Empty,
    /// A byte that does not belong here.
    #[error("unknown character {}; {accepted}", Shown(*.byte))]
    Character {
        /// The byte.
        byte: u8,
        /// What would be right.
        accepted: &'static str,
    },
    /// Rows of different length.
    #[error("ragged rows: row {row} has {cells} cells, the rows before have {expected}")]
    Ragged {
        /// Its number, from 0.
        row: u64,
        /// Its length.
        cells: u64,
        /// The length it should have.
        expected: u64,
    },
    /// Too many rows or columns, or none.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The line after a matrix makes no sense.
    #[error("this line is neither a row of the matrix nor entry and exit such as (1,0) (16,24)")]
    Ends,
    /// A drawing with two starts or two goals.
    #[error("a second '{0}'; only one is allowed")]
    Second(char),
    /// A header line that is missing or wrong.
    #[error("{found}; the header is 'type octile', 'height H', 'width W' and 'map', one line each")]
    Header {
        /// What is there instead.
        found: String,
    },
    /// Fewer rows than the header says.
    #[error("the file ends after {rows} of {expected} rows")]
    Truncated {
        /// Rows there are.
        rows: u64,
        /// Rows there should be.
        expected: u64,
    },
    /// More lines than the header says.
    #[error("a line after the last of {expected} rows")]
    Surplus {
        /// Rows there should be.
        expected: u64,
    },
    /// The first line of a scenario file.
    #[error("the first line must be 'version 1' or 'version 1.0'")]
    Version,
    /// A scenario without its nine fields.
    #[error(
        "a scenario has nine fields (bucket, map, width, height, start x, start y, goal x, goal y, length), \
         this line has {0}"
    )]
    Fields(usize),
    /// A field that should be a number.
    #[error("'{text}' is not {expected}")]
    Number {
        /// What is there.
        text: String,
        /// What should be.
        expected: &'static str,
    },
}

/// Where and what, before the file's name is known.
type Located<T> = Result<T, (u64, u64, Problem)>;

/// A byte as people can read it.
struct Shown(u8);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            byte @ 0x21..=0x7e => write!(f, "'{}'", char::from(byte)),
            b' ' => f.write_str("' ' (space)"),
            0 => f.write_str("0x00 (is this a binary file?)"),
            byte => write!(f, "0x{byte:02x}"),
        }
    }
}

/// Lines with their numbers from 1, without line ends (`\n` or `\r\n`).
fn lines(bytes: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let lines = bytes.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    (1..).zip(lines)
}

/// The size error of a grid at a line, before the grid is made.
fn check_size(line: u64, height: u64, width: u64) -> Located<()> {
    Grid::check_size(height, width).map_err(|error| (line, 1, Problem::Size(error)))
}

/// A grid of walls, or the size error at a line.
fn walls(line: u64, height: u64, width: u64) -> Located<Grid> {
    Grid::blocked(height, width).map_err(|error| (line, 1, Problem::Size(error)))
}

/// Too many rows, noticed before they are counted.
fn too_many_rows(line: u64, width: u64) -> (u64, u64, Problem) {
    let height = u64::from(MAX_SIDE) + 1;
    (line, 1, Problem::Size(SizeError::TooLarge { height, width }))
}

fn column(index: usize) -> u64 {
    index as u64 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;
    use proptest::prelude::*;

    fn arbitrary_grid() -> impl Strategy<Value = Grid> {
        (1u64..12, 1u64..12).prop_flat_map(|(height, width)| {
            prop::collection::vec(any::<bool>(), (height * width) as usize).prop_map(move |free| {
                let mut grid = Grid::blocked(height, width).unwrap();
                for (cell, free) in grid.cells().zip(free) {
                    grid.set_free(cell, free);
                }
                grid
            })
        })
    }

    proptest! {
        #[test]
        fn every_format_reads_what_it_wrote(grid in arbitrary_grid(), crlf: bool, cut: bool) {
            for format in Format::ALL {
                let mut text = write(&grid, format);
                if crlf {
                    text = text.replace('\n', "\r\n");
                }
                let text = if cut { text.trim_end_matches(['\r', '\n']) } else { &text };
                let loaded = read("t", text.as_bytes()).unwrap();
                prop_assert_eq!(loaded.format, format);
                prop_assert_eq!(&loaded.grid, &grid);
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = read("t", &bytes);
            let _ = read_scenarios("t", &bytes);
        }

        #[test]
        fn nearly_right_bytes_do_not_either(
            start in prop::sample::select(vec!["", "type octile\nheight 3\nwidth 4\nmap\n", "version 1\n", "0 1\n"]),
            bytes in "[01#.SG@T \t\r\n,()0-9a-e-]{0,80}",
        ) {
            let text = format!("{start}{bytes}");
            let _ = read("t", text.as_bytes());
            let _ = read_scenarios("t", text.as_bytes());
        }
    }

    #[test]
    fn entry_and_exit_survive() {
        let mut grid = Grid::open(4, 5).unwrap();
        grid.entry = Some(Cell::new(1, 0));
        grid.exit = Some(Cell::new(3, 4));
        for format in [Format::Matrix, Format::Drawing] {
            assert_eq!(read("t", write(&grid, format).as_bytes()).unwrap().grid, grid, "{format}");
        }
    }

    #[test]
    fn an_empty_file_says_so() {
        for bytes in [&b""[..], b"\n \r\n", b"\xef\xbb\xbf"] {
            assert_eq!(read("m.txt", bytes).unwrap_err().problem, Problem::Empty);
        }
        let error = read("m.txt", b"\0\x01\x02").unwrap_err();
        assert!(error.to_string().starts_with("m.txt:1:1: unknown character 0x00 (is this a binary file?)"));
    }
}
