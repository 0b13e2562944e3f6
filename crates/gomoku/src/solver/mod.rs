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
