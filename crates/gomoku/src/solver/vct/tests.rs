use crate::notation::{self, json};
use crate::solver::{AttackResult, AttackStrategy, Goal, Solver, SolverBudget, Vcf, Vct, verify};
use crate::{Board, Class, Forbidden, Point, Rule};
use ::game::testing::shared_data;
use ::game::{Position as _, Setup, Side};
use proptest::prelude::*;

/// Solves, and has every win verified.
fn solve(board: &mut Board, side: Side, goal: Goal, nodes: u64) -> (AttackResult, Vec<Point>) {
    let before = board.hash(side);
    let mut solver = Solver::new(4);
    let answer = solver.solve(board, side, goal, &mut SolverBudget::nodes(nodes));
    assert_eq!(board.hash(side), before, "the board is as it was");
    if answer.result == AttackResult::Win {
        let checked = solver.verify(board, side, goal, &mut SolverBudget::nodes(10_000_000));
        assert_eq!(checked, Ok(()), "{:?}", answer.line);
    }
    (answer.result, answer.line)
}

fn read(text: &str) -> (Board, Side) {
    let position = json::read(text, &Setup::empty(15, 15)).expect("a position");
    (position.board().clone(), position.to_move())
}

#[test]
fn two_crossing_twos_win_by_a_double_three() {
    let text = r#"{"side":"black","black":["g8","i8","h7","h6"],"white":["a1","a3","c1","o1"]}"#;
    let (mut board, side) = read(text);
    assert_eq!(solve(&mut board, side, Goal::Vcf, 1000).0, AttackResult::None);
    let (result, line) = solve(&mut board, side, Goal::Vct, 100_000);
    assert_eq!(result, AttackResult::Win);
    line.iter().enumerate().for_each(|(ply, point)| {
        board.make(*point, if ply % 2 == 0 { Side::Black } else { Side::White });
    });
    assert!(!board.five_through(line[line.len() - 1]).is_empty(), "the line ends with five");
}

