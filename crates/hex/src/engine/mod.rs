//! `tengen`, the main engine: Monte Carlo tree search with PUCT and a network that evaluates moves and positions; virtual
//! connections and inferior cells prune and prove nodes that are visited often. Without the network it uses RAVE, learned
//! move patterns and bridge-saving playouts, as MoHex does.
//!
//! | module | what it does |
//! |---|---|
//! | [`search`] | one search: root, threads, reports; keeps the tree for the next move |
//! | [`worker`] | one visit of one thread, step by step |
//! | [`select`] | PUCT and RAVE |
//! | [`tree`], [`transpositions`] | the shared tree, and its positions by hash |
//! | [`network`] | the network: layout, edge distances, bf16 and int8 inference |
//! | [`policy`], [`features`], [`heavy_playout`] | what replaces the network when it is off |
//! | [`ending`], [`swap`], [`level`], [`time`] | decided games to their end, swap rule, weaker levels, limits |
//! | [`params`] | tuned numbers and options |
//! | [`observer`] | records a search for watching |
//! | [`alpha_beta`] | a second engine, `tengen-ab` |

pub(crate) mod alpha_beta;
mod ending;
pub(crate) mod features;
pub(crate) mod heavy_playout;
mod level;
pub mod network;
mod observer;
pub(crate) mod params;
mod policy;
mod root;
pub(crate) mod search;
mod select;
mod swap;
mod time;
mod transpositions;
pub(crate) mod tree;
pub(crate) mod worker;

#[cfg(test)]
mod tests;

pub use features::TOTAL as FEATURES;
pub(crate) use observer::explain;
pub use policy::Policy;

use crate::bits::Bits;
use crate::request::EngineRequest;
use crate::{by_width, endgame};
use ending::Ending;
use game::{Decision, Engine, EngineError, EngineInfo, Limits, Move, Options, Report, Watch};
use level::Weakness;
use network::QuantizedNetwork;
use observer::Observer;
use params::{Params, ROOT_EFFORT};
use search::{Memory, Models};
use std::any::Any;
use time::SearchLimits;
use tree::NodeState;

/// The entry of the list of engines.
pub const INFO: EngineInfo = EngineInfo {
    name: "tengen",
    about: "Monte Carlo tree search with a network, virtual connections and inferior cells",
    options: params::OPTIONS,
    make: |options| Ok(Box::new(Tengen::new(options)?)),
};

/// The engine.
pub struct Tengen {
    policy: Policy,
    evaluator: Evaluator,
    pub(crate) params: Params,
    /// Whether to play from the opening book.
    book: bool,
    /// A `Memory<W>` of the width last searched with.
    pub(crate) memory: Option<Box<dyn Any + Send>>,
}

/// What evaluates positions.
enum Evaluator {
    /// Playouts only.
    Playouts,
    /// The network that ships.
    Shipped(&'static QuantizedNetwork),
    /// A network from a file.
    File(Box<QuantizedNetwork>),
}

impl Evaluator {
    /// The network that ships; playouts in a page that has not loaded it.
    fn shipped() -> Evaluator {
        QuantizedNetwork::shipped().map_or(Evaluator::Playouts, Evaluator::Shipped)
    }

    fn network(&self) -> Option<&QuantizedNetwork> {
        match self {
            Evaluator::Playouts => None,
            Evaluator::Shipped(network) => Some(network),
            Evaluator::File(network) => Some(network),
        }
    }
}

impl Tengen {
    /// An engine with options.
    pub fn new(options: &Options) -> Result<Tengen, EngineError> {
        let options = &options.renamed(params::RENAMED);
        options.check(params::OPTIONS)?;
        let policy = match options.get("policy").unwrap_or("shipped") {
            "shipped" => Policy::shipped().clone(),
            "none" => Policy::default(),
            other => {
                let problem = "accepted: shipped, none".to_string();
                return Err(EngineError::Option { key: "policy".into(), value: other.into(), problem });
            }
        };
        let book = options.switch("book", false)?;
        let evaluator = if options.switch("net", true)? { Evaluator::shipped() } else { Evaluator::Playouts };
        Ok(Tengen { params: Params::of(options)?, book, evaluator, ..Tengen::with_policy(policy) })
    }

