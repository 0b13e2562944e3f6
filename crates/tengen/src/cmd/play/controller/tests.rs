//! Tic-tac-toe games through the controller: seats, undo and redo, clocks, advice, failing engines, files.

use super::*;
use crate::cmd::play::record::Saved;
use crate::cmd::play::tictactoe::{session, setup};
use game::IllegalMove;
use std::cell::Cell;

thread_local! {
    static AHEAD: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Lets time pass without waiting for it.
fn pass(session: &mut Controller, time: Duration) {
    AHEAD.set(AHEAD.get() + time);
    session.now = || {
        let now = moment();
        Moment { instant: now.instant + AHEAD.get(), ..now }
    };
}

fn mv(session: &Controller, text: &str) -> Move {
    session.position().parse_move(text).unwrap()
}

fn play(session: &mut Controller, text: &str) {
    let mv = mv(session, text);
    session.play(mv).unwrap();
}

/// Polls until the engine has no work left.
fn settle(session: &mut Controller) -> Vec<News> {
    let mut news = session.poll(Duration::ZERO);
    while session.task() != Task::Nothing {
        news.extend(session.poll(Duration::from_secs(10)));
    }
    news
}

fn moves(session: &Controller) -> String {
    let position = session.position();
    position.history().iter().map(|mv| position.format_move(*mv)).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_engine_answers_a_move() {
    let mut session = session("first", "", Some(Side::Black));
    assert!(settle(&mut session).is_empty());
    play(&mut session, "b2");
    assert_eq!(session.play(mv(&session, "c3")), Err(Refusal::OtherTurn));
    assert!(settle(&mut session).contains(&News::Moved("a3".into())));
    assert_eq!(moves(&session), "b2 a3");
    assert!(session.is_your_turn());
    assert!(session.view().is_some());
}

#[test]
fn the_engine_begins_when_the_person_is_white() {
    let mut session = session("first", "", Some(Side::White));
    settle(&mut session);
    assert_eq!(moves(&session), "a3");
    assert_eq!(session.undo(), Err(Refusal::NothingToUndo));
    assert_eq!(moves(&session), "a3");
}

#[test]
fn a_refused_move_changes_nothing() {
    let mut session = session("first", "", None);
    play(&mut session, "b2");
    let before = moves(&session);
    assert!(matches!(session.play(mv(&session, "b2")), Err(Refusal::Illegal(IllegalMove::Occupied(_)))));
    assert!(matches!(session.play(Move::Swap), Err(Refusal::Illegal(IllegalMove::Rule(_)))));
    assert_eq!(moves(&session), before);
    assert_eq!(session.session.plies().len(), 1);
}

#[test]
fn undo_takes_back_the_answer_too_and_redo_returns_both() {
    let mut session = session("first", "", Some(Side::Black));
    play(&mut session, "b2");
    settle(&mut session);
    play(&mut session, "c1");
    settle(&mut session);
    assert_eq!(moves(&session), "b2 a3 c1 b3");
    session.undo().unwrap();
    assert_eq!(moves(&session), "b2 a3");
    session.undo().unwrap();
    assert_eq!(moves(&session), "");
    assert_eq!(session.undo(), Err(Refusal::NothingToUndo));
    session.redo().unwrap();
    session.redo().unwrap();
    assert_eq!(moves(&session), "b2 a3 c1 b3");
    assert_eq!(session.redo(), Err(Refusal::NothingToRedo));
    session.undo().unwrap();
    play(&mut session, "c3");
    assert_eq!(session.redo(), Err(Refusal::NothingToRedo));
}

#[test]
fn undo_while_the_engine_thinks_stops_it_and_drops_its_answer() {
    let mut session = session("slow", "", Some(Side::Black));
    play(&mut session, "b2");
    session.poll(Duration::from_millis(20));
    assert_eq!(session.task(), Task::Move);
    session.undo().unwrap();
    assert_eq!(moves(&session), "");
    std::thread::sleep(Duration::from_millis(30));
    assert!(session.poll(Duration::ZERO).is_empty());
    assert_eq!(moves(&session), "");
}

#[test]
fn the_engine_can_be_hurried() {
    let mut session = session("slow", "", Some(Side::Black));
    play(&mut session, "b2");
    session.poll(Duration::ZERO);
    session.stop_and_move();
    assert!(settle(&mut session).contains(&News::Moved("a3".into())));
}

#[test]
fn swap_changes_colours_and_never_seats() {
    let mut session = session("first", "swap", Some(Side::White));
    settle(&mut session);
    session.play(Move::Swap).unwrap();
    assert_eq!(session.position().colour_of(Seat::Second), Side::Black);
    assert!(session.is_engine(Seat::First) && !session.is_your_turn());
    settle(&mut session);
    assert_eq!(moves(&session), "a3 swap b3");
    session.undo().unwrap();
    assert_eq!(moves(&session), "a3");
    assert_eq!(session.position().colour_of(Seat::Second), Side::White);
}

#[test]
fn two_persons_take_turns_and_undo_one_move() {
    let mut session = session("first", "", None);
    for text in ["b2", "a1", "c1"] {
        play(&mut session, text);
        assert!(settle(&mut session).is_empty());
    }
    session.undo().unwrap();
    assert_eq!(moves(&session), "b2 a1");
}

#[test]
fn a_win_ends_the_game_and_undo_reopens_it() {
    let mut session = session("first", "", None);
    for text in ["a1", "a3", "b1", "b3", "c1"] {
        play(&mut session, text);
    }
    assert_eq!(session.verdict().unwrap(), "black wins by joining both edges");
    assert_eq!(session.record().result, "B+");
    assert_eq!(session.play(mv(&session, "c3")), Err(Refusal::Over(Termination::Connection)));
    assert_eq!(session.ask_hint(), Err(Refusal::Over(Termination::Connection)));
    session.undo().unwrap();
    assert!(!session.is_over());
}

#[test]
fn resigning_is_the_persons_even_while_the_engine_thinks() {
    let mut session = session("slow", "", Some(Side::Black));
    play(&mut session, "b2");
    session.poll(Duration::ZERO);
    session.resign().unwrap();
    assert_eq!(session.verdict().unwrap(), "white wins: black resigned");
    assert_eq!(session.record().result, "W+Resign");
    assert_eq!(session.resign(), Err(Refusal::Over(Termination::Resign)));
    session.undo().unwrap();
    assert!(!session.is_over());
    assert_eq!(moves(&session), "b2");
}

#[test]
fn clocks_run_for_the_side_to_move_and_follow_undo() {
    let mut session = session("first", "", None);
    let second = Duration::from_secs(1);
    session.settings.control = Some(TimeControl::per_game(60 * second, 2 * second));
    session.new_game().unwrap();
    pass(&mut session, 10 * second);
    play(&mut session, "b2");
    let left = |session: &Controller, seat| session.time_left(seat).unwrap().as_secs_f64().round() as u64;
    assert_eq!((left(&session, Seat::First), left(&session, Seat::Second)), (52, 60));
    pass(&mut session, 20 * second);
    assert_eq!((left(&session, Seat::First), left(&session, Seat::Second)), (52, 40));
    session.undo().unwrap();
    assert_eq!((left(&session, Seat::First), left(&session, Seat::Second)), (60, 60));
    session.redo().unwrap();
    assert_eq!((left(&session, Seat::First), left(&session, Seat::Second)), (52, 60));
}

#[test]
fn a_fallen_flag_loses() {
    let mut session = session("first", "", None);
    let second = Duration::from_secs(1);
    session.settings.control = Some(TimeControl::per_game(60 * second, second));
    session.new_game().unwrap();
    play(&mut session, "b2");
    pass(&mut session, 61 * second);
    assert_eq!(session.poll(Duration::ZERO), [News::OutOfTime]);
    assert_eq!(session.verdict().unwrap(), "black wins: white's time ran out");
    assert_eq!(session.record().result, "B+Time");
    assert_eq!(session.time_left(Seat::Second), Some(Duration::ZERO));
    session.undo().unwrap();
    assert!(!session.is_over());
    pass(&mut session, 61 * second);
    assert_eq!(session.play(mv(&session, "a1")), Err(Refusal::OutOfTime(Seat::First)));
    assert!(session.is_over());
}

#[test]
fn a_hint_is_shown_and_forgotten_with_the_next_move() {
    let mut session = session("first", "", Some(Side::Black));
    session.ask_hint().unwrap();
    assert!(settle(&mut session).contains(&News::Hint("a3".into())));
    assert_eq!(session.hint(), Some(mv(&session, "a3")));
    assert_eq!(moves(&session), "");
    play(&mut session, "b2");
    assert_eq!(session.hint(), None);
}

#[test]
fn an_evaluation_runs_beside_the_persons_turn() {
    let mut session = session("slow", "", None);
    session.set_evaluating(true);
    while session.view().is_none() {
        session.poll(Duration::from_millis(50));
    }
    assert_eq!(session.task(), Task::Evaluation);
    play(&mut session, "b2");
    session.poll(Duration::ZERO);
    assert_eq!(session.task(), Task::Evaluation);
    session.set_evaluating(false);
    assert_eq!(session.task(), Task::Nothing);
    assert!(session.poll(Duration::from_millis(20)).is_empty());
}

#[test]
fn an_engine_that_crashes_or_cheats_is_reported_once_and_can_be_asked_again() {
    for (engine, problem) in [("crash", "crashed"), ("cheat", "cheat chose b2: b2 is occupied")] {
        let mut session = session(engine, "", Some(Side::Black));
        play(&mut session, "b2");
        let news = settle(&mut session);
        assert!(matches!(news.last(), Some(News::Failed(text)) if text.contains(problem)), "{news:?}");
        assert!(session.poll(Duration::ZERO).is_empty());
        assert!(session.failure().is_some());
        session.stop_and_move();
        assert!(settle(&mut session).iter().any(|news| matches!(news, News::Failed(_))));
        session.undo().unwrap();
        assert!(session.failure().is_none() && session.is_your_turn());
    }
}

#[test]
fn a_saved_game_loads_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("game.sgf");
    let mut one = session("first", "", None);
    for text in ["b2", "a1", "c3"] {
        play(&mut one, text);
    }
    assert!(one.has_unsaved_moves());
    assert_eq!(one.save(&path, false).unwrap(), Saved::Written);
    assert!(!one.has_unsaved_moves());
    play(&mut one, "c1");
    assert_eq!(one.save(&path, false).unwrap(), Saved::Written);

    let mut two = session("first", "", None);
    assert_eq!(two.save(&path, false).unwrap(), Saved::Exists);
    two.load(&path, &setup("")).unwrap();
    assert_eq!(moves(&two), "b2 a1 c3 c1");
    two.undo().unwrap();
    assert_eq!(moves(&two), "b2 a1 c3");
    std::fs::write(dir.path().join("bad.sgf"), "zz").unwrap();
    let error = two.load(&dir.path().join("bad.sgf"), &setup("")).unwrap_err();
    assert!(format!("{error:#}").contains("bad.sgf: line 1"), "{error:#}");
    assert!(two.load(&dir.path().join("none.sgf"), &setup("")).is_err());
    assert_eq!(moves(&two), "b2 a1 c3");
    two.new_game().unwrap();
    assert_eq!(moves(&two), "");
}
