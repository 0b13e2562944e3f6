//! Path search: a [`Solver`] keeps its memory between queries, a [`Query`] says what is asked, an
//! [`Answer`] says what was found and what it took.
//!
//! Every algorithm is a function in its own file over the same [`Context`] and [`Memory`].

mod algorithm;
mod alt;
mod anyangle;
mod astar;
mod astar4;
mod batch;
mod bfs;
mod bidirectional;
mod budget;
mod cone;
mod deadend;
mod error;
mod first_moves;
mod idastar;
mod jps;
mod jps4;
mod jps_cut;
mod jps_plus;
mod jumper;
mod nearest;
mod path;
mod sight;
mod subgoal;
mod theta;
mod turns;

pub use algorithm::Algorithm;
pub use batch::batch;
pub use budget::{Budget, Timer};
pub use error::QueryError;
pub(crate) use jps_plus::jump_table;
pub use nearest::{Nearest, Reached};
pub use path::Path;
pub(crate) use path::drawn;

use crate::bits::Bits;
use crate::buckets::{self, Buckets};
use crate::first_moves::FirstMoves;
use crate::grid::{Cell, Grid};
use crate::heap::Heap;
use crate::labels::Labels;
use crate::moves::{Neighbours, Units};
use crate::observe::{Observer, Silent};
use crate::subgoal::SubgoalTable;
use budget::Meter;
use game::StopFlag;
use std::num::NonZero;
use std::sync::Arc;

/// What is asked of a [`Solver`].
#[derive(Clone, Debug)]
pub struct Query {
    /// Start.
    pub from: Cell,
    /// Goal.
    pub to: Cell,
    /// How to search.
    pub algorithm: Algorithm,
    /// Which cells are neighbours.
    pub neighbours: Neighbours,
    /// Factor on the estimate, for weighted A* only: 1 to 1000, in thousandths.
    pub weight: f64,
    /// What the search may spend.
    pub budget: Budget,
}

impl Query {
    /// A* between two cells with four neighbours and no limit.
    pub fn new(from: Cell, to: Cell) -> Query {
        Query {
            from,
            to,
            algorithm: Algorithm::AStar,
            neighbours: Neighbours::Four,
            weight: 1.0,
            budget: Budget::default(),
        }
    }

    /// The same with another algorithm.
    pub fn by(mut self, algorithm: Algorithm) -> Query {
        self.algorithm = algorithm;
        self
    }

    /// The same with another neighbour rule.
    pub fn with_neighbours(mut self, neighbours: Neighbours) -> Query {
        self.neighbours = neighbours;
        self
    }
}

/// What came of a query.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The path, or why there is none.
    pub outcome: Outcome,
    /// Cells whose successors were made (for IDA*, over all bounds).
    pub expanded: u64,
    /// The cost is at most this many times the optimum: 1 for optimal algorithms, `None` for none.
    pub bound: Option<f64>,
}

impl Answer {
    /// The path, if one was found.
    pub fn path(&self) -> Option<&Path> {
        if let Outcome::Found(path) = &self.outcome { Some(path) } else { None }
    }
}

/// The three ways a search can end.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A path.
    Found(Path),
    /// Proved: there is none.
    NoPath,
    /// The budget ran out before an answer. No path is cheaper than `lower_bound`.
    OutOfBudget {
        /// What the search had proved by then.
        lower_bound: f64,
    },
}

/// Subgoals up to which a table is made by the first query that needs it: a fraction of a second.
const MADE_ON_DEMAND: usize = 1000;
/// Free cells up to which a first-move table is.
const FIRST_MOVES_ON_DEMAND: u64 = 4000;
/// Cells up to which it is.
const ON_DEMAND_CELLS: u64 = 1 << 20;

/// Searches one grid, any number of times.
#[derive(Debug)]
pub struct Solver<'g> {
    grid: &'g Grid,
    weighted: bool,
    memory: Memory,
}

impl<'g> Solver<'g> {
    /// A solver that has prepared nothing yet.
    pub fn new(grid: &'g Grid) -> Solver<'g> {
        Solver { grid, weighted: grid.is_weighted(), memory: Memory::default() }
    }

    /// The same with the subgoal table of its grid; solvers may share one.
    pub fn with_table(mut self, table: Arc<SubgoalTable>) -> Solver<'g> {
        self.memory.table = Some(table);
        self
    }