    /// An engine with another policy.
    pub(crate) fn with_policy(policy: Policy) -> Tengen {
        Tengen {
            policy,
            evaluator: Evaluator::shipped(),
            params: Params::default(),
            book: false,
            memory: None,
        }
    }

    /// The same engine with another network.
    pub fn with_network(self, network: QuantizedNetwork) -> Tengen {
        Tengen { evaluator: Evaluator::File(Box::new(network)), ..self }
    }

    fn take_memory<const W: usize>(&mut self) -> Option<Memory<W>> {
        self.memory.take()?.downcast().ok().map(|memory| *memory)
    }
}

impl Engine for Tengen {
    fn name(&self) -> &str {
        INFO.name
    }

    fn new_game(&mut self) {
        self.memory = None;
    }

    fn can_ponder(&self) -> bool {
        true
    }

    fn think(
        &mut self,
        position: &dyn game::Position,
        limits: &Limits,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        let request = EngineRequest::check(INFO.name, position, limits, watch)?;
        let booked = self.book.then(|| request.book_move()).flatten();
        let decision = match booked.or_else(|| request.without_search()) {
            Some(decision) => decision,
            None => by_width!(request.position.size(), W => self.decide::<W, _>(&request, &mut (), report)),
        };
        report(&decision.report);
        Ok(decision)
    }
}

impl EngineRequest<'_> {
    /// The book's move; not where a swap is to be decided.
    fn book_move(&self) -> Option<Decision> {
        let size = self.position.size();
        let advice = crate::book::Book::shipped(size)?.find(self.position)?;
        let mv = root::place(size, advice.cell);
        let may = !self.may_swap && self.cells.contains(&advice.cell);
        may.then(|| decision(mv, root::instant_report(vec![mv], advice.rate, None, self.watch)))
    }

    /// The move where no search is needed: only a swap is allowed, or the swap map decides.
    fn without_search(&self) -> Option<Decision> {
        let size = self.position.size();
        if self.cells.is_empty() {
            return Some(decision(Move::Swap, root::instant_report(vec![Move::Swap], 0.5, None, self.watch)));
        }
        if self.may_swap && swap::should_swap(self.position) == Some(true) {
            return Some(decision(Move::Swap, root::instant_report(vec![Move::Swap], 0.7, None, self.watch)));
        }
        if !self.position.board().is_empty() || self.position.swap_rule() == crate::SwapRule::None {
            return None;
        }
        let first = swap::first_stone(size, self.limits.seed);
        let mv = Move::Place(first);
        let may = self.cells.contains(&size.index(first));
        may.then(|| decision(mv, root::instant_report(vec![mv], 0.5, None, self.watch)))
    }
}

fn decision(mv: Move, report: Report) -> Decision {
    Decision { mv, report }
}

/// The expected result of a decided game.
fn rate(won: bool) -> f64 {
    f64::from(u8::from(won))
}

