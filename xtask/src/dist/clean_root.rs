//! Tests the Debian package as its users meet it: in a clean root, installed, served, played on, upgraded with data,
//! removed, purged.
//!
//! Nothing of this machine but the kernel and loopback is used. There is no systemd in the root, so the service's command
//! is run as its user, as systemd would.

use super::Release;
use crate::{setup, shell};
use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SUITE: &str = "bookworm";
const PATH: &str = "/usr/sbin:/usr/bin:/sbin:/bin";
/// How long the server may take until it is ready, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a release promises of the installed program: its size, the time until it serves (the best of several starts, because
/// other work on the machine only ever adds), and its memory while nobody asks anything.
const MOST_BYTES: u64 = 40_000_000;
const MOST_START: Duration = Duration::from_millis(150);
const MOST_IDLE_KB: u64 = 40_000;
const STARTS: usize = 5;

pub(super) fn check(release: &Release) -> anyhow::Result<()> {
    println!("== testing the package in a clean root");
    let root = CleanRoot::new()?;
    let package = release.folder.join(format!("tengen_{}_amd64.deb", release.version));
    let previous = previous(&package, release)?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();

    root.dpkg("--install", &previous)?;
    root.expect("/var/lib/tengen", 0o700, "tengen")?;
    root.expect("/etc/tengen/tengen.toml", 0o640, "root")?;
    ensure!(
        !shell::works(&mut root.command("test", &["-e", "/run/systemd/system"])),
        "the root has a systemd"
    );
    // A changed configuration must survive the upgrade.
    let config = root.path.join("etc/tengen/tengen.toml");
    let text = std::fs::read_to_string(&config)?.replace("127.0.0.1:7878", &format!("127.0.0.1:{port}"));
    std::fs::write(&config, &text)?;

    let server = Server::start(&root, port)?;
    let game = play(port)?;
    server.stop()?;
    root.dpkg("--install", &package)?;
    ensure!(
        root.path.join("usr/share/doc/tengen/examples/engines/first.py").is_file(),
        "the examples of the guide are not in the package"
    );
    ensure!(std::fs::read_to_string(&config)? == text, "the upgrade changed the configuration");
    let server = Server::start(&root, port)?;
    let kept = get(port, &format!("/api/v1/games/{game}"))?;
    let moves = kept["view"]["moves"].as_array().map_or(0, Vec::len);
    ensure!(moves == 2, "after the upgrade the game has {moves} moves instead of 2: {kept}");
    server.stop()?;
    figures(&root, port)?;

    root.dpkg("--remove", Path::new("tengen"))?;
    ensure!(!root.path.join("usr/bin/tengen").exists(), "the program is left after removal");
    ensure!(root.path.join("var/lib/tengen/tengen.db").exists(), "removal deleted the database");
    ensure!(config.exists(), "removal deleted the configuration");
    root.dpkg("--purge", Path::new("tengen"))?;
    for gone in ["etc/tengen", "var/lib/tengen", "usr/share/doc/tengen"] {
        ensure!(!root.path.join(gone).exists(), "/{gone} is left after purging");
    }
    let users = std::fs::read_to_string(root.path.join("etc/passwd"))?;
    ensure!(!users.contains("tengen:"), "the user is left after purging");
    println!("== the package installs, serves, plays, upgrades with data, removes and purges");
    Ok(())
}

/// Size, start and idle memory of the installed program.
fn figures(root: &CleanRoot, port: u16) -> anyhow::Result<()> {
    let bytes = root.path.join("usr/bin/tengen").metadata()?.len();
    let (mut start, mut idle) = (Duration::MAX, u64::MAX);
    for _ in 0..STARTS {
        let server = Server::start(root, port)?;
        start = start.min(server.start);
        std::thread::sleep(Duration::from_secs(1));
        idle = idle.min(server.memory_kb()?);
        server.stop()?;
    }
    println!("-- program {bytes} bytes, ready after {} ms, idle with {idle} kB", start.as_millis());
    judge(bytes, start, idle)
}

