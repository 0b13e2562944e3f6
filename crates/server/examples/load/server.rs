//! The server under test, and requests to it from any address of this machine.

pub(crate) mod memory;

use crate::Fail;
use serde_json::Value;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

/// A server that does not answer for so long is as good as gone.
const ANSWER: Duration = Duration::from_secs(30);

/// The server under test.
pub(crate) struct Server {
    child: Child,
    pub(crate) addr: SocketAddr,
}

impl Server {
    /// Starts one with an empty database; `public` gives clients the limits of a server on a network.
    pub(crate) fn start(
        tengen: &str,
        folder: &std::path::Path,
        port: u16,
        public: bool,
    ) -> Result<Server, Fail> {
        let origin = format!("http://127.0.0.1:{port}");
        // Ignoring the signal makes a write beyond the limit on files fail instead of ending the program.
        let child = Command::new("sh")
            .args(["-c", r#"trap "" XFSZ; exec "$0" "$@""#, tengen])
            .args(["serve", "--addr", &format!("127.0.0.1:{port}"), "--data"])
            .arg(folder)
            .args(if public { vec!["--public", "--origin", &origin] } else { vec![] })
            .env("RUST_LOG", "warn")
            .stdout(Stdio::null())
            .spawn()?;
        let addr = SocketAddr::from(([127, 0, 0, 1], port));
        let began = Instant::now();
        while std::net::TcpStream::connect(addr).is_err() {
            if began.elapsed() > Duration::from_secs(30) {
                return Err("the server does not answer".into());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(Server { child, addr })
    }

    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// From now on every write to a file fails, or none does.
    pub(crate) fn limit_files(&self, fail: bool) -> Result<(), Fail> {
        let limit = if fail { "--fsize=0:unlimited" } else { "--fsize=unlimited:unlimited" };
        let done = Command::new("prlimit").args(["--pid", &self.child.id().to_string(), limit]).status()?;
        if done.success() { Ok(()) } else { Err("prlimit failed".into()) }
    }

    /// CPU time it has used, where the system tells: in hundredths of a second.
    pub(crate) fn cpu_seconds(&self) -> Option<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let after_name = stat.rsplit_once(')')?.1;
        let ticks = after_name.split_whitespace().skip(11).take(2).map(|word| word.parse::<f64>().ok());
        Some(ticks.sum::<Option<f64>>()? / 100.0)
    }

    /// Most memory it ever held, in MB, where the system tells.
    pub(crate) fn peak_mb(&self) -> Option<f64> {
        self.status_mb("VmHWM")
    }

    /// The memory it holds now, in MB, where the system tells.
    pub(crate) fn resident_mb(&self) -> Option<f64> {
        self.status_mb("VmRSS")
    }

    fn status_mb(&self, field: &str) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with(field))?;
        Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A client's own address: 127.1.0.0 and up. Addresses of one machine are as different to the server as any.
pub(crate) fn client(number: usize) -> IpAddr {
    IpAddr::V4(Ipv4Addr::from_bits(0x7f01_0001 + number as u32))
}

/// Connects from a given address.
pub(crate) async fn connect(from: IpAddr, addr: SocketAddr) -> Result<TcpStream, Fail> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::new(from, 0))?;
    Ok(socket.connect(addr).await?)
}

/// Sends a request: status and body.
pub(crate) async fn send(
    from: IpAddr,
    addr: SocketAddr,
    method: &str,
    path: &str,
    body: &str,
) -> Result<(u16, Vec<u8>), Fail> {
    send_as(from, addr, method, path, None, body).await
}

/// Sends a request with a secret.
pub(crate) async fn send_as(
    from: IpAddr,
    addr: SocketAddr,
    method: &str,
    path: &str,
    secret: Option<&str>,
    body: &str,
) -> Result<(u16, Vec<u8>), Fail> {
    let mut stream = connect(from, addr).await?;
    let bearer = secret.map(|secret| format!("Authorization: Bearer {secret}\r\n")).unwrap_or_default();
    let text = format!(
        "{method} /api/v1{path} HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         {bearer}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(text.as_bytes()).await?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await?;
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").ok_or("no answer")?;
    let status = std::str::from_utf8(&bytes[..end])?.split(' ').nth(1).ok_or("no status")?.parse()?;
    Ok((status, bytes.split_off(end + 4)))
}

/// Sends a request and reads the JSON of the answer.
pub(crate) async fn request(
    from: IpAddr,
    addr: SocketAddr,
    method: &str,
    path: &str,
    body: &str,
) -> Result<Value, Fail> {
    let (_, answer) = timeout(ANSWER, send(from, addr, method, path, body)).await??;
    Ok(serde_json::from_slice(&answer)?)
}
