//! The published figures of the original programs, and what the levels promise.

use super::player::Classic;
use crate::{GOMOKU, Position};
use ::game::testing::shared_data;
use ::game::{Cell, Decision, Game, Level, Limits, Move, Options, Position as GamePosition, Setup, Watch};
use search::adversarial::Game as _;
use search::theatre::{Algorithm, RecordOptions, Search};
use std::time::Duration;

fn level_file(number: u32) -> Option<String> {
    shared_data(&format!("levels/{number:02}.txt")).map(|path| std::fs::read_to_string(path).unwrap())
}

fn think(engine: &str, options: &[(&str, &str)], position: &dyn GamePosition, limits: &Limits) -> Decision {
    let info = GOMOKU.engines().iter().find(|info| info.name == engine).expect("listed");
    let options: Options = options.iter().copied().collect();
    let mut engine = (info.make)(&options).expect("options");
    engine.think(position, limits, &Watch::default(), &mut |_| {}).expect("a move")
}

fn parse(text: &str) -> Box<dyn GamePosition> {
    GOMOKU.parse(text, &Setup::empty(15, 15)).expect("a position")
}

/// Level 16, whose figures were published with `classic-ac`, rebuilt here so that the test needs no file.
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
fn line_patterns_reproduce_the_published_root_table() {
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
fn without_ordering_and_truncation_67_times_more_nodes_are_visited() {
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
    let Some(text) = level_file(16) else { return };
    assert_eq!(parse(&text).hash(), parse(LEVEL_16).hash());
}

/// Every figure of the table in `docs/classic-gomoku.md`: move, score and nodes of all engines on the twenty levels.
#[test]
fn all_twenty_levels_have_the_documented_figures() {
    let rows = include_str!("../../../../docs/classic-gomoku.md").lines().filter_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        Some((cells.first()?.parse::<u32>().ok()?, cells))
    });
    let mut levels = 0;
    for (level, cells) in rows {
        levels += 1;
        let Some(text) = level_file(level) else { continue };
        let position = parse(&text);
        let patterns = Limits::depth(cells[1].parse().unwrap());
        // The other two were measured with iterative deepening, under a clock that never ran out.
        let deepening = |depth| Limits { depth: Some(depth), ..Limits::time(Duration::from_secs(3600)) };
        let runs = [
            ("classic-ac", patterns, 2),
            ("classic-shapes", deepening(4), 5),
            ("classic-squares", deepening(3), 8),
        ];
        for (engine, limits, column) in runs {
            let Decision { mv, report } = think(engine, &[], &*position, &limits);
            let found = format!("{} {}", position.format_move(mv), report.score);
            assert_eq!(found, cells[column], "{engine}, level {level}");
            assert_eq!(report.nodes.to_string(), cells[column + 1], "{engine}, level {level}");
        }
    }
    assert_eq!(levels, 20, "rows of the table");
}

#[test]
fn a_watched_search_is_the_engines_own() {
    let position = parse(LEVEL_16);
    let wanted = |depth| RecordOptions { depth, keep: 5_000, ..RecordOptions::new(Algorithm::AlphaBeta) };
    let record = GOMOKU.explain(&*position, "classic-ac", &wanted(5), &Watch::default()).unwrap();
    let Search::Tree { result, columns, .. } = &record.search else { panic!("a tree") };
    let engine = think("classic-ac", &[], &*position, &Limits::depth(5)).report;
    assert_eq!((result.nodes, result.value.0, result.best), (3941, 3720.0, Some(6 * 15 + 7)));
    assert_eq!(columns.nodes.len(), 3942);
    let table: Vec<(u32, f64, u64)> = result.root.iter().map(|row| (row.0, row.1.0, row.2)).collect();
    let cell = |mv: Move| mv.cell().map(|cell| u32::from(cell.row) * 15 + u32::from(cell.col)).unwrap();
    let theirs: Vec<_> = engine.root.iter().map(|row| (cell(row.mv), row.score, row.nodes)).collect();
    assert_eq!(table, theirs);
    let all = RecordOptions { width: Some(0), ordering: Some(false), keep: 0, ..wanted(4) };
    let record = GOMOKU.explain(&*position, "classic-ac", &all, &Watch::default()).unwrap();
    let Search::Tree { result, .. } = &record.search else { panic!("a tree") };
    assert_eq!((result.nodes, result.value.0, result.best), (265_187, -560.0, Some(8 * 15 + 6)));
}

