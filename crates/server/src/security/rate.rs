//! Limits per client (its address) and in total: requests by token bucket, and open WebSockets.

use crate::app::App;
use crate::problem::Problem;
use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// How much one client, and all together, may use.
#[derive(Clone, Copy, Debug)]
pub struct Quota {
    /// Requests a second for one client; four seconds' worth may come at once.
    pub requests: f64,
    /// WebSockets one client may hold open.
    pub sockets: usize,
    /// WebSockets in total.
    pub all_sockets: usize,
    /// Messages a second on one WebSocket.
    pub messages: f64,
    /// Searches one client may have running or waiting.
    pub searches: usize,
    /// Live games between engines only, in total.
    pub engine_games: usize,
}

impl Quota {
    /// For a server that only its own machine can reach.
    pub fn loopback() -> Quota {
        Quota {
            requests: 5_000.0,
            sockets: 16_000,
            all_sockets: 16_000,
            messages: 200.0,
            searches: 16,
            engine_games: 16,
        }
    }

    /// For a server on a network.
    pub fn public() -> Quota {
        Quota {
            requests: 50.0,
            sockets: 64,
            all_sockets: 16_000,
            messages: 20.0,
            searches: 3,
            engine_games: 8,
        }
    }
}

/// A token bucket: `rate` tokens a second, at most four seconds' worth.
#[derive(Debug)]
pub(crate) struct Bucket {
    tokens: f64,
    filled: Instant,
}

impl Bucket {
    pub(crate) fn new(rate: f64) -> Bucket {
        Bucket { tokens: rate * 4.0, filled: Instant::now() }
    }

    /// Takes a token, if there is one.
    pub(crate) fn take(&mut self, rate: f64) -> bool {
        let now = Instant::now();
        self.tokens = (self.tokens + (now - self.filled).as_secs_f64() * rate).min(rate * 4.0);
        self.filled = now;
        let enough = self.tokens >= 1.0;
        if enough {
            self.tokens -= 1.0;
        }
        enough
    }

    fn is_full(&self, rate: f64) -> bool {
        self.tokens + self.filled.elapsed().as_secs_f64() * rate >= rate * 4.0
    }
}

#[derive(Debug, Default)]
struct Client {
    bucket: Option<Bucket>,
    sockets: usize,
}

/// Every client seen lately.
#[derive(Debug)]
pub(crate) struct Clients {
    quota: Quota,
    seen: Mutex<(HashMap<IpAddr, Client>, usize)>,
}

/// More clients than this, and those at rest are forgotten.
const SWEEP: usize = 10_000;

impl Clients {
    pub(crate) fn new(quota: Quota) -> Clients {
        Clients { quota, seen: Mutex::default() }
    }

    /// May this client make a request now?
    pub(crate) fn request(&self, who: IpAddr) -> bool {
        let rate = self.quota.requests;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.0.len() > SWEEP {
            seen.0.retain(|_, c| c.sockets > 0 || c.bucket.as_ref().is_some_and(|b| !b.is_full(rate)));
        }
        seen.0.entry(who).or_default().bucket.get_or_insert_with(|| Bucket::new(rate)).take(rate)
    }

    /// Counts a WebSocket until the answer is dropped; `None` if there are too many.
    pub(crate) fn socket(self: &Arc<Self>, who: IpAddr) -> Option<Socket> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.1 >= self.quota.all_sockets {
            return None;
        }
        let client = seen.0.entry(who).or_default();
        if client.sockets >= self.quota.sockets {
            return None;
        }
        client.sockets += 1;
        seen.1 += 1;
        Some(Socket { clients: self.clone(), who })
    }

    /// Open WebSockets.
    pub(crate) fn sockets(&self) -> usize {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).1
    }
}

/// One counted WebSocket.
#[derive(Debug)]
pub(crate) struct Socket {
    clients: Arc<Clients>,
    who: IpAddr,
}

impl Drop for Socket {
    fn drop(&mut self) {
        let mut seen = self.clients.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.1 = seen.1.saturating_sub(1);
        if let Some(client) = seen.0.get_mut(&self.who) {
            client.sockets = client.sockets.saturating_sub(1);
        }
    }
}

/// The address a request comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

impl FromRequestParts<Arc<App>> for Peer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Peer, Infallible> {
        Ok(Peer(address(parts, app.config.behind_proxy)))
    }
}

/// The peer's address, or what the operator's own proxy says it is: the last word of `X-Forwarded-For`,
/// the only one the proxy itself wrote.
fn address(parts: &Parts, behind_proxy: bool) -> IpAddr {
    let forwarded = || {
        let value = parts.headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        value.rsplit(',').next()?.trim().parse().ok()
    };
    let peer = || parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    let found = if behind_proxy { forwarded().or_else(peer) } else { peer() };
    found.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST))
}

/// Answers 429 to a client that asks too much.
pub(crate) async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let who = address(&parts, app.config.behind_proxy);
    if !app.clients.request(who) {
        return Problem::too_many("rate.exceeded", "too many requests; wait a moment").into_response();
    }
    next.run(Request::from_parts(parts, body)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_cut_off_and_others_are_not() {
        let clients = Arc::new(Clients::new(Quota { requests: 1.0, sockets: 2, ..Quota::public() }));
        let (one, two) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        let passed = (0..100).filter(|_| clients.request(one)).count();
        assert!((4..=5).contains(&passed), "{passed}");
        assert!(clients.request(two));
        let held: Vec<_> = (0..3).map(|_| clients.socket(one)).collect();
        assert!(held[1].is_some() && held[2].is_none());
        drop(held);
        assert_eq!(clients.sockets(), 0);
        assert!(clients.socket(one).is_some());
    }
}
