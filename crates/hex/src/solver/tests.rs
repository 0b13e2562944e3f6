//! Answers against brute force and against each other.

use super::dfpn::Focus;
use super::proof::ProofStep;
use super::*;
use crate::Size;
use crate::bits::Bits;
use crate::pruning::ProvedWins;
use crate::stones::oracle::{self, Oracle};
use crate::stones::{Shape, Stones};
use crate::vc::Effort;
use proptest::prelude::*;
use search::Rng;

fn board_of(size: Size, stones: &Stones<1>) -> Board {
    let mut board = Board::new(size);
    for side in Side::BOTH {
        stones.of(side).iter().for_each(|cell| board.place(side, cell));
    }
    board
}

fn ask(board: &Board, target: Target, to_move: Side, budget: &SolverLimits) -> Solution {
    let query = Query { target, to_move, verify: true };
    solve(board, &query, budget, &Watch::default(), &|_| {})
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
        let budget = SolverLimits { threads, memory_mb: 1, ..SolverLimits::default() };
        for side in Side::BOTH {
            let answer = ask(&board, Target::WinningMoves, side, &budget);
            let expected = if oracle.wins(&stones, side) { side } else { side.other() };
            prop_assert_eq!(answer.winner, Some(expected));
            prop_assert!(answer.proof.is_some(), "{stones:?}");
            if shape.winner(&stones).is_none() {
                let wins = |&cell: &usize| !oracle.wins(&stones.with(side, cell), side.other());
                let moves: Vec<usize> = shape.empty(&stones).iter().filter(wins).collect();
                prop_assert_eq!(answer.winning_moves, moves);
            }
            let alone = ask(&board, Target::Winner, side, &budget);
            prop_assert_eq!(alone.winner, Some(expected));
        }
    }
}

/// Knowledge and search as they are, and so thin that the search has work to do even on small boards.
fn settings() -> [(Effort, Focus); 3] {
    let thin = Effort { between_cells: 1, fulls: 1, semis: 2, or_depth: 2, ..Effort::default() };
    let narrow = Focus { width: 1, moves_for_one_more: 5 };
    [(super::session::EFFORT, Focus::default()), (thin, Focus::default()), (thin, narrow)]
}

/// The winner still wins if all cells outside of the carrier are the loser's, and every win that the search keeps
/// is one wherever it serves.
fn carriers_hold(size: Size, stones: &Stones<1>) {
    let shape = Shape::<1>::new(size);
    if shape.winner(stones).is_some() {
        return;
    }
    let mut oracle = Oracle::new(&shape);
    let board = board_of(size, stones);
    for (to_move, (effort, focus)) in
        Side::BOTH.into_iter().flat_map(|side| settings().map(|set| (side, set)))
    {
        let query = Query { target: Target::Winner, to_move, verify: false };
        let watch = Watch::default();
        let mut session = Session::<1>::new(&board, query, SolverLimits::default(), &watch, &|_| {});
        session.set(effort, focus);
        let (winner, carrier) = session.winner_and_carrier().unwrap();
        let outside = shape.empty(stones) & !carrier;
        let given = stones.with_all(winner.other(), outside);
        assert_eq!(oracle.wins(&given, to_move), winner == to_move, "{stones:?} {carrier:?}");
        wins_hold(&shape, &mut oracle, session.wins(), 16);
    }
}

/// Every kept win with a carrier that brute force can manage; returns how many those are.
fn wins_hold(shape: &Shape<1>, oracle: &mut Oracle<'_, 1>, wins: &ProvedWins<1>, largest: usize) -> usize {
    let mut checked = 0;
    for (side, moves_first) in [(0, true), (0, false), (1, true), (1, false)] {
        let side = Side::BOTH[side];
        for win in wins.all(side, moves_first).iter().filter(|win| win.carrier.len() <= largest) {
            let theirs = shape.lattice().all() & !(win.stones | win.carrier);
            let given = Stones::EMPTY.with_all(side, win.stones).with_all(side.other(), theirs);
            let wins = match (moves_first, win.reply) {
                (true, Some(cell)) => !oracle.wins(&given.with(side, cell as usize), side.other()),
                (false, None) => !oracle.wins(&given, side.other()),
                _ => false,
            };
            assert!(wins, "{win:?} of {side}");
            checked += 1;
        }
    }
    checked
}

