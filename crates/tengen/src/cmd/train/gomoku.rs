//! `tengen train gomoku games|fit`: self-play games, and the line-pattern network trained on them.

use super::games_file::{GamesFile, put_network};
use crate::fleet::{FleetArgs, Piecework};
use crate::search_args::stop_on_ctrl_c;
use crate::usage::{Usage, usage};
use crate::{games, output};
use anyhow::{Context, ensure};
use fleet::executor::Work;
use game::{Options, StopFlag, Watch};
use gomoku::Rule;
use gomoku::engine::Tengen;
use gomoku::training::SelfPlay;
use gomoku::training::network::{Epoch, Losses, TrainConfig, TrainingSet, train};
use search::rng::Rng;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(clap::Subcommand)]
pub(super) enum Action {
    /// Append self-play games to a file; goes on where the file ends
    Games(GamesArgs),
    /// Train a network on files of games
    Fit(FitArgs),
}

#[derive(clap::Args)]
pub(super) struct GamesArgs {
    /// The file, one game per line
    file: PathBuf,
    /// How many games the file is to have in the end
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// Rule variant
    #[arg(long, default_value = "freestyle")]
    rule: String,
    /// Board sizes to draw from; a size named twice comes twice as often
    #[arg(long, value_delimiter = ',', default_value = "15")]
    sizes: Vec<u8>,
    /// Nodes per move
    #[arg(long, default_value_t = 2_500)]
    nodes: u64,
    /// Play with this network instead of the evaluation by shapes
    #[arg(long, value_name = "FILE.net")]
    network: Option<PathBuf>,
    /// Random seed; game number N of a seed is always the same
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    fleet: FleetArgs,
}

#[derive(clap::Args)]
pub(super) struct FitArgs {
    /// Files of games
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The network, written after every epoch
    #[arg(long, value_name = "FILE.net")]
    out: PathBuf,
    /// Rule variant of the games
    #[arg(long, default_value = "freestyle")]
    rule: String,
    /// Start from this network, perhaps one for another rule, instead of random weights
    #[arg(long, value_name = "FILE.net")]
    from: Option<PathBuf>,
    /// Passes over all positions
    #[arg(long, default_value_t = TrainConfig::default().epochs)]
    epochs: usize,
    /// Positions per step
    #[arg(long, default_value_t = TrainConfig::default().batch)]
    batch: usize,
    /// Learning rate at the start
    #[arg(long, default_value_t = TrainConfig::default().rate)]
    rate: f32,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Sizes of board that can be played on.
const SIZES: std::ops::RangeInclusive<u8> = Rule::MIN_SIZE..=Rule::MAX_SIZE;

pub(super) fn run(action: &Action) -> anyhow::Result<()> {
    match action {
        Action::Games(args) => play_games(args),
        Action::Fit(args) => fit(args),
    }
}

fn play_games(args: &GamesArgs) -> anyhow::Result<()> {
    if let Some(size) = args.sizes.iter().find(|size| !SIZES.contains(size)) {
        usage!("--sizes {size}: accepted are {} to {}", SIZES.start(), SIZES.end());
    }
    let stop = stop_on_ctrl_c();
    let open = || GamesFile::open(&args.file, args.games, |_| true);
    let job = GomokuGames {
        rule: rule(&args.rule)?.name().into(),
        sizes: args.sizes.clone(),
        nodes: args.nodes.max(1),
        seed: args.seed,
        files: put_network(&args.fleet, args.network.as_deref())?,
    };
    match &args.fleet.url {
        Some(url) => {
            let title = format!("train gomoku games, seed {}", args.seed);
            open()?.play_there(url, &title, &job, &stop)
        }
        None => {
            let mut engine = engine(args.network.as_deref())?;
            open()?.play_here(&stop, &mut |number| job.play(&mut engine, number, &stop))
        }
    }
}

/// Plays with a network, or with the evaluation by shapes.
fn engine(network: Option<&Path>) -> anyhow::Result<Tengen> {
    match network {
        None => Ok(Tengen::new(&[("eval", "shapes")].into_iter().collect())?),
        Some(path) => games::gomoku_with_network(&Options::new(), path),
    }
}

/// Games of self-play, as work for a fleet.
#[derive(Serialize, Deserialize)]
pub(crate) struct GomokuGames {
    rule: String,
    sizes: Vec<u8>,
    nodes: u64,
    seed: u64,
    /// The network, if any.
    files: Vec<String>,
}

impl GomokuGames {
    /// A game as a line; `None` if it was stopped.
    fn play(&self, engine: &mut Tengen, number: u64, stop: &StopFlag) -> anyhow::Result<Option<String>> {
        let config = SelfPlay { rule: rule(&self.rule)?, sizes: self.sizes.clone(), nodes: self.nodes };
        let watch = Watch::start(stop.clone());
        let game = config.play(engine, &mut Rng::stream(self.seed, number), &watch)?;
        Ok(game.map(|game| game + "\n"))
    }
}

impl Piecework for GomokuGames {
    const KIND: &'static str = "gomoku-games";
    const MOST_PIECES: usize = 64;
    /// The number of a game.
    type Piece = u64;
    type Found = String;
    type Tools = Tengen;

    fn tools(&self, work: &Work) -> anyhow::Result<Tengen> {
        ensure!(self.sizes.iter().all(|size| SIZES.contains(size)), "sizes {:?}", self.sizes);
        engine(self.files.first().map(|network| work.file(network)).as_deref())
    }

    fn compute(&self, engine: &mut Tengen, game: &u64, stop: &StopFlag) -> anyhow::Result<String> {
        self.play(engine, *game, stop)?.context("stopped")
    }
}

fn fit(args: &FitArgs) -> anyhow::Result<()> {
    let rule = rule(&args.rule)?;
    output::check_writable(&args.out)?;
    let stop = stop_on_ctrl_c();
    let mut set = TrainingSet::new(rule);
    for path in &args.games {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        for (index, line) in text.lines().enumerate() {
            set.add(line, index + 1).with_context(|| path.display().to_string())?;
        }
    }
    let (games, positions) = set.len();
    println!("{games} games, {positions} positions");
    if positions == 0 {
        anyhow::bail!("there is nothing to learn from");
    }
    let config =
        TrainConfig { epochs: args.epochs, batch: args.batch.max(1), rate: args.rate, seed: args.seed };
    let start = args
        .from
        .as_ref()
        .map(|path| fs::read(path).with_context(|| format!("cannot read {}", path.display())));
    let start = start.transpose()?;
    let mut failed = None;
    train(&set, start.as_deref(), &config, &mut |epoch: Epoch| {
        println!("epoch {}: held-out {}", epoch.number + 1, shown(&epoch.losses));
        for (phase, losses) in ["under 20 stones", "under 50", "later"].into_iter().zip(&epoch.by_phase) {
            println!("  {phase}: {}", shown(losses));
        }
        failed = output::write_file(&args.out, epoch.network).err();
        failed.is_none() && !stop.is_stopped()
    })?;
    match failed {
        Some(error) => Err(error),
        None if stop.is_stopped() => {
            anyhow::bail!("stopped; {} has the last whole epoch", args.out.display())
        }
        None => Ok(()),
    }
}

fn shown(losses: &Losses) -> String {
    format!(
        "value {:.5} nats, squared error {:.5}, policy {:.4} nats, first choice {:.1} %",
        losses.value,
        losses.squared_error,
        losses.policy,
        100.0 * losses.first_choice
    )
}

fn rule(name: &str) -> anyhow::Result<Rule> {
    Ok(name.parse().map_err(Usage)?)
}
