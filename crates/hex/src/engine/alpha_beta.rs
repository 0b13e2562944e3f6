//! `tengen-ab`: alpha-beta on circuit resistance (Anshelevich 2002; Wolve is its best-known heir), with the same
//! knowledge as the main engine: every position is filled in, decided by connections where they decide it, and
//! searched only in the must-play region without inferior cells.
//!
//! Analyzing a position costs far more than anything else here, so results are kept for the next iteration.

use super::ending::Ending;
use super::params::ROOT_EFFORT;
use super::time::SearchLimits;
use super::{rate, root, search::search_position, swapped};
use crate::bits::Bits;
use crate::pruning::{Analysis, Analyzer, order::currents};
use crate::request::EngineRequest;
use crate::stones::{Shape, Stones};
use crate::vc::Effort;
use crate::{by_width, endgame};
use game::{Decision, Engine, EngineError, EngineInfo, Limits, Line, Move};
use game::{Report, RootMove, Side, Watch};
use std::collections::HashMap;

/// Analyzed positions of every level.
const LEVEL_POSITIONS: [u64; 9] = [8, 20, 50, 120, 250, 500, 800, 2_000, u64::MAX];

/// The entry of the list of engines.
pub(crate) const INFO: EngineInfo = EngineInfo {
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

const OPTIONS: &[(&str, &str)] = &[("width", "moves searched per position below the root (15)")];

/// Moves tried at each position, the most promising by current. Wolve tries 15 to 20.
const WIDTH: usize = 15;

/// Positions analyzed without any limit: a few seconds on 11x11.
const DEFAULT_POSITIONS: u64 = 3_000;

/// H-search steps of one analysis, as in the main engine.
const STEPS: usize = super::params::TREE_EFFORT.steps;

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
        position: &dyn game::Position,
        limits: &Limits,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        let request = EngineRequest::check(INFO.name, position, limits, watch)?;
        let decision = match request.without_search() {
            Some(decision) => decision,
            None => by_width!(request.position.size(), W => self.decide::<W>(&request, report)),
        };
        report(&decision.report);
        Ok(decision)
    }
}

/// A root move with the value of its last completed search.
#[derive(Clone, Debug)]
struct RootLine {
    cell: usize,
    value: f32,
    line: Vec<usize>,
}

