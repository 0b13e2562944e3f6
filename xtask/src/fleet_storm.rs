//! `cargo xtask fleet-storm`: kills every part of a fleet at random while a run is under way.
//!
//! The run must end by itself with every unit counted once; the example `fleet_storm` of `crates/fleet` checks that.
//! With `--cuts` every second worker lives in a network namespace of its own, which is cut off from time to time.

use crate::nats::Nats;
use crate::network::{MAIN, Network};
use crate::postgres::{Commits, Postgres};
use crate::shell;
use crate::storm::{Dice, Process};
use crate::temp_folder::TempFolder;
use anyhow::{Context, bail};
use std::path::Path;
use std::time::{Duration, Instant};

/// The run must end in this time after the last kill, besides three times what its units sleep.
const PATIENCE: Duration = Duration::from_secs(600);

struct Options {
    units: u64,
    /// Mean duration of a unit. The run must outlast the storm.
    milliseconds: u64,
    workers: usize,
    kills: u32,
    /// How often, and for how many seconds, half of the workers reach nobody.
    cuts: u32,
    cut_seconds: u64,
    liar: bool,
}

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let options = read(args)?;
    shell::run(shell::cargo().args(["build", "--package", "tengen-fleet", "--example", "fleet_storm"]))?;
    let network = if options.cuts > 0 { Some(Network::make(&[MAIN])?) } else { None };
    let Some(postgres) = Postgres::start(Commits::Durable)? else { bail!("PostgreSQL is missing") };
    let host = if network.is_some() { MAIN.host } else { "127.0.0.1" };
    let Some(nats) = Nats::start_at(host)? else { bail!("nats-server is missing") };
    let folder = TempFolder::make("fleet-storm")?;
    Storm::start(postgres, nats, network, folder.path(), &options)?.blow(&options)
}

fn read(args: &[String]) -> anyhow::Result<Options> {
    let mut options = Options {
        units: 10_000,
        milliseconds: 400,
        workers: 8,
        kills: 200,
        cuts: 0,
        cut_seconds: 30,
        liar: false,
    };
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let mut number = |least: u64, most: u64| -> anyhow::Result<u64> {
            let number = words.next().and_then(|word| word.parse().ok());
            number
                .filter(|number| (least..=most).contains(number))
                .with_context(|| format!("{word} needs a number from {least} to {most}"))
        };
        match word.as_str() {
            "--units" => options.units = number(1, 100_000)?,
            "--unit-ms" => options.milliseconds = number(1, 60_000)?,
            "--workers" => options.workers = number(2, 64)? as usize,
            "--kills" => options.kills = number(0, 1_000)? as u32,
            "--cuts" => options.cuts = number(0, 50)? as u32,
            "--cut-seconds" => options.cut_seconds = number(1, 120)?,
            "--liar" => options.liar = true,
            other => bail!(
                "unknown '{other}'; accepted: --units N, --unit-ms N, --workers N, --kills N, --cuts N, --cut-seconds N, --liar"
            ),
        }
    }
    Ok(options)
}

struct Storm {
    postgres: Postgres,
    nats: Nats,
    network: Option<Network>,
    coordinator: Process,
    workers: Vec<Process>,
    _liar: Option<Process>,
    driver: Process,
    dice: Dice,
}

impl Storm {
    fn start(
        postgres: Postgres,
        nats: Nats,
        network: Option<Network>,
        folder: &Path,
        options: &Options,
    ) -> anyhow::Result<Storm> {
        // A copy: the original may be built anew while the storm lasts.
        let program = folder.join("fleet_storm");
        std::fs::copy(shell::root().join("target/debug/examples/fleet_storm"), &program)?;
        let (url, database) = (nats.url(), postgres.url());
        let place = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let start = |words: &[&str]| Process::start(shell::child(&program), words);
        let coordinator = start(&["coordinator", &url, &database, &place("coordinator")])?;
        let mut workers = Vec::new();
        for number in 0..options.workers {
            let command = match &network {
                Some(network) if number % 2 == 0 => network.command(&program),
                _ => shell::child(&program),
            };
            let name = format!("w{number}");
            workers.push(Process::start(command, &["worker", &url, &place("worker"), &name])?);
        }
        let (units, milliseconds) = (options.units.to_string(), options.milliseconds.to_string());
        let mut liar = None;
        let mut drive = vec!["drive", &url, &units, &milliseconds];
        if options.liar {
            // Not among those that are killed: it must be caught, not be lucky.
            drive.push("--liar");
            liar = Some(start(&["worker", &url, &place("worker"), "liar", "--lie"])?);
        }
        let driver = start(&drive)?;
        println!(
            "{} units, {} workers, {} kills, {} cuts",
            options.units, options.workers, options.kills, options.cuts
        );
        Ok(Storm { postgres, nats, network, coordinator, workers, _liar: liar, driver, dice: Dice::new()? })
    }

