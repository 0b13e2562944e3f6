//! `tengen play` in a pipe, with the real games.

use assert_cmd::Command;
use std::path::Path;

fn talk(args: &[&str], input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    let done = command.arg("play").args(args).write_stdin(input).assert().success();
    assert!(done.get_output().stderr.is_empty());
    String::from_utf8(done.get_output().stdout.clone()).unwrap()
}

fn refused(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    let done = command.arg("play").args(args).write_stdin("").assert().failure();
    assert!(done.get_output().stdout.is_empty());
    String::from_utf8(done.get_output().stderr.clone()).unwrap()
}

fn sgf(dir: &Path, name: &str) -> String {
    dir.join(name).display().to_string()
}

#[test]
fn two_persons_play_hex_to_the_end() {
    let moves = "b1 a2 b2 a3 b3\nc3\nundo\nshow\n";
    let said = talk(&["hex", "--engine", "human", "--size", "3"], moves);
    assert!(said.contains("game over: black wins by joining both edges"), "{said}");
    assert!(said.contains("error: the game is over"), "{said}");
    assert!(said.contains("move 5: black (player 1) to play"), "{said}");
}

#[test]
fn hex_swaps_pieces_only_when_it_may() {
    let said = talk(
        &["hex", "--engine", "human", "--size", "5", "--opening", "swap-pieces"],
        "swap\nb1\nshow\nswap\nshow\nswap\n",
    );
    assert_eq!(said.matches("error: ").count(), 2, "{said}");
    assert!(said.contains("to play, or swap"), "{said}");
    assert!(said.contains("white plays swap-pieces"), "{said}");
}

#[test]
fn a_saved_hex_game_goes_on_where_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let file = sgf(dir.path(), "game.sgf");
    let table = ["hex", "--engine", "human", "--size", "7", "--opening", "swap-pieces"];
    let said = talk(&table, &format!("b1\nswap\nd4\nc3\nsave {file}\n"));
    assert!(said.contains(&format!("saved {file}")), "{said}");
    let on = talk(&[&table[..], &["--load", &file]].concat(), "undo\nd5\nshow\n");
    assert!(on.contains("move 5: black"), "{on}");
    assert!(on.contains("white plays d5"), "{on}");
}

#[test]
fn the_hex_engine_answers_hints_and_evaluates() {
    let table = ["hex", "--size", "5", "--nodes", "2000", "--level", "easy", "--seed", "7"];
    let said = talk(&table, "c3\nhint\neval\nundo\nshow\nshow bridges\n");
    assert!(said.contains("black plays c3\nwhite plays "), "{said}");
    assert!(said.contains("hint: ") && said.contains("for black: "), "{said}");
    assert!(said.contains("move 1: black (you) to play"), "{said}");
    assert!(!said.contains("error: "), "{said}");
}

#[test]
fn the_hex_engine_begins_and_the_game_is_repeatable() {
    let table = ["hex", "--size", "5", "--side", "white", "--nodes", "1000", "--seed", "3"];
    let game = || talk(&table, "show\nresign\n");
    assert_eq!(game(), game());
    assert!(game().contains("game over: black wins: white resigned"));
}

#[test]
fn two_persons_play_gomoku_with_swap2_and_save_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = sgf(dir.path(), "game.sgf");
    let table = ["gomoku", "--engine", "human", "--opening", "swap2"];
    let said = talk(&table, &format!("h8 h9 i7\nextend\ng7 k4\nswap\nextend\nsave {file}\n"));
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
    let on = talk(&[&table[..], &["--load", &file]].concat(), "undo\nshow\n");
    assert!(on.contains("move 7: white (player 1) to play, or swap"), "{on}");
}

#[test]
fn renju_names_forbidden_points_and_five_wins() {
    let table = ["gomoku", "--engine", "human", "--rule", "renju"];
    // Black's stones on row 8 and column h make h8 a double three.
    let said = talk(&table, "g8 a1 i8 a3 h7 a5 h9 a7\nshow\n");
    assert!(said.contains("forbidden: h8"), "{said}");
    let won = talk(&table, "d4 a1 e4 a2 f4 a3 g4 a5 h4\na9\n");
    assert!(won.contains("game over: black wins with five in a row"), "{won}");
    assert!(won.contains("error: the game is over"), "{won}");
}

#[test]
fn bad_arguments_are_named() {
    assert!(refused(&["chess"]).contains("unknown game 'chess'; accepted: "));
    assert!(refused(&["hex", "--engine", "nobody"]).contains("unknown hex engine 'nobody'"));
    assert!(refused(&["hex", "--size", "99"]).starts_with("tengen: "));
    assert!(refused(&["hex", "--clock", "soon"]).contains("accepted: MINUTES"));
    assert!(refused(&["hex", "--side", "green"]).contains("accepted: black, white"));
    assert!(refused(&["hex", "--engine", "human", "--load", "no-such.sgf"]).contains("no-such.sgf"));
}

/// A terminal that goes away ends the game on its screen; it used to spin forever.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_that_hangs_up_ends_the_program() {
    use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
    use std::io::Read;
    use std::time::{Duration, Instant};

    // Closed in the child, or the terminal would never hang up.
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let master = openpt(flags).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let end = ioctl_tiocgptpeer(&master, flags).unwrap();
    let size = rustix::termios::Winsize { ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 };
    rustix::termios::tcsetwinsize(&end, size).unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["play", "hex", "--engine", "human", "--size", "5"])
        .stdin(end.try_clone().unwrap())
        .stdout(end.try_clone().unwrap())
        .stderr(end)
        .spawn()
        .unwrap();
    let mut screen = std::fs::File::from(master);
    let mut drawn = Vec::new();
    while !String::from_utf8_lossy(&drawn).contains("\u{1b}[?1049h") {
        let mut bytes = [0; 4096];
        let read = screen.read(&mut bytes).unwrap();
        drawn.extend_from_slice(&bytes[..read]);
    }
    drop(screen);
    let started = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            // Far more than a busy machine needs to leave a loop of 50 ms.
            None if started.elapsed() > Duration::from_secs(60) => {
                child.kill().unwrap();
                panic!("still running a minute after its terminal went");
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    assert_eq!(status.code(), Some(1));
}
