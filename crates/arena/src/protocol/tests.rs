//! Which time counts on the clock: programs as shell scripts, asked for moves on the empty board.

use super::*;
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
