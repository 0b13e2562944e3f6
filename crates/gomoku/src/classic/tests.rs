//! The documents' published figures, and what the levels promise.

use crate::{GOMOKU, Position};
use ::game::{Cell, Decision, Game, Level, Limits, Move, Options, Position as Door, Setup, Watch};
use std::path::PathBuf;

fn level_file(name: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/levels").join(name);
    std::fs::read_to_string(path).ok()
}

fn think(engine: &str, options: &[(&str, &str)], position: &dyn Door, limits: &Limits) -> Decision {
    let info = GOMOKU.engines().iter().find(|info| info.name == engine).expect("listed");
    let options: Options = options.iter().copied().collect();
    let mut engine = (info.make)(&options).expect("options");
    engine.think(position, limits, &Watch::default(), &mut |_| {}).expect("a move")
}

fn parse(text: &str) -> Box<dyn Door> {
    GOMOKU.parse(text, &Setup::empty(15, 15)).expect("a position")
}

/// Level 16 as its figures describe it: S1's own check position, rebuilt here so that the test needs no file.
const LEVEL_16: &str = "\
...............
...............
...............
...............
......OX.O.....
......O........
....OX..X.OX...
.......XO.X....
...............
...............
...............
...............
...............
...............
...............
";

#[test]
fn s1_reproduces_its_published_root_table() {
    let position = parse(LEVEL_16);
    let decision = think("classic-ac", &[], &*position, &Limits::depth(5));
    assert_eq!(decision.mv, Move::Place(Cell::new(6, 7)));
    assert_eq!(decision.report.score, 3720.0);
    assert_eq!(decision.report.nodes, 3941);
    let table: Vec<(u8, u8, f64)> = decision
        .report
        .root
        .iter()
        .map(|row| (row.mv.cell().unwrap().row, row.mv.cell().unwrap().col, row.score))
        .collect();
    assert_eq!(
        table,
        [
            (8, 9, 1100.0),
            (5, 9, 1100.0),
            (8, 6, 1100.0),
            (5, 12, 1100.0),
            (6, 7, 3720.0),
            (5, 7, 3720.0),
            (5, 8, 3720.0),
            (6, 9, 3720.0),
            (9, 5, 3720.0),
            (4, 10, 3720.0),
            (4, 13, 3720.0),
        ]
    );
    assert!(decision.report.prune_ratio().is_some_and(|ratio| ratio > 0.999));
}

#[test]
fn s1_without_ordering_and_truncation_visits_67_times_more() {
    let position = parse(LEVEL_16);
    let options = [("ordering", "off"), ("width", "all")];
    let decision = think("classic-ac", &options, &*position, &Limits::depth(4));
    assert_eq!(decision.mv, Move::Place(Cell::new(8, 6)));
    assert_eq!(decision.report.score, -560.0);
    assert_eq!(decision.report.nodes, 265_187);
}

#[test]
fn pruning_changes_the_work_and_not_the_value() {
    let position = parse(LEVEL_16);
    let pruned = think("classic-ac", &[("width", "6")], &*position, &Limits::depth(4));
    let plain = think("classic-ac", &[("width", "6"), ("pruning", "off")], &*position, &Limits::depth(4));
    assert_eq!((pruned.mv, pruned.report.score), (plain.mv, plain.report.score));
    assert!(pruned.report.nodes < plain.report.nodes);
}

#[test]
fn the_level_file_is_the_same_position() {
    let Some(text) = level_file("16.txt") else { return };
    assert_eq!(parse(&text).hash(), parse(LEVEL_16).hash());
}

const ALL: [&str; 3] = ["classic-ac", "classic-shapes", "classic-squares"];

#[test]
fn every_engine_completes_a_five_and_stops_one() {
    // Black h8 i8 j8 k8; white has blocked one end.
    for engine in ALL {
        for level in Level::ALL {
            for seed in 0..3 {
                let limits = Limits { level, seed, depth: Some(2), ..Limits::default() };
                let win = parse("h8g8i8a1j8c1k8e1");
                let decision = think(engine, &[], &*win, &limits);
                assert_eq!(win.format_move(decision.mv), "l8", "{engine} {level} wins");
                let block = parse("h8g8i8a1j8c1k8");
                let decision = think(engine, &[], &*block, &limits);
                assert_eq!(block.format_move(decision.mv), "l8", "{engine} {level} blocks");
            }
        }
    }
}

#[test]
fn weaker_levels_still_answer_an_open_three() {
    for engine in ALL {
        for level in [Level::Easy, Level::Medium, Level::Hard] {
            for seed in 0..5 {
                let limits = Limits { level, seed, depth: Some(2), ..Limits::default() };
                let mut position = parse("h8a1i8c1j8");
                let decision = think(engine, &[], &*position, &limits);
                position.play(decision.mv).unwrap();
                let board = position.downcast::<Position>().unwrap().board();
                let open_fours = board.count(::game::Side::Black, crate::Class::OpenFour);
                assert_eq!(open_fours, 0, "{engine} {level} played {}", position.format_move(decision.mv));
            }
        }
    }
}

#[test]
fn original_edges_are_blind_and_mended_ones_are_not() {
    // White's four on the first row is invisible to the original's evaluation.
    let position = parse("h8a1i9b1h9c1j10");
    let score =
        |edges| think("classic-shapes", &[("edges", edges)], &*position, &Limits::depth(1)).report.score;
    assert!(score("mended") > score("original"), "{} {}", score("mended"), score("original"));
}

#[test]
fn counting_in_threads_gives_the_same_game() {
    let position = parse("h8h9i8");
    let limits = Limits::depth(1);
    let plain = think("classic-squares", &[], &*position, &limits);
    let threads = think("classic-squares", &[("parallel", "on")], &*position, &limits);
    assert_eq!(plain.report.root, threads.report.root);
}

#[test]
fn limits_and_rules_hold_at_the_root() {
    let position = parse("h8");
    for engine in ALL {
        let only = vec![position.parse_move("a1").unwrap()];
        let limits = Limits { only: only.clone(), depth: Some(2), ..Limits::default() };
        assert_eq!(think(engine, &[], &*position, &limits).mv, only[0], "{engine}");
        let limits = Limits { lines: 3, depth: Some(2), ..Limits::default() };
        let lines = think(engine, &[], &*position, &limits).report.lines;
        assert_eq!(lines.len(), 3, "{engine}");
        assert!(lines[0].score >= lines[1].score && lines[1].score >= lines[2].score, "{engine}");
    }
}

#[test]
fn a_stopped_search_still_answers() {
    let position = parse("h8i9h9");
    for engine in ALL {
        let info = GOMOKU.engines().iter().find(|info| info.name == engine).unwrap();
        let watch = Watch::default();
        watch.stop_flag().stop();
        let limits = Limits { depth: Some(8), ..Limits::default() };
        let decision = (info.make)(&Options::new()).unwrap().think(&*position, &limits, &watch, &mut |_| {});
        assert!(position.legal(decision.unwrap().mv).is_ok(), "{engine}");
    }
}

#[test]
fn bad_options_are_named() {
    for (engine, key, value) in [
        ("classic-ac", "width", "0"),
        ("classic-ac", "ordering", "maybe"),
        ("classic-ac", "speed", "9"),
        ("classic-shapes", "edges", "soft"),
        ("classic-squares", "parallel", "7"),
    ] {
        let info = GOMOKU.engines().iter().find(|info| info.name == engine).unwrap();
        let error = (info.make)(&[(key, value)].into_iter().collect()).err().expect("refused");
        assert!(error.to_string().contains(key), "{error}");
    }
}
