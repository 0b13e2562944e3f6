//! The standing ladder: which bots are on it, and the games it has begun.

use super::writer::Write;
use super::{Store, StoreError, Summary};
use sqlx::Row;

/// The creator of the ladder's games, where other games have the address of a client.
pub(crate) const LADDER: &str = "ladder";

/// A bot on the ladder of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LadderBot {
    pub(crate) id: String,
    pub(crate) name: String,
}

/// A finished game of the ladder.
#[derive(Clone, Debug)]
pub(crate) struct LadderResult {
    pub(crate) first: String,
    pub(crate) second: String,
    /// The players, as JSON.
    pub(crate) players: String,
    /// `first`, `second`, `draw` or `none`.
    pub(crate) result: String,
    pub(crate) reason: String,
}

const SUMMARY: &str = "SELECT id, setup, players, created, live, result, reason FROM games";

impl Store {
    /// Puts a bot on the ladder of a game, or takes it off.
    pub(crate) async fn set_on_ladder(
        &self,
        bot: &str,
        game: &str,
        playing: bool,
        at: i64,
    ) -> Result<(), StoreError> {
        self.writer.write(Write::Ladder { bot: bot.into(), game: game.into(), playing, at }).await
    }

    /// The bots on the ladder of a game, those who joined first before others.
    pub(crate) async fn ladder_bots(&self, game: &str) -> Result<Vec<LadderBot>, StoreError> {
        let rows: Vec<(String, String)> = sqlx::query_as(
            "SELECT bots.id, bots.name FROM ladder_bots JOIN bots ON bots.id = ladder_bots.bot \
             WHERE ladder_bots.game = $1 ORDER BY ladder_bots.joined, bots.id",
        )
        .bind(game)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(|(id, name)| LadderBot { id, name }).collect())
    }

    /// How many games of a ladder have ended.
    pub(crate) async fn ladder_count(&self, game: &str) -> Result<i64, StoreError> {
        let count = "SELECT COUNT(*) FROM games WHERE creator = $1 AND game = $2 AND live = 0";
        let (count,): (i64,) = sqlx::query_as(count).bind(LADDER).bind(game).fetch_one(&self.pool).await?;
        Ok(count)
    }

    /// The last finished games of a ladder, the newest first.
    pub(crate) async fn ladder_results(
        &self,
        game: &str,
        limit: i64,
    ) -> Result<Vec<LadderResult>, StoreError> {
        let rows = sqlx::query(
            "SELECT first_bot, second_bot, players, result, reason FROM games \
             WHERE creator = $1 AND game = $2 AND live = 0 ORDER BY created DESC, id LIMIT $3",
        )
        .bind(LADDER)
        .bind(game)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                let text = |column: &str| -> Result<String, StoreError> {
                    Ok(row.try_get::<Option<String>, _>(column)?.unwrap_or_default())
                };
                Ok(LadderResult {
                    first: text("first_bot")?,
                    second: text("second_bot")?,
                    players: text("players")?,
                    result: text("result")?,
                    reason: text("reason")?,
                })
            })
            .collect()
    }

    /// Games of a ladder that are being played.
    pub(crate) async fn ladder_live(&self, game: &str) -> Result<Vec<Summary>, StoreError> {
        let sql = format!("{SUMMARY} WHERE creator = $1 AND game = $2 AND live = 1 ORDER BY created, id");
        let rows =
            sqlx::query(sqlx::AssertSqlSafe(sql)).bind(LADDER).bind(game).fetch_all(&self.pool).await?;
        rows.iter().map(Summary::read).collect()
    }

    /// Finished games of a ladder that began before a moment, the newest first.
    pub(crate) async fn ladder_archive(
        &self,
        game: &str,
        before: i64,
        limit: i64,
    ) -> Result<Vec<Summary>, StoreError> {
        let sql = format!(
            "{SUMMARY} WHERE creator = $1 AND game = $2 AND live = 0 AND created < $3 \
             ORDER BY created DESC, id LIMIT $4"
        );
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(LADDER)
            .bind(game)
            .bind(before)
            .bind(limit)
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(Summary::read).collect()
    }
}
