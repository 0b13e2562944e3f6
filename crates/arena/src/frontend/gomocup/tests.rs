//! Gomocup's protocol through the state machine: answers, refusals, and lines at random.

use super::*;
use crate::frontend::testing::{FIVE, choose, reply_to};
use game::Side;
use proptest::prelude::*;

fn frontend() -> GomocupFrontend {
    GomocupFrontend::new(&FIVE, "scripted", "1", Limits::time(Duration::from_secs(1)))
}

fn started() -> GomocupFrontend {
    let mut frontend = frontend();
    assert_eq!(say(&mut frontend, "START 15"), "OK");
    frontend
}

/// Everything sent for these lines but messages; searches are answered at once.
fn say(frontend: &mut GomocupFrontend, lines: &str) -> String {
    say_with(frontend, lines, &[])
}

fn say_with(frontend: &mut GomocupFrontend, lines: &str, prefers: &[Move]) -> String {
    let mut sent = Vec::new();
    for line in lines.split('|') {
        let text = reply_to(frontend, line, prefers);
        sent.extend(text.lines().filter(|line| !line.starts_with("MESSAGE")).map(str::to_string));
    }
    sent.join("|")
}

fn at(frontend: &GomocupFrontend, x: u8, y: u8) -> Option<Side> {
    frontend.board.as_ref()?.position().at(Cell::new(y, x))
}

fn place(x: u8, y: u8) -> Move {
    Move::Place(Cell::new(y, x))
}

#[test]
fn a_game_goes_back_and_forth() {
    let mut frontend = frontend();
    assert!(say(&mut frontend, "ABOUT").starts_with("name=\"Tengen scripted\", version=\"1\""));
    assert!(say(&mut frontend, "TURN 7,7").starts_with("ERROR no game has been started"));
    assert_eq!(say(&mut frontend, "START 15"), "OK");
    assert_eq!(say_with(&mut frontend, "BEGIN", &[place(7, 7)]), "7,7");
    assert_eq!(say_with(&mut frontend, "turn 8,7", &[place(9, 3)]), "9,3");
    assert_eq!(
        (at(&frontend, 7, 7), at(&frontend, 8, 7), at(&frontend, 9, 3)),
        (Some(Side::Black), Some(Side::White), Some(Side::Black))
    );
    assert_eq!(say(&mut frontend, "PLAY 4,4"), "4,4");
    assert_eq!(at(&frontend, 4, 4), Some(Side::White));
    assert_eq!(say(&mut frontend, "RESTART"), "OK");
    assert_eq!(at(&frontend, 7, 7), None);
}

#[test]
fn bad_lines_are_refused_by_name_and_change_nothing() {
    let mut frontend = started();
    say(&mut frontend, "TURN 7,7");
    let before = frontend.board.as_ref().unwrap().position().hash();
    for (line, reply) in [
        ("TURN 7,7", "ERROR 7,7: "),
        ("TURN 15,0", "ERROR 15,0 is not on the board; accepted: 0,0 to 14,14"),
        ("TURN -1,0", "ERROR -1,0 is not on the board"),
        ("TURN 7", "ERROR '7' is not a point"),
        ("TURN a,b", "ERROR 'a,b' is not a point"),
        ("TURN", "ERROR '' is not a point"),
        ("TURN 99999999999999999999,1", "ERROR "),
        ("BEGIN", "ERROR BEGIN needs an empty board"),
        ("START", "ERROR START: '' is not a size"),
        ("START 4", "ERROR 4x4 is no board"),
        ("START 1000", "ERROR "),
        ("RECTSTART 15,20", "ERROR the board 15,20 is not square"),
        ("RECTSTART x", "ERROR RECTSTART"),
        ("TAKEBACK 3,3", "ERROR 3,3 is not the last stone"),
        ("INFO timeout_turn soon", "ERROR INFO timeout_turn: 'soon' is not a number"),
        ("INFO rule 8", "ERROR five has no rule caro"),
        ("YXNBEST 0", "ERROR YXNBEST"),
        ("DONE", "ERROR DONE ends a list"),
        ("FLY 1,1", "UNKNOWN command 'FLY'; accepted: START, "),
        ("\u{0}\u{7f}é", "UNKNOWN command"),
    ] {
        let said = say(&mut frontend, line);
        assert!(said.starts_with(reply), "{line}: {said}");
        assert_eq!(frontend.board.as_ref().unwrap().position().hash(), before, "{line}");
    }
    assert_eq!(say(&mut frontend, "RECTSTART 15,15"), "OK");
}

