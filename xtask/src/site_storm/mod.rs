//! `cargo xtask site-storm`: takes away what a site of three servers needs, one thing after the other, under load.
//!
//! The load tool (`crates/server/examples/load`) plays on all three servers, hears what is taken away, and at the end
//! fails if an acknowledged move was lost or doubled, or a game stood for too long. No server may use too much memory.
//!
//! With `--cuts` the first server lives in a network namespace. A cut takes the broker, the database and the other servers away
//! from it, about half of them its clients too. With `--previous` all servers are of another version at first, and are
//! replaced one by one before anything else happens.

mod options;

use crate::nats::Nats;
use crate::network::{CLIENTS, Cable, MAIN, Network};
use crate::postgres::{Commits, Postgres};
use crate::proxy;
use crate::shell;
use crate::storm::{Dice, Process};
use crate::temp_folder::TempFolder;
use anyhow::{Context, bail};
use options::Options;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
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
/// The name of the program that the storm is about, in its folder.
const CURRENT: &str = "tengen";
/// No server may ever hold more memory, in MB.
const MEMORY_MB: f64 = 400.0;

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let options = Options::read(args)?;
    let built = match &options.built {
        Some(folder) => folder.clone(),
        None => build(options.debug)?,
    };
    let network = if options.cuts > 0 { Some(Network::make(&[MAIN, CLIENTS])?) } else { None };
    let host = if network.is_some() { MAIN.host } else { "127.0.0.1" };
    let Some(postgres) = Postgres::start_at(host, Commits::Durable)? else { bail!("PostgreSQL is missing") };
    let Some(nats) = Nats::start_at(host)? else { bail!("nats-server is missing") };
    let folder = TempFolder::make("site-storm")?;
    Storm::start(postgres, nats, network, folder.path(), &built, &options)?.blow(&options)
}

/// Builds the program and the load tool; the folder they are in.
fn build(debug: bool) -> anyhow::Result<PathBuf> {
    let profile: &[&str] = if debug { &[] } else { &["--release"] };
    let both = [
        "build",
        "--package",
        "tengen",
        "--package",
        "tengen-server",
        "--bin",
        "tengen",
        "--example",
        "load",
    ];
    shell::run(shell::cargo().args(both).args(profile))?;
    Ok(shell::root().join("target").join(if debug { "debug" } else { "release" }))
}

/// Starts a server of a site.
pub(crate) fn serve(
    tengen: &Path,
    addr: SocketAddr,
    data: &Path,
    database: &str,
    nats: &str,
) -> anyhow::Result<Process> {
    serve_by(shell::child(tengen), addr, data, database, nats)
}

