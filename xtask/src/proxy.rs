//! A small reverse proxy for clusters on this machine: each connection goes to the next server that is healthy. And a relay
//! from one address to another.

use anyhow::Context;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// How often servers are asked whether they are healthy, and how long they may take to answer.
const EVERY: Duration = Duration::from_millis(500);
const PATIENCE: Duration = Duration::from_secs(1);

struct Server {
    addr: SocketAddr,
    healthy: AtomicBool,
}

/// A running proxy; its threads end with the program.
pub(crate) struct Proxy {
    pub(crate) addr: SocketAddr,
    _servers: Arc<[Server]>,
}

impl Proxy {
    /// Starts one on a free port of this machine.
    pub(crate) fn start(servers: &[SocketAddr]) -> anyhow::Result<Proxy> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let addr = listener.local_addr()?;
        let servers: Arc<[Server]> =
            servers.iter().map(|addr| Server { addr: *addr, healthy: AtomicBool::new(true) }).collect();
        let watched = Arc::downgrade(&servers);
        std::thread::spawn(move || watch(&watched));
        let used = servers.clone();
        std::thread::spawn(move || {
            let next = AtomicUsize::new(0);
            for client in listener.incoming().flatten() {
                let number = next.fetch_add(1, Relaxed);
                let used = used.clone();
                std::thread::spawn(move || forward(client, &used, number));
            }
        });
        Ok(Proxy { addr, _servers: servers })
    }
}

/// Passes every connection to `listen` on to `to`, for as long as this program runs.
pub(crate) fn relay(listen: SocketAddr, to: SocketAddr) -> anyhow::Result<()> {
    let listener = TcpListener::bind(listen).with_context(|| format!("cannot listen on {listen}"))?;
    for client in listener.incoming().flatten() {
        std::thread::spawn(move || {
            forward(client, &[Server { addr: to, healthy: AtomicBool::new(true) }], 0);
        });
    }
    Ok(())
}

fn watch(servers: &Weak<[Server]>) {
    while let Some(servers) = servers.upgrade() {
        for server in &*servers {
            server.healthy.store(is_healthy(server.addr).unwrap_or(false), Relaxed);
        }
        drop(servers);
        std::thread::sleep(EVERY);
    }
}

fn is_healthy(addr: SocketAddr) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect_timeout(&addr, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut head = [0; 12];
    stream.read_exact(&mut head)?;
    Ok(head.ends_with(b" 200"))
}

/// Passes bytes on until either side ends. Healthy servers are tried first, all of them once.
fn forward(client: TcpStream, servers: &[Server], number: usize) {
    let turn = || (0..servers.len()).map(|step| &servers[(number + step) % servers.len()]);
    let healthy = turn().filter(|server| server.healthy.load(Relaxed));
    let others = turn().filter(|server| !server.healthy.load(Relaxed));
    let connect = |server: &Server| TcpStream::connect_timeout(&server.addr, PATIENCE).ok();
    let Some(server) = healthy.chain(others).find_map(connect) else { return };
    let (Ok(client_out), Ok(server_out)) = (client.try_clone(), server.try_clone()) else { return };
    let back = std::thread::spawn(move || pass(server, client_out));
    pass(client, server_out);
    let _ = back.join();
}

fn pass(mut from: TcpStream, mut to: TcpStream) {
    let _ = from.set_nodelay(true);
    let _ = std::io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}