#[test]
fn board_gives_the_side_to_move_its_colour() {
    let mut frontend = started();
    assert_eq!(say_with(&mut frontend, "BOARD|7,7,2|8,8,1|9,9,2|DONE", &[place(0, 1)]), "0,1");
    assert_eq!(
        (at(&frontend, 7, 7), at(&frontend, 8, 8), at(&frontend, 0, 1)),
        (Some(Side::Black), Some(Side::White), Some(Side::White))
    );
    assert_eq!(say_with(&mut frontend, "BOARD|8,8,2|7,7,1|DONE", &[place(0, 2)]), "0,2", "counts say black");
    assert_eq!((at(&frontend, 7, 7), at(&frontend, 0, 2)), (Some(Side::Black), Some(Side::Black)));
    assert_eq!(say(&mut frontend, "BOARD|DONE"), "0,0");
    assert_eq!(
        say_with(&mut frontend, "BOARD|7,7,1|9,9,1|1,1,1|DONE", &[place(0, 3)]),
        "0,3",
        "three to nothing"
    );
    assert_eq!(at(&frontend, 0, 3), Some(Side::Black));
}

#[test]
fn a_bad_list_is_refused_once_and_whole() {
    let mut frontend = started();
    say(&mut frontend, "TURN 7,7");
    let before = frontend.board.as_ref().unwrap().position().hash();
    for (lines, reply) in [
        ("BOARD|1,1,1|1,1,2|x|DONE", "ERROR 1,1 appears twice"),
        ("BOARD|1,1|DONE", "ERROR '1,1' is not a point"),
        ("BOARD|1,1,3|DONE", "ERROR '1,1,3': 3 is no player"),
        ("BOARD|1,19,1|DONE", "ERROR 1,19 is not on the board"),
        ("SWAP2BOARD|1,1|DONE", "ERROR SWAP2BOARD with 1 stones; accepted: 0, 3 or 5"),
        ("YXBOARD|,|DONE", "ERROR ',' is not a point"),
        ("BOARD|1,1,1|ABOUT", "ERROR the list before this command was not ended by DONE|name="),
        ("BOARD|END", "ERROR the list before"),
    ] {
        let said = say(&mut frontend, lines);
        assert!(said.starts_with(reply), "{lines}: {said}");
        assert_eq!(frontend.board.as_ref().unwrap().position().hash(), before, "{lines}");
    }
    assert_eq!(
        say(&mut frontend, "BOARD|1,1,2|TURN 5,5"),
        "ERROR the list before this command was not ended by DONE|1,0"
    );
}

#[test]
fn moves_are_taken_back_in_order() {
    let mut frontend = started();
    say(&mut frontend, "TURN 7,7");
    assert_eq!(say(&mut frontend, "TAKEBACK 0,0|TAKEBACK 7,7"), "OK|OK");
    assert!(say(&mut frontend, "TAKEBACK 7,7").starts_with("ERROR there is no move"));
    assert_eq!(say(&mut frontend, "BOARD|7,7,2|DONE|TAKEBACK 0,0|TAKEBACK 7,7"), "0,0|OK|OK");
}

#[test]
fn five_is_noticed_and_play_does_not_go_on() {
    let mut frontend = started();
    let white = [place(0, 9), place(2, 9), place(4, 9), place(6, 9)];
    for x in 0..4 {
        say_with(&mut frontend, &format!("TURN {x},0"), &white);
    }
    assert_eq!(say(&mut frontend, "TURN 4,0"), "ERROR the game is over: black has won by a five");
    assert_eq!(say(&mut frontend, "TURN 9,0"), "ERROR the game is over: black has won by a five");
    assert_eq!(say(&mut frontend, "TAKEBACK 4,0"), "OK");
    assert_eq!(say(&mut frontend, "TURN 9,0"), "4,0");
}

