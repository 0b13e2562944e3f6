//! Limits per client (see [`super::client`]) and in total: requests and creations by token bucket, open connections
//! and WebSockets by count.

use super::client;
use crate::app::App;
use api::Problem;
use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

pub(crate) use super::client::Peer;

/// How much one client, and all together, may use.
#[derive(Clone, Copy, Debug)]
pub struct Quota {
    /// Requests per second of one client; four seconds' worth may come at once.
    pub requests: f64,
    /// Games, bots, studies and puzzle secrets one client may create per second; a minute's worth may come at once.
    pub creations: f64,
    /// Connections one client may hold open. Not applied behind a proxy, which is the peer of them all.
    pub connections: usize,
    /// WebSockets one client may hold open.
    pub sockets: usize,
    /// WebSockets in total.
    pub all_sockets: usize,
    /// Messages per second on one WebSocket.
    pub messages: f64,
    /// Searches one client may have running or waiting, those of the games it created included.
    pub searches: usize,
    /// Live games with an engine that one client may have created.
    pub engine_games_each: usize,
    /// Live games between engines only, in total.
    pub engine_games: usize,
}

impl Quota {
    /// For a server that only its own machine can reach.
    pub fn loopback() -> Quota {
        Quota {
            requests: 5_000.0,
            creations: 2_000.0,
            connections: 20_000,
            sockets: 16_000,
            all_sockets: 16_000,
            messages: 200.0,
            searches: 16,
            engine_games_each: 1_000,
            engine_games: 16,
        }
    }

    /// For a server on a network.
    pub fn public() -> Quota {
        Quota {
            requests: 50.0,
            creations: 1.0,
            connections: 256,
            sockets: 64,
            all_sockets: 16_000,
            messages: 20.0,
            searches: 3,
            engine_games_each: 20,
            engine_games: 8,
        }
    }
}

/// A token bucket.
#[derive(Debug)]
pub(crate) struct Bucket {
    rate: f64,
    burst: f64,
    tokens: f64,
    filled: Instant,
}

impl Bucket {
    /// `rate` tokens per second, at most `seconds` worth of them.
    pub(crate) fn new(rate: f64, seconds: f64) -> Bucket {
        let burst = rate * seconds;
        Bucket { rate, burst, tokens: burst, filled: Instant::now() }
    }

    /// Takes a token, if there is one.
    pub(crate) fn take(&mut self) -> bool {
        self.take_many(1.0)
    }

    fn take_many(&mut self, count: f64) -> bool {
        let now = Instant::now();
        self.tokens = (self.tokens + (now - self.filled).as_secs_f64() * self.rate).min(self.burst);
        self.filled = now;
        let enough = self.tokens >= count;
        if enough {
            self.tokens -= count;
        }
        enough
    }

    fn is_full(&self) -> bool {
        self.tokens + self.filled.elapsed().as_secs_f64() * self.rate >= self.burst
    }
}

#[derive(Debug)]
struct Client {
    requests: Bucket,
    creations: Bucket,
    connections: usize,
    sockets: usize,
    /// Bytes of large bodies that are being read.
    bodies: usize,
}

/// Bytes of bodies that one client may be sending at once, and the size from which they count.
const BODIES: usize = 16 << 20;
const LARGE: usize = 16 << 10;

impl Client {
    fn new(quota: &Quota) -> Client {
        let requests = Bucket::new(quota.requests, 4.0);
        let creations = Bucket::new(quota.creations, 60.0);
        Client { requests, creations, connections: 0, sockets: 0, bodies: 0 }
    }

    /// Nothing would change if it were forgotten.
    fn is_at_rest(&self) -> bool {
        let idle = self.connections == 0 && self.sockets == 0 && self.bodies == 0;
        idle && self.requests.is_full() && self.creations.is_full()
    }
}

#[derive(Debug, Default)]
struct Seen {
    clients: HashMap<IpAddr, Client>,
    sockets: usize,
}

/// Every client seen lately.
#[derive(Debug)]
pub(crate) struct Clients {
    quota: Quota,
    /// Servers behind the same address. A client's requests go to all of them in turn, so each counts as many as there are
    /// servers, and lets it have its part of the connections.
    servers: AtomicUsize,
    seen: Mutex<Seen>,
}

/// More clients than this, and those at rest are forgotten.
const SWEEP: usize = 10_000;

impl Clients {
    pub(crate) fn new(quota: Quota) -> Clients {
        Clients { quota, servers: AtomicUsize::new(1), seen: Mutex::default() }
    }

    /// So many servers share what a client may do.
    pub(crate) fn share(&self, servers: usize) {
        self.servers.store(servers.max(1), Relaxed);
    }

    fn servers(&self) -> usize {
        self.servers.load(Relaxed)
    }

    /// This server's part of what a client may hold open on all.
    fn part(&self, of: usize) -> usize {
        of.div_ceil(self.servers())
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, who: IpAddr, act: impl FnOnce(&mut Client) -> T) -> T {
        let mut seen = self.seen();
        if seen.clients.len() > SWEEP {
            seen.clients.retain(|_, client| !client.is_at_rest());
        }
        act(seen.clients.entry(who).or_insert_with(|| Client::new(&self.quota)))
    }

    /// May this client make a request now?
    pub(crate) fn request(&self, who: IpAddr) -> bool {
        self.with(who, |client| client.requests.take_many(self.servers() as f64))
    }

