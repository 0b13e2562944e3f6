//! What a watcher of a game-tree search gets to see.
//!
//! Enough to draw the tree as it grows: alpha and beta on every edge, the reason for every cut, and for UCT the two
//! terms of UCB1 at every step down.

use serde::{Deserialize, Serialize};

/// The values that still matter: a node is only interesting while its value may lie strictly between both.
///
/// `from` tells which ply's node set a bound (0 the root), `None` that nobody has yet and it is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// What MAX is sure of.
    pub alpha: f64,
    /// The ply of the MAX node that `alpha` comes from.
    pub alpha_from: Option<u32>,
    /// What MIN is sure of.
    pub beta: f64,
    /// The ply of the MIN node that `beta` comes from.
    pub beta_from: Option<u32>,
}

impl Window {
    /// The window nothing is known in.
    pub const OPEN: Window =
        Window { alpha: f64::NEG_INFINITY, alpha_from: None, beta: f64::INFINITY, beta_from: None };

    /// Whether no value is left between the bounds.
    pub fn is_shut(&self) -> bool {
        self.beta <= self.alpha
    }
}

/// One of the two bounds of a [`Window`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// What MAX is sure of.
    Alpha,
    /// What MIN is sure of.
    Beta,
}

/// Why the rest of a node's moves need no look: `by` already gives the side to move so much here that the other side
/// would rather keep what it is sure of at ply `bound_from`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cutoff<M> {
    /// The ply of the node whose moves are cut.
    pub ply: u32,
    /// The move that refutes it.
    pub by: M,
    /// What that move is worth.
    pub value: f64,
    /// The bound it runs into: beta at a MAX node, alpha at a MIN node.
    pub bound: Bound,
    /// The value of that bound.
    pub limit: f64,
    /// The ply of the node that set it.
    pub bound_from: Option<u32>,
    /// How many moves are left unsearched.
    pub skipped: usize,
}

/// A step down the tree of UCT, with the terms that decided it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection<M> {
    /// The ply of the node that is left.
    pub ply: u32,
    /// The move chosen there.
    pub mv: M,
    /// How often it had been tried: n.
    pub visits: u64,
    /// How often its node had been visited: N.
    pub parent_visits: u64,
    /// The mover's win rate: w / n.
    pub exploitation: f64,
    /// C sqrt(ln N / n); infinite for a move not tried yet.
    pub exploration: f64,
}

/// Watches a game-tree search. Every method does nothing unless overridden; `()` overrides none.
///
/// `ply` counts from 0 at the root. The edge `mv` that [`GameObserver::enter`] names leads from a node at `ply` to one
/// at `ply + 1`; between it and the matching [`GameObserver::leave`] everything below is seen.
pub trait GameObserver<M> {
    /// Minimax and alpha-beta go down `mv`; `window` is what is known before.
    #[inline(always)]
    fn enter(&mut self, _ply: u32, _mv: M, _window: &Window) {}

    /// They come back up with its value.
    #[inline(always)]
    fn leave(&mut self, _ply: u32, _mv: M, _value: f64) {}

    /// `mv` is the best so far at this node and moves this bound to `value`.
    #[inline(always)]
    fn raise(&mut self, _ply: u32, _mv: M, _bound: Bound, _value: f64) {}

    /// The remaining moves of this node are cut.
    #[inline(always)]
    fn cutoff(&mut self, _cutoff: &Cutoff<M>) {}

    /// The transposition table knew the value of the node at `ply`, so nothing below it is searched.
    #[inline(always)]
    fn table_hit(&mut self, _ply: u32, _value: f64) {}

    /// UCT takes a step down the tree it has.
    #[inline(always)]
    fn select(&mut self, _selection: &Selection<M>) {}

    /// A playout was made from the current node along `line`. Flat Monte Carlo names its root move first.
    #[inline(always)]
    fn playout(&mut self, _line: &[M], _result: f64) {}

    /// UCT adds a result to the move `mv` made at `ply`, which now has so many visits and MAX so many wins from them.
    #[inline(always)]
    fn backup(&mut self, _ply: u32, _mv: M, _visits: u64, _wins: f64) {}
}

impl<M> GameObserver<M> for () {}
