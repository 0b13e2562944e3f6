//! The main engine: principal variation search on [`Board`] with threat knowledge.
//!
//! From the outside in: [`Tengen`] implements `Engine` (limits, levels, opening choices, reports); [`root`] is
//! iterative deepening, [`search`] and [`leaf`] the tree search on the state of [`worker`], [`techniques`] what can
//! be switched off, [`ordering`] move ordering, [`leaf_vcf`] the forced wins at the leaves, [`evaluation`] the static
//! evaluation, [`root_vct`] the forced win at the root, [`transposition`] the shared transposition table, [`time`] time management, [`params`] the tuned
//! numbers. [`observer`] records a search for watching. [`report`] turns the result of a search into what is published.

mod evaluation;
mod fifths;
mod leaf;
mod leaf_vcf;
mod level;
mod line;
mod observer;
mod ordering;
mod params;
mod report;
mod root;
mod root_vct;
mod score;
mod search;
mod swap;
mod techniques;
mod time;
mod transposition;
mod worker;

#[cfg(test)]
mod tests;

pub(crate) use evaluation::xray;
pub(crate) use observer::explain;
pub(crate) use params::WIN_SCALE;
pub(crate) use score::{MATE_BOUND, win_rate};

use crate::book::{self, Book};
use crate::network::Network;
use crate::solver::Vct;
use crate::{Board, Point, PointSet, Position, Rule};
use ::game::{
    Decision, Engine, EngineError, EngineInfo, Level, Limits, Line, Move, Options, Position as GamePosition,
    Report, Side, Watch,
};
use ::search::rng::Rng;
use level::Weakness;
use observer::Observer;
use report::Published;
use root::{SearchProgress, deepen, root_moves};
use root_vct::RootVct;
use score::is_decided;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::Relaxed};
use techniques::Techniques;
use time::SearchLimits;
use transposition::TranspositionTable;
use worker::{SharedState, ThreadMemory, Worker};

/// The entry in the list of engines.
pub const INFO: EngineInfo = EngineInfo {
    name: "tengen",
    about: "the main engine: principal variation search with threats and forced wins",
    options: &[
        ("book", "on or off: play openings from the bundled book (off)"),
        (
            "eval",
            "network or shapes: what evaluates and orders moves (network, where there is one for the rule)",
        ),
        (
            "without",
            "search techniques to switch off, for measurements: futility+iir (an unknown name lists all)",
        ),
    ],
    make: |options| Ok(Box::new(Tengen::new(options)?)),
};

/// The main engine.
pub struct Tengen {
    table: Option<TranspositionTable>,
    memory_mb: usize,
    memories: Vec<ThreadMemory>,
    /// The rule and size that the memory belongs to.
    about: Option<(Rule, u8)>,
    techniques: Techniques,
    evaluator: Evaluator,
    /// Looks for wins at the root.
    vct: Option<Vct>,
    book: Option<&'static Book>,
}

/// What evaluates positions and orders moves.
enum Evaluator {
    /// The weights of line shapes, for every rule.
    Shapes,
    /// The network that ships for the rule; the shapes where there is none.
    Shipped,
    /// A network from a file, for the rules it serves.
    File(Box<Network>),
}

impl Evaluator {
    /// The network for a rule, or `None` for the shapes.
    fn network(&self, rule: Rule) -> Result<Option<&Network>, EngineError> {
        match self {
            Evaluator::Shapes => Ok(None),
            Evaluator::Shipped => Ok(Network::shipped(rule)),
            Evaluator::File(network) if network.serves(rule) => Ok(Some(network)),
            Evaluator::File(network) => {
                let text = format!("the network was trained for {}, not for {rule}", network.rule);
                Err(EngineError::Unsupported(text))
            }
        }
    }
}

impl Tengen {
    /// An engine with empty memory.
    pub fn new(options: &Options) -> Result<Tengen, EngineError> {
        options.check(INFO.options)?;
        let techniques = Techniques::without(options.get("without").unwrap_or_default())?;
        let refused = |key: &str, value: &str, problem: &str| {
            Err(EngineError::Option { key: key.into(), value: value.into(), problem: problem.into() })
        };
        let book = match options.get("book").unwrap_or("off") {
            "on" => Some(book::shipped()),
            "off" => None,
            other => return refused("book", other, "accepted: on, off"),
        };
        let evaluator = match options.get("eval").unwrap_or("network") {
            "network" => Evaluator::Shipped,
            "shapes" => Evaluator::Shapes,
            other => return refused("eval", other, "accepted: network, shapes"),
        };
        let memories = Vec::new();
        Ok(Tengen {
            table: None,
            memory_mb: 0,
            memories,
            about: None,
            techniques,
            evaluator,
            vct: None,
            book,
        })
    }

