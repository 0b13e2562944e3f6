//! Tests of the whole engine: forced positions everywhere on the board, true distances, limits, repeatability.

mod behaviour;

use super::INFO;
use crate::{Class, Opening, Point, Position, Rule};
use ::game::{
    Cell, Clock, Decision, Engine, Level, Limits, Move, Options, Outcome, Position as GamePosition, Seat,
    Setup, Side, StopFlag, Watch,
};
use search::rng::Rng;
use std::time::Duration;

pub(super) fn engine() -> Box<dyn Engine> {
    (INFO.make)(&Options::new()).unwrap()
}

pub(super) fn small(limits: Limits) -> Limits {
    Limits { memory_mb: 4, ..limits }
}

pub(super) fn think(position: &Position, limits: &Limits) -> Decision {
    engine().think(position, limits, &Watch::default(), &mut |_| {}).unwrap()
}

/// A position from stones given as (row, column).
pub(super) fn position(
    rule: Rule,
    size: u8,
    black: &[(u8, u8)],
    white: &[(u8, u8)],
    to_move: Side,
) -> Position {
    let stones = |side, cells: &[(u8, u8)]| -> Vec<(Side, Cell)> {
        cells.iter().map(|(row, col)| (side, Cell::new(*row, *col))).collect()
    };
    let mut setup = Setup::empty(size, size);
    setup.rule = rule.name().into();
    setup.stones = stones(Side::Black, black);
    setup.stones.extend(stones(Side::White, white));
    setup.to_move = Some(to_move);
    Position::from_setup(&setup).unwrap()
}

/// Every row of five cells of a board.
fn all_fives(size: i32) -> Vec<[(u8, u8); 5]> {
    let mut fives = Vec::new();
    for (dr, dc) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for row in 0..size {
            for col in 0..size {
                let (last_row, last_col) = (row + 4 * dr, col + 4 * dc);
                if (0..size).contains(&last_row) && (0..size).contains(&last_col) {
                    fives.push(std::array::from_fn(|n| {
                        ((row + n as i32 * dr) as u8, (col + n as i32 * dc) as u8)
                    }));
                }
            }
        }
    }
    fives
}

#[test]
fn fives_are_completed_and_fours_blocked_everywhere() {
    let mut engine = engine();
    let limits = small(Limits::nodes(300));
    for (n, five) in all_fives(15).into_iter().enumerate() {
        let gap = five[n % 5];
        let four: Vec<(u8, u8)> = five.into_iter().filter(|cell| *cell != gap).collect();
        for to_move in Side::BOTH {
            let position = position(Rule::Freestyle, 15, &four, &[], to_move);
            let board = position.board();
            let fives: Vec<Cell> = board.points_of(Side::Black, Class::Five).map(|p| p.cell()).collect();
            let decision = engine.think(&position, &limits, &Watch::default(), &mut |_| {}).unwrap();
            let chosen = decision.mv.cell().unwrap();
            // With two ways to five the game is lost, and which of the two is blocked is all the same.
            assert!(fives.contains(&chosen), "{position:?} {chosen:?}");
            if to_move == Side::Black {
                assert_eq!(decision.report.mate, Some(1));
            }
        }
    }
}

#[test]
fn open_threes_are_answered_near_edges_too() {
    let mut engine = engine();
    for (row, col) in [(1, 5), (7, 7), (13, 6), (5, 1), (2, 9)] {
        let black = [(row, col), (row, col + 1), (row, col + 2)];
        let white = [((row + 4) % 15, col), ((row + 7) % 15, col + 4)];
        let position = position(Rule::Freestyle, 15, &black, &white, Side::White);
        let limits = small(Limits::nodes(3_000));
        let decision = engine.think(&position, &limits, &Watch::default(), &mut |_| {}).unwrap();
        let mut board = position.board().clone();
        board.make(Point::of(decision.mv.cell().unwrap()), Side::White);
        assert_eq!(board.count(Side::Black, Class::OpenFour), 0, "{position:?} {decision:?}");
    }
}