impl Tengen {
    fn decide<const W: usize, O: Observer>(
        &mut self,
        request: &EngineRequest<'_>,
        observer: &mut O,
        report: &mut dyn FnMut(&Report),
    ) -> Decision {
        let EngineRequest { position, limits, watch, may_swap, ref cells } = *request;
        let size = position.size();
        let mut allowed = Bits::<W>::EMPTY;
        cells.iter().for_each(|&cell| allowed.insert(cell));
        let weakness = Weakness::of(limits.level);
        let budget = SearchLimits::of(limits, cells.len(), weakness.visits);
        let stop = || budget.time.is_over(watch);
        let mut memory = Memory::<W>::for_position(self.take_memory(), position, limits, &stop);
        let (stones, side) = (memory.start().stones, memory.start().to_move);
        match level::win_or_block(memory.shape(), &stones, side, &allowed) {
            Some((cell, true)) => {
                let mv = root::place(size, cell);
                return decision(mv, root::instant_report(vec![mv], 1.0, Some(1), watch));
            }
            // The only block: a search could not find more, and a weak level must not overlook it.
            Some((cell, false)) if limits.level < game::Level::MAX => {
                let mv = root::place(size, cell);
                return decision(mv, root::instant_report(vec![mv], 0.5, None, watch));
            }
            _ => {}
        }
        let network = self.evaluator.network().filter(|_| weakness.network);
        let models = Models { policy: &self.policy, network, params: &self.params };
        if let Some(won) = memory.prepare(&allowed, models, limits.seed, &stop) {
            if may_swap && !won {
                return decision(Move::Swap, root::instant_report(vec![Move::Swap], 1.0, None, watch));
            }
            let cell = match won {
                true => endgame::winning_move(memory.shape(), &stones, side, &allowed, ROOT_EFFORT, &stop),
                false => endgame::longest_loss(memory.shape(), &stones, side, &allowed),
            };
            let winner = if won { side } else { side.other() };
            let report = match cell {
                Some(cell) => {
                    let turns = (side, winner);
                    let ending = Ending::of(memory.shape(), &stones, turns, vec![cell], &stop);
                    root::instant_report(ending.moves(size), rate(won), ending.mate(), watch)
                }
                None => root::instant_report(vec![root::place(size, cells[0])], rate(won), None, watch),
            };
            self.memory = Some(Box::new(memory));
            return decision(root::place(size, cell.unwrap_or(cells[0])), report);
        }
        let (nodes, depth) = memory.run(models, limits, &budget, watch, observer, &mut |nodes, depth| {
            let best = root::ranked(&memory).first().map_or(cells[0], |row| row.cell);
            report(&root::report(&memory, best, limits.lines, (nodes, depth), watch));
        });
        let rows = root::ranked(&memory);
        let cell = match memory.root_state() {
            // A node's state is that of the player who moved there: at the root, the opponent.
            NodeState::Lost => {
                endgame::winning_move(memory.shape(), &stones, side, &allowed, ROOT_EFFORT, &stop)
                    .filter(|cell| rows.iter().any(|row| row.cell == *cell))
                    .or(rows.first().map(|row| row.cell))
            }
            NodeState::Won => endgame::longest_loss(memory.shape(), &stones, side, &allowed),
            NodeState::Open | NodeState::Pruned => {
                // Another draw at every move, also where the seed is that of the game.
                weakness.choose(&rows, limits.seed.wrapping_add(cells.len() as u64))
            }
        };
        let winner = match memory.root_state() {
            NodeState::Lost => Some(side),
            NodeState::Won => Some(side.other()),
            NodeState::Open | NodeState::Pruned => None,
        };
        let ending = winner.zip(cell).map(|(winner, cell)| {
            let first = memory.proved_line(cell, winner);
            Ending::of(memory.shape(), &stones, (side, winner), first, &stop)
        });
        let cell = cell.unwrap_or(cells[0]);
        let mut answer = root::report(&memory, cell, limits.lines, (nodes, depth), watch);
        if let Some(ending) = ending {
            ending.tell(size, &mut answer);
        }
        let best_rate = rows.first().map_or(0.5, |row| row.rate());
        if limits.only.is_empty() && limits.exclude.is_empty() {
            self.memory = Some(Box::new(memory));
        }
        if may_swap && best_rate < 0.5 && swap::should_swap(position) != Some(false) {
            return decision(Move::Swap, swapped(answer));
        }
        decision(root::place(size, cell), answer)
    }
}

/// The report of a search that ends in a swap: the swap is its best move, with the win rate of the opponent.
fn swapped(mut report: Report) -> Report {
    let win_rate = 1.0 - report.win_rate;
    let line = game::Line {
        moves: vec![Move::Swap],
        score: win_rate,
        win_rate,
        depth: 1,
        nodes: report.nodes,
        mate: None,
    };
    report.lines.insert(0, line);
    report.lines.truncate(report.lines.len().saturating_sub(1).max(1));
    report.root.insert(
        0,
        game::RootMove {
            mv: Move::Swap,
            score: win_rate,
            win_rate,
            bound: game::Bound::Exact,
            nodes: report.nodes,
        },
    );
    (report.score, report.win_rate, report.depth) = (win_rate, win_rate, 1);
    report
}
