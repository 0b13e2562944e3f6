//! Games: a header that never changes, and the events since.

use super::{Store, StoreError};
use crate::security::secret;
use api::{ClockRule, Player, Players, Setup, Visibility};
use game::Seat;
use play::Event;
use serde::{Deserialize, Serialize};
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, Row};

/// What is known of a game from its first moment.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) id: String,
    pub(crate) setup: Setup,
    pub(crate) players: Players,
    pub(crate) clock: Option<ClockRule>,
    /// Least time between two moves of engines, in milliseconds.
    pub(crate) pace_ms: i64,
    pub(crate) visibility: Visibility,
    /// Hashes of the secrets of the two seats and of the owner; empty where nobody holds one.
    pub(crate) secrets: [String; 3],
    pub(crate) created: i64,
    /// The client that created it, whose share of the engine pool its searches use.
    pub(crate) creator: String,
}

/// Who holds a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Who {
    Seat(Seat),
    Owner,
}

impl Header {
    /// Whose secret this is.
    pub(crate) fn who(&self, given: &str) -> Option<Who> {
        let [first, second, owner] = self.secrets.each_ref().map(|hash| secret::matches(given, hash));
        match (first, second, owner) {
            (true, _, _) => Some(Who::Seat(Seat::First)),
            (_, true, _) => Some(Who::Seat(Seat::Second)),
            (_, _, true) => Some(Who::Owner),
            _ => None,
        }
    }

    /// The statement that stores it.
    pub(super) fn insert(&self) -> Result<Query<'static, Any, AnyArguments>, sqlx::Error> {
        let bot = |player: &Player| match player {
            Player::Bot { bot, .. } => Some(bot.clone()),
            _ => None,
        };
        let [first, second, owner] = self.secrets.clone();
        let insert = sqlx::query(
            "INSERT INTO games (id, game, setup, players, initial_ms, increment_ms, pace_ms, visibility, \
             first_secret, second_secret, owner_secret, first_bot, second_bot, created, creator, live) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 1)",
        );
        Ok(insert
            .bind(self.id.clone())
            .bind(self.setup.game.clone())
            .bind(super::json(&self.setup)?)
            .bind(super::json(&self.players)?)
            .bind(self.clock.map(|clock| clock.initial_ms as i64))
            .bind(self.clock.map(|clock| clock.increment_ms as i64))
            .bind(self.pace_ms)
            .bind(self.visibility.word())
            .bind(first)
            .bind(second)
            .bind(owner)
            .bind(bot(&self.players.first))
            .bind(bot(&self.players.second))
            .bind(self.created)
            .bind(self.creator.clone()))
    }

    fn read(row: &AnyRow) -> Result<Header, StoreError> {
        let json = |error: serde_json::Error| StoreError::Damaged(error.to_string());
        let initial: Option<i64> = row.try_get("initial_ms")?;
        let increment: Option<i64> = row.try_get("increment_ms")?;
        let visibility: String = row.try_get("visibility")?;
        Ok(Header {
            id: row.try_get("id")?,
            setup: serde_json::from_str(row.try_get("setup")?).map_err(json)?,
            players: serde_json::from_str(row.try_get("players")?).map_err(json)?,
            clock: initial.map(|initial| ClockRule {
                initial_ms: initial.max(0) as u64,
                increment_ms: increment.unwrap_or(0).max(0) as u64,
            }),
            pace_ms: row.try_get("pace_ms")?,
            visibility: Visibility::read(&visibility)
                .ok_or_else(|| StoreError::Damaged(format!("visibility '{visibility}'")))?,
            secrets: [
                row.try_get("first_secret")?,
                row.try_get("second_secret")?,
                row.try_get("owner_secret")?,
            ],
            created: row.try_get("created")?,
            creator: row.try_get("creator")?,
        })
    }
}

/// A row of a list of games.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    pub(crate) id: String,
    pub(crate) setup: Setup,
    pub(crate) players: Players,
    pub(crate) created: i64,
    pub(crate) live: bool,
    pub(crate) result: Option<String>,
    pub(crate) reason: Option<String>,
}

/// By name: a later version may add columns while this one runs.
const HEADER: &str = "SELECT id, setup, players, initial_ms, increment_ms, pace_ms, visibility, first_secret, \
     second_secret, owner_secret, created, creator FROM games WHERE id = $1";

