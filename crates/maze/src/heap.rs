//! An open list in exact order: a four-way heap of (priority, cell), reused between queries.
//!
//! Old entries stay in it when a cell is reached more cheaply; the search skips cells already closed.
//! Four children a node halve the depth of a binary heap and sit in one cache line.

/// Cells to expand, cheapest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    entries: Vec<(u64, u32)>,
}

impl Heap {
    pub(crate) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<(u64, u32)>()
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    #[inline]
    pub(crate) fn push(&mut self, key: u64, item: u32) {
        let mut hole = self.entries.len();
        self.entries.push((key, item));
        while hole > 0 {
            let parent = (hole - 1) / 4;
            let above = self.entries[parent];
            if above.0 <= key {
                break;
            }
            self.entries[hole] = above;
            hole = parent;
        }
        self.entries[hole] = (key, item);
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<u64> {
        self.entries.first().map(|entry| entry.0)
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u64, u32)> {
        let top = *self.entries.first()?;
        let last = self.entries.pop()?;
        let len = self.entries.len();
        if len == 0 {
            return Some(top);
        }
        let mut hole = 0;
        loop {
            let first = 4 * hole + 1;
            if first >= len {
                break;
            }
            let children = &self.entries[first..len.min(first + 4)];
            let mut best = 0;
            for i in 1..children.len() {
                if children[i].0 < children[best].0 {
                    best = i;
                }
            }
            if children[best].0 >= last.0 {
                break;
            }
            self.entries[hole] = children[best];
            hole = first + best;
        }
        self.entries[hole] = last;
        Some(top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_sorts(keys in prop::collection::vec(0u64..50, 0..200)) {
            let mut heap = Heap::default();
            for (i, &key) in keys.iter().enumerate() {
                heap.push(key, i as u32);
            }
            let mut popped = Vec::new();
            while let Some((key, item)) = heap.pop() {
                prop_assert_eq!(keys[item as usize], key);
                popped.push(key);
            }
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            prop_assert_eq!(popped, sorted);
        }
    }
}