#[test]
fn a_table_spares_nodes_and_keeps_the_value() {
    let position = parse(LEVEL_16);
    for engine in ALL {
        let run = |algorithm| {
            // Moves transpose from the third ply on, and leaves are not kept in the table.
            let wanted = RecordOptions { depth: 4, keep: 0, width: Some(6), ..RecordOptions::new(algorithm) };
            match GOMOKU.explain(&*position, engine, &wanted, &Watch::default()).unwrap().search {
                Search::Tree { result, .. } => result,
                Search::Playouts { .. } => panic!("a tree"),
            }
        };
        let (plain, pruned) = (run(Algorithm::Minimax), run(Algorithm::AlphaBeta));
        let table = run(Algorithm::AlphaBetaTable);
        assert_eq!((plain.value, pruned.value), (pruned.value, table.value), "{engine}");
        assert!(table.table_hits > 0 && table.nodes < pruned.nodes && pruned.nodes < plain.nodes, "{engine}");
        assert!(pruned.best_case.0 <= pruned.nodes as f64, "{engine}");
    }
}

#[test]
fn an_x_ray_adds_up_to_what_the_engine_sees() {
    for text in [LEVEL_16, "h8i9g7h9i8g8j8", "h8"] {
        let position = parse(text);
        let own = position.downcast::<Position>().unwrap();
        let games: [(&str, f64); 3] = [
            ("classic-ac", super::ac::Settings::asked(None, None).game(own).evaluate()),
            ("classic-shapes", super::shapes::Settings::fixed().game(own).evaluate()),
            ("classic-squares", super::squares::Settings::plain().game(own).evaluate()),
        ];
        for (engine, score) in games {
            let seen = GOMOKU.xray(&*position, engine).unwrap();
            assert_eq!(seen.score, score, "{engine} {text}");
            let found = seen.lines.iter().any(|line| !line.patterns.is_empty());
            // A single stone is no shape to `classic-shapes` and `classic-squares`.
            assert!(found || text == "h8", "{engine} {text}");
        }
        let seen = GOMOKU.xray(&*position, "tengen").unwrap();
        assert_eq!(seen.terms.iter().map(|term| term.value).sum::<f64>(), seen.score, "{text}");
        assert!(GOMOKU.xray(&*position, "nobody").is_none());
    }
}

#[test]
fn the_automaton_is_walked_state_by_state() {
    let position = parse(LEVEL_16);
    let seen = GOMOKU.xray(&*position, "classic-ac").unwrap();
    for line in &seen.lines {
        assert_eq!(line.states.len(), line.cells.len());
        for (place, step) in line.states.iter().enumerate() {
            let read: String = line.cells[..=place]
                .iter()
                .map(|cell| match position.at(*cell) {
                    None => '0',
                    Some(::game::Side::Black) => '1',
                    Some(::game::Side::White) => '2',
                })
                .collect();
            // A state is the longest ending of what was read that begins a pattern.
            assert!(read.ends_with(&step.text), "{read} {step:?}");
            assert!(step.found.iter().all(|pattern| read.ends_with(pattern.as_str())), "{read} {step:?}");
        }
    }
}

#[test]
fn monte_carlo_is_shown_on_the_bare_rules() {
    let position = GOMOKU.parse("c3d3c4d4c5d5", &Setup::empty(6, 6)).unwrap();
    let wanted = RecordOptions { playouts: 300, ..RecordOptions::new(Algorithm::Uct) };
    let record = GOMOKU.explain(&*position, "", &wanted, &Watch::default()).unwrap();
    let Search::Playouts { result, columns, .. } = &record.search else { panic!("playouts") };
    assert_eq!((result.playouts, columns.result.len()), (300, 300));
    assert!(columns.playout.iter().all(|mv| *mv < 36));
    assert_eq!(result.root.len(), 30);
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
        for level in &Level::ALL[1..8] {
            let level = *level;
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
fn original_edges_are_blind_and_fixed_ones_are_not() {
    // White's four on the first row is invisible to the original's evaluation.
    let position = parse("h8a1i9b1h9c1j10");
    let score =
        |edges| think("classic-shapes", &[("edges", edges)], &*position, &Limits::depth(1)).report.score;
    assert!(score("fixed") > score("original"), "{} {}", score("fixed"), score("original"));
    assert_eq!(score("mended"), score("fixed"), "the name of an earlier release");
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
