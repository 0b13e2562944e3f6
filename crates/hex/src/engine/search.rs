//! One search: prepare the root, run the threads on the tree, read the results. The tree stays in [`Memory`] for the next
//! move.

use super::features::FeatureTables;
use super::network::QuantizedNetwork;
use super::observer::Observer;
use super::params::{Params, ROOT_EFFORT};
use super::policy::Policy;
use super::time::SearchLimits;
use super::transpositions::Transpositions;
use super::tree::{NodeId, NodeState, ROOT, Tree, VisitStats};
use super::worker::{SearchContext, SearchPosition, Worker, last_two, prune};
use crate::Position;
use crate::bits::Bits;
use crate::pruning::{Analysis, Analyzer};
use crate::stones::{Shape, Stones};
use game::{Limits, Position as _, Side, Watch};
use search::Rng;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// What the engine keeps from move to move.
pub(crate) struct Memory<const W: usize> {
    shape: Shape<W>,
    tables: FeatureTables,
    pub(crate) tree: Tree<W>,
    transpositions: Transpositions,
    /// The previous tree, kept for reuse: clearing the used part is quicker than allocating.
    spare: Option<Tree<W>>,
    start: SearchPosition<W>,
    /// The priors of the root's children before noise was added; empty without noise.
    pub(crate) root_priors: Vec<f32>,
    bytes: usize,
}

/// Time between two reports. The server sends no more often.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Root noise is uniform(0,1) raised to this power: about ten of a hundred moves get most of it, as with the Dirichlet
/// noise of AlphaZero.
const NOISE_POWER: i32 = 10;

/// What evaluates positions, and how the search is set.
#[derive(Clone, Copy)]
pub(crate) struct Models<'a> {
    pub(crate) policy: &'a Policy,
    pub(crate) network: Option<&'a QuantizedNetwork>,
    pub(crate) params: &'a Params,
}

/// The result of the search for one root move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootChild {
    pub(crate) cell: usize,
    pub(crate) node: NodeId,
    pub(crate) count: VisitStats,
    pub(crate) state: NodeState,
}

impl RootChild {
    /// Expected result of the side to move, 0 to 1.
    pub(crate) fn rate(&self) -> f64 {
        match self.state {
            NodeState::Won => 1.0,
            NodeState::Lost => 0.0,
            NodeState::Open | NodeState::Pruned => {
                (f64::from(self.count.wins) + 0.5) / (f64::from(self.count.visits) + 1.0)
            }
        }
    }
}

impl<const W: usize> Memory<W> {
    fn fresh(position: &Position, bytes: usize) -> Memory<W> {
        let shape = Shape::new(position.size());
        let start = search_position(&shape, position);
        let tables = FeatureTables::new(position.size());
        let tree = Tree::new(bytes);
        let transpositions = Transpositions::new(tree.capacity());
        Memory { shape, tables, tree, transpositions, spare: None, start, root_priors: Vec::new(), bytes }
    }

    /// Tree reuse: the subtree of the position if the last search reached it, otherwise an empty tree. Copying ends when
    /// `stop` is set; what was not copied is searched again.
    pub(crate) fn for_position(
        old: Option<Memory<W>>,
        position: &Position,
        limits: &Limits,
        stop: &dyn Fn() -> bool,
    ) -> Memory<W> {
        // Half, because the subtree is copied while the old tree still exists.
        let bytes = (limits.memory_mb.max(1) << 20) / 2;
        let restricted = !limits.only.is_empty() || !limits.exclude.is_empty();
        let fits = |old: &Memory<W>| old.shape.size() == position.size() && old.bytes == bytes;
        let Some(mut old) = old.filter(fits) else { return Memory::fresh(position, bytes) };
        let start = search_position(&old.shape, position);
        // Copying renumbers the nodes.
        old.transpositions.clear();
        match old.node_of(&start).filter(|_| !restricted) {
            None => old.tree.clear(),
            Some(ROOT) if old.tree.fullness() < 0.5 => {}
            Some(node) => {
                let mut tree = old.spare.take().unwrap_or_else(|| Tree::new(bytes));
                tree.clear();
                old.tree.copy_below(node, &tree, stop);
                old.spare = Some(std::mem::replace(&mut old.tree, tree));
            }
        }
        Memory { start, ..old }
    }

