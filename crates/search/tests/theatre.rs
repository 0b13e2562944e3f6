//! Records say what the search did: every number is compared with a run that nobody watched, and the tree is walked
//! again by hand.

use search::adversarial::{
    Game, TranspositionTable, UctOptions, alpha_beta, alpha_beta_tt, flat_monte_carlo, minimax, uct,
};
use search::stop::never;
use search::theatre::{
    Algorithm, PlayoutColumns, Record, RecordOptions, Search, TreeColumns, TreeResult, walk_through,
};
use search::tictactoe::{TicTacToe, explain};
use search::{Rng, theatre};

fn position() -> TicTacToe {
    "XO. .X. ..O".parse().unwrap()
}

fn tree(record: &Record) -> (&TreeResult, &TreeColumns) {
    match &record.search {
        Search::Tree { result, columns, .. } => (result, columns),
        Search::Playouts { .. } => panic!("a tree was asked for"),
    }
}

fn playouts(record: &Record) -> (&theatre::PlayoutResult, &PlayoutColumns) {
    match &record.search {
        Search::Playouts { result, columns, .. } => (result, columns),
        Search::Tree { .. } => panic!("playouts were asked for"),
    }
}

#[test]
fn a_tree_record_agrees_with_an_unwatched_run() {
    for algorithm in [Algorithm::Minimax, Algorithm::AlphaBeta, Algorithm::AlphaBetaTable] {
        for start in [position(), TicTacToe::new()] {
            let wanted = RecordOptions { depth: 6, ..RecordOptions::new(algorithm) };
            let record = explain(&start, &wanted, never());
            let (result, columns) = tree(&record);
            let mut game = start;
            let alone = match algorithm {
                Algorithm::Minimax => minimax(&mut game, 6, never(), &mut ()),
                Algorithm::AlphaBeta => alpha_beta(&mut game, 6, never(), &mut ()),
                _ => alpha_beta_tt(&mut game, 6, &mut TranspositionTable::new(1 << 18), never(), &mut ()),
            };
            assert_eq!((result.value.0, result.nodes), (alone.value, alone.stats.nodes));
            assert_eq!(result.best, alone.best.map(u32::from));
            assert_eq!(result.cutoffs, alone.stats.cutoffs);
            let kept = columns.nodes.len() as u64 - 1;
            assert_eq!(kept + columns.dropped, alone.stats.nodes, "{algorithm}");
            let of_kind = |kind| columns.events.iter().filter(|event| **event % 8 == kind).count() as u64;
            if columns.dropped == 0 {
                assert_eq!((of_kind(0), of_kind(1)), (kept, kept));
                assert_eq!(of_kind(3), alone.stats.cutoffs);
                assert_eq!(of_kind(3), columns.cuts.len() as u64);
                assert_eq!(of_kind(4), alone.stats.table_hits);
            }
        }
    }
}

/// Every value in the record, worked out again from the position it stands for.
#[test]
fn values_windows_and_cuts_can_be_checked_one_by_one() {
    let start = position();
    let record =
        explain(&start, &RecordOptions { depth: 9, ..RecordOptions::new(Algorithm::AlphaBeta) }, never());
    let (_, columns) = tree(&record);
    assert_eq!(columns.dropped, 0);
    let mut positions = vec![start];
    for node in 1..columns.nodes.len() {
        let mut here = positions[columns.nodes[node].parent as usize];
        here.play(columns.nodes[node].mv as u8);
        positions.push(here);
        let exact = minimax(&mut here.clone(), 9, never(), &mut ()).value;
        let (alpha, beta, value) =
            (columns.nodes[node].alpha, columns.nodes[node].beta, columns.nodes[node].value);
        // Within the window the value is exact; outside it is a bound on the right side.
        if value > alpha && value < beta {
            assert_eq!(value, exact, "node {node}");
        } else if value <= alpha {
            assert!(exact <= alpha, "node {node}");
        } else {
            assert!(exact >= beta, "node {node}");
        }
    }
    for &(node, by, bound, limit, from, skipped) in &columns.cuts {
        let by = by as usize;
        assert_eq!(columns.nodes[by].parent, node as i32);
        assert!(skipped > 0 && from >= 0);
        let max = positions[node as usize].max_to_move();
        assert_eq!(bound, u8::from(max));
        let value = columns.nodes[by].value;
        assert!(if max { value >= limit.0 } else { value <= limit.0 }, "node {node}");
    }
    assert!(!columns.cuts.is_empty());
}

