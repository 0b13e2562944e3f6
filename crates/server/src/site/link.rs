//! Messages between the servers of a site: signed requests and answers, and news.
//!
//! The workers of a fleet may use the same broker, so nothing is believed because it came from there: every message is
//! signed with a key that only the database has, together with where it goes, and a request is believed for half a
//! minute. What could be done twice is not asked twice (see [`AskError::Silent`]).

use crate::store::Who;
use api::Problem;
use async_nats::{Client, RequestErrorKind, Subscriber};
use axum::body::Bytes;
use axum::http::StatusCode;
use game::Seat;
use hmac::{Hmac, KeyInit, Mac};
use play::{Action, MoveOrder};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// How long the answer to a call may take that can be repeated, perhaps to another owner of the game.
const REPEATABLE_TIMEOUT: Duration = Duration::from_secs(1);
/// How long the answer to a call may take that cannot.
const ONCE_TIMEOUT: Duration = Duration::from_secs(5);
/// How far the clocks of two servers may differ, and how long a request may travel.
const FRESH_MS: i64 = 30_000;
/// Bytes of a signature.
const TAG_LEN: usize = 32;

/// A question to the owner of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum GameCall {
    Show {
        who: Option<Who>,
    },
    /// The game as it stands; from now on its news are published. `from` has players of these seats connected.
    Join {
        who: Option<Who>,
        from: String,
        seats: [bool; 2],
    },
    /// The same without the game, again and again as long as somebody listens.
    Attend {
        from: String,
        seats: [bool; 2],
    },
    Move {
        seat: Seat,
        order: MoveOrder,
        with_view: bool,
    },
    Act {
        seat: Option<Seat>,
        action: Action,
    },
    Wake,
    Look,
}

impl GameCall {
    /// May it be asked again if nobody knows whether it was done?
    pub(crate) fn may_repeat(&self) -> bool {
        !matches!(self, GameCall::Act { .. })
    }
}

/// A question as it is sent.
#[derive(Serialize, Deserialize)]
pub(super) struct SentCall {
    /// Milliseconds since 1970.
    at: i64,
    pub(super) game: String,
    pub(super) ask: GameCall,
}

/// An answer as it is sent.
#[derive(Serialize, Deserialize)]
pub(super) enum CallReply {
    Done(Box<RawValue>),
    Refused(Refused),
    /// The game is not here: nothing was done.
    NotMine,
}

/// A problem as it is sent.
#[derive(Serialize, Deserialize)]
pub(super) struct Refused {
    status: u16,
    code: String,
    detail: String,
    params: Map<String, Value>,
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Refused {
        let Problem { status, code, detail, params } = problem;
        Refused { status: status.as_u16(), code: code.into_owned(), detail, params }
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Problem {
        let Refused { status, code, detail, params } = refused;
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Problem { status, code: code.into(), detail, params }
    }
}

/// A game's news on its way to the servers that have listeners.
#[derive(Serialize, Deserialize)]
pub(super) struct News {
    /// The task that runs the game, and how many news it has told with this one; none for what may get lost.
    pub(super) task: u64,
    pub(super) number: Option<u64>,
    pub(super) players_only: bool,
    pub(super) text: String,
}

/// What a game says to a bot, on its way to a server that the bot is connected to.
#[derive(Serialize, Deserialize)]
struct ForBot {
    /// Milliseconds since 1970.
    at: i64,
    bot: String,
    text: String,
}

/// Why a question has no answer.
#[derive(Debug)]
pub(crate) enum AskError {
    /// The owner says no.
    Refused(Problem),
    /// Nothing was done: the game is not there, or nobody is.
    NotThere,
    /// It may have been done or not.
    Silent,
}

/// The connection to the others.
pub(super) struct Link {
    client: Client,
    key: Vec<u8>,
    /// Of this site on the broker.
    prefix: String,
}

impl Link {
    pub(super) fn new(client: Client, key: &str) -> Link {
        let name = Sha256::digest(format!("site {key}").as_bytes());
        let name: String = name.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Link { client, key: key.as_bytes().to_vec(), prefix: format!("tengen.site.{name}") }
    }

