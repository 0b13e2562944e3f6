//! `tengen train gomoku games|fit`: self-play games, and the line-pattern network trained on them.

use super::whole_games;
use crate::search_args::stop_on_ctrl_c;
use crate::usage::{Usage, usage};
use crate::{games, output};
use anyhow::Context;
use game::Options;
use gomoku::Rule;
use gomoku::engine::Tengen;
use gomoku::training::SelfPlay;
use gomoku::training::network::{Epoch, Losses, TrainConfig, TrainingSet, train};
use search::rng::Rng;
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;

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

pub(super) fn run(action: &Action) -> anyhow::Result<()> {
    match action {
        Action::Games(args) => play_games(args),
        Action::Fit(args) => fit(args),
    }
}

fn play_games(args: &GamesArgs) -> anyhow::Result<()> {
    let accepted = Rule::MIN_SIZE..=Rule::MAX_SIZE;
    if let Some(size) = args.sizes.iter().find(|size| !accepted.contains(size)) {
        usage!("--sizes {size}: accepted are {} to {}", accepted.start(), accepted.end());
    }
    let config = SelfPlay { rule: rule(&args.rule)?, sizes: args.sizes.clone(), nodes: args.nodes.max(1) };
    let mut engine = match &args.network {
        None => Tengen::new(&[("eval", "shapes")].into_iter().collect())?,
        Some(path) => games::gomoku_with_network(&Options::new(), path)?,
    };
    let stop = stop_on_ctrl_c();
    let path = args.file.display();
    let done = whole_games(&args.file, |_| true).with_context(|| format!("cannot read {path}"))?;
    let open = File::options().create(true).append(true).open(&args.file);
    let mut file = open.with_context(|| format!("cannot write {path}"))?;
    for number in done..args.games {
        if stop.is_stopped() {
            anyhow::bail!("stopped after {number} of {} games; the same command goes on", args.games);
        }
        let game = config.play(&mut engine, &mut Rng::stream(args.seed, number))?;
        writeln!(file, "{game}").with_context(|| format!("cannot write {path}"))?;
        output::progress(&format!("{} of {} games", number + 1, args.games));
    }
    output::progress("");
    println!("{} games in {path}", args.games.max(done));
    Ok(())
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
