//! A game as the fold of its events: what is asked is checked, what happened is committed.

use crate::clock::{Clocks, TimeControl};
use crate::company::Company;
use crate::end::{End, Termination};
use crate::event::{Event, EventKind, Offer, OfferKind, Pending, Ply};
use crate::refusal::Refusal;
use game::{Game, IllegalMove, Move, MoveNote, Position, Seat};
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use web_time::Instant;

/// The longest text that is read as a move.
const MOVE_TEXT: usize = 40;

/// A game being played, or finished.
#[derive(Clone)]
pub struct Session {
    game: &'static dyn Game,
    position: Box<dyn Position>,
    /// One entry for each move of the position's history.
    plies: Vec<Ply>,
    /// Moves that were taken back, the next one to be played again last.
    undone: Vec<Ply>,
    clocks: Option<Clocks>,
    /// Do the clocks run before the first move?
    started: bool,
    end: Option<End>,
    /// The end in detail, such as the text that was no move.
    end_detail: String,
    offer: Option<Offer>,
    pub(crate) company: Company,
    takebacks: u32,
    next_seq: i64,
    created: i64,
    last_at: i64,
}

/// When something is asked: by the monotonic clock that playing time is measured with, and by the calendar.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Monotonic time.
    pub instant: Instant,
    /// Milliseconds since 1970.
    pub unix_ms: i64,
}

impl Moment {
    /// A moment by both clocks, read together.
    pub fn new(instant: Instant, system: SystemTime) -> Moment {
        let since = system.duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment { instant, unix_ms: i64::try_from(since.as_millis()).unwrap_or(i64::MAX) }
    }

    /// A later moment, counted from this one by the monotonic clock: setting the system's clock changes nothing.
    pub fn at(&self, instant: Instant) -> Moment {
        let passed = instant.saturating_duration_since(self.instant).as_millis();
        let unix_ms = self.unix_ms.saturating_add(i64::try_from(passed).unwrap_or(i64::MAX));
        Moment { instant, unix_ms }
    }
}

/// A move somebody wants to play.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MoveOrder {
    /// The number of moves played before it. A number already played is answered, not applied again.
    pub ply: usize,
    /// In the game's notation.
    #[serde(rename = "move")]
    pub text: String,
    /// `takebacks` of the game as the client knows it: a move sent before somebody took moves back is then
    /// refused instead of played in another position.
    #[serde(default)]
    pub takebacks: Option<u32>,
}

/// What a move order means.
pub enum Ordered {
    /// It is to be played.
    Play(Box<Pending>),
    /// It has been played already.
    Repeated,
}

impl Session {
    /// A session that starts at a position. Moves of its history can be taken back like others. Only the game's
    /// time of `control` is kept here. `created` is in milliseconds since 1970.
    ///
    /// Clocks start with the first move, which is free: over a network the players are not there at the same
    /// moment. [`Session::start_clocks`] starts them at once.
    pub fn new(
        game: &'static dyn Game,
        position: Box<dyn Position>,
        control: Option<TimeControl>,
        created: i64,
    ) -> Session {
        let control = control.filter(|control| control.per_game.is_some());
        Session::with_clocks(game, position, control.map(|control| Clocks::new([control; 2])), created)
    }

    /// A session with a time control for each seat, of which every limit counts, that on single moves too.
    pub fn with_controls(
        game: &'static dyn Game,
        position: Box<dyn Position>,
        controls: [TimeControl; 2],
        created: i64,
    ) -> Session {
        Session::with_clocks(game, position, Some(Clocks::new(controls)), created)
    }

    fn with_clocks(
        game: &'static dyn Game,
        position: Box<dyn Position>,
        clocks: Option<Clocks>,
        created: i64,
    ) -> Session {
        Session {
            game,
            plies: plies_of(&*position),
            end: End::by_rules(&*position),
            end_detail: String::new(),
            position,
            undone: Vec::new(),
            clocks,
            started: false,
            offer: None,
            company: Company::default(),
            takebacks: 0,
            next_seq: 0,
            created,
            last_at: created,
        }
    }

