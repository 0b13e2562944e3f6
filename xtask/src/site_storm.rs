//! `cargo xtask site-storm`: takes away what a site of three servers needs, one thing after the other, under load.
//!
//! The load tool (`crates/server/examples/load`) plays on all three servers, hears what is taken away, and at the end
//! fails if an acknowledged move was lost or doubled, or a game stood for too long. No server may use too much memory.

use crate::nats::Nats;
use crate::postgres::{Commits, Postgres};
use crate::shell;
use crate::storm::{Dice, Process};
use crate::temp_folder::TempFolder;
use anyhow::{Context, bail};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// Servers of the site.
pub(crate) const SERVERS: usize = 3;
/// Between two outages every game goes on.
const CALM: Duration = Duration::from_secs(5);
/// The load tool has its verdict so long after the last outage.
const PATIENCE: Duration = Duration::from_secs(600);
/// All games are there so long after the load tool was started.
const CREATION: Duration = Duration::from_secs(300);
/// A server that was started works after so long, and one that is told to end has ended.
const SERVER: Duration = Duration::from_secs(60);
/// Between telling the load tool of an outage and the outage.
const NOTICE: Duration = Duration::from_millis(100);
/// No server may ever hold more memory, in MB.
const MEMORY_MB: f64 = 400.0;

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

/// Waits until a server says that it works.
pub(crate) fn await_server(addr: SocketAddr) -> anyhow::Result<()> {
    let began = Instant::now();
    while !is_healthy(addr) {
        if began.elapsed() > SERVER {
            bail!("the server on {addr} is not healthy");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Does its `/healthz` answer with 200?
fn is_healthy(addr: SocketAddr) -> bool {
    let ask = || -> std::io::Result<bool> {
        let patience = Duration::from_secs(5);
        let mut stream = TcpStream::connect_timeout(&addr, patience)?;
        stream.set_read_timeout(Some(patience))?;
        write!(stream, "GET /healthz HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n")?;
        let mut status = [0; 12];
        stream.read_exact(&mut status)?;
        Ok(status == *b"HTTP/1.1 200")
    };
    ask().unwrap_or(false)
}

struct Storm {
    servers: Vec<Process>,
    addrs: [SocketAddr; SERVERS],
    load: Child,
    /// Hears that all games are there.
    ready: Receiver<()>,
    /// The most memory that each server ever held, in MB.
    peaks: [f64; SERVERS],
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
        let mut load = shell::child(built.join("examples/load"))
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
            .stdout(Stdio::piped())
            .spawn()
            .context("the load tool does not start")?;
        let ready = hear(load.stdout.take().context("the load tool has no output")?);
        Ok(Storm { servers, addrs, load, ready, peaks: [0.0; SERVERS], dice: Dice::new()?, nats, postgres })
    }

    fn blow(&mut self, options: &Options) -> anyhow::Result<()> {
        self.ready.recv_timeout(CREATION).context("the load tool could not create all games")?;
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
        std::thread::sleep(NOTICE);
        match kind {
            "server" => {
                self.weigh(victim)?;
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
                    self.weigh(number)?;
                    signal(&self.servers[number], "-TERM")?;
                    if !self.servers[number].has_ended_within(SERVER)? {
                        bail!("server {number} does not end when it is told to");
                    }
                    self.servers[number].restart()?;
                    await_server(self.addrs[number])?;
                }
            }
        }
        Ok(())
    }

    /// Notes the memory of a server before it goes.
    fn weigh(&mut self, number: usize) -> anyhow::Result<()> {
        let file = format!("/proc/{}/status", self.servers[number].child.id());
        let status = std::fs::read_to_string(&file).unwrap_or_default();
        let peak = peak_mb(&status).with_context(|| format!("the memory of server {number} is unknown"))?;
        self.peaks[number] = self.peaks[number].max(peak);
        Ok(())
    }

    /// The load tool's, and what the servers used.
    fn verdict(&mut self) -> anyhow::Result<()> {
        drop(self.load.stdin.take());
        let began = Instant::now();
        let status = loop {
            match self.load.try_wait()? {
                Some(status) => break status,
                None if began.elapsed() > PATIENCE => bail!("the load tool does not end"),
                None => std::thread::sleep(Duration::from_millis(200)),
            }
        };
        (0..SERVERS).try_for_each(|number| self.weigh(number))?;
        println!("most memory of each server in MB: {:.0?}", self.peaks);
        if !status.success() {
            bail!("the storm found a fault ({status})");
        }
        if self.peaks.iter().any(|peak| *peak > MEMORY_MB) {
            bail!("missed: memory of each server, at most {MEMORY_MB} MB");
        }
        Ok(())
    }
}

/// Passes on what the load tool prints, and tells when it is ready.
fn hear(output: ChildStdout) -> Receiver<()> {
    let (tell, ready) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            match line.as_str() {
                "ready" => drop(tell.send(())),
                _ => println!("{line}"),
            }
        }
    });
    ready
}

/// The most memory that a process ever held, in MB, from its `/proc/…/status`.
fn peak_mb(status: &str) -> Option<f64> {
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that answers one request so.
    fn answering(answer: &'static str) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let addr = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            assert!(lines.any(|line| line.is_empty()));
            stream.write_all(answer.as_bytes()).unwrap();
        });
        addr
    }

    #[test]
    fn only_a_server_that_says_200_is_healthy() {
        assert!(is_healthy(answering("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nok\n")));
        assert!(!is_healthy(answering("HTTP/1.1 503 Service Unavailable\r\n\r\n")));
        assert!(!is_healthy(answering("")));
        let [nobody] = free_ports::<1>().unwrap();
        assert!(!is_healthy(nobody));
    }

    #[test]
    fn memory_that_cannot_be_read_is_unknown() {
        assert_eq!(peak_mb("VmPeak:\t 9 kB\nVmHWM:\t  409600 kB\nVmRSS:\t 8 kB\n"), Some(400.0));
        // A process that has ended has no such line.
        assert_eq!(peak_mb("Name:\ttengen\nState:\tZ (zombie)\n"), None);
    }
}
