use super::*;
use crate::oracle::Grid;
use proptest::prelude::*;

/// A rule, a size and random stones, most of them close together so that shapes arise.
fn scene() -> impl Strategy<Value = (Rule, u8, Vec<(u8, u8, bool)>)> {
    let stones = |size: u8| {
        let low = size.saturating_sub(9) / 2;
        let near = (low..(low + 9).min(size), low..(low + 9).min(size));
        let far = (0..size, 0..size);
        let spot = prop_oneof![3 => near, 1 => far];
        prop::collection::vec((spot, any::<bool>()).prop_map(|((r, c), b)| (r, c, b)), 0..60)
    };
    (0..4usize, Rule::MIN_SIZE..=Rule::MAX_SIZE)
        .prop_flat_map(move |(rule, size)| (Just(Rule::ALL[rule]), Just(size), stones(size)))
}

fn fill(board: &mut Board, stones: &[(u8, u8, bool)]) -> Vec<(Point, Side)> {
    let mut put = Vec::new();
    for (row, col, black) in stones {
        let (point, side) = (Point::new(*row, *col), if *black { Side::Black } else { Side::White });
        if board.is_empty(point) {
            board.make(point, side);
            put.push((point, side));
        }
    }
    put
}

fn assert_same(a: &Board, b: &Board) {
    assert_eq!(a.hash, b.hash);
    assert_eq!(a.stones, b.stones);
    assert!(a.lines == b.lines && a.cells == b.cells);
    assert!(a.infos == b.infos, "infos differ");
    assert_eq!(a.tally, b.tally);
    assert!(a.occupied == b.occupied);
}

/// Computes everything about a board point by point, without the incremental update.
fn from_scratch(board: &Board) -> Board {
    let mut fresh = Board::new(board.rule, board.size);
    for point in board.all_points() {
        if let Some(side) = board.at(point) {
            fresh.write_cell(point.index(), side.index() as u8 + 1);
            fresh.occupied[side.index()].insert(point);
            fresh.stones += 1;
            fresh.hash ^= stone_key(point, side);
        }
    }
    for point in board.all_points() {
        if fresh.is_empty(point) {
            fresh.refresh_point(point.index());
        } else {
            fresh.infos[point.index()].set(0, [Class::Barred; 2], 0, &mut fresh.tally);
        }
    }
    fresh
}

fn line_strength(shape: Shape) -> u8 {
    match shape {
        Shape::Five => 4,
        Shape::OpenFour | Shape::LineDoubleFour => 3,
        Shape::Four => 2,
        Shape::Three | Shape::OpenThree => 1,
        _ => 0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn incremental_equals_from_scratch((rule, size, stones) in scene(), back in 0..60usize) {
        let mut board = Board::new(rule, size);
        let put = fill(&mut board, &stones);
        assert_same(&board, &from_scratch(&board));
        for (point, _) in put.iter().rev().take(back) {
            prop_assert_eq!(board.undo(), Some(*point));
        }
        assert_same(&board, &from_scratch(&board));
        while board.undo().is_some() {}
        assert_same(&board, &Board::new(rule, size));
    }

    #[test]
    fn symmetries_agree((rule, size, stones) in scene()) {
        let mut board = Board::new(rule, size);
        let put = fill(&mut board, &stones);
        let forbidden = board.forbidden_points();
        for symmetry in 0..8 {
            let mut image = Board::new(rule, size);
            for (point, side) in &put {
                image.make(board.mapped(*point, symmetry), *side);
            }
            prop_assert_eq!(image.canonical_hash(Side::White), board.canonical_hash(Side::White));
            for point in board.all_points() {
                let mapped = board.mapped(point, symmetry);
                for side in Side::BOTH {
                    prop_assert_eq!(board.class(point, side), image.class(mapped, side));
                }
            }
            let mut mapped: Vec<_> = forbidden.iter().map(|(p, kind)| (board.mapped(*p, symmetry), *kind)).collect();
            mapped.sort_by_key(|(point, _)| *point);
            prop_assert_eq!(mapped, image.forbidden_points());
        }
        prop_assert_ne!(board.canonical_hash(Side::White), board.canonical_hash(Side::Black));
    }

    #[test]
    fn shapes_agree_with_the_oracle((rule, size, stones) in scene()) {
        let mut board = Board::new(rule, size);
        fill(&mut board, &stones);
        let mut grid = Grid::of(&board);
        for point in board.empty_points().iter() {
            for side in Side::BOTH {
                for direction in Direction::ALL {
                    let expected = grid.strength(Grid::spot(point), Grid::step(direction), side);
                    let shape = board.shape(point, side, direction);
                    prop_assert_eq!(line_strength(shape), expected, "{:?} {} {:?} {:?}", point.cell(), side, direction, shape);
                }
            }
        }
    }

    #[test]
    fn wins_agree_with_the_oracle((rule, size, stones) in scene()) {
        let mut board = Board::new(rule, size);
        fill(&mut board, &stones);
        let mut grid = Grid::of(&board);
        for point in board.empty_points().iter() {
            for side in Side::BOTH {
                let expected = grid.with(Grid::spot(point), side, |grid| grid.is_five_anywhere(Grid::spot(point)));
                prop_assert_eq!(board.makes_five(point, side), expected);
                board.make(point, side);
                prop_assert_eq!(board.five_through(point).len() >= 5, expected);
                board.undo();
            }
        }
    }

    #[test]
    fn forbidden_points_agree_with_the_oracle((_, size, stones) in scene()) {
        let mut board = Board::new(Rule::Renju, size);
        fill(&mut board, &stones);
        let before = board.clone();
        let mut grid = Grid::of(&board);
        for point in board.empty_points().iter() {
            prop_assert_eq!(board.forbidden(point), grid.forbidden(Grid::spot(point)), "{:?}", point.cell());
        }
        assert_same(&board, &before);
    }

    #[test]
    fn gain_and_defence_do_what_they_say((rule, size, stones) in scene()) {
        let mut board = Board::new(rule, size);
        fill(&mut board, &stones);
        for point in board.empty_points().iter() {
            for side in Side::BOTH {
                for direction in Direction::ALL {
                    let shape = board.shape(point, side, direction);
                    if line_strength(shape) == 0 || shape == Shape::Five {
                        continue;
                    }
                    let gain: Vec<Point> = board.gain(point, side, direction).points(point, direction).collect();
                    let defence: Vec<Point> = board.defence(point, side, direction).points(point, direction).collect();
                    prop_assert!(!gain.is_empty() && !defence.is_empty());
                    for reply in board.empty_points().iter() {
                        let on_line = (-5..=5).any(|k| k != 0 && point.step(direction, k) == reply);
                        if !on_line {
                            continue;
                        }
                        board.make(reply, side.other());
                        let weaker = line_strength(board.shape(point, side, direction)) < line_strength(shape);
                        board.undo();
                        prop_assert_eq!(defence.contains(&reply), weaker);
                    }
                    board.make(point, side);
                    for next in gain {
                        let grown = board.shape(next, side, direction);
                        let nearer = if shape.fours() > 0 { grown == Shape::Five } else { grown.is_strong_four() };
                        prop_assert!(nearer, "{:?} grows into {:?}", shape, grown);
                    }
                    board.undo();
                }
            }
        }
    }
}

#[test]
fn empty_board_counts_are_all_quiet() {
    for rule in Rule::ALL {
        for size in Rule::MIN_SIZE..=Rule::MAX_SIZE {
            let board = Board::new(rule, size);
            for side in Side::BOTH {
                assert_eq!(board.count(side, Class::Quiet), usize::from(size).pow(2));
            }
        }
    }
}
