//! What nobody has touched for long is deleted.

use super::writer::Write;
use super::{Store, StoreError};
use sqlx::AssertSqlSafe;
use std::fmt;

/// After how many days without a change something is deleted; 0: never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expiry {
    /// Games that were not finished.
    pub games: u32,
    /// Games that were.
    pub finished_games: u32,
    /// Studies, and progress with puzzles.
    pub studies: u32,
    /// Bots that play no game, and private arenas in which nothing is played.
    pub bots: u32,
}

impl Expiry {
    /// For a server that only its own machine can reach: nothing is ever deleted.
    pub fn loopback() -> Expiry {
        Expiry { games: 0, finished_games: 0, studies: 0, bots: 0 }
    }

    /// For a server on a network.
    pub fn public() -> Expiry {
        Expiry { games: 30, finished_games: 730, studies: 365, bots: 90 }
    }

    /// Changes one of them, given as `NAME=DAYS`.
    ///
    /// # Errors
    /// With what is accepted, if it is malformed.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        let wrong =
            || format!("'{text}' is not NAME=DAYS; accepted names: games, finished-games, studies, bots");
        let (name, days) = text.split_once('=').ok_or_else(wrong)?;
        let days = days.parse().map_err(|_| wrong())?;
        match name {
            "games" => self.games = days,
            "finished-games" => self.finished_games = days,
            "studies" => self.studies = days,
            "bots" => self.bots = days,
            _ => return Err(wrong()),
        }
        Ok(())
    }
}

/// As [`Expiry::set`] reads it, a line each.
impl fmt::Display for Expiry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Expiry { games, finished_games, studies, bots } = self;
        write!(f, "games={games}\nfinished-games={finished_games}\nstudies={studies}\nbots={bots}\n")
    }
}

/// Something that can expire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expiring {
    Game,
    FinishedGame,
    Study,
    Progress,
    Bot,
    Arena,
}

// A game that a living server of the site has in memory is left alone.
const ABANDONED: &str = "live = 1 AND created < $1 AND NOT EXISTS \
     (SELECT 1 FROM events WHERE events.game_id = games.id AND events.at >= $2) \
     AND NOT EXISTS (SELECT 1 FROM leases JOIN instances ON instances.id = leases.owner \
     WHERE leases.game_id = games.id AND instances.dead = 0)";
const FINISHED: &str = "live = 0 AND created < $1 AND NOT EXISTS \
     (SELECT 1 FROM events WHERE events.game_id = games.id AND events.at >= $2) \
     AND NOT EXISTS (SELECT 1 FROM leases JOIN instances ON instances.id = leases.owner \
     WHERE leases.game_id = games.id AND instances.dead = 0)";
const OLD: &str = "changed < $1 AND changed < $2";
const UNUSED: &str = "seen < $1 AND created < $2 AND NOT EXISTS \
     (SELECT 1 FROM games WHERE games.first_bot = bots.id OR games.second_bot = bots.id)";

const DESERTED: &str = "created < $1 AND NOT EXISTS \
     (SELECT 1 FROM games WHERE games.creator = 'ladder:' || arenas.id AND games.created >= $2)";

impl Expiring {
    pub(crate) const ALL: [Expiring; 6] = [
        Expiring::Game,
        Expiring::FinishedGame,
        Expiring::Study,
        Expiring::Progress,
        Expiring::Bot,
        Expiring::Arena,
    ];

    /// Its table, the column that names it, and when it has expired ($1 and $2 are the same moment).
    fn rule(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Expiring::Game => ("games", "id", ABANDONED),
            Expiring::FinishedGame => ("games", "id", FINISHED),
            Expiring::Study => ("studies", "id", OLD),
            Expiring::Progress => ("puzzle_progress", "owner", OLD),
            Expiring::Bot => ("bots", "id", UNUSED),
            Expiring::Arena => ("arenas", "id", DESERTED),
        }
    }

    /// The statements that delete it if it is still as old; parameters are the moment twice, then the id.
    pub(super) fn delete(self) -> String {
        let (table, id, old) = self.rule();
        format!("DELETE FROM {table} WHERE {old} AND {id} = $3")
    }

    /// What people call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Expiring::Game => "unfinished games",
            Expiring::FinishedGame => "finished games",
            Expiring::Study => "studies",
            Expiring::Progress => "puzzle progress",
            Expiring::Bot => "bots",
            Expiring::Arena => "arenas",
        }
    }

    /// How old it may become.
    pub(crate) fn days(self, expiry: &Expiry) -> u32 {
        match self {
            Expiring::Game => expiry.games,
            Expiring::FinishedGame => expiry.finished_games,
            Expiring::Study | Expiring::Progress => expiry.studies,
            Expiring::Bot | Expiring::Arena => expiry.bots,
        }
    }
}

impl Store {
    /// Ids of some that nobody has touched since `before`.
    pub(crate) async fn expired(&self, what: Expiring, before: i64) -> Result<Vec<String>, StoreError> {
        let (table, id, old) = what.rule();
        let sql = format!("SELECT DISTINCT {id} FROM {table} WHERE {old} LIMIT 100");
        let rows: Vec<(String,)> =
            sqlx::query_as(AssertSqlSafe(sql)).bind(before).bind(before).fetch_all(&self.pool).await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Deletes it, unless somebody has touched it meanwhile.
    pub(crate) async fn delete(&self, what: Expiring, id: &str, before: i64) -> Result<(), StoreError> {
        self.writer.write(Write::Delete { what, id: id.into(), before }).await
    }
}
