//! The frontends with the real games: what the small game of the unit tests cannot show.

use arena::frontend::{Frontend, GomocupFrontend, HtpFrontend, LineFrontend, serve};
use game::{Decision, Engine, EngineError, Game, Limits, Move, Options, Position, Report, Watch};
use std::io::Cursor;
use std::time::{Duration, Instant};

/// Plays the legal point nearest to the centre, at once.
struct Centre;

impl Engine for Centre {
    fn name(&self) -> &str {
        "centre"
    }

    fn think(
        &mut self,
        position: &dyn Position,
        limits: &Limits,
        _watch: &Watch,
        _report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        let far = |mv: &Move| {
            let cell = mv.cell().map(|cell| (i32::from(cell.row), i32::from(cell.col)));
            let centre = (i32::from(position.rows()) / 2, i32::from(position.cols()) / 2);
            cell.map_or(i32::MAX, |(row, col)| (row - centre.0).pow(2) + (col - centre.1).pow(2))
        };
        let forbidden = position.forbidden();
        let free =
            |mv: &Move| limits.allows(*mv) && !forbidden.iter().any(|(cell, _)| Some(*cell) == mv.cell());
        let mv = position.legal_moves().into_iter().filter(free).min_by_key(far);
        let mv = mv.ok_or_else(|| EngineError::NoMove("no point is left".into()))?;
        Ok(Decision { mv, report: Report { win_rate: 0.5, ..Report::default() } })
    }
}

/// Everything the frontend answers to these lines, without messages.
fn talk(frontend: impl Frontend, lines: &[&str]) -> Vec<String> {
    talk_with(Box::new(Centre), frontend, lines)
}

fn talk_with(engine: Box<dyn Engine>, mut frontend: impl Frontend, lines: &[&str]) -> Vec<String> {
    let mut output = Vec::new();
    let input = Cursor::new(lines.join("\n").into_bytes());
    serve(&mut frontend, engine, input, &mut output, &|| false).expect("memory can be written to");
    let text = String::from_utf8(output).expect("text");
    text.lines().filter(|line| !line.starts_with("MESSAGE")).map(str::to_string).collect()
}

fn gomocup(lines: &[&str]) -> Vec<String> {
    talk(GomocupFrontend::new(&gomoku::GOMOKU, "centre", "1", Limits::default()), lines)
}

fn htp(lines: &[&str]) -> Vec<String> {
    let answers =
        talk(HtpFrontend::new(&hex::HEX, "centre", "1", Limits::default()).expect("a board"), lines);
    answers.into_iter().filter(|line| !line.is_empty()).collect()
}

fn line(size: u8, lines: &[&str]) -> Vec<String> {
    talk(LineFrontend::new(&hex::HEX, size, size, Limits::default()).expect("a board"), lines)
}

#[test]
fn gomoku_boards_have_their_sizes() {
    let replies =
        gomocup(&["START 4", "START 5", "START 22", "START 23", "RECTSTART 15,20", "START 20", "BEGIN"]);
    assert!(replies[0].starts_with("ERROR ") && replies[3].starts_with("ERROR "), "{replies:?}");
    assert_eq!((&replies[1][..], &replies[2][..]), ("OK", "OK"));
    assert!(replies[4].starts_with("ERROR the board 15,20 is not square"));
    assert_eq!(replies[5..], ["OK", "10,10"]);
}

#[test]
fn a_five_is_noticed_and_play_does_not_go_on() {
    let mut lines =
        vec!["START 15", "BOARD", "0,0,2", "0,14,1", "1,0,2", "2,14,1", "2,0,2", "4,14,1", "3,0,2", "DONE"];
    lines.extend(["TURN 4,0", "TURN 5,5", "RESTART", "TURN 7,7"]);
    let replies = gomocup(&lines);
    assert_eq!(replies[1], "7,7");
    assert_eq!(replies[2], "ERROR the game is over: black has won by a five");
    assert_eq!(replies[3], replies[2]);
    assert_eq!(replies[4..], ["OK", "7,6"]);
}