#[test]
fn wins_kept_by_a_larger_search_hold() {
    // Only a search of some length comes back to a position from the other side of the board.
    let size = Size::new(6, 6).unwrap();
    let shape = Shape::<1>::new(size);
    let (board, watch) = (Board::new(size), Watch::default());
    let query = Query { target: Target::WinningMoves, to_move: Side::Black, verify: false };
    let session = Session::<1>::new(&board, query, SolverLimits::default(), &watch, &|_| {});
    session.decide_moves(&mut Solution::default());
    let checked = wins_hold(&shape, &mut Oracle::new(&shape), session.wins(), 12);
    assert!(checked > 50, "{checked}");
}

/// Stones that a half turn does not change: the board is then seen from both sides in one search.
fn symmetric_stones(shape: &Shape<1>, seed: u64, most_empty: usize) -> Stones<1> {
    let size = shape.size();
    let random = oracle::random_stones(shape, seed, most_empty / 2 + size.cells() / 2);
    let first = |cell: &usize| *cell < size.turned(*cell);
    let mut stones = Stones::EMPTY;
    for side in Side::BOTH {
        for cell in random.of(side).iter().filter(first) {
            stones = stones.with(side, cell).with(side, size.turned(cell));
        }
    }
    stones
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn what_is_outside_of_a_carrier_may_be_the_losers(rows in 2u8..=4, cols in 2u8..=4, seed: u64) {
        let size = Size::new(rows, cols).unwrap();
        carriers_hold(size, &oracle::random_stones(&Shape::new(size), seed, 14));
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn carriers_hold_in_symmetric_positions(rows in 3u8..=4, cols in 3u8..=4, seed: u64) {
        let size = Size::new(rows, cols).unwrap();
        carriers_hold(size, &symmetric_stones(&Shape::new(size), seed, 14));
    }
}

#[test]
fn small_boards_and_their_openings_agree_with_minimax() {
    for (rows, cols) in [(2, 2), (3, 2), (3, 3), (3, 4), (4, 3), (4, 4)] {
        let size = Size::new(rows, cols).unwrap();
        let shape = Shape::<1>::new(size);
        let mut oracle = Oracle::new(&shape);
        carriers_hold(size, &Stones::EMPTY);
        for to_move in Side::BOTH {
            let wins = |&cell: &usize| !oracle.wins(&Stones::EMPTY.with(to_move, cell), to_move.other());
            let moves: Vec<usize> = (0..size.cells()).filter(wins).collect();
            for (effort, focus) in settings() {
                let query = Query { target: Target::WinningMoves, to_move, verify: false };
                let (board, watch) = (Board::new(size), Watch::default());
                let mut session = Session::<1>::new(&board, query, SolverLimits::default(), &watch, &|_| {});
                session.set(effort, focus);
                assert_eq!(session.solve_query().winning_moves, moves, "{rows}x{cols}");
            }
        }
    }
}

#[test]
fn a_full_over_all_empty_cells_has_them_as_its_carrier() {
    let size = Size::new(4, 4).unwrap();
    carriers_hold(size, &oracle::random_stones(&Shape::new(size), 11506013884728262732, 14));
}

/// Follows a proof move by move.
struct Follower<'a> {
    proof: &'a Proof,
    carriers: Vec<Bits<1>>,
    /// Steps with the opponent to move that are to be kept up.
    kept: Vec<usize>,
}

