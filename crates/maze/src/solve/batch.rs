//! Many queries on one map, on as many threads as are given.

use super::{Query, QueryError, Searched, Solver};
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Queries that a thread takes at once: enough that threads rarely meet, few enough that none waits long for the last.
const CHUNK: usize = 8;

/// Answers all queries; `each` turns the result of a query into what is kept of it, on the thread that searched. Every thread
/// has a solver of its own from `solver`, with what its algorithm prepares once per map; tables given to the solvers are
/// shared.
pub fn batch<'g, T: Send>(
    solver: impl Fn() -> Solver<'g> + Sync,
    queries: &[Query],
    threads: NonZero<usize>,
    each: impl Fn(usize, Result<Searched<'_>, QueryError>) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut solver = solver();
        let mut done = Vec::new();
        loop {
            let first = next.fetch_add(CHUNK, Ordering::Relaxed);
            let Some(rest) = queries.get(first..).filter(|rest| !rest.is_empty()) else { return done };
            for (index, query) in (first..).zip(rest.iter().take(CHUNK)) {
                done.push((index, each(index, solver.search(query))));
            }
        }
    };
    let useful = threads.get().min(queries.len().div_ceil(CHUNK));
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..useful).map(|_| scope.spawn(work)).collect();
        let mut done = work();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, kept)| kept).collect()
}
