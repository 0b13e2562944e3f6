//! `tengen-ab`: alpha-beta on circuit resistance (Anshelevich 2002; Wolve is its best-known heir), with the same
//! knowledge as the main engine: every position is filled in, decided by connections where they decide it, and
//! searched only in the must-play region without inferior cells.
//!
//! Looking at a position costs far more than anything else here, so what was seen is kept for the next iteration.

use super::time::Budget;
use super::{Request, endgame, proved_win, root, search::start_of, swapped};
use crate::bits::Bits;
use crate::by_width;
use crate::solver::knowledge::{Looked, Looker};
use crate::solver::order::currents;
use crate::stones::{Shape, Stones};
use crate::vc::Effort;
use game::{Decision, Engine, EngineError, EngineInfo, Level, Limits, Line, Move, Position};
use game::{Report, RootMove, Side, Watch};
use std::collections::HashMap;

/// The entry of the list of engines.
pub const INFO: EngineInfo = EngineInfo {
    name: "tengen-ab",
    about: "alpha-beta on circuit resistance, with virtual connections and inferior cells",
    options: OPTIONS,
    make: |options| {
        options.check(OPTIONS)?;
        let width: usize = options.parse("width", WIDTH)?;
        if width == 0 {
            let problem = "accepted: a number from 1".to_string();
            return Err(EngineError::Option { key: "width".into(), value: "0".into(), problem });
        }
        Ok(Box::new(AlphaBeta { width }))
    },
};

const OPTIONS: &[(&str, &str)] = &[("width", "moves tried at each position below the root (15)")];

/// Moves tried at each position, the most promising by current. Wolve tries 15 to 20.
const WIDTH: usize = 15;

/// Positions looked at where the limits name nothing: a few seconds on 11x11.
const LOOKS: u64 = 3_000;

/// H-search steps of one look, as in the main engine.
const STEPS: usize = super::params::LOOK.steps;

/// Deeper than this no iteration ends in practice.
const DEEPEST: u32 = 20;

/// A proved win; less for each ply that it is away from the root.
const WIN: f32 = 1000.0;
/// Scores beyond this are proved.
const PROVED: f32 = 900.0;

struct AlphaBeta {
    width: usize,
}

impl Engine for AlphaBeta {
    fn name(&self) -> &str {
        INFO.name
    }

    fn think(
        &mut self,
        position: &dyn Position,
        limits: &Limits,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        let request = Request::open(INFO.name, position, limits, watch)?;
        let decision = match request.at_once() {
            Some(decision) => decision,
            None => by_width!(request.position.size(), W => self.answer::<W>(&request, report)),
        };
        report(&decision.report);
        Ok(decision)
    }
}

/// A root move with the value of its last finished search.
#[derive(Clone, Debug)]
struct RootRow {
    cell: usize,
    value: f32,
    line: Vec<usize>,
}

impl AlphaBeta {
    fn answer<const W: usize>(&self, request: &Request<'_>, report: &mut dyn FnMut(&Report)) -> Decision {
        let Request { position, limits, watch, may_swap, cells } = request;
        let shape = Shape::<W>::new(position.size());
        let start = start_of(&shape, position);
        let (stones, side) = (start.stones, start.to_move);
        let mut allowed = Bits::<W>::EMPTY;
        cells.iter().for_each(|&cell| allowed.insert(cell));
        let most = match limits.level {
            Level::Easy => 20,
            Level::Medium => 120,
            Level::Hard => 800,
            Level::Max => u64::MAX,
        };
        let budget = Budget::of(limits, cells.len(), most);
        let default = if limits.move_time.is_some() || limits.clock.is_some() { u64::MAX } else { LOOKS };
        let looks = limits.nodes.unwrap_or(default).min(most).max(1);
        let mut search = Search {
            shape: &shape,
            looker: Looker::new(&shape, Effort { steps: STEPS, ..Effort::default() }),
            seen: HashMap::new(),
            budget,
            watch,
            width: self.width,
            looks,
            nodes: 0,
            stopped: false,
        };
        let opened = match search.looker.look(&stones, side) {
            Looked::Open(opened) => opened,
            decided => {
                let won = matches!(decided, Looked::Won);
                return self.decided(&shape, &stones, side, won, request);
            }
        };
        let good: Vec<usize> =
            opened.moves.iter().map(|&cell| cell as usize).filter(|&cell| allowed.contains(cell)).collect();
        // Where the limits leave only poor moves, one of those has to be played.
        let first = if good.is_empty() { cells.clone() } else { good };
        let mut rows: Vec<RootRow> =
            first.iter().map(|&cell| RootRow { cell, value: 0.0, line: vec![cell] }).collect();
        let deepest = limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
        let mut done = 0;
        for depth in 1..=deepest {
            if !search.iterate(&opened.stones, side, &mut rows, depth) {
                break;
            }
            done = depth;
            report(&describe(request, &rows, done, search.nodes));
            if rows.first().is_none_or(|row| row.value.abs() >= PROVED) {
                break;
            }
        }
        let value = rows.first().map_or(0.0, |row| row.value);
        if value <= -PROVED {
            return self.decided(&shape, &stones, side, false, request);
        }
        if *may_swap && value < 0.0 && super::swap::takes_over(position) != Some(false) {
            return Decision {
                mv: Move::Swap,
                report: swapped(describe(request, &rows, done, search.nodes)),
            };
        }
        let cell = rows.first().map_or(cells[0], |row| row.cell);
        Decision {
            mv: root::place(position.size(), cell),
            report: describe(request, &rows, done, search.nodes),
        }
    }

