//! Bots: programs that play with a token.

use super::writer::Write;
use super::{Store, StoreError};

/// A registered bot.
#[derive(Clone, Debug)]
pub(crate) struct Bot {
    pub(crate) id: String,
    pub(crate) name: String,
    /// Hash of its token.
    pub(crate) token: String,
}

impl Store {
    /// Registers a bot.
    pub(crate) async fn add_bot(&self, bot: Bot, creator: String, at: i64) -> Result<(), StoreError> {
        self.writer.write(Write::Bot { bot, creator, at }).await
    }

    /// Has another client a bot of this name, in whatever case?
    pub(crate) async fn bot_name_taken(&self, name: &str, creator: &str) -> Result<bool, StoreError> {
        let taken = "SELECT 1 FROM bots WHERE LOWER(name) = LOWER($1) AND creator <> $2 LIMIT 1";
        let found = sqlx::query(taken).bind(name).bind(creator).fetch_optional(&self.pool).await?;
        Ok(found.is_some())
    }

    /// Remembers that a bot has connected: it does not expire.
    pub(crate) async fn see_bot(&self, bot: &str, at: i64) -> Result<(), StoreError> {
        self.writer.write(Write::Seen { bot: bot.into(), at }).await
    }

    /// The bot of this id.
    pub(crate) async fn bot(&self, id: &str) -> Result<Option<Bot>, StoreError> {
        let row: Option<(String, String, String)> =
            sqlx::query_as("SELECT id, name, token FROM bots WHERE id = $1")
                .bind(id)
                .fetch_optional(&self.pool)
                .await?;
        Ok(row.map(|(id, name, token)| Bot { id, name, token }))
    }
}
