//! What a search remembers of each cell, in eight bytes, reusable without clearing.
//!
//! From the top, a label packs the number of the query that wrote it (11 bits), the cost so far, turned
//! round (48 bits), whether the cell is closed, and how it was reached (4 bits). Labels of earlier queries
//! have smaller numbers and dearer ones smaller turned costs: one comparison of whole labels tells whether
//! a cell is reached more cheaply, and a new query costs nothing. Only every 2047th clears the table.

const QUERY_SHIFT: u32 = 53;
const MAX_QUERY: u64 = (1 << (64 - QUERY_SHIFT)) - 1;
const MAX_COST: u64 = (1 << 48) - 1;
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
        if self.query > MAX_QUERY {
            self.cells.fill(0);
            self.query = 1;
        }
    }

    /// What is known of a cell; of an unseen one, that it is open at the highest cost.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> Label {
        let label = self.cells[id as usize];
        Label(if label >> QUERY_SHIFT == self.query { label } else { 0 })
    }

    /// Is the cell unseen or known only at a higher cost?
    #[inline]
    pub(crate) fn improves(&self, id: u32, g: u64) -> bool {
        self.label(g) > self.cells[id as usize]
    }

    /// Opens the cell if `wanted` and if it is reached more cheaply; says whether it was. No branches: which
    /// way this goes is hard to foresee for a processor.
    #[inline]
    pub(crate) fn improve(&mut self, id: u32, g: u64, dir: u8, wanted: bool) -> bool {
        let label = self.label(g);
        let known = &mut self.cells[id as usize];
        let better = wanted & (label > *known);
        *known = if better { label | u64::from(dir) } else { *known };
        better
    }

    #[inline]
    pub(crate) fn open(&mut self, id: u32, g: u64, dir: u8) {
        self.cells[id as usize] = self.label(g) | u64::from(dir);
    }

    #[inline]
    pub(crate) fn close(&mut self, id: u32) {
        self.cells[id as usize] |= CLOSED;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.cells.len() * 8
    }

    #[inline]
    fn label(&self, g: u64) -> u64 {
        self.query << QUERY_SHIFT | MAX_COST.wrapping_sub(g) << 5
    }
}

/// A label read from the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label(u64);

impl Label {
    #[inline]
    pub(crate) fn g(self) -> u64 {
        MAX_COST - (self.0 >> 5 & MAX_COST)
    }

    #[inline]
    pub(crate) fn is_closed(self) -> bool {
        self.0 & CLOSED != 0
    }

    #[inline]
    pub(crate) fn is_seen(self) -> bool {
        self.0 != 0
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
            assert!(labels.improves(2, MAX_COST - 1));
            labels.open(2, 1, 0);
        }
    }

    #[test]
    fn only_a_lower_cost_improves() {
        let mut labels = Labels::default();
        labels.begin(1);
        assert!(!labels.improve(0, 5, 1, false));
        assert!(labels.improve(0, 5, 1, true));
        labels.close(0);
        assert!(!labels.improves(0, 5) && !labels.improves(0, 6) && labels.improves(0, 4));
        assert!(!labels.improve(0, 5, 2, true));
        assert!(labels.improve(0, 4, 2, true));
        assert_eq!((labels.get(0).g(), labels.get(0).dir(), labels.get(0).is_closed()), (4, 2, false));
    }
}
