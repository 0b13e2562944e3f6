//! `Engine` for the classic searches: limits, reports, levels and the swap choice.

use super::level;
use crate::{Point, Position};
use ::game::{
    Bound, Cell, Decision, Engine, EngineError, Level, Limits, Line, Move, Position as GamePosition, Report,
    RootMove, Side, Watch,
};
use search::adversarial::{Game, GameOutcome, alpha_beta, full_tree, iterative_deepening, minimax};
use search::stop;

/// What makes up a classic engine.
pub(super) trait Classic: Send {
    /// The game as the engine searches it; moves are cells counted row by row.
    type Game: Game<Move = u16>;
    /// The engine's name.
    const NAME: &'static str;
    /// The default depth.
    const DEPTH: u32;

    /// The game, set to a position.
    fn game(&self, position: &Position) -> Self::Game;

    /// Alpha-beta, or plain minimax?
    fn pruning(&self) -> bool {
        true
    }
}

/// A classic engine.
pub(super) struct ClassicEngine<C> {
    classic: C,
}

impl<C: Classic> ClassicEngine<C> {
    pub(super) fn new(classic: C) -> ClassicEngine<C> {
        ClassicEngine { classic }
    }

    fn search(
        &self,
        position: &Position,
        allowed: &[bool],
        depth: u32,
        mut keep_going: impl FnMut() -> bool,
    ) -> GameOutcome<u16> {
        let mut game = Rooted::new(self.classic.game(position), allowed.to_vec());
        if self.classic.pruning() {
            alpha_beta(&mut game, depth, &mut keep_going, &mut ())
        } else {
            minimax(&mut game, depth, &mut keep_going, &mut ())
        }
    }

    /// White's choice among offered fifth moves: the one whose search is worst for Black.
    fn select(
        &self,
        position: &Position,
        allowed: &[bool],
        limits: &Limits,
        watch: &Watch,
    ) -> Result<Decision, EngineError> {
        let offered: Vec<usize> = (0..allowed.len()).filter(|cell| allowed[*cell]).collect();
        let depth = limits.depth.unwrap_or(C::DEPTH).max(1);
        let time = limits.time_share().map(|time| time / offered.len().max(1) as u32);
        let nodes = limits.nodes.map_or(u64::MAX, |nodes| nodes / offered.len().max(1) as u64);
        let mut best: Option<(f64, u16)> = None;
        for cell in offered {
            let only: Vec<bool> = (0..allowed.len()).map(|other| other == cell).collect();
            let (started, mut counted) = (watch.elapsed(), 0);
            let keep_going = || {
                counted += 1;
                let in_time = time.is_none_or(|time| watch.elapsed() - started < time);
                counted <= nodes && in_time && !watch.is_stopped()
            };
            let outcome = self.search(position, &only, depth, keep_going);
            if best.is_none_or(|(value, _)| outcome.value < value) {
                best = Some((outcome.value, cell as u16));
            }
        }
        let Some((_, cell)) = best else { return Err(EngineError::NoMove("no offer is left".into())) };
        let mv = to_move(cell, usize::from(position.rows()));
        Ok(Decision { mv, report: Report::default() })
    }

    /// Weaker play: exact values a little way ahead, with small errors.
    fn weakened(&self, position: &Position, allowed: &[bool], limits: &Limits, plies: u32) -> Option<u16> {
        let mut game = Rooted::new(self.classic.game(position), allowed.to_vec());
        let outcome = minimax(&mut game, plies, stop::never(), &mut ());
        let sign = if position.to_move() == Side::Black { 1.0 } else { -1.0 };
        let table: Vec<(u16, f64)> = outcome.root.iter().map(|row| (row.mv, sign * row.value)).collect();
        level::choose(&table, limits.level, limits.seed ^ position.hash())
    }
}

impl<C: Classic> Engine for ClassicEngine<C> {
    fn name(&self) -> &str {
        C::NAME
    }

