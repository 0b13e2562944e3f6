//! Runs the commands of a page in an empty folder with a copy of `examples/`.

use crate::fleet::Fleet;
use crate::page::{Kind, Page, root};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// The address in the pages; a page that uses it gets a server of its own on a free port.
const ADDRESS: &str = "127.0.0.1:7878";

/// What the output blocks of a page should contain, by the index of the block.
pub(crate) fn outputs(page: &Page) -> Result<Vec<(usize, String)>, String> {
    let folder = with_examples();
    let runs = |block: &crate::page::Block| matches!(block.kind, Kind::Run(_));
    let asks = page.blocks.iter().any(|block| runs(block) && block.body.contains(ADDRESS));
    let server = asks.then(Server::start);
    let mut fleet =
        page.blocks.iter().any(|block| block.kind == Kind::RunOnFleet).then(Fleet::here).flatten();
    let (mut printed, mut outputs) = (None, Vec::new());
    // Of a block that was not run nothing is known: what the page shows stands.
    let mut not_run = false;
    for (index, block) in page.blocks.iter().enumerate() {
        let failed = |error| format!("{}: {error}", page.path.display());
        match block.kind {
            Kind::RunOnFleet => {
                not_run = fleet.is_none();
                if let Some(fleet) = &fleet {
                    printed = Some(fleet.run(&block.body, folder.path()).map_err(failed)?);
                }
            }
            Kind::Background => {
                if let Some(fleet) = &mut fleet {
                    fleet.start(&block.body, folder.path());
                }
            }
            Kind::Interactive => {
                let typed = |line: &str| format!("printf 'quit\\n' | {line}\n");
                let script: String = block.body.lines().map(typed).collect();
                printed = Some(run("bash", &script, folder.path()).map_err(failed)?);
                not_run = false;
            }
            Kind::Serve => Server::start_by(&block.body, folder.path()).check_health().map_err(failed)?,
            Kind::Output { .. } if not_run => outputs.push((index, block.body.clone())),
            Kind::Run(interpreter) => {
                let address = server.as_ref().map_or(ADDRESS, |server| &server.address);
                let text =
                    run(interpreter, &block.body.replace(ADDRESS, address), folder.path()).map_err(failed)?;
                not_run = false;
                printed = Some(text.replace(address, ADDRESS));
            }
            Kind::Output { .. } => {
                let text = printed.take();
                let text = text.ok_or(format!("{}: an output that no block prints", page.path.display()))?;
                outputs.push((index, tidy(&text)));
            }
            Kind::NotRun | Kind::Text => {}
        }
    }
    Ok(outputs)
}

/// Standard output of a block; an error if it fails.
pub(crate) fn run(interpreter: &str, script: &str, folder: &Path) -> Result<String, String> {
    let flags: &[&str] = match interpreter {
        "bash" => &["-euo", "pipefail", "-s"],
        "node" => &["--input-type=module", "-"],
        _ => &["-"],
    };
    let program = assert_cmd::cargo::cargo_bin("tengen");
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    // A file, not a pipe: a command of the block that reads standard input would read the script.
    let script = match interpreter {
        "bash" => format!("{{\n{script}\n}} < /dev/null"),
        _ => script.to_string(),
    };
    let output = assert_cmd::Command::new(interpreter)
        .args(flags)
        .write_stdin(script.clone())
        .env("PATH", path)
        .env("LC_ALL", "C.UTF-8")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(folder)
        .timeout(Duration::from_secs(400))
        .output()
        .map_err(|error| format!("{interpreter}: {error}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}\n{script}\n{message}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Without spaces at the ends of lines and with one line end at the end, as editors leave a file.
fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

/// The shape of an output whose numbers vary: every number is one sign, and so is every run of blanks. A search that was
/// repeated says so; on a busy machine it takes too long to be repeated.
pub(crate) fn shape(text: &str) -> String {
    let mut shape = String::new();
    for sign in text.chars() {
        let class = match sign {
            '0'..='9' | '.' | '-' | '+' if shape.ends_with('#') => continue,
            '-' | '+' | '0'..='9' => '#',
            ' ' if shape.ends_with(' ') => continue,
            other => other,
        };
        shape.push(class);
    }
    shape.replace(" (median of # warm runs)", "")
}

/// An empty folder with a copy of `examples/`.
pub(crate) fn with_examples() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("examples"), &folder.path().join("examples"));
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to: PathBuf = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            std::fs::copy(&path, &to).unwrap();
        }
    }
}

struct Server {
    child: Child,
    address: String,
    _data: TempDir,
}

/// Where the pages keep the data of a server for good.
const DATA: &str = "/var/lib/tengen";

impl Server {
    fn start() -> Self {
        Self::start_by("tengen serve", Path::new("."))
    }

    /// Starts a server by a page's command, with a port and data of its own.
    fn start_by(command: &str, folder: &Path) -> Self {
        let data = tempfile::tempdir().unwrap();
        let tengen = assert_cmd::cargo::cargo_bin("tengen");
        let path = format!("{}:{}", tengen.parent().unwrap().display(), std::env::var("PATH").unwrap());
        let mut child = Command::new("bash")
            .args(["-c", &format!("exec {}", command.replace(DATA, &data.path().display().to_string()))])
            .env("PATH", path)
            .env("TENGEN_ADDR", "127.0.0.1:0")
            .env("XDG_DATA_HOME", data.path())
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let line = BufReader::new(child.stdout.take().unwrap()).lines().next().unwrap().unwrap();
        let address = line.split("http://").nth(1).unwrap_or_else(|| panic!("no address in '{line}'"));
        let address = address.split(['/', ' ']).next().unwrap().to_string();
        Self { child, address, _data: data }
    }

    fn check_health(&self) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.address);
        let mut stream = TcpStream::connect(&self.address).map_err(failed)?;
        let request = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        stream.write_all(request.as_bytes()).map_err(failed)?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map_err(failed)?;
        if answer.starts_with("HTTP/1.1 200") { Ok(()) } else { Err(format!("{}: {answer}", self.address)) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_shape_of_an_output_ignores_its_numbers_only() {
    assert_eq!(shape("depth 12   -3.5 s"), shape("depth 7  +10 s"));
    assert_ne!(shape("depth 12 nodes"), shape("depth 12 moves"));
    assert_eq!(shape("seconds 0.000002 (median of 101 warm runs)"), shape("seconds 0.005"));
}

#[test]
fn a_block_that_fails_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    assert!(run("bash", "true", folder.path()).is_ok());
    assert!(run("bash", "false\ntrue", folder.path()).is_err(), "the first of two commands");
    assert!(run("bash", "false | cat", folder.path()).is_err(), "in a pipe");
    assert!(run("bash", "cat missing.txt", folder.path()).is_err());
}
