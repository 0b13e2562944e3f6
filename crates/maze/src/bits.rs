//! A bitmap of free cells made for scanning: 64 cells of a row in one word, at any offset.
//!
//! Rows lie one after another with one blocked bit between them and a blocked row above and below, so a
//! scan never leaves the grid and needs no bounds of its own. A cell is named by its bit, `id`; the
//! neighbours are `id ± 1` and `id ± stride`. The transposed bitmap makes columns as quick as rows.

/// Blocked bits before the first row, so that a window may end at any cell and at the border above it.
const LEAD: u32 = 64;

/// Free cells as bits (1 is free).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    width: u32,
    height: u32,
    stride: u32,
    words: Vec<u64>,
}

/// Where a straight scan ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scan {
    /// Steps taken: to the jump point, or to the last free cell before the wall.
    pub(crate) steps: u32,
    /// Did it end at a jump point (or the goal)?
    pub(crate) jump: bool,
}

impl Bits {
    /// All blocked.
    pub(crate) fn new(width: u32, height: u32) -> Bits {
        let stride = width + 1;
        let bits = (height as usize + 2) * stride as usize + 2 * LEAD as usize;
        Bits { width, height, stride, words: vec![0; bits / 64 + 2] }
    }

    /// The same cells with rows and columns exchanged.
    pub(crate) fn transposed(&self) -> Bits {
        let mut other = Bits::new(self.height, self.width);
        for row in 0..self.height {
            let mut col = 0;
            while col < self.width {
                let mut run = self.window(self.id(row, col));
                let seen = (self.width - col).min(64);
                if seen < 64 {
                    run &= (1 << seen) - 1;
                }
                while run != 0 {
                    other.set(other.id(col + run.trailing_zeros(), row), true);
                    run &= run - 1;
                }
                col += seen;
            }
        }
        other
    }

    /// Distance between vertical neighbours.
    #[inline]
    pub(crate) fn stride(&self) -> u32 {
        self.stride
    }

    /// One more than the largest `id` a search may touch.
    pub(crate) fn len(&self) -> usize {
        (self.height as usize + 2) * self.stride as usize + LEAD as usize + 1
    }

    /// Bytes of the bitmap.
    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    #[inline]
    pub(crate) fn id(&self, row: u32, col: u32) -> u32 {
        (row + 1) * self.stride + col + LEAD
    }

    #[inline]
    pub(crate) fn get(&self, id: u32) -> bool {
        self.words[(id >> 6) as usize] >> (id & 63) & 1 != 0
    }

    pub(crate) fn set(&mut self, id: u32, free: bool) {
        let bit = 1u64 << (id & 63);
        let word = &mut self.words[(id >> 6) as usize];
        *word = if free { *word | bit } else { *word & !bit };
    }

    /// 64 cells from `id` on; bit 0 is `id` itself.
    #[inline]
    pub(crate) fn window(&self, id: u32) -> u64 {
        let at = (id >> 6) as usize;
        let pair = &self.words[at..at + 2];
        let shift = id & 63;
        pair[0] >> shift | pair[1] << 1 << (63 - shift)
    }

    /// The 3x3 square around `id` as nine bits: upper row, own row, lower row, each from the left.
    #[inline]
    pub(crate) fn square(&self, id: u32) -> usize {
        let upper = self.window(id - self.stride - 1) & 7;
        let own = self.window(id - 1) & 7;
        let lower = self.window(id + self.stride - 1) & 7;
        (upper | own << 3 | lower << 6) as usize
    }

    /// Scans from `id` towards larger ids for a jump point: a cell beside which, on either side, a wall
    /// has just ended. `goal` also stops it. `id` itself must be free and is not considered.
    #[inline]
    pub(crate) fn scan_up(&self, id: u32, goal: u32) -> Scan {
        let mut at = id;
        let (end, jump) = loop {
            let own = self.window(at);
            let left = self.window(at - self.stride);
            let right = self.window(at + self.stride);
            let opens = (left & !(left << 1) | right & !(right << 1)) & !1;
            let hits = opens | !own;
            if hits != 0 {
                let k = hits.trailing_zeros();
                let wall = !own >> k & 1 != 0;
                break (at + k - u32::from(wall), !wall);
            }
            // The last cell seen becomes the first of the next window: it knows whether its sides are walls.
            at += 63;
        };
        if goal.wrapping_sub(id + 1) < end - id {
            return Scan { steps: goal - id, jump: true };
        }
        Scan { steps: end - id, jump }
    }

    /// Like [`Bits::scan_up`], towards smaller ids.
    #[inline]
    pub(crate) fn scan_down(&self, id: u32, goal: u32) -> Scan {
        let mut at = id;
        let (end, jump) = loop {
            let own = self.window(at - 63);
            let left = self.window(at - self.stride - 63);
            let right = self.window(at + self.stride - 63);
            let opens = (left & !(left >> 1) | right & !(right >> 1)) & (u64::MAX >> 1);
            let hits = opens | !own;
            if hits != 0 {
                let k = hits.leading_zeros();
                let wall = !own << k >> 63 != 0;
                break (at - k + u32::from(wall), !wall);
            }
            at -= 63;
        };
        if goal.wrapping_sub(end) < id - end {
            return Scan { steps: id - goal, jump: true };
        }
        Scan { steps: id - end, jump }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(rows: &[&str]) -> Bits {
        let mut bits = Bits::new(rows[0].len() as u32, rows.len() as u32);
        for (r, row) in rows.iter().enumerate() {
            for (c, ch) in row.bytes().enumerate() {
                bits.set(bits.id(r as u32, c as u32), ch == b'.');
            }
        }
        bits
    }

    #[test]
    fn scans_stop_at_walls_openings_and_the_goal() {
        let b = bits(&["..#....", ".......", "......."]);
        let up = |c, goal| b.scan_up(b.id(1, c), goal);
        assert_eq!(up(0, 0), Scan { steps: 3, jump: true });
        assert_eq!(up(3, 0), Scan { steps: 3, jump: false });
        assert_eq!(up(3, b.id(1, 5)), Scan { steps: 2, jump: true });
        let down = |c, goal| b.scan_down(b.id(1, c), goal);
        assert_eq!(down(6, 0), Scan { steps: 5, jump: true });
        assert_eq!(down(1, 0), Scan { steps: 1, jump: false });
        assert_eq!(down(6, b.id(1, 6)), Scan { steps: 5, jump: true });
        assert_eq!(down(6, b.id(1, 4)), Scan { steps: 2, jump: true });
    }

    #[test]
    fn long_scans_cross_words() {
        let mut b = Bits::new(300, 3);
        for col in 0..300 {
            b.set(b.id(1, col), true);
        }
        assert_eq!(b.scan_up(b.id(1, 0), 0), Scan { steps: 299, jump: false });
        assert_eq!(b.scan_down(b.id(1, 299), 0), Scan { steps: 299, jump: false });
        b.set(b.id(0, 200), true);
        assert_eq!(b.scan_up(b.id(1, 0), 0), Scan { steps: 200, jump: true });
        assert_eq!(b.scan_down(b.id(1, 299), 0), Scan { steps: 99, jump: true });
    }

    #[test]
    fn transposing_twice_changes_nothing() {
        let b = bits(&["..#....#.", ".##....#.", ".....#..."]);
        assert_eq!(b.transposed().transposed(), b);
        assert!(!b.transposed().get(b.transposed().id(5, 2)));
    }
}
