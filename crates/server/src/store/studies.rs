//! Studies: analysis boards with their move tree and settings, kept for a browser under an unguessable id.

use super::writer::Write;
use super::{Store, StoreError};
use crate::security::secret;

/// A stored study.
#[derive(Clone, Debug)]
pub(crate) struct Study {
    /// Hash of the secret that may change it.
    secret: String,
    /// JSON, as the browser wrote it.
    pub(crate) body: String,
    pub(crate) version: i64,
    /// The client whose quota it uses.
    pub(crate) creator: String,
}

impl Study {
    /// May the holder of this secret change it?
    pub(crate) fn is_of(&self, given: &str) -> bool {
        secret::matches(given, &self.secret)
    }
}

/// What became of an attempt to store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Saved {
    /// It is on disk.
    Stored,
    /// A newer version was there already.
    Newer(i64),
}

impl Store {
    /// The study of this id.
    pub(crate) async fn study(&self, id: &str) -> Result<Option<Study>, StoreError> {
        let row: Option<(String, String, i64, String)> =
            sqlx::query_as("SELECT secret, body, version, creator FROM studies WHERE id = $1")
                .bind(id)
                .fetch_optional(&self.pool)
                .await?;
        Ok(row.map(|(secret, body, version, creator)| Study { secret, body, version, creator }))
    }

    /// Stores a study, unless a version at least as new is there.
    pub(crate) async fn save_study(
        &self,
        id: &str,
        secret: &str,
        body: String,
        version: i64,
        creator: String,
        at: i64,
    ) -> Result<Saved, StoreError> {
        let secret = secret::hash(secret);
        let write = Write::Study { id: id.into(), secret, body: body.clone(), version, creator, at };
        self.writer.write(write).await?;
        match self.study(id).await? {
            Some(study) if study.version > version || study.body != body => Ok(Saved::Newer(study.version)),
            _ => Ok(Saved::Stored),
        }
    }
}
