//! Bots that are online: whom to tell that it is their turn.

use crate::store::OnlineBot;
use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::{Notify, mpsc};

/// Messages that may wait for one connection; a bot that reads slower than this is told again when it moves.
const BACKLOG: usize = 256;

struct Connection {
    number: u64,
    sender: mpsc::Sender<Utf8Bytes>,
}

/// A bot that is connected to this server.
struct BotHere {
    name: String,
    /// The number of its latest connection.
    latest: u64,
    connections: Vec<Connection>,
}

#[derive(Default)]
struct Online {
    next: u64,
    bots: HashMap<String, BotHere>,
}

/// A bot that is connected to other servers of the site.
struct BotElsewhere {
    name: String,
    /// Its latest connection to each of them.
    servers: BTreeMap<Arc<str>, i64>,
}

/// A message to a bot on its way to other servers.
pub(crate) struct ToElsewhere {
    pub(crate) bot: String,
    pub(crate) text: Utf8Bytes,
    pub(crate) servers: Vec<Arc<str>>,
}

/// A bot has connected to another server, or is not connected there any more.
pub(crate) struct Arrival {
    pub(crate) bot: String,
    /// Has it connected?
    pub(crate) here_now: bool,
}

/// All connections of all bots.
#[derive(Default)]
pub(crate) struct Registry {
    online: Mutex<Online>,
    elsewhere: Mutex<HashMap<String, BotElsewhere>>,
    outbox: OnceLock<mpsc::Sender<ToElsewhere>>,
    /// Somebody has come or gone.
    pub(crate) changed: Notify,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Registry {
    /// A bot has connected; it is online until the answer is dropped.
    pub(crate) fn connect(self: &Arc<Self>, bot: &str, name: &str) -> (Presence, mpsc::Receiver<Utf8Bytes>) {
        let (sender, receiver) = mpsc::channel(BACKLOG);
        let mut online = lock(&self.online);
        online.next += 1;
        let number = online.next;
        let entry = online.bots.entry(bot.into()).or_insert_with(|| BotHere {
            name: name.into(),
            latest: number,
            connections: Vec::new(),
        });
        entry.latest = number;
        entry.connections.push(Connection { number, sender });
        drop(online);
        self.changed.notify_one();
        (Presence { registry: self.clone(), bot: bot.into(), number }, receiver)
    }

    /// Is it connected, here or to another server of the site?
    pub(crate) fn is_online(&self, bot: &str) -> bool {
        lock(&self.online).bots.contains_key(bot) || lock(&self.elsewhere).contains_key(bot)
    }

    /// Tells all connections of a bot, wherever they are.
    pub(crate) fn tell(&self, bot: &str, message: &impl Serialize) {
        let servers: Vec<Arc<str>> = match lock(&self.elsewhere).get(bot) {
            Some(there) => there.servers.keys().cloned().collect(),
            None => Vec::new(),
        };
        if servers.is_empty() && !lock(&self.online).bots.contains_key(bot) {
            return;
        }
        let Ok(text) = serde_json::to_string(message) else { return };
        let text = Utf8Bytes::from(text);
        if !servers.is_empty()
            && let Some(outbox) = self.outbox.get()
        {
            let _ = outbox.try_send(ToElsewhere { bot: bot.into(), text: text.clone(), servers });
        }
        self.tell_here(bot, text);
    }

    /// Tells the connections of a bot to this server.
    pub(crate) fn tell_here(&self, bot: &str, text: Utf8Bytes) {
        if let Some(here) = lock(&self.online).bots.get(bot) {
            for connection in &here.connections {
                let _ = connection.sender.try_send(text.clone());
            }
        }
    }

    /// Ids and names of the bots that are connected, by name.
    pub(crate) fn list(&self) -> Vec<(String, String)> {
        let mut all: HashMap<String, String> =
            lock(&self.elsewhere).iter().map(|(id, bot)| (id.clone(), bot.name.clone())).collect();
        all.extend(lock(&self.online).bots.iter().map(|(id, bot)| (id.clone(), bot.name.clone())));
        let mut list: Vec<(String, String)> = all.into_iter().collect();
        list.sort_by(|a, b| (&a.1, &a.0).cmp(&(&b.1, &b.0)));
        list
    }

    /// From now on bots elsewhere are told through `outbox`.
    pub(crate) fn reach_others(&self, outbox: mpsc::Sender<ToElsewhere>) {
        let _ = self.outbox.set(outbox);
    }

    /// The bots that are connected to this server.
    pub(crate) fn here(&self) -> Vec<OnlineBot> {
        let online = lock(&self.online);
        let bot = |(id, here): (&String, &BotHere)| OnlineBot {
            bot: id.clone(),
            name: here.name.clone(),
            latest: here.latest as i64,
        };
        online.bots.iter().map(bot).collect()
    }

    /// Makes it look to the other servers as if all bots had just connected: they are told again what waits for them.
    pub(crate) fn come_anew(&self) {
        let mut online = lock(&self.online);
        online.next += 1;
        let next = online.next;
        online.bots.values_mut().for_each(|bot| bot.latest = next);
        drop(online);
        self.changed.notify_one();
    }

    /// The bots that are connected to other servers; who has come and who has gone since it was last said.
    pub(crate) fn set_elsewhere(&self, bots: Vec<(Arc<str>, OnlineBot)>) -> Vec<Arrival> {
        let mut now: HashMap<String, BotElsewhere> = HashMap::new();
        for (server, OnlineBot { bot, name, latest }) in bots {
            let there = now.entry(bot).or_insert_with(|| BotElsewhere { name, servers: BTreeMap::new() });
            there.servers.insert(server, latest);
        }
        let mut elsewhere = lock(&self.elsewhere);
        let mut arrivals = Vec::new();
        for (bot, there) in &now {
            let before = elsewhere.get(bot).map(|before| &before.servers);
            let known = |(server, latest): (&Arc<str>, &i64)| {
                before.is_some_and(|before| before.get(server) == Some(latest))
            };
            if !there.servers.iter().all(known) {
                arrivals.push(Arrival { bot: bot.clone(), here_now: true });
            }
        }
        let gone = elsewhere.keys().filter(|bot| !now.contains_key(*bot));
        arrivals.extend(gone.map(|bot| Arrival { bot: bot.clone(), here_now: false }));
        *elsewhere = now;
        arrivals
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
        let mut online = lock(&self.registry.online);
        if let Some(bot) = online.bots.get_mut(&self.bot) {
            bot.connections.retain(|connection| connection.number != self.number);
            if bot.connections.is_empty() {
                online.bots.remove(&self.bot);
                self.registry.changed.notify_one();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(server: &str, bot: &str, latest: i64) -> (Arc<str>, OnlineBot) {
        (server.into(), OnlineBot { bot: bot.into(), name: format!("name of {bot}"), latest })
    }

    fn changes(registry: &Registry, bots: Vec<(Arc<str>, OnlineBot)>) -> Vec<(String, bool)> {
        let arrivals = registry.set_elsewhere(bots);
        arrivals.into_iter().map(|arrival| (arrival.bot, arrival.here_now)).collect()
    }

    #[test]
    fn new_connections_elsewhere_are_noticed_once() {
        let registry = Arc::new(Registry::default());
        assert!(changes(&registry, vec![]).is_empty());
        assert_eq!(changes(&registry, vec![on("a", "x", 1)]), [("x".into(), true)]);
        assert!(changes(&registry, vec![on("a", "x", 1)]).is_empty());
        assert_eq!(changes(&registry, vec![on("a", "x", 2)]), [("x".into(), true)], "it has come again");
        assert_eq!(changes(&registry, vec![on("a", "x", 2), on("b", "x", 1)]), [("x".into(), true)]);
        assert!(changes(&registry, vec![on("b", "x", 1)]).is_empty(), "it is still there");
        assert_eq!(changes(&registry, vec![]), [("x".into(), false)]);
    }

    #[test]
    fn a_bot_is_told_wherever_it_is_connected() {
        let registry = Arc::new(Registry::default());
        let (outbox, mut sent) = mpsc::channel(8);
        registry.reach_others(outbox);
        registry.tell("x", &"nobody hears this");
        let (presence, mut here) = registry.connect("x", "X");
        registry.set_elsewhere(vec![on("a", "x", 1), on("b", "y", 1)]);
        registry.tell("x", &1);
        registry.tell("y", &2);
        assert_eq!(here.try_recv().unwrap().as_str(), "1");
        assert!(here.try_recv().is_err());
        let first = sent.try_recv().unwrap();
        assert_eq!((first.bot.as_str(), first.text.as_str(), &*first.servers[0]), ("x", "1", "a"));
        assert_eq!(sent.try_recv().unwrap().bot, "y");
        assert!(sent.try_recv().is_err());
        let listed = registry.list();
        assert_eq!(listed, [("x".into(), "X".into()), ("y".into(), "name of y".into())], "each once");
        let latest = registry.here()[0].latest;
        registry.come_anew();
        assert!(registry.here()[0].latest > latest);
        drop(presence);
        assert!(registry.here().is_empty() && registry.is_online("x"), "elsewhere it is still there");
    }
}
