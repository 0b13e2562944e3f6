//! The open challenges of a site. Every server reads and changes the same rows, so a challenge outlives the server that it was
//! posted to.
//!
//! Whoever accepts names the game first and creates it then; the challenge has become a game as soon as that is there. If
//! nobody ever creates it, because its server died in between, the challenge is open again after [`CREATION`].

use super::site::NOW;
use super::{Store, StoreError, json};
use crate::lobby::{ALL, Challenge, Crowded, EACH, Fate, PATIENCE};
use game::Seat;
use serde::de::DeserializeOwned;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use std::time::Duration;

/// How long the creation of a game may take; its server is out of the site long before.
const CREATION: Duration = Duration::from_secs(15);
/// Asking is written down this often.
const NOTED: Duration = Duration::from_secs(5);

/// Selects those that somebody still asks about.
fn alive() -> String {
    format!("asked >= {NOW} - {}", PATIENCE.as_millis())
}

/// Selects those that nobody has taken, or nobody who could still create the game.
fn untaken() -> String {
    let creation = CREATION.as_millis();
    format!(
        "(game IS NULL OR (taken < {NOW} - {creation} AND NOT EXISTS \
         (SELECT 1 FROM games WHERE games.id = challenges.game)))"
    )
}

impl Store {
    /// Posts a challenge if there is room for it.
    pub(crate) async fn post_challenge(
        &self,
        challenge: &Challenge,
    ) -> Result<Result<(), Crowded>, StoreError> {
        let forget = format!("DELETE FROM challenges WHERE NOT ({})", alive());
        sqlx::query(AssertSqlSafe(forget)).execute(&self.pool).await?;
        let creator = challenge.creator.to_string();
        let (all, own): (i64, i64) =
            sqlx::query_as("SELECT COUNT(*), COUNT(CASE WHEN creator = $1 THEN 1 END) FROM challenges")
                .bind(&creator)
                .fetch_one(&self.pool)
                .await?;
        // Those who post at the same moment may exceed this by a few.
        if all >= ALL as i64 {
            return Ok(Err(Crowded::Everybody));
        }
        if own >= EACH as i64 {
            return Ok(Err(Crowded::Yours));
        }
        let insert = format!(
            "INSERT INTO challenges (id, setup, clock, seat, name, secret, creator, created, asked, taken, game) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, {NOW}, 0, NULL)"
        );
        sqlx::query(AssertSqlSafe(insert))
            .bind(&challenge.id)
            .bind(json(&challenge.setup)?)
            .bind(challenge.clock.as_ref().map(json).transpose()?)
            .bind(challenge.seat.as_ref().map(json).transpose()?)
            .bind(challenge.name.clone())
            .bind(&challenge.secret)
            .bind(creator)
            .bind(challenge.created)
            .execute(&self.pool)
            .await?;
        Ok(Ok(()))
    }

    /// Those that are open, the oldest first.
    pub(crate) async fn open_challenges(&self) -> Result<Vec<Challenge>, StoreError> {
        let sql = format!(
            "SELECT * FROM challenges WHERE {} AND {} ORDER BY created, id LIMIT {ALL}",
            alive(),
            untaken()
        );
        let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(&self.pool).await?;
        rows.iter().map(challenge_of).collect()
    }

