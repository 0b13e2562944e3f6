//! The connection to NATS: one address with a token, requests that are repeated until answered, units and files.

use crate::message::{self, Answers, CoordinatorReply, Request};
use crate::work::{Unit, sha256};
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::stream::{RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context, object_store, stream};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, HeaderMap, RequestErrorKind, ServerAddr};
use std::time::Duration;
use tokio::io::AsyncReadExt;

/// Messages older than this are forgotten: the record publishes what is still wanted again.
const MAX_AGE: Duration = Duration::from_secs(600);
/// Deliveries of one publication. A unit that needs more is published again, at most as often as it may be leased.
const MAX_DELIVER: i64 = 20;
/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(10);
/// How long the next part of a file may take.
const PART: Duration = Duration::from_secs(5);
/// Largest file, in bytes.
const MAX_FILE: usize = 512 << 20;

/// Why the fleet could not be used.
#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    /// Not an address.
    #[error("'{0}' is not the address of a fleet; accepted: nats://TOKEN@HOST:PORT")]
    Address(String),
    /// Nobody listens there.
    #[error("NATS at {address} does not answer: {why}")]
    Unreachable {
        /// Where, without the token.
        address: String,
        /// Why.
        why: String,
    },
    /// The token is wrong.
    #[error("NATS at {0} refuses the token; the address that `tengen serve --nats` prints has the right one")]
    WrongToken(String),
    /// NATS is there, the coordinator is not.
    #[error("no coordinator answers at {0}; start `tengen serve --nats` with this address")]
    NoCoordinator(String),
    /// The coordinator says no.
    #[error("{0}")]
    Refused(String),
    /// The coordinator cannot answer now.
    #[error("the coordinator cannot answer: {0}")]
    Later(String),
    /// Something of JetStream failed.
    #[error("NATS: {0}")]
    Broker(String),
    /// A file cannot be read or written.
    #[error("{0}")]
    File(String),
}

impl FleetError {
    /// Can asking again help?
    pub fn is_passing(&self) -> bool {
        matches!(
            self,
            FleetError::Unreachable { .. }
                | FleetError::NoCoordinator(_)
                | FleetError::Later(_)
                | FleetError::Broker(_)
        )
    }
}

fn broker(error: impl std::fmt::Display) -> FleetError {
    FleetError::Broker(error.to_string())
}

/// Connects once; the connection, and the address without the token. Afterwards the connection mends itself.
pub async fn connect_client(url: &str) -> Result<(Client, String), FleetError> {
    let bad = || FleetError::Address(url.split('@').next_back().unwrap_or_default().into());
    if !url.starts_with("nats://") && !url.starts_with("tls://") {
        return Err(bad());
    }
    let server: ServerAddr = url.parse().map_err(|_| bad())?;
    let options = match (server.username(), server.password()) {
        (Some(user), Some(password)) => ConnectOptions::with_user_and_password(user.into(), password.into()),
        (Some(token), None) => ConnectOptions::with_token(token.into()),
        _ => ConnectOptions::new(),
    };
    let address = format!("{}:{}", server.host(), server.port());
    let place = format!("{}://{address}", server.scheme());
    let options = options
        .connection_timeout(Duration::from_secs(5))
        .request_timeout(Some(ANSWER))
        .ping_interval(Duration::from_secs(5))
        .reconnect_delay_callback(|tries| Duration::from_millis((100 * tries as u64).min(2000)));
    let client = options.connect(place).await.map_err(|error| match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            FleetError::WrongToken(address.clone())
        }
        ConnectErrorKind::ServerParse => bad(),
        _ => FleetError::Unreachable { address: address.clone(), why: error.to_string() },
    })?;
    Ok((client, address))
}

/// A connection.
#[derive(Clone, Debug)]
pub struct Broker {
    pub(crate) client: Client,
    jetstream: Context,
    /// Without the token.
    address: String,
}

impl Broker {
    /// Connects once. Afterwards the connection mends itself.
    pub async fn connect(url: &str) -> Result<Broker, FleetError> {
        let (client, address) = connect_client(url).await?;
        Ok(Broker { jetstream: jetstream::new(client.clone()), client, address })
    }

    /// Connects, trying again with growing pauses until somebody answers; `say` hears why it waits.
    pub async fn connect_patiently(
        url: &str,
        say: &(dyn Fn(&FleetError) + Sync),
    ) -> Result<Broker, FleetError> {
        let mut pause = Duration::from_millis(250);
        loop {
            match Broker::connect(url).await {
                Err(error) if error.is_passing() => say(&error),
                done => return done,
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(10));
        }
    }

