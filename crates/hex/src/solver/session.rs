//! One question being answered: the budget, the threads, and reading moves out of the table.

use super::dfpn::{Shared, Worker};
use super::knowledge::Looker;
use super::proof::{self, Proof};
use super::table::{Hashes, Table};
use super::{Answer, Ask, Budget, Progress, Question};
use crate::Board;
use crate::inferior;
use crate::stones::{Shape, Stones};
use crate::vc::{Connections, Effort};
use game::{Side, Watch};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_millis(250);

pub(super) struct Session<'a, const W: usize> {
    shape: Shape<W>,
    stones: Stones<W>,
    question: Question,
    budget: Budget,
    watch: &'a Watch,
    progress: &'a (dyn Fn(&Progress) + Sync),
    effort: Effort,
    table: Table<W>,
    nodes: AtomicU64,
    /// Milliseconds after the start when progress was last told.
    told: AtomicU64,
    decided: AtomicUsize,
    to_decide: AtomicUsize,
    /// Time on the watch when the session began.
    began: Duration,
}

impl<'a, const W: usize> Session<'a, W> {
    pub(super) fn new(
        board: &Board,
        question: Question,
        budget: Budget,
        watch: &'a Watch,
        progress: &'a (dyn Fn(&Progress) + Sync),
    ) -> Session<'a, W> {
        let shape = Shape::new(board.size());
        let stones = Stones::of_board(shape.lattice(), board);
        Session {
            shape,
            stones,
            question,
            budget,
            watch,
            progress,
            effort: Effort::default(),
            table: Table::new(budget.memory_mb),
            nodes: AtomicU64::new(0),
            told: AtomicU64::new(0),
            decided: AtomicUsize::new(0),
            to_decide: AtomicUsize::new(1),
            began: watch.elapsed(),
        }
    }

    pub(super) fn answer(self) -> Answer {
        let mut answer = Answer::default();
        let to_move = self.question.to_move;
        if let Some(winner) = self.shape.winner(&self.stones) {
            answer.winner = Some(winner);
        } else {
            match self.question.ask {
                Ask::Winner => {
                    let won = self.solve(&self.stones, to_move);
                    answer.winner = won.map(|won| if won { to_move } else { to_move.other() });
                }
                Ask::WinningMoves => self.decide_moves(&mut answer),
            }
        }
        if let Some(winner) = answer.winner {
            answer.line = self.line(winner);
            if self.question.verify {
                answer.proof = self.prove(winner);
            }
        }
        answer.nodes = self.nodes.load(Ordering::Relaxed);
        answer.stored = self.table.len();
        answer.elapsed = self.elapsed();
        answer
    }

    fn decide_moves(&self, answer: &mut Answer) {
        let to_move = self.question.to_move;
        let theirs = Connections::build(&self.shape, &self.stones, to_move.other(), self.effort);
        let must_play = theirs.winning().must_play;
        // Knowledge first: what it decides at once should not wait behind what takes the budget.
        let mut moves: Vec<usize> = must_play.iter().collect();
        self.to_decide.store(moves.len(), Ordering::Relaxed);
        let mut looker = Looker::new(&self.shape, self.effort);
        moves.sort_by_cached_key(|&cell| {
            looker.look(&self.stones.with(to_move, cell), to_move.other()).breadth()
        });
        for cell in moves {
            match self.solve(&self.stones.with(to_move, cell), to_move.other()) {
                Some(false) => answer.winning_moves.push(cell),
                Some(true) => {}
                None => answer.undecided.push(cell),
            }
            self.decided.fetch_add(1, Ordering::Relaxed);
        }
        answer.winning_moves.sort_unstable();
        answer.undecided.sort_unstable();
        if !answer.winning_moves.is_empty() {
            answer.winner = Some(to_move);
        } else if answer.undecided.is_empty() {
            answer.winner = Some(to_move.other());
        }
    }

    /// Does the side to move win? `None` if the budget does not suffice.
    fn solve(&self, stones: &Stones<W>, to_move: Side) -> Option<bool> {
        let stop = AtomicBool::new(false);
        let out_of_budget = |nodes: u64| self.out_of_budget(nodes);
        let shared = Shared {
            shape: &self.shape,
            table: &self.table,
            nodes: &self.nodes,
            stop: &stop,
            out_of_budget: &out_of_budget,
        };
        if self.out_of_budget(self.nodes.load(Ordering::Relaxed)) {
            return None;
        }
        let found = Mutex::new(None);
        let work = || {
            let mut worker = Worker::new(&shared, Looker::new(&self.shape, self.effort));
            let won = worker.solve(stones, to_move);
            stop.store(true, Ordering::Relaxed);
            if let (Some(won), Ok(mut found)) = (won, found.lock()) {
                *found = Some(won);
            }
        };
        std::thread::scope(|scope| {
            (1..self.budget.threads).for_each(|_| {
                scope.spawn(work);
            });
            work();
        });
        found.into_inner().ok().flatten()
    }

    fn elapsed(&self) -> Duration {
        self.watch.elapsed().saturating_sub(self.began)
    }

    fn out_of_budget(&self, nodes: u64) -> bool {
        let elapsed = self.elapsed();
        let now = elapsed.as_millis() as u64;
        let told = self.told.load(Ordering::Relaxed);
        if now >= told + TELL_EVERY.as_millis() as u64
            && self.told.compare_exchange(told, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        {
            let moves = (self.decided.load(Ordering::Relaxed), self.to_decide.load(Ordering::Relaxed));
            (self.progress)(&Progress { nodes, elapsed, moves });
        }
        self.watch.is_stopped()
            || self.budget.nodes.is_some_and(|most| nodes >= most)
            || self.budget.time.is_some_and(|most| elapsed >= most)
    }

    /// A winning move of the side to move in a position it wins.
    fn winning_move(&self, stones: &Stones<W>, to_move: Side) -> Option<usize> {
        if self.solve(stones, to_move) != Some(true) {
            return None;
        }
        let size = self.shape.size();
        let hashes = Hashes::of(size, stones, to_move);
        let entry = self.table.get(hashes.key())?;
        let Some(opened) = entry.opened else { return self.known_move(stones, to_move) };
        let inner = Hashes::of(size, &opened.stones, to_move);
        let lost =
            |cell: usize| self.table.get(inner.after(size, cell).key()).is_some_and(|child| child.is_lost());
        let moves = || opened.moves.iter().map(|&cell| cell as usize);
        // The table may have forgotten which; then it is found again.
        let cell = moves().find(|&cell| lost(cell)).or_else(|| {
            moves()
                .find(|&cell| self.solve(&opened.stones.with(to_move, cell), to_move.other()) == Some(false))
        })?;
        Some(if entry.turned == hashes.is_turned() { cell } else { size.turned(cell) })
    }

    /// The winning move of a position that knowledge alone decides.
    fn known_move(&self, stones: &Stones<W>, to_move: Side) -> Option<usize> {
        let filled = inferior::fill_in(&self.shape, stones).stones;
        let effort = Effort { until_semi: true, ..self.effort };
        let key = || {
            let own = Connections::build(&self.shape, &filled, to_move, effort);
            own.winning().semi.map(|(_, key)| key)
        };
        // Where the win needs no move, any will do.
        self.shape.winner(&filled).is_none().then(key).flatten().or_else(|| self.shape.empty(stones).first())
    }

    fn line(&self, winner: Side) -> Vec<usize> {
        let size = self.shape.size();
        let (mut stones, mut to_move) = (self.stones, self.question.to_move);
        let mut line = Vec::new();
        while self.shape.winner(&stones).is_none() && line.len() < size.cells() {
            let hashes = Hashes::of(size, &stones, to_move);
            let cell = if to_move == winner {
                self.winning_move(&stones, to_move)
            } else {
                self.table.get(hashes.key()).and_then(|entry| {
                    let opened = entry.opened?;
                    let inner = Hashes::of(size, &opened.stones, to_move);
                    let work = |cell: usize| {
                        self.table.get(inner.after(size, cell).key()).map_or(0, |child| child.work)
                    };
                    let cell =
                        opened.moves.iter().map(|&cell| cell as usize).max_by_key(|&cell| work(cell))?;
                    Some(if entry.turned == hashes.is_turned() { cell } else { size.turned(cell) })
                })
            };
            let Some(cell) = cell else { break };
            line.push(cell);
            stones.put(to_move, cell);
            to_move = to_move.other();
        }
        line
    }

    fn prove(&self, winner: Side) -> Option<Proof> {
        let mut prover = |stones: &Stones<W>| self.winning_move(stones, winner);
        proof::check(&self.shape, &self.stones, self.question.to_move, winner, &mut prover)
    }
}