impl Follower<'_> {
    fn new(proof: &Proof) -> Follower<'_> {
        let mut carriers: Vec<Bits<1>> = Vec::new();
        for step in &proof.steps {
            carriers.push(match step {
                ProofStep::Touch => Bits::EMPTY,
                ProofStep::Play(cell, then) => carriers[*then].with(*cell),
                ProofStep::Meet(answers) => {
                    answers.iter().fold(Bits::EMPTY, |all, &(_, then)| all | carriers[then])
                }
                ProofStep::Both(_, steps) => carriers[steps[0]] | carriers[steps[1]],
            });
        }
        Follower { proof, carriers, kept: Vec::new() }
    }

    /// The answer that a step with the winner to move names, if it needs one.
    fn play(&mut self, step: usize) -> Option<usize> {
        match self.proof.steps[step] {
            ProofStep::Play(cell, then) => {
                self.kept.push(then);
                Some(cell)
            }
            _ => {
                self.kept.push(step);
                None
            }
        }
    }

    fn answer(&mut self, intruder: usize) -> Option<usize> {
        let at = self.kept.iter().position(|&step| self.carriers[step].contains(intruder))?;
        match &self.proof.steps[self.kept.swap_remove(at)] {
            ProofStep::Both(_, steps) => {
                self.kept.extend(steps);
                self.answer(intruder)
            }
            ProofStep::Meet(answers) => {
                let met = answers.iter().find(|(_, then)| !self.carriers[*then].contains(intruder));
                self.play(met.expect("an answer to every move").1)
            }
            other => panic!("{other:?} has no cells to intrude into"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn who_follows_a_proof_wins_against_any_play(n in 3u8..=6, stones in 0usize..8, seed: u64) {
        let size = Size::new(n, n).unwrap();
        let shape = Shape::<1>::new(size);
        let mut rng = Rng::new(seed);
        let mut board = Board::new(size);
        for turn in 0..stones {
            let empty: Vec<usize> = board.empty_cells().collect();
            board.place(Side::BOTH[turn % 2], empty[rng.below(empty.len())]);
        }
        let to_move = Side::BOTH[rng.below(2)];
        let answer = ask(&board, Target::Winner, to_move, &SolverLimits::default());
        let proof = answer.proof.expect("a proof");
        prop_assert_eq!(Some(proof.winner), answer.winner);
        let start = Stones::of_board(shape.lattice(), &board);
        for _ in 0..20 {
            let (mut stones, mut follower) = (start, Follower::new(&proof));
            let root = proof.steps.len() - 1;
            let mut next = if to_move == proof.winner { follower.play(root) } else { follower.kept.push(root); None };
            let mut turn = to_move;
            while shape.winner(&stones).is_none() {
                let empty: Vec<usize> = shape.empty(&stones).iter().collect();
                let any = empty[rng.below(empty.len())];
                if turn == proof.winner {
                    // A free move, or one for a cell it has by a free move, goes anywhere.
                    let cell = next.take().filter(|cell| empty.contains(cell)).unwrap_or(any);
                    stones.put(turn, cell);
                } else {
                    stones.put(turn, any);
                    next = follower.answer(any);
                }
                turn = turn.other();
            }
            prop_assert_eq!(shape.winner(&stones), Some(proof.winner));
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
    let answer = ask(&board, Target::Winner, Side::Black, &SolverLimits::default());
    assert_eq!(answer.proof.map(|proof| proof.winner), answer.winner);
}

#[test]
fn a_proof_has_a_line_to_the_end_of_the_game() {
    let shape = Shape::<1>::new(Size::new(5, 5).unwrap());
    for seed in 0..60 {
        let stones = oracle::random_stones(&shape, seed, 25);
        let board = board_of(shape.size(), &stones);
        for to_move in Side::BOTH {
            let solution = ask(&board, Target::Winner, to_move, &SolverLimits::default());
            let (mut end, mut side) = (board.clone(), to_move);
            for &cell in &solution.line {
                assert!(end.winner().is_none() && end.at(cell).is_none(), "seed {seed}: {:?}", solution.line);
                end.place(side, cell);
                side = side.other();
            }
            assert!(end.winner().is_some() && end.winner() == solution.winner, "seed {seed}, {to_move}");
        }
    }
}

#[test]
fn a_small_budget_leaves_it_unknown() {
    let board = Board::new(Size::new(9, 9).unwrap());
    let budget = SolverLimits { nodes: Some(3), ..SolverLimits::default() };
    let answer = ask(&board, Target::Winner, Side::Black, &budget);
    assert_eq!(answer.winner, None);
    let moves = ask(&board, Target::WinningMoves, Side::Black, &budget);
    assert!(!moves.undecided.is_empty());
}

#[test]
fn a_proof_that_the_budget_does_not_allow_is_no_doubt() {
    let board = Board::new(Size::new(7, 7).unwrap());
    // Enough to solve it, not enough to write down why.
    let mut budget = SolverLimits::default();
    let query = Query { target: Target::Winner, to_move: Side::Black, verify: false };
    let alone = solve(&board, &query, &budget, &Watch::default(), &|_| {});
    budget.nodes = Some(alone.nodes + 1);
    let answer = ask(&board, Target::Winner, Side::Black, &budget);
    assert_eq!(answer.winner, Some(Side::Black));
    assert!(answer.proof.is_none() && !answer.proof_failed);
}

#[test]
fn all_memory_is_counted() {
    let (board, watch) = (Board::new(Size::new(11, 11).unwrap()), Watch::default());
    let query = Query { target: Target::Winner, to_move: Side::Black, verify: false };
    for memory_mb in [1, 16, 1024, 65_536] {
        let limits = SolverLimits { memory_mb, ..SolverLimits::default() };
        let session = Session::<2>::new(&board, query, limits, &watch, &|_| {});
        let bytes = session.max_bytes();
        assert!(bytes <= memory_mb << 20 && bytes > (memory_mb << 20) * 3 / 4, "{memory_mb} MiB: {bytes}");
    }
}
