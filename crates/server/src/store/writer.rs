//! The one place that writes: many acknowledged moves in one transaction.
//!
//! Whoever writes sends what is to be written and waits. The writer takes everything that has gathered
//! while it was busy with the last commit, writes it in one transaction, and only when that is on disk
//! tells all of them. Under load the cost of reaching the disk is shared; at rest nobody waits for company.
//!
//! A group that failed in a way that leaves open whether it is on disk (the connection was lost, COMMIT got an
//! error) is written again on a new connection. It cannot be there twice: each group begins by setting the writer's
//! row in `writers` to the group's number, which changes nothing if the number is there already. On PostgreSQL this
//! also waits for the lost transaction to end, one way or the other.
//!
//! Where several servers share a database, nothing is written on behalf of one that is dead: see [`Fence`].

pub(super) use super::write::Write;

use super::database::Database;
use super::health::Health;
use super::link::Link;
use super::{Finish, Header, Lease, StoreError, write};
use crate::metrics::Metrics;
use crate::security::secret;
use play::Event;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// At most so many writes share a transaction (SQLite's limit on parameters is far above).
const BATCH: usize = 512;
/// How often a group is tried, and the pauses in between.
const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(100)];
/// A transaction that takes longer has lost its connection.
const PATIENCE: Duration = Duration::from_secs(10);

type Reply = oneshot::Sender<Result<(), StoreError>>;

/// In whose name the writer writes.
#[derive(Clone, Debug, Default)]
pub(crate) enum Fence {
    /// It is the only one.
    #[default]
    Alone,
    /// An instance, as long as it is not dead.
    Instance(Arc<str>),
    /// Nobody: the instance was found dead.
    Closed,
}

/// A handle on the writer.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    queue: mpsc::Sender<(Write, Reply)>,
    database: Database,
    fence: Arc<Mutex<Fence>>,
    pub(super) health: Arc<Health>,
}

impl Writer {
    /// Starts the task that writes.
    pub(super) fn start(database: Database, metrics: Arc<Metrics>) -> Result<Writer, StoreError> {
        let (queue, waiting) = mpsc::channel::<(Write, Reply)>(4096);
        let health = Arc::new(Health::default());
        let id = secret::random().map_err(|error| StoreError::Failed(error.to_string()))?;
        let fence = Arc::<Mutex<Fence>>::default();
        let task = Task {
            database: database.clone(),
            fence: fence.clone(),
            link: None,
            id,
            number: 0,
            metrics,
            health: health.clone(),
        };
        tokio::spawn(task.run(waiting));
        Ok(Writer { queue, database, fence, health })
    }

    /// Writes, and returns when it is on disk. On an error it may not be.
    pub(super) async fn write(&self, write: Write) -> Result<(), StoreError> {
        let (reply, done) = oneshot::channel();
        self.queue.send((write, reply)).await.map_err(|_| StoreError::Stopped)?;
        done.await.map_err(|_| StoreError::Stopped)?
    }

    /// In whose name to write from now on.
    pub(crate) fn fence(&self, fence: Fence) {
        *self.fence.lock().unwrap_or_else(PoisonError::into_inner) = fence;
    }

    pub(super) fn database(&self) -> &Database {
        &self.database
    }

    /// A new game, and whose it is.
    pub(crate) async fn create(&self, header: Header, lease: Option<Lease>) -> Result<(), StoreError> {
        self.write(Write::Create(Box::new(header), lease)).await
    }

    /// The next event of a game, and its end where it is the last.
    pub(crate) async fn append(
        &self,
        game: Arc<str>,
        event: Event,
        finish: Option<Finish>,
    ) -> Result<(), StoreError> {
        self.write(Write::Append { game, event, finish }).await
    }

    /// Writes the heartbeat.
    pub(crate) async fn heartbeat(&self, at: i64) -> Result<(), StoreError> {
        self.write(Write::Heartbeat { at }).await
    }
}

/// Why a group is not known to be on disk.
#[derive(Debug)]
enum Failure {
    /// A row contradicts one that is there: the write is at fault, not the database.
    Refused(sqlx::Error),
    /// The connection is lost, or COMMIT got an error: it may be on disk.
    Unclear(sqlx::Error),
    /// It is not on disk.
    Failed(sqlx::Error),
}