    /// The move where connections decide the game.
    fn decided<const W: usize>(
        &self,
        shape: &Shape<W>,
        stones: &Stones<W>,
        side: Side,
        won: bool,
        request: &Request<'_>,
    ) -> Decision {
        if request.may_swap && !won {
            return Decision { mv: Move::Swap, report: root::known(Move::Swap, 1.0, false, request.watch) };
        }
        let mut allowed = Bits::<W>::EMPTY;
        request.cells.iter().for_each(|&cell| allowed.insert(cell));
        let cell = match won {
            true => proved_win(shape, stones, side, &allowed, request.watch),
            false => endgame::longest_loss(shape, stones, side, &allowed),
        };
        let cell = cell.unwrap_or(request.cells[0]);
        let mv = root::place(shape.size(), cell);
        let at_once = shape.winner(&stones.with(side, cell)).is_some();
        Decision { mv, report: root::known(mv, f64::from(u8::from(won)), at_once, request.watch) }
    }
}

fn describe(request: &Request<'_>, rows: &[RootRow], depth: u32, nodes: u64) -> Report {
    let size = request.position.size();
    let chance = |value: f32| match value {
        value if value >= PROVED => 1.0,
        value if value <= -PROVED => 0.0,
        // A resistance four times the opponent's is nearly lost.
        value => 1.0 / (1.0 + f64::from(-2.0 * value).exp()),
    };
    let line = |row: &RootRow| Line {
        moves: row.line.iter().map(|&cell| root::place(size, cell)).collect(),
        score: f64::from(row.value),
        win_rate: chance(row.value),
        mate: None,
        depth,
        nodes,
    };
    let best = rows.first().map_or(0.0, |row| row.value);
    Report {
        depth,
        selective_depth: depth,
        score: f64::from(best),
        win_rate: chance(best),
        nodes,
        elapsed: request.watch.elapsed(),
        lines: rows.iter().take(request.limits.lines.max(1)).map(line).collect(),
        root: rows
            .iter()
            .map(|row| RootMove {
                mv: root::place(size, row.cell),
                score: f64::from(row.value),
                win_rate: chance(row.value),
                nodes: 1,
            })
            .collect(),
        ..Report::default()
    }
}

struct Search<'a, const W: usize> {
    shape: &'a Shape<W>,
    looker: Looker<'a, W>,
    /// What looking at a position gave, and its evaluation.
    seen: HashMap<(Stones<W>, Side), (Looked<W>, f32)>,
    budget: Budget,
    watch: &'a Watch,
    width: usize,
    looks: u64,
    nodes: u64,
    stopped: bool,
}

impl<const W: usize> Search<'_, W> {
    /// Searches the root moves to a depth, best first afterwards; false if it was stopped before the first of
    /// them had its value.
    fn iterate(&mut self, stones: &Stones<W>, side: Side, rows: &mut [RootRow], depth: u32) -> bool {
        let mut best = f32::NEG_INFINITY;
        let mut searched = 0;
        for row in rows.iter_mut() {
            let mut line = vec![row.cell];
            // Moves that are not better get a value that is only a bound, below the best.
            let value =
                -self.value(&stones.with(side, row.cell), side.other(), depth - 1, (-WIN, -best), &mut line);
            if self.stopped {
                break;
            }
            searched += 1;
            row.value = if value > best { value } else { value.min(best - 0.001) };
            row.line = line;
            best = best.max(value);
        }
        // What was not reached keeps its place behind what was.
        rows[..searched].sort_by(|a, b| b.value.total_cmp(&a.value));
        searched > 0 && !self.stopped
    }

    /// The value of a position for the side to move.
    fn value(
        &mut self,
        stones: &Stones<W>,
        side: Side,
        depth: u32,
        (mut alpha, beta): (f32, f32),
        line: &mut Vec<usize>,
    ) -> f32 {
        self.nodes += 1;
        let away = line.len() as f32;
        let (looked, still) = self.look(stones, side);
        if self.stopped {
            return 0.0;
        }
        let opened = match looked {
            Looked::Won => return WIN - away,
            Looked::Lost => return away - WIN,
            Looked::Open(_) if depth == 0 => return still,
            Looked::Open(opened) => opened,
        };
        let mut best = f32::NEG_INFINITY;
        let before = line.len();
        let mut best_line = Vec::new();
        for &cell in opened.moves.iter().take(self.width) {
            line.truncate(before);
            line.push(cell as usize);
            let after = opened.stones.with(side, cell as usize);
            let value = -self.value(&after, side.other(), depth - 1, (-beta, -alpha), line);
            if self.stopped {
                return 0.0;
            }
            if value > best {
                best = value;
                best_line = line[before..].to_vec();
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        line.truncate(before);
        line.extend(best_line);
        // Moves beyond the width were not tried: a loss is not proved by the others.
        if opened.moves.len() > self.width && best <= -PROVED { still.min(0.0) - 2.0 } else { best }
    }

    fn look(&mut self, stones: &Stones<W>, side: Side) -> (Looked<W>, f32) {
        if let Some(seen) = self.seen.get(&(*stones, side)) {
            return seen.clone();
        }
        if self.looks == 0 || self.budget.is_spent(self.watch) {
            self.stopped = true;
            return (Looked::Lost, 0.0);
        }
        self.looks -= 1;
        let looked = self.looker.look(stones, side);
        let value = match &looked {
            Looked::Open(opened) => {
                let (_, own) = currents(self.shape, &opened.stones, side);
                let (_, theirs) = currents(self.shape, &opened.stones, side.other());
                (own.max(1e-6) / theirs.max(1e-6)).ln()
            }
            _ => 0.0,
        };
        self.seen.insert((*stones, side), (looked.clone(), value));
        (looked, value)
    }
}