#[test]
fn renju_is_said_in_both_ways_and_shows_its_forbidden_points() {
    // Two open threes cross at 7,7: forbidden for black under Renju only.
    let board = [
        "YXBOARD",
        "7,5,1",
        "0,0,2",
        "7,6,1",
        "0,2,2",
        "5,7,1",
        "0,4,2",
        "6,7,1",
        "0,6,2",
        "DONE",
        "YXSHOWFORBID",
    ];
    for (rule, forbidden) in
        [("0", "FORBID ."), ("1", "FORBID ."), ("2", "FORBID 0707."), ("4", "FORBID 0707.")]
    {
        let info = format!("INFO rule {rule}");
        let mut lines = vec!["START 15", &info];
        lines.extend(board);
        assert_eq!(gomocup(&lines), ["OK", forbidden], "rule {rule}");
    }
}

#[test]
fn an_answer_comes_when_the_only_block_is_forbidden() {
    // White's four 3,10 to 6,10 is blocked at 2,10; its other end is 7,10, where black has two open threes.
    let stones =
        ["7,8,1", "3,10,2", "7,9,1", "4,10,2", "9,12,1", "5,10,2", "8,11,1", "6,10,2", "2,10,1", "14,14,2"];
    let mut lines = vec!["START 15", "INFO rule 4", "YXBOARD"];
    lines.extend(stones);
    lines.extend(["DONE", "YXSHOWFORBID", "BOARD"]);
    lines.extend(stones);
    lines.push("DONE");
    let since = Instant::now();
    let replies = gomocup(&lines);
    assert_eq!(replies[1], "FORBID 0710.");
    assert!(replies[2].contains(',') && !replies[2].starts_with("ERROR"), "{replies:?}");
    assert!(since.elapsed() < Duration::from_secs(5));
}

#[test]
fn swap2_goes_through_its_three_phases_with_the_real_rules() {
    let three = gomocup(&["START 15", "SWAP2BOARD", "DONE"]);
    assert_eq!(three[1].split(' ').count(), 3, "{three:?}");
    let four = gomocup(&["START 15", "SWAP2BOARD", "7,7", "8,7", "9,9", "DONE", "TURN 3,3"]);
    assert_eq!(four.len(), 3, "stays white with one stone, and play goes on: {four:?}");
    assert!(four[1..].iter().all(|line| line.split(' ').count() == 1 && line.contains(',')), "{four:?}");
    let six = gomocup(&["START 15", "SWAP2BOARD", "7,7", "8,7", "9,9", "8,8", "8,6", "DONE"]);
    assert_eq!(six[1].split(' ').count(), 1, "{six:?}");
    assert!(
        gomocup(&["START 15", "SWAP2BOARD", "7,7", "7,7", "9,9", "DONE"])[1]
            .starts_with("ERROR 7,7 appears twice")
    );
}

#[test]
fn hex_boards_may_be_rectangles() {
    let answers = htp(&[
        "boardsize 4 2",
        "play b d2",
        "play b e1",
        "play b d3",
        "play b d1",
        "winner",
        "undo",
        "winner",
    ]);
    assert_eq!(answers[..2], ["=", "="]);
    assert!(answers[2].starts_with("? ") && answers[3].starts_with("? "), "{answers:?}");
    assert_eq!(answers[4..], ["=", "= black", "=", "= none"]);
    let answers = htp(&["boardsize 0", "boardsize 20", "boardsize 1", "genmove b", "winner", "genmove w"]);
    assert!(answers[0].starts_with("? ") && answers[1].starts_with("? "), "{answers:?}");
    assert_eq!(answers[2..5], ["=", "= a1", "= black"]);
    assert!(answers[5].starts_with("? the game is over: black has won by connection"));
}

#[test]
fn hex_swaps_are_both_understood() {
    let pieces = htp(&[
        "boardsize 5",
        "play b d2",
        "play w swap-pieces",
        "play b b4",
        "play b d2",
        "undo",
        "undo",
        "undo",
    ]);
    assert_eq!(pieces[..3], ["=", "=", "="]);
    assert!(pieces[3].starts_with("? b4 is occupied"), "the stone was mirrored: {pieces:?}");
    assert_eq!(pieces[4..], ["=", "=", "=", "="]);
    let sides = htp(&["boardsize 5", "play b d2", "play w swap-sides", "play w d2", "genmove w"]);
    assert!(sides[3].starts_with("? d2 is occupied"), "the stone stays: {sides:?}");
    assert_eq!(sides[4], "= c3");
    let wrong =
        htp(&["boardsize 5 4", "play b d2", "play w swap-pieces", "play w swap-sides", "play b swap"]);
    assert!(wrong[2].starts_with("? swap-pieces mirrors the stone and needs a square board"), "{wrong:?}");
    assert_eq!(wrong[3], "=");
    assert!(wrong[4].starts_with("? "));
}

