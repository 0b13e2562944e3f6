//! `cargo xtask site-storm`: takes away what a site of three servers needs, one thing after the other, under load.
//!
//! The load tool (`crates/server/examples/load`) plays on all three servers, hears what was taken away, and at the end
//! fails if an acknowledged move was lost or doubled, or a game stood for too long.

use crate::nats::Nats;
use crate::postgres::{Commits, Postgres};
use crate::shell;
use crate::storm::{Dice, Process};
use crate::temp_folder::TempFolder;
use anyhow::{Context, bail};
use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Servers of the site.
pub(crate) const SERVERS: usize = 3;
/// Between two outages every game goes on.
const CALM: Duration = Duration::from_secs(5);
/// The load tool has its verdict so long after the last outage.
const PATIENCE: Duration = Duration::from_secs(600);

struct Options {
    games: u64,
    /// Seconds between the moves of a game.
    every: u64,
    /// Seconds of calm before the first outage; without outages the whole run.
    seconds: u64,
    kills: u64,
    broker: u64,
    database: u64,
    /// How often a server is cut off from everything, and for how long.
    cuts: u64,
    cut_seconds: u64,
    /// How often all servers are replaced one after the other.
    upgrades: u64,
    debug: bool,
}

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let options = read(args)?;
    let profile: &[&str] = if options.debug { &[] } else { &["--release"] };
    shell::run(shell::cargo().args(["build", "--package", "tengen"]).args(profile))?;
    let tool = ["build", "--package", "tengen-server", "--example", "load"];
    shell::run(shell::cargo().args(tool).args(profile))?;
    let built = shell::root().join("target").join(if options.debug { "debug" } else { "release" });
    let Some(postgres) = Postgres::start(Commits::Durable)? else { bail!("PostgreSQL is missing") };
    let Some(nats) = Nats::start()? else { bail!("nats-server is missing") };
    let folder = TempFolder::make("site-storm")?;
    Storm::start(postgres, nats, folder.path(), &built, &options)?.blow(&options)
}

fn read(args: &[String]) -> anyhow::Result<Options> {
    let mut options = Options {
        games: 200,
        every: 2,
        seconds: 20,
        kills: 10,
        broker: 2,
        database: 2,
        cuts: 0,
        cut_seconds: 30,
        upgrades: 0,
        debug: false,
    };
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let mut number = |most: u64| -> anyhow::Result<u64> {
            let number = words.next().and_then(|word| word.parse().ok());
            number
                .filter(|number| *number <= most)
                .with_context(|| format!("{word} needs a number up to {most}"))
        };
        match word.as_str() {
            "--games" => options.games = number(5_000)?.max(1),
            "--every" => options.every = number(60)?.max(1),
            "--seconds" => options.seconds = number(600)?.max(1),
            "--kills" => options.kills = number(200)?,
            "--broker" => options.broker = number(100)?,
            "--database" => options.database = number(100)?,
            "--cuts" => options.cuts = number(50)?,
            "--cut-seconds" => options.cut_seconds = number(120)?,
            "--upgrades" => options.upgrades = number(50)?,
            "--debug" => options.debug = true,
            other => bail!(
                "unknown '{other}'; accepted: --games N, --every S, --seconds S, --kills N, --broker N, --database N, \
                 --cuts N, --cut-seconds S, --upgrades N, --debug"
            ),
        }
    }
    Ok(options)
}

/// Starts a server of a site.
pub(crate) fn serve(
    tengen: &Path,
    addr: SocketAddr,
    data: &Path,
    database: &str,
    nats: &str,
) -> anyhow::Result<Process> {
    let (addr, data) = (addr.to_string(), data.to_string_lossy());
    Process::start(
        shell::child(tengen),
        &["serve", "--addr", &addr, "--data", &data, "--database", database, "--nats", nats],
    )
}

/// Free ports of this machine.
pub(crate) fn free_ports<const N: usize>() -> anyhow::Result<[SocketAddr; N]> {
    let listeners: Vec<TcpListener> =
        (0..N).map(|_| TcpListener::bind("127.0.0.1:0")).collect::<Result<_, _>>()?;
    let addrs: Vec<SocketAddr> = listeners.iter().map(TcpListener::local_addr).collect::<Result<_, _>>()?;
    addrs.try_into().map_err(|_| anyhow::anyhow!("not enough ports"))
}