    /// An engine that evaluates and orders moves by a network file, for positions of the network's rule.
    pub fn with_network(options: &Options, file: &[u8]) -> Result<Tengen, EngineError> {
        let network = Network::read(file).map_err(|error| EngineError::Failed(error.to_string()))?;
        Ok(Tengen { evaluator: Evaluator::File(Box::new(network)), ..Tengen::new(options)? })
    }

    /// Searches a position for the best of the `allowed` points; `observer` sees the first thread.
    fn search<O: Observer>(
        &mut self,
        position: &Position,
        allowed: &PointSet,
        limits: &Limits,
        watch: &Watch,
        observer: O,
        report: &mut dyn FnMut(&SearchProgress, &TranspositionTable),
    ) -> SearchProgress {
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
            self.memories.push(ThreadMemory::new());
        }
        let table = self.table.get_or_insert_with(|| TranspositionTable::new(limits.memory_mb));
        table.next_search();
        let table = &*table;
        let stop = AtomicBool::new(false);
        // The lower levels are shallow searches, tuned with the shapes.
        let network = self.evaluator.network(position.rule()).ok().flatten();
        let network = network.filter(|_| Weakness::of(limits.level).is_none_or(|weakness| weakness.network));
        let iteration = AtomicI32::new(1);
        let one_line = limits.lines == 1;
        let shared = SharedState { table, stop: &stop, iteration, techniques: self.techniques, network };
        let search_limits = SearchLimits::of(limits);
        let (board, side) = (position.board(), position.to_move());
        let Some((first, others)) = self.memories.split_first_mut() else {
            return SearchProgress { roots: Vec::new(), depth: 0, nodes: 0, deepest: 0 };
        };
        std::thread::scope(|scope| {
            let helpers: Vec<_> = others
                .iter_mut()
                .take(threads - 1)
                .enumerate()
                .map(|(index, memory)| {
                    let (shared, limits, board) = (&shared, &search_limits, board.clone());
                    scope.spawn(move || {
                        let mut worker = Worker::new((board, side), shared, memory, limits, watch, false, ());
                        let roots = root_moves(&mut worker, allowed);
                        let found = deepen(&mut worker, roots, 1, 1 + index as i32 % 2, |_| {});
                        // The last iteration is searched by all and ends with the first that has done it.
                        if one_line && found.depth >= limits.depth {
                            shared.stop.store(true, Relaxed);
                        }
                        found
                    })
                })
                .collect();
            let start = (board.clone(), side);
            let mut worker = Worker::new(start, &shared, first, &search_limits, watch, true, observer);
            let roots = root_moves(&mut worker, allowed);
            let mut result = deepen(&mut worker, roots, limits.lines, 1, |progress| report(progress, table));
            stop.store(true, Relaxed);
            for helper in helpers {
                // A helper that panicked has nothing to add; the first thread's answer stands.
                let Ok(found) = helper.join() else { continue };
                result.nodes += found.nodes;
                result.deepest = result.deepest.max(found.deepest);
                // The deepest search has the last word, unless another has proved more.
                let decided = |progress: &SearchProgress| is_decided(progress.value());
                let better = match (decided(&result), decided(&found)) {
                    (false, false) => found.depth > result.depth,
                    _ => found.value() > result.value() && found.value() >= MATE_BOUND,
                };
                if one_line && better {
                    (result.roots, result.depth) = (found.roots, found.depth);
                }
            }
            result
        })
    }
}

impl Tengen {
    /// The report on a board with this side to move; `None` where the game is over.
    pub(crate) fn analyse_board(
        &mut self,
        board: &Board,
        to_move: Side,
        limits: &Limits,
        watch: &Watch,
    ) -> Option<Report> {
        let position = Position::of_board(board.clone(), to_move);
        self.think(&position, limits, watch, &mut |_| {}).ok().map(|decision| decision.report)
    }
}

impl Engine for Tengen {
    fn name(&self) -> &str {
        INFO.name
    }

    fn new_game(&mut self) {
        (self.table, self.vct) = (None, None);
        self.memories.clear();
    }

    fn can_ponder(&self) -> bool {
        true
    }

