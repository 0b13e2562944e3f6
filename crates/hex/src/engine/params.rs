//! The numbers of the main engine, with their unit and how they were found. `docs/engine-log.md` has the matches.

/// Visits at which a leaf gets children.
pub(super) const EXPAND_AT: u32 = 3;

/// Visits at which a position's connections and inferior cells are computed. MoHex does it at 256; ours are
/// cheaper beside its playouts.
pub(super) const KNOW_AT: u32 = 128;

/// How much a move's prior draws: c of PUCT.
pub(super) const PRIOR_PULL: f32 = 0.6;

/// How soon a move's own results outweigh its AMAF ones: b of `rn / (rn + n + b n rn)`. Smaller is later.
pub(super) const RAVE_BIAS: f32 = 0.000_5;

/// A playout move drawn is refused at most so often for its low weight.
pub(super) const REFUSALS: usize = 6;

/// H-search in the tree stops after so many connections: a bound on the time of one look (about a
/// millisecond), so that the engine can stop at once.
pub(super) const LOOK_STEPS: usize = 6_000;

/// The same for the root, which is looked at once a move.
pub(super) const ROOT_STEPS: usize = 24_000;
