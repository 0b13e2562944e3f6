//! One search: the root prepared, the threads at work on the tree, and what came out. The tree stays in
//! [`Memory`] for the next move.

use super::features::Outlook;
use super::improved::improved;
use super::learn::Tried;
use super::net::Judge;
use super::params::{LOOK_AT_ROOT, Params};
use super::policy::Policy;
use super::time::Budget;
use super::tree::{Count, NodeId, ROOT, Tree, Verdict};
use super::twins::Twins;
use super::worker::{Ground, Start, Worker, last_two, prune};
use crate::HexPosition;
use crate::bits::Bits;
use crate::solver::knowledge::{Looked, Looker};
use crate::stones::{Shape, Stones};
use game::{Limits, Position, Side, Watch};
use search::Rng;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// What an engine keeps from move to move.
pub(super) struct Memory<const W: usize> {
    shape: Shape<W>,
    outlook: Outlook,
    tree: Tree<W>,
    twins: Twins,
    /// The tree before this one, to be written over: to clear what was used is quicker than to ask for memory.
    spare: Option<Tree<W>>,
    start: Start<W>,
    /// The priors of the root's children before some of them became random.
    calm: Vec<f32>,
    bytes: usize,
}

/// The first report comes after this time, the next after as much again, and so on.
const FIRST_REPORT: Duration = Duration::from_millis(100);

/// Random priors are even numbers to this power: of a hundred moves some ten count.
const UNEVEN: i32 = 10;

/// What the engine knows and how it is set.
pub(super) type Mind<'a> = (&'a Policy, Option<&'a Judge>, &'a Params);

/// What a search found about a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) cell: usize,
    pub(super) node: NodeId,
    pub(super) count: Count,
    pub(super) verdict: Verdict,
}

impl Row {
    /// Expected result of the side to move, 0 to 1.
    pub(super) fn rate(&self) -> f64 {
        match self.verdict {
            Verdict::Won => 1.0,
            Verdict::Lost => 0.0,
            Verdict::Open | Verdict::Pruned => rate(self.count),
        }
    }
}

pub(super) fn rate(count: Count) -> f64 {
    (f64::from(count.wins) + 0.5) / (f64::from(count.visits) + 1.0)
}

impl<const W: usize> Memory<W> {
    fn fresh(position: &HexPosition, bytes: usize) -> Memory<W> {
        let shape = Shape::new(position.size());
        let start = start_of(&shape, position);
        let outlook = Outlook::new(position.size());
        let tree = Tree::new(bytes);
        let twins = Twins::new(tree.room());
        Memory { shape, outlook, tree, twins, spare: None, start, calm: Vec::new(), bytes }
    }

    /// The memory for a position: the part of the old tree that leads on from it, or an empty one.
    pub(super) fn for_position(old: Option<Memory<W>>, position: &HexPosition, limits: &Limits) -> Memory<W> {
        // Half of it, because a part of the tree is copied when it is taken over.
        let bytes = (limits.memory_mb.max(1) << 20) / 2;
        let restricted = !limits.only.is_empty() || !limits.exclude.is_empty();
        let fits = |old: &Memory<W>| old.shape.size() == position.size() && old.bytes == bytes;
        let Some(mut old) = old.filter(fits) else { return Memory::fresh(position, bytes) };
        let start = start_of(&old.shape, position);
        // The nodes get other numbers.
        old.twins.clear();
        match old.node_of(&start).filter(|_| !restricted) {
            None => old.tree.clear(),
            Some(ROOT) if old.tree.fullness() < 0.5 => {}
            Some(node) => {
                let mut tree = old.spare.take().unwrap_or_else(|| Tree::new(bytes));
                tree.clear();
                old.tree.copy_below(node, &tree);
                old.spare = Some(std::mem::replace(&mut old.tree, tree));
            }
        }
        Memory { start, ..old }
    }

