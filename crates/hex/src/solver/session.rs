//! One question being answered: the budget, the threads, and reading moves out of the table.

use super::certify::{self, Guide};
use super::dfpn::{Focus, Shared, Worker};
use super::knowledge::{Decided, Looker};
use super::proof;
use super::table::{Hashes, Table};
use super::wins::Wins;
use super::{Answer, Ask, Budget, Progress, Question};
use crate::Board;
use crate::inferior;
use crate::stones::{Shape, Stones};
use crate::vc::{Connections, Effort};
use game::{Side, Watch};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_millis(250);

/// What a look at a position may take. On 6x6 lists half as long take a third more positions and the same time; longer
/// ones gain nothing. Proofs are derived with the same.
pub(super) const EFFORT: Effort = Effort {
    between_cells: 3,
    fulls: 10,
    semis: 24,
    or_depth: 4,
    or_of_many: false,
    until_semi: false,
    steps: usize::MAX,
};

pub(super) struct Session<'a, const W: usize> {
    shape: Shape<W>,
    stones: Stones<W>,
    question: Question,
    budget: Budget,
    watch: &'a Watch,
    progress: &'a (dyn Fn(&Progress) + Sync),
    effort: Effort,
    focus: Focus,
    table: Table<W>,
    wins: Wins<W>,
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
            effort: EFFORT,
            focus: Focus::default(),
            table: Table::new(budget.memory_mb),
            wins: Wins::new(budget.memory_mb),
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
                self.prove(winner, &mut answer);
            }
        }
        answer.nodes = self.nodes.load(Ordering::Relaxed);
        answer.stored = self.table.len();
        answer.elapsed = self.elapsed();
        answer
    }

    pub(super) fn decide_moves(&self, answer: &mut Answer) {
        let to_move = self.question.to_move;
        let theirs = Connections::build(&self.shape, &self.stones, to_move.other(), self.effort);
        let must_play = theirs.winning().must_play;
        // Knowledge first: what it decides at once should not wait behind what takes the budget.
        let mut moves: Vec<usize> = must_play.iter().collect();
        self.to_decide.store(moves.len(), Ordering::Relaxed);
        let mut looker = Looker::new(&self.shape, self.effort);
        let dominated: HashMap<usize, usize> =
            inferior::analyze(&self.shape, &self.stones, to_move).dominated.into_iter().collect();
        moves.sort_by_cached_key(|&cell| {
            let breadth = looker.look(&self.stones.with(to_move, cell), to_move.other()).breadth();
            (dominated.contains_key(&cell), breadth)
        });
        let mut open = must_play;
        let mut lost = self.shape.empty(&self.stones) & !must_play;
        for cell in moves {
            let after = self.stones.with(to_move, cell);
            // What is no better than a move that loses loses too.
            if dominated.get(&cell).is_some_and(|&by| lost.contains(by)) {
                self.decided.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            // A move outside of the carrier of an earlier refutation is refuted in the same way.
            let solved = if open.contains(cell) { self.solve(&after, to_move.other()) } else { Some(true) };
            match solved {
                Some(false) => answer.winning_moves.push(cell),
                Some(true) if open.contains(cell) => {
                    let size = self.shape.size();
                    let numbers = self.table.numbers(size, Hashes::of(size, &after, to_move.other()));
                    if numbers.phi == 0 {
                        open = open & numbers.carrier;
                    }
                    lost.insert(cell);
                }
                Some(true) => lost.insert(cell),
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
            wins: &self.wins,
            focus: self.focus,
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
        let reply = entry.decided.reply.map(|cell| entry.cell(size, hashes, cell as usize));
        // Where the win needs no move, any will do.
        reply.or_else(|| self.shape.empty(stones).first())
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
                    let opened = entry.opened.clone()?;
                    let inner = Hashes::of(size, &opened.stones, to_move);
                    let work = |cell: usize| {
                        self.table.get(inner.after(size, cell).key()).map_or(0, |child| child.work)
                    };
                    let cell =
                        opened.moves.iter().map(|&cell| cell as usize).max_by_key(|&cell| work(cell))?;
                    Some(entry.cell(size, hashes, cell))
                })
            };
            let Some(cell) = cell else { break };
            line.push(cell);
            stones.put(to_move, cell);
            to_move = to_move.other();
        }
        line
    }

    fn prove(&self, winner: Side, answer: &mut Answer) {
        let to_move = self.question.to_move;
        let guide = TableGuide { session: self, winner };
        if let Some(proof) = certify::write(&self.shape, &self.stones, to_move, winner, &guide) {
            answer.doubt = !proof::check(&self.shape, &self.stones, to_move, &proof);
            answer.proof = (!answer.doubt).then_some(proof);
        }
    }

    #[cfg(test)]
    pub(super) fn set(&mut self, effort: Effort, focus: Focus) {
        (self.effort, self.focus) = (effort, focus);
    }

    #[cfg(test)]
    pub(super) fn wins(&self) -> &Wins<W> {
        &self.wins
    }

    /// Who wins, and the carrier of that.
    #[cfg(test)]
    pub(super) fn winner_and_carrier(&self) -> Option<(Side, crate::bits::Bits<W>)> {
        let to_move = self.question.to_move;
        let won = self.solve(&self.stones, to_move)?;
        let hashes = Hashes::of(self.shape.size(), &self.stones, to_move);
        let carrier = self.table.get(hashes.key())?.carrier(self.shape.size(), hashes);
        Some((if won { to_move } else { to_move.other() }, carrier))
    }
}

/// The table of positions as the guide of a proof.
struct TableGuide<'a, 's, const W: usize> {
    session: &'a Session<'s, W>,
    winner: Side,
}

impl<const W: usize> Guide<W> for TableGuide<'_, '_, W> {
    fn win(&self, stones: &Stones<W>, to_move: Side) -> Option<Decided<W>> {
        let won = self.session.solve(stones, to_move)?;
        let size = self.session.shape.size();
        let hashes = Hashes::of(size, stones, to_move);
        let entry = self.session.table.get(hashes.key()).filter(|_| won == (to_move == self.winner))?;
        let reply = entry.decided.reply.map(|cell| entry.cell(size, hashes, cell as usize) as u16);
        Some(Decided { carrier: entry.carrier(size, hashes), reply })
    }

    fn answers(&self, stones: &Stones<W>) -> Vec<usize> {
        let loser = self.winner.other();
        let (table, size) = (&self.session.table, self.session.shape.size());
        let hashes = Hashes::of(size, stones, loser);
        let known = self.session.solve(stones, loser).and_then(|_| table.get(hashes.key()));
        let Some((entry, opened)) = known.and_then(|entry| Some((entry.clone(), entry.opened?))) else {
            return Vec::new();
        };
        let inner = Hashes::of(size, &opened.stones, loser);
        let mut answers: Vec<(usize, usize)> = opened
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
