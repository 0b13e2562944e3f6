//! A finished game to report on.

use crate::journal::Finished;
use crate::referee::Termination;
use crate::schedule::Task;
use crate::tournament::Results;
use game::{Game, MoveNote, Seat, Setup, Side};

/// A game of these moves on the smallest usual board, half a second per move, won by the first player.
pub(super) fn finished(game: &dyn Game, moves: &[&str]) -> Finished {
    let size = if game.hexagonal() { 3 } else { game.default_size().0 };
    let note = MoveNote { seconds: Some(0.5), ..MoveNote::default() };
    Finished {
        task: Task { id: 0, round: 0, first: 0, second: 1, opening: 0 },
        names: ["a".into(), "b".into()],
        winner: Some(Seat::First),
        reason: Termination::Resign,
        detail: String::new(),
        winning_side: Some(Side::Black),
        seconds: [1.0, 0.5],
        date: "2026-11-18".into(),
        setup: Setup::empty(size, size),
        opening_moves: 0,
        moves: moves.iter().map(|mv| (*mv).to_string()).collect(),
        notes: vec![note; moves.len()],
        evidence: String::new(),
        logs: Default::default(),
    }
}

pub(super) fn results(games: &[&Finished]) -> Results {
    games.iter().map(|game| (game.task.id, game.score())).collect()
}
