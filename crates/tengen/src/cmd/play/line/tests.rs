//! Line mode in a pipe: what goes in, what comes out.

use super::*;
use crate::cmd::play::tictactoe::{session, setup};
use game::Side;

fn talk(engine: &str, opening: &str, human: Option<Side>, input: &str) -> String {
    let mut session = session(engine, opening, human);
    let mut out = Vec::new();
    let look = Look { colour: false, prompt: false };
    run(&mut session, &setup(opening), &look, input.as_bytes(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_game_against_the_engine() {
    let said = talk("first", "", Some(Side::Black), "b2\nc1\nshow\n");
    let expected = "\
tictactoe 3x3 plain; type help for commands
black: you
white: first
...
...
...
move 1: black (you) to play
black plays b2
white plays a3  50 % (0)
black plays c1
white plays b3  50 % (0)
OO.
.X.
..X
move 5: black (you) to play
";
    assert_eq!(said, expected);
}

#[test]
fn the_end_is_told_once() {
    let said = talk("first", "", None, "a1 a3 b1 b3 c1\nhelp\nc3\nundo\nc1\nquit\nb2\n");
    assert_eq!(said.matches("game over: black wins").count(), 2, "{said}");
    assert!(said.contains("error: the game is over; undo or start a new one"));
    assert!(!said.contains("plays b2"));
}

#[test]
fn bad_lines_are_answered_and_change_nothing() {
    let long = "x".repeat(10_000);
    let input = format!(
        "z9\nb2\nb2\nswap\nextend\nundo undo\nsave\nload\nload /no/such/file\nshow what\n{long}\nshow\n"
    );
    let said = talk("first", "", None, &input);
    assert_eq!(said.matches("error: ").count(), 9, "{said}");
    assert!(said.contains("error: 'z9' is not a move; accepted: a1 to c3"));
    assert!(said.contains("error: b2 is occupied"));
    assert!(said.contains("error: save needs a file name"));
    assert!(said.contains("error: /no/such/file: "));
    assert!(said.contains("error: cannot show 'what'; accepted: corners"));
    assert!(said.contains("error: a line of more than 4096 bytes"));
}

#[test]
fn text_that_is_not_utf8_is_refused() {
    let mut session = session("first", "", None);
    let mut out = Vec::new();
    let look = Look { colour: false, prompt: false };
    run(&mut session, &setup(""), &look, &b"\xff\xfe\nb2"[..], &mut out).unwrap();
    let said = String::from_utf8(out).unwrap();
    assert!(said.contains("error: the line is not UTF-8 text\nblack plays b2\n"), "{said}");
}

#[test]
fn swap_is_offered_and_taken() {
    let said = talk("first", "swap", Some(Side::White), "show\nswap\n");
    assert!(said.contains("move 2: white (you) to play, or swap"), "{said}");
    assert!(said.ends_with("white plays swap\nwhite plays b3  50 % (0)\n"), "{said}");
}

#[test]
fn hint_evaluation_and_resignation() {
    let said = talk("first", "", Some(Side::Black), "hint\neval\nresign\nhint\nundo\nnew\n");
    assert!(said.contains("hint: a3\nfor black: 50 % (0), depth 1, 9 nodes\n  50 % (0)  a3\n"), "{said}");
    assert!(said.contains("game over: white wins: black resigned\nerror: the game is over"), "{said}");
    assert!(said.ends_with("move 1: black (you) to play\n"), "{said}");
}

#[test]
fn an_engine_that_fails_does_not_hang_the_game() {
    let said = talk("cheat", "", Some(Side::Black), "b2\nshow\nundo\nshow\n");
    assert!(said.contains("error: cheat chose b2: b2 is occupied; undo, or start a new game"), "{said}");
    assert!(said.ends_with("move 1: black (you) to play\n"), "{said}");
}

#[test]
fn saving_does_not_replace_a_stranger() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("g.sgf");
    let name = file.display();
    let input = format!(
        "b2 a1\nsave {name}\nc1\nsave {name}\nnew\nb2\nsave {name}\nload {name}\nshow\nsave! {name}\n"
    );
    let said = talk("first", "", None, &input);
    assert_eq!(said.matches(&format!("saved {name}")).count(), 3, "{said}");
    assert!(said.contains(&format!("error: {name} exists; `save! {name}` replaces it")), "{said}");
    assert!(said.contains("...\n.X.\nO.X\nforbidden: b3\nmove 4"), "{said}");
}
