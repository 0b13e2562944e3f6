//! Dijkstra's algorithm, A* and weighted A*: one loop, three orders.

use std::cmp::Ordering;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap};

use super::{PathObserver, PathOutcome, PathSearchResult, PathStats, Problem};

/// Finds a least-cost path without a heuristic. Time O((V + E) log V), memory O(V).
///
/// Dijkstra: *A note on two problems in connexion with graphs*, Numerische Mathematik 1, 1959.
pub fn dijkstra<P: Problem>(
    problem: &P,
    keep_going: impl FnMut() -> bool,
    observer: &mut (impl PathObserver<P::State> + ?Sized),
) -> PathOutcome<P::State> {
    best_first(problem, 0.0, keep_going, observer)
}

/// Finds a path by `f = g + weight * h`.
///
/// With weight 1 and an admissible heuristic the cost is least; with a larger one it is at most `weight` times the
/// least, usually after far fewer expansions. A state is reopened when a cheaper way to it turns up, so the heuristic
/// need not be consistent. Weights below 1 (or not a number) count as 1. Memory O(V).
///
/// Hart, Nilsson, Raphael: *A formal basis for the heuristic determination of minimum cost paths*, 1968.
/// Pohl: *Heuristic search viewed as path finding in a graph*, Artificial Intelligence 1, 1970 (the weight).
pub fn astar<P: Problem>(
    problem: &P,
    weight: f64,
    keep_going: impl FnMut() -> bool,
    observer: &mut (impl PathObserver<P::State> + ?Sized),
) -> PathOutcome<P::State> {
    best_first(problem, weight.max(1.0), keep_going, observer)
}

fn best_first<P: Problem>(
    problem: &P,
    weight: f64,
    mut keep_going: impl FnMut() -> bool,
    observer: &mut (impl PathObserver<P::State> + ?Sized),
) -> PathOutcome<P::State> {
    let estimate = |state: &P::State| if weight == 0.0 { 0.0 } else { problem.heuristic(state) };
    let mut stats = PathStats { rounds: 1, ..PathStats::default() };
    let mut successors = Vec::new();

    let start = problem.start();
    let mut open = BinaryHeap::from([Open { f: weight * estimate(&start), g: 0.0, node: 0 }]);
    let mut known = HashMap::from([(start.clone(), 0)]);
    let mut nodes = vec![Node { state: start, g: 0.0, parent: None, closed: false }];

    while let Some(Open { g, node: id, .. }) = open.pop() {
        // A cheaper way to this state was queued later; this entry is stale.
        if nodes[id].closed || g > nodes[id].g {
            continue;
        }
        let state = nodes[id].state.clone();
        if problem.is_goal(&state) {
            return PathOutcome {
                result: PathSearchResult::Found { path: way_back(&nodes, id), cost: g },
                stats,
            };
        }
        if !keep_going() {
            return PathOutcome { result: PathSearchResult::GaveUp, stats };
        }
        nodes[id].closed = true;
        stats.expanded += 1;
        observer.expand(&state, g, estimate(&state));

        problem.successors(&state, &mut successors);
        for (child, step) in successors.drain(..) {
            let g = g + step;
            stats.generated += 1;
            observer.generate(&state, &child, g);
            let f = g + weight * estimate(&child);
            let child_id = match known.entry(child) {
                Entry::Vacant(entry) => {
                    nodes.push(Node { state: entry.key().clone(), g, parent: Some(id), closed: false });
                    *entry.insert(nodes.len() - 1)
                }
                Entry::Occupied(entry) => {
                    let child_id = *entry.get();
                    let child = &mut nodes[child_id];
                    if g >= child.g {
                        continue;
                    }
                    if child.closed {
                        stats.reopened += 1;
                        observer.reopen(&child.state, child.g, g);
                    }
                    (child.g, child.parent, child.closed) = (g, Some(id), false);
                    child_id
                }
            };
            open.push(Open { f, g, node: child_id });
        }
    }
    PathOutcome { result: PathSearchResult::NoPath, stats }
}

struct Node<S> {
    state: S,
    g: f64,
    parent: Option<usize>,
    closed: bool,
}

fn way_back<S: Clone>(nodes: &[Node<S>], goal: usize) -> Vec<S> {
    let mut path: Vec<S> =
        std::iter::successors(Some(goal), |&id| nodes[id].parent).map(|id| nodes[id].state.clone()).collect();
    path.reverse();
    path
}

/// An entry of the open list. The greatest leaves the heap first: least f, then most g, because of two states with
/// the same promise the one further along is nearer to the goal.
struct Open {
    f: f64,
    g: f64,
    node: usize,
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        other.f.total_cmp(&self.f).then(self.g.total_cmp(&other.g)).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open {}
