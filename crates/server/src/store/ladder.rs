//! Standing ladders: which bots are on one, and the games it has begun. The public ladder of a game and a private arena
//! differ in their name and in who may see them, nowhere here.

use super::writer::Write;
use super::{Store, StoreError, Summary};
use sqlx::{AssertSqlSafe, Row};

/// The creator of the games of public ladders, where other games have the address of a client.
const PUBLIC: &str = "ladder";
/// The same for a private arena, before its id.
const PRIVATE: &str = "ladder:";
/// Bots asked for in one query.
const AT_ONCE: usize = 200;

/// A ladder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LadderId {
    pub(crate) game: &'static str,
    /// The private arena that it is.
    pub(crate) arena: Option<String>,
}

impl LadderId {
    /// What bots on it are listed under.
    pub(crate) fn name(&self) -> &str {
        self.arena.as_deref().unwrap_or(self.game)
    }

    /// The creator of its games.
    pub(crate) fn creator(&self) -> String {
        self.arena.as_ref().map_or(PUBLIC.into(), |arena| format!("{PRIVATE}{arena}"))
    }
}

/// Has a ladder begun the games of this creator?
pub(crate) fn is_ladder(creator: &str) -> bool {
    creator == PUBLIC || arena_of(creator).is_some()
}

/// The arena that has begun the games of this creator.
pub(crate) fn arena_of(creator: &str) -> Option<&str> {
    creator.strip_prefix(PRIVATE)
}

/// A bot on a ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LadderBot {
    pub(crate) id: String,
    pub(crate) name: String,
}

/// A finished game of a ladder.
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
    /// Puts a bot on a ladder, or takes it off.
    pub(crate) async fn set_on_ladder(
        &self,
        bot: &str,
        ladder: &LadderId,
        playing: bool,
        at: i64,
    ) -> Result<(), StoreError> {
        self.writer.write(Write::Ladder { bot: bot.into(), ladder: ladder.name().into(), playing, at }).await
    }

    /// The bots on a ladder, those who joined first before others.
    pub(crate) async fn ladder_bots(&self, ladder: &LadderId) -> Result<Vec<LadderBot>, StoreError> {
        let rows: Vec<(String, String)> = sqlx::query_as(
            "SELECT bots.id, bots.name FROM ladder_bots JOIN bots ON bots.id = ladder_bots.bot \
             WHERE ladder_bots.game = $1 ORDER BY ladder_bots.joined, bots.id",
        )
        .bind(ladder.name())
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(|(id, name)| LadderBot { id, name }).collect())
    }

    /// Names of the ladders that any of these bots is on.
    pub(crate) async fn ladders_of(&self, bots: &[String]) -> Result<Vec<String>, StoreError> {
        let mut ladders = Vec::new();
        for some in bots.chunks(AT_ONCE) {
            let places: Vec<String> = (1..=some.len()).map(|number| format!("${number}")).collect();
            let sql = format!("SELECT DISTINCT game FROM ladder_bots WHERE bot IN ({})", places.join(","));
            // Only placeholders were put into the text.
            let mut query = sqlx::query_as(AssertSqlSafe(sql)).persistent(false);
            for bot in some {
                query = query.bind(bot);
            }
            let rows: Vec<(String,)> = query.fetch_all(&self.pool).await?;
            ladders.extend(rows.into_iter().map(|(ladder,)| ladder));
        }
        ladders.sort();
        ladders.dedup();
        Ok(ladders)
    }

    /// How many games of a ladder have ended.
    pub(crate) async fn ladder_count(&self, ladder: &LadderId) -> Result<i64, StoreError> {
        let count = "SELECT COUNT(*) FROM games WHERE creator = $1 AND game = $2 AND live = 0";
        let query = sqlx::query_as(count).bind(ladder.creator()).bind(ladder.game);
        let (count,): (i64,) = query.fetch_one(&self.pool).await?;
        Ok(count)
    }

    /// The last finished games of a ladder, the newest first.
    pub(crate) async fn ladder_results(
        &self,
        ladder: &LadderId,
        limit: i64,
    ) -> Result<Vec<LadderResult>, StoreError> {
        let rows = sqlx::query(
            "SELECT first_bot, second_bot, players, result, reason FROM games \
             WHERE creator = $1 AND game = $2 AND live = 0 ORDER BY created DESC, id LIMIT $3",
        )
        .bind(ladder.creator())
        .bind(ladder.game)
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
    pub(crate) async fn ladder_live(&self, ladder: &LadderId) -> Result<Vec<Summary>, StoreError> {
        let sql = format!("{SUMMARY} WHERE creator = $1 AND game = $2 AND live = 1 ORDER BY created, id");
        let query = sqlx::query(AssertSqlSafe(sql)).bind(ladder.creator()).bind(ladder.game);
        query.fetch_all(&self.pool).await?.iter().map(Summary::read).collect()
    }

    /// Finished games of a ladder that began before a moment, the newest first.
    pub(crate) async fn ladder_archive(
        &self,
        ladder: &LadderId,
        before: i64,
        limit: i64,
    ) -> Result<Vec<Summary>, StoreError> {
        let sql = format!(
            "{SUMMARY} WHERE creator = $1 AND game = $2 AND live = 0 AND created < $3 \
             ORDER BY created DESC, id LIMIT $4"
        );
        let query = sqlx::query(AssertSqlSafe(sql)).bind(ladder.creator()).bind(ladder.game);
        let rows = query.bind(before).bind(limit).fetch_all(&self.pool).await?;
        rows.iter().map(Summary::read).collect()
    }
}
