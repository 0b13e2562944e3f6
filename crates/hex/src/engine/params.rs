//! The numbers of the main engine, with their unit and how they were found. `docs/engine-log.md` has the matches.

use crate::vc::Effort;
use game::{EngineError, Options};

/// What can be set by options, for experiments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Params {
    /// Visits at which a leaf gets children where no network looks at it.
    pub(super) expand: u32,
    /// Visits at which a position's connections and inferior cells are computed. MoHex does it at 256.
    pub(super) know: u32,
    /// Whether what is looked at is filled in with dead and captured cells.
    pub(super) fill: bool,
    /// Whether only moves that the must-play region and inferior cells leave are searched.
    pub(super) must: bool,
    /// Whether playouts save bridges.
    pub(super) bridges: bool,
    /// How much a move's prior draws: c of PUCT.
    pub(super) prior: f32,
    /// How soon a move's own results outweigh its AMAF ones: b of `rn / (rn + n + b n rn)`. Smaller is later.
    pub(super) rave: f32,
    /// Visits that a guess of a move's chance counts as.
    pub(super) trust: f32,
    /// Whether a new node takes over what another one of the same position knows, instead of the network's word.
    pub(super) twins: bool,
    /// The network's likelihoods are taken to this power; less than 1 only in searches that teach, see `learn`.
    pub(super) flat: f32,
    /// The share of the root's priors that is random, in searches that teach.
    pub(super) noise: f32,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            expand: 3,
            know: 400,
            fill: true,
            must: true,
            bridges: true,
            prior: 0.8,
            rave: 0.001,
            trust: 1.0,
            twins: true,
            flat: 1.0,
            noise: 0.0,
        }
    }
}

/// The options' names, each with one line.
pub(super) const OPTIONS: &[(&str, &str)] = &[
    ("policy", "shipped or none: learned patterns that weigh moves without the network (shipped)"),
    ("book", "on or off: whether to play the openings of the book (off)"),
    ("expand", "visits at which a leaf gets children without the network (3)"),
    ("know", "visits at which connections and inferior cells are computed (400)"),
    ("fill", "on or off: whether dead and captured cells are filled in (on)"),
    ("must", "on or off: whether moves outside of the must-play region and inferior ones are left out (on)"),
    ("bridges", "on or off: whether playouts save bridges (on)"),
    ("prior", "how much a prior draws, c of PUCT (0.8)"),
    ("rave", "how soon own results outweigh AMAF ones (0.001)"),
    ("net", "on or off: whether the network looks at every position (on)"),
    ("trust", "visits that the network's guess of a move counts as (1)"),
    ("twins", "on or off: whether nodes of the same position learn from each other, with the network (on)"),
];

impl Params {
    /// The numbers that options set.
    pub(super) fn of(options: &Options) -> Result<Params, EngineError> {
        let usual = Params::default();
        let not_negative = |key: &str, default: f32| {
            let number: f32 = options.parse(key, default)?;
            if number.is_finite() && number >= 0.0 {
                return Ok(number);
            }
            let problem = "accepted: a number from 0".to_string();
            Err(EngineError::Option { key: key.into(), value: number.to_string(), problem })
        };
        Ok(Params {
            expand: options.parse("expand", usual.expand)?,
            know: options.parse("know", usual.know)?,
            fill: options.switch("fill", usual.fill)?,
            must: options.switch("must", usual.must)?,
            bridges: options.switch("bridges", usual.bridges)?,
            prior: not_negative("prior", usual.prior)?,
            rave: not_negative("rave", usual.rave)?,
            trust: not_negative("trust", usual.trust)?,
            twins: options.switch("twins", usual.twins)?,
            ..usual
        })
    }
}

/// H-search in the tree: a few milliseconds, bounded so that the engine can stop at once.
pub(super) const LOOK: Effort = Effort {
    between_cells: 4,
    fulls: 10,
    semis: 25,
    or_depth: 4,
    or_of_many: true,
    until_semi: false,
    steps: 6_000,
};

/// The same for the root, which is looked at once a move.
pub(super) const LOOK_AT_ROOT: Effort = Effort { steps: 24_000, ..LOOK };
