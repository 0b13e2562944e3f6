//! A PostgreSQL server for tests: started in a temporary folder if its binaries are there, gone afterwards.

use crate::temp_folder::TempFolder;
use crate::{setup, shell};
use anyhow::{Context, bail};
use std::fs::File;
use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Whether a commit waits until the disk has it.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Commits {
    /// As on a server that matters: what is measured is what a site would see.
    Durable,
    /// Faster, for tests.
    Fast,
}

/// A running server; dropping it ends it and removes its folder.
pub(crate) struct Postgres {
    bin: PathBuf,
    folder: TempFolder,
    host: String,
    port: u16,
    commits: Commits,
    child: Option<Child>,
}

impl Postgres {
    /// Starts one on the loopback, installing PostgreSQL if it can be; `None` where neither is possible.
    pub(crate) fn start(commits: Commits) -> anyhow::Result<Option<Postgres>> {
        Postgres::start_at("127.0.0.1", commits)
    }

    /// The same on an address of this machine, for whoever can reach it.
    pub(crate) fn start_at(host: &str, commits: Commits) -> anyhow::Result<Option<Postgres>> {
        let Some(bin) = find().or_else(|| {
            if let Err(error) = setup::install(&["postgresql"]) {
                println!("PostgreSQL is missing and could not be installed: {error:#}");
            }
            find()
        }) else {
            return Ok(None);
        };
        let folder = TempFolder::make("postgres")?;
        let port = TcpListener::bind((host, 0))?.local_addr()?.port();
        let mut server = Postgres { bin, folder, host: host.into(), port, commits, child: None };
        if is_root() {
            shell::run(Command::new("chown").arg("postgres").arg(server.folder.path()))?;
        }
        let mut initdb = server.tool("initdb");
        initdb.args(["--auth=trust", "--username=tengen", "-D", "data"]);
        // Durable: at once, or else the first start after a kill would have to write all of it.
        if commits == Commits::Fast {
            initdb.arg("--no-sync");
        }
        shell::run(&mut initdb)?;
        let access = server.folder.path().join("data/pg_hba.conf");
        let mut access = File::options().append(true).open(access)?;
        writeln!(access, "host all all samenet trust")?;
        server.up()?;
        Ok(Some(server))
    }

    /// Starts it, again after a kill.
    pub(crate) fn up(&mut self) -> anyhow::Result<()> {
        let began = Instant::now();
        // After a kill the processes of its connections take a moment to notice; until then it refuses to start.
        while !self.is_started()? {
            if began.elapsed() > Duration::from_secs(30) {
                let log = std::fs::read_to_string(self.folder.path().join("log"));
                bail!("PostgreSQL does not start:\n{}", log.unwrap_or_default());
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(())
    }

    /// Starts it and waits until it takes connections; false if it ends instead.
    fn is_started(&mut self) -> anyhow::Result<bool> {
        let log = File::options().create(true).append(true).open(self.folder.path().join("log"))?;
        let mut command = self.tool("postgres");
        command.args(["-D", "data", "-h", &self.host, "-p", &self.port.to_string(), "-k"]);
        command.arg(self.folder.path()).stdout(log.try_clone()?).stderr(log);
        if self.commits == Commits::Fast {
            command.arg("-F");
        }
        let child = self.child.insert(command.spawn().context("PostgreSQL does not start")?);
        let began = Instant::now();
        while !is_ready(&self.folder.path().join("data/postmaster.pid"), child.id()) {
            if child.try_wait()?.is_some() {
                return Ok(false);
            }
            if began.elapsed() > Duration::from_secs(60) {
                bail!("PostgreSQL does not answer; see {}", self.folder.path().join("log").display());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(true)
    }

    /// Kills it without warning; processes of its connections notice by themselves.
    pub(crate) fn kill(&mut self) -> anyhow::Result<()> {
        let mut child = self.child.take().context("PostgreSQL does not run")?;
        child.kill()?;
        child.wait()?;
        Ok(())
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("postgres://tengen@{}:{}/postgres", self.host, self.port)
    }

    /// One of its programs, as a user it accepts: it refuses to run as root. It ends at once when we do.
    fn tool(&self, name: &str) -> Command {
        let user: &[&str] = match is_root() {
            true => &["--reuid=postgres", "--regid=postgres", "--init-groups"],
            false => &[],
        };
        let mut command = shell::child_as("QUIT", user, self.bin.join(name));
        command.current_dir(self.folder.path()).stdin(Stdio::null()).stdout(Stdio::null());
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        // QUIT makes it end its other processes too, before their folder goes.
        let _ = Command::new("kill").args(["-QUIT", &child.id().to_string()]).status();
        let began = Instant::now();
        while child.try_wait().is_ok_and(|ended| ended.is_none()) && began.elapsed() < Duration::from_secs(10)
        {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Does a server of this process number take connections? It says so in the eighth line of its file.
fn is_ready(file: &Path, process: u32) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let line = |number| text.lines().nth(number).map(str::trim);
    line(0) == Some(process.to_string().as_str()) && line(7) == Some("ready")
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
    ["initdb", "postgres"].iter().all(|name| bin.join(name).exists())
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_ready_when_its_own_file_says_so() {
        let folder = TempFolder::make("postgres-test").unwrap();
        let file = folder.path().join("postmaster.pid");
        assert!(!is_ready(&file, 7));
        std::fs::write(&file, "7\n/data\n1\n5432\n/tmp\n127.0.0.1\n 1 2\nstarting\n").unwrap();
        assert!(!is_ready(&file, 7));
        std::fs::write(&file, "7\n/data\n1\n5432\n/tmp\n127.0.0.1\n 1 2\nready   \n").unwrap();
        assert!(is_ready(&file, 7));
        assert!(!is_ready(&file, 8), "left behind by the one that was killed");
    }

    #[test]
    fn a_server_is_killed_started_again_and_gone_with_its_folder() {
        if find().is_none() {
            return println!("skipped: PostgreSQL is not installed");
        }
        let mut server = Postgres::start(Commits::Durable).unwrap().unwrap();
        let connects = |server: &Postgres| std::net::TcpStream::connect(("127.0.0.1", server.port)).is_ok();
        assert!(connects(&server));
        server.kill().unwrap();
        server.up().unwrap();
        assert!(connects(&server));
        let (folder, port) = (server.folder.path().to_path_buf(), server.port);
        drop(server);
        assert!(!folder.exists() && std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
    }
}
