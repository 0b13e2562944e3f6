//! The solver as commands and the server use it: a goal, a budget, an answer with its line.

use super::{Budget, Claimant, Doubt, Vcf, Vct, Verdict, verify};
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
pub struct Answer {
    /// Whether the side to move wins.
    pub verdict: Verdict,
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
        budget: &mut Budget<'_>,
    ) -> Answer {
        let (verdict, line) = match goal {
            Goal::Vcf => {
                let vcf = self.vcf();
                let verdict = vcf.run(board, attacker, budget);
                (verdict, vcf.line().to_vec())
            }
            Goal::Vct | Goal::Win => {
                let vct = self.vct();
                let verdict = match (goal, vct.run_wide(board, attacker, budget)) {
                    // A win may also need a move that threatens nothing yet.
                    (Goal::Win, Verdict::None) => Verdict::Unknown,
                    (_, verdict) => verdict,
                };
                let won = verdict == Verdict::Win;
                (verdict, if won { vct.line(board, attacker) } else { Vec::new() })
            }
        };
        Answer::new(verdict, line, budget)
    }

    /// Do the threats that `attacker` has on the board win, whatever the defender, to move, answers?
    pub(crate) fn beaten(&mut self, board: &mut Board, attacker: Side, budget: &mut Budget<'_>) -> bool {
        budget.share(BEATEN, |budget| self.vct().run_against(board, attacker, budget)) == Verdict::Win
    }

    /// The VCF with the fewest attacking moves.
    pub fn shortest_vcf(&mut self, board: &mut Board, attacker: Side, budget: &mut Budget<'_>) -> Answer {
        let vcf = self.vcf();
        let verdict = vcf.shortest(board, attacker, budget);
        Answer::new(verdict, vcf.line().to_vec(), budget)
    }

    /// Has a win of this goal checked against every defence by the independent verifier.
    pub fn verify(
        &mut self,
        board: &mut Board,
        attacker: Side,
        goal: Goal,
        budget: &mut Budget<'_>,
    ) -> Result<(), Doubt> {
        let claimant: &mut dyn Claimant = match goal {
            Goal::Vcf => self.vcf(),
            Goal::Vct | Goal::Win => self.vct(),
        };
        verify(board, attacker, claimant, budget)
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

impl Answer {
    fn new(verdict: Verdict, line: Vec<Point>, budget: &Budget<'_>) -> Answer {
        let line = if verdict == Verdict::Win { line } else { Vec::new() };
        Answer { verdict, line, nodes: budget.spent() }
    }
}