    /// The same with the first-move table of its grid.
    pub fn with_first_moves(mut self, table: Arc<FirstMoves>) -> Solver<'g> {
        self.memory.first_moves = Some(table);
        self
    }

    /// Builds what the algorithm needs of this grid beyond the grid itself, so that queries do not; a second call does
    /// nothing. Fails where that would take too long.
    pub fn prepare(&mut self, algorithm: Algorithm, neighbours: Neighbours) -> Result<(), QueryError> {
        self.check_table(algorithm)?;
        self.memory.prepare(self.grid, algorithm, neighbours);
        // A table may turn out to be too large in spite of few subgoals.
        if !self.memory.has_table(algorithm) { Err(QueryError::NotPrepared { algorithm }) } else { Ok(()) }
    }

    /// Bytes of search state now held, besides the grid: labels, open lists, prepared tables.
    pub fn memory_bytes(&self) -> usize {
        self.memory.bytes()
    }

    /// Answers a query.
    pub fn solve(&mut self, query: &Query) -> Result<Answer, QueryError> {
        self.search(query).map(Searched::answer)
    }

    /// Answers a query and shows every step of the search to an observer.
    pub fn solve_observed<O: Observer>(&mut self, query: &Query, seen: &mut O) -> Result<Answer, QueryError> {
        self.search_observed(query, seen).map(Searched::answer)
    }

    /// Searches without building the path: what a benchmark times.
    pub fn search(&mut self, query: &Query) -> Result<Searched<'_>, QueryError> {
        self.search_observed(query, &mut Silent)
    }

    /// [`Solver::search`] with an observer.
    pub fn search_observed<O: Observer>(
        &mut self,
        query: &Query,
        seen: &mut O,
    ) -> Result<Searched<'_>, QueryError> {
        self.check(query)?;
        self.prepare(query.algorithm, query.neighbours)?;
        let context = Context {
            grid: self.grid,
            bits: self.grid.bits(),
            weighted: self.weighted,
            rule: query.neighbours,
            units: query.neighbours.units(),
            from: query.from,
            to: query.to,
        };
        let mut meter = Meter::new(&query.budget);
        let run = Run { context: &context, memory: &mut self.memory, meter: &mut meter, seen };
        let end = algorithm::run(query, run);
        let expanded = meter.expanded();
        Ok(Searched { context, memory: &self.memory, end, expanded, bound: query.bound() })
    }

    fn check(&self, query: &Query) -> Result<(), QueryError> {
        self.check_end("start", query.from)?;
        self.check_end("goal", query.to)?;
        let (algorithm, neighbours) = (query.algorithm, query.neighbours);
        if !algorithm.allows(neighbours) {
            let others = Algorithm::list(|a| a.allows(neighbours));
            return Err(QueryError::Rule { algorithm, neighbours, others });
        }
        if self.weighted && !algorithm.allows_weights() {
            return Err(QueryError::Weights {
                algorithm,
                others: Algorithm::list(Algorithm::allows_weights),
            });
        }
        if algorithm == Algorithm::WeightedAStar && !(1.0..=1000.0).contains(&query.weight) {
            return Err(QueryError::Weight(query.weight));
        }
        Ok(())
    }

    /// Is the start or goal on the map and free?
    fn check_end(&self, what: &'static str, cell: Cell) -> Result<(), QueryError> {
        let (height, width) = (self.grid.height(), self.grid.width());
        if !self.grid.contains(cell) {
            return Err(QueryError::Outside { what, cell, height, width });
        }
        if self.grid.is_free(cell) { Ok(()) } else { Err(QueryError::InWall { what, cell }) }
    }

    /// Is the table there that the algorithm needs, or quickly made?
    fn check_table(&self, algorithm: Algorithm) -> Result<(), QueryError> {
        if self.memory.has_table(algorithm) {
            return Ok(());
        }
        let cells = u64::from(self.grid.width()) * u64::from(self.grid.height());
        let long = match algorithm {
            Algorithm::FirstMoves => FirstMoves::count(self.grid) > FIRST_MOVES_ON_DEMAND,
            _ => cells > ON_DEMAND_CELLS || SubgoalTable::count(self.grid) > MADE_ON_DEMAND,
        };
        if long { Err(QueryError::NotPrepared { algorithm }) } else { Ok(()) }
    }
}

