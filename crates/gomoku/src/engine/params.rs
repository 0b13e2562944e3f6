//! Every number of the search that was chosen by trial, with its unit.
//!
//! Depths are hundredths of a ply, values hundredths of the unit in which [`WIN_SCALE`] is one logit of the
//! expected result. Origin, unless a line says otherwise: set by hand. The weights of the evaluation and of
//! the move order are in [`super::weights`]; what was measured about each device is in `docs/engine-log.md`.

/// One ply.
pub(super) const PLY: i32 = 100;

/// Values of `WIN_SCALE` more make e times better odds.
pub(super) const WIN_SCALE: f64 = 200.0;

/// Half-width of the first aspiration window.
pub(super) const ASPIRATION: i32 = 30;
/// Iterations before windows are used.
pub(super) const ASPIRATION_DEPTH: i32 = 5;

/// Below this depth a hopeless node is left to forced-win search.
pub(super) const RAZOR_DEPTH: i32 = 260;
/// How far below alpha is hopeless: at depth zero, and a ply more.
pub(super) const RAZOR_MARGIN: i32 = 40;
/// See [`RAZOR_MARGIN`].
pub(super) const RAZOR_MARGIN_PLY: i32 = 30;

/// Below this depth a node far above beta is taken for granted.
pub(super) const FUTILITY_DEPTH: i32 = 1000;
/// How far above beta, a ply of depth.
pub(super) const FUTILITY_MARGIN_PLY: i32 = 80;

/// Moves searched at depth zero before the rest is skipped, in hundredths; then a ply and a ply squared more.
pub(super) const MOVE_COUNT: [i32; 3] = [300, 120, 12];

/// Late moves are reduced by this share of ln(depth) * ln(move number).
pub(super) const REDUCTION: f64 = 90.0;
/// Reduction where the move order thinks little of a move: hundredths of a ply a logit behind the best.
pub(super) const REDUCTION_PROMISE: i32 = 35;
/// Promise behind the best that costs nothing, and the largest such reduction.
pub(super) const PROMISE_FREE: i32 = 150;
/// See [`PROMISE_FREE`].
pub(super) const PROMISE_MOST: i32 = 250;
/// Less reduction on or near the principal line.
pub(super) const REDUCTION_PV: i32 = -100;
/// More reduction where a cut is expected.
pub(super) const REDUCTION_CUT: i32 = 120;
/// More reduction where the position does not get better.
pub(super) const REDUCTION_STALE: i32 = 60;
/// Less reduction for a move that goes on with an attack.
pub(super) const REDUCTION_ATTACK: i32 = -60;
/// History that is worth a ply of reduction.
pub(super) const REDUCTION_HISTORY: i32 = 12_000;
/// After a move has raised alpha, the rest is searched this much less deeply.
pub(super) const REDUCTION_RAISED: i32 = 80;

/// Answers to a four are searched this much deeper: the pair of moves costs less than a ply.
pub(super) const EXTENSION_FIVE: i32 = 130;
/// Depth from which the hash move is tested for being the only good one.
pub(super) const SINGULAR_DEPTH: i32 = 650;
/// How much worse the others must be, a ply of depth.
pub(super) const SINGULAR_MARGIN_PLY: i32 = 2;
/// What an only good move is extended by, and a very lonely one.
pub(super) const SINGULAR_EXTENSION: [i32; 2] = [100, 180];
/// How much further behind the others must be for that.
pub(super) const SINGULAR_LONELY: i32 = 40;
/// Reduction where others are as good and the node is expected to fail high.
pub(super) const SINGULAR_REDUCTION: i32 = -120;
/// Reduction where no hash move is known.
pub(super) const UNKNOWN_REDUCTION: i32 = 60;

/// History bonus: a ply of depth, and the most.
pub(super) const HISTORY_BONUS: [i32; 2] = [150, 3000];
/// History at which bonuses fade out.
pub(super) const HISTORY_LIMIT: i32 = 12_000;
/// History worth one unit of promise.
pub(super) const HISTORY_PER_PROMISE: i32 = 60;
/// Promise of a killer and of a counter move.
pub(super) const KILLER_PROMISE: i32 = 60;
/// See [`KILLER_PROMISE`].
pub(super) const COUNTER_PROMISE: i32 = 60;

/// Nodes of a forced-win search at a leaf.
pub(super) const LEAF_VCF_NODES: u32 = 80;

/// Levels below the strongest: depth in plies, nodes (a stop for wild positions only, so that no move is judged
/// unseen), and the error of a move's value.
pub(super) const LEVELS: [(u32, u64, f64); 3] = [(2, 100_000, 120.0), (4, 200_000, 50.0), (7, 400_000, 12.0)];
