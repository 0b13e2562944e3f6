//! One file per subcommand.

pub(crate) mod analyze;
pub(crate) mod completions;
pub(crate) mod engines;
pub(crate) mod man;
pub(crate) mod maze;
pub(crate) mod render;
pub(crate) mod rules;
