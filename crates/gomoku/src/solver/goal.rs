//! The solver as commands and the server use it: a goal, a budget, an answer with its line.

use super::{AttackResult, AttackStrategy, SolverBudget, Vcf, Vct, VerifyError, verify};
use crate::{Board, Point};
use ::game::Side;
use std::str::FromStr;

/// What kind of win is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// By fours alone.
    Vcf,
    /// By threats.
    Vct,
    /// By any means the solver knows.
    Win,
}

impl Goal {
    /// All goals, the narrowest first.
    pub const ALL: [Goal; 3] = [Goal::Vcf, Goal::Vct, Goal::Win];

    /// `vcf`, `vct` or `win`.
    pub const fn name(self) -> &'static str {
        match self {
            Goal::Vcf => "vcf",
            Goal::Vct => "vct",
            Goal::Win => "win",
        }
    }
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Goal, String> {
        let found = Goal::ALL.into_iter().find(|goal| goal.name() == text);
        found.ok_or_else(|| format!("unknown goal '{text}'; accepted: vcf, vct, win"))
    }
}

/// Nodes to see an attack through before every answer is tried in turn.
const BEATEN: u64 = 20_000;

/// What the solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Whether the side to move wins.
    pub result: AttackResult,
    /// For a win: the moves, the attacker's first, against one stubborn defence.
    pub line: Vec<Point>,
    /// Nodes spent.
    pub nodes: u64,
}

/// A reusable solver for all goals. Its tables are allocated when a goal first needs them.
pub struct Solver {
    memory_mb: usize,
    vcf: Option<Vcf>,
    vct: Option<Vct>,
}

impl Solver {
    /// A solver that uses at most about so much memory.
    pub fn new(memory_mb: usize) -> Solver {
        Solver { memory_mb: memory_mb.max(1), vcf: None, vct: None }
    }

    /// Does `attacker`, to move, win? The game must not be over.
    pub fn solve(
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
                let result = match (goal, vct.run_wide(board, attacker, budget)) {
                    // A win may also need a move that threatens nothing yet.
                    (Goal::Win, AttackResult::None) => AttackResult::Unknown,
                    (_, result) => result,
                };
                let won = result == AttackResult::Win;
                (result, if won { vct.line(board, attacker) } else { Vec::new() })
            }
        };
        Solution::new(result, line, budget)
    }

    /// Do the threats that `attacker` has on the board win, whatever the defender, to move, answers?
    pub(crate) fn beaten(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut SolverBudget<'_>,
    ) -> bool {
        budget.share(BEATEN, |budget| self.vct().run_against(board, attacker, budget)) == AttackResult::Win
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
        let strategy: &mut dyn AttackStrategy = match goal {
            Goal::Vcf => self.vcf(),
            Goal::Vct | Goal::Win => self.vct(),
        };
        verify(board, attacker, strategy, budget)
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
        Solution { result, line, nodes: budget.spent() }
    }
}