    /// The node of a position that is at most two moves after the root.
    fn node_of(&self, start: &SearchPosition<W>) -> Option<NodeId> {
        let new = Side::BOTH.map(|side| start.stones.of(side) & !self.start.stones.of(side));
        let removed =
            Side::BOTH.iter().any(|&side| self.start.stones.of(side) & !start.stones.of(side) != Bits::EMPTY);
        let mover = self.start.to_move;
        let [own, theirs] = [mover, mover.other()].map(|side| new[side.index()]);
        if removed {
            return None;
        }
        match (own.len(), theirs.len(), start.to_move == mover) {
            (0, 0, true) => Some(ROOT),
            (1, 0, false) => self.tree.child(ROOT, own.first()?),
            (1, 1, true) => {
                let child = self.tree.child(ROOT, own.first()?)?;
                self.tree.child(child, theirs.first()?)
            }
            _ => None,
        }
    }

    pub(crate) fn shape(&self) -> &Shape<W> {
        &self.shape
    }

    pub(crate) fn start(&self) -> &SearchPosition<W> {
        &self.start
    }

    /// Analyzes the root, expands it and prunes it to the allowed cells that are worth searching. Returns who wins if
    /// that is proved already: true for the side to move. Stopped early, the analysis only prunes less.
    pub(crate) fn prepare(
        &mut self,
        allowed: &Bits<W>,
        models: Models<'_>,
        seed: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<bool> {
        let SearchPosition { stones, to_move, .. } = self.start;
        let reduced = match Analyzer::new(&self.shape, ROOT_EFFORT).analyze_until(&stones, to_move, stop) {
            Analysis::Won => return Some(true),
            Analysis::Lost => return Some(false),
            Analysis::Open(reduced) => reduced,
        };
        let (keep, stones) = models.params.candidates(&self.shape, &stones, &reduced);
        // If the limits allow only inferior moves, one of those must be played.
        let filled = if keep.is_subset(allowed) { Some(stones) } else { None };
        let keep = if keep.meets(allowed) { keep & *allowed } else { *allowed };
        for _ in 0..2 {
            // Claimed even if there is nothing to store: another analysis would prune what is to be searched.
            let first_analysis = self.tree.claim_analysis(ROOT);
            if let (true, Some(filled)) = (first_analysis, filled) {
                self.tree.set_filled(ROOT, &filled);
            }
            let context = self.context(models, stop);
            Worker::new(&context, Rng::new(0)).expand_root();
            prune(&self.tree, ROOT, &keep);
            let usable = |child| self.tree.state(child) != NodeState::Pruned;
            if self.tree.state(ROOT) == NodeState::Open && self.tree.children(ROOT).any(usable) {
                break;
            }
            // A reused tree may have pruned what is allowed now.
            self.tree.clear();
            self.transpositions.clear();
        }
        self.root_priors.clear();
        if models.params.root_noise > 0.0 {
            self.add_root_noise(models.params.root_noise, &mut Rng::new(seed));
        }
        None
    }

    /// Root noise (Silver et al. 2017), for self-play only: mixes noise into the priors so that unlikely moves are tried.
    fn add_root_noise(&mut self, share: f32, rng: &mut Rng) {
        let children = || self.tree.children(ROOT).filter(|&child| self.tree.state(child) == NodeState::Open);
        let noise: Vec<f32> = children().map(|_| rng.unit().powi(NOISE_POWER) as f32).collect();
        let total: f32 = noise.iter().sum();
        let root_priors = self.tree.children(ROOT).map(|child| self.tree.estimate(child).prior).collect();
        for (child, noise) in children().zip(noise) {
            let prior = self.tree.estimate(child).prior;
            self.tree.set_prior(child, (1.0 - share) * prior + share * noise / total.max(f32::MIN_POSITIVE));
        }
        self.root_priors = root_priors;
    }

    fn context<'a>(
        &'a self,
        models: Models<'a>,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> SearchContext<'a, W> {
        SearchContext {
            shape: &self.shape,
            tables: &self.tables,
            policy: models.policy,
            network: models.network,
            params: models.params,
            tree: &self.tree,
            transpositions: &self.transpositions,
            start: self.start,
            stop,
        }
    }

    /// Searches until the limits are reached or the root is proved; `observer` sees the visits of the first thread.
    /// Returns visits and depth.
    pub(crate) fn run<O: Observer>(
        &self,
        models: Models<'_>,
        limits: &Limits,
        budget: &SearchLimits,
        watch: &Watch,
        observer: &mut O,
        report: &mut dyn FnMut(u64, u32),
    ) -> (u64, u32) {
        let stop = || budget.time.is_over(watch);
        let context = self.context(models, &stop);
        let (visits, done) = (AtomicU64::new(0), AtomicBool::new(false));
        let run = Run { memory: self, context: &context, seed: limits.seed, budget, watch, visits, done };
        let mut next = REPORT_INTERVAL;
        let mut report_when_due = |number: u64, depth: u32| {
            if watch.elapsed() >= next {
                next = watch.elapsed() + REPORT_INTERVAL;
                report(number, depth);
            }
        };
        let depth = std::thread::scope(|scope| {
            let run = &run;
            let others: Vec<_> = (1..limits.threads.max(1) as u64)
                .map(|index| scope.spawn(move || run.work(index, &mut (), &mut |_, _| {})))
                .collect();
            let depth = run.work(0, observer, &mut report_when_due);
            others.into_iter().filter_map(|other| other.join().ok()).fold(depth, u32::max)
        });
        (run.visits.load(Relaxed), depth)
    }

    /// Is the most visited move also the one with the best win rate?
    fn is_settled(&self) -> bool {
        let rows = self.root_children();
        let most = rows.iter().max_by_key(|row| row.count.visits);
        most.is_some_and(|most| {
            let floor = most.count.visits / 10;
            rows.iter().all(|row| row.count.visits < floor || row.rate() <= most.rate() + 0.005)
        })
    }

    /// The root's children that were not pruned.
    pub(crate) fn root_children(&self) -> Vec<RootChild> {
        let row = |node: NodeId| RootChild {
            cell: self.tree.cell(node),
            node,
            count: self.tree.count(node),
            state: self.tree.state(node),
        };
        self.tree.children(ROOT).map(row).filter(|row| row.state != NodeState::Pruned).collect()
    }

    pub(crate) fn root_state(&self) -> NodeState {
        self.tree.state(ROOT)
    }

    /// A move of a decided root, and the moves after it as long as the tree has proved them: the winner's wins, and of the
    /// loser's moves those that took most work.
    pub(crate) fn proved_line(&self, first: usize, winner: Side) -> Vec<usize> {
        let mut line = vec![first];
        let mut side = self.start.to_move.other();
        let mut node = self.tree.child(ROOT, first);
        while let Some(at) = node {
            let wanted = if side == winner { NodeState::Won } else { NodeState::Lost };
            let proved = self.tree.children(at).filter(|&next| self.tree.state(next) == wanted);
            node = proved.max_by_key(|&next| self.tree.count(next).visits);
            line.extend(node.map(|next| self.tree.cell(next)));
            side = side.other();
        }
        line
    }

    /// The principal variation from a child of the root: its cell, then the most visited moves.
    pub(crate) fn line(&self, child: NodeId) -> Vec<usize> {
        let mut line = vec![self.tree.cell(child)];
        let mut node = child;
        loop {
            let open = self.tree.children(node).filter(|&next| self.tree.state(next) != NodeState::Pruned);
            let likely = open
                .map(|next| (self.tree.state(next) == NodeState::Won, self.tree.count(next).visits, next))
                .max();
            match likely {
                Some((won, visits, next)) if won || visits > 0 => {
                    line.push(self.tree.cell(next));
                    node = next;
                }
                _ => return line,
            }
        }
    }
}

/// What the threads of one run share.
struct Run<'a, const W: usize> {
    memory: &'a Memory<W>,
    context: &'a SearchContext<'a, W>,
    seed: u64,
    budget: &'a SearchLimits,
    watch: &'a Watch,
    visits: AtomicU64,
    done: AtomicBool,
}

