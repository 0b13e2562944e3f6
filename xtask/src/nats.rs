//! The program `nats-server` for tests and clusters, and a private server of it.

use crate::temp_folder::TempFolder;
use crate::{setup, shell};
use anyhow::{Context, bail};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// The program, installed if it can be; `None` where neither is possible.
pub(crate) fn program() -> Option<PathBuf> {
    let find = || {
        let path = std::env::var_os("PATH").unwrap_or_default();
        // Distributions put it where only administrators look.
        let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        folders.extend(["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from));
        folders.into_iter().map(|folder| folder.join("nats-server")).find(|program| program.is_file())
    };
    find().or_else(|| {
        if let Err(error) = setup::install(&["nats-server"]) {
            println!("nats-server is missing and could not be installed: {error:#}");
        }
        find()
    })
}

/// A running server with JetStream in a folder of its own; dropping it ends it and removes the folder.
pub(crate) struct Nats {
    program: PathBuf,
    folder: TempFolder,
    host: String,
    port: u16,
    child: Option<Child>,
}

impl Nats {
    /// Starts one on a free port of the loopback, with the token `token`.
    pub(crate) fn start() -> anyhow::Result<Option<Nats>> {
        Nats::start_at("127.0.0.1")
    }

    /// The same on an address of this machine.
    pub(crate) fn start_at(host: &str) -> anyhow::Result<Option<Nats>> {
        let Some(program) = program() else { return Ok(None) };
        let folder = TempFolder::make("nats")?;
        let port = TcpListener::bind((host, 0))?.local_addr()?.port();
        let mut server = Nats { program, folder, host: host.into(), port, child: None };
        server.up()?;
        Ok(Some(server))
    }

    /// Starts it, again after a kill.
    pub(crate) fn up(&mut self) -> anyhow::Result<()> {
        let mut command = shell::child(&self.program);
        command.args(["-a", &self.host, "-p", &self.port.to_string(), "--auth", "token", "-js", "-sd"]);
        command.arg(self.folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.child = Some(command.spawn().context("nats-server does not start")?);
        let began = Instant::now();
        while TcpStream::connect((&*self.host, self.port)).is_err() {
            if began.elapsed() > Duration::from_secs(30) {
                bail!("nats-server does not answer on port {}", self.port);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Its address with the token.
    pub(crate) fn url(&self) -> String {
        format!("nats://token@{}:{}", self.host, self.port)
    }

    /// Kills it.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}
