//! Sessions of both games under random orders, actions and times.

use game::{Game, MoveNote, Seat, Setup};
use play::Session;
use play::{
    Action, ActionOutcome, Event, EventKind, GameResult, Moment, MoveOrder, Opponent, Ordered, Refusal,
};
use play::{Termination, TimeControl};
use proptest::prelude::*;
use std::time::{Duration, Instant};

const BASE_MS: u64 = 60_000;
const INCREMENT_MS: u64 = 2_000;

fn session(game: &'static dyn Game) -> Session {
    let position = game.position(&Setup::empty(5, 5)).unwrap();
    let ms = Duration::from_millis;
    Session::new(game, position, Some(TimeControl::per_game(ms(BASE_MS), ms(INCREMENT_MS))), 0)
}

fn games() -> [&'static dyn Game; 2] {
    [&gomoku::GOMOKU, &hex::HEX]
}

/// A session with a clock of its own, and all its events.
struct Table {
    session: Session,
    events: Vec<Event>,
    origin: Instant,
    ms: u64,
}

impl Table {
    fn new(game: &'static dyn Game) -> Table {
        Table { session: session(game), events: Vec::new(), origin: Instant::now(), ms: 0 }
    }

    fn now(&self) -> Moment {
        Moment { instant: self.origin + Duration::from_millis(self.ms), unix_ms: self.ms as i64 }
    }

    fn commit(&mut self, pending: play::Pending) {
        let event = self.session.commit(pending, self.now().instant);
        self.events.push(event);
    }

    fn order(&mut self, text: &str) -> Result<bool, Refusal> {
        let order = MoveOrder { ply: self.session.plies().len(), text: text.into(), takebacks: None };
        let seat = self.session.position().turn();
        match self.session.order(seat, &order, self.now())? {
            Ordered::Play(pending) => self.commit(*pending),
            Ordered::Repeated => return Ok(false),
        }
        Ok(true)
    }

    /// One random deed; refusals change nothing.
    fn deed(&mut self, choice: u8, number: usize, spent: u64) {
        self.ms += spent;
        if let Some(timeout) = self.session.flag(self.now()) {
            self.commit(timeout);
        }
        let seat = [Seat::First, Seat::Second][number % 2];
        let act = |table: &mut Table, action| {
            let opponent = [Opponent::Engine, Opponent::Person, Opponent::Bot][number % 3];
            let acted = table.session.act(Some(seat), action, opponent, "next", table.now());
            if let Ok((Some(pending), _)) = acted {
                table.commit(pending);
            }
        };
        match choice {
            0 => act(self, Action::Undo),
            1 => act(self, Action::AcceptUndo),
            2 => act(self, Action::OfferDraw),
            3 => act(self, Action::DeclineDraw),
            4 => act(self, Action::Comment { text: "why".into(), ply: None }),
            5 if number.is_multiple_of(7) => act(self, Action::Resign),
            7 => act(self, Action::Chat { text: "hello".into() }),
            8 => act(self, Action::OfferRematch),
            9 if number.is_multiple_of(2) => act(self, Action::Join { name: Some("Ann".into()) }),
            6 => {
                if let Ok(redo) = self.session.prepare(EventKind::Redo { plies: 1 }, self.now()) {
                    self.commit(redo);
                }
            }
            _ => {
                let moves = self.session.position().legal_moves();
                if let Some(mv) = moves.get(number % moves.len().max(1)) {
                    let played = self.session.play(*mv, MoveNote::default(), self.now());
                    if let Ok(pending) = played {
                        self.commit(pending);
                    }
                }
            }
        }
    }
}

/// Everything that can be seen of a session at a moment.
fn seen(session: &Session, now: Instant) -> String {
    let clocks = session.clocks().map(|clocks| (clocks.left_ms(now), clocks.running()));
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {} {} {clocks:?} {}",
        session.plies(),
        session.undone(),
        session.position().history(),
        session.end(),
        session.offer(),
        session.comments(),
        session.chat(),
        session.rematch(),
        [Seat::First, Seat::Second].map(|seat| (session.has_joined(seat), session.name(seat))),
        session.takebacks(),
        session.next_seq(),
        session.position().hash(),
    )
}

