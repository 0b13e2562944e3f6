//! The record of a depth-first search: nodes in the order they were entered, and what happened in which order.

use super::{Num, Visit};
use crate::adversarial::{Bound, Cutoff, GameObserver, Window};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// What an event says about its node; an event is written as `node * 8 + kind`.
pub(super) const ENTER: u32 = 0;
pub(super) const LEAVE: u32 = 1;
/// The node is the best so far and moves its parent's bound.
pub(super) const RAISE: u32 = 2;
/// The node's remaining moves are cut; `cuts` has the reason, in the same order.
pub(super) const CUT: u32 = 3;
/// The table knew the node's value.
pub(super) const HIT: u32 = 4;

/// Nodes to reserve memory for at the start.
const RESERVED: usize = 1 << 15;

/// Node of a part that was not kept.
pub(super) const DROPPED: u32 = u32::MAX;

/// A node of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeNode {
    /// The node above, -1 for the root.
    pub parent: i32,
    /// The move that leads here, -1 for the root.
    pub mv: i32,
    /// What MAX was sure of when the node was entered.
    pub alpha: f64,
    /// What MIN was sure of when the node was entered.
    pub beta: f64,
    /// What the search came back with; not a number where it did not.
    pub value: f64,
}

/// The nodes of a tree in the order they were entered, the root first. They are kept as rows, because that is quick
/// to write while searching, and become columns in the file: `parent`, `move`, `alpha`, `beta`, `value`.
#[derive(Clone, Debug, Default)]
pub struct TreeColumns {
    /// Nodes that were visited but not written down.
    pub dropped: u64,
    /// The nodes.
    pub nodes: Vec<TreeNode>,
    /// `node * 8 + kind`: 0 enter, 1 leave, 2 raise, 3 cut, 4 table hit.
    pub events: Vec<u32>,
    /// For each cut: node, child that caused it (-1 if not kept), bound (0 alpha, 1 beta), its value, the ply that
    /// set it (-1: nobody), moves left out.
    pub cuts: Vec<(u32, i32, u8, Num, i32, usize)>,
    /// What a principal variation search adds to each node; empty for the textbook searches. In the file these are the
    /// columns `entered`, `end`, `left`, `forced` and `pruned`.
    pub visits: Vec<Visit>,
}

impl Serialize for TreeColumns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("dropped", &self.dropped)?;
        map.serialize_entry("parent", &Column(&self.nodes, |node| node.parent))?;
        map.serialize_entry("move", &Column(&self.nodes, |node| node.mv))?;
        map.serialize_entry("alpha", &Column(&self.nodes, |node| Num(node.alpha)))?;
        map.serialize_entry("beta", &Column(&self.nodes, |node| Num(node.beta)))?;
        map.serialize_entry("value", &Column(&self.nodes, |node| Num(node.value)))?;
        map.serialize_entry("events", &self.events)?;
        map.serialize_entry("cuts", &self.cuts)?;
        if !self.visits.is_empty() {
            map.serialize_entry("entered", &Column(&self.visits, |visit| visit.entered as u8))?;
            map.serialize_entry("end", &Column(&self.visits, |visit| visit.end as u8))?;
            map.serialize_entry("left", &Column(&self.visits, |visit| Num(visit.left)))?;
            map.serialize_entry("forced", &Column(&self.visits, |visit| visit.forced))?;
            map.serialize_entry("pruned", &Column(&self.visits, |visit| visit.pruned))?;
        }
        map.end()
    }
}

/// One field of all nodes.
struct Column<'a, N, T>(&'a [N], fn(&N) -> T);

impl<N, T: Serialize> Serialize for Column<'_, N, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(self.1))
    }
}

/// Watches minimax and alpha-beta and keeps the first nodes. Nodes above those that were not kept still get their
/// values.
#[derive(Clone, Debug)]
pub struct TreeRecorder<F> {
    code: F,
    keep: usize,
    columns: TreeColumns,
    /// The node at each ply of the current line.
    line: Vec<u32>,
    last_left: u32,
}

impl<F> TreeRecorder<F> {
    /// Keeps at most `keep` nodes besides the root; `code` numbers the moves.
    pub fn new(code: F, keep: usize) -> TreeRecorder<F> {
        // A node's number times eight must fit.
        let keep = keep.min(u32::MAX as usize / 8 - 1);
        let mut columns = TreeColumns::default();
        // Memory for a usual record at once: growing a list while searching costs more than writing it.
        columns.nodes.reserve(keep.min(RESERVED) + 1);
        columns.events.reserve(2 * keep.min(RESERVED));
        let (alpha, beta) = (f64::NEG_INFINITY, f64::INFINITY);
        columns.nodes.push(TreeNode { parent: -1, mv: -1, alpha, beta, value: f64::NAN });
        TreeRecorder { code, keep, columns, line: vec![0], last_left: DROPPED }
    }

    /// The record, with the value of the root.
    pub fn into_columns(mut self, value: f64) -> TreeColumns {
        if let Some(root) = self.columns.nodes.first_mut() {
            root.value = value;
        }
        self.columns
    }

    fn at(&self, ply: u32) -> u32 {
        self.line.get(ply as usize).copied().unwrap_or(DROPPED)
    }
}

impl<M: Copy, F: Fn(M) -> u32> GameObserver<M> for TreeRecorder<F> {
    #[inline]
    fn enter(&mut self, ply: u32, mv: M, window: &Window) {
        let parent = self.at(ply);
        self.line.truncate(ply as usize + 1);
        let node = self.columns.nodes.len();
        if parent == DROPPED || node > self.keep {
            self.columns.dropped += 1;
            self.line.push(DROPPED);
            return;
        }
        self.columns.nodes.push(TreeNode {
            parent: parent as i32,
            mv: (self.code)(mv) as i32,
            alpha: window.alpha,
            beta: window.beta,
            value: f64::NAN,
        });
        self.columns.events.push(node as u32 * 8 + ENTER);
        self.line.push(node as u32);
    }

    #[inline]
    fn leave(&mut self, ply: u32, _mv: M, value: f64) {
        let node = self.at(ply + 1);
        self.last_left = node;
        if node != DROPPED {
            self.columns.nodes[node as usize].value = value;
            self.columns.events.push(node * 8 + LEAVE);
        }
    }

    #[inline]
    fn raise(&mut self, _ply: u32, _mv: M, _bound: Bound, _value: f64) {
        if self.last_left != DROPPED {
            self.columns.events.push(self.last_left * 8 + RAISE);
        }
    }

    #[inline]
    fn cutoff(&mut self, cutoff: &Cutoff<M>) {
        let node = self.at(cutoff.ply);
        if node == DROPPED {
            return;
        }
        let by = if self.last_left == DROPPED { -1 } else { self.last_left as i32 };
        let bound = u8::from(cutoff.bound == Bound::Beta);
        let from = cutoff.bound_from.map_or(-1, |ply| ply as i32);
        self.columns.cuts.push((node, by, bound, Num(cutoff.limit), from, cutoff.skipped));
        self.columns.events.push(node * 8 + CUT);
    }

    #[inline]
    fn table_hit(&mut self, ply: u32, _value: f64) {
        let node = self.at(ply);
        if node != DROPPED {
            self.columns.events.push(node * 8 + HIT);
        }
    }
}
