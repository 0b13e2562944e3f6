//! Games without a server: the page keeps what happened in a game, and has each change made and checked here.
//!
//! A game is the fold of its events ([`play::Session`]), so nothing is remembered between two requests.

use crate::router::{no_png, read};
use api::{
    Acknowledged, ClockBody, ClockRule, Done, GameBody, GameHeader, Host, Players, Presence, Presences,
    Problem, ReportBody,
};
use api::{Setup, View, Visibility};
use game::{EngineError, Seat, Watch};
use play::{Action, Event, EventKind, Moment, MoveOrder, Opponent, Ordered, Pending, Session, Termination};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;
use web_time::Instant;

/// A game as the page keeps it.
#[derive(Serialize, Deserialize)]
pub(crate) struct KeptGame {
    id: String,
    setup: Setup,
    players: Players,
    #[serde(default)]
    clock: Option<ClockRule>,
    /// Milliseconds since 1970.
    created: i64,
    #[serde(default)]
    events: Vec<KeptEvent>,
}

/// An event; its number is its place in the list.
#[derive(Serialize, Deserialize)]
struct KeptEvent {
    at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left_ms: Option<[i64; 2]>,
    #[serde(flatten)]
    kind: EventKind,
}

/// A request about a game.
#[derive(Deserialize)]
pub(crate) struct GameRequest {
    game: KeptGame,
    /// Milliseconds since 1970.
    now: i64,
    #[serde(flatten)]
    ask: TableCall,
}

/// What is asked.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
enum TableCall {
    /// The game as it is; a fallen flag falls.
    Show,
    Move {
        seat: Seat,
        order: MoveOrder,
    },
    Act {
        seat: Option<Seat>,
        action: Action,
    },
    /// The engine to move has failed.
    Forfeit {
        why: String,
    },
    Hint,
    Record {
        format: String,
    },
}

impl KeptGame {
    fn session(&self, host: &Host, now: i64, instant: Instant) -> Result<Session, Problem> {
        let game = host.game(&self.setup.game)?;
        let position = self.setup.position(game)?;
        let mut session = Session::new(game, position, self.clock.map(Into::into), self.created);
        let events: Vec<Event> = (0..)
            .zip(&self.events)
            .map(|(seq, event)| Event { seq, at: event.at, left_ms: event.left_ms, kind: event.kind.clone() })
            .collect();
        session.restore(&events, instant)?;
        let passed = u64::try_from(now - session.last_at()).unwrap_or(0);
        session.charge(Duration::from_millis(passed), instant);
        Ok(session)
    }

    fn body(&self, session: &Session, now: Instant) -> GameBody {
        let KeptGame { id, setup, players, clock, created, .. } = self;
        let visibility = Visibility::Private;
        let header = GameHeader { id, setup, players, visibility, clock: *clock, created: *created };
        let presence = Presences { first: Presence::Here, second: Presence::Here };
        GameBody::of(&header, session, presence, false, now)
    }
}

/// Checks a new game; the game with its defaults filled in, and as it is shown.
pub(crate) fn create(host: &Host, body: &[u8]) -> Result<Value, Problem> {
    let mut kept: KeptGame = read(body)?;
    let game = host.game(&kept.setup.game)?;
    let position = kept.setup.position(game)?;
    if position.outcome().is_some() {
        return Err(Problem::refused("game.over", "the game would be over before its first move"));
    }
    kept.clock.as_ref().map_or(Ok(()), ClockRule::check)?;
    kept.setup = Setup::of(game, &*position);
    let Players { first, second } = kept.players;
    kept.players = Players { first: first.checked(game, host)?, second: second.checked(game, host)? };
    kept.events.clear();
    let now = Instant::now();
    let shown = kept.body(&kept.session(host, kept.created, now)?, now);
    Ok(json!({ "kept": kept, "game": shown }))
}

