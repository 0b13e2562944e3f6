//! How the engine behaves where games are decided, and the faults that users of other programs report.

use super::{engine, position, small, think};
use crate::solver::{AttackResult, Goal, Solver, SolverBudget, Vcf};
use crate::threat::tests::{crowd, wins_within};
use crate::{Board, Class, Point, Position, Rule};
use ::game::{
    Bound, Cell, Clock, Limits, Move, Options, Outcome, Position as _, Setup, Side, StopFlag, Watch,
};
use proptest::prelude::*;
use std::time::Duration;

/// A position of the stones of a board.
fn of_board(board: &Board, to_move: Side) -> Position {
    let cells = |side: Side| -> Vec<(u8, u8)> {
        board.stones_of(side).iter().map(|point| (point.row(), point.col())).collect()
    };
    position(board.rule(), board.size(), &cells(Side::Black), &cells(Side::White), to_move)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A win in three plies or less is played and its distance reported; a loss in four is put off where it can be.
    #[test]
    fn short_wins_are_taken_and_short_losses_put_off(seed: u64, rule in 0..4usize) {
        let rule = Rule::ALL[rule];
        let (mut board, side) = crowd(rule, seed);
        let game = of_board(&board, side);
        prop_assume!(game.outcome().is_none());
        let decision = think(&game, &small(Limits::nodes(6_000)));
        let chosen = Point::of(decision.mv.cell().unwrap());
        let shortest = [1, 3].into_iter().find(|plies| wins_within(&mut board, side, *plies));
        if let Some(plies) = shortest {
            prop_assert_eq!(decision.report.mate, Some(plies), "{:?}", game);
            return Ok(());
        }
        let other = side.other();
        let lasts = |board: &mut Board, point: Point| {
            board.make(point, side);
            let lasts = !wins_within(board, other, 3);
            board.undo();
            lasts
        };
        let legal: Vec<Point> =
            game.legal_moves().iter().filter_map(|mv| mv.cell()).map(Point::of).collect();
        if !lasts(&mut board, chosen) {
            let longer = legal.into_iter().find(|point| lasts(&mut board, *point));
            prop_assert!(longer.is_none(), "{:?} loses at once, {:?} lasts longer: {:?}", chosen, longer, game);
        }
    }

    /// However full the board, a game cannot last longer than it has points.
    #[test]
    fn distances_fit_on_the_board(seed: u64, rule in 0..4usize) {
        let (board, side) = crowd(Rule::ALL[rule], seed);
        let game = of_board(&board, side);
        prop_assume!(game.outcome().is_none());
        let report = think(&game, &small(Limits::nodes(3_000))).report;
        let empty = board.empty_points().len() as i32;
        for mate in report.lines.iter().filter_map(|line| line.mate).chain(report.mate) {
            prop_assert!(mate != 0 && mate.abs() <= empty, "{} with {} empty points", mate, empty);
            // Wins end with a move of the side to move, losses with one of the other's.
            prop_assert_eq!(mate > 0, mate % 2 != 0);
        }
    }
}

/// A combination by fours that needs nine columns, found wherever it fits on the board.
#[test]
fn combinations_are_found_at_every_edge() {
    let black = [(2, 2), (2, 3), (2, 4), (3, 5), (4, 5), (5, 6)];
    let white = [(2, 1), (1, 5), (4, 4), (5, 2), (6, 3)];
    let mut engine = engine();
    let mut vcf = Vcf::new(1 << 12);
    let mut found = 0;
    for (down, right) in [(-2, -1), (0, 0), (4, 4), (8, 8), (-2, 8), (8, -1), (3, -1), (-2, 3), (8, 3)] {
        let shift = |stones: &[(i32, i32)]| -> Vec<(u8, u8)> {
            stones.iter().map(|(row, col)| ((row + down) as u8, (col + right) as u8)).collect()
        };
        let stones = |stones: &[(i32, i32)]| -> bool {
            stones
                .iter()
                .all(|(row, col)| (0..15).contains(&(row + down)) && (0..15).contains(&(col + right)))
        };
        if !stones(&black) || !stones(&white) {
            continue;
        }
        let game = position(Rule::Freestyle, 15, &shift(&black), &shift(&white), Side::Black);
        let mut board = game.board().clone();
        let wins = vcf.shortest(&mut board, Side::Black, &mut crate::solver::SolverBudget::nodes(100_000));
        let report = engine
            .think(&game, &small(Limits::nodes(30_000)), &Watch::default(), &mut |_| {})
            .unwrap()
            .report;
        if wins == AttackResult::Win {
            found += 1;
            assert_eq!(report.mate, Some(vcf.line().len() as i32), "{game:?}");
        }
    }
    assert!(found >= 4, "the pattern should win at most places: {found}");
}