impl Query {
    /// How far from the optimum the answer may be, as a factor.
    fn bound(&self) -> Option<f64> {
        match self.algorithm {
            Algorithm::WeightedAStar => Some(self.weight),
            algorithm => algorithm.is_optimal(self.neighbours).then_some(1.0),
        }
    }
}

/// A search that has ended, its path still in the solver's memory.
pub struct Searched<'s> {
    context: Context<'s>,
    memory: &'s Memory,
    end: End,
    expanded: u64,
    bound: Option<f64>,
}

impl Searched<'_> {
    /// Cost of the path, if one was found.
    pub fn cost(&self) -> Option<f64> {
        match &self.end {
            End::Path(cells) => Some(path::cost(cells, self.context.grid)),
            End::Turns(cells) => Some(path::length(cells)),
            End::Jumps { cost, .. } | End::Subgoals { cost, .. } => Some(self.context.units.cost(*cost)),
            End::NoPath | End::Stopped(_) => None,
        }
    }

    /// Did the budget run out before an answer?
    pub fn is_stopped(&self) -> bool {
        matches!(self.end, End::Stopped(_))
    }

    /// Cells whose successors were made.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Builds the path cell by cell.
    pub fn answer(self) -> Answer {
        let Searched { context, memory, end, expanded, bound } = self;
        let outcome = match end {
            End::Path(cells) => Outcome::Found(Path::new(cells, context.grid)),
            End::Turns(cells) => Outcome::Found(Path::straight(cells)),
            End::Jumps { fill, .. } => {
                let cells = jumper::trace(&memory.parents, &context, fill);
                Outcome::Found(Path::new(cells, context.grid))
            }
            End::Subgoals { turns, .. } => {
                let cells = subgoal::trace(memory.table.as_deref(), context.from, turns, context.to);
                Outcome::Found(Path::new(cells, context.grid))
            }
            End::NoPath => Outcome::NoPath,
            End::Stopped(units) => Outcome::OutOfBudget { lower_bound: context.units.cost(units) },
        };
        Answer { outcome, expanded, bound }
    }
}

/// What an algorithm is given: the question, the solver's reusable memory, the budget and who watches.
struct Run<'a, 'b, O> {
    context: &'a Context<'a>,
    memory: &'a mut Memory,
    meter: &'a mut Meter<'b>,
    seen: &'a mut O,
}

/// The grid and the question, as an algorithm sees them.
struct Context<'a> {
    grid: &'a Grid,
    bits: &'a Bits,
    weighted: bool,
    rule: Neighbours,
    units: Units,
    from: Cell,
    to: Cell,
}

impl Context<'_> {
    fn id(&self, cell: Cell) -> u32 {
        self.bits.id(cell.row, cell.col)
    }

    /// Buckets of the open list.
    fn span(&self) -> usize {
        buckets::span(self.grid.width(), self.grid.height())
    }
}

/// How an algorithm ended; costs in units.
enum End {
    Path(Vec<Cell>),
    /// Start, turns and goal of an any-angle path.
    Turns(Vec<Cell>),
    /// A path between jump points, which `Memory::parents` remembers.
    Jumps {
        cost: u64,
        fill: jumper::Fill,
    },
    /// A path by way of a first and a last subgoal, or straight.
    Subgoals {
        cost: u64,
        turns: Option<(u16, u16)>,
    },
    NoPath,
    Stopped(u64),
}

/// Everything reusable between queries on one grid.
#[derive(Debug, Default)]
struct Memory {
    labels: Labels,
    /// The backward half of a bidirectional search.
    back: Labels,
    buckets: Buckets,
    /// The two halves of a bidirectional search need exact order.
    heap: Heap,
    back_heap: Heap,
    /// Breadth-first search's.
    queue: Vec<u32>,
    /// Two stacks, for four neighbours of equal weight.
    stacks: [Vec<u32>; 2],
    ida: idastar::Remembered,
    /// Where jump point searches came from, one packed node a cell.
    parents: Vec<u32>,
    columns: Columns,
    jumps: jps_plus::Jumps,
    landmarks: Option<alt::Landmarks>,
    table: Option<Arc<SubgoalTable>>,
    first_moves: Option<Arc<FirstMoves>>,
    /// Subgoals near the goal, and how far they are from it.
    last_legs: Vec<(u16, u64)>,
    core: Option<deadend::Core>,
    sight: Option<sight::Sight>,
    turns: turns::Turns,
    cones: anyangle::Cones,
}