#[test]
fn a_small_record_keeps_the_beginning_and_the_values_above_it() {
    let whole = explain(
        &position(),
        &RecordOptions { depth: 9, ..RecordOptions::new(Algorithm::AlphaBeta) },
        never(),
    );
    let small = explain(
        &position(),
        &RecordOptions { depth: 9, keep: 7, ..RecordOptions::new(Algorithm::AlphaBeta) },
        never(),
    );
    let ((_, whole), (_, small)) = (tree(&whole), tree(&small));
    assert_eq!(small.nodes, whole.nodes[..8]);
    assert_eq!(small.dropped as usize, whole.nodes.len() - 8);
}

#[test]
fn nothing_kept_is_the_same_search() {
    let with = explain(
        &TicTacToe::new(),
        &RecordOptions { depth: 5, ..RecordOptions::new(Algorithm::AlphaBeta) },
        never(),
    );
    let without = explain(
        &TicTacToe::new(),
        &RecordOptions { depth: 5, keep: 0, ..RecordOptions::new(Algorithm::AlphaBeta) },
        never(),
    );
    assert_eq!(tree(&with).0, tree(&without).0);
    assert_eq!(tree(&without).1.nodes.len(), 1);
}

#[test]
fn limits_end_a_search_and_the_record_says_so() {
    let wanted = RecordOptions { depth: 9, nodes: 100, ..RecordOptions::new(Algorithm::Minimax) };
    let record = explain(&TicTacToe::new(), &wanted, never());
    let (result, columns) = tree(&record);
    assert!(!result.completed);
    assert_eq!((result.nodes, columns.nodes.len()), (100, 101));
    assert!(columns.nodes[1].value.is_nan(), "the first move was not finished");
}

#[test]
fn ordering_and_width_change_the_work() {
    let nodes = |ordering, width| {
        let wanted = RecordOptions {
            depth: 9,
            ordering: Some(ordering),
            width,
            keep: 0,
            ..RecordOptions::new(Algorithm::AlphaBeta)
        };
        tree(&explain(&TicTacToe::new(), &wanted, never())).0.nodes
    };
    assert!(nodes(true, None) < nodes(false, None));
    assert!(nodes(true, Some(3)) < nodes(true, None));
}

#[test]
fn the_best_case_is_knuths() {
    // Three moves, three plies: 3 + (3 + 3 - 1) + (9 + 3 - 1).
    let mut stats = search::adversarial::Stats::default();
    let width = search::adversarial::Width { nodes: 4, moves: 12 };
    stats.widths = vec![width; 3];
    assert_eq!(stats.best_case(), 3.0 + 5.0 + 11.0);
    assert_eq!(stats.full_tree(), 3.0 + 9.0 + 27.0);
}