/// Played on after the first loss was seen, the game goes to its end and no move is refused.
#[test]
fn a_lost_game_is_played_to_its_end() {
    let black = [(7, 5), (7, 6), (7, 7), (5, 7), (6, 7), (3, 1)];
    let white = [(3, 2), (3, 3), (3, 4), (10, 10), (12, 3)];
    let mut game = position(Rule::Freestyle, 15, &black, &white, Side::White);
    let mut engine = engine();
    let mut plies = 0;
    while game.outcome().is_none() {
        let decision =
            engine.think(&game, &small(Limits::nodes(20_000)), &Watch::default(), &mut |_| {}).unwrap();
        if plies == 0 {
            // Its own four gains two plies before the double three decides.
            let cell = decision.mv.cell().unwrap();
            assert!(game.board().class(Point::of(cell), Side::White) >= Class::Four, "{cell:?} {game:?}");
        }
        game.play(decision.mv).unwrap();
        plies += 1;
        assert!(plies < 60, "{game:?}");
    }
    assert!(matches!(game.outcome(), Some(Outcome::Win { side: Side::Black, .. })), "{game:?}");
    assert!(plies >= 6, "{plies}");
}

/// The last points of a board, with and without a win in them.
#[test]
fn the_last_points_are_played() {
    for rule in Rule::ALL {
        let mut game = Position::new(rule, 5);
        let mut engine = engine();
        while game.outcome().is_none() {
            let limits = small(Limits::nodes(500));
            let decision = engine.think(&game, &limits, &Watch::default(), &mut |_| {}).unwrap();
            game.play(decision.mv).unwrap();
        }
        assert!(engine.think(&game, &small(Limits::nodes(500)), &Watch::default(), &mut |_| {}).is_err());
    }
}

/// Two forbidden points are all that would stop White's open four.
#[test]
fn black_goes_on_when_every_block_is_forbidden() {
    let white = [(7, 4), (7, 5), (7, 6), (7, 7)];
    let black = [(5, 3), (6, 3), (8, 3), (9, 3), (4, 3), (5, 8), (6, 8), (8, 8), (9, 8), (4, 8)];
    let game = position(Rule::Renju, 15, &black, &white, Side::Black);
    let forbidden: Vec<Point> = game.forbidden_to_black().into_iter().map(|(point, _)| point).collect();
    assert!(forbidden.contains(&Point::new(7, 3)) && forbidden.contains(&Point::new(7, 8)), "{forbidden:?}");
    let decision = think(&game, &small(Limits::nodes(20_000)));
    assert!(game.legal(decision.mv).is_ok());
    assert_eq!(decision.report.mate, Some(-2));
}

/// Thinking in the opponent's time pays: the answer to the expected move is found with fewer nodes.
#[test]
fn pondering_helps_the_next_move() {
    let game = position(Rule::Freestyle, 15, &[(7, 7), (6, 8)], &[(7, 8), (8, 7)], Side::Black);
    let nodes = |pondered: bool| {
        let mut engine = engine();
        let watch = Watch::default();
        let own = engine.think(&game, &small(Limits::nodes(5_000)), &watch, &mut |_| {}).unwrap();
        let mut after = game.clone();
        after.play(own.mv).unwrap();
        let expected = if pondered {
            engine.think(&after, &small(Limits::nodes(60_000)), &watch, &mut |_| {}).unwrap().mv
        } else {
            self::engine().think(&after, &small(Limits::nodes(60_000)), &watch, &mut |_| {}).unwrap().mv
        };
        after.play(expected).unwrap();
        engine.think(&after, &small(Limits::depth(9)), &watch, &mut |_| {}).unwrap().report.nodes
    };
    let (with, without) = (nodes(true), nodes(false));
    assert!(with < without, "{with} nodes after pondering, {without} without");
}

