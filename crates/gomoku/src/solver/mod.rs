//! Forced wins, proved: VCF, VCT, and any win the main search can prove.
//!
//! [`Vcf`] looks for wins by fours alone, [`Vct`] for wins by continuous threats; [`Solver`] offers both behind one
//! call. Results are an [`AttackResult`], which never confuses "there is none" with "the budget ended first", and
//! [`verify`] checks claimed wins independently. `prove` answers the questions of the `Game` trait.

mod budget;
mod goal;
mod proof_table;
mod prove;
mod vcf;
mod vct;
mod verify;

pub use budget::SolverBudget;
pub use goal::{Goal, Solution, Solver};
pub(crate) use prove::{QUESTIONS, defend, prove};
pub use vcf::Vcf;
pub use vct::Vct;
pub use verify::{AttackStrategy, VerifyError, verify};

use crate::{Board, Rule};

/// The rule and board size that the entries of a solver's table are for; with another they would be wrong.
#[derive(Default)]
struct TableScope(Option<(Rule, u8)>);

impl TableScope {
    /// Changes to the rule and size of this board; must the table be cleared? A new one is empty already, and its memory
    /// is not touched before it is used.
    fn is_left_for(&mut self, board: &Board) -> bool {
        let scope = (board.rule(), board.size());
        self.0.replace(scope).is_some_and(|before| before != scope)
    }
}

/// What a solver found out about an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttackResult {
    /// The attacker wins against every defence.
    Win,
    /// The attacker has no win of the kind asked for.
    None,
    /// The budget ended first.
    Unknown,
}

impl AttackResult {
    /// `win`, `none` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            AttackResult::Win => "win",
            AttackResult::None => "none",
            AttackResult::Unknown => "unknown",
        }
    }
}