    /// The node of a position that is at most two moves on.
    fn node_of(&self, start: &Start<W>) -> Option<NodeId> {
        let new = Side::BOTH.map(|side| start.stones.of(side) & !self.start.stones.of(side));
        let gone =
            Side::BOTH.iter().any(|&side| self.start.stones.of(side) & !start.stones.of(side) != Bits::EMPTY);
        let mover = self.start.to_move;
        let [own, theirs] = [mover, mover.other()].map(|side| new[side.index()]);
        if gone {
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

    pub(super) fn shape(&self) -> &Shape<W> {
        &self.shape
    }

    pub(super) fn start(&self) -> &Start<W> {
        &self.start
    }

    /// Looks at the root and leaves open what is worth searching of the allowed cells.
    pub(super) fn prepare(&mut self, allowed: &Bits<W>, mind: Mind<'_>, seed: u64) -> Option<bool> {
        let Start { stones, to_move, .. } = self.start;
        let looked = Looker::new(&self.shape, LOOK_AT_ROOT).look(&stones, to_move);
        let opened = match looked {
            Looked::Won => return Some(true),
            Looked::Lost => return Some(false),
            Looked::Open(opened) => opened,
        };
        let (keep, stones) = mind.2.left(&self.shape, &stones, &opened);
        // Where the limits leave only poor moves, one of those has to be played.
        let filled = if keep.is_subset(allowed) { Some(stones) } else { None };
        let keep = if keep.meets(allowed) { keep & *allowed } else { *allowed };
        for _ in 0..2 {
            // Claimed even if there is nothing to store: looking again would prune what is to be searched.
            let first_look = self.tree.claim_look(ROOT);
            if let (true, Some(filled)) = (first_look, filled) {
                self.tree.set_filled(ROOT, &filled);
            }
            let ground = self.ground(mind);
            Worker::new(&ground, Rng::new(0)).open_root();
            prune(&self.tree, ROOT, &keep);
            let usable = |child| self.tree.verdict(child) != Verdict::Pruned;
            if self.tree.verdict(ROOT) == Verdict::Open && self.tree.children(ROOT).any(usable) {
                break;
            }
            // A tree taken over may have left out what is allowed now.
            self.tree.clear();
            self.twins.clear();
        }
        self.calm.clear();
        if mind.2.noise > 0.0 {
            self.disturb(mind.2.noise, &mut Rng::new(seed));
        }
        None
    }

    /// Makes a share of the root's priors random: most of it goes to a few moves, as with a Dirichlet distribution.
    fn disturb(&mut self, share: f32, rng: &mut Rng) {
        let children = || self.tree.children(ROOT).filter(|&child| self.tree.verdict(child) == Verdict::Open);
        let noise: Vec<f32> = children().map(|_| rng.unit().powi(UNEVEN) as f32).collect();
        let total: f32 = noise.iter().sum();
        let calm: Vec<f32> = self.tree.children(ROOT).map(|child| self.tree.guess(child).prior).collect();
        for (child, noise) in children().zip(noise) {
            let prior = self.tree.guess(child).prior;
            self.tree.set_prior(child, (1.0 - share) * prior + share * noise / total.max(f32::MIN_POSITIVE));
        }
        self.calm = calm;
    }

    fn ground<'a>(&'a self, (policy, network, params): Mind<'a>) -> Ground<'a, W> {
        Ground {
            shape: &self.shape,
            outlook: &self.outlook,
            policy,
            network,
            params,
            tree: &self.tree,
            twins: &self.twins,
            start: self.start,
        }
    }

    /// Searches until the budget is spent or the root is proved. Returns visits and depth.
    pub(super) fn run(
        &self,
        mind: Mind<'_>,
        limits: &Limits,
        budget: &Budget,
        watch: &Watch,
        news: &mut dyn FnMut(u64, u32),
    ) -> (u64, u32) {
        let ground = self.ground(mind);
        let visits = AtomicU64::new(0);
        let done = AtomicBool::new(false);
        let work = |index: u64, tell: &mut dyn FnMut(u64, u32)| {
            let mut worker = Worker::new(&ground, Rng::stream(limits.seed, index));
            while !done.load(Relaxed) {
                let number = visits.fetch_add(1, Relaxed);
                if number >= budget.visits {
                    visits.fetch_sub(1, Relaxed);
                    break;
                }
                worker.iterate();
                if number.is_multiple_of(8) {
                    if budget.is_spent(watch) || self.tree.verdict(ROOT) != Verdict::Open {
                        break;
                    }
                    if index == 0 {
                        tell(number + 1, worker.deepest);
                        if number.is_multiple_of(256) && budget.is_enough(watch) && self.is_settled() {
                            break;
                        }
                    }
                }
            }
            done.store(true, Relaxed);
            worker.deepest
        };
        let mut next = FIRST_REPORT;
        let mut tell = |number: u64, depth: u32| {
            if watch.elapsed() >= next {
                next = watch.elapsed() * 2;
                news(number, depth);
            }
        };
        let depth = std::thread::scope(|scope| {
            let work = &work;
            let others: Vec<_> = (1..limits.threads.max(1) as u64)
                .map(|index| scope.spawn(move || work(index, &mut |_, _| {})))
                .collect();
            let depth = work(0, &mut tell);
            others.into_iter().filter_map(|other| other.join().ok()).fold(depth, u32::max)
        });
        (visits.load(Relaxed), depth)
    }

    /// Is the most visited move also the one with the best rate?
    fn is_settled(&self) -> bool {
        let rows = self.rows();
        let most = rows.iter().max_by_key(|row| row.count.visits);
        most.is_some_and(|most| {
            let floor = most.count.visits / 10;
            rows.iter().all(|row| row.count.visits < floor || row.rate() <= most.rate() + 0.005)
        })
    }

    /// The root's children that were not pruned.
    pub(super) fn rows(&self) -> Vec<Row> {
        let row = |node: NodeId| Row {
            cell: self.tree.cell(node),
            node,
            count: self.tree.count(node),
            verdict: self.tree.verdict(node),
        };
        self.tree.children(ROOT).map(row).filter(|row| row.verdict != Verdict::Pruned).collect()
    }

    pub(super) fn root_verdict(&self) -> Verdict {
        self.tree.verdict(ROOT)
    }

    /// The likely line from a child of the root: its cell, then the most visited ones.
    pub(super) fn line(&self, child: NodeId) -> Vec<usize> {
        let mut line = vec![self.tree.cell(child)];
        let mut node = child;
        loop {
            let open = self.tree.children(node).filter(|&next| self.tree.verdict(next) != Verdict::Pruned);
            let likely = open
                .map(|next| (self.tree.verdict(next) == Verdict::Won, self.tree.count(next).visits, next))
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

    /// Nodes with at least so many visits, each with its position and what became of the moves tried there: what the
    /// network and the policy learn from.
    pub(super) fn well_visited(
        &self,
        visits: u32,
        params: &Params,
        mut found: impl FnMut(&Start<W>, Vec<Tried>),
    ) {
        let mut open = vec![(ROOT, self.start)];
        while let Some((node, start)) = open.pop() {
            if self.tree.count(node).visits < visits || self.tree.children(node).is_empty() {
                continue;
            }
            found(&start, self.tried(node, params));
            for child in self.tree.children(node) {
                let cell = self.tree.cell(child);
                let stones = start.stones.with(start.to_move, cell);
                let next = Start { stones, to_move: start.to_move.other(), last: [cell, start.last[0]] };
                open.push((child, next));
            }
        }
    }

    /// The moves of a node: visits as a better policy would share them out, and the chance found. Where one is proved to
    /// win, the others count as not visited; so do those proved to lose.
    fn tried(&self, node: NodeId, params: &Params) -> Vec<Tried> {
        let tree = &self.tree;
        let children = tree.children(node);
        let total: u32 = children.clone().map(|child| tree.count(child).visits).sum();
        let won = children.clone().any(|child| tree.verdict(child) == Verdict::Won);
        let is_open = |verdict: Verdict| verdict == if won { Verdict::Won } else { Verdict::Open };
        let weigh = |(at, child): (usize, NodeId)| {
            let (count, guess) = (tree.count(child), tree.guess(child));
            let prior = if node == ROOT { self.calm.get(at).copied() } else { None }.unwrap_or(guess.prior);
            let value = count.mean(guess.chance, params.trust);
            if is_open(tree.verdict(child)) { (prior, value) } else { (0.0, 0.0) }
        };
        let weighed: Vec<_> = children.clone().enumerate().map(weigh).collect();
        let shares = improved(&weighed, params.prior / (total.max(1) as f32).sqrt());
        children
            .zip(shares)
            .map(|(child, share)| {
                let count = tree.count(child);
                let chance = match tree.verdict(child) {
                    Verdict::Won => Some(1.0),
                    Verdict::Lost => Some(0.0),
                    Verdict::Open | Verdict::Pruned => {
                        (count.visits > 0).then(|| count.wins / count.visits as f32)
                    }
                };
                let visits = (share * total as f32).round() as u32;
                Tried { cell: tree.cell(child) as u16, visits, chance }
            })
            .filter(|row| row.visits > 0 || row.chance.is_some())
            .collect()
    }
}

pub(super) fn start_of<const W: usize>(shape: &Shape<W>, position: &HexPosition) -> Start<W> {
    let to_move = position.to_move();
    Start {
        stones: Stones::of_board(shape.lattice(), position.board()),
        to_move,
        last: last_two(position.board(), to_move),
    }
}
