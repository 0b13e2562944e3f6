//! Every tuned number of the search, with its unit.
//!
//! Depths are in hundredths of a ply, scores in the unit of which [`WIN_SCALE`] is one logit of the expected
//! result. Origin, unless a line says otherwise: set by hand, then kept where leaving the technique out lost games
//! (`docs/gomoku-log.md` has the matches). The weights of evaluation and move ordering are in [`crate::weights`].

use super::level::Weakness;
use super::score::MATE;

/// One ply.
pub(super) const PLY: i32 = 100;

/// Adding `WIN_SCALE` multiplies the odds by e.
pub(crate) const WIN_SCALE: f64 = 200.0;

/// Aspiration: half-width of the first window.
pub(super) const ASPIRATION: i32 = 30;
/// Aspiration: iterations before windows are used.
pub(super) const ASPIRATION_DEPTH: i32 = 5;

/// Razoring: below this depth.
pub(super) const RAZOR_DEPTH: i32 = 260;
/// Razoring: margin below alpha at depth zero.
pub(super) const RAZOR_MARGIN: i32 = 40;
/// Razoring: added to the margin per ply of depth.
pub(super) const RAZOR_MARGIN_PLY: i32 = 30;

/// Reverse futility pruning: below this depth.
pub(super) const FUTILITY_DEPTH: i32 = 1000;
/// Reverse futility pruning: margin above beta per ply of depth.
pub(super) const FUTILITY_MARGIN_PLY: i32 = 80;

/// Late move pruning: moves searched, in hundredths: constant, per ply of depth, per ply squared.
pub(super) const LMP_COUNT: [i32; 3] = [300, 120, 12];

/// LMR: hundredths of a ply, times ln(depth) * ln(move number).
pub(super) const LMR_SCALE: f64 = 90.0;
/// Order reduction: hundredths of a ply per logit that the ordering score is behind the best one.
pub(super) const ORDER_REDUCTION: i32 = 35;
/// Order reduction: distance from the best ordering score that costs nothing, in hundredths of a logit.
pub(super) const ORDER_REDUCTION_MARGIN: i32 = 150;
/// Order reduction: the most it adds.
pub(super) const ORDER_REDUCTION_MAX: i32 = 250;
/// LMR: less on or near the principal variation.
pub(super) const LMR_PV: i32 = -100;
/// LMR: more where a fail-high is expected.
pub(super) const LMR_CUT_NODE: i32 = 120;
/// LMR: more where the evaluation has not improved.
pub(super) const LMR_NOT_IMPROVING: i32 = 60;
/// LMR: less for a threat that follows a threat.
pub(super) const LMR_ATTACK: i32 = -60;
/// LMR: history score that is worth one ply.
pub(super) const LMR_HISTORY: i32 = 12_000;
/// Alpha-raise reduction: what the remaining moves lose.
pub(super) const ALPHA_RAISE_REDUCTION: i32 = 80;

/// Four extension: what the block of a four is extended by, so that four and block together cost 0.7 plies.
pub(super) const FOUR_EXTENSION: i32 = 130;
/// Singular extension: from this depth.
pub(super) const SINGULAR_DEPTH: i32 = 650;
/// Singular extension: how much worse the others must be, per ply of depth.
pub(super) const SINGULAR_MARGIN_PLY: i32 = 2;
/// Singular extension: by how much, and by how much where it is doubled.
pub(super) const SINGULAR_EXTENSION: [i32; 2] = [100, 180];
/// Double extension: how much further behind the others must be.
pub(super) const DOUBLE_EXTENSION_MARGIN: i32 = 40;
/// Negative extension: where the others are as good and the hash move reaches beta.
pub(super) const NEGATIVE_EXTENSION: i32 = -120;
/// Internal iterative reduction.
pub(super) const IIR_REDUCTION: i32 = 60;

/// History bonus: per ply of depth, and the most.
pub(super) const HISTORY_BONUS: [i32; 2] = [150, 3000];
/// History scores stay below this.
pub(super) const HISTORY_LIMIT: i32 = 12_000;
/// History score worth one unit of the ordering score.
pub(super) const HISTORY_DIVISOR: i32 = 60;
/// Ordering bonus of a killer.
pub(super) const KILLER_BONUS: i32 = 60;
/// Ordering bonus of a counter move.
pub(super) const COUNTER_BONUS: i32 = 60;

/// Nodes of a VCF at a leaf.
pub(super) const LEAF_VCF_NODES: u32 = 80;

/// The levels below the strongest, weakest first; `guide/en/engines.md` has what they scored
/// against their neighbours.
#[rustfmt::skip]
pub(super) const LEVELS: [Weakness; 8] = [
    Weakness { depth: 1, nodes: 100_000, lines: 12, temperature: 130.0, foresight: 1, careless: 0.3, network: false },
    Weakness { depth: 1, nodes: 100_000, lines: 12, temperature: 75.0, foresight: 3, careless: 0.0, network: false },
    Weakness { depth: 2, nodes: 100_000, lines: 8, temperature: 55.0, foresight: 5, careless: 0.0, network: false },
    Weakness { depth: 3, nodes: 100_000, lines: 8, temperature: 35.0, foresight: 7, careless: 0.0, network: false },
    Weakness { depth: 4, nodes: 200_000, lines: 8, temperature: 12.0, foresight: 11, careless: 0.0, network: false },
    Weakness { depth: 6, nodes: 200_000, lines: 8, temperature: 8.0, foresight: 15, careless: 0.0, network: false },
    Weakness { depth: 8, nodes: 5_000, lines: 1, temperature: 0.0, foresight: MATE, careless: 0.0, network: true },
    Weakness { depth: 14, nodes: 40_000, lines: 1, temperature: 0.0, foresight: MATE, careless: 0.0, network: true },
];
