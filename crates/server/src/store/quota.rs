//! How much one client, and all together, may keep here.
//!
//! A client is the address that created a row (`creator`). Its own rows are counted when it creates another; the totals
//! are counted now and then and added to in between, so that they may be exceeded by a few.

use super::{Store, StoreError};
use sqlx::AssertSqlSafe;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Ceilings of what is kept.
#[derive(Clone, Copy, Debug)]
pub struct StorageQuota {
    /// Games: live ones of one client, all games in total.
    pub games: Share,
    /// Studies.
    pub studies: Share,
    /// Bytes of studies.
    pub study_bytes: Share,
    /// Bots.
    pub bots: Share,
    /// Private arenas.
    pub arenas: Share,
    /// Puzzles with progress, of all who keep any.
    pub progress: Share,
}

/// A ceiling for one client, and one for all.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// For one client.
    pub each: u64,
    /// For all together.
    pub all: u64,
}

impl StorageQuota {
    /// For a server that only its own machine can reach: one person may use everything.
    pub fn loopback() -> StorageQuota {
        let all = |all| Share { each: all, all };
        StorageQuota {
            games: all(1_000_000),
            studies: all(100_000),
            study_bytes: all(8 << 30),
            bots: all(10_000),
            arenas: all(1_000),
            progress: all(1_000_000),
        }
    }

    /// For a server on a network.
    pub fn public() -> StorageQuota {
        StorageQuota {
            games: Share { each: 100, all: 1_000_000 },
            studies: Share { each: 200, all: 100_000 },
            study_bytes: Share { each: 16 << 20, all: 4 << 30 },
            bots: Share { each: 20, all: 10_000 },
            arenas: Share { each: 5, all: 1_000 },
            progress: Share { each: 5_000, all: 1_000_000 },
        }
    }
}

/// Why nothing more can be kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum QuotaError {
    /// The client has reached its share.
    #[error("you keep as many {0} here as one may")]
    Client(&'static str),
    /// All clients together have.
    #[error("this server keeps as many {0} as it may")]
    Total(&'static str),
    /// It cannot be counted.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a client wants to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    Game,
    /// With its size in bytes.
    Study(u64),
    /// So many more bytes in a study that is there.
    Growth(u64),
    Bot,
    Arena,
    Progress,
}

/// Totals are counted this often.
const RECOUNT: Duration = Duration::from_secs(60);

/// Rows of all clients, and bytes of studies.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    games: u64,
    studies: u64,
    study_bytes: u64,
    bots: u64,
    arenas: u64,
    progress: u64,
}

#[derive(Debug, Default)]
pub(super) struct Usage {
    totals: Mutex<Option<(Instant, Totals)>>,
}

impl Store {
    /// Does the quota allow it? Counts it as kept.
    pub(crate) async fn make_room(
        &self,
        quota: &StorageQuota,
        creator: &str,
        kept: Kept,
    ) -> Result<(), QuotaError> {
        let (name, share, own) = match kept {
            Kept::Game => (
                "games",
                quota.games,
                "SELECT COUNT(*) AS n, 0 AS bytes FROM games WHERE creator = $1 AND live = 1",
            ),
            Kept::Study(_) | Kept::Growth(_) => (
                "studies",
                quota.studies,
                "SELECT COUNT(*) AS n, SUM(size) AS bytes FROM studies WHERE creator = $1",
            ),
            Kept::Bot => {
                ("bots", quota.bots, "SELECT COUNT(*) AS n, 0 AS bytes FROM bots WHERE creator = $1")
            }
            Kept::Arena => {
                ("arenas", quota.arenas, "SELECT COUNT(*) AS n, 0 AS bytes FROM arenas WHERE creator = $1")
            }
            Kept::Progress => (
                "puzzles",
                quota.progress,
                "SELECT COUNT(*) AS n, 0 AS bytes FROM puzzle_progress WHERE creator = $1",
            ),
        };
        let (rows, bytes) = match kept {
            Kept::Growth(bytes) => (0, bytes),
            Kept::Study(bytes) => (1, bytes),
            _ => (1, 0),
        };
        let (own_rows, own_bytes) = self.count(own, Some(creator)).await?;
        let over = |had: u64, more: u64, most: u64| more > 0 && had + more > most;
        if over(own_rows, rows, share.each) || over(own_bytes, bytes, quota.study_bytes.each) {
            return Err(QuotaError::Client(name));
        }
        self.recount().await?;
        let mut totals = self.usage.totals.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((_, totals)) = totals.as_mut() else { return Ok(()) };
        let total = match kept {
            Kept::Game => &mut totals.games,
            Kept::Study(_) | Kept::Growth(_) => &mut totals.studies,
            Kept::Bot => &mut totals.bots,
            Kept::Arena => &mut totals.arenas,
            Kept::Progress => &mut totals.progress,
        };
        if over(*total, rows, share.all) || over(totals.study_bytes, bytes, quota.study_bytes.all) {
            return Err(QuotaError::Total(name));
        }
        *total += rows;
        totals.study_bytes += bytes;
        Ok(())
    }

    /// Counts everything, unless that was done lately.
    async fn recount(&self) -> Result<(), StoreError> {
        let last = *self.usage.totals.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|(at, _)| at.elapsed() < RECOUNT) {
            return Ok(());
        }
        let (studies, study_bytes) =
            self.count("SELECT COUNT(*) AS n, SUM(size) AS bytes FROM studies", None).await?;
        let counted = Totals {
            games: self.count("SELECT COUNT(*) AS n, 0 AS bytes FROM games", None).await?.0,
            studies,
            study_bytes,
            bots: self.count("SELECT COUNT(*) AS n, 0 AS bytes FROM bots", None).await?.0,
            arenas: self.count("SELECT COUNT(*) AS n, 0 AS bytes FROM arenas", None).await?.0,
            progress: self.count("SELECT COUNT(*) AS n, 0 AS bytes FROM puzzle_progress", None).await?.0,
        };
        *self.usage.totals.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), counted));
        Ok(())
    }

    /// Rows and bytes.
    async fn count(&self, sql: &'static str, creator: Option<&str>) -> Result<(u64, u64), StoreError> {
        // A sum has another type than what is summed, and no value if there is nothing.
        let sql =
            format!("SELECT counted.n, CAST(COALESCE(counted.bytes, 0) AS BIGINT) FROM ({sql}) AS counted");
        let mut query = sqlx::query_as(AssertSqlSafe(sql));
        if let Some(creator) = creator {
            query = query.bind(creator.to_string());
        }
        let (rows, bytes): (i64, i64) = query.fetch_one(&self.pool).await?;
        Ok((rows.max(0) as u64, bytes.max(0) as u64))
    }
}
