//! Breadth-first search.

use std::collections::{HashMap, VecDeque};

use super::{PathObserver, PathOutcome, PathSearchResult, PathStats, Problem};

/// Finds a path with the fewest steps; its cost is least too when all steps cost the same.
///
/// Looks at states in order of their distance in steps, so the first time a state is met is along a shortest way.
/// Time O(V + E), memory O(V).
///
/// Moore: *The shortest path through a maze*, 1959.
pub fn bfs<P: Problem>(
    problem: &P,
    mut keep_going: impl FnMut() -> bool,
    observer: &mut (impl PathObserver<P::State> + ?Sized),
) -> PathOutcome<P::State> {
    let mut stats = PathStats { rounds: 1, ..PathStats::default() };
    let mut successors = Vec::new();
    // For each state met: its cost, and where it was met from.
    let mut met: HashMap<P::State, (f64, Option<P::State>)> = HashMap::from([(problem.start(), (0.0, None))]);
    let mut queue = VecDeque::from([problem.start()]);

    while let Some(state) = queue.pop_front() {
        let g = met[&state].0;
        if problem.is_goal(&state) {
            return PathOutcome {
                result: PathSearchResult::Found { path: way_back(&met, state), cost: g },
                stats,
            };
        }
        if !keep_going() {
            return PathOutcome { result: PathSearchResult::GaveUp, stats };
        }
        stats.expanded += 1;
        observer.expand(&state, g, 0.0);
        problem.successors(&state, &mut successors);
        for (child, step) in successors.drain(..) {
            stats.generated += 1;
            observer.generate(&state, &child, g + step);
            if !met.contains_key(&child) {
                met.insert(child.clone(), (g + step, Some(state.clone())));
                queue.push_back(child);
            }
        }
    }
    PathOutcome { result: PathSearchResult::NoPath, stats }
}

fn way_back<S: Clone + Eq + std::hash::Hash>(met: &HashMap<S, (f64, Option<S>)>, goal: S) -> Vec<S> {
    let mut path = vec![goal];
    while let Some((_, Some(parent))) = path.last().and_then(|state| met.get(state)) {
        path.push(parent.clone());
    }
    path.reverse();
    path
}
