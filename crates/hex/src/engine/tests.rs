//! The engine through its trait: it is reproducible, keeps limits, and plays proved games to their end.

use super::*;
use crate::Position;
use crate::notation;
use game::{Clock, Level, Position as _, Setup, Side, StopFlag};
use std::time::Duration;

fn position(text: &str, n: u8) -> Position {
    notation::parse(text, &Setup::empty(n, n)).unwrap()
}

fn engine() -> Tengen {
    Tengen::new(&Options::new()).unwrap()
}

fn think(position: &Position, limits: &Limits) -> Decision {
    engine().think(position, limits, &Watch::default(), &mut |_| {}).unwrap()
}

/// Plays a game to its end with so many playouts per move of each side; returns the winner and the number of moves.
fn play_out(start: &Position, playouts: [u64; 2], seed: u64) -> (Side, usize) {
    let mut game = start.clone();
    let mut players = [engine(), engine()];
    while game.outcome().is_none() {
        let side = game.to_move();
        let limits = Limits { seed, ..Limits::nodes(playouts[side.index()]) };
        let player = &mut players[side.index()];
        let decision = player.think(&game, &limits, &Watch::default(), &mut |_| {}).unwrap();
        game.play(decision.mv).unwrap();
    }
    (game.board().winner().unwrap(), game.history().len())
}

#[test]
fn answers_repeat_and_obey_the_limits() {
    let start = position("b4f6", 11);
    let limits = Limits { lines: 3, ..Limits::nodes(700) };
    let (a, b) = (think(&start, &limits), think(&start, &limits));
    assert_eq!((a.mv, &a.report.root), (b.mv, &b.report.root));
    assert_eq!(a.report.nodes, 700);
    assert_eq!((a.report.lines.len(), a.report.pv().first()), (3, Some(&a.mv)));
    assert!(a.report.root.iter().all(|row| (0.0..=1.0).contains(&row.win_rate)));
    let only = Limits { only: start.legal_moves()[3..5].to_vec(), ..limits.clone() };
    assert!(only.only.contains(&think(&start, &only).mv));
    let exclude = Limits { exclude: vec![a.mv], ..limits.clone() };
    assert_ne!(think(&start, &exclude).mv, a.mv);
    let nothing = Limits { exclude: start.legal_moves(), ..limits };
    let error = engine().think(&start, &nothing, &Watch::default(), &mut |_| {});
    assert!(matches!(error, Err(EngineError::NoMove(_))));
}

#[test]
#[allow(clippy::print_stdout, reason = "names the kernels that this processor could not compare")]
fn a_search_is_the_same_with_every_kernel_and_others_are_refused() {
    let start = position("b4f6", 11);
    let with = |kernel: &str| {
        let mut options = Options::new();
        options.set("kernel", kernel);
        Tengen::new(&options)
    };
    let expected = think(&start, &Limits::nodes(60)).report.root;
    for (name, kernel) in nn::int8::Kernel::list() {
        let identifier = nn::int8::Kernel::identifier(name);
        if kernel.is_none() {
            println!("not searched: with {name}, which this processor does not have");
            assert!(with(&identifier).is_err());
            continue;
        }
        println!("searched: with {name}");
        let mut engine = with(&identifier).unwrap();
        assert_eq!(engine.params.kernel.name(), name);
        let decision = engine.think(&start, &Limits::nodes(60), &Watch::default(), &mut |_| {}).unwrap();
        assert_eq!(decision.report.root, expected, "{name}");
    }
    let refused = with("mmx").err().unwrap().to_string();
    assert!(refused.contains("mmx") && refused.contains("auto, ") && refused.contains("plain"), "{refused}");
}

#[test]
fn a_game_repeats_with_the_tree_kept_from_move_to_move() {
    let start = position("b2", 6);
    assert_eq!(play_out(&start, [200, 200], 3), play_out(&start, [200, 200], 3));
    let mut engine = engine();
    let limits = Limits::nodes(400);
    let first = engine.think(&start, &limits, &Watch::default(), &mut |_| {}).unwrap();
    engine.think(&start, &limits, &Watch::default(), &mut |_| {}).unwrap();
    engine.new_game();
    let again = engine.think(&start, &limits, &Watch::default(), &mut |_| {}).unwrap();
    assert_eq!((first.mv, first.report.root), (again.mv, again.report.root));
}

