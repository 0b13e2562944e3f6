//! Answers against brute force and against each other.

use super::*;
use crate::Size;
use crate::stones::oracle::{self, Oracle};
use crate::stones::{Shape, Stones};
use proptest::prelude::*;
use search::Rng;

fn board_of(size: Size, stones: &Stones<1>) -> Board {
    let mut board = Board::new(size);
    for side in Side::BOTH {
        stones.of(side).iter().for_each(|cell| board.place(side, cell));
    }
    board
}

fn ask(board: &Board, ask: Ask, to_move: Side, budget: &Budget) -> Answer {
    let question = Question { ask, to_move, verify: true };
    solve(board, &question, budget, &Watch::default(), &|_| {})
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn small_boards_agree_with_minimax(rows in 1u8..=4, cols in 1u8..=4, seed: u64, threads in 1usize..3) {
        let size = Size::new(rows, cols).unwrap();
        let shape = Shape::<1>::new(size);
        let stones = oracle::random_stones(&shape, seed, 13);
        let mut oracle = Oracle::new(&shape);
        let board = board_of(size, &stones);
        let budget = Budget { threads, memory_mb: 1, ..Budget::default() };
        for side in Side::BOTH {
            let answer = ask(&board, Ask::WinningMoves, side, &budget);
            let expected = if oracle.wins(&stones, side) { side } else { side.other() };
            prop_assert_eq!(answer.winner, Some(expected));
            prop_assert!(answer.proof.is_some(), "{stones:?}");
            if shape.winner(&stones).is_none() {
                let wins = |&cell: &usize| !oracle.wins(&stones.with(side, cell), side.other());
                let moves: Vec<usize> = shape.empty(&stones).iter().filter(wins).collect();
                prop_assert_eq!(answer.winning_moves, moves);
            }
            let alone = ask(&board, Ask::Winner, side, &budget);
            prop_assert_eq!(alone.winner, Some(expected));
        }
    }
}

#[test]
fn a_larger_position_has_a_proof_that_checks() {
    let size = Size::new(5, 5).unwrap();
    let mut rng = Rng::new(0);
    let mut board = Board::new(size);
    for turn in 0..4 {
        let empty: Vec<usize> = board.empty_cells().collect();
        board.place(Side::BOTH[turn % 2], empty[rng.below(empty.len())]);
    }
    let answer = ask(&board, Ask::Winner, Side::Black, &Budget::default());
    assert_eq!(answer.proof.map(|proof| proof.winner), answer.winner);
}

#[test]
fn a_false_prover_is_not_believed() {
    let shape = Shape::<1>::new(Size::new(3, 3).unwrap());
    // Black wins moving first on the empty board, so white does not.
    let mut first = |stones: &Stones<1>| shape.empty(stones).first();
    let claim = proof::check(&shape, &Stones::EMPTY, Side::Black, Side::White, &mut first);
    assert!(claim.is_none());
    let mut occupied = |_: &Stones<1>| Some(0);
    let stones = Stones::EMPTY.with(Side::White, 0);
    assert!(proof::check(&shape, &stones, Side::Black, Side::Black, &mut occupied).is_none());
    let mut outside = |_: &Stones<1>| Some(9);
    assert!(proof::check(&shape, &Stones::EMPTY, Side::Black, Side::Black, &mut outside).is_none());
}

#[test]
fn a_small_budget_leaves_it_unknown() {
    let board = Board::new(Size::new(9, 9).unwrap());
    let budget = Budget { nodes: Some(3), ..Budget::default() };
    let answer = ask(&board, Ask::Winner, Side::Black, &budget);
    assert_eq!(answer.winner, None);
    let moves = ask(&board, Ask::WinningMoves, Side::Black, &budget);
    assert!(!moves.undecided.is_empty());
}
