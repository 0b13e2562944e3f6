//! Connected groups: union-find with undo.
//!
//! Without path compression every join is one write, so taking it back is one write too; union by size keeps
//! the trees logarithmic.

/// Disjoint sets of nodes `0..len` with undo.
#[derive(Clone, Debug)]
pub struct Groups {
    parent: Vec<u16>,
    size: Vec<u16>,
    /// The roots that became children, in order.
    joined: Vec<u16>,
}

impl Groups {
    /// `len` nodes, each alone.
    pub fn new(len: usize) -> Groups {
        Groups { parent: (0..len as u16).collect(), size: vec![1; len], joined: Vec::new() }
    }

    /// The representative of a node's set.
    #[inline]
    pub fn find(&self, node: usize) -> usize {
        let mut node = node;
        while self.parent[node] as usize != node {
            node = self.parent[node] as usize;
        }
        node
    }

    /// Joins two sets.
    #[inline]
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            let (root, child) = if self.size[a] >= self.size[b] { (a, b) } else { (b, a) };
            self.parent[child] = root as u16;
            self.size[root] += self.size[child];
            self.joined.push(child as u16);
        }
    }

    /// A mark for [`Groups::back_to`].
    #[inline]
    pub fn mark(&self) -> usize {
        self.joined.len()
    }

    /// Undoes every join since a mark.
    pub(crate) fn back_to(&mut self, mark: usize) {
        while self.joined.len() > mark {
            let Some(child) = self.joined.pop() else { return };
            let child = child as usize;
            let root = self.parent[child] as usize;
            self.size[root] -= self.size[child];
            self.parent[child] = child as u16;
        }
    }
}