    /// What became of it; `None` if there is no such challenge, or not with this secret. Asking keeps it open.
    pub(crate) async fn ask_challenge(
        &self,
        id: &str,
        is_own: impl FnOnce(&str) -> bool,
    ) -> Result<Option<Fate>, StoreError> {
        let sql = format!(
            "SELECT challenges.*, CASE WHEN {} THEN 1 ELSE 0 END AS untaken, \
             CASE WHEN EXISTS (SELECT 1 FROM games WHERE games.id = challenges.game) THEN 1 ELSE 0 END AS started \
             FROM challenges WHERE id = $1 AND {}",
            untaken(),
            alive()
        );
        let Some(row) = sqlx::query(AssertSqlSafe(sql)).bind(id).fetch_optional(&self.pool).await? else {
            return Ok(None);
        };
        let challenge = challenge_of(&row)?;
        if !is_own(&challenge.secret) {
            return Ok(None);
        }
        let note = format!(
            "UPDATE challenges SET asked = {NOW} WHERE id = $1 AND asked < {NOW} - {}",
            NOTED.as_millis()
        );
        sqlx::query(AssertSqlSafe(note)).bind(id).execute(&self.pool).await?;
        let game: Option<String> = row.try_get("game")?;
        Ok(Some(match game {
            Some(game) if row.try_get::<i32, _>("started")? != 0 => {
                let seat = challenge.seat_in(&game);
                Fate::Started(game, seat)
            }
            _ if row.try_get::<i32, _>("untaken")? != 0 => Fate::Open,
            _ => Fate::Starting,
        }))
    }

    /// Takes it back, unless somebody has taken it.
    pub(crate) async fn withdraw_challenge(
        &self,
        id: &str,
        is_own: impl FnOnce(&str) -> bool,
    ) -> Result<bool, StoreError> {
        let found: Option<(String,)> = sqlx::query_as("SELECT secret FROM challenges WHERE id = $1")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        if !found.is_some_and(|(secret,)| is_own(&secret)) {
            return Ok(false);
        }
        let sql = format!("DELETE FROM challenges WHERE id = $1 AND {} AND {}", alive(), untaken());
        let done = sqlx::query(AssertSqlSafe(sql)).bind(id).execute(&self.pool).await?;
        Ok(done.rows_affected() > 0)
    }

    /// Takes an open challenge for the game of this id, which is to be created then.
    pub(crate) async fn accept_challenge(
        &self,
        id: &str,
        game: &str,
    ) -> Result<Option<Challenge>, StoreError> {
        let sql = format!(
            "UPDATE challenges SET game = $2, taken = {NOW} WHERE id = $1 AND {} AND {}",
            alive(),
            untaken()
        );
        let taken = sqlx::query(AssertSqlSafe(sql)).bind(id).bind(game).execute(&self.pool).await?;
        if taken.rows_affected() == 0 {
            return Ok(None);
        }
        let ours = sqlx::query("SELECT * FROM challenges WHERE id = $1 AND game = $2").bind(id).bind(game);
        ours.fetch_optional(&self.pool).await?.map(|row| challenge_of(&row)).transpose()
    }

    /// No game came of it: it is open again, unless the game is there after all.
    pub(crate) async fn reopen_challenge(&self, id: &str, game: &str) -> Result<(), StoreError> {
        let sql = "UPDATE challenges SET game = NULL WHERE id = $1 AND game = $2 \
                   AND NOT EXISTS (SELECT 1 FROM games WHERE games.id = challenges.game)";
        sqlx::query(sql).bind(id).bind(game).execute(&self.pool).await?;
        Ok(())
    }
}

fn challenge_of(row: &AnyRow) -> Result<Challenge, StoreError> {
    let creator: String = row.try_get("creator")?;
    Ok(Challenge {
        id: row.try_get("id")?,
        setup: read(row.try_get("setup")?)?,
        clock: row.try_get::<Option<String>, _>("clock")?.map(read).transpose()?,
        seat: row.try_get::<Option<String>, _>("seat")?.map(read::<Seat>).transpose()?,
        name: row.try_get("name")?,
        secret: row.try_get("secret")?,
        creator: creator.parse().map_err(|_| StoreError::Damaged(format!("creator '{creator}'")))?,
        created: row.try_get("created")?,
    })
}

fn read<T: DeserializeOwned>(text: String) -> Result<T, StoreError> {
    serde_json::from_str(&text).map_err(|error| StoreError::Damaged(format!("challenge: {error}")))
}
