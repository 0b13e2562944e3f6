//! Connections: accepted, counted per client, and given up when a client is too slow to say what it wants.
//!
//! `axum::serve` sets no deadline for headers, so this is its accept loop with one. WebSockets leave this count when
//! they are upgraded; [`crate::security::rate`] counts them from then on.

use crate::app::App;
use crate::security::client::client_of;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::ServiceExt;

/// How long a client may take to send the head of a request, and how long a connection may idle before it.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// Bytes buffered for one connection: no head is longer.
const BUFFER: usize = 64 << 10;
/// Pause after a failure to accept, such as too many open files.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);
/// Files kept for the database, engine processes and everything else that is no connection.
const RESERVED: usize = 128;

/// How many connections and WebSockets this process can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Capacity {
    pub(crate) connections: usize,
    pub(crate) sockets: usize,
}

impl Capacity {
    /// Raises the limit on open files as far as the system lets us, and divides it.
    pub(crate) fn raise() -> Capacity {
        Capacity::of(crate::platform::raise_open_files())
    }

    fn of(files: usize) -> Capacity {
        let half = (files.saturating_sub(RESERVED) / 2).clamp(16, 100_000);
        Capacity { connections: half, sockets: half }
    }
}

/// Accepts and serves connections forever.
pub(crate) async fn serve(listener: TcpListener, app: Arc<App>, router: Router, capacity: Capacity) {
    let all = Arc::new(Semaphore::new(capacity.connections));
    loop {
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                continue;
            }
        };
        // Behind a proxy every connection is the proxy's, which has limits of its own.
        let counted = match app.config.behind_proxy {
            true => None,
            false => match app.clients.connection(client_of(peer.ip())) {
                Some(counted) => Some(counted),
                None => continue,
            },
        };
        let Ok(place) = all.clone().try_acquire_owned() else { continue };
        let router = router.clone();
        tokio::spawn(async move {
            let _held = (place, counted);
            connection(stream, peer, router).await;
        });
    }
}

async fn connection(stream: TcpStream, peer: SocketAddr, router: Router) {
    // Small messages must not wait for one another.
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().oneshot(request)
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades()
        .await;
    if let Err(error) = served {
        // Clients that leave or are too slow: nothing to do about it.
        tracing::debug!(%error, "a connection ended");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_left_for_the_database_and_engines() {
        assert_eq!(Capacity::of(1024), Capacity { connections: 448, sockets: 448 });
        let many = Capacity::of(usize::MAX);
        assert_eq!((many.connections, many.sockets), (100_000, 100_000));
    }
}