#[test]
fn a_uct_record_agrees_with_an_unwatched_run_and_with_ucb1() {
    let wanted =
        RecordOptions { playouts: 400, exploration: 0.9, seed: 5, ..RecordOptions::new(Algorithm::Uct) };
    let record = explain(&position(), &wanted, never());
    let (result, columns) = playouts(&record);
    let options = UctOptions { playouts: 400, exploration: 0.9, max_nodes: 1 << 19, seed: 5 };
    let alone = uct(&mut position(), &options, never(), &mut ());
    assert_eq!(result.best, alone.best.map(u32::from));
    for (row, other) in result.root.iter().zip(&alone.root) {
        assert_eq!((row.0, row.1, row.2.0), (u32::from(other.mv), other.visits, other.max_wins));
    }
    assert_eq!(columns.result.len(), 400);
    // The terms again, from nothing but the results.
    let nodes = columns.parent.len();
    let (mut visits, mut wins) = (vec![0u64; nodes], vec![0.0; nodes]);
    let (mut step, mut moved) = (0, 0);
    for playout in 0..400 {
        let steps = step..step + columns.steps[playout] as usize;
        let mut game = position();
        for at in steps.clone() {
            let node = columns.node[at] as usize;
            let parent = columns.parent[node] as usize;
            let n = visits[node] as f64;
            if visits[node] == 0 {
                assert!(columns.exploration[at].0.is_infinite());
            } else {
                let rate = wins[node] / n;
                let rate = if game.max_to_move() { rate } else { 1.0 - rate };
                let explore = 0.9 * ((visits[parent] as f64).ln() / n).sqrt();
                assert!((columns.exploitation[at].0 - rate).abs() < 1e-12);
                assert!((columns.exploration[at].0 - explore).abs() < 1e-12);
            }
            game.play(columns.mv[node] as u8);
        }
        let result = columns.result[playout].0;
        for mv in &columns.playout[moved..moved + columns.moves[playout] as usize] {
            game.play(*mv as u8);
        }
        assert_eq!(game.result(), Some(result), "playout {playout}");
        visits[0] += 1;
        for at in steps.clone() {
            let node = columns.node[at] as usize;
            visits[node] += 1;
            wins[node] += result;
            assert_eq!((columns.visits[at], columns.wins[at].0), (visits[node], wins[node]));
        }
        (step, moved) = (steps.end, moved + columns.moves[playout] as usize);
    }
}

#[test]
fn flat_monte_carlo_has_the_same_kind_of_record() {
    let wanted = RecordOptions { playouts: 100, keep: 60, seed: 3, ..RecordOptions::new(Algorithm::Flat) };
    let record = explain(&position(), &wanted, never());
    let (result, columns) = playouts(&record);
    let alone = flat_monte_carlo(&mut position(), 100, &mut Rng::new(3), never(), &mut ());
    for (row, other) in result.root.iter().zip(&alone.root) {
        assert_eq!((row.1, row.2.0), (other.visits, other.max_wins));
    }
    assert_eq!((columns.result.len(), columns.dropped), (60, 40));
    assert!(columns.steps.iter().all(|steps| *steps == 1));
    assert_eq!(columns.parent.len(), 1 + alone.root.len());
}

#[test]
fn a_record_is_json_with_its_format_and_version() {
    let record = explain(
        &position(),
        &RecordOptions { depth: 3, ..RecordOptions::new(Algorithm::AlphaBeta) },
        never(),
    )
    .timed(0.5);
    let json: serde_json::Value = serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap();
    assert_eq!((&json["format"], &json["version"]), (&"tengen-record".into(), &1.into()));
    assert_eq!((&json["kind"], &json["algorithm"]), (&"tree".into(), &"alphabeta".into()));
    assert_eq!(
        (&json["board"][1], &json["to_move"], &json["max"]),
        (&".X.".into(), &"black".into(), &"black".into())
    );
    assert_eq!(json["result"]["seconds"], 0.5);
    assert_eq!(json["alpha"][0], serde_json::Value::Null);
    assert_eq!(json["parent"].as_array().map(Vec::len), json["value"].as_array().map(Vec::len));
}

#[test]
fn a_walk_through_tells_cuts_and_terms() {
    let name = |mv: u32| format!("{}{}", char::from(b'a' + (mv % 3) as u8), mv / 3 + 1);
    let record = explain(
        &position(),
        &RecordOptions { depth: 9, ..RecordOptions::new(Algorithm::AlphaBeta) },
        never(),
    );
    let text = walk_through(&record, &name, 10_000);
    assert!(text.contains("MAX tries c1   alpha -inf, beta +inf"), "{text}");
    assert!(text.contains("CUT: ") && text.contains("moves left out"), "{text}");
    assert!(walk_through(&record, &name, 3).contains("more steps"));
    let record =
        explain(&position(), &RecordOptions { playouts: 20, ..RecordOptions::new(Algorithm::Uct) }, never());
    let text = walk_through(&record, &name, 20);
    assert!(text.contains("C sqrt(ln N / n)") && text.contains("back up"), "{text}");
}