impl AlphaBeta {
    fn decide<const W: usize>(
        &self,
        request: &EngineRequest<'_>,
        report: &mut dyn FnMut(&Report),
    ) -> Decision {
        let EngineRequest { position, limits, watch, may_swap, cells } = request;
        let shape = Shape::<W>::new(position.size());
        let start = search_position(&shape, position);
        let (stones, side) = (start.stones, start.to_move);
        let mut allowed = Bits::<W>::EMPTY;
        cells.iter().for_each(|&cell| allowed.insert(cell));
        let most = *limits.level.row(&LEVEL_POSITIONS);
        let budget = SearchLimits::of(limits, cells.len(), most);
        let stop = || budget.time.is_over(watch);
        let default =
            if limits.move_time.is_some() || limits.clock.is_some() { u64::MAX } else { DEFAULT_POSITIONS };
        let positions_left = limits.nodes.unwrap_or(default).min(most).max(1);
        let mut search = Search {
            shape: &shape,
            analyzer: Analyzer::new(&shape, Effort { steps: STEPS, ..Effort::default() }),
            analyses: HashMap::new(),
            budget,
            watch,
            width: self.width,
            positions_left,
            nodes: 0,
            stopped: false,
        };
        let reduced = match search.analyzer.analyze_until(&stones, side, &stop) {
            Analysis::Open(reduced) => reduced,
            decided => {
                let won = matches!(decided, Analysis::Won);
                return self.decided(&shape, &stones, side, won, request, &stop);
            }
        };
        let good: Vec<usize> =
            reduced.moves.iter().map(|&cell| cell as usize).filter(|&cell| allowed.contains(cell)).collect();
        // If the limits allow only inferior moves, one of those must be played.
        let first = if good.is_empty() { cells.clone() } else { good };
        let mut rows: Vec<RootLine> =
            first.iter().map(|&cell| RootLine { cell, value: 0.0, line: vec![cell] }).collect();
        let deepest = limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
        let mut done = 0;
        for depth in 1..=deepest {
            if !search.iterate(&reduced.stones, side, &mut rows, depth) {
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
            return self.decided(&shape, &stones, side, false, request, &stop);
        }
        if *may_swap && value < 0.0 && super::swap::should_swap(position) != Some(false) {
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

    /// The move where virtual connections decide the game.
    fn decided<const W: usize>(
        &self,
        shape: &Shape<W>,
        stones: &Stones<W>,
        side: Side,
        won: bool,
        request: &EngineRequest<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Decision {
        if request.may_swap && !won {
            return Decision {
                mv: Move::Swap,
                report: root::instant_report(vec![Move::Swap], 1.0, None, request.watch),
            };
        }
        let mut allowed = Bits::<W>::EMPTY;
        request.cells.iter().for_each(|&cell| allowed.insert(cell));
        let cell = match won {
            true => endgame::winning_move(shape, stones, side, &allowed, ROOT_EFFORT, stop),
            false => endgame::longest_loss(shape, stones, side, &allowed),
        };
        let winner = if won { side } else { side.other() };
        let first = vec![cell.unwrap_or(request.cells[0])];
        let mv = root::place(shape.size(), first[0]);
        let ending = cell.map(|_| Ending::of(shape, stones, (side, winner), first, stop));
        let moves = ending.as_ref().map_or_else(|| vec![mv], |ending| ending.moves(shape.size()));
        let mate = ending.and_then(|ending| ending.mate());
        Decision { mv, report: root::instant_report(moves, rate(won), mate, request.watch) }
    }
}

fn describe(request: &EngineRequest<'_>, rows: &[RootLine], depth: u32, nodes: u64) -> Report {
    let size = request.position.size();
    let win_rate = |value: f32| match value {
        value if value >= PROVED => 1.0,
        value if value <= -PROVED => 0.0,
        // A logistic of twice the log ratio: a resistance four times the opponent's is nearly lost.
        value => 1.0 / (1.0 + f64::from(-2.0 * value).exp()),
    };
    let line = |row: &RootLine| Line {
        moves: row.line.iter().map(|&cell| root::place(size, cell)).collect(),
        score: f64::from(row.value),
        win_rate: win_rate(row.value),
        mate: None,
        depth,
        nodes,
    };
    let best = rows.first().map_or(0.0, |row| row.value);
    Report {
        depth,
        selective_depth: depth,
        score: f64::from(best),
        win_rate: win_rate(best),
        nodes,
        elapsed: request.watch.elapsed(),
        lines: rows.iter().take(request.limits.lines.max(1)).map(line).collect(),
        root: rows
            .iter()
            .map(|row| RootMove {
                mv: root::place(size, row.cell),
                score: f64::from(row.value),
                win_rate: win_rate(row.value),
                bound: game::Bound::Exact,
                nodes: 1,
            })
            .collect(),
        ..Report::default()
    }
}

struct Search<'a, const W: usize> {
    shape: &'a Shape<W>,
    analyzer: Analyzer<'a, W>,
    /// Analyses and evaluations of positions.
    analyses: HashMap<(Stones<W>, Side), (Analysis<W>, f32)>,
    budget: SearchLimits,
    watch: &'a Watch,
    width: usize,
    positions_left: u64,
    nodes: u64,
    stopped: bool,
}

impl<const W: usize> Search<'_, W> {
    /// Searches the root moves to a depth and sorts them, best first; false if stopped before the end.
    fn iterate(&mut self, stones: &Stones<W>, side: Side, rows: &mut [RootLine], depth: u32) -> bool {
        let mut best = f32::NEG_INFINITY;
        let mut searched = 0;
        for row in rows.iter_mut() {
            let mut line = vec![row.cell];
            // The value of a move that is not better is only an upper bound; it is kept below the best.
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
        // Moves that were not reached keep their places behind the others.
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
        let (analysis, static_value) = self.analyze(stones, side);
        if self.stopped {
            return 0.0;
        }
        let reduced = match analysis {
            Analysis::Won => return WIN - away,
            Analysis::Lost => return away - WIN,
            Analysis::Open(_) if depth == 0 => return static_value,
            Analysis::Open(reduced) => reduced,
        };
        let mut best = f32::NEG_INFINITY;
        let before = line.len();
        let mut best_line = Vec::new();
        for &cell in reduced.moves.iter().take(self.width) {
            line.truncate(before);
            line.push(cell as usize);
            let after = reduced.stones.with(side, cell as usize);
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
        // Moves beyond the width were not tried, so the others losing proves nothing.
        if reduced.moves.len() > self.width && best <= -PROVED { static_value.min(0.0) - 2.0 } else { best }
    }

    fn analyze(&mut self, stones: &Stones<W>, side: Side) -> (Analysis<W>, f32) {
        if let Some(known) = self.analyses.get(&(*stones, side)) {
            return known.clone();
        }
        if self.positions_left == 0 || self.budget.time.is_over(self.watch) {
            self.stopped = true;
            return (Analysis::Lost, 0.0);
        }
        self.positions_left -= 1;
        let stop = || self.budget.time.is_over(self.watch);
        let analysis = self.analyzer.analyze_until(stones, side, &stop);
        let value = match &analysis {
            Analysis::Open(reduced) => {
                let (_, own) = currents(self.shape, &reduced.stones, side);
                let (_, theirs) = currents(self.shape, &reduced.stones, side.other());
                (own.max(1e-6) / theirs.max(1e-6)).ln()
            }
            _ => 0.0,
        };
        self.analyses.insert((*stones, side), (analysis.clone(), value));
        (analysis, value)
    }
}
