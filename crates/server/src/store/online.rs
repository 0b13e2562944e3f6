//! Which bots are connected to which server of a site.

use super::StoreError;
use super::site::{NOW, PATIENCE, Register};
use sqlx::{AssertSqlSafe, Row};
use std::sync::Arc;

/// A bot that is connected to a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OnlineBot {
    pub(crate) bot: String,
    pub(crate) name: String,
    /// Changes with every new connection.
    pub(crate) latest: i64,
}

impl Register {
    /// Writes who has come to instance `own` and who has gone, and reads who is connected to the other servers that are
    /// alive. `fresh`: nothing was written for this instance before.
    pub(crate) async fn exchange_bots(
        &mut self,
        own: &str,
        fresh: bool,
        here: &[OnlineBot],
        gone: &[String],
    ) -> Result<Vec<(Arc<str>, OnlineBot)>, StoreError> {
        let elsewhere = format!(
            "SELECT o.instance, o.bot, o.name, o.latest FROM online_bots o JOIN instances i ON i.id = o.instance \
             WHERE o.instance <> $1 AND i.dead = 0 AND i.expires >= {NOW} ORDER BY o.instance, o.bot"
        );
        self.with(PATIENCE, async |connection| {
            if fresh {
                let forget = "DELETE FROM online_bots WHERE instance NOT IN (SELECT id FROM instances WHERE dead = 0)";
                sqlx::query(forget).execute(&mut *connection).await?;
            }
            for OnlineBot { bot, name, latest } in here {
                let come = "INSERT INTO online_bots (instance, bot, name, latest) VALUES ($1, $2, $3, $4) \
                            ON CONFLICT (instance, bot) DO UPDATE SET name = excluded.name, latest = excluded.latest";
                let come = sqlx::query(come).bind(own.to_string()).bind(bot.clone()).bind(name.clone());
                come.bind(*latest).execute(&mut *connection).await?;
            }
            for bot in gone {
                let go = "DELETE FROM online_bots WHERE instance = $1 AND bot = $2";
                sqlx::query(go).bind(own.to_string()).bind(bot.clone()).execute(&mut *connection).await?;
            }
            let read = sqlx::query(AssertSqlSafe(elsewhere)).bind(own.to_string());
            let rows = read.fetch_all(connection).await?;
            let bot = |row: &sqlx::any::AnyRow| -> Result<_, StoreError> {
                let (bot, name, latest) = (row.try_get("bot")?, row.try_get("name")?, row.try_get("latest")?);
                Ok((row.try_get::<&str, _>("instance")?.into(), OnlineBot { bot, name, latest }))
            };
            rows.iter().map(bot).collect()
        })
        .await
    }
}