    fn think(
        &mut self,
        position: &dyn GamePosition,
        limits: &Limits,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        let position: &Position = ::game::own_position(C::NAME, "gomoku", position)?;
        if position.declare_up_to() > 0 {
            // A plain engine has no opinion on openings: half of what is allowed.
            let mv = Move::Declare(position.declare_up_to().div_ceil(2));
            return Ok(Decision { mv, report: Report::default() });
        }
        let mut allowed = allowed_cells(position, limits)?;
        if position.is_selecting() {
            return self.select(position, &allowed, limits, watch);
        }
        if limits.level != Level::MAX {
            level::keep_safe(position, &mut allowed);
        }
        let depth = limits.depth.unwrap_or(C::DEPTH).max(1);
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let time = limits.time_share();
        let mut counted = 0u64;
        let mut clock =
            stop::every(32, || !watch.is_stopped() && time.is_none_or(|time| watch.elapsed() < time));
        let mut keep_going = || {
            counted += 1;
            counted <= nodes && clock()
        };
        // A fixed depth alone is searched at once, as the originals do; under a clock an answer is needed early.
        let timed = time.is_some() || limits.nodes.is_some();
        let outcome = if timed {
            let search = |depth| self.search(position, &allowed, depth, &mut keep_going);
            iterative_deepening(depth, search, |found| {
                report(&summary(position, found, watch, self.classic.pruning()))
            })
        } else {
            self.search(position, &allowed, depth, &mut keep_going)
        };
        let mut answer = summary(position, &outcome, watch, self.classic.pruning());
        let size = usize::from(position.rows());
        for _ in 1..limits.lines {
            // The values of other root moves are only bounds, so further lines are searched for themselves.
            answer.lines.iter().filter_map(|line| line.moves.first()?.cell()).for_each(|cell| {
                allowed[usize::from(cell.row) * size + usize::from(cell.col)] = false;
            });
            if !allowed.contains(&true) {
                break;
            }
            let next = self.search(position, &allowed, outcome.depth, &mut keep_going);
            answer.lines.extend(summary(position, &next, watch, true).lines.into_iter().take(1));
            answer.nodes += next.stats.nodes;
        }
        report(&answer);
        // Stopped before anything was found: the first move in the engine's order.
        let fallback = || {
            let mut game = Rooted { game: self.classic.game(position), allowed: allowed.clone(), ply: 0 };
            let mut moves = Vec::new();
            game.moves(&mut moves);
            moves.first().copied()
        };
        let strong = outcome.best.or_else(fallback);
        let chosen = match limits.level {
            Level::MAX => strong,
            level => self.weakened(position, &allowed, limits, level::plies(level)).or(strong),
        };
        let Some(cell) = chosen else {
            return Err(EngineError::NoMove("no cell is left to play".into()));
        };
        let mut mv = position.point_move(Point::of(cell_at(cell, size)));
        // Taking over the opponent's colour is right when one's own is worse off.
        if position.legal(Move::Swap).is_ok() && limits.allows(Move::Swap) && answer.score < 0.0 {
            mv = Move::Swap;
        }
        Ok(Decision { mv, report: answer })
    }
}

/// The stones of a position with their cells counted row by row.
pub(super) fn stones(position: &Position) -> impl Iterator<Item = (Side, usize)> + '_ {
    let board = position.board();
    let size = usize::from(board.size());
    let cell = move |row: u8, col: u8| usize::from(row) * size + usize::from(col);
    board.all_points().filter_map(move |at| Some((board.at(at)?, cell(at.row(), at.col()))))
}

fn cell_at(cell: u16, size: usize) -> Cell {
    Cell::new((usize::from(cell) / size) as u8, (usize::from(cell) % size) as u8)
}

fn to_move(cell: u16, size: usize) -> Move {
    Move::Place(cell_at(cell, size))
}