fn deeds() -> impl Strategy<Value = Vec<(u8, usize, u64)>> {
    prop::collection::vec((0u8..16, 0usize..1000, 0u64..9_000), 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn restoring_the_events_gives_the_same_session(deeds in deeds(), game in 0usize..2) {
        let mut table = Table::new(games()[game]);
        for (choice, number, spent) in deeds {
            table.deed(choice, number, spent);
        }
        // As they come back from disk.
        let stored: Vec<Event> = table.events.iter().map(|event| {
            let kind = serde_json::from_str(&serde_json::to_string(&event.kind).unwrap()).unwrap();
            Event { kind, ..event.clone() }
        }).collect();
        let now = table.now().instant;
        let mut restored = session(games()[game]);
        restored.restore(&stored, now).unwrap();
        restored.charge(Duration::from_millis(table.ms - restored.last_at() as u64), now);
        prop_assert_eq!(seen(&restored, now), seen(&table.session, now));
    }

    #[test]
    fn clocks_are_never_negative_nor_give_more_than_there_is(deeds in deeds(), game in 0usize..2) {
        let mut table = Table::new(games()[game]);
        for (choice, number, spent) in deeds {
            table.deed(choice, number, spent);
            let left = table.session.clocks().unwrap().left_ms(table.now().instant);
            for (seat, ms) in left.into_iter().enumerate() {
                let moves = table.session.plies().len().div_ceil(2) as u64;
                prop_assert!(ms >= 0, "{seat}: {ms}");
                prop_assert!(ms as u64 <= BASE_MS + moves * INCREMENT_MS, "{seat}: {ms} after {moves} moves");
            }
            let stands = table.session.clocks().unwrap().running().is_none();
            prop_assert_eq!(stands, table.session.end().is_some() || table.session.plies().is_empty());
        }
    }

    #[test]
    fn a_take_back_restores_clocks_and_clears_the_offer(deeds in deeds(), game in 0usize..2, plies in 1u32..4) {
        let mut table = Table::new(games()[game]);
        let mut after = vec![[BASE_MS as i64; 2]];
        for (choice, number, spent) in deeds {
            table.deed(choice, number, spent);
            after.truncate(table.session.plies().len() + 1);
            if after.len() <= table.session.plies().len() {
                after.push(table.session.clocks().unwrap().left_ms(table.now().instant));
            }
        }
        // Take-backs and redos inside the random part are checked by the first property.
        prop_assume!(table.events.iter().all(|e| !matches!(e.kind, EventKind::Redo { .. })));
        prop_assume!(table.session.plies().len() >= plies as usize);
        let before = table.session.clone();
        let undo = table.session.prepare(EventKind::Undo { plies }, table.now()).unwrap();
        table.commit(undo);
        let kept = before.plies().len() - plies as usize;
        let left = table.session.clocks().unwrap().left_ms(table.now().instant);
        prop_assert_eq!(left, after[kept]);
        prop_assert_eq!(table.session.offer(), None);
        prop_assert_eq!(table.session.takebacks(), before.takebacks() + 1);
        prop_assert!(table.session.end().is_none());
        let redo = table.session.prepare(EventKind::Redo { plies }, table.now()).unwrap();
        table.commit(redo);
        prop_assert_eq!(table.session.plies(), before.plies());
        prop_assert_eq!(table.session.clocks().unwrap().left_ms(table.now().instant), *after.last().unwrap());
    }

    #[test]
    fn the_record_reads_back(deeds in deeds(), game in 0usize..2) {
        let mut table = Table::new(games()[game]);
        for (choice, number, spent) in deeds {
            table.deed(choice, number, spent);
        }
        let record = table.session.record(["Ann".into(), "Bob".into()]);
        let game = games()[game];
        let again = game.parse(&game.write_sgf(&record), &Setup::empty(5, 5)).unwrap();
        prop_assert_eq!(again.history(), table.session.position().history());
        prop_assert_eq!(record.result == "?", table.session.end().is_none());
    }
}

#[test]
fn an_order_is_played_once() {
    let mut table = Table::new(&gomoku::GOMOKU);
    assert_eq!(table.order("c3"), Ok(true));
    let order = |ply, text: &str, takebacks| MoveOrder { ply, text: text.into(), takebacks };
    let ask = |table: &Table, seat, order| match table.session.order(seat, &order, table.now()) {
        Ok(Ordered::Play(_)) => "play".to_string(),
        Ok(Ordered::Repeated) => "repeated".to_string(),
        Err(refusal) => refusal.to_string(),
    };
    assert_eq!(ask(&table, Seat::First, order(0, "C3", None)), "repeated");
    assert_eq!(ask(&table, Seat::First, order(0, "a1", None)), "move 0 is c3 already");
    assert_eq!(ask(&table, Seat::First, order(1, "a1", None)), "it is the other player's turn");
    assert_eq!(ask(&table, Seat::Second, order(2, "a1", None)), "the next move is number 1, not 2");
    assert_eq!(ask(&table, Seat::Second, order(1, "c3", None)), "c3 is occupied");
    assert!(ask(&table, Seat::Second, order(1, "a1", Some(1))).contains("taken back"));
    assert!(ask(&table, Seat::Second, order(1, &"a".repeat(41), None)).contains("at most 40"));
    assert_eq!(ask(&table, Seat::Second, order(1, "a1", Some(0))), "play");
}

#[test]
fn a_move_after_the_flag_is_refused_and_the_flag_ends_the_game() {
    let mut table = Table::new(&gomoku::GOMOKU);
    table.order("c3").unwrap();
    table.ms += BASE_MS;
    assert_eq!(table.order("a1"), Err(Refusal::OutOfTime(Seat::Second)));
    let timeout = table.session.flag(table.now()).unwrap();
    table.commit(timeout);
    let end = table.session.end().unwrap();
    assert_eq!((end.result(), end.termination), (GameResult::First, Termination::Timeout));
    assert_eq!(table.session.clocks().unwrap().left_ms(table.now().instant), [BASE_MS as i64, 0]);
    assert_eq!(table.order("a1"), Err(Refusal::Over(Termination::Timeout)));
}

/// Rows as earlier versions wrote them.
#[test]
fn stored_events_of_earlier_versions_load() {
    let rows = [
        r#"{"event":"move","move":"c3"}"#,
        r#"{"event":"comment","seat":"first","ply":1,"text":"天元"}"#,
        r#"{"event":"offer-undo","seat":"first"}"#,
        r#"{"event":"decline-undo"}"#,
        r#"{"event":"move","move":"a1"}"#,
        r#"{"event":"undo","plies":1}"#,
        r#"{"event":"offer-draw","seat":"second"}"#,
        r#"{"event":"decline-draw"}"#,
    ];
    let ends = [
        (r#"{"event":"resign","seat":"first"}"#, "second", "resign"),
        (r#"{"event":"timeout","seat":"second"}"#, "first", "timeout"),
        (r#"{"event":"forfeit","seat":"second","why":"?"}"#, "first", "engine-failed"),
        (r#"{"event":"accept-draw"}"#, "draw", "agreement"),
        (r#"{"event":"abort"}"#, "none", "aborted"),
    ];
    for (last, result, reason) in ends {
        let events: Vec<Event> = (0..)
            .zip(rows.into_iter().chain([last]))
            .map(|(seq, row)| {
                let kind: EventKind = serde_json::from_str(row).unwrap();
                assert_eq!(serde_json::to_string(&kind).unwrap(), row, "written as before");
                Event { seq, at: seq, left_ms: Some([1_000, 1_000]), kind }
            })
            .collect();
        let mut session = session(&gomoku::GOMOKU);
        session.restore(&events, Instant::now()).unwrap();
        let end = session.end().unwrap();
        assert_eq!((end.result().name(), end.termination.name()), (result, reason));
        assert_eq!((session.plies().len(), session.takebacks()), (1, 1));
    }
}

/// What referees need beyond players: a control for each seat, limits on single moves, faults and rulings.
#[test]
fn each_seat_has_its_own_control_and_every_limit_counts() {
    let (second, ms) = (Duration::from_secs(1), Duration::from_millis);
    let patient = TimeControl::per_game(10 * second, Duration::ZERO);
    let hasty = TimeControl { margin: ms(100), ..TimeControl::per_move(second) };
    let game: &'static dyn Game = &gomoku::GOMOKU;
    let position = game.position(&Setup::empty(5, 5)).unwrap();
    let mut session = Session::with_controls(game, position, [patient, hasty], 0);
    let start = Moment { instant: Instant::now(), unix_ms: 0 };
    session.start_clocks(start.instant);
    let cells = session.position().legal_moves();
    // The first player is charged from its first move on, but not for the fraction of a millisecond.
    let answered = start.at(start.instant + Duration::from_micros(4_000_700));
    let pending = session.play(cells[0], MoveNote::default(), answered).unwrap();
    session.commit(pending, answered.instant);
    assert_eq!(session.clocks().unwrap().seat(Seat::First).left(), Some(6 * second));
    // The second has no time for the game, only for each move, and its flag falls after the margin.
    let clocks = session.clocks().unwrap();
    assert_eq!(clocks.seat(Seat::Second).left(), None);
    assert_eq!(clocks.falls(), Some(answered.instant + ms(1100)));
    let late = answered.at(answered.instant + ms(1100));
    assert!(matches!(
        session.play(cells[1], MoveNote::default(), late),
        Err(Refusal::OutOfTime(Seat::Second))
    ));
    let in_time = answered.at(answered.instant + ms(1050));
    let pending = session.play(cells[1], MoveNote::default(), in_time).unwrap();
    session.commit(pending, in_time.instant);
    assert_eq!(session.clocks().unwrap().seat(Seat::Second).left(), None);

    let fault = EventKind::Forfeit { seat: Seat::First, termination: Termination::Syntax, why: "z9".into() };
    let ruling = EventKind::Adjudicate { winner: None, termination: Termination::MoveLimit };
    for (kind, result, detail) in [(fault, "W+Forfeit", "z9"), (ruling, "0", "")] {
        let kind: EventKind = serde_json::from_str(&serde_json::to_string(&kind).unwrap()).unwrap();
        let mut ended = session.clone();
        let pending = ended.prepare(kind, in_time).unwrap();
        ended.commit(pending, in_time.instant);
        assert_eq!((ended.end().unwrap().sgf_result().as_str(), ended.end_detail()), (result, detail));
        let undo = ended.prepare(EventKind::Undo { plies: 1 }, in_time).unwrap();
        ended.commit(undo, in_time.instant);
        assert_eq!((ended.end(), ended.end_detail()), (None, ""), "a take-back revokes the end");
    }
}

#[test]
fn a_rematch_is_agreed_once_and_only_after_the_end() {
    let mut table = Table::new(&hex::HEX);
    let act = |table: &mut Table, seat, action, opponent| {
        let (pending, outcome) = table.session.act(Some(seat), action, opponent, "next", table.now())?;
        table.commit(pending.unwrap());
        Ok::<_, Refusal>(outcome)
    };
    let (first, second, person) = (Seat::First, Seat::Second, Opponent::Person);
    assert_eq!(act(&mut table, first, Action::OfferRematch, person), Err(Refusal::NotOver));
    assert_eq!(act(&mut table, first, Action::OfferDraw, person), Err(Refusal::NoDraws));
    act(&mut table, first, Action::Resign, person).unwrap();
    assert_eq!(act(&mut table, first, Action::AcceptRematch, person), Err(Refusal::NoOffer));
    assert_eq!(act(&mut table, first, Action::OfferRematch, person), Ok(ActionOutcome::Offered));
    assert_eq!(act(&mut table, first, Action::AcceptRematch, person), Err(Refusal::NoOffer), "by oneself");
    act(&mut table, second, Action::DeclineRematch, person).unwrap();
    assert_eq!((table.session.offer(), table.session.rematch()), (None, None));
    act(&mut table, second, Action::OfferRematch, person).unwrap();
    // Both ask: that is an agreement.
    assert_eq!(act(&mut table, first, Action::OfferRematch, person), Ok(ActionOutcome::Done));
    assert_eq!((table.session.offer(), table.session.rematch()), (None, Some("next")));
    let again = act(&mut table, second, Action::OfferRematch, person);
    assert_eq!(again, Err(Refusal::Rematched("next".into())));

    let mut bot = Table::new(&hex::HEX);
    act(&mut bot, first, Action::Resign, Opponent::Bot).unwrap();
    assert_eq!(act(&mut bot, first, Action::OfferRematch, Opponent::Bot), Ok(ActionOutcome::Done));
}

#[test]
fn players_join_once_and_chat_within_bounds() {
    let mut table = Table::new(&gomoku::GOMOKU);
    let act = |table: &mut Table, action| {
        let (pending, _) =
            table.session.act(Some(Seat::Second), action, Opponent::Person, "next", table.now())?;
        table.commit(pending.unwrap());
        Ok::<_, Refusal>(())
    };
    act(&mut table, Action::Join { name: Some("Bob".into()) }).unwrap();
    assert_eq!(
        (table.session.name(Seat::Second), table.session.has_joined(Seat::First)),
        (Some("Bob"), false)
    );
    assert_eq!(act(&mut table, Action::Join { name: None }), Err(Refusal::Joined));
    let refused = Refusal::Chat { length: 280, count: 200 };
    for bad in [" \n", "\u{7}", &"x".repeat(281)] {
        assert_eq!(act(&mut table, Action::Chat { text: bad.into() }), Err(refused.clone()));
    }
    for line in 0..200 {
        act(&mut table, Action::Chat { text: format!(" {line} ") }).unwrap();
    }
    assert_eq!(act(&mut table, Action::Chat { text: "more".into() }), Err(refused));
    let last = table.session.chat().last().unwrap();
    assert_eq!((last.seat, last.text.as_str()), (Seat::Second, "199"));
    let record = table.session.record(["".into(), "".into()]);
    assert!(record.moves.is_empty(), "chat is no part of the record");
}
