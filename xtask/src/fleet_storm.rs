//! `cargo xtask fleet-storm`: kills every part of a fleet at random while a run is under way.
//!
//! The run must end by itself with every unit counted once; the example `fleet_storm` of `crates/fleet` checks that.

use crate::nats::Nats;
use crate::postgres::Postgres;
use crate::shell;
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A storm must be over in this time after its last kill.
const PATIENCE: Duration = Duration::from_secs(900);

struct Options {
    units: u64,
    workers: usize,
    kills: u32,
    /// How often, and for how many seconds, nothing gets through.
    cuts: u32,
    cut_seconds: u64,
    liar: bool,
}

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let options = read(args)?;
    shell::run(shell::cargo().args(["build", "--package", "tengen-fleet", "--example", "fleet_storm"]))?;
    let Some(postgres) = Postgres::start()? else { bail!("PostgreSQL is missing") };
    let Some(nats) = Nats::start()? else { bail!("nats-server is missing") };
    let folder = std::env::temp_dir().join(format!("tengen-storm-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let stormed = Storm::start(postgres, nats, &folder, &options).and_then(|mut storm| storm.blow(&options));
    let _ = std::fs::remove_dir_all(&folder);
    stormed
}

fn read(args: &[String]) -> anyhow::Result<Options> {
    let mut options =
        Options { units: 10_000, workers: 8, kills: 200, cuts: 0, cut_seconds: 30, liar: false };
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let mut number = || -> anyhow::Result<u64> {
            words.next().and_then(|word| word.parse().ok()).with_context(|| format!("{word} needs a number"))
        };
        match word.as_str() {
            "--units" => options.units = number()?.max(1),
            "--workers" => options.workers = number()?.clamp(2, 64) as usize,
            "--kills" => options.kills = number()? as u32,
            "--cuts" => options.cuts = number()? as u32,
            "--cut-seconds" => options.cut_seconds = number()?,
            "--liar" => options.liar = true,
            other => bail!(
                "unknown '{other}'; accepted: --units N, --workers N, --kills N, --cuts N, --cut-seconds N, --liar"
            ),
        }
    }
    Ok(options)
}

struct Storm {
    folder: PathBuf,
    postgres: Postgres,
    nats: Nats,
    coordinator: Process,
    workers: Vec<Process>,
    _liar: Option<Process>,
    driver: Process,
    random: u64,
}

impl Storm {
    fn start(postgres: Postgres, nats: Nats, folder: &Path, options: &Options) -> anyhow::Result<Storm> {
        let program = shell::root().join("target/debug/examples/fleet_storm");
        let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_nanos() as u64;
        let (url, database) = (nats.url(), postgres.url());
        let place = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let start = |words: &[&str]| Process::start(&program, words);
        let coordinator = start(&["coordinator", &url, &database, &place("coordinator")])?;
        let mut workers = Vec::new();
        for number in 0..options.workers {
            workers.push(start(&["worker", &url, &place("worker"), &format!("w{number}")])?);
        }
        let units = options.units.to_string();
        let mut liar = None;
        let mut drive = vec!["drive", &url, &units];
        if options.liar {
            // Not among those that are killed: it must be caught, not be lucky.
            drive.push("--liar");
            liar = Some(start(&["worker", &url, &place("worker"), "liar", "--lie"])?);
        }
        let driver = start(&drive)?;
        println!("{} units, {} workers, {} kills", options.units, options.workers, options.kills);
        let folder = folder.to_path_buf();
        Ok(Storm { folder, postgres, nats, coordinator, workers, _liar: liar, driver, random: seed | 1 })
    }

    /// Kills until enough were killed, then waits for the driver's verdict.
    fn blow(&mut self, options: &Options) -> anyhow::Result<()> {
        let mut killed = [0u32; 4];
        while killed.iter().sum::<u32>() < options.kills {
            if let Some(status) = self.driver.child.try_wait()? {
                println!("the run ended before the storm did, after {killed:?} kills");
                return verdict(status);
            }
            let dice = self.roll(100);
            let what = match dice {
                0..70 => 0,
                70..80 => 1,
                80..90 => 2,
                _ => 3,
            };
            match what {
                0 => {
                    let victim = self.roll(self.workers.len() as u64) as usize;
                    self.workers[victim].restart()?;
                }
                1 => {
                    self.coordinator.kill();
                    self.pause(1500);
                    self.coordinator.restart()?;
                }
                2 => {
                    self.nats.kill();
                    self.pause(1500);
                    self.nats.up()?;
                }
                _ => {
                    self.postgres.kill()?;
                    self.pause(1000);
                    self.postgres.up()?;
                }
            }
            killed[what] += 1;
            self.pause(600);
        }
        for _ in 0..options.cuts {
            if let Some(status) = self.driver.child.try_wait()? {
                println!("the run ended before the last cut");
                return verdict(status);
            }
            self.nats.freeze(true)?;
            std::thread::sleep(Duration::from_secs(options.cut_seconds));
            self.nats.freeze(false)?;
            self.pause(10_000);
        }
        let [workers, coordinator, broker, database] = killed;
        println!(
            "killed: workers {workers}, coordinator {coordinator}, broker {broker}, database {database}"
        );
        let calm = Instant::now();
        loop {
            if let Some(status) = self.driver.child.try_wait()? {
                return verdict(status);
            }
            if calm.elapsed() > PATIENCE {
                bail!("the run does not end; files in {}", self.folder.display());
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    fn pause(&mut self, most: u64) {
        let pause = self.roll(most);
        std::thread::sleep(Duration::from_millis(pause));
    }

    /// xorshift: a number below `n`.
    fn roll(&mut self, n: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % n.max(1)
    }
}

fn verdict(status: std::process::ExitStatus) -> anyhow::Result<()> {
    if !status.success() {
        bail!("the storm found a fault ({status})");
    }
    println!("every unit counted once");
    Ok(())
}

/// A process of the fleet; dropping it kills it.
pub(crate) struct Process {
    pub(crate) child: Child,
    program: PathBuf,
    words: Vec<String>,
}

impl Process {
    pub(crate) fn start(program: &Path, words: &[&str]) -> anyhow::Result<Process> {
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::null());
        let child = command.spawn().with_context(|| program.display().to_string())?;
        Ok(Process {
            child,
            program: program.to_path_buf(),
            words: words.iter().map(ToString::to_string).collect(),
        })
    }

    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    pub(crate) fn restart(&mut self) -> anyhow::Result<()> {
        self.kill();
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        *self = Process::start(&self.program, &words)?;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