#[test]
fn swap2_has_three_phases() {
    let mut frontend = started();
    assert_eq!(say(&mut frontend, "SWAP2BOARD|DONE"), "0,0 1,0 2,0");
    let opening = "SWAP2BOARD|7,7|8,7|9,9|DONE";
    assert_eq!(say_with(&mut frontend, opening, &[Move::Swap]), "SWAP");
    assert_eq!(say_with(&mut frontend, opening, &[place(8, 8)]), "8,8");
    assert_eq!(at(&frontend, 8, 8), Some(Side::White));
    assert_eq!(say_with(&mut frontend, opening, &[Move::Extend, place(8, 8), place(8, 6)]), "8,8 8,6");
    let five = "SWAP2BOARD|7,7,1|8,7,2|9,9,1|8,8,2|8,6,1|DONE";
    assert_eq!(say_with(&mut frontend, five, &[Move::Swap]), "SWAP");
    assert_eq!(say_with(&mut frontend, five, &[place(6, 8)]), "6,8");
    assert_eq!(say_with(&mut frontend, "BOARD|7,7,1|8,7,2|DONE", &[place(3, 3)]), "3,3", "and play goes on");
}

#[test]
fn an_engine_that_would_rather_have_the_other_colour_swaps() {
    let mut frontend = started();
    say(&mut frontend, "SWAP2BOARD|7,7|8,7|9,9");
    let FrontendStep::Think(job) = frontend.handle("DONE") else { panic!("a search") };
    let mut decision = choose(&[place(8, 8)], &*job.position, &job.limits).unwrap();
    decision.report.win_rate = 0.3;
    let FrontendStep::Say(text) = frontend.answer(Ok(decision), Duration::ZERO) else { panic!("an answer") };
    assert!(text.ends_with("\nSWAP"), "{text}");
}

#[test]
fn an_engine_that_fails_in_swap2_leaves_no_stones() {
    let mut frontend = started();
    assert!(matches!(frontend.handle("SWAP2BOARD"), FrontendStep::Say(_)));
    let FrontendStep::Think(job) = frontend.handle("DONE") else { panic!("a search") };
    let first = choose(&[], &*job.position, &job.limits);
    assert!(matches!(frontend.answer(first, Duration::ZERO), FrontendStep::Think(_)));
    let step = frontend.answer(Err(EngineError::Failed("out of ideas".into())), Duration::ZERO);
    assert!(matches!(step, FrontendStep::Say(text) if text == "ERROR out of ideas"));
    assert!(frontend.board.as_ref().unwrap().stones().is_empty());
}

#[test]
fn a_rule_holds_for_the_board_in_play() {
    let mut frontend = started();
    say(&mut frontend, "TURN 7,7|INFO rule 4");
    assert_eq!(frontend.board.as_ref().unwrap().position().rule(), "renju");
    assert_eq!(at(&frontend, 7, 7), Some(Side::Black));
    assert_eq!(say(&mut frontend, "TAKEBACK 0,0"), "OK");
}

#[test]
fn forbidden_points_are_two_digits_each() {
    let mut frontend = started();
    assert_eq!(say(&mut frontend, "YXSHOWFORBID"), "FORBID .");
    assert_eq!(say(&mut frontend, "INFO rule 2|YXSHOWFORBID"), "FORBID 00000304.");
    assert_eq!(say(&mut frontend, "YXBOARD|7,7,1|DONE|YXSHOWFORBID"), "FORBID .", "white to move");
}

#[test]
fn yixin_boards_end_with_either_players_stone() {
    let mut frontend = started();
    assert_eq!(say(&mut frontend, "YXBOARD|7,7,1|8,8,2|6,6,1|DONE"), "");
    assert_eq!(say_with(&mut frontend, "TURN 5,5", &[place(9, 9)]), "9,9");
    assert_eq!((at(&frontend, 5, 5), at(&frontend, 9, 9)), (Some(Side::White), Some(Side::Black)));
}

#[test]
fn several_lines_are_told_and_the_best_is_played() {
    let mut frontend = started();
    let FrontendStep::Think(job) = frontend.handle("YXNBEST 3") else { panic!("a search") };
    assert_eq!((job.limits.lines, job.reports), (3, true));
    let FrontendStep::Say(text) = frontend.answer(choose(&[], &*job.position, &job.limits), Duration::ZERO)
    else {
        panic!("an answer")
    };
    assert!(text.contains("MESSAGE (1) 12 | 3-5 | a1\nMESSAGE (2) 12 | 3-5 | b1\nMESSAGE (3)"), "{text}");
    assert!(text.ends_with("\n0,0"), "{text}");
    say(&mut frontend, "INFO show_detail 3");
    let FrontendStep::Think(job) = frontend.handle("TURN 3,3") else { panic!("a search") };
    let lines = frontend.report(&choose(&[], &*job.position, &job.limits).unwrap().report);
    for line in ["MESSAGE REALTIME BEST 1,0", "INFO PV 0", "INFO BESTLINE 1,0", "INFO PV DONE"] {
        assert!(lines.lines().any(|other| other == line), "{line} in {lines}");
    }
}

