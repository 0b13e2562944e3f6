//! Line patterns and the table rows they index.
//!
//! A pattern is the state of a cell and of the cells within reach on both sides of it on one line: empty, own,
//! the opponent's, or beyond the edge. A half line is read from the centre outwards and ends at the edge, so
//! with a reach of r there are 1 + 3 + … + 3^r of them. A pattern and its mirror image share a row.

use std::sync::OnceLock;

/// The rows of all patterns of one reach.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Patterns {
    pub(crate) reach: usize,
    /// Codes of half lines of two bits per cell (0 empty, 1 black, 2 white, 3 beyond the edge), as Black and as
    /// White sees them: before the centre (the furthest cell in the lowest bits) and after it (the nearest).
    halves: [Box<[[u16; 2]]>; 2],
    /// How many codes of half lines there are.
    codes: usize,
    /// Row numbers, indexed by code before the centre, centre, code after it.
    rows: Box<[u32]>,
    /// How many rows there are.
    pub(crate) count: usize,
}

/// A decoded pattern, nearest cells first; 0 empty, 1 own, 2 the opponent's, 3 beyond the edge.
pub(crate) struct Pattern {
    pub(crate) row: usize,
    pub(crate) centre: u8,
    pub(crate) before: Vec<u8>,
    pub(crate) after: Vec<u8>,
}

impl Patterns {
    /// The patterns with this reach, four or five.
    pub(crate) fn of(reach: usize) -> &'static Patterns {
        static PATTERNS: [OnceLock<Patterns>; 2] = [const { OnceLock::new() }; 2];
        PATTERNS[usize::from(reach > 4)].get_or_init(|| Patterns::new(reach.clamp(4, 5)))
    }

    fn new(reach: usize) -> Patterns {
        let codes = (0..=reach as u32).map(|length| 3usize.pow(length)).sum::<usize>();
        let code = |cells: &[u8]| {
            let length = cells.iter().position(|cell| *cell == 3).unwrap_or(reach);
            let shorter = (0..length as u32).map(|length| 3usize.pow(length)).sum::<usize>();
            (shorter + cells[..length].iter().fold(0, |code, cell| code * 3 + usize::from(*cell))) as u16
        };
        let half = |reversed: bool| {
            let seen = |bits: usize| {
                let mut cells: Vec<u8> = (0..reach).map(|cell| (bits >> (2 * cell) & 3) as u8).collect();
                if reversed {
                    cells.reverse();
                }
                let white: Vec<u8> = cells.iter().map(|cell| [0, 2, 1, 3][usize::from(*cell)]).collect();
                [code(&cells), code(&white)]
            };
            (0..1 << (2 * reach)).map(seen).collect()
        };
        let mut rows = vec![0; codes * 3 * codes].into_boxed_slice();
        let mut count = 0;
        for before in 0..codes {
            for centre in 0..3 {
                for after in before..codes {
                    rows[(before * 3 + centre) * codes + after] = count;
                    rows[(after * 3 + centre) * codes + before] = count;
                    count += 1;
                }
            }
        }
        Patterns { reach, halves: [half(true), half(false)], codes, rows, count: count as usize }
    }

    /// The rows of a window of two bits per cell, centre included, as Black and as White sees it.
    #[inline(always)]
    pub(crate) fn rows_of(&self, window: u64) -> [u32; 2] {
        let bits = 2 * self.reach;
        let mask = (1 << bits) - 1;
        let before = self.halves[0][window as usize & mask];
        let centre = (window >> bits) as usize & 3;
        let after = self.halves[1][(window >> (bits + 2)) as usize & mask];
        [0, 1].map(|view| {
            let centre = [[0, 1, 2, 0], [0, 2, 1, 0]][view][centre];
            self.rows[(usize::from(before[view]) * 3 + centre) * self.codes + usize::from(after[view])]
        })
    }

    /// Every pattern whose first half is not after its second, so one for each row.
    pub(crate) fn all(&self) -> impl Iterator<Item = Pattern> {
        let halves: Vec<Vec<u8>> = (0..self.codes).map(|code| self.cells(code)).collect();
        (0..self.codes).flat_map(move |before| {
            let halves = halves.clone();
            (0..3).flat_map(move |centre| {
                let halves = halves.clone();
                (before..self.codes).map(move |after| Pattern {
                    row: self.rows[(before * 3 + centre) * self.codes + after] as usize,
                    centre: centre as u8,
                    before: halves[before].clone(),
                    after: halves[after].clone(),
                })
            })
        })
    }

    /// The cells of a half line, from the centre outwards.
    fn cells(&self, mut code: usize) -> Vec<u8> {
        let mut length = 0;
        while code >= 3usize.pow(length) {
            code -= 3usize.pow(length);
            length += 1;
        }
        let digits = (0..length).rev().map(|place| (code / 3usize.pow(place) % 3) as u8);
        let edge = std::iter::repeat_n(3, self.reach - length as usize);
        digits.chain(edge).collect()
    }
}
