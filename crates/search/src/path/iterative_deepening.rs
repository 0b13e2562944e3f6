//! IDA*: A* in the memory of one path.

use std::collections::HashMap;

use super::{PathObserver, PathOutcome, PathSearchResult, PathStats, Problem};

/// Whether [`idastar`] remembers the cheapest known cost of states within a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Only the path itself is kept: O(d) memory, but a state is searched again along every way that leads to it.
    PathOnly,
    /// Turns back at states reached before at no higher cost: O(V) memory, and mazes with cycles stay feasible.
    Costs,
}

/// Sums of the same steps in another order differ in the last bits; such differences must not start a round.
const ROUNDING: f64 = 1e-9;

/// Finds a least-cost path by depth-first rounds, each bounded by the least `f = g + h` that the last one turned
/// back at.
///
/// Needs an admissible heuristic and steps that cost more than nothing. Time O(b^d) at worst: it may take very long on
/// maps with many ways to the same place, so give it a `keep_going` that ends.
///
/// Korf: *Depth-first iterative-deepening: an optimal admissible tree search*, Artificial Intelligence 27, 1985.
pub fn idastar<P: Problem>(
    problem: &P,
    memory: Memory,
    mut keep_going: impl FnMut() -> bool,
    observer: &mut (impl PathObserver<P::State> + ?Sized),
) -> PathOutcome<P::State> {
    let mut stats = PathStats::default();
    let mut successors = Vec::new();
    let mut path: Vec<P::State> = Vec::new();
    // What is still to visit: a state, its depth on the path, and its cost. A list of our own, because paths through
    // mazes grow longer than the call stack is deep.
    let mut pending: Vec<(P::State, usize, f64)> = Vec::new();
    let mut cheapest: HashMap<P::State, f64> = HashMap::new();
    let mut bound = problem.heuristic(&problem.start());

    while bound < f64::INFINITY {
        stats.rounds += 1;
        observer.bound(bound);
        let mut next_bound = f64::INFINITY;
        cheapest.clear();
        pending.push((problem.start(), 0, 0.0));

        while let Some((state, depth, g)) = pending.pop() {
            path.truncate(depth);
            let h = problem.heuristic(&state);
            if g + h > bound + ROUNDING {
                observer.cut(&state, g + h, bound);
                next_bound = next_bound.min(g + h);
                continue;
            }
            match memory {
                Memory::PathOnly if path.contains(&state) => continue,
                Memory::PathOnly => {}
                Memory::Costs => match cheapest.get_mut(&state) {
                    Some(known) if *known <= g => continue,
                    Some(known) => {
                        stats.reopened += 1;
                        observer.reopen(&state, *known, g);
                        *known = g;
                    }
                    None => {
                        cheapest.insert(state.clone(), g);
                    }
                },
            }
            if problem.is_goal(&state) {
                path.push(state);
                return PathOutcome { result: PathSearchResult::Found { path, cost: g }, stats };
            }
            if !keep_going() {
                return PathOutcome { result: PathSearchResult::GaveUp, stats };
            }
            stats.expanded += 1;
            observer.expand(&state, g, h);
            problem.successors(&state, &mut successors);
            for (child, step) in &successors {
                stats.generated += 1;
                observer.generate(&state, child, g + step);
            }
            // The last pushed is visited first: reversed, the problem's own order is kept.
            pending.extend(successors.drain(..).rev().map(|(child, step)| (child, depth + 1, g + step)));
            path.push(state);
        }
        bound = next_bound;
    }
    PathOutcome { result: PathSearchResult::NoPath, stats }
}