    fn tag(&self, place: &str, body: &[u8]) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).ok()?;
        mac.update(&(place.len() as u64).to_be_bytes());
        mac.update(place.as_bytes());
        mac.update(body);
        Some(mac)
    }

    /// A message to `place`, signed.
    fn seal(&self, place: &str, message: &impl Serialize) -> Option<Bytes> {
        let body = serde_json::to_vec(message).ok()?;
        let mut sealed = self.tag(place, &body)?.finalize().into_bytes().to_vec();
        sealed.extend(body);
        Some(sealed.into())
    }

    /// A message that one of this site sent to `place`; `None` for anything else.
    fn open<T: DeserializeOwned>(&self, place: &str, sealed: &[u8]) -> Option<T> {
        let (tag, body) = sealed.split_at_checked(TAG_LEN)?;
        self.tag(place, body)?.verify_slice(tag).ok()?;
        serde_json::from_slice(body).ok()
    }

    fn inbox_of(&self, instance: &str) -> String {
        format!("{}.to.{instance}", self.prefix)
    }

    fn news_of(&self, game: &str) -> String {
        format!("{}.news.{game}", self.prefix)
    }

    pub(super) async fn ask<T: DeserializeOwned>(
        &self,
        owner: &str,
        game: &str,
        ask: &GameCall,
    ) -> Result<T, AskError> {
        let place = self.inbox_of(owner);
        let request = SentCall { at: crate::time::now_ms(), game: game.into(), ask: ask.clone() };
        let sealed = self.seal(&place, &request).ok_or(AskError::NotThere)?;
        // The answer is bound to the question by its signature.
        let back = answer_place(&sealed);
        let patience = if ask.may_repeat() { REPEATABLE_TIMEOUT } else { ONCE_TIMEOUT };
        let request = async_nats::Request::new().payload(sealed).timeout(Some(patience));
        let answer = self.client.send_request(place, request).await.map_err(|error| match error.kind() {
            RequestErrorKind::NoResponders | RequestErrorKind::InvalidSubject => AskError::NotThere,
            _ => AskError::Silent,
        })?;
        match self.open(&back, &answer.payload).ok_or(AskError::Silent)? {
            CallReply::Done(value) => serde_json::from_str(value.get()).map_err(|error| {
                tracing::error!(%error, "another server answers in words this one does not know");
                AskError::Silent
            }),
            CallReply::Refused(refused) => Err(AskError::Refused(refused.into())),
            CallReply::NotMine => Err(AskError::NotThere),
        }
    }

    /// Questions to this instance.
    pub(super) async fn requests(&self, instance: &str) -> Option<Subscriber> {
        self.client.subscribe(self.inbox_of(instance)).await.ok()
    }

    /// A question, if it is one of ours and fresh.
    pub(super) fn read(&self, instance: &str, sealed: &[u8]) -> Option<SentCall> {
        let request: SentCall = self.open(&self.inbox_of(instance), sealed)?;
        is_fresh(request.at).then_some(request)
    }

    /// Answers a question.
    pub(super) async fn answer(&self, message: &async_nats::Message, answer: &CallReply) {
        if let Some(reply) = &message.reply
            && let Some(sealed) = self.seal(&answer_place(&message.payload), answer)
        {
            let _ = self.client.publish(reply.clone(), sealed).await;
        }
    }

    /// News of a game that runs elsewhere.
    pub(super) async fn listen(&self, game: &str) -> Option<Subscriber> {
        self.client.subscribe(self.news_of(game)).await.ok()
    }

    pub(super) async fn publish(&self, game: &str, news: &News) {
        let place = self.news_of(game);
        if let Some(sealed) = self.seal(&place, news) {
            let _ = self.client.publish(place, sealed).await;
        }
    }

    fn bots_of(&self, instance: &str) -> String {
        format!("{}.bots.{instance}", self.prefix)
    }

    fn bots_changed(&self) -> String {
        format!("{}.bots-changed", self.prefix)
    }

    /// What is said to the bots of this instance, and that bots have come or gone anywhere.
    pub(super) async fn bot_news(&self, instance: &str) -> Option<(Subscriber, Subscriber)> {
        let messages = self.client.subscribe(self.bots_of(instance)).await.ok()?;
        let changes = self.client.subscribe(self.bots_changed()).await.ok()?;
        self.client.flush().await.ok()?;
        Some((messages, changes))
    }

    pub(super) async fn tell_bot(&self, instance: &str, bot: &str, text: &str) {
        let place = self.bots_of(instance);
        let message = ForBot { at: crate::time::now_ms(), bot: bot.into(), text: text.into() };
        if let Some(sealed) = self.seal(&place, &message) {
            let _ = self.client.publish(place, sealed).await;
        }
    }

    /// The bot and what is said to it, if it is one of ours and fresh.
    pub(super) fn for_bot(&self, instance: &str, sealed: &[u8]) -> Option<(String, String)> {
        let ForBot { at, bot, text } = self.open(&self.bots_of(instance), sealed)?;
        is_fresh(at).then_some((bot, text))
    }

    pub(super) async fn tell_bots_changed(&self) {
        let place = self.bots_changed();
        if let Some(sealed) = self.seal(&place, &crate::time::now_ms()) {
            let _ = self.client.publish(place, sealed).await;
        }
    }

    pub(super) fn is_bots_changed(&self, sealed: &[u8]) -> bool {
        self.open(&self.bots_changed(), sealed).is_some_and(is_fresh)
    }

    /// How often the broker was connected to.
    pub(super) fn connections(&self) -> u64 {
        self.client.statistics().connects.load(Relaxed)
    }

    pub(super) fn news(&self, game: &str, sealed: &[u8]) -> Option<News> {
        self.open(&self.news_of(game), sealed)
    }
}

/// Was it sent a moment ago?
fn is_fresh(at: i64) -> bool {
    let age = crate::time::now_ms() - at;
    let fresh = age.abs() <= FRESH_MS;
    if !fresh {
        tracing::warn!(age, "a message of another server is too old, or its clock is wrong");
    }
    fresh
}

/// Where the answer to a sealed question goes: its signature.
fn answer_place(sealed: &[u8]) -> String {
    sealed.iter().take(TAG_LEN).map(|byte| format!("{byte:02x}")).collect()
}