impl<const W: usize> Run<'_, W> {
    /// One thread's visits; the thread with index 0 reports. Returns the depth it reached.
    fn work<O: Observer>(&self, index: u64, observer: &mut O, report: &mut dyn FnMut(u64, u32)) -> u32 {
        let mut worker = Worker::new(self.context, Rng::stream(self.seed, index));
        while !self.done.load(Relaxed) {
            let number = self.visits.fetch_add(1, Relaxed);
            if number >= self.budget.visits {
                self.visits.fetch_sub(1, Relaxed);
                break;
            }
            worker.iterate(observer);
            // A visit may take a millisecond on a large board, so the clock is read after each.
            if (self.context.stop)() {
                break;
            }
            if number.is_multiple_of(8) {
                if self.memory.tree.state(ROOT) != NodeState::Open {
                    break;
                }
                if index == 0 {
                    report(number + 1, worker.deepest);
                    let enough = number.is_multiple_of(256) && self.budget.time.is_enough(self.watch);
                    if enough && self.memory.is_settled() {
                        break;
                    }
                }
            }
        }
        self.done.store(true, Relaxed);
        worker.deepest
    }
}

pub(crate) fn search_position<const W: usize>(shape: &Shape<W>, position: &Position) -> SearchPosition<W> {
    let to_move = position.to_move();
    SearchPosition {
        stones: Stones::of_board(shape.lattice(), position.board()),
        to_move,
        last: last_two(position.board(), to_move),
    }
}
