//! The tuned numbers of the main engine, with their unit and how they were found. `docs/hex-log.md` has the matches.

use crate::vc::Effort;
use game::{EngineError, Options};
use nn::int8::Kernel;

/// What options can set, for experiments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Params {
    /// Visits at which a leaf gets children when there is no network.
    pub(crate) expand: u32,
    /// Visits at which a node's virtual connections and inferior cells are computed. MoHex uses 256.
    pub(crate) knowledge_visits: u32,
    /// Whether analyzed positions are filled in with dead and captured cells.
    pub(crate) fill_in: bool,
    /// Whether moves outside the must-play region and inferior moves are pruned.
    pub(crate) must_play: bool,
    /// Whether playouts save bridges.
    pub(crate) bridges: bool,
    /// The exploration constant c of PUCT.
    pub(crate) cpuct: f32,
    /// How soon a move's own results outweigh its AMAF results: b of `rn / (rn + n + b n rn)`. Smaller is later.
    pub(crate) rave: f32,
    /// Visits that the network's value of a move counts as.
    pub(crate) prior_visits: f32,
    /// Whether a new node takes over the statistics of another node of the same position.
    pub(crate) transpositions: bool,
    /// Softmax temperature of the network's policy; above 1 only in self-play for training.
    pub(crate) policy_temperature: f32,
    /// The share of the root's priors that is noise; above 0 only in self-play for training.
    pub(crate) root_noise: f32,
    /// What evaluates the network; all kernels give the same results.
    pub(crate) kernel: Kernel,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            expand: 3,
            knowledge_visits: 400,
            fill_in: true,
            must_play: true,
            bridges: true,
            cpuct: 0.8,
            rave: 0.001,
            prior_visits: 1.0,
            transpositions: true,
            policy_temperature: 1.0,
            root_noise: 0.0,
            kernel: Kernel::fastest(),
        }
    }
}

/// The options' names, each with one line.
pub(crate) const OPTIONS: &[(&str, &str)] = &[
    ("policy", "shipped or none: learned move patterns, used without the network (shipped)"),
    ("book", "on or off: play from the opening book (off)"),
    ("expand", "visits at which a leaf gets children without the network (3)"),
    ("knowledge-visits", "visits at which virtual connections and inferior cells are computed (400)"),
    ("fill-in", "on or off: fill in dead and captured cells (on)"),
    ("must-play", "on or off: prune moves outside the must-play region and inferior moves (on)"),
    ("bridges", "on or off: playouts save bridges (on)"),
    ("cpuct", "exploration constant c of PUCT (0.8)"),
    ("rave", "RAVE bias b: how soon own results outweigh AMAF results (0.001)"),
    ("net", "on or off: evaluate every position with the network (on)"),
    ("prior-visits", "visits that the network's value of a move counts as (1)"),
    ("transpositions", "on or off: nodes of the same position share statistics, with the network (on)"),
    (
        "kernel",
        "auto, or the instructions that evaluate the network, such as avx2 or avx-512-vnni; same results (auto)",
    ),
];

/// Option names of earlier versions, still accepted but not listed.
pub(crate) const RENAMED: &[(&str, &str)] = &[
    ("know", "knowledge-visits"),
    ("fill", "fill-in"),
    ("must", "must-play"),
    ("prior", "cpuct"),
    ("trust", "prior-visits"),
    ("twins", "transpositions"),
];

impl Params {
    /// The numbers that options set.
    pub(crate) fn of(options: &Options) -> Result<Params, EngineError> {
        let default = Params::default();
        let not_negative = |key: &str, default: f32| {
            let number: f32 = options.parse(key, default)?;
            if number.is_finite() && number >= 0.0 {
                return Ok(number);
            }
            let problem = "accepted: a number from 0".to_string();
            Err(EngineError::Option { key: key.into(), value: number.to_string(), problem })
        };
        Ok(Params {
            expand: options.parse("expand", default.expand)?,
            knowledge_visits: options.parse("knowledge-visits", default.knowledge_visits)?,
            fill_in: options.switch("fill-in", default.fill_in)?,
            must_play: options.switch("must-play", default.must_play)?,
            bridges: options.switch("bridges", default.bridges)?,
            cpuct: not_negative("cpuct", default.cpuct)?,
            rave: not_negative("rave", default.rave)?,
            prior_visits: not_negative("prior-visits", default.prior_visits)?,
            transpositions: options.switch("transpositions", default.transpositions)?,
            kernel: kernel(options.get("kernel").unwrap_or("auto"))?,
            ..default
        })
    }
}

/// The kernel that an option names.
fn kernel(name: &str) -> Result<Kernel, EngineError> {
    if name == "auto" {
        return Ok(Kernel::fastest());
    }
    Kernel::find(name).ok_or_else(|| {
        let available = Kernel::list().filter(|entry| entry.1.is_some());
        let names: Vec<String> = available.map(|(name, _)| Kernel::identifier(name)).collect();
        let problem = format!("accepted on this processor: auto, {}", names.join(", "));
        EngineError::Option { key: "kernel".into(), value: name.into(), problem }
    })
}

/// H-search in the tree: a few milliseconds, bounded so that one analysis does not hold up the search.
pub(crate) const TREE_EFFORT: Effort = Effort {
    between_cells: 4,
    fulls: 10,
    semis: 25,
    or_depth: 4,
    or_of_many: true,
    until_semi: false,
    steps: 6_000,
};

/// H-search at the root, once per move.
pub(crate) const ROOT_EFFORT: Effort = Effort { steps: 24_000, ..TREE_EFFORT };
