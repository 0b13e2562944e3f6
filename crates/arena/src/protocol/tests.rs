//! Which time counts on the clock: programs as shell scripts, asked for moves on the empty board.

use super::*;
use crate::frontend::testing::FIVE;
use crate::player::Alarm;
use game::{Limits, Setup};
use play::TimeControl;

/// The time a script takes to start, and the times billed for so many moves.
fn times(protocol: Protocol, game: &dyn Game, script: &str, moves: usize) -> (Duration, Vec<Duration>) {
    let launch = Launch { program: "sh".into(), args: vec!["-c".into(), script.into()], ..Launch::default() };
    let mut program = Program::new(launch, protocol, Vec::new(), Vec::new());
    let (rows, cols) = game.default_size();
    let (setup, limits, stop) = (Setup::empty(rows, cols), Limits::default(), StopFlag::new());
    let control = TimeControl::default();
    let started = Instant::now();
    let deadline = started + control.patience;
    let start = GameStart { game, setup: &setup, control: &control, limits: &limits, deadline, stop: &stop };
    program.start(&start).unwrap();
    let start_up = started.elapsed();
    let position = game.position(&setup).unwrap();
    let (alarm, allowed) = (Alarm::default(), Duration::from_secs(30));
    let request = MoveRequest { limits: &limits, allowed, alarm: &alarm, stop: &stop };
    (start_up, (0..moves).map(|_| program.choose(&*position, &request).unwrap().time).collect())
}

#[test]
fn starting_up_is_not_billed_in_the_line_protocol() {
    let busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; read l; echo a1; read l";
    let (start_up, billed) = times(Protocol::Line, &hex::HEX, busy, 1);
    assert!(billed[0] < start_up / 2, "{billed:?} of {start_up:?}");
}

#[test]
fn the_pause_before_a_question_of_gomocup_is_not_billed() {
    let script = "while read w r; do case $w in START) echo OK;; BEGIN|DONE) echo 7,7;; esac; done";
    let (_, billed) = times(Protocol::Gomocup, &gomoku::GOMOKU, script, 30);
    assert!(
        billed[1..].iter().min() < Some(&gomocup::PAUSE_AFTER_ANSWER),
        "the least time has no pause in it"
    );
}

/// A Botzone bot that plays row by row; `stay` makes it ask to be kept running.
fn botzone_bot(stay: bool) -> String {
    let after = if stay { "echo '>>>BOTZONE_REQUEST_KEEP_RUNNING<<<'" } else { "exit" };
    format!(
        "n=0; while read l; do case $l in *requests*) n=$(echo \"$l\" | tr '{{' '\\n' | grep -c x);; esac; \
         n=$((n+1)); echo \"{{\\\"response\\\":{{\\\"x\\\":$((n/11)),\\\"y\\\":$((n%11))}},\\\"debug\\\":\\\"$n\\\"}}\"; {after}; done"
    )
}

#[test]
fn a_botzone_bot_plays_in_both_forms() {
    for stay in [false, true] {
        let script = botzone_bot(stay);
        let launch =
            Launch { program: "sh".into(), args: vec!["-c".into(), script.clone()], ..Launch::default() };
        assert_eq!(detect(&launch).unwrap(), Protocol::Botzone);
        let (_, billed) = times(Protocol::Botzone, &hex::HEX, &script, 3);
        assert_eq!(billed.len(), 3);
    }
}

#[test]
fn starting_up_is_not_billed_in_botzones_protocol() {
    let busy = format!("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; {}", botzone_bot(false));
    let started = Instant::now();
    let (_, billed) = times(Protocol::Botzone, &hex::HEX, &busy, 2);
    assert!(billed.iter().sum::<Duration>() < started.elapsed() / 2, "{billed:?}");
}

#[test]
fn what_a_botzone_bot_says_wrong_is_named() {
    for (answer, problem) in [
        ("hello", "is not JSON"),
        ("{\"x\":1}", "has no field"),
        ("{\"response\":{\"x\":-1,\"y\":-1}}", "-1, -1"),
    ] {
        let launch = Launch {
            program: "sh".into(),
            args: vec!["-c".into(), format!("read l; echo '{answer}'")],
            ..Launch::default()
        };
        let mut program = Program::new(launch, Protocol::Botzone, Vec::new(), Vec::new());
        let (limits, stop, alarm) = (Limits::default(), StopFlag::new(), Alarm::default());
        let allowed = Duration::from_secs(5);
        let request = MoveRequest { limits: &limits, allowed, alarm: &alarm, stop: &stop };
        let position = hex::HEX.position(&Setup::empty(11, 11)).unwrap();
        let fault = program.choose(&*position, &request).unwrap_err();
        assert!(fault.to_string().contains(problem), "{fault}");
        assert!(program.evidence().contains("to engine:"));
    }
}

#[test]
fn the_game_says_which_protocol_its_programs_speak() {
    let games: [(&dyn Game, Protocol); 3] =
        [(&gomoku::GOMOKU, Protocol::Gomocup), (&hex::HEX, Protocol::Htp), (&FIVE, Protocol::Gomocup)];
    for (game, protocol) in games {
        assert_eq!(Protocol::of_game(game), protocol, "{}", game.name());
    }
}
