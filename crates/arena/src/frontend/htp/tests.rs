//! HTP through the state machine: answers, refusals, and lines at random.

use super::*;
use crate::frontend::testing::{FIVE, reply_to};
use game::Cell;
use proptest::prelude::*;

fn frontend() -> HtpFrontend {
    let mut frontend =
        HtpFrontend::new(&FIVE, "scripted", "1", Limits::time(Duration::from_secs(1))).unwrap();
    assert_eq!(say(&mut frontend, "boardsize 11"), "=\n");
    frontend
}

fn say(frontend: &mut HtpFrontend, line: &str) -> String {
    reply_to(frontend, line, &[])
}

#[test]
fn ids_are_echoed() {
    let mut frontend = frontend();
    assert_eq!(say(&mut frontend, "12 name"), "=12 Tengen scripted\n");
    assert_eq!(say(&mut frontend, "7 genmove b"), "=7 a1\n");
    assert!(say(&mut frontend, "8 play b a1").starts_with("?8 a1 is occupied"));
    assert!(say(&mut frontend, "9 fly").starts_with("?9 unknown command 'fly'"));
    assert!(say(&mut frontend, "10").starts_with("?10 "));
    assert_eq!(say(&mut frontend, "# only a comment"), "");
    assert_eq!(say(&mut frontend, "version # and more"), "= 1\n");
}

#[test]
fn commands_are_listed_and_known() {
    let mut frontend = frontend();
    let listed = say(&mut frontend, "list_commands");
    for command in listed.lines().skip(1).filter(|line| !line.is_empty()) {
        assert_eq!(say(&mut frontend, &format!("known_command {command}")), "= true\n");
        let answer = say(&mut frontend, command);
        assert!(!answer.contains("unknown command"), "{command}: {answer}");
    }
    assert_eq!(say(&mut frontend, "known_command fly"), "= false\n");
}

#[test]
fn columns_come_before_rows() {
    let mut frontend = frontend();
    assert_eq!(say(&mut frontend, "boardsize 7 9"), "=\n");
    assert_eq!((frontend.board.position().cols(), frontend.board.position().rows()), (7, 9));
    assert_eq!(say(&mut frontend, "play b g9"), "=\n");
    assert!(say(&mut frontend, "play w h1").starts_with("? "), "column h is off a board of 7 columns");
    for bad in ["boardsize", "boardsize 0", "boardsize 300", "boardsize 11 x", "boardsize 1 2 3"] {
        assert!(say(&mut frontend, bad).starts_with("? "), "{bad}");
        assert_eq!(frontend.board.position().cols(), 7, "{bad} changes nothing");
    }
}

#[test]
fn play_and_genmove_take_either_colour() {
    let mut frontend = frontend();
    for line in ["play b a1", "play black b1", "play RED c1", "play w d4"] {
        assert_eq!(say(&mut frontend, line), "=\n", "{line}");
    }
    assert_eq!(reply_to(&mut frontend, "genmove w", &[Cell::new(8, 8).into()]), "= i9\n");
    let position = frontend.board.position();
    assert_eq!(position.at(Cell::new(0, 2)), Some(Side::Black));
    assert_eq!(position.at(Cell::new(8, 8)), Some(Side::White));
    assert_eq!(reply_to(&mut frontend, "reg_genmove b", &[Cell::new(9, 9).into()]), "= j10\n");
    assert_eq!(frontend.board.position().at(Cell::new(9, 9)), None, "only asked");
    for _ in 0..5 {
        assert_eq!(say(&mut frontend, "undo"), "=\n");
    }
    assert!(frontend.board.stones().is_empty());
    assert!(say(&mut frontend, "undo").starts_with("? cannot undo"));
}

#[test]
fn both_kinds_of_swap_are_understood() {
    let mut frontend = frontend();
    say(&mut frontend, "play b d2");
    assert_eq!(say(&mut frontend, "play w swap-pieces"), "=\n");
    assert_eq!(frontend.board.stones(), [(Side::White, Cell::new(3, 1))]);
    assert_eq!(frontend.board.position().to_move(), Side::Black);
    assert_eq!(say(&mut frontend, "undo"), "=\n");
    assert_eq!(frontend.board.stones(), [(Side::Black, Cell::new(1, 3))]);
    assert_eq!(say(&mut frontend, "play w swap-sides"), "=\n");
    assert_eq!(frontend.board.stones(), [(Side::Black, Cell::new(1, 3))]);
    assert!(say(&mut frontend, "play w swap-pieces").starts_with("? "), "not twice");

    say(&mut frontend, "clear_board");
    assert!(say(&mut frontend, "play b swap").starts_with("? "), "nothing to swap");
    say(&mut frontend, "play b d2");
    assert!(say(&mut frontend, "play b swap").starts_with("? "), "not one's own stone");
    assert_eq!(say(&mut frontend, "play w swap"), "=\n");
}

#[test]
fn the_engine_swaps_only_when_allowed() {
    let mut frontend = frontend();
    say(&mut frontend, "play b d2");
    assert_eq!(reply_to(&mut frontend, "genmove w", &[Move::Swap]), "= a1\n");
    say(&mut frontend, "clear_board");
    assert_eq!(say(&mut frontend, "param_game allow_swap 1"), "=\n");
    say(&mut frontend, "play b d2");
    assert_eq!(reply_to(&mut frontend, "genmove w", &[Move::Swap]), "= swap-pieces\n");
    assert!(say(&mut frontend, "param_game").contains("[bool] allow_swap 1\n"));
}