#[test]
fn blocked_points_are_left_out() {
    let mut frontend = started();
    assert_eq!(say(&mut frontend, "YXBLOCK|0,0|1,0|DONE|BEGIN"), "2,0");
    assert_eq!(say(&mut frontend, "RESTART|YXBLOCK|0,0|1,0|DONE|YXBLOCKUNDO|1,0|DONE|BEGIN"), "OK|1,0");
    assert_eq!(say(&mut frontend, "RESTART|YXBLOCK|0,0|DONE|YXBLOCKRESET|BEGIN"), "OK|0,0");
}

#[test]
fn limits_reach_the_engine() {
    let mut frontend = started();
    say(
        &mut frontend,
        "INFO max_depth 7|INFO max_node 5000|INFO thread_num 2|INFO strength 10|INFO timeout_turn 0",
    );
    let FrontendStep::Think(job) = frontend.handle("BEGIN") else { panic!("a search") };
    assert_eq!((job.limits.depth, job.limits.nodes, job.limits.threads), (Some(7), Some(5000), 2));
    assert_eq!(job.limits.level, game::Level::MIN);
    assert!(job.deadline.unwrap() < Duration::from_millis(10));
}

#[test]
fn what_may_not_wait_is_known() {
    let frontend = frontend();
    for (line, urgency) in [
        ("YXSTOP", Urgency::Stop),
        ("stop", Urgency::Stop),
        ("END", Urgency::Leave),
        ("ABOUT", Urgency::Now),
        ("INFO time_left 1000", Urgency::InOrder),
        ("INFO rule 4", Urgency::Wait),
        ("TURN 1,1", Urgency::Wait),
        ("BOARD", Urgency::Wait),
    ] {
        assert_eq!(frontend.urgency(line), urgency, "{line}");
    }
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "(TURN|PLAY|TAKEBACK) [0-9]{1,2},[0-9]{1,2}",
        3 => "(BOARD|YXBOARD|SWAP2BOARD|YXBLOCK|DONE)",
        6 => "[0-9]{1,2},[0-9]{1,2}(,[1-3])?",
        3 => "INFO (rule [0-9]|timeout_turn [0-9]{1,4}|time_left -?[0-9]{1,5}|show_detail [0-5]|[a-z_]{0,9} ?[a-z0-9-]{0,5})",
        2 => "(START [0-9]{1,2}|RECTSTART [0-9]{1,2},[0-9]{1,2}|RESTART|BEGIN|ABOUT|STOP)",
        2 => "YX(STOP|SHOWFORBID|NBEST [0-9]|HASHCLEAR|SHOWINFO|BLOCKRESET|BLOCKUNDO|[A-Z]{0,5})",
        1 => "[^|\\p{C}]{0,30}",
    ]
}

/// How many lines that are neither messages nor details a command is answered by, where it is not refused.
fn replies(line: &str) -> usize {
    let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
    let silent = ["", "INFO", "STOP", "YXSTOP", "YXHASHCLEAR", "YXSHOWINFO", "YXBLOCKRESET"];
    usize::from(!silent.contains(&word.as_str()))
}

proptest! {
    #[test]
    fn every_command_gets_its_reply_and_refusals_change_nothing(lines in prop::collection::vec(line(), 1..60)) {
        let mut frontend = started();
        for line in lines {
            let state = |frontend: &GomocupFrontend| frontend.board.as_ref().map(|t| (t.position().hash(), t.stones()));
            let before = state(&frontend);
            let list = frontend.list.as_ref().map(|list| list.kind);
            let said = say(&mut frontend, &line);
            let said: Vec<&str> = said.split('|').filter(|l| !l.is_empty() && !l.starts_with("INFO ")).collect();
            let refused = said.last().is_some_and(|line| line.starts_with("ERROR") || line.starts_with("UNKNOWN"));
            let over = frontend.board.as_ref().is_some_and(|t| t.position().outcome().is_some());
            if refused && !over {
                prop_assert_eq!(state(&frontend), before, "{}", line);
            }
            if list.is_none() && frontend.list.is_none() && !refused {
                prop_assert_eq!(said.len(), replies(line.trim()), "{} -> {:?}", line, said);
            }
            prop_assert!(said.len() <= 2, "{} -> {:?}", line, said);
        }
    }
}
