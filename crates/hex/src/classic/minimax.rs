//! `classic-minimax`: alpha-beta with iterative deepening over a hand-made [evaluation](super::evaluation), which also
//! orders the moves.
//!
//! The source document evaluates a leaf for the side to move there but compares values as if for black, which is wrong at
//! every other depth; here a leaf is evaluated for the side that searches. A finished game outweighs any evaluation, the
//! sooner the more.

use super::evaluation::evaluate;
use super::level::Weakness;
use super::request::{ClassicEngine, ClassicSearch};
use crate::request::EngineRequest;
use crate::{Board, Position};
use game::{Decision, EngineInfo, Line, Options, Position as _, Report, RootMove, Side};
use search::adversarial::{Game, GameOutcome, alpha_beta, iterative_deepening};
use search::rng::mix;

/// Plies by default; the depth of the source document.
const DEPTH: u32 = 17;

/// Nodes without any limit, so that depth 17 ends: a few seconds.
const NODES: u64 = 40_000;

/// The value of a game won at the root; a ply later is one less.
pub(super) const WIN: f64 = 1e6;

/// Points of the evaluation that raise the expected result from 1/2 to 73%.
const POINTS_PER_LOGIT: f64 = 1500.0;

pub(super) const INFO: EngineInfo = EngineInfo {
    name: "classic-minimax",
    about: "alpha-beta over a hand-made evaluation: connectivity, paths, bridges, threats",
    options: &[],
    make: |options: &Options| {
        options.check(&[])?;
        Ok(Box::new(ClassicEngine(Minimax)))
    },
};

struct Minimax;

impl ClassicSearch for Minimax {
    const NAME: &'static str = INFO.name;

    fn search(&self, request: &EngineRequest, report: &mut dyn FnMut(&Report)) -> Decision {
        let weakness = Weakness::of(request.limits.level);
        let mut game = MinimaxGame::new(request.position);
        game.root = request.cells.clone();
        game.error = weakness.error;
        game.seed = request.limits.seed;
        let depth =
            request.limits.depth.unwrap_or(DEPTH).min(weakness.depth).min(request.cells.len() as u32).max(1);
        let budget = request.limits.nodes.unwrap_or(if request.is_timed() { u64::MAX } else { NODES });
        let mut spent = 0;
        let outcome = iterative_deepening(
            depth,
            |depth| {
                let keep_going = || {
                    let go = spent < budget && request.may_continue();
                    spent += u64::from(go);
                    go
                };
                alpha_beta(&mut game, depth, keep_going, &mut ())
            },
            |outcome| {
                report(&describe(request, outcome));
            },
        );
        let answer = describe(request, &outcome);
        // Stopped before the first move was evaluated: play any legal move.
        let first = outcome.best.unwrap_or(request.cells[0]);
        Decision { mv: request.mv(first), report: answer }
    }
}

fn describe(request: &EngineRequest, outcome: &GameOutcome<usize>) -> Report {
    let rate = |value: f64| 1.0 / (1.0 + (-value / POINTS_PER_LOGIT).exp());
    let mate = |value: f64| {
        let plies = (WIN - value.abs()).round();
        (plies < 1e4).then_some(if value > 0.0 { plies as i32 } else { -(plies as i32) })
    };
    let mut root: Vec<RootMove> = outcome
        .root
        .iter()
        .map(|row| RootMove {
            mv: request.mv(row.mv),
            score: row.value,
            win_rate: rate(row.value),
            bound: game::Bound::Exact,
            nodes: row.nodes,
        })
        .collect();
    RootMove::mark_cut_off(&mut root);
    let mut moves: Vec<_> = outcome.line.iter().map(|&index| request.mv(index)).collect();
    if moves.is_empty() {
        moves.extend(request.cells.first().map(|&index| request.mv(index)));
    }
    let line = Line {
        moves,
        score: outcome.value,
        win_rate: rate(outcome.value),
        mate: mate(outcome.value),
        depth: outcome.depth,
        nodes: outcome.stats.nodes,
    };
    Report {
        depth: outcome.depth,
        selective_depth: outcome.depth,
        score: outcome.value,
        win_rate: rate(outcome.value),
        mate: mate(outcome.value),
        nodes: outcome.stats.nodes,
        elapsed: request.watch.elapsed(),
        lines: request.lines(line, &root),
        root,
        full_tree: Some(outcome.stats.full_tree()),
    }
}

/// A position as alpha-beta sees it: MAX is the side to move at the root. Moves are cell indices.
#[derive(Clone, Debug)]
pub(super) struct MinimaxGame {
    board: Board,
    to_move: Side,
    max: Side,
    ply: u32,
    /// The moves at the root; empty means all.
    root: Vec<usize>,
    /// Largest error of the evaluation, for the lower levels.
    error: f64,
    seed: u64,
}

impl MinimaxGame {
    /// The game from this position on.
    pub(super) fn new(position: &Position) -> MinimaxGame {
        let to_move = position.to_move();
        let board = position.board().clone();
        MinimaxGame { board, to_move, max: to_move, ply: 0, root: Vec::new(), error: 0.0, seed: 0 }
    }

    /// The evaluation after a move, for move ordering.
    fn value_of_stone(&mut self, index: usize) -> f64 {
        self.board.place(self.to_move, index);
        let value = evaluate(&self.board, self.to_move);
        self.board.take_back();
        value
    }
}

impl Game for MinimaxGame {
    type Move = usize;

    fn moves(&mut self, out: &mut Vec<usize>) {
        let cells: Vec<usize> = if self.ply == 0 && !self.root.is_empty() {
            self.root.clone()
        } else {
            self.board.empty_cells().collect()
        };
        let mut valued: Vec<(f64, usize)> =
            cells.into_iter().map(|index| (self.value_of_stone(index), index)).collect();
        valued.sort_by(|a, b| b.0.total_cmp(&a.0));
        out.extend(valued.into_iter().map(|(_, index)| index));
    }

    fn play(&mut self, index: usize) {
        self.board.place(self.to_move, index);
        self.to_move = self.to_move.other();
        self.ply += 1;
    }

    fn undo(&mut self, _index: usize) {
        self.board.take_back();
        self.to_move = self.to_move.other();
        self.ply -= 1;
    }

    fn is_over(&self) -> bool {
        self.board.winner().is_some()
    }

    fn evaluate(&self) -> f64 {
        match self.board.winner() {
            Some(side) if side == self.max => WIN - f64::from(self.ply),
            Some(_) => f64::from(self.ply) - WIN,
            None => {
                let noise = mix(self.board.hash() ^ mix(self.seed)) as f64 / u64::MAX as f64 * 2.0 - 1.0;
                evaluate(&self.board, self.max) + self.error * noise
            }
        }
    }

    fn max_to_move(&self) -> bool {
        self.to_move == self.max
    }

    fn result(&self) -> Option<f64> {
        self.board.winner().map(|side| f64::from(u8::from(side == self.max)))
    }

    fn hash(&self) -> Option<u64> {
        Some(self.board.hash())
    }
}