/// Answers a request about a game: the events to keep, the game after them, and the answer itself.
pub(crate) fn ask(host: &Host, body: &[u8]) -> Result<Value, Problem> {
    let GameRequest { game: kept, now, ask } = read(body)?;
    let moment = Moment { instant: Instant::now(), unix_ms: now };
    let mut table = Table { session: kept.session(host, now, moment.instant)?, moment, events: Vec::new() };
    if let Some(timeout) = table.session.flag(moment) {
        table.happen(timeout);
    }
    let answer = match ask {
        TableCall::Show => Value::Null,
        TableCall::Move { seat, order } => table.play(seat, &order, kept.clock)?,
        TableCall::Act { seat, action } => {
            if matches!(action, Action::OfferRematch | Action::AcceptRematch | Action::DeclineRematch) {
                // The page begins another game instead: both players sit in front of it.
                return Err(Problem::refused("rematch.here", "start a new game with the same settings"));
            }
            let engine = |seat: Seat| kept.players.at(seat.other()).limits().is_some();
            let opponent = if seat.is_some_and(engine) { Opponent::Engine } else { Opponent::Person };
            let (pending, outcome) = table.session.act(seat, action, opponent, "", moment)?;
            pending.into_iter().for_each(|pending| table.happen(pending));
            json!(Done { outcome })
        }
        TableCall::Forfeit { why } => {
            let seat = table.session.position().turn();
            let end = EventKind::Forfeit { seat, termination: Termination::EngineFailed, why };
            let pending = table.session.prepare(end, moment)?;
            table.happen(pending);
            Value::Null
        }
        TableCall::Hint => {
            let session = &table.session;
            session.check_live()?;
            json!(api::hint(host, session.game(), session.position().boxed())?(&Watch::default())?)
        }
        TableCall::Record { format } => {
            let record = table.session.record([kept.players.first.name(), kept.players.second.name()]);
            let position = table.session.position();
            let file = api::files::record_file(table.session.game(), &record, position, &format, no_png)?;
            json!({ "kind": file.0, "text": String::from_utf8_lossy(&file.1) })
        }
    };
    let game = kept.body(&table.session, moment.instant);
    Ok(json!({ "events": table.events, "game": game, "answer": answer }))
}

/// A game while a request changes it.
struct Table {
    session: Session,
    moment: Moment,
    /// What happened, for the page to keep.
    events: Vec<KeptEvent>,
}

impl Table {
    fn happen(&mut self, pending: Pending) {
        let Event { at, left_ms, kind, .. } = self.session.commit(pending, self.moment.instant);
        self.events.push(KeptEvent { at, left_ms, kind });
    }

    fn play(&mut self, seat: Seat, order: &MoveOrder, rule: Option<ClockRule>) -> Result<Value, Problem> {
        let applied = match self.session.order(seat, order, self.moment)? {
            Ordered::Repeated => false,
            Ordered::Play(pending) => {
                self.happen(*pending);
                true
            }
        };
        let view = Some(Box::new(View::of(self.session.game(), self.session.position(), None)));
        let clock = ClockBody::of(&self.session, rule, self.moment.instant);
        Ok(json!(Acknowledged { ply: order.ply, applied, view, clock }))
    }
}

/// Lets the engine to move think: `send` gets its reports, then `thought` with its move, or `failed`.
pub(crate) fn think(host: &Host, body: &[u8], send: &mut dyn FnMut(Value)) {
    match decide(host, body, send) {
        Ok(text) => send(json!({ "type": "thought", "move": text })),
        Err(problem) => send(json!({ "type": "failed", "code": problem.code, "detail": problem.detail })),
    }
}

