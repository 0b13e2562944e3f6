//! The algorithms by name, and which question each can answer.

use super::{
    End, Query, Run, alt, anyangle, astar, astar4, bfs, bidirectional, deadend, first_moves, idastar, jps,
    jps_cut, jps_plus, jps4, subgoal, theta,
};
use crate::moves::Neighbours;
use crate::observe::Observer;
use serde::{Deserialize, Serialize};

/// A search algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// Breadth first: fewest steps.
    Bfs,
    /// Cheapest first, without an estimate.
    Dijkstra,
    /// Cheapest estimated total first (Hart, Nilsson, Raphael 1968).
    AStar,
    /// A* with an inflated estimate: faster, at most `weight` times the optimum (Pohl 1970).
    #[serde(rename = "wastar")]
    WeightedAStar,
    /// Depth first under a growing bound (Korf 1985), remembering the cost of every cell.
    IdaStar,
    /// A* from both ends with balanced estimates (Ikeda 1994).
    Bidirectional,
    /// Jump point search: eight neighbours with corner cutting or without, or four as `jps4`.
    Jps,
    /// Jump point search for four neighbours.
    Jps4,
    /// Jump point search by tables made once per map: eight neighbours without corner cutting.
    #[serde(rename = "jps+")]
    JpsPlus,
    /// Jump point search with landmarks measured once per map: eight neighbours without corner cutting.
    Alt,
    /// A table of the distances between subgoals, made once per map: eight neighbours without corner cutting.
    Subgoal,
    /// A table of the first moves between all cells, made once per map: eight neighbours without corner cutting.
    FirstMoves,
    /// A* on the map without its dead ends, which are filled once per map.
    DeadEnd,
    /// Anya: exact any-angle search. Eight neighbours without corner cutting.
    AnyAngle,
    /// Theta*: any-angle paths that are not always shortest.
    Theta,
}

search::named!(
    Algorithm, "algorithm":
    Bfs = "bfs", Dijkstra = "dijkstra", AStar = "astar", WeightedAStar = "wastar", IdaStar = "idastar",
    Bidirectional = "bidirectional", Jps = "jps", Jps4 = "jps4", JpsPlus = "jps+", Alt = "alt",
    Subgoal = "subgoal", FirstMoves = "firstmoves", DeadEnd = "deadend", AnyAngle = "anyangle",
    Theta = "theta",
);

impl Algorithm {
    /// Can it search with these neighbours?
    pub fn allows(self, neighbours: Neighbours) -> bool {
        match self {
            Algorithm::Jps4 => neighbours == Neighbours::Four,
            Algorithm::JpsPlus
            | Algorithm::Alt
            | Algorithm::Subgoal
            | Algorithm::FirstMoves
            | Algorithm::AnyAngle
            | Algorithm::Theta => neighbours == Neighbours::Eight,
            _ => true,
        }
    }

    /// The rule to use where none is asked for: the map's usual one, else the first that the algorithm allows.
    pub fn rule_for(self, usual: Neighbours) -> Neighbours {
        let able = [usual].into_iter().chain(Neighbours::ALL).find(|rule| self.allows(*rule));
        able.unwrap_or(usual)
    }

    /// Can it search cells of different weight?
    pub fn allows_weights(self) -> bool {
        !matches!(
            self,
            Algorithm::Bfs
                | Algorithm::Jps
                | Algorithm::Jps4
                | Algorithm::JpsPlus
                | Algorithm::Alt
                | Algorithm::Subgoal
                | Algorithm::FirstMoves
                | Algorithm::AnyAngle
                | Algorithm::Theta
        )
    }

    /// Does it look paths up in a table that is made once per map and can be kept in a file?
    pub fn needs_table(self) -> bool {
        matches!(self, Algorithm::Subgoal | Algorithm::FirstMoves)
    }

    /// Are its paths straight lines between turns, in any direction, rather than steps between neighbours?
    pub fn is_any_angle(self) -> bool {
        matches!(self, Algorithm::AnyAngle | Algorithm::Theta)
    }

    /// Is its answer always the cheapest of its kind, where cells weigh the same?
    pub fn is_optimal(self, neighbours: Neighbours) -> bool {
        match self {
            Algorithm::Bfs => neighbours == Neighbours::Four,
            Algorithm::WeightedAStar | Algorithm::Theta => false,
            _ => true,
        }
    }

    pub(super) fn list(which: impl Fn(Algorithm) -> bool) -> String {
        let names: Vec<_> = Algorithm::ALL.into_iter().filter(|&a| which(a)).map(Algorithm::name).collect();
        names.join(", ")
    }
}

pub(super) fn run<O: Observer>(query: &Query, run: Run<'_, '_, O>) -> End {
    let context = run.context;
    if query.from == query.to {
        return End::Path(vec![query.from]);
    }
    match query.algorithm {
        Algorithm::Bfs => bfs::search(run),
        Algorithm::Dijkstra => astar::search(run, |_| 0),
        Algorithm::AStar => astar(run),
        Algorithm::DeadEnd => deadend::search(run),
        Algorithm::WeightedAStar => {
            let thousandths = (query.weight * 1000.0) as u64;
            match astar::search(run, |h| h * thousandths / 1000) {
                End::Stopped(_) => End::Stopped(context.units.between(query.from, query.to)),
                end => end,
            }
        }
        Algorithm::IdaStar => idastar::search(run),
        Algorithm::Bidirectional => bidirectional::search(run),
        Algorithm::Jps if context.rule == Neighbours::Eight => jps::search(run),
        Algorithm::Jps if context.rule == Neighbours::EightCutting => jps_cut::search(run),
        Algorithm::JpsPlus => jps_plus::search(run),
        Algorithm::Alt => alt::search(run),
        Algorithm::Subgoal => subgoal::search(run),
        Algorithm::FirstMoves => first_moves::walk(context, run.memory, run.seen),
        Algorithm::AnyAngle => anyangle::search(run),
        Algorithm::Theta => theta::search(run),
        Algorithm::Jps | Algorithm::Jps4 => jps4::search(run),
    }
}

/// A* in the form that suits the neighbour rule.
pub(super) fn astar<O: Observer>(run: Run<'_, '_, O>) -> End {
    if run.context.rule == Neighbours::Four && !run.context.weighted {
        return astar4::search(run);
    }
    astar::search(run, |h| h)
}
