//! What can be written, and the statements that do it.

use super::link::Link;
use super::{Arena, Bot, Expiring, Header, Lease};
use api::puzzle::Progress;
use play::Event;
use sqlx::{AssertSqlSafe, query};
use std::sync::Arc;

/// A change of a game's header.
#[derive(Clone, Debug)]
pub(crate) enum Finish {
    /// It ended.
    Over { result: String, reason: String },
    /// It goes on again: the last move was taken back.
    Reopened,
}

/// Something to be written.
#[derive(Debug)]
pub(crate) enum Write {
    /// With whose game it is, where several servers share the database.
    Create(Box<Header>, Option<Lease>),
    Append {
        game: Arc<str>,
        event: Event,
        finish: Option<Finish>,
    },
    Bot {
        bot: Bot,
        creator: String,
        at: i64,
    },
    Study {
        id: String,
        secret: String,
        body: String,
        version: i64,
        creator: String,
        at: i64,
    },
    Progress {
        owner: String,
        game: String,
        puzzle: String,
        more: Progress,
        creator: String,
        at: i64,
    },
    Heartbeat {
        at: i64,
    },
    /// A bot has connected.
    Seen {
        bot: String,
        at: i64,
    },
    /// A bot joins or leaves a ladder.
    Ladder {
        bot: String,
        ladder: String,
        playing: bool,
        at: i64,
    },
    Arena {
        arena: Box<Arena>,
        creator: String,
        at: i64,
    },
    /// Another invitation to an arena; the old one ends.
    Invitation {
        arena: String,
        invitation: String,
    },
    CloseArena {
        arena: String,
    },
    /// Something has expired: nobody has touched it since `before`.
    Delete {
        what: Expiring,
        id: String,
        before: i64,
    },
    /// A game is nobody's, unless it was claimed again.
    Release {
        game: Arc<str>,
        lease: Lease,
    },
    /// Inserts and deletes a row that needs disk space: see `health`.
    TakeRoom {
        body: String,
    },
    GiveRoom,
}

impl Write {
    /// Does it need disk space? Others may succeed when the disk is full.
    pub(super) fn needs_room(&self) -> bool {
        use Write::{Delete, GiveRoom, Heartbeat, Release, Seen};
        !matches!(self, Heartbeat { .. } | Seen { .. } | Delete { .. } | Release { .. } | GiveRoom)
    }
}

/// Is the instance not dead? It cannot be buried before the transaction ends.
pub(super) async fn is_alive(link: &mut Link, instance: &str) -> Result<bool, sqlx::Error> {
    let held = query("SELECT 1 FROM instances WHERE id = $1 AND dead = 0 FOR KEY SHARE");
    Ok(link.run(held.bind(instance.to_string())).await? > 0)
}

/// Begins a group: false if it is on disk already.
pub(super) async fn claim(link: &mut Link, writer: &str, number: i64) -> Result<bool, sqlx::Error> {
    let claim = query(
        "INSERT INTO writers (id, number, at) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET \
         number = excluded.number, at = excluded.at WHERE excluded.number > writers.number",
    );
    let changed = link.run(claim.bind(writer.to_string()).bind(number).bind(crate::time::now_ms())).await?;
    Ok(changed > 0)
}

