//! What a search remembers of each cell, in eight bytes, reusable without clearing.
//!
//! A label packs the cost so far (48 bits), the number of the query that wrote it (11 bits), whether the
//! cell is closed, and how it was reached (4 bits). Labels of earlier queries are recognised by their
//! number, so a new query costs nothing; only every 2047th clears the table.

const QUERY_BITS: u32 = 11;
const QUERY_MASK: u64 = (1 << QUERY_BITS) - 1;
const CLOSED: u64 = 1 << 4;
/// Marks a cell that was reached from nowhere: the start.
pub(crate) const ROOT: u8 = 15;

/// One label a cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    cells: Vec<u64>,
    query: u64,
}

impl Labels {
    /// Makes all labels unwritten, for a grid of `len` ids.
    pub(crate) fn begin(&mut self, len: usize) {
        if self.cells.len() != len {
            // `vec!` of zeros: the system hands out pages only when they are touched.
            self.cells = vec![0; len];
            self.query = 0;
        }
        self.query += 1;
        if self.query > QUERY_MASK {
            self.cells.fill(0);
            self.query = 1;
        }
    }

    #[inline]
    pub(crate) fn get(&self, id: u32) -> Label {
        let label = self.cells[id as usize];
        Label(if label >> 5 & QUERY_MASK == self.query { label } else { Label::UNSEEN })
    }

    #[inline]
    pub(crate) fn open(&mut self, id: u32, g: u64, dir: u8) {
        self.cells[id as usize] = g << 16 | self.query << 5 | u64::from(dir);
    }

    #[inline]
    pub(crate) fn close(&mut self, id: u32) {
        self.cells[id as usize] |= CLOSED;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.cells.len() * 8
    }
}

/// A label read from the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label(u64);

impl Label {
    /// Its cost is larger than any real one.
    const UNSEEN: u64 = u64::MAX & !CLOSED;

    #[inline]
    pub(crate) fn g(self) -> u64 {
        self.0 >> 16
    }

    #[inline]
    pub(crate) fn is_closed(self) -> bool {
        self.0 & CLOSED != 0
    }

    #[inline]
    pub(crate) fn is_seen(self) -> bool {
        self.0 != Label::UNSEEN
    }

    #[inline]
    pub(crate) fn dir(self) -> u8 {
        (self.0 & 15) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_labels_are_forgotten_even_when_the_counter_wraps() {
        let mut labels = Labels::default();
        labels.begin(4);
        labels.open(2, 77, 3);
        labels.close(2);
        assert_eq!((labels.get(2).g(), labels.get(2).dir(), labels.get(2).is_closed()), (77, 3, true));
        for _ in 0..5000 {
            labels.begin(4);
            assert!(!labels.get(2).is_seen() && !labels.get(2).is_closed());
            labels.open(2, 1, 0);
        }
    }
}