    /// Starts the clock of whoever is to move, before the first move.
    pub fn start_clocks(&mut self, now: Instant) {
        self.started = true;
        let running = self.runs();
        if let Some(clocks) = &mut self.clocks {
            clocks.set(clocks.initial_ms(), running, now);
        }
    }

    // What it is now.

    /// The game that is played.
    pub fn game(&self) -> &'static dyn Game {
        self.game
    }

    /// The position.
    pub fn position(&self) -> &dyn Position {
        &*self.position
    }

    /// The moves, one for each of the position's history.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The clocks, where the game is played with clocks.
    pub fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    /// How it ended; `None` while it goes on.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// More about the end, such as what an engine did wrong; often empty.
    pub fn end_detail(&self) -> &str {
        &self.end_detail
    }

    /// The player to move; `None` once it is over.
    pub fn turn(&self) -> Option<Seat> {
        self.end.is_none().then(|| self.position.turn())
    }

    /// The offer that waits for an answer.
    pub fn offer(&self) -> Option<Offer> {
        self.offer
    }

    /// How often moves were taken back.
    pub fn takebacks(&self) -> u32 {
        self.takebacks
    }

    /// The number of the next event.
    pub fn next_seq(&self) -> i64 {
        self.next_seq
    }

    /// When it was created, in milliseconds since 1970.
    pub fn created(&self) -> i64 {
        self.created
    }

    /// When the last event happened, in milliseconds since 1970.
    pub fn last_at(&self) -> i64 {
        self.last_at
    }

    // What is asked. Nothing changes.

    /// Is this move to be played? The text is read here and never again.
    pub fn order(&self, seat: Seat, order: &MoveOrder, at: Moment) -> Result<Ordered, Refusal> {
        let next = self.plies.len();
        if order.takebacks.is_some_and(|known| known != self.takebacks) {
            return Err(Refusal::Stale { takebacks: self.takebacks });
        }
        if order.text.len() > MOVE_TEXT {
            return Err(Refusal::LongMove(MOVE_TEXT));
        }
        let mv = self.position.parse_move(&order.text)?;
        if let Some(there) = self.plies.get(order.ply) {
            return match there.mv == mv {
                true => Ok(Ordered::Repeated),
                false => Err(Refusal::Late { ply: order.ply, played: there.text.clone() }),
            };
        }
        self.check_live()?;
        if order.ply > next {
            return Err(Refusal::Early { ply: order.ply, next });
        }
        if self.position.turn() != seat {
            return Err(Refusal::OtherTurn);
        }
        Ok(Ordered::Play(Box::new(self.play(mv, MoveNote::default(), at)?)))
    }

    /// A move of whoever's turn it is. Once their flag has fallen it is too late.
    pub fn play(&self, mv: Move, note: MoveNote, at: Moment) -> Result<Pending, Refusal> {
        self.check_live()?;
        if let Some(seat) = self.clocks.as_ref().and_then(|clocks| clocks.fallen(at.instant)) {
            return Err(Refusal::OutOfTime(seat));
        }
        let kind = EventKind::Move { r#move: self.position.format_move(mv), note };
        Ok(self.pending(kind, Step::Play(mv), at)?)
    }

    /// Ends the game if a flag has fallen.
    pub fn flag(&self, at: Moment) -> Option<Pending> {
        let seat = self.clocks.as_ref()?.fallen(at.instant)?;
        self.prepare(EventKind::Timeout { seat }, at).ok()
    }

    /// Any other event, without asking who may cause it.
    pub fn prepare(&self, kind: EventKind, at: Moment) -> Result<Pending, Refusal> {
        match kind {
            EventKind::Undo { plies } if plies as usize > self.plies.len() => Err(Refusal::NothingToUndo),
            EventKind::Redo { plies } if plies as usize > self.undone.len() => Err(Refusal::NothingToRedo),
            kind => {
                let step = self.step(&kind)?;
                Ok(self.pending(kind, step, at)?)
            }
        }
    }

    /// A seed for the engine to move: games with different names differ, the same game after a restart goes on the same
    /// way.
    pub fn seed(&self, name: &str) -> u64 {
        let ply = self.plies.len() as u64;
        name.bytes().fold(ply + 1, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)))
    }

    /// The moves that can be played again, the next one last.
    pub fn undone(&self) -> &[Ply] {
        &self.undone
    }

    /// Refuses once the game is over.
    pub fn check_live(&self) -> Result<(), Refusal> {
        self.end.as_ref().map_or(Ok(()), |end| Err(Refusal::Over(end.termination)))
    }

    // What happens.

    /// Makes a checked event happen. The clock of the next player starts at `now`: time between the check and
    /// here, such as writing to disk, is charged to nobody.
    pub fn commit(&mut self, pending: Pending, now: Instant) -> Event {
        debug_assert_eq!(pending.event.seq, self.next_seq, "checked against another state");
        if let Some(position) = pending.position {
            self.position = position;
        }
        self.fold(&pending.event, pending.ply, pending.end, now);
        pending.event
    }

    /// Applies stored events, in order. Without [`Session::charge`] a running clock has stood since the last one.
    pub fn restore(&mut self, events: &[Event], now: Instant) -> Result<(), IllegalMove> {
        for event in events {
            let step = self.step(&event.kind)?;
            let ply = self.ply(&step, &event.kind, event.at, event.left_ms);
            take(&step, &self.undone, &mut *self.position)?;
            let end = self.end_after(&event.kind, &*self.position);
            self.fold(event, ply, end, now);
        }
        Ok(())
    }

    /// Charges the running clock with time that passed before `now`, such as that in another process.
    pub fn charge(&mut self, passed: Duration, now: Instant) {
        if let Some(clocks) = &mut self.clocks {
            clocks.set(clocks.left_ms(now + passed), clocks.running(), now);
        }
    }

    // How it works.

    /// How an event changes the position.
    fn step(&self, kind: &EventKind) -> Result<Step, IllegalMove> {
        Ok(match kind {
            EventKind::Move { r#move, .. } => Step::Play(self.position.parse_move(r#move)?),
            EventKind::Undo { plies } => Step::Back(*plies as usize),
            EventKind::Redo { plies } => Step::Again(*plies as usize),
            _ => Step::Stay,
        })
    }

    fn pending(&self, kind: EventKind, step: Step, at: Moment) -> Result<Pending, IllegalMove> {
        let left_ms = self.left_after(&kind, at.instant);
        let ply = self.ply(&step, &kind, at.unix_ms, left_ms);
        let mut position = None;
        if !matches!(step, Step::Stay) {
            take(&step, &self.undone, &mut **position.insert(self.position.boxed()))?;
        }
        let end = self.end_after(&kind, position.as_deref().unwrap_or(&*self.position));
        Ok(Pending { event: Event { seq: self.next_seq, at: at.unix_ms, left_ms, kind }, position, ply, end })
    }

    /// The entry that a move adds, written for the position before it.
    fn ply(&self, step: &Step, kind: &EventKind, at: i64, left_ms: Option<[i64; 2]>) -> Option<Ply> {
        let (Step::Play(mv), EventKind::Move { r#move, note }) = (step, kind) else { return None };
        let (text, note) = (r#move.clone(), note.clone());
        Some(Ply { mv: *mv, text, side: self.position.to_move(), at: Some(at), note, left_ms })
    }

    /// What both clocks show if this happens now.
    fn left_after(&self, kind: &EventKind, now: Instant) -> Option<[i64; 2]> {
        let clocks = self.clocks.as_ref()?;
        let after = |ply: Option<&Ply>| ply.and_then(|ply| ply.left_ms).or(Some(clocks.initial_ms()));
        match kind {
            EventKind::Move { .. } => Some(clocks.after_move(self.position.turn(), now)),
            EventKind::Undo { plies } if *plies > 0 => {
                after(self.plies.len().checked_sub(*plies as usize + 1).map(|last| &self.plies[last]))
            }
            EventKind::Redo { plies } => {
                after(self.undone.iter().rev().nth((*plies as usize).checked_sub(1)?))
            }
            _ => Some(clocks.left_ms(now)),
        }
    }

    fn end_after(&self, kind: &EventKind, position: &dyn Position) -> Option<End> {
        let lost = |seat: &Seat, why| Some(End::lost_by(position, *seat, why));
        match kind {
            EventKind::Move { .. } | EventKind::Undo { .. } | EventKind::Redo { .. } => {
                End::by_rules(position)
            }
            EventKind::Resign { seat } => lost(seat, Termination::Resign),
            EventKind::Timeout { seat } => lost(seat, Termination::Timeout),
            EventKind::Forfeit { seat, termination, .. } => lost(seat, *termination),
            EventKind::Adjudicate { winner: Some(winner), termination } => {
                lost(&winner.other(), *termination)
            }
            EventKind::Adjudicate { winner: None, termination } => Some(End::without_winner(*termination)),
            EventKind::AcceptDraw => Some(End::without_winner(Termination::Agreement)),
            EventKind::Abort => Some(End::without_winner(Termination::Aborted)),
            _ => self.end,
        }
    }

    /// Everything an event changes besides the position.
    fn fold(&mut self, event: &Event, ply: Option<Ply>, end: Option<End>, now: Instant) {
        match &event.kind {
            EventKind::Move { .. } => {
                self.plies.extend(ply);
                self.undone.clear();
                self.offer = None;
            }
            EventKind::Undo { plies } => {
                let keep = self.plies.len().saturating_sub(*plies as usize);
                self.undone.extend(self.plies.drain(keep..).rev());
                self.takebacks += 1;
                self.offer = None;
            }
            EventKind::Redo { plies } => {
                let keep = self.undone.len().saturating_sub(*plies as usize);
                self.plies.extend(self.undone.drain(keep..).rev());
                self.offer = None;
            }
            EventKind::OfferUndo { seat } => self.offer = Some(Offer { seat: *seat, what: OfferKind::Undo }),
            EventKind::OfferDraw { seat } => self.offer = Some(Offer { seat: *seat, what: OfferKind::Draw }),
            EventKind::OfferRematch { seat } => {
                self.offer = Some(Offer { seat: *seat, what: OfferKind::Rematch });
            }
            EventKind::DeclineUndo
            | EventKind::DeclineDraw
            | EventKind::DeclineRematch
            | EventKind::Rematch { .. } => self.offer = None,
            _ => {}
        }
        self.company.fold(event);
        if end != self.end {
            self.end = end;
            self.offer = None;
            self.end_detail = match &event.kind {
                EventKind::Forfeit { why, .. } => why.clone(),
                _ => String::new(),
            };
        }
        let running = self.runs();
        if let (Some(clocks), Some(left)) = (&mut self.clocks, event.left_ms) {
            clocks.set(left, running, now);
        }
        self.next_seq = event.seq + 1;
        self.last_at = event.at;
    }

    /// Whose clock is to run.
    fn runs(&self) -> Option<Seat> {
        self.turn().filter(|_| self.started || !self.plies.is_empty())
    }
}

/// How an event changes the position.
enum Step {
    Play(Move),
    Back(usize),
    Again(usize),
    Stay,
}

fn take(step: &Step, undone: &[Ply], position: &mut dyn Position) -> Result<(), IllegalMove> {
    match step {
        Step::Play(mv) => position.play(*mv)?,
        Step::Back(plies) => {
            let _ = (0..*plies).take_while(|_| position.undo().is_some()).count();
        }
        Step::Again(plies) => {
            for ply in undone.iter().rev().take(*plies) {
                position.play(ply.mv)?;
            }
        }
        Step::Stay => {}
    }
    Ok(())
}

/// The history of a position, replayed for how each move is written.
fn plies_of(position: &dyn Position) -> Vec<Ply> {
    let mut at = position.boxed();
    while at.undo().is_some() {}
    let written = position.history().iter().map(|mv| {
        let (text, side) = (at.format_move(*mv), at.to_move());
        // It was played before, so it is legal.
        let _ = at.play(*mv);
        Ply { mv: *mv, text, side, at: None, note: MoveNote::default(), left_ms: None }
    });
    written.collect()
}
