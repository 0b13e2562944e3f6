use super::*;
use crate::notation::json;
use crate::oracle::Grid;
use crate::solver::{VerifyError, verify};
use ::game::{Position as _, Setup};
use proptest::prelude::*;

fn read(text: &str) -> (Board, Side) {
    let position = json::read(text, &Setup::empty(15, 15)).expect("a position");
    (position.board().clone(), position.to_move())
}

/// Reads the position, solves it, and has every win verified.
fn solve(text: &str) -> (AttackResult, Vec<String>) {
    let (mut board, side) = read(text);
    let mut vcf = Vcf::new(1 << 12);
    let result = vcf.search(&mut board, side, u64::MAX);
    let name = |point: &Point| crate::notation::points::format_point(point.cell(), board.size());
    let line = vcf.line().iter().map(name).collect();
    if result == AttackResult::Win {
        assert_eq!(verify(&mut board, side, &mut vcf, &mut SolverBudget::nodes(u64::MAX)), Ok(()));
    }
    (result, line)
}

#[test]
fn an_open_four_wins_and_the_line_ends_with_five() {
    let (result, line) = solve(r#"{"side":"black","black":["g8","h8","i8"],"white":["a1","a3"]}"#);
    assert_eq!(result, AttackResult::Win);
    assert_eq!(line.len(), 3);
}

#[test]
fn a_four_and_an_open_three_crossing_it_win_by_the_four() {
    // The four at h8 leaves one block, and then the column has an open four.
    let text = r#"{"side":"black","black":["e8","f8","g8","h7","h6"],"white":["d8","a1","a3","c1"]}"#;
    assert_eq!(solve(text).0, AttackResult::Win);
}

#[test]
fn a_block_that_makes_four_must_be_answered() {
    // As before, but the block at i8 gives White a four, and Black's answer at i7 makes none.
    let text = r#"{"side":"black","black":["e8","f8","g8","h7","h6","i12"],
        "white":["d8","i9","i10","i11","a1"]}"#;
    assert_eq!(solve(text).0, AttackResult::None);
}

#[test]
fn a_five_of_the_defender_comes_first() {
    let text = r#"{"side":"black","black":["g8","h8","i8"],"white":["a1","a2","a3","a4"]}"#;
    assert_eq!(solve(text).0, AttackResult::None);
}

#[test]
fn white_wins_where_the_only_block_is_forbidden() {
    // White's four on row 10 can be stopped only at h10, where Black would have two open threes. A solver
    // that insists on a block would look for one forever.
    let text = r#"{"side":"white","rule":"renju",
        "black":["h9","h8","g9","f8","d10"],"white":["e10","f10","i11","a1"]}"#;
    let (result, _) = solve(text);
    assert_eq!(result, AttackResult::None, "only two stones on the row");
    let text = r#"{"side":"white","rule":"renju",
        "black":["h9","h8","g9","f8","d10"],"white":["e10","f10","a1","c3"]}"#;
    let (mut board, _) = read(text);
    let h10 = Point::new(5, 7);
    assert!(board.forbidden(h10).is_some());
    board.make(Point::new(5, 8), Side::White);
    let mut vcf = Vcf::new(1 << 10);
    assert_eq!(vcf.search(&mut board, Side::White, 10_000), AttackResult::Win);
    assert_eq!(vcf.line(), &[Point::new(5, 6)], "nothing legal follows the four");
    assert_eq!(verify(&mut board, Side::White, &mut vcf, &mut SolverBudget::nodes(1000)), Ok(()));
}