#[test]
fn renju_forbids_the_same_double_three_to_black() {
    let stones = r#""black":["g8","i8","h7","h6"],"white":["a1","a3","c1","o1"]"#;
    let (mut board, side) = read(&format!(r#"{{"side":"black","rule":"renju",{stones}}}"#));
    let h8 = Point::new(7, 7);
    assert_eq!(board.forbidden(h8), Some(Forbidden::DoubleThree));
    assert!(!Vct::new(1).attacks(&mut board, side).contains(&h8));
    let (result, line) = solve(&mut board, side, Goal::Vct, 20_000);
    assert!(result != AttackResult::Win || line[0] != h8);
    // It is the rule that makes the difference: without it h8 wins.
    let (mut free, side) = read(&format!(r#"{{"side":"black",{stones}}}"#));
    let wins = Vct::new(1).run_after(&mut free, side, h8, &mut SolverBudget::nodes(20_000));
    assert_eq!(wins, AttackResult::Win);
}

#[test]
fn an_open_three_of_the_defender_is_not_forgotten() {
    // The double three at h8 is too slow: White makes an open four first.
    let text = r#"{"side":"black","black":["g8","i8","h7","h6"],"white":["c3","c4","c5","o1"]}"#;
    let (mut board, side) = read(text);
    let (result, _) = solve(&mut board, side, Goal::Vct, 200_000);
    assert_ne!(result, AttackResult::Win);
}

#[test]
fn a_budget_that_ends_is_not_a_refutation() {
    let text = r#"{"side":"black","black":["g8","i8","h7","h6"],"white":["a1","a3","c1","o1"]}"#;
    let (mut board, side) = read(text);
    assert_eq!(solve(&mut board, side, Goal::Vct, 0).0, AttackResult::Unknown);
    let (mut empty, side) = read(r#"{"side":"black","black":[],"white":[]}"#);
    assert_eq!(solve(&mut empty, side, Goal::Vct, 1000).0, AttackResult::None);
    assert_eq!(solve(&mut empty, side, Goal::Win, 1000).0, AttackResult::Unknown);
}

#[test]
fn an_open_question_gets_the_main_search_and_says_what_was_tried() {
    let (mut board, side) = read(r#"{"side":"black","black":["h8"],"white":["i9"]}"#);
    let solution = Solver::new(4).solve(&mut board, side, Goal::Win, &mut SolverBudget::nodes(20_000));
    assert_eq!(solution.result, AttackResult::Unknown);
    assert!(solution.nodes > 15_000, "only {} nodes were spent", solution.nodes);
    assert!(solution.undecided.contains("no VCT"), "{}", solution.undecided);
    assert!(!solution.undecided.contains("ended"), "{}", solution.undecided);
}

#[test]
fn equal_searches_are_equal() {
    let text = r#"{"side":"black","black":["h8","i9","g7","i7","f10"],"white":["h9","h7","j10","g8","f6"]}"#;
    let run = || {
        let (mut board, side) = read(text);
        Solver::new(4).solve(&mut board, side, Goal::Vct, &mut SolverBudget::nodes(5000))
    };
    assert_eq!(run(), run());
}

/// The public test positions, where they are at hand: a few of each file, so that everyday tests stay quick.
#[test]
fn public_positions_are_solved_and_verified() {
    let files =
        [("gomoku/vcf_renju.jsonl", Goal::Vcf, 97, 1.0), ("gomoku/vct3_renju.jsonl", Goal::Vct, 397, 0.8)];
    for (file, goal, every, share) in files {
        let Some(path) = shared_data(file) else { continue };
        let text = std::fs::read_to_string(path).unwrap();
        let defaults = Setup { rule: "renju".into(), ..Setup::empty(15, 15) };
        let (mut won, mut tried) = (0, 0);
        for (number, position) in json::read_lines(&text, &defaults).step_by(every) {
            let position = position.unwrap_or_else(|error| panic!("{file}:{number}: {error}"));
            let (result, _) = solve(&mut position.board().clone(), position.to_move(), goal, 60_000);
            won += usize::from(result == AttackResult::Win);
            tried += 1;
        }
        assert!(won as f64 >= share * tried as f64, "{file}: {won} of {tried}");
    }
    for level in [1, 4, 12, 18] {
        let Some(path) = shared_data(&format!("levels/{level:02}.txt")) else { continue };
        let text = std::fs::read_to_string(path).unwrap();
        let position = notation::parse(&text, &Setup::empty(15, 15)).expect("a level");
        let (result, _) = solve(&mut position.board().clone(), Side::Black, Goal::Win, 100_000);
        assert_eq!(result, AttackResult::Win, "level {level}");
    }
}

/// The strategy of a proof that has to end before the board holds more than `last` stones.
struct Within {
    vct: Vct,
    vcf: Vcf,
    last: usize,
}

impl AttackStrategy for Within {
    fn attack(&mut self, board: &mut Board, attacker: Side) -> Option<Point> {
        // The verifier asks where no five can be made at once: the five is two plies further on at least.
        let left = self.last.checked_sub(board.stones()).filter(|left| *left >= 3)?;
        let fours = self.vcf.shortest(board, attacker, &mut SolverBudget::nodes(20_000));
        if fours == AttackResult::Win && self.vcf.line().len() <= left {
            return self.vcf.line().first().copied();
        }
        self.vct.attack(board, attacker)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Random crowded positions under every rule: no claimed win is ever refuted, and whoever has a VCF has
    /// a VCT.
    #[test]
    fn claimed_wins_survive_every_defence(
        rule in 0..4usize,
        size in 7..11u8,
        stones in prop::collection::vec((0..10u8, 0..10u8, any::<bool>()), 10..34),
        white in any::<bool>(),
    ) {
        let mut board = Board::new(Rule::ALL[rule], size);
        for (row, col, black) in stones {
            let (point, side) = (Point::new(row, col), if black { Side::Black } else { Side::White });
            if row < size && col < size && board.is_empty(point) && board.class(point, side) < Class::Four {
                board.make(point, side);
            }
        }
        let attacker = if white { Side::White } else { Side::Black };
        let mut solver = Solver::new(2);
        let vcf = solver.solve(&mut board, attacker, Goal::Vcf, &mut SolverBudget::nodes(u64::MAX)).result;
        let vct = solver.solve(&mut board, attacker, Goal::Vct, &mut SolverBudget::nodes(3000));
        prop_assert!(vcf != AttackResult::Win || vct.result == AttackResult::Win);
        if vct.result == AttackResult::Win {
            let mut strategy = super::Vct::new(2);
            let checked = verify(&mut board, attacker, &mut strategy, &mut SolverBudget::nodes(1_000_000));
            prop_assert_eq!(checked, Ok(()), "{:?}", vct.line);
        }
        let mut vct = super::Vct::new(2);
        if vct.run(&mut board, attacker, &mut SolverBudget::nodes(3000)) == AttackResult::Win {
            let before = board.hash(attacker);
            let plies = vct.longest(&mut board, attacker, &mut SolverBudget::nodes(1_000_000));
            prop_assert_eq!(board.hash(attacker), before);
            let last = board.stones() + plies.unwrap() as usize;
            let mut within = Within { vct, vcf: Vcf::new(1 << 12), last };
            let checked = verify(&mut board, attacker, &mut within, &mut SolverBudget::nodes(1_000_000));
            prop_assert_eq!(checked, Ok(()), "{} plies", last - board.stones());
        }
    }
}