/// The same by a command that starts the program, perhaps somewhere else.
fn serve_by(
    command: Command,
    addr: SocketAddr,
    data: &Path,
    database: &str,
    nats: &str,
) -> anyhow::Result<Process> {
    let (addr, data) = (addr.to_string(), data.to_string_lossy());
    Process::start(
        command,
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

/// Leads clients to a server in a namespace, until the program ends.
fn reach(network: &Network, addr: SocketAddr) -> anyhow::Result<Process> {
    let there = SocketAddr::new(CLIENTS.guest.parse()?, addr.port());
    std::thread::spawn(move || {
        if let Err(error) = proxy::relay(addr, there) {
            eprintln!("site-storm: {error:#}");
        }
    });
    let inside = network.command(&std::env::current_exe()?);
    Process::start(inside, &["relay", &there.to_string(), &addr.to_string()])
}

/// `cargo xtask relay LISTEN TO`.
pub(crate) fn relay(args: &[String]) -> anyhow::Result<()> {
    let [listen, to] = args else { bail!("two addresses are needed") };
    proxy::relay(listen.parse()?, to.parse()?)
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
    /// Copies of the programs, and the data of the servers.
    folder: PathBuf,
    _relay: Option<Process>,
    // After the servers: they end first.
    network: Option<Network>,
    nats: Nats,
    postgres: Postgres,
}

/// The first server is the one that can be cut off.
const FAR: usize = 0;

impl Storm {
    fn start(
        postgres: Postgres,
        nats: Nats,
        network: Option<Network>,
        folder: &Path,
        built: &Path,
        options: &Options,
    ) -> anyhow::Result<Storm> {
        let database = postgres.url();
        // Copies: the originals may be built anew while the storm lasts.
        let (tengen, load) = (folder.join(CURRENT), folder.join("load"));
        std::fs::copy(built.join("tengen"), &tengen)?;
        std::fs::copy(built.join("examples/load"), &load)?;
        let program = match &options.previous {
            Some(previous) => {
                std::fs::copy(previous, folder.join("previous")).context("--previous")?;
                "previous"
            }
            None => CURRENT,
        };
        let addrs = free_ports::<SERVERS>()?;
        let relay = network.as_ref().map(|network| reach(network, addrs[FAR])).transpose()?;
        let mut servers = Vec::new();
        for number in 0..SERVERS {
            servers.push(server(number, &addrs, program, folder, network.as_ref(), &postgres, &nats)?);
        }
        addrs.iter().try_for_each(|addr| await_server(*addr))?;
        let list: Vec<String> = addrs.iter().map(ToString::to_string).collect();
        let mut load = shell::child(load)
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
        Ok(Storm {
            servers,
            addrs,
            load,
            ready,
            peaks: [0.0; SERVERS],
            dice: Dice::new()?,
            folder: folder.into(),
            _relay: relay,
            network,
            nats,
            postgres,
        })
    }

    fn blow(&mut self, options: &Options) -> anyhow::Result<()> {
        self.ready.recv_timeout(CREATION).context("the load tool could not create all games")?;
        std::thread::sleep(Duration::from_secs(options.seconds));
        let mut left = [
            ("server", options.kills),
            ("broker", options.broker),
            ("database", options.database),
            ("cut", options.cuts),
            ("freeze", options.freezes),
            ("upgrade", options.upgrades),
        ];
        if options.previous.is_some() {
            // Before anything is killed: once one server is new, the version before does not start again.
            self.take_away("upgrade", options)?;
            println!("all servers of the version before are replaced");
            std::thread::sleep(CALM);
        }
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
            writeln!(stdin, "{}", if kind == "freeze" { "cut" } else { kind })?;
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
            "cut" => self.cut(Duration::from_secs(options.cut_seconds))?,
            "freeze" => {
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
                    let Storm { addrs, folder, network, postgres, nats, .. } = &*self;
                    let new = server(number, addrs, CURRENT, folder, network.as_ref(), postgres, nats)?;
                    self.servers[number] = new;
                    await_server(self.addrs[number])?;
                }
            }
        }
        Ok(())
    }

    /// Pulls the cable of the far server, about half of the time that of its clients too.
    fn cut(&mut self, time: Duration) -> anyhow::Result<()> {
        let with_clients = self.dice.roll(2) == 1;
        let Some(network) = &self.network else { return Ok(()) };
        let cables: &[Cable] = if with_clients { &[MAIN, CLIENTS] } else { &[MAIN] };
        cables.iter().try_for_each(|cable| network.cut(cable, true))?;
        std::thread::sleep(time);
        cables.iter().try_for_each(|cable| network.cut(cable, false))
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

/// Starts a server of the site by the program of this name in `folder`.
fn server(
    number: usize,
    addrs: &[SocketAddr; SERVERS],
    program: &str,
    folder: &Path,
    network: Option<&Network>,
    postgres: &Postgres,
    nats: &Nats,
) -> anyhow::Result<Process> {
    let program = folder.join(program);
    let command = match network {
        Some(network) if number == FAR => network.command(&program),
        _ => shell::child(&program),
    };
    let data = folder.join(format!("server{number}"));
    serve_by(command, addrs[number], &data, &postgres.url(), &nats.url())
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
