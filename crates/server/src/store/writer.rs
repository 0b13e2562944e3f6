//! The one place that writes: many acknowledged moves in one transaction.
//!
//! Whoever writes sends what is to be written and waits. The writer takes everything that has gathered
//! while it was busy with the last commit, writes it in one transaction, and only when that is on disk
//! tells all of them. Under load the cost of reaching the disk is shared; at rest nobody waits for company.

use super::{Header, Progress, StoreError};
use crate::metrics::Metrics;
use play::Event;
use sqlx::pool::PoolConnection;
use sqlx::{Acquire, Any, AnyPool, AssertSqlSafe, Transaction};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::{mpsc, oneshot};

/// At most so many writes share a transaction (SQLite's limit on parameters is far above).
const BATCH: usize = 512;

/// A change of a game's header.
#[derive(Clone, Debug)]
pub(crate) enum Finish {
    /// It ended.
    Over { result: String, reason: String },
    /// It goes on again: the last move was taken back.
    Reopened,
}

/// Something to be written.
#[derive(Debug)]
pub(crate) enum Write {
    Create(Box<Header>),
    Append { game: Arc<str>, event: Event, finish: Option<Finish> },
    Bot { id: String, name: String, token: String, at: i64 },
    Study { id: String, secret: String, body: String, version: i64, at: i64 },
    Progress { owner: String, game: String, puzzle: String, more: Progress, at: i64 },
    Heartbeat { at: i64 },
}

type Reply = oneshot::Sender<Result<(), StoreError>>;

/// A handle on the writer.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    queue: mpsc::Sender<(Write, Reply)>,
}

impl Writer {
    /// Starts the task that writes.
    pub(crate) fn start(pool: AnyPool, metrics: Arc<Metrics>) -> Writer {
        let (queue, mut waiting) = mpsc::channel::<(Write, Reply)>(4096);
        tokio::spawn(async move {
            let mut batch = Vec::with_capacity(BATCH);
            // A connection of its own: moves must not wait behind readers.
            let mut own = None;
            while waiting.recv_many(&mut batch, BATCH).await > 0 {
                let (writes, replies): (Vec<Write>, Vec<Reply>) = batch.drain(..).unzip();
                let count = writes.len() as u64;
                let done = commit(&pool, &mut own, writes).await;
                if done.is_err() {
                    own = None;
                }
                match &done {
                    Ok(()) => {
                        metrics.events.fetch_add(count, Relaxed);
                        metrics.transactions.fetch_add(1, Relaxed);
                    }
                    Err(error) => tracing::error!(%error, count, "a transaction failed"),
                }
                for reply in replies {
                    let answer = match &done {
                        Ok(()) => Ok(()),
                        Err(error) => Err(StoreError::Failed(error.to_string())),
                    };
                    // Nobody listens any more: it is written all the same.
                    let _ = reply.send(answer);
                }
            }
        });
        Writer { queue }
    }

    /// Writes, and returns when it is on disk.
    pub(super) async fn write(&self, write: Write) -> Result<(), StoreError> {
        let (reply, done) = oneshot::channel();
        self.queue.send((write, reply)).await.map_err(|_| StoreError::Stopped)?;
        done.await.map_err(|_| StoreError::Stopped)?
    }

    /// A new game.
    pub(crate) async fn create(&self, header: Header) -> Result<(), StoreError> {
        self.write(Write::Create(Box::new(header))).await
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

    /// The server is alive.
    pub(crate) async fn heartbeat(&self, at: i64) -> Result<(), StoreError> {
        self.write(Write::Heartbeat { at }).await
    }
}

async fn commit(
    pool: &AnyPool,
    own: &mut Option<PoolConnection<Any>>,
    writes: Vec<Write>,
) -> Result<(), StoreError> {
    let connection = match own {
        Some(connection) => connection,
        None => own.insert(pool.acquire().await?),
    };
    let mut transaction = connection.begin().await?;
    let mut events = Vec::with_capacity(writes.len());
    for write in writes {
        match write {
            Write::Append { game, event, finish } => {
                if let Some(finish) = finish {
                    let (live, result, reason) = match finish {
                        Finish::Over { result, reason } => (0i64, Some(result), Some(reason)),
                        Finish::Reopened => (1, None, None),
                    };
                    sqlx::query("UPDATE games SET live = $1, result = $2, reason = $3 WHERE id = $4")
                        .bind(live)
                        .bind(result)
                        .bind(reason)
                        .bind(game.to_string())
                        .execute(&mut *transaction)
                        .await?;
                }
                events.push((game, event));
            }
            Write::Create(header) => header.insert(&mut transaction).await?,
            Write::Bot { id, name, token, at } => {
                sqlx::query("INSERT INTO bots (id, name, token, created) VALUES ($1, $2, $3, $4)")
                    .bind(id)
                    .bind(name)
                    .bind(token)
                    .bind(at)
                    .execute(&mut *transaction)
                    .await?;
            }
            Write::Study { id, secret, body, version, at } => {
                sqlx::query(
                    "INSERT INTO studies (id, secret, body, version, changed) VALUES ($1, $2, $3, $4, $5) \
                     ON CONFLICT (id) DO UPDATE SET body = excluded.body, version = excluded.version, \
                     changed = excluded.changed WHERE excluded.version > studies.version",
                )
                .bind(id)
                .bind(secret)
                .bind(body)
                .bind(version)
                .bind(at)
                .execute(&mut *transaction)
                .await?;
            }
            Write::Progress { owner, game, puzzle, more, at } => {
                sqlx::query(
                    "INSERT INTO puzzle_progress (owner, game, puzzle, solved, wrong, hints, changed) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (owner, game, puzzle) DO UPDATE SET \
                     solved = puzzle_progress.solved + excluded.solved, \
                     wrong = puzzle_progress.wrong + excluded.wrong, \
                     hints = puzzle_progress.hints + excluded.hints, changed = excluded.changed",
                )
                .bind(owner)
                .bind(game)
                .bind(puzzle)
                .bind(more.solved)
                .bind(more.wrong)
                .bind(more.hints)
                .bind(at)
                .execute(&mut *transaction)
                .await?;
            }
            Write::Heartbeat { at } => {
                sqlx::query(
                    "INSERT INTO heartbeat (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at",
                )
                .bind(at)
                .execute(&mut *transaction)
                .await?;
            }
        }
    }
    insert_events(&mut transaction, &events).await?;
    transaction.commit().await?;
    Ok(())
}

/// All events in one statement.
async fn insert_events(
    transaction: &mut Transaction<'_, Any>,
    events: &[(Arc<str>, Event)],
) -> Result<(), StoreError> {
    if events.is_empty() {
        return Ok(());
    }
    let rows: Vec<String> = (0..events.len())
        .map(|row| {
            let columns: Vec<String> = (1..=6).map(|column| format!("${}", row * 6 + column)).collect();
            format!("({})", columns.join(","))
        })
        .collect();
    let sql =
        format!("INSERT INTO events (game_id, seq, at, first_ms, second_ms, what) VALUES {}", rows.join(","));
    // Only placeholders were put into the text.
    let mut query = sqlx::query(AssertSqlSafe(sql)).persistent(false);
    for (game, event) in events {
        let what = serde_json::to_string(&event.kind).map_err(|e| StoreError::Damaged(e.to_string()))?;
        query = query
            .bind(game.to_string())
            .bind(event.seq)
            .bind(event.at)
            .bind(event.left_ms.map(|left| left[0]))
            .bind(event.left_ms.map(|left| left[1]))
            .bind(what);
    }
    query.execute(&mut **transaction).await?;
    Ok(())
}
