//! `tengen train hex games|fit|ranges|patterns|judge`: samples from self-play searches, and what is fitted to them. How the
//! shipped network was made: `data/hex/README.md`.

use super::games_file::{GamesFile, put_network};
use crate::fleet::{FleetArgs, Piecework};
use crate::search_args::stop_on_ctrl_c;
use crate::usage::usage;
use crate::{games, output};
use anyhow::Context;
use fleet::executor::Work;
use game::{Game as _, Options, Setup, StopFlag, Watch};
use hex::engine::network::Network;
use hex::engine::{Policy, Tengen};
use hex::training::{
    Accuracy, PLY_RANGES, Progress, Sample, TrainConfig, Trainer, fit_patterns, judge_game,
    measure_activation_ranges, play, train,
};
use hex::{HEX, MAX_SIDE, Rng, Size};
use search::rng::mix;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(clap::Subcommand)]
pub(super) enum Action {
    /// Append the samples of self-play games to a file; goes on where the file ends
    Games(GamesArgs),
    /// Train a network on samples and on games that it plays meanwhile
    Fit(FitArgs),
    /// Measure the activation ranges of a network again, which its int8 form needs
    Ranges {
        /// The network
        network: PathBuf,
        /// Where to write it with the new ranges
        #[arg(long, value_name = "FILE.bin")]
        out: PathBuf,
    },
    /// Compare what a network says of the positions of finished games with their results, by ply
    Judge(JudgeArgs),
    /// Fit the weights of the move features, for searches without the network
    Patterns {
        /// The samples
        samples: PathBuf,
        /// Where to write the weights
        #[arg(long, value_name = "FILE.txt")]
        out: PathBuf,
        /// Random seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

#[derive(clap::Args)]
pub(super) struct GamesArgs {
    /// The file of samples, one per line; a comment ends each game
    file: PathBuf,
    /// How many games the file is to have in the end
    #[arg(long, default_value_t = 1_000)]
    games: u64,
    /// Board sizes to draw from; a size named twice comes twice as often
    #[arg(long, value_delimiter = ',', default_value = "11,11,11,11,11,11,9,12,13,14")]
    sizes: Vec<u8>,
    /// Visits of a long search; three moves of four get an eighth
    #[arg(long, default_value_t = 400)]
    visits: u64,
    /// Play with this network instead of the one that ships; without --fleet it is read again when the file changes
    #[arg(long, value_name = "FILE.bin")]
    network: Option<PathBuf>,
    /// Random seed; game number N of a seed and network is always the same
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    fleet: FleetArgs,
}

#[derive(clap::Args)]
pub(super) struct FitArgs {
    /// The samples; the file may grow meanwhile
    samples: PathBuf,
    /// The network, written every 200 steps
    #[arg(long, value_name = "FILE.bin")]
    out: PathBuf,
    /// How long to train
    #[arg(long, default_value_t = 30.0)]
    minutes: f64,
    /// Go on with this network; without it, begin with random weights
    #[arg(long, value_name = "FILE.bin")]
    before: Option<PathBuf>,
    /// Threads; all cores if omitted
    #[arg(long)]
    threads: Option<usize>,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Args)]
pub(super) struct JudgeArgs {
    /// Game records; those without a winner on the board are left out
    #[arg(required = true, value_name = "FILE.sgf")]
    games: Vec<PathBuf>,
    /// The network, instead of the one that ships
    #[arg(long, value_name = "FILE.bin")]
    network: Option<PathBuf>,
    /// Visits per position; with 1 the network alone decides where nothing is proved
    #[arg(long, default_value_t = 1)]
    visits: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Samples that are used: the last ones of the file.
const MAX_SAMPLES: usize = 800_000;
/// Games by which activation ranges are measured.
const RANGE_GAMES: usize = 20;
/// The line after the samples of a game begins with this.
const GAME_END: &str = "# game";

pub(super) fn run(action: &Action) -> anyhow::Result<()> {
    match action {
        Action::Games(args) => play_games(args),
        Action::Fit(args) => fit(args),
        Action::Judge(args) => judge(args),
        Action::Ranges { network, out } => write_network(out, games::hex_network(network)?),
        Action::Patterns { samples, out, seed } => {
            output::check_writable(out)?;
            let (weights, losses) = fit_patterns(read_samples(samples)?, *seed);
            let command = format!("tengen train hex patterns {} --seed {seed}", samples.display());
            output::write_file(out, Policy::write(&command, &weights).as_bytes())?;
            println!("loss {:.3} nats, on the tenth held back {:.3}", losses.trained, losses.held_out);
            Ok(())
        }
    }
}

fn play_games(args: &GamesArgs) -> anyhow::Result<()> {
    let GamesArgs { file, games, sizes, visits, network, seed, fleet } = args;
    let job = HexGames {
        sizes: sizes.clone(),
        visits: (*visits).max(1),
        seed: *seed,
        files: put_network(fleet, network.as_deref())?,
    };
    if job.boards().is_none() {
        usage!("--sizes: accepted are 1 to {MAX_SIDE}, with commas")
    }
    let stop = stop_on_ctrl_c();
    let open = || GamesFile::open(file, *games, |line| line.starts_with(GAME_END.as_bytes()));
    if let Some(url) = &fleet.url {
        return open()?.play_there(url, &format!("train hex games, seed {seed}"), &job, &stop);
    }
    let changed = || network.as_ref().and_then(|path| path.metadata().ok()?.modified().ok());
    let mut since = changed();
    let mut engine = engine(network.as_deref())?;
    open()?.play_here(&stop, &mut |number| {
        if changed() != since {
            since = changed();
            engine = self::engine(network.as_deref())?;
        }
        job.play(&mut engine, number, &stop)
    })
}

/// Games of self-play, as work for a fleet.
#[derive(Serialize, Deserialize)]
pub(crate) struct HexGames {
    sizes: Vec<u8>,
    visits: u64,
    seed: u64,
    /// The network, if any.
    files: Vec<String>,
}

impl HexGames {
    /// Boards to draw from, at least one; `None` if a size is not accepted.
    fn boards(&self) -> Option<Vec<Size>> {
        let boards: Option<Vec<Size>> = self.sizes.iter().map(|&size| Size::new(size, size)).collect();
        boards.filter(|boards| !boards.is_empty())
    }

