//! The main engine: principal-variation search on [`Board`](crate::Board) with all it knows about threats.
//!
//! From the outside in: [`Tengen`] answers the `Engine` door (limits, levels, swap choices, reports);
//! [`root`] deepens iteratively, [`search`] is the tree search, [`devices`] what of it can be left out, [`ordering`] the order of moves, [`threat`]
//! and [`vcf`] the forced wins and losses, [`eval`], [`weights`] and [`tuned`] the evaluation, [`tt`] the shared
//! transposition table, [`time`] the budget, [`params`] the tuned numbers.

mod devices;
mod eval;
mod ordering;
mod params;
mod root;
mod search;
mod swap;
mod threat;
mod time;
mod tt;
mod tuned;
mod vcf;
mod weights;

#[cfg(test)]
mod behaviour_tests;
#[cfg(test)]
mod tests;

pub(crate) use eval::xray;
pub(crate) use weights::Worth;

use crate::book::{self, Book};
use crate::solve::{self, Vcf, Verdict};
use crate::{Point, PointSet, Position, Rule};
use ::game::{
    Decision, Engine, EngineError, EngineInfo, Level, Limits, Line, Move, Options, Position as Door, Report,
    RootMove, Watch,
};
use ::search::rng::Rng;
use devices::Devices;
use root::{Progress, deepen, root_moves};
use search::{Memory, Shared, Worker};
use std::sync::atomic::AtomicBool;
use time::Budget;
use tt::Table;

/// The value of five on the board; a win in n plies is worth n less.
const MATE: i32 = 30_000;
/// Values from here on are proved wins; below its negative, proved losses.
const MATE_BOUND: i32 = 29_000;
/// Larger than any value.
const INFINITE: i32 = 32_000;

/// The value of losing at this ply.
const fn mated_in(ply: i32) -> i32 {
    ply - MATE
}

/// The engine's entry in the list.
pub const INFO: EngineInfo = EngineInfo {
    name: "tengen",
    about: "the main engine: principal-variation search with threats and forced wins",
    options: &[
        ("book", "on or off: play openings from the book that ships (off)"),
        (
            "without",
            "devices of the search to leave out, for measurements: futility+singular (an unknown one lists all)",
        ),
    ],
    make: |options| Ok(Box::new(Tengen::new(options)?)),
};

/// The main engine.
pub struct Tengen {
    table: Option<Table>,
    memory_mb: usize,
    memories: Vec<Memory>,
    /// The rule and size that everything remembered is about.
    about: Option<(Rule, u8)>,
    devices: Devices,
    book: Option<&'static Book>,
}

impl Tengen {
    /// An engine that knows nothing yet.
    pub fn new(options: &Options) -> Result<Tengen, EngineError> {
        options.check(INFO.options)?;
        let devices = Devices::without(options.get("without").unwrap_or_default())?;
        let book = match options.get("book").unwrap_or("off") {
            "on" => Some(book::shipped()),
            "off" => None,
            other => {
                let problem = "accepted: on, off".into();
                return Err(EngineError::Option { key: "book".into(), value: other.into(), problem });
            }
        };
        Ok(Tengen { table: None, memory_mb: 0, memories: Vec::new(), about: None, devices, book })
    }

    /// Searches a position for the best of the `allowed` points.
    fn search(
        &mut self,
        position: &Position,
        allowed: &PointSet,
        limits: &Limits,
        watch: &Watch,
        news: &mut dyn FnMut(&Progress),
    ) -> Progress {
        let about = Some((position.rule(), position.size()));
        if self.about != about {
            self.new_game();
            self.about = about;
        }
        if self.memory_mb != limits.memory_mb {
            (self.table, self.memory_mb) = (None, limits.memory_mb);
        }
        let threads = limits.threads.clamp(1, 256);
        while self.memories.len() < threads {
            self.memories.push(Memory::new());
        }
        let table = self.table.get_or_insert_with(|| Table::new(limits.memory_mb));
        table.next_search();
        let stop = AtomicBool::new(false);
        let shared = Shared { table, stop: &stop, devices: self.devices };
        let budget = Budget::of(limits);
        let (board, side) = (position.board(), position.to_move());
        let Some((first, others)) = self.memories.split_first_mut() else {
            return Progress { roots: Vec::new(), depth: 0, nodes: 0, deepest: 0 };
        };
        std::thread::scope(|scope| {
            let helpers: Vec<_> = others
                .iter_mut()
                .take(threads - 1)
                .enumerate()
                .map(|(index, memory)| {
                    let (shared, budget, board) = (&shared, &budget, board.clone());
                    scope.spawn(move || {
                        let mut worker = Worker::new(board, side, shared, memory, budget, watch, false);
                        let roots = root_moves(&mut worker, allowed);
                        deepen(&mut worker, roots, 1, 1 + (index as i32 + 1) % 2, |_| {})
                    })
                })
                .collect();
            let mut worker = Worker::new(board.clone(), side, &shared, first, &budget, watch, true);
            let roots = root_moves(&mut worker, allowed);
            let mut result = deepen(&mut worker, roots, limits.lines, 1, |progress| news(progress));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            for helper in helpers {
                // A helper that panicked has nothing to add; the first thread's answer stands.
                let Ok(found) = helper.join() else { continue };
                result.nodes += found.nodes;
                result.deepest = result.deepest.max(found.deepest);
                let deeper = found.depth > result.depth && found.value() > result.value();
                if limits.lines == 1 && (deeper || found.value() > result.value().max(MATE_BOUND)) {
                    (result.roots, result.depth) = (found.roots, found.depth);
                }
            }
            result
        })
    }
}