#[test]
fn black_does_not_hang_when_only_a_forbidden_point_blocks() {
    // White threatens five at one point only, where Black would make an overline.
    let white = [(7, 0), (7, 1), (7, 2), (7, 3)];
    let black = [(4, 4), (5, 4), (6, 4), (8, 4), (9, 4), (12, 12)];
    let position = position(Rule::Renju, 15, &black, &white, Side::Black);
    assert!(position.forbidden_to_black().iter().any(|(point, _)| *point == Point::new(7, 4)));
    let decision = think(&position, &small(Limits::nodes(20_000)));
    assert!(position.legal(decision.mv).is_ok());
}

#[test]
fn a_lost_game_is_prolonged() {
    // Black has an open three and White no answer that lasts longer than a four of its own.
    let black = [(7, 4), (7, 5), (7, 6), (7, 7)];
    let white = [(3, 3), (3, 4), (3, 5), (10, 10)];
    let position = position(Rule::Freestyle, 15, &black, &white, Side::White);
    let decision = think(&position, &small(Limits::depth(6)));
    assert_eq!(decision.report.mate, Some(-2));
}

#[test]
fn claimed_wins_end_in_time() {
    let mut rng = Rng::new(5);
    let mut attacker = engine();
    let mut defender = engine();
    let mut wins = 0;
    for _ in 0..8 {
        let mut game = Position::new(Rule::Freestyle, 13);
        for _ in 0..7 {
            let near = game.board().candidates(1).into_points().collect::<Vec<_>>();
            let point = rng.pick(&near).unwrap_or(Point::new(6, 6));
            game.play(Move::Place(point.cell())).unwrap();
        }
        let limits = small(Limits::nodes(8_000));
        let mut left = None;
        let mut winner = None;
        let mut claim = String::new();
        while game.outcome().is_none() && game.history().len() < 80 {
            let side = game.to_move();
            let player = if winner.is_none_or(|w| w == side) { &mut attacker } else { &mut defender };
            let mut decision = player.think(&game, &limits, &Watch::default(), &mut |_| {}).unwrap();
            if winner.is_none() && decision.report.mate.is_some_and(|plies| plies > 0) {
                winner = Some(side);
                left = decision.report.mate;
                claim = format!("{:?} {game:?} {}", left, decision.report.pv().len());
            } else if winner == Some(side) && decision.report.mate.is_none_or(|plies| Some(plies) > left) {
                // The few nodes may not find it again after a surprise; what was claimed must still be there.
                let more = small(Limits::nodes(400_000));
                decision = player.think(&game, &more, &Watch::default(), &mut |_| {}).unwrap();
            }
            if let Some(left) = &mut left {
                assert!(*left > 0, "a win that was claimed has not come: {game:?} claimed: {claim}");
                *left -= 1;
            }
            game.play(decision.mv).unwrap();
        }
        if let Some(winner) = winner {
            assert!(matches!(game.outcome(), Some(Outcome::Win { side, .. }) if side == winner), "{game:?}");
            wins += 1;
        }
    }
    assert!(wins > 3, "the games should not all be drawn");
}

#[test]
fn the_same_search_gives_the_same_answer() {
    let position = position(Rule::Freestyle, 15, &[(7, 7), (6, 8)], &[(7, 8), (8, 7)], Side::Black);
    let limits = small(Limits::nodes(20_000));
    let mut engine = engine();
    let answer = |engine: &mut Box<dyn Engine>| {
        let decision = engine.think(&position, &limits, &Watch::default(), &mut |_| {}).unwrap();
        (decision.mv, decision.report.nodes, decision.report.lines[0].moves.clone())
    };
    let first = answer(&mut engine);
    engine.new_game();
    assert_eq!(answer(&mut engine), first);
    assert_eq!(answer(&mut self::engine()), first);
}