/// Which cells may be played at the root: the rules and the limits decide, not the engine's model of the game.
pub(super) fn allowed_cells(position: &Position, limits: &Limits) -> Result<Vec<bool>, EngineError> {
    let size = usize::from(position.rows());
    let mut allowed = vec![false; size * size];
    for mv in position.legal_moves() {
        if let (Move::Place(cell) | Move::Offer(cell), true) = (mv, limits.allows(mv)) {
            allowed[usize::from(cell.row) * size + usize::from(cell.col)] = true;
        }
    }
    if allowed.contains(&true) {
        return Ok(allowed);
    }
    Err(EngineError::NoMove(match position.outcome() {
        Some(_) => "the game is over".into(),
        None => "every legal move is excluded".into(),
    }))
}

/// What a search found, from the view of the side to move.
fn summary(position: &Position, outcome: &GameOutcome<u16>, watch: &Watch, pruned: bool) -> Report {
    let sign = if position.to_move() == Side::Black { 1.0 } else { -1.0 };
    let size = usize::from(position.rows());
    let empty = (size * size - position.board().stones()) as u32;
    let score = sign * outcome.value;
    let moves = outcome.line.iter().map(|cell| to_move(*cell, size)).collect();
    let row = |row: &search::adversarial::RootMove<u16>| RootMove {
        mv: to_move(row.mv, size),
        score: sign * row.value,
        win_rate: win_rate(sign * row.value),
        bound: Bound::Exact,
        nodes: row.nodes,
    };
    let mut root: Vec<RootMove> = outcome.root.iter().map(row).collect();
    if pruned {
        RootMove::mark_cut_off(&mut root);
    }
    Report {
        depth: outcome.depth,
        selective_depth: outcome.line.len() as u32,
        score,
        win_rate: win_rate(score),
        mate: None,
        nodes: outcome.stats.nodes,
        elapsed: watch.elapsed(),
        lines: vec![Line {
            moves,
            score,
            win_rate: win_rate(score),
            mate: None,
            depth: outcome.depth,
            nodes: outcome.stats.nodes,
        }],
        root,
        full_tree: Some(full_tree((0..outcome.depth).map(|ply| empty.saturating_sub(ply)))),
    }
}

/// A rough guess: classic scores have no unit, but a four's worth (hundreds to thousands) should tell.
fn win_rate(score: f64) -> f64 {
    let size = score.abs().ln_1p() / 12.0;
    0.5 + 0.5 * score.signum() * size.min(1.0)
}

/// A game whose root offers only allowed cells.
pub(super) struct Rooted<G> {
    game: G,
    allowed: Vec<bool>,
    ply: u32,
}

impl<G> Rooted<G> {
    pub(super) fn new(game: G, allowed: Vec<bool>) -> Rooted<G> {
        Rooted { game, allowed, ply: 0 }
    }
}

impl<G: Game<Move = u16>> Game for Rooted<G> {
    type Move = u16;

    fn moves(&mut self, out: &mut Vec<u16>) {
        let from = out.len();
        self.game.moves(out);
        if self.ply > 0 {
            return;
        }
        let mut kept = from;
        for i in from..out.len() {
            if self.allowed[usize::from(out[i])] {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
        if out.len() == from {
            // All moves of the engine's choice are excluded: any allowed cell is better than none.
            out.extend((0..self.allowed.len()).filter(|cell| self.allowed[*cell]).map(|cell| cell as u16));
        }
    }

    fn play(&mut self, mv: u16) {
        self.ply += 1;
        self.game.play(mv);
    }

    fn undo(&mut self, mv: u16) {
        self.ply -= 1;
        self.game.undo(mv);
    }

    fn is_over(&self) -> bool {
        self.game.is_over()
    }

    fn evaluate(&self) -> f64 {
        self.game.evaluate()
    }

    fn max_to_move(&self) -> bool {
        self.game.max_to_move()
    }

    fn result(&self) -> Option<f64> {
        self.game.result()
    }
}
