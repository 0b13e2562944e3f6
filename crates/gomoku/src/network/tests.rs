//! The accumulator against a slow computation from scratch, and the file format.

use super::patterns::Patterns;
use super::patterns::REACH;
use super::threats::{active, threat_inputs};
use super::*;
use crate::{Board, Direction, Point};
use ::game::Side;
use nn::CHANNELS;
use nn::patterns::{FEATURE_LIMIT, FEATURE_ONE, POOLED, WEIGHT_ONE, activation};
use proptest::prelude::*;
use search::rng::Rng;

/// A network of random weights.
fn random_network(rule: Rule, seed: u64) -> Network {
    let mut rng = Rng::new(seed);
    let mut short = |limit: usize| rng.below(2 * limit + 1) as i16 - limit as i16;
    let patterns = Patterns::of(rule);
    Network {
        rule,
        patterns,
        table: (0..patterns.count).map(|_| I16x64(std::array::from_fn(|_| short(200)))).collect(),
        bias: I16x64(std::array::from_fn(|_| short(200))),
        value: ValueHead {
            hidden: Box::new(std::array::from_fn(|_| std::array::from_fn(|_| short(1000)))),
            hidden_bias: std::array::from_fn(|_| i32::from(short(1000)) * 100),
            output: std::array::from_fn(|_| short(1000)),
            output_bias: i32::from(short(1000)),
        },
        threats: (0..threat_inputs(rule))
            .map(|_| std::array::from_fn(|_| i32::from(short(1000)) * 100))
            .collect(),
        policy: std::array::from_fn(|_| short(1000)),
    }
}

/// The features of a cell by walking its lines, as `view` sees them.
fn slow_features(network: &Network, board: &Board, point: Point, view: Side) -> [i32; CHANNELS] {
    let reach = REACH as isize;
    let on_board: Vec<Point> = board.all_points().collect();
    let state = |at: Point| match board.at(at) {
        _ if !on_board.contains(&at) => 3u64,
        None => 0,
        Some(side) => side.index() as u64 + 1,
    };
    let mut sum: [i32; CHANNELS] = std::array::from_fn(|i| i32::from(network.bias.0[i]));
    for direction in Direction::ALL {
        let window =
            (-reach..=reach).rev().fold(0, |bits, step| bits << 2 | state(point.step(direction, step)));
        let row = network.patterns.rows_of(window)[view.index()] as usize;
        sum.iter_mut().zip(&network.table[row].0).for_each(|(sum, add)| *sum += i32::from(*add));
    }
    sum
}

fn check_against_scratch(network: &Network, board: &Board, state: &mut Accumulator, to_move: Side) {
    let mut fresh = Accumulator::new(network, board);
    assert_eq!(state.value(board, to_move), fresh.value(board, to_move));
    let mut pool = [0; POOLED];
    for point in board.all_points() {
        let features = slow_features(network, board, point, to_move);
        for (sum, feature) in pool.iter_mut().zip(features) {
            *sum += activation(feature as i16);
        }
        let logit: i32 =
            (POOLED..CHANNELS).map(|i| i32::from(network.policy[i - POOLED]) * features[i].max(0)).sum();
        assert_eq!(state.policy(point, to_move), logit / (WEIGHT_ONE * i32::from(FEATURE_ONE) / 100));
    }
    assert_eq!(fresh.pool_of(to_move), &pool);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_accumulator_equals_a_computation_from_scratch(seed: u64, size in 5u8..=20, by_side: bool) {
        let rule = if by_side { Rule::Renju } else { Rule::Freestyle };
        let network = random_network(rule, seed);
        let mut board = Board::new(rule, size);
        let mut state = Accumulator::new(&network, &board);
        let mut rng = Rng::new(seed);
        let mut side = Side::Black;
        for _ in 0..60 {
            let empty: Vec<Point> = board.empty_points().into_points().collect();
            match (rng.below(3), rng.pick(&empty)) {
                (1.., Some(point)) => {
                    board.make(point, side);
                    state.make(point, side);
                    side = side.other();
                }
                _ if board.stones() > 0 => {
                    board.undo();
                    state.undo();
                    side = side.other();
                }
                _ => {}
            }
            if rng.below(8) == 0 {
                check_against_scratch(&network, &board, &mut state, side);
            }
        }
        check_against_scratch(&network, &board, &mut state, side);
    }
}