#[test]
fn limits_are_kept() {
    let position = position(Rule::Freestyle, 15, &[(7, 7), (6, 8)], &[(7, 8), (8, 7)], Side::Black);
    let least = |limits: &Limits| {
        least_of(|| {
            let before = thread_time();
            think(&position, limits);
            thread_time() - before
        })
    };
    for millis in [0, 1, 30, 200] {
        let time = Duration::from_millis(millis);
        let taken = least(&small(Limits::time(time)));
        assert!(taken < time + Duration::from_millis(30), "{taken:?} of {time:?}");
    }
    let clock = Clock { left: Duration::from_millis(400), increment: Duration::ZERO };
    let taken = least(&small(Limits { clock: Some(clock), ..Limits::default() }));
    assert!(taken < clock.left / 2, "{taken:?}");
    let report = think(&position, &small(Limits::depth(4))).report;
    assert_eq!(report.depth, 4);
    let report = think(&position, &small(Limits::nodes(5_000))).report;
    assert!(report.nodes < 5_000 + 200, "{}", report.nodes);
}

/// CPU time of this thread: unlike wall time it does not depend on what else the machine does.
fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// The least of a few measurements: the first ones pay for page faults, while a delay of the engine's own would be in all.
fn least_of(measure: impl FnMut() -> Duration) -> Duration {
    std::iter::repeat_with(measure).take(4).min().unwrap()
}