impl Engine for Tengen {
    fn name(&self) -> &str {
        INFO.name
    }

    fn new_game(&mut self) {
        self.table = None;
        self.memories.clear();
    }

    fn think(
        &mut self,
        position: &dyn Door,
        limits: &Limits,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        let Some(position) = position.downcast::<Position>() else {
            let got = position.game().into();
            return Err(EngineError::WrongGame { engine: INFO.name.into(), plays: "gomoku", got });
        };
        if let Some(decision) = self.book.and_then(|book| from_book(book, position, limits, watch)) {
            report(&decision.report);
            return Ok(decision);
        }
        let allowed = allowed_points(position, limits);
        if position.stones_to_place() > 0 && !allowed.is_empty() {
            return Ok(swap::place(self, position, &allowed, limits, watch));
        }
        if allowed.is_empty() {
            return swap::only_choice(position, limits);
        }
        let (limits, error) = weaken(limits);
        let progress = self.search(position, &allowed, &limits, watch, &mut |progress| {
            report(&summary(position, progress, limits.lines, watch));
        });
        let mut answer = summary(position, &progress, limits.lines, watch);
        let proved = if error.is_none() { prove(position, &limits, &progress, &mut answer) } else { None };
        report(&answer);
        let seed = limits.seed ^ position.hash();
        let chosen = match error {
            Some(error) => swap::erring_choice(&progress, error, limits.lines, seed),
            None => progress.roots.first(),
        };
        let Some(chosen) = chosen else {
            return Err(EngineError::NoMove("no point is left to play".into()));
        };
        let place = proved.unwrap_or(Move::Place(chosen.point.cell()));
        let mv = swap::choice(position, &limits, chosen.value).unwrap_or(place);
        Ok(Decision { mv, report: answer })
    }
}

/// A move of the book, drawn by the seed where there are several; levels below the strongest play by themselves.
fn from_book(book: &Book, position: &Position, limits: &Limits, watch: &Watch) -> Option<Decision> {
    if limits.level != Level::Max {
        return None;
    }
    let advice = book.find(position)?;
    let allowed: Vec<Move> = advice.moves.into_iter().filter(|mv| limits.allows(*mv)).collect();
    let mv = Rng::new(limits.seed ^ position.hash()).pick(&allowed)?;
    let (score, win_rate) = (f64::from(advice.score), eval::win_rate(advice.score));
    let depth = advice.depth;
    let line = Line { moves: vec![mv], score, win_rate, mate: None, depth, nodes: 0 };
    let elapsed = watch.elapsed();
    Some(Decision {
        mv,
        report: Report { depth, score, win_rate, elapsed, lines: vec![line], ..Report::default() },
    })
}

/// Nodes a proof of a found win may take: a few milliseconds, since it runs after the search's time is up.
const PROOF_NODES: u64 = 2_000;

/// Looks for the shortest victory by fours where the search believes in a win, and puts it into the answer.
/// The search prunes defences, so its own distances are beliefs; only what this finds is claimed.
fn prove(position: &Position, limits: &Limits, progress: &Progress, answer: &mut Report) -> Option<Move> {
    if progress.value() < MATE_BOUND || answer.mate == Some(1) {
        return None;
    }
    let mut board = position.board().clone();
    let mut vcf = Vcf::new(1 << 14);
    if vcf.shortest(&mut board, position.to_move(), &mut solve::Budget::nodes(PROOF_NODES)) != Verdict::Win {
        return None;
    }
    let moves: Vec<Move> = vcf.line().iter().map(|point| Move::Place(point.cell())).collect();
    let first = moves.first().copied().filter(|mv| limits.allows(*mv))?;
    answer.mate = Some(moves.len() as i32);
    if let Some(line) = answer.lines.first_mut() {
        (line.mate, line.moves) = (answer.mate, moves);
    }
    Some(first)
}