#[test]
fn black_may_not_win_by_a_double_four() {
    let stones = r#""black":["e8","f8","g8","h5","h6","h7"],"white":["d8","h4","a1","a3","c1","o1"]"#;
    assert_eq!(solve(&format!(r#"{{"side":"black","rule":"renju",{stones}}}"#)).0, AttackResult::None);
    assert_eq!(solve(&format!(r#"{{"side":"black","rule":"freestyle",{stones}}}"#)).0, AttackResult::Win);
}

#[test]
fn a_wrong_claim_is_refuted() {
    struct Corner;
    impl AttackStrategy for Corner {
        fn attack(&mut self, _: &mut Board, _: Side) -> Option<Point> {
            Some(Point::new(0, 0))
        }
    }
    let (mut board, side) = read(r#"{"side":"black","black":["g8","h8"],"white":["a1","a3"]}"#);
    let doubt = verify(&mut board, side, &mut Corner, &mut SolverBudget::nodes(1000));
    assert!(matches!(doubt, Err(VerifyError::Refuted(_))), "{doubt:?}");
}

#[test]
fn a_budget_that_ends_is_not_a_refutation() {
    let text = r#"{"side":"black","black":["e8","f8","g8","h7","h6"],"white":["d8","a1","a3","c1"]}"#;
    let (mut board, side) = read(text);
    assert_eq!(Vcf::new(1 << 10).search(&mut board, side, 0), AttackResult::Unknown);
}

/// The definition, tried out stone by stone: does the attacker win with at most `moves` more moves, each of
/// them a four but the last?
fn by_definition(grid: &mut Grid, board: &Board, attacker: Side, moves: u8, played: &mut Vec<Point>) -> bool {
    let empty: Vec<Point> = board.empty_points().iter().filter(|point| !played.contains(point)).collect();
    let fives = |grid: &mut Grid, side: Side, but: &[Point]| -> Vec<Point> {
        let open = empty.iter().filter(|point| !but.contains(point));
        open.copied()
            .filter(|p| grid.with(Grid::spot(*p), side, |g| g.is_five_anywhere(Grid::spot(*p))))
            .collect()
    };
    let defender = attacker.other();
    if moves == 0 {
        return false;
    }
    if !fives(grid, attacker, &[]).is_empty() {
        return true;
    }
    let legal = |grid: &mut Grid, point: Point, side: Side| {
        !(board.rule().forbids(side) && grid.forbidden(Grid::spot(point)).is_some())
    };
    for point in empty.clone() {
        if !legal(grid, point, attacker) {
            continue;
        }
        grid.put(Grid::spot(point), attacker);
        let is_four = !fives(grid, attacker, &[point]).is_empty();
        let safe = fives(grid, defender, &[point]).is_empty();
        let mut wins = is_four && safe && moves > 1;
        if wins {
            for reply in empty.iter().copied().filter(|reply| *reply != point) {
                if !legal(grid, reply, defender) {
                    continue;
                }
                grid.put(Grid::spot(reply), defender);
                if fives(grid, attacker, &[point, reply]).is_empty() {
                    played.extend([point, reply]);
                    wins = by_definition(grid, board, attacker, moves - 1, played);
                    played.truncate(played.len() - 2);
                }
                grid.take(Grid::spot(reply));
                if !wins {
                    break;
                }
            }
        }
        grid.take(Grid::spot(point));
        if wins {
            return true;
        }
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn agrees_with_the_definition(
        rule in 0..4usize,
        stones in prop::collection::vec((0..8u8, 0..8u8, any::<bool>()), 14..30),
        white in any::<bool>(),
    ) {
        let mut board = Board::new(Rule::ALL[rule], 8);
        for (row, col, black) in stones {
            let (point, side) = (Point::new(row, col), if black { Side::Black } else { Side::White });
            if board.is_empty(point) && board.class(point, side) != Class::Five {
                board.make(point, side);
            }
        }
        let attacker = if white { Side::White } else { Side::Black };
        let mut vcf = Vcf::new(1 << 10);
        for moves in 1..=3 {
            vcf.start(&board);
            let found = vcf.attack(&mut board, attacker, None, moves, &mut SolverBudget::nodes(u64::MAX));
            let expected = by_definition(&mut Grid::of(&board), &board, attacker, moves, &mut Vec::new());
            prop_assert_eq!(found == Node::Win, expected, "{} moves, {:?}", moves, attacker);
        }
        if vcf.search(&mut board, attacker, u64::MAX) == AttackResult::Win {
            let checked = verify(&mut board, attacker, &mut vcf, &mut SolverBudget::nodes(u64::MAX));
            prop_assert_eq!(checked, Ok(()));
        }
    }
}
