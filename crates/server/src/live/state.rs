//! A game as the sum of its events. No I/O here: what is asked is checked, what happened is applied.

use super::ask::{Action, ClockBody, GameBody, MoveOrder, OfferBody};
use super::clock::Clocks;
use crate::problem::Problem;
use crate::shape::{MoveBody, Player, View, move_body, outcome_reason};
use crate::store::{Event, Finish, Header, StoreError, What};
use game::{Game, MoveNote, Position, Record, Seat, Side};
use serde::Serialize;
use std::sync::Arc;
use std::time::Instant;
use utoipa::ToSchema;

/// Comments a game can hold, and how long one may be.
const COMMENTS: usize = 500;
const COMMENT: usize = 1000;

/// A live (or finished) game.
pub(super) struct State {
    pub(super) header: Arc<Header>,
    game: &'static dyn Game,
    pub(super) position: Box<dyn Position>,
    moves: Vec<MoveBody>,
    /// When each move came, for the record.
    times: Vec<i64>,
    pub(super) takebacks: u32,
    pub(super) next_seq: i64,
    last_at: i64,
    pub(super) clocks: Option<Clocks>,
    pub(super) end: Option<End>,
    offer: Option<Offer>,
    comments: Vec<Comment>,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct End {
    winner: Option<(Seat, Side)>,
    pub(super) result: &'static str,
    pub(super) reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Offer {
    Draw(Seat),
    Undo(Seat),
}

/// A remark on a position of the game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Comment {
    ply: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    seat: Option<Seat>,
    text: String,
}

/// What a move order means.
pub(super) enum Checked {
    /// It is to be played: the move in the game's own spelling.
    Play(String),
    /// It has been played already.
    Repeated,
}

impl State {
    /// The game at its start.
    pub(super) fn new(header: Arc<Header>, game: &'static dyn Game) -> Result<State, Problem> {
        let position = header.setup.position(game)?;
        let clocks = header.clock.map(Clocks::new);
        let created = header.created;
        Ok(State {
            header,
            game,
            position,
            moves: Vec::new(),
            times: Vec::new(),
            takebacks: 0,
            next_seq: 0,
            last_at: created,
            clocks,
            end: None,
            offer: None,
            comments: Vec::new(),
        })
    }

    /// The game after what is on disk. `alive` is when the server last was: its clocks stand since.
    pub(super) fn restore(&mut self, events: &[Event], alive: Option<i64>) -> Result<(), StoreError> {
        for event in events {
            self.apply(event).map_err(|problem| {
                StoreError::Damaged(format!(
                    "game {} event {}: {}",
                    self.header.id, event.seq, problem.detail
                ))
            })?;
        }
        let ran = alive.map_or(0, |alive| alive - self.last_at);
        if let Some(clocks) = &mut self.clocks {
            clocks.charge(ran);
        }
        Ok(())
    }