#[test]
fn hex_boards_are_shown_without_empty_lines() {
    let answers = talk(
        HtpFrontend::new(&hex::HEX, "centre", "1", Limits::default()).expect("a board"),
        &["boardsize 3", "play b a1", "showboard", "name"],
    );
    assert_eq!(
        answers.iter().filter(|line| line.is_empty()).count(),
        4,
        "one after each answer: {answers:?}"
    );
    assert_eq!(answers.iter().filter(|line| line.starts_with('=')).count(), 4);
}

#[test]
fn a_whole_game_of_hex_by_lines() {
    let replies = line(3, &["first", "b2", "hello", "a3", "c3", "first", "finish", "a2"]);
    assert_eq!(replies[0], "b2");
    assert!(replies[1].starts_with("error: 'b2': b2 is occupied"), "{replies:?}");
    assert!(replies[2].starts_with("error: 'hello': "), "{replies:?}");
    assert!(!replies[3].starts_with("error"), "{replies:?}");
    assert_eq!(replies.last().map(String::as_str), Some("game over"));
    assert_eq!(replies.len(), 7, "one line each, and silence after finish: {replies:?}");
}

#[test]
fn change_mirrors_the_opening_stone() {
    let replies = line(5, &["first", "change", "c3", "finish"]);
    assert_eq!(replies[0], "c3");
    assert_ne!(replies[1], "c3", "the mirrored stone of the centre stays there, and is white's");
    assert!(replies[2].contains("c3 is occupied"));
}

/// CPU time of this process, all threads together: unlike wall time it does not depend on what else the machine does.
fn cpu_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

#[test]
fn every_gomoku_engine_keeps_the_clock_of_gomocup() {
    assert!(!gomoku::GOMOKU.engines().is_empty());
    for info in gomoku::GOMOKU.engines() {
        for turn in [0, 100] {
            let engine = (info.make)(&Options::new()).expect("an engine without options");
            let frontend = GomocupFrontend::new(&gomoku::GOMOKU, info.name, "1", Limits::default());
            let before = cpu_time();
            let turn_line = format!("INFO timeout_turn {turn}");
            let replies = talk_with(
                engine,
                frontend,
                &["START 15", &turn_line, "TURN 7,7", "TURN 0,0", "TURN 14,14", "TURN 0,14"],
            );
            let points = replies.iter().filter(|line| line.split(',').all(|word| word.parse::<u8>().is_ok()));
            assert_eq!(points.count(), 4, "{}: {replies:?}", info.name);
            let (taken, promised) = (cpu_time() - before, Duration::from_millis(4 * (turn + 30)));
            assert!(taken < promised, "{} at {turn} ms: {taken:?} of CPU time", info.name);
        }
    }
}

#[test]
fn every_hex_engine_plays_whole_games_by_htp_and_by_lines() {
    assert!(!hex::HEX.engines().is_empty());
    for info in hex::HEX.engines() {
        let engine = || (info.make)(&Options::new()).expect("an engine without options");
        let limits = Limits::time(Duration::from_millis(20));
        let frontend = HtpFrontend::new(&hex::HEX, info.name, "1", limits.clone()).expect("a board");
        let mut lines = vec!["boardsize 3"];
        lines.extend(["genmove b", "genmove w"].repeat(5));
        lines.extend(["winner", "tengen-layer bridges", "undo", "tengen-pv", "tengen-win_rates"]);
        let answers = talk_with(engine(), frontend, &lines);
        let answers: Vec<_> = answers.iter().filter(|line| !line.is_empty()).collect();
        assert_eq!(answers.len(), lines.len(), "{}: {answers:?}", info.name);
        assert!(["= black", "= white"].contains(&answers[11].as_str()), "{}: {answers:?}", info.name);
        assert!(answers[12..].iter().all(|line| line.starts_with('=')), "{}: {answers:?}", info.name);

        let frontend = LineFrontend::new(&hex::HEX, 3, 3, limits).expect("a board");
        let replies = talk_with(engine(), frontend, &["a3", "hello", "finish"]);
        assert!(!replies[0].starts_with("error"), "{}: {replies:?}", info.name);
        assert!(replies[1].starts_with("error: ") && replies[2] == "game over", "{}: {replies:?}", info.name);
    }
}