/// Analysis asks for several lines, some moves only, and no end but the switch; the position is not played on.
#[test]
fn analysis_reports_until_it_is_stopped() {
    let game = position(Rule::Freestyle, 15, &[(7, 7), (6, 8)], &[(7, 8), (8, 7)], Side::Black);
    let before = game.hash();
    let only = [Cell::new(6, 6), Cell::new(8, 8), Cell::new(5, 9)].map(Move::Place).to_vec();
    let stop = StopFlag::new();
    let watch = Watch::start(stop.clone());
    let limits = small(Limits { lines: 2, only: only.clone(), ..Limits::default() });
    let mut reports = 0;
    let decision = engine()
        .think(&game, &limits, &watch, &mut |report| {
            reports += 1;
            assert!(report.lines.len() <= 2 && report.root.len() == 3);
            if report.depth >= 6 {
                stop.stop();
            }
        })
        .unwrap();
    assert!(reports >= 6 && only.contains(&decision.mv));
    assert_eq!(game.hash(), before);
    assert!(watch.elapsed() < Duration::from_secs(30));
}

#[test]
fn unknown_options_are_refused_with_what_is_accepted() {
    let make = |key: &str, value: &str| (super::INFO.make)(&[(key, value)].into_iter().collect::<Options>());
    assert!(make("without", "futility,killers").is_ok());
    assert!(make("without", "luck").is_err_and(|error| error.to_string().contains("leaf-vcf")));
    assert!(make("speed", "high").is_err_and(|error| error.to_string().contains("book, eval, without")));
}

/// White is to move and wins with j9; i9 and g5 lose to a VCT of Black's.
const RENJU_WON: &str =
    r#"{"side":"white","rule":"renju","black":["h8","i6","i10","j7","j8"],"white":["g6","h9","i8","j6"]}"#;

/// Won positions: the one above and some of the puzzles.
fn won_positions() -> Vec<Position> {
    let known = crate::notation::parse(RENJU_WON, &Setup::empty(15, 15)).unwrap();
    let puzzles = crate::puzzle::shipped().iter().step_by(17);
    [known].into_iter().chain(puzzles.map(|puzzle| crate::puzzle::position(puzzle).unwrap())).collect()
}

/// Every move shown as a win is played, and the solver looks for a win of the opponent's.
#[test]
fn a_move_shown_as_won_is_won() {
    let mut solver = Solver::new(16);
    let mut claims = 0;
    for position in won_positions() {
        let report = think(&position, &small(Limits { lines: 2, ..Limits::nodes(100_000) })).report;
        for row in report.root.iter().filter(|row| row.win_rate == 1.0) {
            assert_ne!(row.bound, Bound::Upper, "at most a win is no win: {row:?} {position:?}");
            let mut after = position.clone();
            after.play(row.mv).unwrap();
            claims += 1;
            if after.outcome().is_none() {
                let budget = &mut SolverBudget::nodes(30_000);
                let found = solver.solve(&mut after.board().clone(), after.to_move(), Goal::Vct, budget);
                assert_ne!(found.result, AttackResult::Win, "{row:?} {position:?} {:?}", found.line);
            }
        }
    }
    assert!(claims >= 12, "{claims}");
}

#[test]
fn moves_that_were_cut_off_are_marked() {
    let position = &won_positions()[0];
    let report = think(position, &small(Limits::nodes(100_000))).report;
    assert!(report.root.iter().any(|row| row.bound == Bound::Upper), "{:?}", report.root);
    for text in ["i9", "g5"] {
        let mv = position.parse_move(text).unwrap();
        let row = report.root.iter().find(|row| row.mv == mv);
        assert!(row.is_none_or(|row| row.win_rate < 1.0), "{text} loses: {row:?}");
    }
    assert!(report.root[1..].is_sorted_by(|a, b| a.score >= b.score));
}