fn judge(bytes: u64, start: Duration, idle_kb: u64) -> anyhow::Result<()> {
    ensure!(bytes <= MOST_BYTES, "the program has {bytes} bytes, at most {MOST_BYTES}");
    ensure!(start < MOST_START, "the server is ready after {start:?}, not in less than {MOST_START:?}");
    ensure!(idle_kb < MOST_IDLE_KB, "the idle server takes {idle_kb} kB, not less than {MOST_IDLE_KB} kB");
    Ok(())
}

/// The package of the last release, to upgrade from: that in TENGEN_PREVIOUS_DEB, or this one with a lower version.
fn previous(package: &Path, release: &Release) -> anyhow::Result<PathBuf> {
    if let Some(path) = std::env::var_os("TENGEN_PREVIOUS_DEB") {
        return Ok(PathBuf::from(path));
    }
    println!("TENGEN_PREVIOUS_DEB is not set: upgrading from the same package with a lower version");
    let folder = release.scratch("previous")?;
    let tree = folder.join("tree");
    shell::run(shell::program("dpkg-deb").arg("--raw-extract").arg(package).arg(&tree))?;
    let control = tree.join("DEBIAN/control");
    let text = std::fs::read_to_string(&control)?;
    let version = format!("Version: {}", release.version);
    std::fs::write(&control, text.replace(&version, &format!("{version}~previous")))?;
    let file = folder.join("previous.deb");
    shell::run(shell::program("dpkg-deb").args(["--build", "--root-owner-group"]).arg(tree).arg(&file))?;
    Ok(file)
}

