//! Iterative deepening: search to depth 1, 2, 3... and keep the last answer that was finished.

use super::GameOutcome;

/// Calls `search` with growing depths up to `max_depth` and `report` with every finished answer.
///
/// Costs little more than the deepest search alone, since each is several times its predecessor, and always has an
/// answer at hand when time runs out. Returns the last finished answer (if not even the first was finished, that one
/// as far as it got) with the nodes of all of them, the unfinished included. Ends early when the game is over.
///
/// Slate, Atkin: *CHESS 4.5*, 1977. Korf 1985.
pub fn iterative_deepening<M>(
    max_depth: u32,
    mut search: impl FnMut(u32) -> GameOutcome<M>,
    mut report: impl FnMut(&GameOutcome<M>),
) -> GameOutcome<M> {
    let mut answer = search(max_depth.min(1));
    let mut nodes = answer.stats.nodes;
    if answer.completed {
        report(&answer);
    }
    for depth in 2..=max_depth {
        if !answer.completed || answer.best.is_none() {
            break;
        }
        let deeper = search(depth);
        nodes += deeper.stats.nodes;
        if !deeper.completed {
            break;
        }
        report(&deeper);
        answer = deeper;
    }
    answer.stats.nodes = nodes;
    answer
}
