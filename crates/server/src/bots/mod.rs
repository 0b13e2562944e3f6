//! Bots that are online: whom to tell that it is their turn.

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;

/// Messages that may wait for one connection; a bot that reads slower than this is told again when it moves.
const BACKLOG: usize = 256;

struct Connection {
    number: u64,
    sender: mpsc::Sender<Utf8Bytes>,
}

#[derive(Default)]
struct Online {
    next: u64,
    bots: HashMap<String, (String, Vec<Connection>)>,
}

/// All connections of all bots.
#[derive(Default)]
pub(crate) struct Registry {
    online: Mutex<Online>,
}

impl Registry {
    /// A bot has connected; it is online until the answer is dropped.
    pub(crate) fn connect(self: &Arc<Self>, bot: &str, name: &str) -> (Presence, mpsc::Receiver<Utf8Bytes>) {
        let (sender, receiver) = mpsc::channel(BACKLOG);
        let mut online = self.online.lock().unwrap_or_else(PoisonError::into_inner);
        online.next += 1;
        let number = online.next;
        let entry = online.bots.entry(bot.into()).or_insert_with(|| (name.into(), Vec::new()));
        entry.1.push(Connection { number, sender });
        (Presence { registry: self.clone(), bot: bot.into(), number }, receiver)
    }

    /// Is it connected?
    pub(crate) fn is_online(&self, bot: &str) -> bool {
        self.online.lock().unwrap_or_else(PoisonError::into_inner).bots.contains_key(bot)
    }

    /// Tells all connections of a bot.
    pub(crate) fn tell(&self, bot: &str, message: &impl Serialize) {
        let online = self.online.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, connections)) = online.bots.get(bot)
            && let Ok(text) = serde_json::to_string(message)
        {
            let text = Utf8Bytes::from(text);
            for connection in connections {
                let _ = connection.sender.try_send(text.clone());
            }
        }
    }

    /// Ids and names of the bots that are connected, by name.
    pub(crate) fn list(&self) -> Vec<(String, String)> {
        let online = self.online.lock().unwrap_or_else(PoisonError::into_inner);
        let mut list: Vec<_> = online.bots.iter().map(|(id, (name, _))| (id.clone(), name.clone())).collect();
        list.sort_by(|a, b| (&a.1, &a.0).cmp(&(&b.1, &b.0)));
        list
    }
}

/// One connection of a bot.
pub(crate) struct Presence {
    registry: Arc<Registry>,
    bot: String,
    number: u64,
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut online = self.registry.online.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, connections)) = online.bots.get_mut(&self.bot) {
            connections.retain(|connection| connection.number != self.number);
            if connections.is_empty() {
                online.bots.remove(&self.bot);
            }
        }
    }
}
