//! One file per subcommand.

pub(crate) mod completions;
pub(crate) mod man;
pub(crate) mod maze;