    /// Kills and cuts until there was enough of it, then waits for the driver's verdict.
    fn blow(&mut self, options: &Options) -> anyhow::Result<()> {
        let mut killed = [0u32; 4];
        let blows = options.kills + options.cuts;
        for blow in 0..blows {
            if let Some(status) = self.driver.child.try_wait()? {
                bail!(
                    "the run ended before the storm, after {blow} of {blows} blows ({status}); give it more units or longer ones"
                );
            }
            // Spread evenly among the kills.
            let cuts = |blow: u32| u64::from(blow) * u64::from(options.cuts) / u64::from(blows);
            if cuts(blow + 1) > cuts(blow) {
                self.cut(Duration::from_secs(options.cut_seconds))?;
            } else {
                killed[self.kill()?] += 1;
                self.dice.pause(600);
            }
        }
        let [workers, coordinator, broker, database] = killed;
        println!(
            "killed: workers {workers}, coordinator {coordinator}, broker {broker}, database {database}; cut {} times",
            options.cuts
        );
        let sleep = Duration::from_millis(options.units * options.milliseconds) / options.workers as u32;
        let patience = PATIENCE + 3 * sleep;
        let calm = Instant::now();
        loop {
            if let Some(status) = self.driver.child.try_wait()? {
                return verdict(status);
            }
            if calm.elapsed() > patience {
                bail!("the run does not end: see how far it came above");
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Kills something and starts it again; which of the four parts it was.
    fn kill(&mut self) -> anyhow::Result<usize> {
        Ok(match self.dice.roll(100) {
            0..70 => {
                let victim = self.dice.roll(self.workers.len() as u64) as usize;
                self.workers[victim].restart()?;
                0
            }
            70..80 => {
                self.coordinator.kill();
                self.dice.pause(1500);
                self.coordinator.restart()?;
                1
            }
            80..90 => {
                self.dice.broker_outage(&mut self.nats)?;
                2
            }
            _ => {
                self.dice.database_outage(&mut self.postgres)?;
                3
            }
        })
    }

    fn cut(&mut self, time: Duration) -> anyhow::Result<()> {
        let Some(network) = &self.network else { return Ok(()) };
        network.cut(&MAIN, true)?;
        std::thread::sleep(time);
        network.cut(&MAIN, false)?;
        self.dice.pause(10_000);
        Ok(())
    }
}

fn verdict(status: std::process::ExitStatus) -> anyhow::Result<()> {
    if !status.success() {
        bail!("the storm found a fault ({status})");
    }
    println!("every unit counted once");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_out_of_bounds_are_refused_with_the_bounds() {
        let said = |word: &str, number: &str| {
            read(&[word.into(), number.into()]).err().map(|error| error.to_string())
        };
        for (word, least, most) in [
            ("--units", 1, 100_000),
            ("--unit-ms", 1, 60_000),
            ("--workers", 2, 64),
            ("--kills", 0, 1_000),
            ("--cuts", 0, 50),
            ("--cut-seconds", 1, 120),
        ] {
            let refusal = Some(format!("{word} needs a number from {least} to {most}"));
            assert_eq!((said(word, &least.to_string()), said(word, &most.to_string())), (None, None));
            assert_eq!(said(word, &(most + 1).to_string()), refusal);
            assert_eq!(said(word, "many"), refusal);
        }
        assert!(said("--unit", "3").is_some_and(|refusal| refusal.contains("--cut-seconds N")));
    }
}