    /// May this client create something that stays?
    pub(crate) fn creation(&self, who: IpAddr) -> bool {
        self.with(who, |client| client.creations.take_many(self.servers() as f64))
    }

    /// Counts a connection until the answer is dropped; `None` if the client has too many.
    pub(crate) fn connection(self: &Arc<Self>, who: IpAddr) -> Option<Counted> {
        let most = self.part(self.quota.connections);
        let counted = self.with(who, |client| {
            let free = client.connections < most;
            client.connections += usize::from(free);
            free
        });
        counted.then(|| self.count(who, Kind::Connection))
    }

    /// Counts the bytes of a body until the answer is dropped; `None` if the client sends too many at once.
    pub(crate) fn body(self: &Arc<Self>, who: IpAddr, bytes: usize) -> Option<Counted> {
        let bytes = if bytes < LARGE { 0 } else { bytes };
        let counted = self.with(who, |client| {
            let free = client.bodies + bytes <= BODIES;
            client.bodies += if free { bytes } else { 0 };
            free
        });
        counted.then(|| self.count(who, Kind::Body(bytes)))
    }

    fn count(self: &Arc<Self>, who: IpAddr, kind: Kind) -> Counted {
        Counted { clients: self.clone(), who, kind }
    }

    /// Counts a WebSocket until the answer is dropped; `None` if there are too many.
    pub(crate) fn socket(self: &Arc<Self>, who: IpAddr) -> Option<Counted> {
        let mut seen = self.seen();
        if seen.sockets >= self.quota.all_sockets {
            return None;
        }
        let client = seen.clients.entry(who).or_insert_with(|| Client::new(&self.quota));
        if client.sockets >= self.part(self.quota.sockets) {
            return None;
        }
        client.sockets += 1;
        seen.sockets += 1;
        Some(self.count(who, Kind::Socket))
    }

    /// Open WebSockets.
    pub(crate) fn sockets(&self) -> usize {
        self.seen().sockets
    }
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Connection,
    Socket,
    Body(usize),
}

/// Something of a client that is counted until it is dropped.
#[derive(Debug)]
pub(crate) struct Counted {
    clients: Arc<Clients>,
    who: IpAddr,
    kind: Kind,
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut seen = self.clients.seen();
        if matches!(self.kind, Kind::Socket) {
            seen.sockets = seen.sockets.saturating_sub(1);
        }
        let Some(client) = seen.clients.get_mut(&self.who) else { return };
        match self.kind {
            Kind::Connection => client.connections = client.connections.saturating_sub(1),
            Kind::Socket => client.sockets = client.sockets.saturating_sub(1),
            Kind::Body(bytes) => client.bodies = client.bodies.saturating_sub(bytes),
        }
    }
}

/// Where a POST makes something that stays.
const CREATIONS: [&str; 7] = [
    "/api/v1/games",
    "/api/v1/challenges",
    "/api/v1/bots",
    "/api/v1/arenas",
    "/api/v1/classes",
    "/api/v1/studies",
    "/api/v1/puzzles/progress",
];

/// Answers 429 to a client that asks too much.
pub(crate) async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let who = client::of_request(&parts, app.config.behind_proxy);
    if !app.clients.request(who) {
        return Problem::too_many("rate.exceeded", "too many requests; wait a moment").into_response();
    }
    let creates = parts.method == Method::POST && CREATIONS.contains(&parts.uri.path());
    if creates && !app.clients.creation(who) {
        let detail = "too much was created from your address; wait a minute";
        return Problem::too_many("rate.creations", detail).into_response();
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

    #[test]
    fn servers_of_a_site_share_what_a_client_may_do() {
        let quota = Quota { requests: 3.0, creations: 0.1, connections: 7, sockets: 3, ..Quota::public() };
        let clients = Arc::new(Clients::new(quota));
        let who = |number| IpAddr::from([10, 0, 0, number]);
        let may = |who| {
            let requests = (0..100).filter(|_| clients.request(who)).count();
            let creations = (0..100).filter(|_| clients.creation(who)).count();
            let connections: Vec<_> = (0..100).map_while(|_| clients.connection(who)).collect();
            let sockets: Vec<_> = (0..100).map_while(|_| clients.socket(who)).collect();
            (requests, creations, connections.len(), sockets.len())
        };
        assert_eq!(may(who(1)), (12, 6, 7, 3), "alone");
        clients.share(3);
        assert_eq!(may(who(2)), (4, 2, 3, 1), "one of three");
        clients.share(100);
        let (_, _, connections, sockets) = may(who(3));
        assert_eq!((connections, sockets), (1, 1), "never none");
        clients.share(0);
        assert_eq!(may(who(4)), (12, 6, 7, 3), "the others are gone");
    }

    #[test]
    fn connections_and_creations_are_counted_per_client() {
        let quota = Quota { connections: 2, creations: 0.05, ..Quota::public() };
        let clients = Arc::new(Clients::new(quota));
        let (one, two) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        let mut held: Vec<_> = (0..3).map(|_| clients.connection(one)).collect();
        assert!(held[1].is_some() && held[2].is_none() && clients.connection(two).is_some());
        held.remove(0);
        assert!(clients.connection(one).is_some());
        assert_eq!((0..10).filter(|_| clients.creation(one)).count(), 3, "a minute's worth");
        assert!(clients.creation(two));
    }
}