/// Waits until a server listens.
pub(crate) fn await_server(addr: SocketAddr) -> anyhow::Result<()> {
    let began = Instant::now();
    while TcpStream::connect(addr).is_err() {
        if began.elapsed() > Duration::from_secs(60) {
            bail!("the server on {addr} does not answer");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

struct Storm {
    servers: Vec<Process>,
    addrs: [SocketAddr; SERVERS],
    load: Child,
    dice: Dice,
    // After the servers: they end first.
    nats: Nats,
    postgres: Postgres,
}

impl Storm {
    fn start(
        postgres: Postgres,
        nats: Nats,
        folder: &Path,
        built: &Path,
        options: &Options,
    ) -> anyhow::Result<Storm> {
        let (url, database) = (nats.url(), postgres.url());
        let addrs = free_ports::<SERVERS>()?;
        let mut servers = Vec::new();
        for (number, addr) in addrs.iter().enumerate() {
            let data = folder.join(format!("server{number}"));
            servers.push(serve(&built.join("tengen"), *addr, &data, &database, &url)?);
        }
        addrs.iter().try_for_each(|addr| await_server(*addr))?;
        let list: Vec<String> = addrs.iter().map(ToString::to_string).collect();
        let load = shell::child(built.join("examples/load"))
            .args(["--servers", &list.join(","), "--database", &database])
            .args([
                "--games",
                &options.games.to_string(),
                "--every",
                &options.every.to_string(),
                "--p99",
                "150",
            ])
            .stdin(Stdio::piped())
            .spawn()
            .context("the load tool does not start")?;
        Ok(Storm { servers, addrs, load, dice: Dice::new()?, nats, postgres })
    }

    fn blow(&mut self, options: &Options) -> anyhow::Result<()> {
        std::thread::sleep(Duration::from_secs(options.seconds));
        let mut left = [
            ("server", options.kills),
            ("broker", options.broker),
            ("database", options.database),
            ("cut", options.cuts),
            ("upgrade", options.upgrades),
        ];
        loop {
            let sum: u64 = left.iter().map(|(_, count)| count).sum();
            if sum == 0 {
                break;
            }
            let mut dice = self.dice.roll(sum);
            let Some((kind, count)) = left.iter_mut().find(|(_, count)| {
                let hit = dice < *count;
                dice = dice.saturating_sub(*count);
                hit
            }) else {
                break;
            };
            *count -= 1;
            self.take_away(kind, options)?;
            if let Some(status) = self.load.try_wait()? {
                bail!("the load tool ended during the storm ({status})");
            }
            // Every game goes on before the next blow.
            std::thread::sleep(CALM + Duration::from_millis(self.dice.roll(2_000)));
        }
        self.verdict()
    }

    fn take_away(&mut self, kind: &str, options: &Options) -> anyhow::Result<()> {
        let victim = self.dice.roll(SERVERS as u64) as usize;
        if let Some(stdin) = &mut self.load.stdin {
            writeln!(stdin, "{kind}")?;
        }
        match kind {
            "server" => {
                self.servers[victim].restart()?;
                await_server(self.addrs[victim])?;
            }
            "broker" => {
                self.dice.broker_outage(&mut self.nats)?;
            }
            "database" => {
                self.dice.database_outage(&mut self.postgres)?;
            }
            "cut" => {
                signal(&self.servers[victim], "-STOP")?;
                std::thread::sleep(Duration::from_secs(options.cut_seconds));
                signal(&self.servers[victim], "-CONT")?;
            }
            _ => {
                for number in 0..SERVERS {
                    signal(&self.servers[number], "-TERM")?;
                    self.servers[number].child.wait()?;
                    self.servers[number].restart()?;
                    await_server(self.addrs[number])?;
                }
            }
        }
        Ok(())
    }

    /// The load tool's, and what the servers used.
    fn verdict(&mut self) -> anyhow::Result<()> {
        for (number, server) in self.servers.iter().enumerate() {
            let status =
                std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap_or_default();
            let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("memory unknown");
            println!("server {number}: {}", peak.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        drop(self.load.stdin.take());
        let began = Instant::now();
        loop {
            match self.load.try_wait()? {
                Some(status) if status.success() => return Ok(()),
                Some(status) => bail!("the storm found a fault ({status})"),
                None if began.elapsed() > PATIENCE => bail!("the load tool does not end"),
                None => std::thread::sleep(Duration::from_millis(200)),
            }
        }
    }
}

impl Drop for Storm {
    fn drop(&mut self) {
        let _ = self.load.kill();
        let _ = self.load.wait();
    }
}

fn signal(server: &Process, name: &str) -> anyhow::Result<()> {
    shell::run(Command::new("kill").args([name, &server.child.id().to_string()]))
}
