//! One file per subcommand.

pub(crate) mod analyze;
pub(crate) mod arena;
pub(crate) mod backup;
pub(crate) mod bench;
pub(crate) mod book;
pub(crate) mod class;
pub(crate) mod completions;
pub(crate) mod engine;
pub(crate) mod engines;
pub(crate) mod explain;
pub(crate) mod fleet;
pub(crate) mod grade;
pub(crate) mod man;
pub(crate) mod match_;
pub(crate) mod maze;
pub(crate) mod play;
pub(crate) mod puzzle;
pub(crate) mod render;
pub(crate) mod rules;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod tournament;
pub(crate) mod train;
pub(crate) mod worker;
