//! Line patterns and the table rows they index.
//!
//! A pattern is the state of a cell and of the four cells on both sides of it on one line: empty, own, the opponent's,
//! or beyond the edge. A half line is read from the centre outwards and ends at the edge, so there are 1 + 3 + … + 3^4 of
//! them. A pattern and its mirror image share a row. Under Renju a row of stones is worth something else to Black than to
//! White, so each side has rows of its own there.

use crate::Rule;
use ::game::Side;
use std::sync::OnceLock;

/// Cells on either side of the centre. A fifth would tell whether a four can be completed and whether a five is an
/// overline, at ten times the size; the threats that the network is told of anyway are counted by the exact rule.
pub(crate) const REACH: usize = 4;

/// The rows of all patterns.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Patterns {
    /// Codes of half lines of two bits per cell (0 empty, 1 black, 2 white, 3 beyond the edge), as Black and as
    /// White sees them: before the centre (the furthest cell in the lowest bits) and after it (the nearest).
    halves: [Box<[[u16; 2]]>; 2],
    /// How many codes of half lines there are.
    codes: usize,
    /// Row numbers, indexed by code before the centre, centre, code after it.
    rows: Box<[u32]>,
    /// Where White's rows begin: at 0 if the sides share them.
    white: u32,
    /// How many rows there are.
    pub(crate) count: usize,
}

/// A decoded pattern, nearest cells first; 0 empty, 1 own, 2 the opponent's, 3 beyond the edge.
pub(crate) struct Pattern {
    pub(crate) row: usize,
    /// Whose row it is; Black where the sides share rows.
    pub(crate) side: Side,
    pub(crate) centre: u8,
    pub(crate) before: Vec<u8>,
    pub(crate) after: Vec<u8>,
}

impl Patterns {
    /// The patterns of a rule.
    pub(crate) fn of(rule: Rule) -> &'static Patterns {
        static PATTERNS: [OnceLock<Patterns>; 2] = [const { OnceLock::new() }; 2];
        let by_side = rule.differs_by_side();
        PATTERNS[usize::from(by_side)].get_or_init(|| Patterns::new(by_side))
    }

    fn new(by_side: bool) -> Patterns {
        let codes = (0..=REACH as u32).map(|length| 3usize.pow(length)).sum::<usize>();
        let code = |cells: &[u8]| {
            let length = cells.iter().position(|cell| *cell == 3).unwrap_or(REACH);
            let shorter = (0..length as u32).map(|length| 3usize.pow(length)).sum::<usize>();
            (shorter + cells[..length].iter().fold(0, |code, cell| code * 3 + usize::from(*cell))) as u16
        };
        let half = |reversed: bool| {
            let seen = |bits: usize| {
                let mut cells: Vec<u8> = (0..REACH).map(|cell| (bits >> (2 * cell) & 3) as u8).collect();
                if reversed {
                    cells.reverse();
                }
                let white: Vec<u8> = cells.iter().map(|cell| [0, 2, 1, 3][usize::from(*cell)]).collect();
                [code(&cells), code(&white)]
            };
            (0..1 << (2 * REACH)).map(seen).collect()
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
        let white = if by_side { count } else { 0 };
        Patterns { halves: [half(true), half(false)], codes, rows, white, count: (count + white) as usize }
    }

    /// The rows of a window of two bits per cell, centre included, as Black and as White sees it.
    #[inline(always)]
    pub(crate) fn rows_of(&self, window: u64) -> [u32; 2] {
        const BITS: usize = 2 * REACH;
        let mask = (1 << BITS) - 1;
        let before = self.halves[0][window as usize & mask];
        let centre = (window >> BITS) as usize & 3;
        let after = self.halves[1][(window >> (BITS + 2)) as usize & mask];
        let [black, white] = [0, 1].map(|view| {
            let centre = [[0, 1, 2, 0], [0, 2, 1, 0]][view][centre];
            self.rows[(usize::from(before[view]) * 3 + centre) * self.codes + usize::from(after[view])]
        });
        [black, white + self.white]
    }

    /// Every pattern whose first half is not after its second, so one for each row.
    pub(crate) fn all(&self) -> Vec<Pattern> {
        let halves: Vec<Vec<u8>> = (0..self.codes).map(cells).collect();
        let owners = if self.white == 0 { &Side::BOTH[..1] } else { &Side::BOTH };
        let mut all = Vec::with_capacity(self.count);
        for side in owners {
            let first = [0, self.white][side.index()];
            for before in 0..self.codes {
                for centre in 0..3 {
                    all.extend((before..self.codes).map(|after| Pattern {
                        row: (first + self.rows[(before * 3 + centre) * self.codes + after]) as usize,
                        side: *side,
                        centre: centre as u8,
                        before: halves[before].clone(),
                        after: halves[after].clone(),
                    }));
                }
            }
        }
        all
    }
}

/// The cells of a half line, from the centre outwards.
fn cells(mut code: usize) -> Vec<u8> {
    let mut length = 0;
    while code >= 3usize.pow(length) {
        code -= 3usize.pow(length);
        length += 1;
    }
    let digits = (0..length).rev().map(|place| (code / 3usize.pow(place) % 3) as u8);
    let edge = std::iter::repeat_n(3, REACH - length as usize);
    digits.chain(edge).collect()
}