/// CPU time of this thread: unlike wall time it does not depend on what else the machine does.
fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// What an engine may take to stop, by its contract.
const STOP_TIME: Duration = Duration::from_millis(20);

/// The CPU time of `run`, at its best of a few times: a first run pays for page faults.
fn least_time(mut run: impl FnMut() -> Duration) -> Duration {
    (0..3).map(|_| run()).min().unwrap()
}

#[test]
fn it_stops_within_20_ms_at_any_stage_on_the_largest_board() {
    for (text, n, threads) in [("empty", 11, 2), ("empty", 19, 1), ("j10", 19, 2)] {
        let position = position(text, n);
        let limits = Limits { nodes: Some(u64::MAX), threads, ..Limits::default() };
        let mut engine = engine();
        // Load the network.
        engine.think(&position, &Limits::nodes(1), &Watch::default(), &mut |_| {}).unwrap();
        // Stopped before the root is analyzed.
        let at_once = least_time(|| {
            engine.new_game();
            let watch = Watch::start(StopFlag::new());
            watch.stop_flag().stop();
            let before = thread_time();
            engine.think(&position, &limits, &watch, &mut |_| {}).unwrap();
            thread_time() - before
        });
        assert!(at_once < STOP_TIME, "{n} {threads}: {at_once:?}");
        // Stopped during the search.
        let later = least_time(|| {
            engine.new_game();
            let stop = StopFlag::new();
            let watch = Watch::start(stop.clone());
            let mut stopped = None;
            let decision = engine.think(&position, &limits, &watch, &mut |_| {
                stop.stop();
                stopped.get_or_insert_with(thread_time);
            });
            assert!(decision.unwrap().mv.cell().is_some());
            thread_time() - stopped.unwrap()
        });
        assert!(later < STOP_TIME, "{n} {threads}: {later:?}");
    }
}

#[test]
fn the_analysis_of_the_root_asks_whether_to_stop() {
    let mut position = Position::empty(crate::Size::new(19, 19).unwrap());
    let mut rng = ::search::Rng::new(1);
    for _ in 0..60 {
        let mv = rng.pick(&position.legal_moves()).unwrap();
        position.play(mv).unwrap();
    }
    let (engine, asked) = (engine(), std::sync::atomic::AtomicU64::new(0));
    let models = Models { policy: &engine.policy, network: None, params: &engine.params };
    let stop = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 10;
    let mut memory = Memory::<6>::for_position(None, &position, &Limits::default(), &|| false);
    let allowed = memory.shape().empty(&memory.start().stones);
    assert_eq!(memory.prepare(&allowed, models, 1, &stop), None);
    // Once stopped, each of the two sides' H-searches ends at its next question.
    assert!((11..=12).contains(&asked.into_inner()));
    assert!(!memory.root_children().is_empty());
}

#[test]
fn clocks_are_kept() {
    let clock = Clock { left: Duration::from_millis(200), increment: Duration::ZERO };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    // At most half of the clock goes into one move.
    for (text, n) in [("f6", 11), ("j10", 19)] {
        let (position, mut engine) = (position(text, n), engine());
        engine.think(&position, &Limits::nodes(1), &Watch::default(), &mut |_| {}).unwrap();
        let taken = least_time(|| {
            engine.new_game();
            let before = thread_time();
            engine.think(&position, &limits, &Watch::default(), &mut |_| {}).unwrap();
            thread_time() - before
        });
        assert!(taken < clock.left / 2 + STOP_TIME, "{n}: {taken:?}");
    }
}

