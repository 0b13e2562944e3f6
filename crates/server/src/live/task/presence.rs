//! Who is there. A client that holds a seat counts as long as its connection lives.

use super::{Task, TaskRequest};
use api::{Player, Presence, Presences};
use game::Seat;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// How long a player without a connection counts as away before they count as gone; reloading a page takes less.
const AWAY_LIMIT: Duration = Duration::from_secs(30);

/// Connections by seat.
#[derive(Default)]
pub(super) struct Connections {
    counts: [AtomicU32; 2],
}

/// One connection of a player, until it is dropped.
pub(crate) struct Attendance {
    connections: Arc<Connections>,
    seat: Seat,
    inbox: mpsc::Sender<TaskRequest>,
}

impl Drop for Attendance {
    fn drop(&mut self) {
        self.connections.counts[self.seat as usize].fetch_sub(1, SeqCst);
        // If the inbox is full, the task sees it when it next looks.
        let _ = self.inbox.try_send(TaskRequest::Look);
    }
}

/// Who was connected when, and what the clients were last told about it.
#[derive(Default)]
pub(super) struct Attending {
    connections: Arc<Connections>,
    last_here: [Option<Instant>; 2],
    told: Option<Presences>,
}

impl Attending {
    pub(super) fn attend(&self, seat: Seat, inbox: mpsc::Sender<TaskRequest>) -> Attendance {
        self.connections.counts[seat as usize].fetch_add(1, SeqCst);
        Attendance { connections: self.connections.clone(), seat, inbox }
    }

    /// When somebody who is away will have left.
    pub(super) fn changes(&self) -> Option<Instant> {
        let now = Instant::now();
        self.last_here.iter().flatten().map(|last| *last + AWAY_LIMIT).filter(|at| *at > now).min()
    }
}

impl Task {
    pub(super) fn presence(&self) -> Presences {
        Presences { first: self.presence_of(Seat::First), second: self.presence_of(Seat::Second) }
    }

    fn presence_of(&self, seat: Seat) -> Presence {
        match self.live.header.players.at(seat) {
            Player::Engine { .. } => Presence::Here,
            Player::Bot { bot, .. } if self.app.bots.is_online(bot) => Presence::Here,
            Player::Bot { .. } => Presence::Left,
            Player::Human { .. } if self.attending.connections.counts[seat as usize].load(SeqCst) > 0 => {
                Presence::Here
            }
            Player::Human { .. } => match self.attending.last_here[seat as usize] {
                Some(last) if last.elapsed() < AWAY_LIMIT => Presence::Away,
                Some(_) => Presence::Left,
                // Loaded from disk: who has moved or joined was here before.
                None if self.live.session.has_joined(seat) => Presence::Left,
                None if self.live.session.plies().len() > seat as usize => Presence::Left,
                None => Presence::Waiting,
            },
        }
    }

    /// Tells all clients if a player's presence has changed.
    pub(super) fn update_presence(&mut self) {
        for seat in [Seat::First, Seat::Second] {
            if self.attending.connections.counts[seat as usize].load(SeqCst) > 0 {
                self.attending.last_here[seat as usize] = Some(Instant::now());
            }
        }
        let presence = self.presence();
        if self.attending.told.replace(presence) != Some(presence) {
            self.tell(|_| super::GameMessage::Presence { presence });
        }
    }
}