/// The points the rules and the limits allow; an error where nothing at all is allowed.
fn allowed_points(position: &Position, limits: &Limits) -> PointSet {
    let moves = position.legal_moves().into_iter().filter(|mv| limits.allows(*mv));
    moves.filter_map(|mv| mv.cell()).map(Point::of).collect()
}

/// The limits of a level, and the error of its values.
fn weaken(limits: &Limits) -> (Limits, Option<f64>) {
    let mut limits = limits.clone();
    limits.lines = limits.lines.max(1);
    if limits.level == Level::Max {
        return (limits, None);
    }
    let (depth, nodes, error) = params::LEVELS[limits.level as usize];
    limits.depth = Some(limits.depth.map_or(depth, |d| d.min(depth)));
    limits.nodes = Some(limits.nodes.map_or(nodes, |n| n.min(nodes)));
    limits.lines = limits.lines.max(8);
    (limits, Some(error))
}

/// What a search found, in the words of the door.
fn summary(position: &Position, progress: &Progress, lines: usize, watch: &Watch) -> Report {
    let mate = |value: i32| match value {
        win if win == MATE - 1 => Some(1),
        loss if loss == -MATE + 2 => Some(-2),
        // Anything longer is a belief until `prove` has proved it.
        _ => None,
    };
    let value = progress.value();
    let depth = progress.depth.max(0) as u32;
    let places = |line: &[Point]| line.iter().map(|point| Move::Place(point.cell())).collect();
    let empty = position.board().empty_points().len() as u32;
    Report {
        depth,
        selective_depth: progress.deepest as u32,
        score: f64::from(value),
        win_rate: eval::win_rate(value),
        mate: mate(value),
        nodes: progress.nodes,
        elapsed: watch.elapsed(),
        lines: progress
            .roots
            .iter()
            .take(lines)
            .map(|root| Line {
                moves: places(&root.line),
                score: f64::from(root.value),
                win_rate: eval::win_rate(root.value),
                mate: mate(root.value),
                depth,
                nodes: root.nodes,
            })
            .collect(),
        root: progress
            .roots
            .iter()
            .map(|root| RootMove {
                mv: Move::Place(root.point.cell()),
                score: f64::from(root.value),
                win_rate: eval::win_rate(root.value),
                nodes: root.nodes,
            })
            .collect(),
        full_tree: Some(
            (0..depth)
                .scan(1.0, |product, ply| {
                    *product *= f64::from(empty.saturating_sub(ply).max(1));
                    Some(*product)
                })
                .sum::<f64>()
                + 1.0,
        ),
    }
}

/// Nodes that fixed searches of fixed positions take, one thread: changes exactly when the search does.
pub fn bench_signature() -> u64 {
    let positions = ["h8", "h8i9g7", "h8i9g7g9i7", "h8g9i9i8g7h9h7", "d4e5f4e4d6d5f6", "c3d4e3c4d2e4f4"];
    let nodes = positions.iter().zip([15u8, 15, 15, 15, 20, 10]).map(|(moves, size)| {
        let mut position = Position::new(Rule::Freestyle, size);
        for text in split_moves(moves) {
            // The list above is legal; a move that is not would show in the signature.
            let _ = position.parse_move(&text).and_then(|mv| position.play(mv));
        }
        let limits = Limits { depth: Some(9), memory_mb: 16, ..Limits::default() };
        let Ok(mut engine) = Tengen::new(&Options::new()) else { return 0 };
        let decision = engine.think(&position, &limits, &Watch::default(), &mut |_| {});
        decision.map_or(0, |decision| decision.report.nodes)
    });
    nodes.sum()
}

/// `h8i9` as `h8`, `i9`.
fn split_moves(text: &str) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    for letter in text.chars() {
        match moves.last_mut() {
            Some(last) if letter.is_ascii_digit() => last.push(letter),
            _ => moves.push(letter.to_string()),
        }
    }
    moves
}

/// All weights in a row, for `examples/tune.rs`: value table, threats, tempo, attack table, defence table.
#[doc(hidden)]
pub fn weights_for_tuning() -> Vec<f32> {
    let table = |table: &tuned::Table| {
        let pairs = table.pairs.as_flattened().iter().chain(&table.rest);
        pairs.map(|weight| f32::from(*weight)).collect::<Vec<f32>>()
    };
    let threats = tuned::THREATS.as_flattened().as_flattened().iter().map(|weight| f32::from(*weight));
    let mut weights = table(&tuned::VALUE);
    weights.extend(threats);
    weights.push(tuned::TEMPO as f32);
    weights.extend(table(&tuned::ATTACK));
    weights.extend(table(&tuned::DEFENCE));
    weights
}