#[test]
fn reports_come_at_least_every_interval() {
    let limits = Limits { nodes: Some(u64::MAX), ..Limits::default() };
    let stop = StopFlag::new();
    let mut times = Vec::new();
    engine()
        .think(&position("f6", 11), &limits, &Watch::start(stop.clone()), &mut |_| {
            times.push(thread_time());
            if times.len() == 10 {
                stop.stop();
            }
        })
        .unwrap();
    // Doubling intervals would end with gaps of seconds. CPU time between two reports is at most what the clock says.
    let longest = times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
    assert!(times.len() >= 10 && longest < Duration::from_millis(500), "{times:?}");
}

#[test]
fn every_size_is_played_to_the_end() {
    for (rows, cols) in [(1, 1), (1, 4), (4, 1), (2, 2), (3, 5), (7, 4), (5, 5), (11, 3)] {
        let start = Position::empty(crate::Size::new(rows, cols).unwrap());
        play_out(&start, [60, 60], 1);
    }
    let large = Position::empty(crate::Size::new(19, 19).unwrap());
    assert!(think(&large, &Limits::nodes(50)).mv.cell().is_some());
}

#[test]
fn a_first_player_wins_small_boards_by_perfect_play() {
    // The centre wins on every board here; from there on no answer may save white.
    for (text, n) in [("b2", 3), ("b3", 4), ("c3", 5)] {
        for seed in 0..4 {
            assert_eq!(play_out(&position(text, n), [400, 100], seed).0, Side::Black, "{text}");
        }
    }
}

/// A won endgame left MoHex without an answer, a lost one crashed it.
#[test]
fn won_and_lost_endgames_are_played_to_the_end() {
    // Black is joined from top to bottom by bridges; white can only intrude.
    let text = ". . . . X . . .\n. . . . . . O .\n. . . X . O . .\n. . . . . O . .\n. . X . . . . .\n\
                . . . . O . . .\n. X . . . O . .\n. . . . . . . .";
    for to_move in Side::BOTH {
        let mut game = position(text, 8).as_set_up(to_move);
        let needed = endgame_distance(&game);
        let mut moves = 0;
        while game.outcome().is_none() {
            let decision = think(&game, &Limits::nodes(50));
            let won = game.to_move() == Side::Black;
            assert_eq!(decision.report.win_rate, if won { 1.0 } else { 0.0 }, "{}", decision.report.nodes);
            assert_told_to_the_end(&game, &decision, Side::Black);
            game.play(decision.mv).unwrap();
            moves += 1;
        }
        assert_eq!(game.board().winner(), Some(Side::Black));
        // No detours: black plays no stone more than the longest resistance needs.
        assert!(moves <= 2 * needed + 4, "{moves} moves for {needed} stones");
    }
}

/// The report names the end in plies, and its line can be played until `winner` has won.
fn assert_told_to_the_end(position: &Position, decision: &Decision, winner: Side) {
    let (report, mut end) = (&decision.report, position.clone());
    let line = &report.lines[0].moves;
    assert_eq!(line[0], decision.mv);
    line.iter().for_each(|mv| end.play(*mv).unwrap());
    assert_eq!(end.board().winner(), Some(winner));
    let plies = line.len() as i32;
    let mate = Some(if position.to_move() == winner { plies } else { -plies });
    assert_eq!((report.mate, report.lines[0].mate), (mate, mate));
}

#[test]
fn what_a_search_has_proved_is_told_to_the_end() {
    // Too hard for connections alone: the tree proves it.
    let start = position("empty", 5);
    let decision = think(&start, &Limits::nodes(20_000));
    assert_eq!(decision.report.win_rate, 1.0, "{} nodes", decision.report.nodes);
    assert_told_to_the_end(&start, &decision, Side::Black);
    let undecided = think(&position("empty", 9), &Limits::nodes(100));
    assert_eq!(undecided.report.mate, None);
}

fn endgame_distance(position: &Position) -> usize {
    usize::from(crate::overlay::distances(position.board(), Side::Black).total.unwrap())
}

