//! `cargo xtask cluster`: a whole site and a fleet on this machine, to try them out.

use crate::nats::Nats;
use crate::postgres::{Commits, Postgres};
use crate::proxy::Proxy;
use crate::site_storm::{SERVERS, await_server, free_ports, serve};
use crate::storm::Process;
use crate::temp_folder::TempFolder;
use crate::{shell, web};
use anyhow::bail;
use std::path::Path;

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let tengen = match args {
        [] => {
            web::build()?;
            shell::run(shell::cargo().args(["build", "--release", "--package", "tengen"]))?;
            shell::root().join("target/release/tengen")
        }
        [word, folder] if word == "--built" => Path::new(folder).join("tengen"),
        [word, ..] => bail!("unknown '{word}'; accepted: --built FOLDER"),
    };
    let Some(postgres) = Postgres::start(Commits::Durable)? else {
        bail!("PostgreSQL is missing and could not be installed")
    };
    let Some(nats) = Nats::start()? else { bail!("nats-server is missing and could not be installed") };
    let folder = TempFolder::make("cluster")?;
    let place = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (url, database, files) = (nats.url(), postgres.url(), place("files"));
    let addrs = free_ports::<SERVERS>()?;
    let mut servers = Vec::new();
    for (number, addr) in addrs.iter().enumerate() {
        servers.push(serve(&tengen, *addr, &folder.path().join(format!("server{number}")), &database, &url)?);
    }
    addrs.iter().try_for_each(|addr| await_server(*addr))?;
    let proxy = Proxy::start(&addrs)?;
    let worker = |name: &str| {
        Process::start(
            shell::child(&tengen),
            &["worker", "--join", &url, "--threads", "1", "--name", name, "--files", &files, "--quiet"],
        )
    };
    let workers = [worker("first")?, worker("second")?];
    let addr = proxy.addr;
    println!(
        "\nThe site:         http://{addr}\nIts servers:      {}\nThe fleet:        http://{addr}/fleet\nA match on it:    {} match tengen classic-ac --game gomoku --games 20 --nodes 2000 --fleet {url}\nIts state:        {} fleet status --fleet {url}\nEnter ends it.",
        servers
            .iter()
            .zip(addrs)
            .map(|(server, addr)| format!("{addr} (process {})", server.child.id()))
            .collect::<Vec<_>>()
            .join(", "),
        tengen.display(),
        tengen.display(),
    );
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    drop(workers);
    drop(servers);
    Ok(())
}
