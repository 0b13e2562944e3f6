//! What a search tells about itself, while it runs and at its end.

use crate::Move;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A search's view of the position it is asked about. All scores are from the view of the side to move at
/// the root; larger is better.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Depth completed, in plies (for a tree search: the longest line of its best path).
    pub depth: u32,
    /// Deepest ply reached by extensions or forced-win search.
    pub selective_depth: u32,
    /// Score of the best move in the engine's own unit.
    #[serde(with = "any_number")]
    pub score: f64,
    /// Expected result of the best move, 0 to 1.
    pub win_rate: f64,
    /// Proved end of the game, in plies from the root: positive wins within so many, negative loses. A proof without a
    /// known length has none.
    pub mate: Option<i32>,
    /// Nodes visited (or playouts played).
    pub nodes: u64,
    /// Time used so far.
    pub elapsed: Duration,
    /// Principal lines, best first.
    pub lines: Vec<Line>,
    /// Every root move that was searched, in the order of the search.
    pub root: Vec<RootMove>,
    /// Size of the tree without pruning, where the engine knows it.
    pub full_tree: Option<f64>,
}

impl Report {
    /// Nodes per second.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// The share of the full tree that was not visited: 1 - nodes / full tree, and 0 where the nodes of an unfinished
    /// iteration outnumber the tree of the finished ones.
    pub fn prune_ratio(&self) -> Option<f64> {
        self.full_tree.filter(|full| *full > 0.0).map(|full| (1.0 - self.nodes as f64 / full).max(0.0))
    }

    /// The best line, empty before the first one is known.
    pub fn pv(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.moves)
    }
}

/// One principal line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The moves, the root's first.
    pub moves: Vec<Move>,
    /// Score in the engine's own unit.
    #[serde(with = "any_number")]
    pub score: f64,
    /// Expected result, 0 to 1.
    pub win_rate: f64,
    /// Proved end of the game, as in [`Report::mate`].
    pub mate: Option<i32>,
    /// Depth to which this line was searched.
    pub depth: u32,
    /// Nodes or visits spent on it.
    pub nodes: u64,
}

/// One row of the root table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its score; `bound` says how it relates to the true score of the search.
    #[serde(with = "any_number")]
    pub score: f64,
    /// Expected result, 0 to 1.
    pub win_rate: f64,
    /// Is the score exact? A search that prunes knows only a bound for most moves.
    pub bound: Bound,
    /// Nodes or visits spent on it.
    pub nodes: u64,
}

impl RootMove {
    /// Marks the scores of an alpha-beta search that tried the moves in this order: a move that did not beat the best
    /// one before it was cut off, so its score is an upper bound.
    pub fn mark_cut_off(moves: &mut [RootMove]) {
        let mut best = f64::NEG_INFINITY;
        for row in moves {
            row.bound = if row.score > best { Bound::Exact } else { Bound::Upper };
            best = best.max(row.score);
        }
    }
}

/// How a published score relates to the true score of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Bound {
    /// It is the score.
    #[default]
    Exact,
    /// The score is at most this: the move was refuted or cut off.
    Upper,
    /// The score is at least this.
    Lower,
}

impl Bound {
    /// `exact`, `upper` or `lower`.
    pub const fn name(self) -> &'static str {
        match self {
            Bound::Exact => "exact",
            Bound::Upper => "upper",
            Bound::Lower => "lower",
        }
    }
}

/// Scores as text: JSON has no infinity, and a number's text is read back as the same bits.
mod any_number {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(number: &f64, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;

    #[test]
    fn a_search_larger_than_the_full_tree_prunes_nothing() {
        let report = |nodes| Report { nodes, full_tree: Some(10.0), ..Report::default() };
        assert_eq!(report(320).prune_ratio(), Some(0.0));
        assert_eq!(report(5).prune_ratio(), Some(0.5));
        assert_eq!(Report::default().prune_ratio(), None);
    }

    #[test]
    fn a_report_survives_its_journey_as_json() {
        let line = Line { moves: vec![Move::Place(Cell::new(3, 4))], score: 0.1 + 0.2, ..Line::default() };
        let elapsed = Duration::from_micros(1234);
        let report = Report {
            score: f64::NEG_INFINITY,
            mate: Some(-3),
            elapsed,
            lines: vec![line],
            ..Report::default()
        };
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
    }

    #[test]
    fn only_moves_that_beat_all_before_them_are_exact() {
        let row = |score| RootMove {
            mv: Move::Place(Cell::new(0, 0)),
            score,
            win_rate: 0.5,
            bound: Bound::Exact,
            nodes: 1,
        };
        let mut rows = [3.0, 3.0, 1.0, 5.0, 4.0].map(row);
        RootMove::mark_cut_off(&mut rows);
        assert_eq!(rows.map(|row| row.bound.name()), ["exact", "upper", "upper", "exact", "upper"]);
    }
}
