//! A win by continuous threats at the root, looked for before the search begins: the search reduces and prunes such
//! wins away where their first moves look quiet.

use super::Tengen;
use super::techniques::Technique;
use super::time::SearchLimits;
use crate::solver::{AttackResult, SolverBudget, Vct};
use crate::{Point, PointSet, Position};
use ::game::{Limits, Position as _, Watch};

/// The solver may spend one part in so many of a search's nodes and time,
const SHARE: u32 = 10;
/// and at most so many nodes.
const MOST_NODES: u64 = 100_000;
/// With fewer nodes than this for the whole search there is nothing to share.
const FEWEST_NODES: u64 = 1_000;
/// Nodes to learn how long the win can last.
const LONGEST_NODES: u64 = 50_000;
/// Memory of the solver's table.
const MEMORY_MB: usize = 8;

/// What the solver found.
#[derive(Default)]
pub(super) struct RootVct {
    /// The winning line against the most stubborn defence; empty where no win was found.
    pub(super) line: Vec<Point>,
    /// Plies within which it wins against every defence, if that is known.
    pub(super) plies: Option<u32>,
    pub(super) nodes: u64,
}

impl Tengen {
    /// Looks for a VCT that begins with one of the `allowed` moves.
    pub(super) fn root_vct(
        &mut self,
        position: &Position,
        allowed: &PointSet,
        limits: &Limits,
        watch: &Watch,
    ) -> RootVct {
        let search = SearchLimits::of(limits);
        if !self.techniques.uses(Technique::RootVct) || search.nodes < FEWEST_NODES {
            return RootVct::default();
        }
        let time = [search.time.soft, search.time.hard].into_iter().flatten().min();
        let share = Limits {
            nodes: Some((search.nodes / u64::from(SHARE)).min(MOST_NODES)),
            move_time: time.map(|time| time / SHARE),
            ..Limits::default()
        };
        let mut budget = SolverBudget::new(&share, watch);
        let vct = self.vct.get_or_insert_with(|| Vct::new(MEMORY_MB));
        let (mut board, side) = (position.board().clone(), position.to_move());
        let line = match vct.run(&mut board, side, &mut budget) {
            AttackResult::Win => vct.line(&mut board, side),
            AttackResult::None | AttackResult::Unknown => Vec::new(),
        };
        let line = if line.first().is_some_and(|first| allowed.contains(*first)) { line } else { Vec::new() };
        // As much time again, but no nodes of the search's: they are for looking for something faster.
        let limits =
            Limits { nodes: Some(LONGEST_NODES), move_time: time.map(|time| time / SHARE * 2), ..share };
        let mut walk = SolverBudget::new(&limits, watch);
        let plies = if line.is_empty() { None } else { vct.longest(&mut board, side, &mut walk) };
        RootVct { line, plies, nodes: budget.spent() }
    }
}
