//! One query: its limits, its threads, and reading moves out of the table.

use super::certify::{self, Guide};
use super::dfpn::{Focus, Shared, Worker};
use super::proof;
use super::proof_table::{Hashes, ProofTable};
use super::{Progress, Query, Solution, SolverLimits, Target};
use crate::pruning::{Analyzer, ProvedWins, Strategy, inferior_cells};
use crate::stones::{Shape, Stones};
use crate::vc::{Connections, Effort};
use crate::{Board, endgame};
use game::{Side, Watch};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// Time between two progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);

/// H-search of an analysis. On 6x6, lists half as long take a third more positions and the same time; longer lists gain
/// nothing. Proofs are derived with the same effort.
pub(super) const EFFORT: Effort = Effort {
    between_cells: 3,
    fulls: 10,
    semis: 24,
    or_depth: 4,
    or_of_many: false,
    until_semi: false,
    steps: usize::MAX,
};

/// The share of memory for proved wins, one in this many.
const WINS_DIVISOR: usize = 8;

pub(super) struct Session<'a, const W: usize> {
    shape: Shape<W>,
    stones: Stones<W>,
    query: Query,
    limits: SolverLimits,
    watch: &'a Watch,
    progress: &'a (dyn Fn(&Progress) + Sync),
    effort: Effort,
    focus: Focus,
    table: ProofTable<W>,
    wins: ProvedWins<W>,
    nodes: AtomicU64,
    /// Milliseconds after the start of the last progress report.
    reported: AtomicU64,
    decided: AtomicUsize,
    to_decide: AtomicUsize,
    /// Time on the watch when the session began.
    began: Duration,
}