#[test]
fn the_fastest_answer_takes_under_30_ms() {
    let quiet = position(Rule::Freestyle, 15, &[(7, 7), (6, 8)], &[(7, 8), (8, 7)], Side::Black);
    let busy = "h8i9g9g7i7j6h7j7j8i8i10h9f8k9";
    let busy = crate::notation::parse(busy, &Setup::empty(15, 15)).unwrap();
    for position in [quiet, busy] {
        let mut engine = engine();
        let least = least_of(|| {
            let before = thread_time();
            let limits = Limits::time(Duration::ZERO);
            engine.think(&position, &limits, &Watch::default(), &mut |_| {}).unwrap();
            thread_time() - before
        });
        assert!(least < Duration::from_millis(30), "{least:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_search_without_limits_stops_within_20_ms() {
    let position = position(Rule::Freestyle, 15, &[(7, 7), (6, 8)], &[(7, 8), (8, 7)], Side::Black);
    for threads in [1, 2] {
        let mut engine = engine();
        let least = least_of(|| {
            let stop = StopFlag::new();
            let watch = Watch::start(stop.clone());
            let limits = small(Limits { threads, ..Limits::default() });
            let searching = rustix::thread::gettid();
            let at_stop = std::thread::scope(|scope| {
                let stopper = scope.spawn(move || {
                    std::thread::sleep(Duration::from_millis(40));
                    let schedule = format!("/proc/self/task/{searching}/schedstat");
                    let schedule = std::fs::read_to_string(schedule).unwrap();
                    stop.stop();
                    Duration::from_nanos(schedule.split(' ').next().unwrap().parse().unwrap())
                });
                engine.think(&position, &limits, &watch, &mut |_| {}).unwrap();
                stopper.join().unwrap()
            });
            thread_time() - at_stop
        });
        assert!(least < Duration::from_millis(20), "{threads} threads: {least:?}");
    }
}

#[test]
fn lines_and_excluded_moves() {
    let position = position(Rule::Freestyle, 15, &[(7, 7), (6, 8)], &[(7, 8), (8, 7)], Side::Black);
    let limits = small(Limits { lines: 3, ..Limits::depth(6) });
    let report = think(&position, &limits).report;
    assert_eq!(report.lines.len(), 3);
    assert!(report.lines.windows(2).all(|pair| pair[0].score >= pair[1].score));
    let best = report.lines[0].moves[0];
    let without = think(&position, &small(Limits { exclude: vec![best], ..Limits::depth(6) }));
    assert_ne!(without.mv, best);
    let corner = Move::Place(Cell::new(0, 0));
    let with = think(&position, &small(Limits { only: vec![corner], ..Limits::depth(4) }));
    assert_eq!(with.mv, corner);
    let nothing = small(Limits { only: vec![Move::Place(Cell::new(7, 7))], ..Limits::depth(4) });
    assert!(engine().think(&position, &nothing, &Watch::default(), &mut |_| {}).is_err());
}

#[test]
fn every_rule_and_size_is_played_to_the_end() {
    let mut rng = Rng::new(9);
    let mut engine = engine();
    let mut losses = 0;
    for (n, size) in (Rule::MIN_SIZE..=Rule::MAX_SIZE).enumerate() {
        for rule in Rule::ALL {
            if n % 3 != rule as usize % 3 && size > 7 {
                continue;
            }
            engine.new_game();
            let mut game = Position::new(rule, size);
            let own = Side::BOTH[n % 2];
            let level = Level::ALL[1 + n % 8];
            while game.outcome().is_none() {
                let mv = if game.to_move() == own {
                    let limits = small(Limits { level, ..Limits::nodes(300) });
                    engine.think(&game, &limits, &Watch::default(), &mut |_| {}).unwrap().mv
                } else {
                    rng.pick(&game.legal_moves()).unwrap()
                };
                game.play(mv).unwrap();
            }
            losses += usize::from(matches!(game.outcome(), Some(Outcome::Win { side, .. }) if side != own));
        }
    }
    assert_eq!(losses, 0, "no game is lost to random moves");
}

#[test]
fn swap2_is_offered_and_answered() {
    let mut engine = engine();
    let mut choices = Vec::new();
    for seed in 0..4 {
        let mut setup = Setup::empty(15, 15);
        setup.opening = Opening::Swap2.name().into();
        let mut game = Position::from_setup(&setup).unwrap();
        let limits = small(Limits { seed, ..Limits::nodes(4_000) });
        while game.history().len() < 12 && game.outcome().is_none() {
            let decision = engine.think(&game, &limits, &Watch::default(), &mut |_| {}).unwrap();
            choices.extend((decision.mv.cell().is_none()).then_some(decision.mv));
            game.play(decision.mv).unwrap();
        }
        assert!(game.colour_of(Seat::First) != game.colour_of(Seat::Second));
    }
    assert!(!choices.is_empty(), "somebody should have swapped or extended");
}

#[test]
fn weak_levels_see_fives_and_open_fours() {
    let black = [(7, 4), (7, 5), (7, 6)];
    let white = [(3, 3), (10, 10)];
    for level in &Level::ALL[1..8] {
        let level = *level;
        for seed in 0..6 {
            let game = position(Rule::Freestyle, 15, &black, &white, Side::White);
            let decision = think(&game, &small(Limits { level, seed, ..Limits::default() }));
            let mut board = game.board().clone();
            board.make(Point::of(decision.mv.cell().unwrap()), Side::White);
            assert_eq!(board.count(Side::Black, Class::OpenFour), 0, "{level} {seed}");
        }
    }
}

#[test]
fn distances_of_plain_wins() {
    let open_three =
        position(Rule::Freestyle, 15, &[(7, 5), (7, 6), (7, 7)], &[(2, 2), (12, 3)], Side::Black);
    assert_eq!(think(&open_three, &small(Limits::depth(8))).report.mate, Some(3));
    let threes = [(7, 5), (7, 6), (6, 7), (5, 7)];
    let double = position(Rule::Freestyle, 15, &threes, &[(2, 2), (12, 3), (1, 9)], Side::Black);
    // No VCF, but proved by the search.
    let report = think(&double, &small(Limits::depth(8))).report;
    assert_eq!(report.mate, Some(5));
    assert_eq!(report.win_rate, 1.0);
}