/// Writes a group; all its events go in one statement.
pub(super) async fn execute(link: &mut Link, writes: &[Write]) -> Result<(), sqlx::Error> {
    let mut events = Vec::with_capacity(writes.len());
    for write in writes {
        match write {
            Write::Append { game, event, finish } => {
                if let Some(finish) = finish {
                    finish_game(link, game, finish).await?;
                }
                events.push((game, event));
            }
            Write::Create(header, lease) => {
                link.run(header.insert()?).await?;
                if let Some(Lease { owner, epoch }) = lease {
                    let insert = query("INSERT INTO leases (game_id, owner, epoch) VALUES ($1, $2, $3)");
                    link.run(insert.bind(header.id.clone()).bind(owner.to_string()).bind(*epoch)).await?;
                }
            }
            Write::Release { game, lease } => {
                let release = query("DELETE FROM leases WHERE game_id = $1 AND owner = $2 AND epoch = $3");
                link.run(release.bind(game.to_string()).bind(lease.owner.to_string()).bind(lease.epoch))
                    .await?;
            }
            Write::Bot { bot, creator, at } => {
                let insert = query(
                    "INSERT INTO bots (id, name, token, creator, created, seen) VALUES ($1, $2, $3, $4, $5, $6)",
                );
                let insert = insert.bind(bot.id.clone()).bind(bot.name.clone()).bind(bot.token.clone());
                link.run(insert.bind(creator.clone()).bind(*at).bind(*at)).await?;
            }
            Write::Study { id, secret, body, version, creator, at } => {
                // Only the holder of its secret changes a study, whatever the caller has checked.
                let save = query(
                    "INSERT INTO studies (id, secret, body, size, version, creator, changed) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO UPDATE SET body = excluded.body, \
                     size = excluded.size, version = excluded.version, changed = excluded.changed \
                     WHERE excluded.version > studies.version AND excluded.secret = studies.secret",
                );
                let save =
                    save.bind(id.clone()).bind(secret.clone()).bind(body.clone()).bind(body.len() as i64);
                link.run(save.bind(*version).bind(creator.clone()).bind(*at)).await?;
            }
            Write::Progress { owner, game, puzzle, more, creator, at } => {
                let add = query(
                    "INSERT INTO puzzle_progress (owner, game, puzzle, solved, wrong, hints, creator, changed) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (owner, game, puzzle) DO UPDATE SET \
                     solved = puzzle_progress.solved + excluded.solved, \
                     wrong = puzzle_progress.wrong + excluded.wrong, \
                     hints = puzzle_progress.hints + excluded.hints, changed = excluded.changed",
                );
                let add = add.bind(owner.clone()).bind(game.clone()).bind(puzzle.clone()).bind(more.solved);
                link.run(add.bind(more.wrong).bind(more.hints).bind(creator.clone()).bind(*at)).await?;
            }
            Write::Heartbeat { at } => {
                let beat = "INSERT INTO heartbeat (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at";
                link.run(query(beat).bind(*at)).await?;
            }
            Write::Seen { bot, at } => {
                let seen = query("UPDATE bots SET seen = $1 WHERE id = $2");
                link.run(seen.bind(*at).bind(bot.clone())).await?;
            }
            Write::Ladder { bot, ladder, playing: true, at } => {
                let join = query(
                    "INSERT INTO ladder_bots (bot, game, joined) VALUES ($1, $2, $3) ON CONFLICT (bot, game) DO NOTHING",
                );
                link.run(join.bind(bot.clone()).bind(ladder.clone()).bind(*at)).await?;
            }
            Write::Ladder { bot, ladder, playing: false, .. } => {
                let leave = query("DELETE FROM ladder_bots WHERE bot = $1 AND game = $2");
                link.run(leave.bind(bot.clone()).bind(ladder.clone())).await?;
            }
            Write::Arena { arena, creator, at } => {
                let insert = query(
                    "INSERT INTO arenas (id, name, setup, initial_ms, increment_ms, owner_secret, invitation, \
                     creator, created) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                );
                let insert = insert.bind(arena.id.clone()).bind(arena.name.clone());
                let insert = insert.bind(super::json(&arena.setup)?).bind(arena.clock.initial_ms as i64);
                let insert = insert.bind(arena.clock.increment_ms as i64).bind(arena.owner_secret.clone());
                link.run(insert.bind(arena.invitation.clone()).bind(creator.clone()).bind(*at)).await?;
            }
            Write::Invitation { arena, invitation } => {
                let renew = query("UPDATE arenas SET invitation = $1 WHERE id = $2");
                link.run(renew.bind(invitation.clone()).bind(arena.clone())).await?;
            }
            Write::CloseArena { arena } => {
                link.run(query("DELETE FROM arenas WHERE id = $1").bind(arena.clone())).await?;
                leave_arena(link, arena).await?;
            }
            Write::Delete { what, id, before } => delete(link, *what, id, *before).await?,
            Write::TakeRoom { body } => {
                let take = "INSERT INTO probe (id, body) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET body = excluded.body";
                link.run(query(take).bind(body.clone())).await?;
            }
            Write::GiveRoom => drop(link.run(query("DELETE FROM probe")).await?),
        }
    }
    insert_events(link, &events).await
}

async fn finish_game(link: &mut Link, game: &str, finish: &Finish) -> Result<(), sqlx::Error> {
    let (live, result, reason) = match finish {
        Finish::Over { result, reason } => (0i64, Some(result.clone()), Some(reason.clone())),
        Finish::Reopened => (1, None, None),
    };
    let update = query("UPDATE games SET live = $1, result = $2, reason = $3 WHERE id = $4");
    link.run(update.bind(live).bind(result).bind(reason).bind(game.to_string())).await?;
    Ok(())
}

async fn delete(link: &mut Link, what: Expiring, id: &str, before: i64) -> Result<(), sqlx::Error> {
    let delete = query(AssertSqlSafe(what.delete()));
    link.run(delete.bind(before).bind(before).bind(id.to_string())).await?;
    if what == Expiring::Arena {
        leave_arena(link, id).await?;
    }
    if matches!(what, Expiring::Game | Expiring::FinishedGame) {
        let orphans =
            query("DELETE FROM events WHERE game_id = $1 AND NOT EXISTS (SELECT 1 FROM games WHERE id = $2)");
        link.run(orphans.bind(id.to_string()).bind(id.to_string())).await?;
    }
    Ok(())
}

/// Takes all bots off an arena that is there no more.
async fn leave_arena(link: &mut Link, arena: &str) -> Result<(), sqlx::Error> {
    let leave = query(
        "DELETE FROM ladder_bots WHERE game = $1 AND NOT EXISTS (SELECT 1 FROM arenas WHERE arenas.id = $2)",
    );
    link.run(leave.bind(arena.to_string()).bind(arena.to_string())).await.map(drop)
}

async fn insert_events(link: &mut Link, events: &[(&Arc<str>, &Event)]) -> Result<(), sqlx::Error> {
    if events.is_empty() {
        return Ok(());
    }
    let rows: Vec<String> = (0..events.len())
        .map(|row| {
            let columns: Vec<String> = (1..=6).map(|column| format!("${}", row * 6 + column)).collect();
            format!("({})", columns.join(","))
        })
        .collect();
    let sql =
        format!("INSERT INTO events (game_id, seq, at, first_ms, second_ms, what) VALUES {}", rows.join(","));
    // Only placeholders were put into the text.
    let mut insert = query(AssertSqlSafe(sql)).persistent(false);
    for (game, event) in events {
        insert = insert
            .bind(game.to_string())
            .bind(event.seq)
            .bind(event.at)
            .bind(event.left_ms.map(|left| left[0]))
            .bind(event.left_ms.map(|left| left[1]))
            .bind(super::json(&event.kind)?);
    }
    link.run(insert).await?;
    Ok(())
}
