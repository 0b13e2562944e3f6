//! Path search: from a start to a goal at least cost.
//!
//! | algorithm | finds | time | memory |
//! |---|---|---|---|
//! | [`bfs`] | fewest steps | O(V + E) | O(V) |
//! | [`dijkstra`] | least cost | O((V + E) log V) | O(V) |
//! | [`astar`] | least cost, or at most `weight` times it | at most Dijkstra's with a consistent heuristic | O(V) |
//! | [`idastar`] | least cost | O(b^d) | O(d), or O(V) with remembered costs |
//!
//! V states and E edges within reach, b successors a state, d steps to the goal.

mod best_first;
mod breadth_first;
mod iterative_deepening;

use std::hash::Hash;

pub use best_first::{astar, dijkstra};
pub use breadth_first::bfs;
pub use iterative_deepening::{Memory, idastar};

/// What is to be solved: a graph given by its start, its goal and its edges.
pub trait Problem {
    /// A place to be.
    type State: Clone + Eq + Hash;

    /// Where the path begins.
    fn start(&self) -> Self::State;

    /// Whether the path may end here.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Appends every state one step away and the cost of that step, which must not be negative.
    fn successors(&self, state: &Self::State, out: &mut Vec<(Self::State, f64)>);

    /// An estimate of the cost from here to the goal. Optimal answers need it *admissible*: never too high.
    fn heuristic(&self, _state: &Self::State) -> f64 {
        0.0
    }
}

/// What came of a path search. That there is no path and that none was found in time are different answers.
#[derive(Clone, Debug, PartialEq)]
pub enum PathSearchResult<S> {
    /// A path with both ends, and its cost.
    Found {
        /// The states from the start to the goal.
        path: Vec<S>,
        /// The sum of the costs of its steps.
        cost: f64,
    },
    /// Proved: no goal can be reached.
    NoPath,
    /// `keep_going` said no before the answer was known.
    GaveUp,
}

/// A result and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct PathOutcome<S> {
    /// The answer.
    pub result: PathSearchResult<S>,
    /// The work done.
    pub stats: PathStats,
}

/// How much work a path search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathStats {
    /// States whose successors were looked at, counted each time.
    pub expanded: u64,
    /// Successors looked at.
    pub generated: u64,
    /// States expanded earlier that were put back because a cheaper way to them turned up.
    pub reopened: u64,
    /// Rounds of IDA*, 1 for every other algorithm.
    pub rounds: u64,
}

impl<S> PathOutcome<S> {
    /// The path, if one was found.
    pub fn path(&self) -> Option<&[S]> {
        match &self.result {
            PathSearchResult::Found { path, .. } => Some(path),
            _ => None,
        }
    }

    /// The cost of the path, if one was found.
    pub fn cost(&self) -> Option<f64> {
        match self.result {
            PathSearchResult::Found { cost, .. } => Some(cost),
            _ => None,
        }
    }
}

/// Watches a path search. Every method does nothing unless overridden; `()` overrides none.
///
/// `g` is the cost from the start, `h` the heuristic, `f` what the algorithm orders or bounds by.
pub trait PathObserver<S> {
    /// `state` is taken up and its successors are about to be looked at.
    #[inline(always)]
    fn expand(&mut self, _state: &S, _g: f64, _h: f64) {}

    /// `child` was reached from `parent`, at cost `g`, whether or not it is worth keeping.
    #[inline(always)]
    fn generate(&mut self, _parent: &S, _child: &S, _g: f64) {}

    /// An expanded state is put back: the way at cost `g` is cheaper than the one known before, at `old_g`.
    #[inline(always)]
    fn reopen(&mut self, _state: &S, _old_g: f64, _g: f64) {}

    /// IDA* starts a round with this bound on `f`.
    #[inline(always)]
    fn bound(&mut self, _bound: f64) {}

    /// IDA* turns back at `state`, because its `f` exceeds the bound.
    #[inline(always)]
    fn cut(&mut self, _state: &S, _f: f64, _bound: f64) {}
}

impl<S> PathObserver<S> for () {}