#[test]
fn time_is_set_in_three_ways() {
    let mut frontend = frontend();
    let time = |frontend: &mut HtpFrontend| match frontend.handle("genmove b") {
        FrontendStep::Think(job) => (job.limits.move_time, job.limits.clock.map(|clock| clock.left)),
        other => panic!("{other:?}"),
    };
    say(&mut frontend, "param_tengen max_time 2");
    assert!(time(&mut frontend).0.unwrap() > Duration::from_millis(1900));
    say(&mut frontend, "time_settings 300 0 0");
    assert_eq!(time(&mut frontend).1, Some(Duration::from_secs(300)));
    say(&mut frontend, "time_left b 10");
    assert_eq!(time(&mut frontend).1, Some(Duration::from_secs(10)));
    assert!(time(&mut frontend).0.unwrap() < Duration::from_secs(1));
    say(&mut frontend, "time_left b 10 5");
    assert!(time(&mut frontend).0.unwrap() > Duration::from_millis(1900));
    for bad in [
        "time_left",
        "time_left b",
        "time_left b -1",
        "time_left b nan",
        "time_left b 1e300",
        "time_settings 1",
    ] {
        assert!(say(&mut frontend, bad).starts_with("? "), "{bad}");
    }
}

#[test]
fn hexgui_finds_lines_rates_and_layers() {
    let mut frontend = frontend();
    let menu = say(&mut frontend, "hexgui-analyze_commands");
    for line in [
        "var/Principal Line/tengen-pv",
        "pspairs/Win Rates/tengen-win_rates",
        "pspairs/Bridges/tengen-layer bridges",
        "pspairs/Resistance/tengen-layer resistance",
    ] {
        assert!(menu.lines().any(|other| other.trim_start_matches("= ") == line), "{line} in {menu}");
    }
    assert_eq!(say(&mut frontend, "tengen-pv"), "= a1\n");
    assert_eq!(say(&mut frontend, "tengen-win_rates w"), "= a1 0.600\n");
    assert_eq!(say(&mut frontend, "tengen-layer resistance"), "= c2 0.50\n");
    assert_eq!(say(&mut frontend, "tengen-layer bridges"), "= c1 B d1 B\n");
    assert!(say(&mut frontend, "tengen-layer moon").contains("accepted: resistance, bridges"));
}

#[test]
fn a_finished_game_is_scored_and_refuses_moves() {
    let mut frontend = frontend();
    assert!(say(&mut frontend, "final_score").starts_with("? cannot score"));
    for line in ["play b a1", "play b a2", "play b a3", "play b a4", "play b a5"] {
        assert_eq!(say(&mut frontend, line), "=\n");
    }
    assert_eq!(say(&mut frontend, "final_score"), "= B+\n");
    assert_eq!(say(&mut frontend, "winner"), "= black\n");
    assert!(say(&mut frontend, "genmove w").starts_with("? the game is over: black has won"));
    assert!(say(&mut frontend, "play w k11").starts_with("? the game is over"));
    assert_eq!(say(&mut frontend, "undo"), "=\n");
    assert_eq!(say(&mut frontend, "winner"), "= none\n");
}

#[test]
fn a_drawn_board_has_no_empty_line() {
    let mut frontend = frontend();
    let board = say(&mut frontend, "showboard");
    assert_eq!(board.lines().count(), 12, "the sign and eleven rows: {board}");
    assert!(board.lines().all(|line| !line.is_empty()));
}

fn line() -> impl Strategy<Value = String> {
    let command = prop::sample::select(COMMANDS.to_vec()).prop_filter("stay", |name| *name != "quit");
    prop_oneof![
        6 => "(play|genmove) (b|w|red|x) ([a-m][0-9]{1,2}|swap|swap-pieces|swap-sides|resign)?",
        3 => (command, "[ a-z0-9.-]{0,12}").prop_map(|(name, rest)| format!("{name} {rest}")),
        1 => "undo|clear_board|boardsize [0-9]{1,3} ?[0-9]{0,2}",
        1 => "[0-9]{0,12} ?\\PC{0,20}",
    ]
}

proptest! {
    #[test]
    fn every_command_gets_one_answer_and_refusals_change_nothing(lines in prop::collection::vec(line(), 1..40)) {
        let mut frontend = frontend();
        for line in lines {
            let before = (frontend.board.position().hash(), frontend.board.stones());
            let answer = say(&mut frontend, &line);
            let empty = line.split('#').next().unwrap_or_default().trim().is_empty();
            prop_assert_eq!(answer.is_empty(), empty, "{} -> {}", line, answer);
            if !empty {
                prop_assert!(answer.starts_with(['=', '?']) && answer.ends_with('\n'));
                prop_assert!(!answer.trim_end().contains("\n\n"), "an answer ends at its first empty line");
            }
            if answer.starts_with('?') {
                prop_assert_eq!((frontend.board.position().hash(), frontend.board.stones()), before, "{}", line);
            }
        }
    }
}

#[test]
fn a_game_without_a_solver_says_so() {
    let mut frontend = frontend();
    assert_eq!(say(&mut frontend, "dfpn-solve-state"), "? there is no solver for five\n");
    assert!(say(&mut frontend, "dfpn-solver-find-winning b w").starts_with("? one colour"));
    assert!(!say(&mut frontend, "hexgui-analyze_commands").contains("dfpn"));
}
