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

    /// A bitmap of the same size; `of` gives 64 of its cells at once, from an id on. It must leave blocked cells blocked.
    pub(crate) fn derive(&self, of: impl Fn(u32) -> u64) -> Bits {
        let mut other = Bits::new(self.width, self.height);
        let last = self.id(self.height - 1, self.width - 1) >> 6;
        for word in self.id(0, 0) >> 6..=last {
            other.words[word as usize] = of(word << 6);
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

    /// Free cells.
    pub(crate) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The bitmap itself.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
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

    /// Are `count` cells from `id` on all free?
    #[inline]
    pub(crate) fn is_clear(&self, id: u32, count: u32) -> bool {
        let (mut id, mut left) = (id, count);
        while left >= 64 {
            if self.window(id) != u64::MAX {
                return false;
            }
            id += 64;
            left -= 64;
        }
        !self.window(id) & ((1 << left) - 1) == 0
    }

    /// Number of consecutive free cells from `id` on.
    #[inline]
    pub(crate) fn run_up(&self, id: u32) -> u32 {
        let mut at = id;
        loop {
            let run = self.window(at).trailing_ones();
            at += run;
            if run < 64 {
                return at - id;
            }
        }
    }

    /// Number of consecutive free cells from `id` backwards.
    #[inline]
    pub(crate) fn run_down(&self, id: u32) -> u32 {
        let mut at = id;
        loop {
            let run = self.window(at - 63).leading_ones();
            at -= run;
            if run < 64 {
                return id - at;
            }
        }
    }

    /// How far the first free one of `count` cells from `id` on is.
    #[inline]
    pub(crate) fn next_up(&self, id: u32, count: u32) -> Option<u32> {
        let mut gap = 0;
        while gap < count {
            let found = self.window(id + gap).trailing_zeros();
            gap += found;
            if found < 64 {
                return (gap < count).then_some(gap);
            }
        }
        None
    }

    /// Scans from `id` towards larger ids for a jump point: a cell beside which, on either side, a wall
    /// has just ended. `id` itself must be free and is not considered.
    #[inline]
    pub(crate) fn scan_up(&self, id: u32) -> Scan {
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
        Scan { steps: end - id, jump }
    }

    /// Like [`Bits::scan_up`], towards smaller ids.
    #[inline]
    pub(crate) fn scan_down(&self, id: u32) -> Scan {
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
        Scan { steps: id - end, jump }
    }

    /// [`Bits::scan_up`] that `goal` also stops.
    #[inline]
    pub(crate) fn scan_up_to(&self, id: u32, goal: u32) -> Scan {
        let scan = self.scan_up(id);
        if goal.wrapping_sub(id + 1) < scan.steps { Scan { steps: goal - id, jump: true } } else { scan }
    }

    /// [`Bits::scan_down`] that `goal` also stops.
    #[inline]
    pub(crate) fn scan_down_to(&self, id: u32, goal: u32) -> Scan {
        let scan = self.scan_down(id);
        if goal.wrapping_sub(id - scan.steps) < scan.steps {
            Scan { steps: id - goal, jump: true }
        } else {
            scan
        }
    }
}

/// 64 cells of a line from one cell on, towards larger ids (`UP`) or smaller ones; what is beyond counts as blocked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<const UP: bool>(u64);

impl<const UP: bool> Window<UP> {
    pub(crate) const EMPTY: Window<UP> = Window(0);
    /// Cells from here on may be unknown in a window that was advanced twice.
    pub(crate) const VALID_CELLS: u32 = 63;

    #[inline]
    pub(crate) fn load(bits: &Bits, id: u32) -> Window<UP> {
        Window(if UP { bits.window(id) } else { bits.window(id - 63) })
    }

    /// The cells at which a wall has just ended.
    #[inline]
    pub(crate) fn opens(self) -> Window<UP> {
        Window(if UP { self.0 & !(self.0 << 1) } else { self.0 & !(self.0 >> 1) })
    }

    /// The same line from the next cell on.
    #[inline]
    pub(crate) fn advance(self) -> Window<UP> {
        Window(if UP { self.0 >> 1 } else { self.0 << 1 })
    }

    #[inline]
    pub(crate) fn and(self, other: Window<UP>) -> Window<UP> {
        Window(self.0 & other.0)
    }

    #[inline]
    pub(crate) fn or(self, other: Window<UP>) -> Window<UP> {
        Window(self.0 | other.0)
    }

    /// Is the cell so many steps on free?
    #[inline]
    pub(crate) fn has(self, steps: u32) -> bool {
        (if UP { self.0 >> steps } else { self.0 << steps >> 63 }) & 1 != 0
    }

    #[inline]
    pub(crate) fn first(self) -> bool {
        self.has(0)
    }

    #[inline]
    pub(crate) fn second(self) -> bool {
        self.has(1)
    }

    /// Steps to the first cell after the first that is blocked or in `opens`.
    #[inline]
    pub(crate) fn first_stop(self, opens: Window<UP>) -> u32 {
        let stops = opens.0 | !self.0;
        if UP { (stops & !1).trailing_zeros() } else { (stops & (u64::MAX >> 1)).leading_zeros() }
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
        let up = |c, goal| b.scan_up_to(b.id(1, c), goal);
        assert_eq!(up(0, 0), Scan { steps: 3, jump: true });
        assert_eq!(up(3, 0), Scan { steps: 3, jump: false });
        assert_eq!(up(3, b.id(1, 5)), Scan { steps: 2, jump: true });
        let down = |c, goal| b.scan_down_to(b.id(1, c), goal);
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
        assert_eq!(b.scan_up(b.id(1, 0)), Scan { steps: 299, jump: false });
        assert_eq!(b.scan_down(b.id(1, 299)), Scan { steps: 299, jump: false });
        b.set(b.id(0, 200), true);
        assert_eq!(b.scan_up(b.id(1, 0)), Scan { steps: 200, jump: true });
        assert_eq!(b.scan_down(b.id(1, 299)), Scan { steps: 99, jump: true });
    }

    #[test]
    fn runs_and_gaps_cross_words() {
        let mut b = Bits::new(300, 1);
        (20..250).for_each(|col| b.set(b.id(0, col), true));
        assert_eq!((b.run_up(b.id(0, 20)), b.run_up(b.id(0, 249)), b.run_up(b.id(0, 250))), (230, 1, 0));
        assert_eq!((b.run_down(b.id(0, 249)), b.run_down(b.id(0, 20)), b.run_down(b.id(0, 19))), (230, 1, 0));
        assert_eq!((b.next_up(b.id(0, 0), 21), b.next_up(b.id(0, 0), 20)), (Some(20), None));
        assert_eq!((b.next_up(b.id(0, 250), 50), b.next_up(b.id(0, 30), 1)), (None, Some(0)));
        (20..250).for_each(|col| b.set(b.id(0, col), false));
        b.set(b.id(0, 200), true);
        assert_eq!((b.next_up(b.id(0, 0), 300), b.next_up(b.id(0, 0), 200)), (Some(200), None));
    }

    #[test]
    fn transposing_twice_changes_nothing() {
        let b = bits(&["..#....#.", ".##....#.", ".....#..."]);
        assert_eq!(b.transposed().transposed(), b);
        assert!(!b.transposed().get(b.transposed().id(5, 2)));
    }
}