impl<'a, const W: usize> Session<'a, W> {
    pub(super) fn new(
        board: &Board,
        query: Query,
        limits: SolverLimits,
        watch: &'a Watch,
        progress: &'a (dyn Fn(&Progress) + Sync),
    ) -> Session<'a, W> {
        let shape = Shape::new(board.size());
        let stones = Stones::of_board(shape.lattice(), board);
        let bytes = limits.memory_mb << 20;
        let wins = ProvedWins::new(bytes / WINS_DIVISOR);
        let table = ProofTable::new(bytes - wins.max_bytes().min(bytes));
        Session {
            shape,
            stones,
            query,
            limits,
            watch,
            progress,
            effort: EFFORT,
            focus: Focus::default(),
            table,
            wins,
            nodes: AtomicU64::new(0),
            reported: AtomicU64::new(0),
            decided: AtomicUsize::new(0),
            to_decide: AtomicUsize::new(1),
            began: watch.elapsed(),
        }
    }

    pub(super) fn solve_query(self) -> Solution {
        let mut solution = Solution::default();
        let to_move = self.query.to_move;
        if let Some(winner) = self.shape.winner(&self.stones) {
            solution.winner = Some(winner);
        } else {
            match self.query.target {
                Target::Winner => {
                    let won = self.solve(&self.stones, to_move);
                    solution.winner = won.map(|won| if won { to_move } else { to_move.other() });
                }
                Target::WinningMoves => self.decide_moves(&mut solution),
            }
        }
        if let Some(winner) = solution.winner {
            solution.line = self.line(winner);
            if self.query.verify {
                self.prove(winner, &mut solution);
            }
        }
        solution.nodes = self.nodes.load(Ordering::Relaxed);
        solution.stored = self.table.len();
        solution.elapsed = self.elapsed();
        solution
    }

    pub(super) fn decide_moves(&self, solution: &mut Solution) {
        let to_move = self.query.to_move;
        let theirs = Connections::build(&self.shape, &self.stones, to_move.other(), self.effort);
        let must_play = theirs.winning().must_play;
        // Moves that an analysis decides come first, so that they do not wait for hard ones.
        let mut moves: Vec<usize> = must_play.iter().collect();
        self.to_decide.store(moves.len(), Ordering::Relaxed);
        let mut analyzer = Analyzer::new(&self.shape, self.effort);
        let dominated: HashMap<usize, usize> =
            inferior_cells(&self.shape, &self.stones, to_move).dominated.into_iter().collect();
        moves.sort_by_cached_key(|&cell| {
            let breadth = analyzer.analyze(&self.stones.with(to_move, cell), to_move.other()).breadth();
            (dominated.contains_key(&cell), breadth)
        });
        let mut open = must_play;
        let mut lost = self.shape.empty(&self.stones) & !must_play;
        for cell in moves {
            let after = self.stones.with(to_move, cell);
            // A move dominated by a losing move loses too.
            if dominated.get(&cell).is_some_and(|&by| lost.contains(by)) {
                self.decided.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            // A move outside the carrier of an earlier refutation is refuted in the same way.
            let solved = if open.contains(cell) { self.solve(&after, to_move.other()) } else { Some(true) };
            match solved {
                Some(false) => solution.winning_moves.push(cell),
                Some(true) if open.contains(cell) => {
                    let size = self.shape.size();
                    let numbers = self.table.numbers(size, Hashes::of(size, &after, to_move.other()));
                    if numbers.phi == 0 {
                        open = open & numbers.carrier;
                    }
                    lost.insert(cell);
                }
                Some(true) => lost.insert(cell),
                None => solution.undecided.push(cell),
            }
            self.decided.fetch_add(1, Ordering::Relaxed);
        }
        solution.winning_moves.sort_unstable();
        solution.undecided.sort_unstable();
        if !solution.winning_moves.is_empty() {
            solution.winner = Some(to_move);
        } else if solution.undecided.is_empty() {
            solution.winner = Some(to_move.other());
        }
    }

    /// Does the side to move win? `None` if the limits do not suffice.
    fn solve(&self, stones: &Stones<W>, to_move: Side) -> Option<bool> {
        let stop = AtomicBool::new(false);
        let limits_reached = |nodes: u64| self.limits_reached(nodes);
        let shared = Shared {
            shape: &self.shape,
            table: &self.table,
            wins: &self.wins,
            focus: self.focus,
            nodes: &self.nodes,
            stop: &stop,
            limits_reached: &limits_reached,
        };
        if self.limits_reached(self.nodes.load(Ordering::Relaxed)) {
            return None;
        }
        let found = Mutex::new(None);
        let work = || {
            let mut worker = Worker::new(&shared, Analyzer::new(&self.shape, self.effort));
            let won = worker.solve(stones, to_move);
            stop.store(true, Ordering::Relaxed);
            if let (Some(won), Ok(mut found)) = (won, found.lock()) {
                *found = Some(won);
            }
        };
        std::thread::scope(|scope| {
            (1..self.limits.threads).for_each(|_| {
                scope.spawn(work);
            });
            work();
        });
        found.into_inner().ok().flatten()
    }

    fn elapsed(&self) -> Duration {
        self.watch.elapsed().saturating_sub(self.began)
    }

    fn limits_reached(&self, nodes: u64) -> bool {
        let elapsed = self.elapsed();
        let now = elapsed.as_millis() as u64;
        let reported = self.reported.load(Ordering::Relaxed);
        if now >= reported + REPORT_INTERVAL.as_millis() as u64
            && self.reported.compare_exchange(reported, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        {
            let moves = (self.decided.load(Ordering::Relaxed), self.to_decide.load(Ordering::Relaxed));
            (self.progress)(&Progress { nodes, elapsed, moves });
        }
        self.watch.is_stopped()
            || self.limits.nodes.is_some_and(|most| nodes >= most)
            || self.limits.time.is_some_and(|most| elapsed >= most)
    }

    /// A winning move of the side to move in a position it wins.
    fn winning_move(&self, stones: &Stones<W>, to_move: Side) -> Option<usize> {
        if self.solve(stones, to_move) != Some(true) {
            return None;
        }
        let size = self.shape.size();
        let hashes = Hashes::of(size, stones, to_move);
        let entry = self.table.get(hashes.key())?;
        let reply = entry.strategy.reply.map(|cell| entry.cell(size, hashes, cell as usize));
        let empty = self.shape.empty(stones);
        // If the win needs no move, any will do; the shortest way is the best to look at.
        let shortest = || {
            endgame::winning_move(&self.shape, stones, to_move, &empty, self.effort, &|| {
                self.watch.is_stopped()
            })
        };
        reply.or_else(shortest).or_else(|| empty.first())
    }

    /// To the end of the game, unless the limits are reached before.
    fn line(&self, winner: Side) -> Vec<usize> {
        let size = self.shape.size();
        let (mut stones, mut to_move) = (self.stones, self.query.to_move);
        let mut line = Vec::new();
        while self.shape.winner(&stones).is_none() && line.len() < size.cells() {
            let hashes = Hashes::of(size, &stones, to_move);
            let cell = if to_move == winner {
                self.winning_move(&stones, to_move)
            } else {
                self.table
                    .get(hashes.key())
                    .and_then(|entry| {
                        let reduced = entry.reduced.clone()?;
                        let inner = Hashes::of(size, &reduced.stones, to_move);
                        let work = |cell: usize| {
                            self.table.get(inner.after(size, cell).key()).map_or(0, |child| child.work)
                        };
                        let cell =
                            reduced.moves.iter().map(|&cell| cell as usize).max_by_key(|&cell| work(cell))?;
                        Some(entry.cell(size, hashes, cell))
                    })
                    // Decided without a search: the answer that holds out longest.
                    .or_else(|| {
                        endgame::longest_loss(&self.shape, &stones, to_move, &self.shape.empty(&stones))
                    })
            };
            let Some(cell) = cell else { break };
            line.push(cell);
            stones.put(to_move, cell);
            to_move = to_move.other();
        }
        line
    }

    fn prove(&self, winner: Side, solution: &mut Solution) {
        let to_move = self.query.to_move;
        let guide = TableGuide { session: self, winner };
        if let Some(proof) = certify::write(&self.shape, &self.stones, to_move, winner, &guide) {
            solution.proof_failed = !proof::check(&self.shape, &self.stones, to_move, &proof);
            solution.proof = (!solution.proof_failed).then_some(proof);
        }
    }

    #[cfg(test)]
    pub(super) fn set(&mut self, effort: Effort, focus: Focus) {
        (self.effort, self.focus) = (effort, focus);
    }

    /// The most memory that the tables can take.
    #[cfg(test)]
    pub(super) fn max_bytes(&self) -> usize {
        self.table.max_bytes() + self.wins.max_bytes()
    }

    #[cfg(test)]
    pub(super) fn wins(&self) -> &ProvedWins<W> {
        &self.wins
    }

    /// Who wins, and the carrier of that.
    #[cfg(test)]
    pub(super) fn winner_and_carrier(&self) -> Option<(Side, crate::bits::Bits<W>)> {
        let to_move = self.query.to_move;
        let won = self.solve(&self.stones, to_move)?;
        let hashes = Hashes::of(self.shape.size(), &self.stones, to_move);
        let carrier = self.table.get(hashes.key())?.carrier(self.shape.size(), hashes);
        Some((if won { to_move } else { to_move.other() }, carrier))
    }
}

/// Guides a proof by the table of positions.
struct TableGuide<'a, 's, const W: usize> {
    session: &'a Session<'s, W>,
    winner: Side,
}

impl<const W: usize> Guide<W> for TableGuide<'_, '_, W> {
    fn win(&self, stones: &Stones<W>, to_move: Side) -> Option<Strategy<W>> {
        let won = self.session.solve(stones, to_move)?;
        let size = self.session.shape.size();
        let hashes = Hashes::of(size, stones, to_move);
        let entry = self.session.table.get(hashes.key()).filter(|_| won == (to_move == self.winner))?;
        let reply = entry.strategy.reply.map(|cell| entry.cell(size, hashes, cell as usize) as u16);
        Some(Strategy { carrier: entry.carrier(size, hashes), reply })
    }

    fn answers(&self, stones: &Stones<W>) -> Vec<usize> {
        let loser = self.winner.other();
        let (table, size) = (&self.session.table, self.session.shape.size());
        let hashes = Hashes::of(size, stones, loser);
        let known = self.session.solve(stones, loser).and_then(|_| table.get(hashes.key()));
        let Some((entry, reduced)) = known.and_then(|entry| Some((entry.clone(), entry.reduced?))) else {
            return Vec::new();
        };
        let inner = Hashes::of(size, &reduced.stones, loser);
        let mut answers: Vec<(usize, usize)> = reduced
            .moves
            .iter()
            .filter_map(|&cell| {
                let child = table.numbers(size, inner.after(size, cell as usize));
                (child.phi == 0).then(|| (child.carrier.len(), entry.cell(size, hashes, cell as usize)))
            })
            .collect();
        answers.sort_unstable();
        answers.into_iter().map(|(_, cell)| cell).collect()
    }
}
