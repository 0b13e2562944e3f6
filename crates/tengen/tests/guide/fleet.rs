//! A page's broker, coordinator and workers, as its blocks start them, on ports of their own.
//!
//! `TENGEN_TEST_NATS` names the program `nats-server`; `cargo xtask test` installs it and sets the variable.

use crate::run::run;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The broker's address in the pages.
const BROKER: &str = "127.0.0.1:4222";
const PATIENCE: Duration = Duration::from_secs(90);

pub(crate) struct Fleet {
    port: u16,
    /// Has a program `nats-server` that listens on the free port.
    programs: TempDir,
    running: Vec<Child>,
}

impl Fleet {
    /// `None` where no nats-server is; `cargo xtask test` counts that as a skipped check, and in CI as a failure.
    pub(crate) fn here() -> Option<Self> {
        let Ok(nats) = std::env::var("TENGEN_TEST_NATS") else {
            eprintln!("SKIPPED: TENGEN_TEST_NATS does not name nats-server");
            return None;
        };
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let programs = tempfile::tempdir().unwrap();
        let script = programs.path().join("nats-server");
        std::fs::write(&script, format!("#!/bin/sh\nexec '{nats}' -a 127.0.0.1 -p {port} \"$@\"\n")).unwrap();
        std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
        Some(Self { port, programs, running: Vec::new() })
    }

    fn here_not_there(&self, script: &str) -> String {
        script.replace(BROKER, &format!("127.0.0.1:{}", self.port))
    }

    /// Starts one command and leaves it running.
    pub(crate) fn start(&mut self, command: &str, folder: &Path) {
        let tengen = assert_cmd::cargo::cargo_bin("tengen");
        let [first, second] =
            [self.programs.path(), tengen.parent().unwrap()].map(|path| path.display().to_string());
        let path = format!("{first}:{second}:{}", std::env::var("PATH").unwrap());
        let child = Command::new("bash")
            .args(["-c", &format!("exec {}", self.here_not_there(command))])
            .env("PATH", path)
            .env("TENGEN_ADDR", "127.0.0.1:0")
            .env("XDG_DATA_HOME", folder.join("data"))
            .env("XDG_CACHE_HOME", folder.join("cache"))
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.running.push(child);
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(began.elapsed() < PATIENCE, "no broker after `{command}`");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Runs a block; again for a while if it fails, since whoever follows the page is slower than this test and finds the
    /// coordinator ready.
    pub(crate) fn run(&self, script: &str, folder: &Path) -> Result<String, String> {
        let began = Instant::now();
        loop {
            match run("bash", &self.here_not_there(script), folder) {
                Err(error) if began.elapsed() > PATIENCE => return Err(error),
                Err(_) => std::thread::sleep(Duration::from_secs(1)),
                Ok(text) => return Ok(text.replace(&format!("127.0.0.1:{}", self.port), BROKER)),
            }
        }
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        // The worker first: without a broker it would only wait.
        for child in self.running.iter_mut().rev() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