impl Store {
    /// What never changes in a game.
    pub(crate) async fn header(&self, id: &str) -> Result<Option<Header>, StoreError> {
        let found = sqlx::query(HEADER).bind(id).fetch_optional(&self.pool).await?;
        found.as_ref().map(Header::read).transpose()
    }

    /// A game's header and all its events.
    pub(crate) async fn game(&self, id: &str) -> Result<Option<(Header, Vec<Event>)>, StoreError> {
        let Some(header) = self.header(id).await? else { return Ok(None) };
        let rows = sqlx::query(
            "SELECT seq, at, first_ms, second_ms, what FROM events WHERE game_id = $1 ORDER BY seq",
        )
        .bind(id)
        .fetch_all(&self.pool)
        .await?;
        let events = rows.iter().map(read_event).collect::<Result<_, _>>()?;
        Ok(Some((header, events)))
    }

    /// Ids of live games that go on without anybody looking: those with a clock, or those with none and an engine. Those of
    /// other living servers are left out.
    pub(crate) async fn games_to_wake(&self, clock: bool) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as(if clock {
            "SELECT id FROM games WHERE live = 1 AND initial_ms IS NOT NULL AND NOT EXISTS \
             (SELECT 1 FROM leases l JOIN instances i ON i.id = l.owner WHERE l.game_id = games.id AND i.dead = 0) \
             ORDER BY created"
        } else {
            "SELECT id FROM games WHERE live = 1 AND initial_ms IS NULL AND players LIKE '%\"engine\"%' AND NOT EXISTS \
             (SELECT 1 FROM leases l JOIN instances i ON i.id = l.owner WHERE l.game_id = games.id AND i.dead = 0) \
             ORDER BY created"
        })
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// How many live games are played by engines only.
    pub(crate) async fn engine_games(&self) -> Result<usize, StoreError> {
        let (count,): (i64,) = sqlx::query_as(
            "SELECT COUNT(*) FROM games WHERE live = 1 AND first_secret = '' AND second_secret = '' \
             AND first_bot IS NULL AND second_bot IS NULL",
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// How many live games with an engine a client has created.
    pub(crate) async fn engine_games_of(&self, creator: &str) -> Result<usize, StoreError> {
        let (count,): (i64,) = sqlx::query_as(
            "SELECT COUNT(*) FROM games WHERE live = 1 AND creator = $1 AND players LIKE '%\"engine\"%'",
        )
        .bind(creator)
        .fetch_one(&self.pool)
        .await?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// Ids of live games in which a bot plays.
    pub(crate) async fn games_of_bot(&self, bot: &str) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as(
            "SELECT id FROM games WHERE live = 1 AND (first_bot = $1 OR second_bot = $2) ORDER BY created",
        )
        .bind(bot)
        .bind(bot)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Public games, the newest first.
    pub(crate) async fn public_games(&self, limit: i64) -> Result<Vec<Summary>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, setup, players, created, live, result, reason FROM games \
             WHERE visibility = 'public' ORDER BY created DESC, id LIMIT $1",
        )
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(Summary::read).collect()
    }
}

impl Summary {
    /// A row with the columns of a summary.
    pub(super) fn read(row: &AnyRow) -> Result<Summary, StoreError> {
        let json = |error: serde_json::Error| StoreError::Damaged(error.to_string());
        Ok(Summary {
            id: row.try_get("id")?,
            setup: serde_json::from_str(row.try_get("setup")?).map_err(json)?,
            players: serde_json::from_str(row.try_get("players")?).map_err(json)?,
            created: row.try_get("created")?,
            live: row.try_get::<i64, _>("live")? != 0,
            result: row.try_get("result")?,
            reason: row.try_get("reason")?,
        })
    }
}

fn read_event(row: &AnyRow) -> Result<Event, StoreError> {
    let first: Option<i64> = row.try_get("first_ms")?;
    let second: Option<i64> = row.try_get("second_ms")?;
    Ok(Event {
        seq: row.try_get("seq")?,
        at: row.try_get("at")?,
        left_ms: first.zip(second).map(|(first, second)| [first, second]),
        kind: serde_json::from_str(row.try_get("what")?)
            .map_err(|error| StoreError::Damaged(error.to_string()))?,
    })
}
