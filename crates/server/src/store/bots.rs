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
