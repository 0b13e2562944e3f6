//! Private arenas: ladders that only those with a key may see.

use super::writer::Write;
use super::{Store, StoreError};
use crate::security::secret;
use api::{ClockRule, Setup};
use sqlx::Row;

/// A private ladder.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) setup: Setup,
    pub(crate) clock: ClockRule,
    /// Hash of the key of whoever made it.
    pub(crate) owner_secret: String,
    /// Hash of the invitation, with which bots join.
    pub(crate) invitation: String,
}

impl Arena {
    /// Is this the key of whoever made it?
    pub(crate) fn is_owner(&self, given: &str) -> bool {
        secret::matches(given, &self.owner_secret)
    }

    /// May bots join with this, and people watch?
    pub(crate) fn admits(&self, given: &str) -> bool {
        // Both are compared, so that the time does not tell which one it is.
        self.is_owner(given) | secret::matches(given, &self.invitation)
    }
}

impl Store {
    /// Keeps a new arena.
    pub(crate) async fn add_arena(&self, arena: Arena, creator: String, at: i64) -> Result<(), StoreError> {
        self.writer.write(Write::Arena { arena: Box::new(arena), creator, at }).await
    }

    /// Replaces the invitation of an arena by another one.
    pub(crate) async fn invite_anew(&self, arena: &str, invitation: String) -> Result<(), StoreError> {
        self.writer.write(Write::Invitation { arena: arena.into(), invitation }).await
    }

    /// Ends an arena: its bots leave it. Its games stay until they expire, and nobody can see them.
    pub(crate) async fn close_arena(&self, arena: &str) -> Result<(), StoreError> {
        self.writer.write(Write::CloseArena { arena: arena.into() }).await
    }

    /// The arena of this id.
    pub(crate) async fn arena(&self, id: &str) -> Result<Option<Arena>, StoreError> {
        let found = sqlx::query(
            "SELECT id, name, setup, initial_ms, increment_ms, owner_secret, invitation FROM arenas WHERE id = $1",
        )
        .bind(id)
        .fetch_optional(&self.pool)
        .await?;
        let Some(row) = found else { return Ok(None) };
        let number = |column: &str| row.try_get::<i64, _>(column).map(|number| number.max(0) as u64);
        let setup: String = row.try_get("setup")?;
        Ok(Some(Arena {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            setup: serde_json::from_str(&setup).map_err(|error| StoreError::Damaged(error.to_string()))?,
            clock: ClockRule { initial_ms: number("initial_ms")?, increment_ms: number("increment_ms")? },
            owner_secret: row.try_get("owner_secret")?,
            invitation: row.try_get("invitation")?,
        }))
    }
}
