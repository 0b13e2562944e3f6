//! The solver as commands and the server use it: a goal, a budget, a result with its line.

use super::{AttackResult, AttackStrategy, SolverBudget, Vcf, Vct, VerifyError, verify};
use crate::engine::{MATE_BOUND, Tengen};
use crate::{Board, Point};
use ::game::{Limits, Options, Side, Watch};

/// What kind of win is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// By fours alone.
    Vcf,
    /// By threats.
    Vct,
    /// By any means: threats, then the main search.
    Win,
}

search::named!(Goal, "goal": Vcf = "vcf", Vct = "vct", Win = "win");

/// Nodes to see an attack through before every answer is tried in turn.
const BEATEN_NODES: u64 = 20_000;

/// What the solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Whether the side to move wins.
    pub result: AttackResult,
    /// For a win: the moves, the attacker's first, against one stubborn defence.
    pub line: Vec<Point>,
    /// Nodes spent.
    pub nodes: u64,
    /// For [`AttackResult::Unknown`]: what was searched without deciding the question.
    pub undecided: &'static str,
}

/// A reusable solver for all goals. Its tables are allocated when a goal first needs them.
pub struct Solver {
    memory_mb: usize,
    vcf: Option<Vcf>,
    vct: Option<Vct>,
    engine: Option<Tengen>,
}

impl Solver {
    /// A solver that uses about this much memory.
    pub fn new(memory_mb: usize) -> Solver {
        Solver { memory_mb: memory_mb.max(1), vcf: None, vct: None, engine: None }
    }

    /// Does `attacker`, to move, win? The game must not be over. For [`Goal::Win`] the first half of the budget
    /// goes to VCT; if that finds nothing, the main search gets the rest, which also finds wins that need a move
    /// without a threat.
    pub fn solve(
        &mut self,
        board: &mut Board,
        attacker: Side,
        goal: Goal,
        budget: &mut SolverBudget<'_>,
    ) -> Solution {
        match goal {
            Goal::Vcf | Goal::Vct => self.solve_threats(board, attacker, goal, budget),
            Goal::Win => {
                let threats = budget.half(|half| self.solve_threats(board, attacker, goal, half));
                if threats.result == AttackResult::Win || budget.ended() {
                    return threats;
                }
                let no_vct = threats.undecided == NO_VCT;
                self.solve_by_main_search(board, attacker, no_vct, budget)
            }
        }
    }

    /// The part of [`Solver::solve`] that searches threats only.
    pub(crate) fn solve_threats(
        &mut self,
        board: &mut Board,
        attacker: Side,
        goal: Goal,
        budget: &mut SolverBudget<'_>,
    ) -> Solution {
        let (result, line) = match goal {
            Goal::Vcf => {
                let vcf = self.vcf();
                let result = vcf.run(board, attacker, budget);
                (result, vcf.line().to_vec())
            }
            Goal::Vct | Goal::Win => {
                let vct = self.vct();
                let result = vct.run_wide(board, attacker, budget);
                let won = result == AttackResult::Win;
                (result, if won { vct.line(board, attacker) } else { Vec::new() })
            }
        };
        let mut solution = Solution::new(result, line, budget);
        if goal == Goal::Win && result == AttackResult::None {
            // A win may also need a move that threatens nothing yet.
            solution = Solution { result: AttackResult::Unknown, undecided: NO_VCT, ..solution };
        }
        solution
    }

