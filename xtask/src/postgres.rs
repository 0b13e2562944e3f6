//! A PostgreSQL server for tests: started in a temporary folder if its binaries are there, gone afterwards.

use crate::setup;
use anyhow::{Context, bail};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A running server; dropping it ends it and removes its folder.
pub(crate) struct Postgres {
    bin: PathBuf,
    folder: PathBuf,
    port: u16,
}

impl Postgres {
    /// Starts one, installing PostgreSQL if it can be; `None` where neither is possible.
    pub(crate) fn start() -> anyhow::Result<Option<Postgres>> {
        let Some(bin) = find().or_else(|| {
            if let Err(error) = setup::install(&["postgresql"]) {
                println!("PostgreSQL is missing and could not be installed: {error:#}");
            }
            find()
        }) else {
            return Ok(None);
        };
        let folder = std::env::temp_dir().join(format!("tengen-postgres-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let server = Postgres { bin, folder, port };
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(&server.folder))?;
        }
        run(server.tool("initdb").args(["--auth=trust", "--username=tengen", "--no-sync", "-D", "data"]))?;
        server.up()?;
        Ok(Some(server))
    }

    /// Starts it, again after a kill.
    pub(crate) fn up(&self) -> anyhow::Result<()> {
        let port = self.port;
        let options = format!("-p {port} -k {} -h 127.0.0.1 -F", self.folder.display());
        let began = Instant::now();
        let start = || {
            let mut start = self.tool("pg_ctl");
            start
                .args(["start", "-w", "-s", "-D", "data", "-l", "log", "-o", &options])
                .stderr(Stdio::null());
            run(&mut start)
        };
        // After a kill the processes of its connections take a moment to notice.
        while let Err(error) = start() {
            if began.elapsed() > Duration::from_secs(30) {
                return Err(
                    error.context(std::fs::read_to_string(self.folder.join("log")).unwrap_or_default())
                );
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            if began.elapsed() > Duration::from_secs(60) {
                bail!("PostgreSQL does not answer; see {}", self.folder.join("log").display());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Kills it as a power failure would.
    pub(crate) fn kill(&self) -> anyhow::Result<()> {
        let file = std::fs::read_to_string(self.folder.join("data/postmaster.pid"))?;
        let pid = file.lines().next().context("postmaster.pid is empty")?;
        run(Command::new("kill").args(["-KILL", pid.trim()]))
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("postgres://tengen@127.0.0.1:{}/postgres", self.port)
    }

    /// One of its programs, as a user it accepts: it refuses to run as root.
    fn tool(&self, name: &str) -> Command {
        let program = self.bin.join(name);
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--init-groups", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null());
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let stopped = run(self.tool("pg_ctl").args(["stop", "-s", "-m", "immediate", "-D", "data"]));
        if let Err(error) = stopped {
            eprintln!("xtask: {error:#}");
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The newest folder with its programs.
fn find() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        versions.map(|entry| entry.path().join("bin")).filter(|bin| complete(bin)).collect();
    found.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    found.pop().or_else(|| std::env::split_paths(&path).find(|bin| complete(bin)))
}

fn complete(bin: &Path) -> bool {
    ["initdb", "pg_ctl", "postgres"].iter().all(|name| bin.join(name).exists())
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let name = format!("{command:?}");
    let status = command.status().with_context(|| name.clone())?;
    if !status.success() {
        bail!("{name} failed ({status})");
    }
    Ok(())
}