    /// Asks the coordinator once.
    #[expect(private_bounds, reason = "the answers are a closed set")]
    pub async fn ask<T: Answers>(&self, request: &Request) -> Result<T, FleetError> {
        let body = serde_json::to_vec(request).map_err(broker)?;
        let reply = self.client.request(message::REQUESTS, body.into()).await;
        let reply = reply.map_err(|error| match error.kind() {
            RequestErrorKind::NoResponders => FleetError::NoCoordinator(self.address.clone()),
            _ => FleetError::Unreachable { address: self.address.clone(), why: error.to_string() },
        })?;
        match serde_json::from_slice(&reply.payload).map_err(broker)? {
            CoordinatorReply::Ok(value) => serde_json::from_value(value).map_err(broker),
            CoordinatorReply::Later(why) => Err(FleetError::Later(why)),
            CoordinatorReply::Refused(why) => Err(FleetError::Refused(why)),
        }
    }

    /// Asks until there is an answer or `patience` is over; every request may be repeated.
    #[expect(private_bounds, reason = "the answers are a closed set")]
    pub async fn insist<T: Answers>(&self, request: &Request, patience: Duration) -> Result<T, FleetError> {
        let began = tokio::time::Instant::now();
        let mut pause = Duration::from_millis(50);
        loop {
            match self.ask(request).await {
                Err(error) if error.is_passing() && began.elapsed() < patience => {}
                done => return done,
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(2));
        }
    }

    /// The stream of units, made if need be.
    pub(crate) async fn stream(&self) -> Result<Stream, FleetError> {
        let config = stream::Config {
            name: message::STREAM.into(),
            subjects: vec![message::unit_subject("*")],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            max_age: MAX_AGE,
            ..Default::default()
        };
        self.jetstream.get_or_create_stream(config).await.map_err(broker)
    }

    /// The consumer of a class, made if need be.
    pub(crate) async fn make_consumer(
        &self,
        stream: &Stream,
        class: &str,
        ack_wait: Duration,
    ) -> Result<PullConsumer, FleetError> {
        let config = pull::Config {
            durable_name: Some(class.into()),
            filter_subject: message::unit_subject(class),
            ack_policy: AckPolicy::Explicit,
            ack_wait,
            max_deliver: MAX_DELIVER,
            ..Default::default()
        };
        stream.get_or_create_consumer(class, config).await.map_err(broker)
    }

    /// The consumer of a class, if the coordinator has made it.
    pub(crate) async fn consumer(&self, class: &str) -> Result<PullConsumer, FleetError> {
        self.jetstream.get_consumer_from_stream(class, message::STREAM).await.map_err(broker)
    }

    /// Publishes units of a class; returns those that the broker did not take.
    pub(crate) async fn publish(&self, class: &str, units: Vec<Unit>) -> Vec<Unit> {
        let mut sent = Vec::with_capacity(units.len());
        let mut lost = Vec::new();
        for unit in units {
            let mut headers = HeaderMap::new();
            let id = &unit.id;
            let message_id = format!("{}.{}.{}.{}", id.run, id.number, id.copy, unit.offer);
            headers.insert(async_nats::header::NATS_MESSAGE_ID, message_id);
            let Ok(body) = serde_json::to_vec(&unit) else { continue };
            let subject = message::unit_subject(class);
            match self.jetstream.publish_with_headers(subject, headers, body.into()).await {
                Ok(acknowledged) => sent.push((unit, acknowledged)),
                Err(_) => lost.push(unit),
            }
        }
        for (unit, acknowledged) in sent {
            if acknowledged.await.is_err() {
                lost.push(unit);
            }
        }
        lost
    }

    async fn files(&self) -> Result<ObjectStore, FleetError> {
        if let Ok(files) = self.jetstream.get_object_store(message::FILES).await {
            return Ok(files);
        }
        let config = object_store::Config { bucket: message::FILES.into(), ..Default::default() };
        self.jetstream.create_object_store(config).await.map_err(broker)
    }

    /// Puts a file into the object store, unless it is there and whole; its SHA-256.
    pub async fn put_file(&self, bytes: &[u8]) -> Result<String, FleetError> {
        if bytes.len() > MAX_FILE {
            return Err(FleetError::Refused(format!("a file has at most {} MiB", MAX_FILE >> 20)));
        }
        let name = sha256(bytes);
        let files = self.files().await?;
        // Read, not only looked up: what is damaged there is replaced.
        if self.get_file(&name).await?.is_none() {
            let mut reader = bytes;
            files.put(name.as_str(), &mut reader).await.map_err(broker)?;
        }
        Ok(name)
    }

    /// Gets a file from the object store; `None` if it is not there or not what its name says.
    pub(crate) async fn get_file(&self, name: &str) -> Result<Option<Vec<u8>>, FleetError> {
        let Ok(mut object) = self.files().await?.get(name).await else { return Ok(None) };
        let (mut bytes, mut part) = (Vec::new(), vec![0; 1 << 16]);
        loop {
            // For a part that got lost the reader would wait forever.
            match tokio::time::timeout(PART, object.read(&mut part)).await {
                Ok(Ok(0)) => break,
                Ok(Ok(length)) if bytes.len() + length <= MAX_FILE => bytes.extend(&part[..length]),
                _ => return Ok(None),
            }
        }
        Ok(Some(bytes).filter(|bytes| sha256(bytes) == name))
    }
}