#[test]
fn all_levels_win_and_block_in_one() {
    let win = position(". . . .\n. X . .\n. X O .\n. X O .", 4);
    let lose = position(". O . .\n. X . .\nO X O .\nO X . .", 4);
    for level in Level::ALL {
        for seed in 0..5 {
            let limits = Limits { level, seed, ..Limits::nodes(500) };
            let mut black = win.as_set_up(Side::Black);
            black.play(think(&black, &limits).mv).unwrap();
            assert!(black.outcome().is_some(), "{level}");
            let white = lose.as_set_up(Side::White);
            let mut after = white.clone();
            after.play(think(&white, &limits).mv).unwrap();
            let threat = after.board().empty_cells().any(|cell| after.board().wins_at(Side::Black, cell));
            assert!(!threat, "{level}");
        }
    }
}

#[test]
fn a_strong_first_stone_is_swapped_and_a_weak_one_is_not() {
    for opening in ["swap-pieces", "swap-sides"] {
        let setup = Setup { opening: opening.into(), ..Setup::empty(7, 7) };
        let limits = Limits::nodes(1_500);
        let strong = notation::parse("d4", &setup).unwrap();
        assert_eq!(think(&strong, &limits).mv, Move::Swap, "{opening}");
        let weak = notation::parse("a1", &setup).unwrap();
        assert_ne!(think(&weak, &limits).mv, Move::Swap, "{opening}");
        let start = notation::parse("empty", &setup).unwrap();
        assert_eq!(think(&start, &limits).mv, Move::Place(swap::first_stone(start.size(), limits.seed)));
    }
}

#[test]
fn options_are_checked() {
    let mut options = Options::new();
    options.set("policy", "none");
    assert!(Tengen::new(&options).is_ok());
    options.set("policy", "other");
    assert!(Tengen::new(&options).is_err());
    options.set("nonsense", "1");
    assert!(Tengen::new(&options).is_err());
}

#[test]
fn former_option_names_still_work_but_are_not_listed() {
    let of = |name: &str, value: &str| Tengen::new(&[(name, value)].into_iter().collect()).unwrap().params;
    for (former, present, value) in [
        ("know", "knowledge-visits", "17"),
        ("fill", "fill-in", "off"),
        ("must", "must-play", "off"),
        ("prior", "cpuct", "0.25"),
        ("trust", "prior-visits", "3"),
        ("twins", "transpositions", "off"),
    ] {
        assert_eq!(of(former, value), of(present, value), "{former}");
        assert_ne!(of(former, value), Params::default(), "{former}");
        let listed = |name: &str| INFO.options.iter().any(|option| option.0 == name);
        assert!(listed(present) && !listed(former));
    }
    // Where both are given, the present name counts.
    let both = [("prior", "0.25"), ("cpuct", "0.5")].into_iter().collect();
    assert_eq!(Tengen::new(&both).unwrap().params.cpuct, 0.5);
}

#[test]
fn alpha_beta_answers_repeats_and_wins_small_boards() {
    let think = |position: &Position, limits: &Limits| {
        let mut engine = (alpha_beta::INFO.make)(&Options::new()).unwrap();
        engine.think(position, limits, &Watch::default(), &mut |_| {}).unwrap()
    };
    let start = position("b4f6", 8);
    let limits = Limits { lines: 2, ..Limits::nodes(60) };
    let (a, b) = (think(&start, &limits), think(&start, &limits));
    assert_eq!((a.mv, a.report.root.clone()), (b.mv, b.report.root));
    assert_eq!(a.report.pv().first(), Some(&a.mv));
    let exclude = Limits { exclude: vec![a.mv], ..limits.clone() };
    assert_ne!(think(&start, &exclude).mv, a.mv);
    let shallow = Limits::depth(1);
    assert!(think(&start, &shallow).report.depth <= 1);
    for (text, n) in [("b2", 3), ("c3", 5)] {
        let mut game = position(text, n);
        while game.outcome().is_none() {
            game.play(think(&game, &Limits::nodes(200)).mv).unwrap();
        }
        assert_eq!(game.board().winner(), Some(Side::Black), "{text}");
    }
    let setup = Setup { opening: "swap-pieces".into(), ..Setup::empty(7, 7) };
    assert_eq!(think(&notation::parse("d4", &setup).unwrap(), &Limits::nodes(100)).mv, Move::Swap);
}