    fn think(
        &mut self,
        position: &dyn GamePosition,
        limits: &Limits,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        let position: &Position = game::own_position(INFO.name, "gomoku", position)?;
        self.evaluator.network(position.rule())?;
        if let Some(decision) = self.book.and_then(|book| from_book(book, position, limits, watch)) {
            report(&decision.report);
            return Ok(decision);
        }
        let allowed = allowed_points(position, limits);
        if position.declare_up_to() > 0 {
            return fifths::declare(self, position, limits, watch);
        }
        // Where the opponent chooses a colour next and there is none to choose now.
        let balance = position.is_balancing() && !position.choices().0;
        if balance && !allowed.is_empty() {
            return Ok(swap::place(self, position, &allowed, limits, watch));
        }
        if allowed.is_empty() {
            return swap::only_choice(position, limits);
        }
        if position.is_selecting() {
            return fifths::select(self, position, &allowed, limits, watch);
        }
        let offers = position.opening_step().map_or(0, |step| usize::from(step.offers_left));
        let weakness = Weakness::of(limits.level);
        let mut limits = weakness.map_or_else(|| limits.clone(), |weakness| weakness.limits(limits));
        if offers > 0 && position.choices().0 {
            // The colour is chosen by the fifth move that White will leave, not by the best.
            limits.lines = limits.lines.max(fifths::lines_for(offers));
        }
        let placing = offers == 0 && !position.is_balancing();
        let allowed = match weakness {
            Some(weakness) if placing => {
                let mut moves: Vec<Point> = allowed.iter().collect();
                weakness.considered(position, &mut moves, limits.seed);
                moves.into_iter().collect()
            }
            _ => allowed,
        };
        let proof = match weakness {
            None if placing => self.root_vct(position, &allowed, &limits, watch),
            _ => RootVct::default(),
        };
        limits.nodes = limits.nodes.map(|nodes| nodes - proof.nodes.min(nodes));
        let publish = |mut progress: SearchProgress, table: &TranspositionTable| {
            progress.nodes += proof.nodes;
            let mut published = Published::new(position, table, progress, limits.lines);
            published.prefer_proof(position, table, &proof);
            published
        };
        let progress = self.search(position, &allowed, &limits, watch, (), &mut |progress, table| {
            report(&publish(progress.clone(), table).report(position, watch));
        });
        let Some(table) = &self.table else {
            return Err(EngineError::NoMove("nothing was searched".into()));
        };
        let mut published = publish(progress, table);
        if weakness.is_none() {
            published.prefer_vcf(position, table, |point| allowed.contains(point));
        }
        let answer = published.report(position, watch);
        report(&answer);
        let roots = &published.progress.roots;
        let chosen = match weakness {
            Some(weakness) => weakness.choose(roots, limits.seed ^ position.hash()),
            None => roots.first(),
        };
        let Some(chosen) = chosen else {
            return Err(EngineError::NoMove("no point is left to play".into()));
        };
        let (place, mut value) = (position.point_move(chosen.point), chosen.value);
        if offers > 0 {
            value = fifths::worst_of_best(roots, position, offers).unwrap_or(value);
        }
        if let Some(mv) = swap::choice(position, &limits, value) {
            return Ok(Decision { mv, report: answer });
        }
        if !position.is_balancing() {
            return Ok(Decision { mv: place, report: answer });
        }
        // Taraguchi-10: the opponent may take over whatever is put here.
        let may_extend = position.choices().1 && limits.allows(Move::Extend);
        if may_extend && fifths::offers_ten(self, position, &limits, watch) {
            return Ok(Decision { mv: Move::Extend, report: answer });
        }
        Ok(swap::place(self, position, &allowed, &limits, watch))
    }
}

/// A move of the book, drawn by the seed where there are several; levels below the strongest do not use it.
fn from_book(book: &Book, position: &Position, limits: &Limits, watch: &Watch) -> Option<Decision> {
    if limits.level != Level::MAX {
        return None;
    }
    let advice = book.find(position)?;
    let allowed: Vec<Move> = advice.moves.into_iter().filter(|mv| limits.allows(*mv)).collect();
    let mv = Rng::new(limits.seed ^ position.hash()).pick(&allowed)?;
    let (score, win_rate) = (f64::from(advice.score), win_rate(advice.score));
    let depth = advice.depth;
    let line = Line { moves: vec![mv], score, win_rate, mate: None, depth, nodes: 0 };
    let elapsed = watch.elapsed();
    Some(Decision {
        mv,
        report: Report { depth, score, win_rate, elapsed, lines: vec![line], ..Report::default() },
    })
}

/// The points that the rules and the limits allow.
fn allowed_points(position: &Position, limits: &Limits) -> PointSet {
    let moves = position.legal_moves().into_iter().filter(|mv| limits.allows(*mv));
    let cell = |mv| match mv {
        Move::Place(cell) | Move::Offer(cell) => Some(cell),
        Move::Swap | Move::Extend | Move::Declare(_) => None,
    };
    moves.filter_map(cell).map(Point::of).collect()
}