/// Lines are legal, as long as the search was deep, and proved ends are played out to the five at their distance.
#[test]
fn principal_lines_are_whole() {
    let quiet = position(Rule::Freestyle, 15, &[(7, 7), (6, 8)], &[(7, 8), (8, 7)], Side::Black);
    let report = think(&quiet, &small(Limits::depth(10))).report;
    assert!(report.pv().len() >= 8, "{} moves at depth 10", report.pv().len());
    let (mut wins, mut losses) = (0, 0);
    for won in won_positions() {
        let report = think(&won, &small(Limits::nodes(100_000))).report;
        let Some(plies) = report.mate else {
            // Only a win by threats that the search has missed can be without one.
            let missed = report.root.first().is_some_and(|row| row.bound == Bound::Lower);
            assert!(report.win_rate < 1.0 || missed, "a win without a distance: {won:?}");
            continue;
        };
        assert_eq!(winner(&won, report.pv()), Some(won.to_move()), "{won:?}");
        assert!(plies > 0 && report.pv().len() as i32 <= plies);
        wins += 1;
        let mut lost = won.clone();
        lost.play(report.pv()[0]).unwrap();
        if lost.outcome().is_none() {
            let report = think(&lost, &small(Limits::nodes(100_000))).report;
            if let Some(plies) = report.mate {
                assert!(plies < 0 && report.pv().len() as i32 <= -plies, "{plies} {lost:?}");
                assert_eq!(winner(&lost, report.pv()), Some(won.to_move()), "{lost:?}");
                losses += 1;
            }
        }
    }
    assert!(wins >= 10 && losses >= 10, "{wins} wins, {losses} losses");
}

/// Its distance is that of the longest line of its proof, not what the empty points would allow.
#[test]
fn a_win_that_the_search_misses_has_the_distance_of_its_proof() {
    let mut plain = (super::INFO.make)(&[("without", "root-vct")].into_iter().collect::<Options>()).unwrap();
    let limits = small(Limits::nodes(10_000));
    let mut missed = 0;
    for id in ["g-0045", "g-0048", "g-0091", "g-0103", "g-0132"] {
        let puzzle = crate::puzzle::shipped().iter().find(|puzzle| puzzle.id == id).unwrap();
        let won = crate::puzzle::position(puzzle).unwrap();
        plain.new_game();
        let searched = plain.think(&won, &limits, &Watch::default(), &mut |_| {}).unwrap().report;
        let report = think(&won, &limits).report;
        if searched.win_rate == 1.0 || report.win_rate < 1.0 {
            continue;
        }
        missed += 1;
        let plies = report.mate.expect("so short a proof can be walked through");
        assert!((i32::from(puzzle.plies)..=25).contains(&plies), "{plies} plies: {id}");
        assert_eq!(winner(&won, report.pv()), Some(won.to_move()), "{id}");
        assert!(report.pv().len() as i32 <= plies, "{id}");
        assert_eq!(report.root[0].score, f64::from(crate::engine::score::MATE - plies), "{id}");
    }
    assert!(missed >= 3, "{missed}");
}

/// Who has won after these moves?
fn winner(position: &Position, moves: &[Move]) -> Option<Side> {
    let mut at = position.clone();
    moves.iter().for_each(|mv| at.play(*mv).unwrap());
    at.outcome().and_then(|outcome| outcome.winner())
}

/// An analysis of one move uses the time given; in a game an only move is played at once.
#[test]
fn a_single_root_move_is_analysed_and_played_at_once() {
    let game = position(Rule::Freestyle, 15, &[(7, 7), (6, 8)], &[(7, 8), (8, 7)], Side::Black);
    let hour = Duration::from_secs(3600);
    let only = vec![Move::Place(Cell::new(6, 6))];
    let limits = small(Limits { only, ..Limits::nodes(20_000) });
    let analysis = think(&game, &Limits { move_time: Some(hour), ..limits.clone() }).report;
    assert!(analysis.nodes >= 20_000 && analysis.depth > 4, "{} {}", analysis.nodes, analysis.depth);
    let clock = Clock { left: hour, increment: Duration::ZERO };
    let played = think(&game, &Limits { clock: Some(clock), ..limits }).report;
    assert!(played.nodes < 20_000 && played.depth == 4, "{} {}", played.nodes, played.depth);
}
