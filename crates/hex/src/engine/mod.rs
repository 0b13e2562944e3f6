//! `tengen`: tree search with a network that judges moves and positions, and connections and inferior cells computed where
//! the tree has been often; without the network, RAVE, learned patterns and bridge-saving playouts.
//!
//! [`worker`] walks the [`tree`]; [`select`] chooses the way, [`net`] or [`policy`] say what a move is worth before any
//! search, [`playout`] plays to the end; [`search`] runs the threads and keeps the tree for the next move; [`endgame`]
//! plays what is proved.

pub mod ab;
mod endgame;
mod features;
mod improved;
pub mod learn;
mod level;
pub mod net;
mod params;
mod playout;
mod policy;
mod root;
mod search;
mod select;
mod swap;
mod time;
mod tree;
mod twins;
mod worker;

#[cfg(test)]
mod tests;

pub use features::TOTAL as FEATURES;
pub use policy::Policy;

use crate::bits::Bits;
use crate::inferior;
use crate::stones::Shape;
use crate::vc::{Connections, Effort};
use crate::{HexPosition, by_width};
use game::{Decision, Engine, EngineError, EngineInfo, Limits, Move, Options, Position, Report, Watch};
use level::Weakness;
use net::Judge;
use params::{LOOK_AT_ROOT, Params};
use search::Memory;
use std::any::Any;
use time::Budget;
use tree::Verdict;

/// The entry of the list of engines.
pub const INFO: EngineInfo = EngineInfo {
    name: "tengen",
    about: "tree search with a network, virtual connections and inferior cells",
    options: params::OPTIONS,
    make: |options| Ok(Box::new(Tengen::new(options)?)),
};

/// The engine.
pub struct Tengen {
    policy: Policy,
    network: Option<&'static Judge>,
    params: Params,
    /// Whether to play the openings of the book.
    book: bool,
    /// A `Memory<W>` of the width last searched with.
    memory: Option<Box<dyn Any + Send>>,
}

impl Tengen {
    /// An engine with options.
    pub fn new(options: &Options) -> Result<Tengen, EngineError> {
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
        let network = if options.switch("net", true)? { Judge::shipped() } else { None };
        Ok(Tengen { params: Params::of(options)?, book, network, ..Tengen::with_policy(policy) })
    }

    /// An engine with a policy of its own.
    pub fn with_policy(policy: Policy) -> Tengen {
        Tengen { policy, network: Judge::shipped(), params: Params::default(), book: false, memory: None }
    }

    /// The same engine with a network of its own, for those who teach one.
    pub fn with_network(self, network: &'static Judge) -> Tengen {
        Tengen { network: Some(network), ..self }
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

    fn think(
        &mut self,
        position: &dyn Position,
        limits: &Limits,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        let request = Request::open(INFO.name, position, limits, watch)?;
        let booked = self.book.then(|| request.by_book()).flatten();
        let decision = match booked.or_else(|| request.at_once()) {
            Some(decision) => decision,
            None => by_width!(request.position.size(), W => self.answer::<W>(&request, report)),
        };
        report(&decision.report);
        Ok(decision)
    }
}

/// A question to the engine, checked.
struct Request<'a> {
    position: &'a HexPosition,
    limits: &'a Limits,
    watch: &'a Watch,
    may_swap: bool,
    /// The empty cells that may be played; at least one, or a swap is.
    cells: Vec<usize>,
}

impl<'a> Request<'a> {
    fn open(
        engine: &str,
        position: &'a dyn Position,
        limits: &'a Limits,
        watch: &'a Watch,
    ) -> Result<Request<'a>, EngineError> {
        let Some(position) = position.downcast::<HexPosition>() else {
            let got = position.game().to_string();
            return Err(EngineError::WrongGame { engine: engine.into(), plays: "hex", got });
        };
        let legal = position.legal_moves();
        if legal.is_empty() {
            return Err(EngineError::NoMove("the game is over".into()));
        }
        let moves: Vec<Move> = legal.into_iter().filter(|mv| limits.allows(*mv)).collect();
        if moves.is_empty() {
            return Err(EngineError::NoMove("the limits exclude every move".into()));
        }
        let size = position.size();
        let cells = moves.iter().filter_map(|mv| mv.cell()).map(|cell| size.index(cell)).collect();
        Ok(Request { position, limits, watch, may_swap: moves.contains(&Move::Swap), cells })
    }

    /// The book's answer; a swap is decided before it.
    fn by_book(&self) -> Option<Decision> {
        let size = self.position.size();
        let advice = crate::opening::Book::shipped(size)?.find(self.position)?;
        let mv = root::place(size, advice.cell);
        let may = !self.may_swap && self.cells.contains(&advice.cell);
        may.then(|| decision(mv, root::known(mv, advice.rate, false, self.watch)))
    }

    /// The answer where no search is needed: nothing but a swap is allowed, or the map of first stones
    /// knows.
    fn at_once(&self) -> Option<Decision> {
        let size = self.position.size();
        if self.cells.is_empty() {
            return Some(decision(Move::Swap, root::known(Move::Swap, 0.5, false, self.watch)));
        }
        if self.may_swap && swap::takes_over(self.position) == Some(true) {
            return Some(decision(Move::Swap, root::known(Move::Swap, 0.7, false, self.watch)));
        }
        if !self.position.board().is_empty() || self.position.swap_rule() == crate::SwapRule::None {
            return None;
        }
        let first = swap::first_stone(size, self.limits.seed);
        let mv = Move::Place(first);
        let may = self.cells.contains(&size.index(first));
        may.then(|| decision(mv, root::known(mv, 0.5, false, self.watch)))
    }
}