fn decide(host: &Host, body: &[u8], send: &mut dyn FnMut(Value)) -> Result<String, Problem> {
    let GameRequest { game: kept, now, .. } = read(body)?;
    let instant = Instant::now();
    let session = kept.session(host, now, instant)?;
    let nobody = || Problem::conflict("turn.other", "it is no engine's turn");
    let seat = session.turn().ok_or_else(nobody)?;
    let player = kept.players.at(seat);
    let (mut limits, options) = player.limits().ok_or_else(nobody)?;
    let api::Player::Engine { engine, .. } = player else { return Err(nobody()) };
    limits.memory_mb = limits.memory_mb.min(host.memory_mb);
    limits.clock = session.clocks().map(|clocks| clocks.for_engine(seat, instant));
    limits.seed = session.seed(&kept.id);
    let position = session.position();
    let found = host.engine(session.game(), engine)?.make(&options).and_then(|mut engine| {
        engine.think(position, &limits, &Watch::default(), &mut |report| {
            send(json!({ "type": "thinking", "seat": seat, "report": ReportBody::of(position, report) }));
        })
    });
    let decision = found.map_err(|error: EngineError| Problem::from(error))?;
    Ok(position.format_move(decision.mv))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host;

    fn asked(kept: &Value, more: Value) -> Result<Value, Problem> {
        let mut request = json!({ "game": kept, "now": 2_000 });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ask(&host(16), request.to_string().as_bytes())
    }

    #[test]
    fn a_game_against_an_engine_is_played_from_its_events() {
        let new = json!({ "id": "g", "created": 1_000, "setup": { "game": "gomoku" },
            "players": { "first": { "kind": "human" },
                "second": { "kind": "engine", "level": "easy", "time_ms": 20 } } });
        let made = create(&host(16), new.to_string().as_bytes()).unwrap();
        let mut kept = made["kept"].clone();
        let order = json!({ "ask": "move", "seat": "first", "order": { "ply": 0, "move": "h8" } });
        let moved = asked(&kept, order.clone()).unwrap();
        assert_eq!(moved["answer"]["applied"], true);
        let keep = |kept: &mut Value, answer: &Value| {
            let events = answer["events"].as_array().unwrap().clone();
            kept["events"].as_array_mut().unwrap().extend(events);
        };
        keep(&mut kept, &moved);
        assert_eq!(asked(&kept, order).unwrap()["answer"]["applied"], false, "a move sent again");
        let mut said = Vec::new();
        let turn = json!({ "game": kept, "now": 2_000, "ask": "show" });
        think(&host(16), turn.to_string().as_bytes(), &mut |message| said.push(message));
        let thought = said.pop().unwrap();
        assert_eq!(thought["type"], "thought", "{thought}");
        let reply =
            json!({ "ask": "move", "seat": "second", "order": { "ply": 1, "move": thought["move"] } });
        let moved = asked(&kept, reply).unwrap();
        keep(&mut kept, &moved);
        assert_eq!(moved["game"]["view"]["ply"], 2);
        let undo = json!({ "ask": "act", "seat": "first", "action": { "action": "undo" } });
        let undone = asked(&kept, undo).unwrap();
        assert_eq!(
            (&undone["answer"]["outcome"], &undone["game"]["view"]["ply"]),
            (&"done".into(), &0.into())
        );
        let resign = json!({ "ask": "act", "seat": "first", "action": { "action": "resign" } });
        assert_eq!(asked(&kept, resign).unwrap()["game"]["status"], "over");
        let file = asked(&kept, json!({ "ask": "record", "format": "sgf" })).unwrap();
        assert!(file["answer"]["text"].as_str().unwrap().starts_with("(;"));
    }

    #[test]
    fn what_is_not_possible_is_refused() {
        let new = json!({ "id": "g", "created": 0, "setup": { "game": "gomoku" },
            "players": { "first": { "kind": "human" }, "second": { "kind": "human" } } });
        let kept = create(&host(16), new.to_string().as_bytes()).unwrap()["kept"].clone();
        let other = json!({ "ask": "move", "seat": "second", "order": { "ply": 0, "move": "h8" } });
        assert_eq!(asked(&kept, other).unwrap_err().code, "turn.other");
        let off = json!({ "ask": "move", "seat": "first", "order": { "ply": 0, "move": "z99" } });
        assert!(asked(&kept, off).is_err());
        let draw = json!({ "ask": "act", "seat": "first", "action": { "action": "accept-draw" } });
        assert_eq!(asked(&kept, draw).unwrap_err().code, "offer.none");
    }
}