    /// The samples of a game as text; `None` if it was stopped.
    fn play(&self, engine: &mut Tengen, number: u64, stop: &StopFlag) -> anyhow::Result<Option<String>> {
        let HexGames { visits, seed, .. } = self;
        let boards = self.boards().context("no board to play on")?;
        let size = Rng::stream(*seed, number).pick(&boards).unwrap_or(boards[0]);
        let watch = Watch::start(stop.clone());
        let samples = play(engine, size, mix(seed ^ mix(number)), *visits, &watch);
        let mut text: String = samples.iter().map(|sample| sample.write() + "\n").collect();
        text += &format!("{GAME_END} {} of seed {seed}\n", number + 1);
        Ok((!stop.is_stopped()).then_some(text))
    }
}

impl Piecework for HexGames {
    const KIND: &'static str = "hex-games";
    const MOST_PIECES: usize = 64;
    /// The number of a game.
    type Piece = u64;
    type Found = String;
    type Tools = Tengen;

    fn tools(&self, work: &Work) -> anyhow::Result<Tengen> {
        engine(self.files.first().map(|network| work.file(network)).as_deref())
    }

    fn compute(&self, engine: &mut Tengen, game: &u64, stop: &StopFlag) -> anyhow::Result<String> {
        self.play(engine, *game, stop)?.context("stopped")
    }
}

fn engine(network: Option<&Path>) -> anyhow::Result<Tengen> {
    let options = Options::new();
    match network {
        None => Ok(Tengen::new(&options)?),
        Some(path) => games::hex_with_network(&options, path),
    }
}

fn fit(args: &FitArgs) -> anyhow::Result<()> {
    if !(args.minutes > 0.0 && args.minutes.is_finite()) {
        usage!("--minutes {}: accepted is a number above 0", args.minutes);
    }
    output::check_writable(&args.out)?;
    let before = args.before.as_deref().map(games::hex_network).transpose()?;
    let samples = read_samples(&args.samples)?;
    println!("{} samples", samples.len());
    let stop = stop_on_ctrl_c();
    let began = Instant::now();
    // Ctrl-C is a clock that has run out: the average so far is written as at the end.
    let clock = || if stop.is_stopped() { f64::MAX } else { began.elapsed().as_secs_f64() / 60.0 };
    let config = TrainConfig {
        minutes: args.minutes,
        pretrained: before.is_some(),
        threads: args.threads.unwrap_or_else(arena::platform::cores).max(1),
        seed: args.seed,
    };
    let trainer = before.map_or_else(|| Trainer::new(args.seed), Trainer::of);
    let length = || args.samples.metadata().map_or(0, |file| file.len());
    let (mut seen, mut failed) = (length(), None);
    let trainer = train(trainer, samples, config, &clock, &mut |now: Progress, network| {
        println!(
            "{:.1} minutes, {} steps, {} games, loss {:.3} on samples, {:.3} on moves of games",
            now.minutes, now.steps, now.games, now.sample_loss, now.game_loss
        );
        // The network so far is usable before the end.
        failed = write_network(&args.out, network.clone()).err();
        // A line that is still being written is not a sample; the next report will find it complete.
        if std::mem::replace(&mut seen, length()) == length() {
            None
        } else {
            read_samples(&args.samples).ok()
        }
    });
    write_network(&args.out, trainer.into_network())?;
    match failed {
        Some(error) => Err(error),
        None if stop.is_stopped() => {
            anyhow::bail!("stopped; {} has the network so far, --before goes on", args.out.display())
        }
        None => Ok(()),
    }
}

fn judge(args: &JudgeArgs) -> anyhow::Result<()> {
    let mut engine = engine(args.network.as_deref())?;
    let mut ranges = [Accuracy::default(); PLY_RANGES.len()];
    let (mut judged, mut left_out) = (0, 0);
    for path in &args.games {
        let name = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        let game = HEX.parse(&text, &Setup::empty(11, 11)).with_context(|| name.to_string())?;
        match judge_game(&mut engine, &*game, args.visits.max(1), &mut ranges)? {
            true => judged += 1,
            false => left_out += 1,
        }
        output::progress(&format!("{} of {} games", judged + left_out, args.games.len()));
    }
    output::progress("");
    if judged == 0 {
        anyhow::bail!("no game has a winner on the board: there is nothing to compare with");
    }
    let share = |part: f64, range: &Accuracy| part / f64::from(range.positions.max(1));
    let filled = || PLY_RANGES.iter().zip(&ranges).filter(|(_, range)| range.positions > 0);
    if args.json {
        let rows: Vec<_> = filled()
            .map(|(first, range)| {
                serde_json::json!({
                    "from_ply": first,
                    "positions": range.positions,
                    "right": share(f64::from(range.right), range),
                    "nats": share(range.nats, range),
                })
            })
            .collect();
        let answer = serde_json::json!({"games": judged, "left_out": left_out, "ranges": rows});
        println!("{answer}");
        return Ok(());
    }
    println!("{judged} games; {left_out} without a winner on the board are left out");
    for (first, range) in filled() {
        println!(
            "from ply {first:>2}: {:>6} positions, winner told right in {:>5.1} %, {:.3} nats",
            range.positions,
            100.0 * share(f64::from(range.right), range),
            share(range.nats, range)
        );
    }
    Ok(())
}

fn read_samples(path: &Path) -> anyhow::Result<Vec<Sample>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines: Vec<(usize, &str)> =
        text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')).collect();
    if lines.is_empty() {
        anyhow::bail!("{}: there is nothing to learn from", path.display());
    }
    let read = |&(at, line): &(usize, &str)| {
        Sample::parse(line).with_context(|| format!("{}: line {} is no sample", path.display(), at + 1))
    };
    lines[lines.len().saturating_sub(MAX_SAMPLES)..].iter().map(read).collect()
}

fn write_network(path: &Path, mut network: Network) -> anyhow::Result<()> {
    measure_activation_ranges(&mut network, RANGE_GAMES, 1);
    output::write_file(path, &network.write())
}