#[test]
fn mirrored_and_rotated_boards_have_the_same_value() {
    let network = random_network(Rule::Freestyle, 3);
    let mut rng = Rng::new(4);
    let mut board = Board::new(Rule::Freestyle, 15);
    let mut side = Side::Black;
    for _ in 0..40 {
        let empty: Vec<Point> = board.empty_points().into_points().collect();
        board.make(rng.pick(&empty).unwrap(), side);
        side = side.other();
    }
    let value = Accumulator::new(&network, &board).value(&board, side);
    for symmetry in 1..8 {
        let mut image = Board::new(Rule::Freestyle, 15);
        for of in Side::BOTH {
            board.stones_of(of).iter().for_each(|point| image.make(board.mapped(point, symmetry), of));
        }
        assert_eq!(Accumulator::new(&network, &image).value(&image, side), value, "symmetry {symmetry}");
    }
}

#[test]
fn every_row_belongs_to_one_pattern_and_its_mirror_image() {
    for rule in [Rule::Freestyle, Rule::Renju] {
        let patterns = Patterns::of(rule);
        let mut seen = vec![false; patterns.count];
        for pattern in patterns.all() {
            assert!(!std::mem::replace(&mut seen[pattern.row], true));
            let bits =
                |cells: &[u8]| cells.iter().rev().fold(0u64, |bits, cell| bits << 2 | u64::from(*cell));
            // A window holds Black's stones as 1, a pattern its own.
            let colours = |cells: &[u8]| -> Vec<u8> {
                let white = pattern.side == Side::White;
                cells
                    .iter()
                    .map(|cell| if white { [0, 2, 1, 3][usize::from(*cell)] } else { *cell })
                    .collect()
            };
            let window = |before: &[u8], after: &[u8]| {
                let furthest_first: Vec<u8> = before.iter().rev().copied().collect();
                bits(&colours(&[&furthest_first, &[pattern.centre][..], after].concat()))
            };
            let row = |window| patterns.rows_of(window)[pattern.side.index()] as usize;
            assert_eq!(row(window(&pattern.before, &pattern.after)), pattern.row);
            assert_eq!(row(window(&pattern.after, &pattern.before)), pattern.row);
        }
        assert!(seen.into_iter().all(|seen| seen));
    }
}

#[test]
fn threats_are_told_by_side_class_and_count() {
    let network = random_network(Rule::Freestyle, 5);
    let mut board = Board::new(Rule::Freestyle, 15);
    let none = active(&board, Side::Black);
    assert_eq!(none, active(&board, Side::White));
    for text in ["h8", "i8", "j8"] {
        board.make(Point::of(crate::notation::points::parse_point(text, 15).unwrap()), Side::Black);
    }
    let (black, white) = (active(&board, Side::Black), active(&board, Side::White));
    let half = none.len() / 2;
    assert_eq!(black[half..], none[half..], "White has no threats");
    let relative = |inputs: &[u8], first: usize| {
        inputs.iter().map(|input| usize::from(*input) - first).collect::<Vec<_>>()
    };
    assert_eq!(relative(&black[..half], 0), relative(&white[half..], threat_inputs(Rule::Freestyle) / 2));
    assert_ne!(black[..half], none[..half], "three in a row can become an open four");
    assert_ne!(network.threat_row(&board, Side::Black), network.threat_row(&board, Side::White));
}

#[test]
fn files_read_back_and_bad_ones_are_refused() {
    let network = random_network(Rule::Freestyle, 1);
    let bytes = network.write();
    assert_eq!(Network::read(&bytes).as_ref(), Ok(&network));
    assert_eq!(Network::read(b"no"), Err(NetworkError::Compression));
    let plain = |bytes: &[u8]| miniz_oxide::deflate::compress_to_vec_zlib(bytes, 1);
    assert_eq!(Network::read(&plain(b"TENGENG0....")), Err(NetworkError::Magic));
    let error = Network::read(&plain(b"TENGENG2\x00\x01\x02\x03")).unwrap_err();
    assert!(error.to_string().contains("accepted: 0 to 3"), "{error}");
    let mut short = miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).unwrap();
    short.pop();
    assert!(matches!(Network::read(&plain(&short)), Err(NetworkError::Length { .. })));
    let mut wild = network.clone();
    wild.table[7].0[3] = FEATURE_LIMIT + 1;
    assert!(matches!(Network::read(&wild.write()), Err(NetworkError::Range { what: "table rows", .. })));
}
