//! Progress with puzzles: counters under the hash of a secret that only the person's browser holds.

use super::writer::Write;
use super::{Store, StoreError};
use api::puzzle::{AllProgress, Progress};

impl Store {
    /// Everything an owner has done, by game and puzzle.
    pub(crate) async fn progress(&self, owner: &str) -> Result<AllProgress, StoreError> {
        let rows: Vec<(String, String, i64, i64, i64)> =
            sqlx::query_as("SELECT game, puzzle, solved, wrong, hints FROM puzzle_progress WHERE owner = $1")
                .bind(owner)
                .fetch_all(&self.pool)
                .await?;
        let row = |(game, puzzle, solved, wrong, hints)| ((game, puzzle), Progress { solved, wrong, hints });
        Ok(rows.into_iter().map(row).collect())
    }

    /// Has an owner done anything with this puzzle?
    pub(crate) async fn has_progress(
        &self,
        owner: &str,
        game: &str,
        puzzle: &str,
    ) -> Result<bool, StoreError> {
        let known = "SELECT 1 FROM puzzle_progress WHERE owner = $1 AND game = $2 AND puzzle = $3";
        let found = sqlx::query(known).bind(owner).bind(game).bind(puzzle).fetch_optional(&self.pool).await?;
        Ok(found.is_some())
    }

    /// Adds to it; returns when it is on disk.
    pub(crate) async fn add_progress(
        &self,
        owner: &str,
        game: &str,
        puzzle: &str,
        more: Progress,
        creator: String,
        at: i64,
    ) -> Result<(), StoreError> {
        let (owner, game, puzzle) = (owner.into(), game.into(), puzzle.into());
        self.writer.write(Write::Progress { owner, game, puzzle, more, creator, at }).await
    }
}