    /// The main search with what is left of the budget.
    fn solve_by_main_search(
        &mut self,
        board: &mut Board,
        attacker: Side,
        no_vct: bool,
        budget: &mut SolverBudget<'_>,
    ) -> Solution {
        let undecided = if no_vct { NO_VCT_NOR_PROOF } else { NO_PROOF };
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => match Tengen::new(&Options::new()) {
                Ok(engine) => none.insert(engine),
                Err(_) => return Solution::new(AttackResult::Unknown, Vec::new(), budget),
            },
        };
        let limits = Limits { memory_mb: self.memory_mb, ..budget.rest() };
        let report = engine.analyse_board(board, attacker, &limits, &budget.watch());
        let Some(report) = report else { return Solution::new(AttackResult::Unknown, Vec::new(), budget) };
        budget.add(report.nodes);
        let won = report.score >= f64::from(MATE_BOUND);
        let result = if won { AttackResult::Win } else { AttackResult::Unknown };
        let line = report.pv().iter().filter_map(|mv| mv.cell()).map(Point::of).collect();
        Solution { undecided, ..Solution::new(result, line, budget) }
    }

    /// Do the threats that `attacker` has on the board win, whatever the defender, to move, answers?
    pub(crate) fn beaten(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut SolverBudget<'_>,
    ) -> bool {
        budget.share(BEATEN_NODES, |budget| self.vct().run_against(board, attacker, budget))
            == AttackResult::Win
    }

    /// The VCF with the fewest attacking moves.
    pub fn shortest_vcf(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut SolverBudget<'_>,
    ) -> Solution {
        let vcf = self.vcf();
        let result = vcf.shortest(board, attacker, budget);
        Solution::new(result, vcf.line().to_vec(), budget)
    }

    /// Has a win of this goal checked against every defence by the independent verifier.
    pub fn verify(
        &mut self,
        board: &mut Board,
        attacker: Side,
        goal: Goal,
        budget: &mut SolverBudget<'_>,
    ) -> Result<(), VerifyError> {
        match goal {
            Goal::Vcf => verify(board, attacker, self.vcf(), budget),
            Goal::Vct => verify(board, attacker, self.vct(), budget),
            Goal::Win => {
                let (engine, memory_mb) = (self.engine.take(), self.memory_mb);
                let mut strategy = AnyWin { vct: self.vct(), engine, memory_mb };
                let verified = verify(board, attacker, &mut strategy, budget);
                self.engine = strategy.engine;
                verified
            }
        }
    }

    fn vcf(&mut self) -> &mut Vcf {
        // A VCF seldom has a million positions: more memory would only take time to clear.
        let entries = (self.memory_mb << 17).min(1 << 20);
        self.vcf.get_or_insert_with(|| Vcf::new(entries))
    }

    fn vct(&mut self) -> &mut Vct {
        let memory_mb = self.memory_mb;
        self.vct.get_or_insert_with(|| Vct::new(memory_mb))
    }
}

impl Solution {
    fn new(result: AttackResult, line: Vec<Point>, budget: &SolverBudget<'_>) -> Solution {
        let line = if result == AttackResult::Win { line } else { Vec::new() };
        Solution { result, line, nodes: budget.spent(), undecided: "the budget ended first" }
    }
}

const NO_VCT: &str = "no VCT; other wins are not excluded";
const NO_VCT_NOR_PROOF: &str = "no VCT; the main search has proved nothing within the budget";
const NO_PROOF: &str = "neither the VCT search nor the main search has proved anything within the budget";

/// Confirms wins of any kind: by threats where they win, else by the main search.
struct AnyWin<'a> {
    vct: &'a mut Vct,
    engine: Option<Tengen>,
    memory_mb: usize,
}

/// Nodes for one position of a win that is being verified.
const VERIFY_NODES: u64 = 200_000;

impl AttackStrategy for AnyWin<'_> {
    fn attack(&mut self, board: &mut Board, attacker: Side) -> Option<Point> {
        let budget = &mut SolverBudget::nodes(VERIFY_NODES);
        if let Some(point) = self.vct.attack_within(board, attacker, budget) {
            return Some(point);
        }
        let limits = Limits { memory_mb: self.memory_mb, ..Limits::nodes(VERIFY_NODES) };
        let report = self.engine.as_mut()?.analyse_board(board, attacker, &limits, &Watch::untimed())?;
        let won = report.score >= f64::from(MATE_BOUND);
        report.pv().first().filter(|_| won).and_then(|mv| mv.cell()).map(Point::of)
    }
}
