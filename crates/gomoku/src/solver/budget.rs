//! What a solver may spend: nodes, and time read from the watch it is given.

use ::game::{Limits, Watch};
use std::time::Duration;

/// Nodes and time of one solver run, shared by everything that runs on its behalf.
#[derive(Clone, Debug)]
pub struct SolverBudget<'a> {
    nodes: u64,
    limit: u64,
    clock: Option<(&'a Watch, Duration)>,
    ended: bool,
}

/// Nodes between two looks at the clock: well under a millisecond.
const NODES_PER_LOOK: u64 = 256;

impl<'a> SolverBudget<'a> {
    /// So many nodes, and no other limit.
    pub const fn nodes(limit: u64) -> SolverBudget<'static> {
        SolverBudget { nodes: 0, limit, clock: None, ended: false }
    }

    /// The nodes and the time of the limits; the watch can also stop it.
    pub fn new(limits: &Limits, watch: &'a Watch) -> SolverBudget<'a> {
        let time = limits.move_time.unwrap_or(Duration::MAX);
        SolverBudget {
            nodes: 0,
            limit: limits.nodes.unwrap_or(u64::MAX),
            clock: Some((watch, time)),
            ended: false,
        }
    }

    /// Nodes spent so far.
    pub const fn spent(&self) -> u64 {
        self.nodes
    }

    /// Has the budget ended? It does not come back.
    pub const fn ended(&self) -> bool {
        self.ended
    }

    /// Counts a node; false once the budget has ended.
    #[inline]
    pub fn spend(&mut self) -> bool {
        if self.nodes >= self.limit || self.ended {
            self.ended = true;
            return false;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_LOOK)
            && let Some((watch, time)) = self.clock
        {
            self.ended = watch.is_stopped() || watch.elapsed() >= time;
        }
        true
    }

    /// Counts nodes that another search has spent on this budget.
    pub(super) fn add(&mut self, nodes: u64) {
        self.nodes = self.nodes.saturating_add(nodes);
    }

    /// What is left, as limits of the main search on [`SolverBudget::watch`].
    pub(super) fn rest(&self) -> Limits {
        let nodes = (self.limit != u64::MAX).then(|| self.limit.saturating_sub(self.nodes));
        Limits {
            nodes,
            move_time: self.clock.map(|(_, time)| time).filter(|time| *time != Duration::MAX),
            ..Limits::default()
        }
    }

    /// The watch that the time of this budget is measured by.
    pub(super) fn watch(&self) -> Watch {
        self.clock.map_or_else(Watch::untimed, |(watch, _)| watch.clone())
    }

    /// Runs something on half of what is left of nodes and time.
    pub(super) fn half<T>(&mut self, run: impl FnOnce(&mut SolverBudget<'a>) -> T) -> T {
        let whole = self.clock;
        if let Some((watch, time)) = &mut self.clock {
            let now = watch.elapsed().min(*time);
            *time = now + (*time - now) / 2;
        }
        let share = self.limit.saturating_sub(self.nodes) / 2;
        let out = self.share(share, run);
        self.clock = whole;
        self.ended &= self.nodes >= self.limit || self.is_out_of_time();
        out
    }

    fn is_out_of_time(&self) -> bool {
        self.clock.is_some_and(|(watch, time)| watch.is_stopped() || watch.elapsed() >= time)
    }

    /// Runs something on at most `share` nodes of this budget. The share ending does not end the budget.
    pub fn share<T>(&mut self, share: u64, run: impl FnOnce(&mut SolverBudget<'a>) -> T) -> T {
        let limit = self.limit;
        self.limit = limit.min(self.nodes.saturating_add(share));
        let out = run(self);
        if self.ended && self.nodes < limit {
            // Only the clock can have ended the budget for good before its own node limit.
            self.ended = self.is_out_of_time();
        }
        self.limit = limit;
        out
    }
}
