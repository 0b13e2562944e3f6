//! Forced wins: proving that a side wins by moves the opponent has no time to ignore.
//!
//! [`Vcf`] looks for wins by fours alone, fast enough for the leaves of an engine's search; [`Vct`] for wins
//! by threats of any kind; [`Solver`] is both behind one call. They answer with a [`Verdict`] that never
//! mixes up "there is none" with "the budget ended first", and [`verify`] checks their wins independently.

mod budget;
mod door;
mod proof_table;
mod solver;
mod vcf;
mod vct;
mod verify;

pub use budget::Budget;
pub(crate) use door::{QUESTIONS, defend, prove};
pub use solver::{Answer, Goal, Solver};
pub use vcf::Vcf;
pub use vct::Vct;
pub use verify::{Claimant, Doubt, verify};

/// What a solver found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The attacker wins, whatever the defender does.
    Win,
    /// The attacker has no win of the kind asked for.
    None,
    /// The budget ended first.
    Unknown,
}

impl Verdict {
    /// `win`, `none` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Win => "win",
            Verdict::None => "none",
            Verdict::Unknown => "unknown",
        }
    }
}