    /// Applies an event that is on disk.
    pub(super) fn apply(&mut self, event: &Event) -> Result<(), Problem> {
        let now = Instant::now();
        match &event.what {
            What::Move { r#move } => {
                let mv = self.position.parse_move(r#move)?;
                let body = move_body(&*self.position, mv);
                self.position.play(mv)?;
                self.moves.push(body);
                self.times.push(event.at);
                self.offer = None;
                self.end = self.position.outcome().map(|outcome| match outcome.winner() {
                    Some(side) => self.won_by(self.seat_of(side), outcome_reason(&outcome)),
                    None => End { winner: None, result: "draw", reason: "draw".into() },
                });
            }
            What::Undo { plies } => {
                for _ in 0..*plies {
                    self.position.undo();
                    self.moves.pop();
                    self.times.pop();
                }
                self.takebacks += 1;
                self.offer = None;
                self.end = None;
            }
            What::OfferUndo { seat } => self.offer = Some(Offer::Undo(*seat)),
            What::OfferDraw { seat } => self.offer = Some(Offer::Draw(*seat)),
            What::DeclineUndo | What::DeclineDraw => self.offer = None,
            What::AcceptDraw => {
                self.end = Some(End { winner: None, result: "draw", reason: "agreement".into() });
            }
            What::Resign { seat } => self.end = Some(self.won_by(seat.other(), "resign".into())),
            What::Timeout { seat } => self.end = Some(self.won_by(seat.other(), "timeout".into())),
            What::Forfeit { seat, .. } => {
                self.end = Some(self.won_by(seat.other(), "engine-failed".into()));
            }
            What::Abort => self.end = Some(End { winner: None, result: "none", reason: "aborted".into() }),
            What::Comment { seat, ply, text } => {
                self.comments.push(Comment { ply: *ply, seat: *seat, text: text.clone() });
            }
        }
        let running = (self.end.is_none() && !self.moves.is_empty()).then(|| self.position.turn());
        if let (Some(clocks), Some(left)) = (&mut self.clocks, event.left_ms) {
            clocks.set(left, running, now);
        }
        self.next_seq = event.seq + 1;
        self.last_at = event.at;
        Ok(())
    }

    /// What both clocks will show if this happens now.
    pub(super) fn left_after(&self, what: &What, now: Instant) -> Option<[i64; 2]> {
        let clocks = self.clocks.as_ref()?;
        Some(match what {
            What::Move { .. } => clocks.after_move(self.position.turn(), now),
            _ => clocks.show(now),
        })
    }

    /// How the game's header changes if this happens: it ends, goes on again, or neither.
    pub(super) fn finish_after(&self, what: &What) -> Result<Option<Finish>, Problem> {
        let trial = Event { seq: self.next_seq, at: self.last_at, left_ms: None, what: what.clone() };
        if let What::Comment { .. } = what {
            return Ok(None);
        }
        let mut after = State {
            header: self.header.clone(),
            game: self.game,
            position: self.position.boxed(),
            moves: Vec::new(),
            times: Vec::new(),
            takebacks: 0,
            next_seq: 0,
            last_at: 0,
            clocks: None,
            end: self.end.clone(),
            offer: self.offer,
            comments: Vec::new(),
        };
        after.apply(&trial)?;
        Ok(match after.end {
            Some(end) if self.end.as_ref() != Some(&end) => {
                Some(Finish::Over { result: end.result.into(), reason: end.reason })
            }
            None if self.end.is_some() => Some(Finish::Reopened),
            _ => None,
        })
    }

    /// Is this move to be played?
    pub(super) fn check_move(&self, seat: Seat, order: &MoveOrder) -> Result<Checked, Problem> {
        let played = self.moves.len();
        if order.takebacks.is_some_and(|known| known != self.takebacks) {
            let detail = "moves were taken back since; look at the game again";
            return Err(Problem::conflict("move.stale", detail).with("takebacks", self.takebacks));
        }
        if order.text.len() > 40 {
            return Err(Problem::refused("move.syntax", "a move has at most 40 characters"));
        }
        let mv = self
            .position
            .parse_move(&order.text)
            .map_err(|error| Problem::from(error).with("ply", order.ply).with("move", order.text.as_str()))?;
        if order.ply < played {
            let same = self.position.history().get(order.ply) == Some(&mv);
            let there = self.moves.get(order.ply).map(|body| body.text.clone()).unwrap_or_default();
            return if same {
                Ok(Checked::Repeated)
            } else {
                let detail = format!("move {} is {there} already", order.ply);
                Err(Problem::conflict("move.late", detail).with("ply", order.ply).with("played", there))
            };
        }
        self.check_live()?;
        if order.ply > played {
            let detail = format!("the next move is number {played}, not {}", order.ply);
            return Err(Problem::conflict("move.early", detail).with("ply", played));
        }
        if self.position.turn() != seat {
            return Err(Problem::conflict("turn.other", "it is the other player's turn"));
        }
        self.position
            .legal(mv)
            .map_err(|error| Problem::from(error).with("ply", order.ply).with("move", order.text.as_str()))?;
        Ok(Checked::Play(self.position.format_move(mv)))
    }

    fn check_live(&self) -> Result<(), Problem> {
        match &self.end {
            None => Ok(()),
            Some(end) => {
                Err(Problem::conflict("game.over", "the game is over").with("reason", end.reason.as_str()))
            }
        }
    }

    /// What an action leads to, with the word that answers it.
    pub(super) fn check_action(
        &self,
        seat: Option<Seat>,
        action: Action,
    ) -> Result<(Option<What>, &'static str), Problem> {
        let player =
            || seat.ok_or_else(|| Problem::conflict("action.player-only", "only a player can do this"));
        let no_offer = || Problem::conflict("offer.none", "there is no such offer to answer");
        let with_engine = |seat: Seat| matches!(self.header.players.at(seat.other()), Player::Engine { .. });
        match action {
            Action::Comment { text, ply } => {
                let text = text.trim().to_string();
                if text.is_empty() || text.chars().count() > COMMENT || self.comments.len() >= COMMENTS {
                    let detail =
                        format!("a comment has 1 to {COMMENT} characters, a game {COMMENTS} of them");
                    return Err(Problem::refused("comment.refused", detail));
                }
                let ply = ply.unwrap_or(u32::MAX).min(self.moves.len() as u32);
                Ok((Some(What::Comment { seat, ply, text }), "done"))
            }
            Action::Undo => {
                let seat = player()?;
                let by_rules = self.end.is_none() || self.position.outcome().is_some();
                if !with_engine(seat) || !by_rules {
                    self.check_live()?;
                }
                let plies = self.plies_to_undo(seat)?;
                if with_engine(seat) {
                    Ok((Some(What::Undo { plies }), "done"))
                } else {
                    Ok((Some(What::OfferUndo { seat }), "offered"))
                }
            }
            other => {
                self.check_live()?;
                match other {
                    Action::Resign => Ok((Some(What::Resign { seat: player()? }), "done")),
                    Action::Abort if seat.is_none() || self.moves.len() < 3 => {
                        Ok((Some(What::Abort), "done"))
                    }
                    Action::Abort => Err(Problem::conflict(
                        "action.too-late",
                        "after the third move only the owner can abort",
                    )),
                    Action::OfferDraw => {
                        let seat = player()?;
                        match self.offer {
                            Some(Offer::Draw(by)) if by != seat => Ok((Some(What::AcceptDraw), "done")),
                            _ if with_engine(seat) => Ok((None, "declined")),
                            _ => Ok((Some(What::OfferDraw { seat }), "offered")),
                        }
                    }
                    Action::AcceptDraw | Action::DeclineDraw => {
                        let seat = player()?;
                        let accept = matches!(other, Action::AcceptDraw);
                        let what = if accept { What::AcceptDraw } else { What::DeclineDraw };
                        let open = self.offer == Some(Offer::Draw(seat.other()));
                        open.then_some((Some(what), "done")).ok_or_else(no_offer)
                    }
                    Action::AcceptUndo => match self.offer {
                        Some(Offer::Undo(by)) if by == player()?.other() => {
                            Ok((Some(What::Undo { plies: self.plies_to_undo(by)? }), "done"))
                        }
                        _ => Err(no_offer()),
                    },
                    _ => match self.offer {
                        Some(Offer::Undo(by)) if by == player()?.other() => {
                            Ok((Some(What::DeclineUndo), "done"))
                        }
                        _ => Err(no_offer()),
                    },
                }
            }
        }
    }

    /// How many moves go back until it is this player's turn before their last move.
    fn plies_to_undo(&self, seat: Seat) -> Result<u32, Problem> {
        let mut position = self.position.boxed();
        let mut plies = 0;
        while position.undo().is_some() {
            plies += 1;
            if position.turn() == seat {
                return Ok(plies);
            }
        }
        Err(Problem::conflict("undo.nothing", "there is no move of yours to take back"))
    }

    fn seat_of(&self, side: Side) -> Seat {
        if self.position.colour_of(Seat::First) == side { Seat::First } else { Seat::Second }
    }

    fn won_by(&self, seat: Seat, reason: String) -> End {
        let result = if seat == Seat::First { "first" } else { "second" };
        End { winner: Some((seat, self.position.colour_of(seat))), result, reason }
    }

    /// The player who is to move; `None` once it is over.
    pub(super) fn to_act(&self) -> Option<(Seat, &Player)> {
        let seat = self.position.turn();
        self.end.is_none().then(|| (seat, self.header.players.at(seat)))
    }

    pub(super) fn ply(&self) -> usize {
        self.moves.len()
    }

    pub(super) fn last_move(&self) -> Option<&MoveBody> {
        self.moves.last()
    }

    pub(super) fn move_texts(&self) -> Vec<&str> {
        self.moves.iter().map(|body| body.text.as_str()).collect()
    }

    pub(super) fn view(&self) -> View {
        View::of(self.game, &*self.position, Some(&self.moves))
    }

    pub(super) fn clock(&self) -> Option<ClockBody> {
        let clocks = self.clocks.as_ref()?;
        let [first_ms, second_ms] = clocks.show(Instant::now());
        let increment_ms = self.header.clock.map_or(0, |rule| rule.increment_ms);
        Some(ClockBody { first_ms, second_ms, increment_ms, running: clocks.running() })
    }

    pub(super) fn offer(&self) -> Option<OfferBody> {
        self.offer.map(|offer| match offer {
            Offer::Draw(seat) => OfferBody { seat, what: "draw" },
            Offer::Undo(seat) => OfferBody { seat, what: "undo" },
        })
    }

    /// The whole game.
    pub(super) fn body(&self) -> GameBody {
        GameBody {
            id: self.header.id.clone(),
            setup: self.header.setup.clone(),
            players: self.header.players.clone(),
            visibility: self.header.visibility,
            view: self.view(),
            clock: self.clock(),
            status: if self.end.is_some() { "over" } else { "live" },
            result: self.end.as_ref().map(|end| end.result),
            winner: self.end.as_ref().and_then(|end| end.winner).map(|(_, side)| side),
            reason: self.end.as_ref().map(|end| end.reason.clone()),
            takebacks: self.takebacks,
            offer: self.offer(),
            comments: self.comments.clone(),
            created: self.header.created,
        }
    }

    /// The game as it goes into files.
    pub(super) fn record(&self) -> Record {
        let result = match &self.end {
            None => "?".into(),
            Some(End { winner: Some((_, side)), reason, .. }) => {
                let letter = if *side == Side::Black { "B" } else { "W" };
                let how = match reason.as_str() {
                    "resign" => "Resign",
                    "timeout" => "Time",
                    "engine-failed" => "Forfeit",
                    _ => "",
                };
                format!("{letter}+{how}")
            }
            Some(End { result: "draw", .. }) => "0".into(),
            Some(_) => "Void".into(),
        };
        let mut before = self.header.created;
        let moves = self.position.history().iter().enumerate().map(|(ply, mv)| {
            let at = self.times.get(ply).copied().unwrap_or(before);
            let seconds = (at - before).max(0) as f64 / 1000.0;
            before = at;
            let after = ply as u32 + 1;
            let remarks: Vec<_> =
                self.comments.iter().filter(|c| c.ply == after).map(|c| c.text.as_str()).collect();
            (*mv, MoveNote { seconds: Some(seconds), comment: remarks.join("\n"), ..MoveNote::default() })
        });
        Record {
            setup: self.game.setup_of(&*self.position),
            moves: moves.collect(),
            first: self.header.players.first.name(),
            second: self.header.players.second.name(),
            result,
            reason: self.end.as_ref().map(|end| end.reason.clone()).unwrap_or_default(),
            date: crate::time::date(self.header.created),
        }
    }

    /// The game's door.
    pub(super) fn game(&self) -> &'static dyn Game {
        self.game
    }
}
