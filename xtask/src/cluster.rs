//! `cargo xtask cluster`: a whole fleet on this machine, to try it out.

use crate::fleet_storm::Process;
use crate::nats::Nats;
use crate::postgres::Postgres;
use crate::{shell, web};
use anyhow::bail;
use std::net::TcpListener;
use std::process::Command;

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    if let Some(word) = args.first() {
        bail!("unknown '{word}'; it takes no arguments");
    }
    web::build()?;
    shell::run(shell::cargo().args(["build", "--release", "--package", "tengen"]))?;
    let tengen = shell::root().join("target/release/tengen");
    let Some(postgres) = Postgres::start()? else {
        bail!("PostgreSQL is missing and could not be installed")
    };
    let Some(nats) = Nats::start()? else { bail!("nats-server is missing and could not be installed") };
    let folder = std::env::temp_dir().join(format!("tengen-cluster-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let place = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let (addr, url, database) = (format!("127.0.0.1:{port}"), nats.url(), postgres.url());
    let (data, files) = (place("data"), place("files"));
    let server = Process::start(
        Command::new(&tengen),
        &["serve", "--addr", &addr, "--data", &data, "--database", &database, "--nats", &url],
    )?;
    let worker = |name: &str| {
        Process::start(
            Command::new(&tengen),
            &["worker", "--join", &url, "--threads", "1", "--name", name, "--files", &files, "--quiet"],
        )
    };
    let workers = [worker("first")?, worker("second")?];
    println!(
        "\nThe fleet:        http://{addr}/fleet\nA match on it:    {} match tengen classic-ac --game gomoku --games 20 --nodes 2000 --fleet {url}\nIts state:        {} fleet status --fleet {url}\nEnter ends it.",
        tengen.display(),
        tengen.display(),
    );
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    drop(workers);
    drop(server);
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}