impl Failure {
    fn of(error: sqlx::Error, committing: bool) -> Failure {
        match &error {
            _ if committing => Failure::Unclear(error),
            sqlx::Error::Database(inner) => {
                use sqlx::error::ErrorKind;
                // PostgreSQL: connection exceptions, the server shuts down, deadlock.
                let lost = ["08", "57P", "40"];
                let code = inner.code().unwrap_or_default();
                match inner.kind() {
                    ErrorKind::Other if code.len() == 5 && lost.iter().any(|it| code.starts_with(it)) => {
                        Failure::Unclear(error)
                    }
                    ErrorKind::Other => Failure::Failed(error),
                    _ => Failure::Refused(error),
                }
            }
            _ => Failure::Unclear(error),
        }
    }

    fn error(&self) -> &sqlx::Error {
        match self {
            Failure::Refused(error) | Failure::Unclear(error) | Failure::Failed(error) => error,
        }
    }
}

/// The task that writes.
struct Task {
    database: Database,
    fence: Arc<Mutex<Fence>>,
    /// Its own connection: moves must not wait behind readers. `None` after an error.
    link: Option<Link>,
    /// Its row in `writers`.
    id: String,
    /// Of the last group.
    number: i64,
    metrics: Arc<Metrics>,
    health: Arc<Health>,
}

impl Task {
    async fn run(mut self, mut waiting: mpsc::Receiver<(Write, Reply)>) {
        let mut batch = Vec::with_capacity(BATCH);
        while waiting.recv_many(&mut batch, BATCH).await > 0 {
            let (writes, replies): (Vec<Write>, Vec<Reply>) = batch.drain(..).unzip();
            let done = self.write_group(&writes).await;
            for (reply, done) in replies.into_iter().zip(done) {
                // Nobody may listen any more: it is written all the same.
                let _ = reply.send(done);
            }
        }
    }

    /// Writes a group as one, or one by one if a single write of it is refused.
    async fn write_group(&mut self, writes: &[Write]) -> Vec<Result<(), StoreError>> {
        let done = self.try_group(writes).await;
        if matches!(done, Err(Failure::Refused(_))) && writes.len() > 1 {
            let mut each = Vec::with_capacity(writes.len());
            for write in writes {
                each.push(self.try_group(std::slice::from_ref(write)).await);
            }
            return each.into_iter().map(|done| done.map_err(failed)).collect();
        }
        let failure = done.err().map(|failure| failed(failure).to_string());
        writes.iter().map(|_| failure.clone().map_or(Ok(()), |text| Err(StoreError::Failed(text)))).collect()
    }

    async fn try_group(&mut self, writes: &[Write]) -> Result<(), Failure> {
        self.number += 1;
        let mut pauses = PAUSES.iter();
        loop {
            let failure = match self.attempt(writes).await {
                Ok(()) => {
                    self.metrics.events.fetch_add(writes.len() as u64, Relaxed);
                    self.metrics.transactions.fetch_add(1, Relaxed);
                    if writes.iter().any(Write::needs_room) {
                        self.health.note(true);
                    }
                    return Ok(());
                }
                Err(failure) => failure,
            };
            self.link = None;
            self.metrics.failed_transactions.fetch_add(1, Relaxed);
            tracing::error!(error = %failure.error(), count = writes.len(), "a transaction failed");
            if !matches!(failure, Failure::Refused(_)) {
                self.health.note(false);
            }
            match (&failure, pauses.next()) {
                (Failure::Unclear(_), Some(pause)) => tokio::time::sleep(*pause).await,
                _ => return Err(failure),
            }
        }
    }

    /// One transaction, on a connection that has not failed yet.
    async fn attempt(&mut self, writes: &[Write]) -> Result<(), Failure> {
        let fence = self.fence.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut committing = false;
        let mut buried = matches!(fence, Fence::Closed);
        let transaction = async {
            let link = match &mut self.link {
                Some(link) => link,
                None => self.link.insert(Link::open(&self.database).await?),
            };
            if buried {
                return Ok(());
            }
            link.begin().await?;
            if let Fence::Instance(id) = &fence
                && !write::is_alive(link, id).await?
            {
                buried = true;
                return link.rollback().await;
            }
            if !write::claim(link, &self.id, self.number).await? {
                return link.rollback().await;
            }
            write::execute(link, writes).await?;
            committing = true;
            link.commit().await
        };
        let late = |_| sqlx::Error::Io(std::io::ErrorKind::TimedOut.into());
        let done = tokio::time::timeout(PATIENCE, transaction).await.map_err(late).flatten();
        if buried {
            return Err(Failure::Failed(sqlx::Error::Protocol("another server has taken over".into())));
        }
        done.map_err(|error| Failure::of(error, committing))
    }
}

fn failed(failure: Failure) -> StoreError {
    StoreError::Failed(failure.error().to_string())
}