/// The grid's bitmap with rows and columns exchanged, made when first needed.
#[derive(Debug, Default)]
struct Columns(Option<Bits>);

impl Columns {
    fn get(&mut self, grid: &Grid) -> &Bits {
        self.0.get_or_insert_with(|| grid.bits().transposed())
    }

    fn bytes(&self) -> usize {
        self.0.as_ref().map_or(0, Bits::bytes)
    }
}

impl Memory {
    fn prepare(&mut self, grid: &Grid, algorithm: Algorithm, neighbours: Neighbours) {
        if algorithm == Algorithm::DeadEnd && !self.core.as_ref().is_some_and(|core| core.is_for(neighbours))
        {
            self.core = Some(deadend::Core::new(grid, neighbours));
        }
        if algorithm.is_any_angle() {
            self.sight.get_or_insert_with(|| sight::Sight::new(grid));
            if algorithm == Algorithm::AnyAngle {
                self.columns.get(grid);
            }
        }
        if matches!(
            algorithm,
            Algorithm::Jps | Algorithm::Jps4 | Algorithm::JpsPlus | Algorithm::Alt | Algorithm::Subgoal
        ) {
            let columns = self.columns.get(grid);
            if algorithm == Algorithm::JpsPlus {
                self.jumps.get(grid, columns);
            }
            if algorithm == Algorithm::Alt && self.landmarks.is_none() {
                self.landmarks = Some(alt::Landmarks::new(grid));
            }
            if algorithm == Algorithm::Subgoal && self.table.is_none() {
                // `check_table` has seen that the subgoals are few, so this does not take long.
                let built = SubgoalTable::build(grid, NonZero::<usize>::MIN, &StopFlag::new(), &|_| {});
                self.table = built.ok().map(Arc::new);
            }
        }
        if algorithm == Algorithm::FirstMoves && self.first_moves.is_none() {
            let built = FirstMoves::build(grid, NonZero::<usize>::MIN, &StopFlag::new(), &|_| {});
            self.first_moves = built.ok().map(Arc::new);
        }
    }

    /// Is the table there that the algorithm needs, if it needs one?
    fn has_table(&self, algorithm: Algorithm) -> bool {
        match algorithm {
            Algorithm::Subgoal => self.table.is_some(),
            Algorithm::FirstMoves => self.first_moves.is_some(),
            _ => true,
        }
    }

    fn bytes(&self) -> usize {
        self.labels.bytes()
            + self.back.bytes()
            + self.heap.bytes()
            + self.back_heap.bytes()
            + self.buckets.bytes()
            + (self.queue.capacity() + self.stacks[0].capacity() + self.stacks[1].capacity()) * 4
            + self.ida.bytes()
            + self.parents.capacity() * 4
            + self.columns.bytes()
            + self.jumps.bytes()
            + self.table.as_ref().map_or(0, |table| table.bytes())
            + self.first_moves.as_ref().map_or(0, |table| table.bytes())
            + self.last_legs.capacity() * 16
            + self.landmarks.as_ref().map_or(0, alt::Landmarks::bytes)
            + self.core.as_ref().map_or(0, deadend::Core::bytes)
            + self.sight.as_ref().map_or(0, sight::Sight::bytes)
            + self.turns.bytes()
            + self.cones.bytes()
    }
}

/// A cell in four bytes: row above column. Sides are below 2^15.
#[inline]
pub(crate) fn pack(cell: Cell) -> u32 {
    cell.row << 16 | cell.col
}

#[inline]
pub(crate) fn unpack(packed: u32) -> Cell {
    Cell { row: packed >> 16, col: packed & 0xffff }
}

/// What to add to a packed cell for each direction.
const PACKED_STEPS: [u32; 8] =
    [0xffff_0000, 0x0000_0001, 0x0001_0000, 0xffff_ffff, 0xffff_0001, 0x0001_0001, 0x0000_ffff, 0xfffe_ffff];