/// A new game against an engine, one move of ours and its reply.
fn play(port: u16) -> anyhow::Result<String> {
    let players = json!({
        "first": { "kind": "human" },
        "second": { "kind": "engine", "engine": "classic-ac", "level": "easy" },
    });
    let setup = json!({ "game": "gomoku", "rows": 15, "cols": 15, "rule": "freestyle" });
    let made = json!({ "setup": setup, "players": players, "visibility": "public" });
    let made = request(port, "POST", "/api/v1/games", None, Some(&made))?;
    let id = made["id"].as_str().with_context(|| format!("no game was made: {made}"))?.to_string();
    let secret = made["seats"]["first"].as_str().with_context(|| format!("no seat in {made}"))?;
    let order = json!({ "ply": 0, "move": "h8" });
    let answer = request(port, "POST", &format!("/api/v1/games/{id}/moves"), Some(secret), Some(&order))?;
    ensure!(answer["applied"] == true, "the move was not applied: {answer}");
    let began = Instant::now();
    loop {
        let game = get(port, &format!("/api/v1/games/{id}"))?;
        if game["view"]["moves"].as_array().is_some_and(|moves| moves.len() == 2) {
            return Ok(id);
        }
        ensure!(began.elapsed() < PATIENCE, "the engine did not reply: {game}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A fresh copy of a minimal Debian; removed when dropped.
struct CleanRoot {
    path: PathBuf,
}

impl CleanRoot {
    fn new() -> anyhow::Result<CleanRoot> {
        ensure!(
            shell::output(shell::program("id").arg("--user"))? == "0",
            "a clean root can only be made by root: run this in a container or with sudo"
        );
        let folder = shell::root().join("target/clean-root");
        let base = folder.join(SUITE);
        if !base.join("usr/sbin/adduser").exists() {
            if !shell::works(shell::program("debootstrap").arg("--version")) {
                setup::install(&["debootstrap"])?;
            }
            std::fs::create_dir_all(&folder)?;
            let mut debootstrap = shell::program("debootstrap");
            debootstrap.args(["--variant=minbase", "--include=adduser", SUITE]).arg(&base);
            shell::run(&mut debootstrap)?;
        }
        let path = folder.join(format!("test-{}", std::process::id()));
        shell::run(shell::program("cp").args(["--archive", "--reflink=auto"]).arg(&base).arg(&path))?;
        Ok(CleanRoot { path })
    }

    /// A command inside.
    fn command(&self, program: &str, args: &[&str]) -> Command {
        let mut command = shell::program("chroot");
        command.arg(&self.path).arg(program).args(args);
        command.env("PATH", PATH).env("LC_ALL", "C.UTF-8");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    }

    /// dpkg inside; a package file is copied there first.
    fn dpkg(&self, action: &str, package: &Path) -> anyhow::Result<()> {
        println!("-- dpkg {action}");
        let word = if package.is_file() {
            std::fs::copy(package, self.path.join("tmp/tengen.deb"))?;
            "/tmp/tengen.deb"
        } else {
            "tengen"
        };
        shell::run(&mut self.command("dpkg", &[action, word]))
    }

    fn expect(&self, path: &str, mode: u32, owner: &str) -> anyhow::Result<()> {
        let said = shell::output(&mut self.command("stat", &["--format=%a %U", path]))?;
        let wanted = format!("{mode:o} {owner}");
        ensure!(said == wanted, "{path} is '{said}' instead of '{wanted}'");
        Ok(())
    }
}

impl Drop for CleanRoot {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// The service of the package.
struct Server {
    process: Child,
    /// Until it was ready.
    start: Duration,
}

impl Server {
    /// Runs what the unit runs, as its user.
    fn start(root: &CleanRoot, port: u16) -> anyhow::Result<Server> {
        let unit = std::fs::read_to_string(root.path.join("lib/systemd/system/tengen.service"))?;
        let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart="));
        let words: Vec<&str> = line.context("the unit starts nothing")?.split_whitespace().collect();
        let mut command = shell::program("chroot");
        command.arg("--userspec=tengen:tengen").arg(&root.path).args(words);
        command.env_clear().env("PATH", PATH).stdout(Stdio::null());
        let started = Instant::now();
        let process = command.spawn().context("cannot start `chroot`")?;
        let mut server = Server { process, start: Duration::MAX };
        while get(port, "/readyz").is_err() {
            if let Some(status) = server.process.try_wait()? {
                bail!("the server ended: {status}");
            }
            ensure!(started.elapsed() < PATIENCE, "the server is not ready after {PATIENCE:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
        server.start = started.elapsed();
        Ok(server)
    }

    /// What it holds in memory.
    fn memory_kb(&self) -> anyhow::Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
        Ok(line.trim().trim_end_matches(" kB").parse()?)
    }

    fn stop(mut self) -> anyhow::Result<()> {
        shell::run(shell::program("kill").args(["-TERM", &self.process.id().to_string()]))?;
        let status = self.process.wait()?;
        ensure!(status.success(), "the server ended with {status} when it was asked to end");
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn get(port: u16, path: &str) -> anyhow::Result<Value> {
    request(port, "GET", path, None, None)
}

/// One HTTP request; the answer as JSON, or as a string if it is none.
fn request(
    port: u16,
    method: &str,
    path: &str,
    secret: Option<&str>,
    body: Option<&Value>,
) -> anyhow::Result<Value> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let body = body.map(ToString::to_string).unwrap_or_default();
    let bearer = secret.map(|secret| format!("Authorization: Bearer {secret}\r\n")).unwrap_or_default();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n{bearer}\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, text) = answer.split_once("\r\n\r\n").context("no answer")?;
    let status = head.split_whitespace().nth(1).unwrap_or_default();
    ensure!(status.starts_with('2'), "{method} {path}: {status} {text}");
    Ok(serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_beyond_a_figure_fails() {
        let (size, start, idle) = (19_000_000, Duration::from_millis(90), 30_000);
        judge(size, start, idle).unwrap();
        judge(MOST_BYTES + 1, start, idle).unwrap_err();
        judge(size, MOST_START, idle).unwrap_err();
        judge(size, start, MOST_IDLE_KB).unwrap_err();
    }
}