fn decision(mv: Move, report: Report) -> Decision {
    Decision { mv, report }
}

impl Tengen {
    fn answer<const W: usize>(&mut self, request: &Request<'_>, report: &mut dyn FnMut(&Report)) -> Decision {
        let Request { position, limits, watch, may_swap, ref cells } = *request;
        let size = position.size();
        let mut allowed = Bits::<W>::EMPTY;
        cells.iter().for_each(|&cell| allowed.insert(cell));
        let weakness = Weakness::of(limits.level);
        let network = self.network.filter(|_| weakness.network);
        let mut memory = Memory::<W>::for_position(self.take_memory(), position, limits);
        let (stones, side) = (memory.start().stones, memory.start().to_move);
        let at_once = level::urgent(memory.shape(), &stones, side, &allowed);
        let decided = match at_once {
            Some((cell, true)) => {
                return decision(root::place(size, cell), {
                    root::known(root::place(size, cell), 1.0, true, watch)
                });
            }
            // The only block: a search could not find more, and a weak level must not overlook it.
            Some((cell, false)) if limits.level < game::Level::Max => {
                let mv = root::place(size, cell);
                return decision(mv, root::known(mv, 0.5, false, watch));
            }
            _ => memory.prepare(&allowed, (&self.policy, network, &self.params), limits.seed),
        };
        if let Some(won) = decided {
            if may_swap && !won {
                return decision(Move::Swap, root::known(Move::Swap, 1.0, false, watch));
            }
            let cell = match won {
                true => proved_win(memory.shape(), &stones, side, &allowed, watch),
                false => endgame::longest_loss(memory.shape(), &stones, side, &allowed),
            };
            let mv = root::place(size, cell.unwrap_or(cells[0]));
            self.memory = Some(Box::new(memory));
            return decision(mv, root::known(mv, f64::from(u8::from(won)), false, watch));
        }
        let budget = Budget::of(limits, cells.len(), weakness.visits);
        let (nodes, depth) =
            memory.run((&self.policy, network, &self.params), limits, &budget, watch, &mut |nodes, depth| {
                let best = root::ranked(&memory).first().map_or(cells[0], |row| row.cell);
                report(&root::report(&memory, best, limits.lines, (nodes, depth), watch));
            });
        let rows = root::ranked(&memory);
        let cell = match memory.root_verdict() {
            // From the view of the opponent, who moved to the root.
            Verdict::Lost => proved_win(memory.shape(), &stones, side, &allowed, watch)
                .filter(|cell| rows.iter().any(|row| row.cell == *cell))
                .or(rows.first().map(|row| row.cell)),
            Verdict::Won => endgame::longest_loss(memory.shape(), &stones, side, &allowed),
            Verdict::Open | Verdict::Pruned => weakness.choose(&rows, limits.seed),
        };
        let cell = cell.unwrap_or(cells[0]);
        let answer = root::report(&memory, cell, limits.lines, (nodes, depth), watch);
        let best_rate = rows.first().map_or(0.5, |row| row.rate());
        if limits.only.is_empty() && limits.exclude.is_empty() {
            self.memory = Some(Box::new(memory));
        }
        if may_swap && best_rate < 0.5 && swap::takes_over(position) != Some(false) {
            return decision(Move::Swap, swapped(answer));
        }
        decision(root::place(size, cell), answer)
    }
}

/// The report of a search that made us swap: its best move is the swap, worth what the opponent would have had.
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
    report.root.insert(0, game::RootMove { mv: Move::Swap, score: win_rate, win_rate, nodes: report.nodes });
    (report.score, report.win_rate, report.depth) = (win_rate, win_rate, 1);
    report
}

/// A move that keeps a win which connections prove, with or without filling in.
fn proved_win<const W: usize>(
    shape: &Shape<W>,
    stones: &crate::stones::Stones<W>,
    side: game::Side,
    allowed: &Bits<W>,
    watch: &Watch,
) -> Option<usize> {
    if let Some(cell) = endgame::shortest_win(shape, stones, side, allowed, watch) {
        return Some(cell);
    }
    let filled = inferior::fill_in(shape, stones).stones;
    if shape.winner(&filled) != Some(side) {
        let effort = Effort { until_semi: true, ..LOOK_AT_ROOT };
        let (_, key) = Connections::build(shape, &filled, side, effort).winning().semi?;
        return Some(key).filter(|key| allowed.contains(*key));
    }
    // Won whoever moves: no stone of our own can spoil it.
    let needed =
        |&cell: &usize| endgame::stones_needed(shape, &stones.with(side, cell), side).unwrap_or(u32::MAX);
    (shape.empty(stones) & *allowed).iter().min_by_key(needed)
}
