//! Fifth moves of Renju's opening protocols: how many to declare, which to choose, when to offer ten.

use super::Tengen;
use super::report::overview;
use super::root::RootMove;
use crate::{Board, Point, PointSet, Position};
use ::game::{Decision, EngineError, Limits, Move, Position as _, Report, Side, Watch};

/// Taraguchi-10 offers ten fifth moves where even the tenth is this good for Black.
const CLEARLY_BETTER: i32 = 30;
/// Lines searched for each fifth move that is wanted: some of them are mirror images of others.
const LINES_PER_OFFER: usize = 2;

/// A number of fifth moves that leaves the game even: the opponent takes the better colour.
pub(super) fn declare(
    engine: &mut Tengen,
    position: &Position,
    limits: &Limits,
    watch: &Watch,
) -> Result<Decision, EngineError> {
    let most = position.declare_up_to();
    let mut board = position.board().clone();
    let share = |parts: u32| Limits {
        move_time: limits.move_time.map(|time| time / parts),
        nodes: limits.nodes.map(|nodes| (nodes / u64::from(parts)).max(1)),
        clock: None,
        lines: 1,
        ..limits.clone()
    };
    if position.to_move() == Side::White {
        // Yamaguchi declares before White's fourth stone: the best one is expected.
        let before = Position::of_board(board.clone(), Side::White);
        let found = engine.search(&before, &board.empty_points(), &share(4), watch, &mut |_, _| {});
        let Some(fourth) = found.roots.first() else {
            return Err(EngineError::NoMove("nothing was searched".into()));
        };
        board.make(fourth.point, Side::White);
    }
    let values = fifth_values(engine, &board, usize::from(most), &share(2), watch);
    let evenness = |number: &u8| values.get(usize::from(*number) - 1).map_or(i32::MAX, |value| value.abs());
    let allowed = (1..=most).filter(|number| limits.allows(Move::Declare(*number)));
    match allowed.min_by_key(evenness) {
        Some(number) => Ok(Decision { mv: Move::Declare(number), report: Report::default() }),
        None => Err(EngineError::NoMove("every legal move is excluded".into())),
    }
}

/// Is it better to offer ten fifth moves than to put one that the opponent may take over?
pub(super) fn offers_ten(engine: &mut Tengen, position: &Position, limits: &Limits, watch: &Watch) -> bool {
    let values = fifth_values(engine, position.board(), 10, limits, watch);
    values.get(9).is_some_and(|tenth| *tenth > CLEARLY_BETTER)
}

/// The value to Black of the worst of `count` best fifth moves; `None` if fewer were found.
pub(super) fn worst_of_best(roots: &[RootMove], position: &Position, count: usize) -> Option<i32> {
    distinct(position.board(), roots).get(count.checked_sub(1)?).copied()
}

/// Lines to search so that so many different fifth moves are found.
pub(super) fn lines_for(count: usize) -> usize {
    count * LINES_PER_OFFER
}

/// White's choice among the offered fifth moves.
pub(super) fn select(
    engine: &mut Tengen,
    position: &Position,
    allowed: &PointSet,
    limits: &Limits,
    watch: &Watch,
) -> Result<Decision, EngineError> {
    let trial = Limits {
        move_time: None,
        nodes: limits.nodes.map(|nodes| (nodes / allowed.len().max(1) as u64).max(1)),
        clock: None,
        lines: 1,
        ..limits.clone()
    };
    let time = limits.time_share().map(|time| time / (allowed.len() as u32 + 1));
    let mut best: Option<(i32, Point, Report)> = None;
    for point in allowed.iter() {
        let mut after = position.clone();
        if best.is_some() && watch.is_stopped() || after.play(Move::Place(point.cell())).is_err() {
            continue;
        }
        let trial = Limits { move_time: time.map(|time| time + watch.elapsed()), ..trial.clone() };
        let open = after.board().empty_points();
        let progress = engine.search(&after, &open, &trial, watch, &mut |_, _| {});
        if best.as_ref().is_none_or(|(most, ..)| progress.value() > *most) {
            best = Some((progress.value(), point, overview(position, &progress, watch)));
        }
    }
    let Some((_, point, report)) = best else {
        return Err(EngineError::NoMove("every legal move is excluded".into()));
    };
    Ok(Decision { mv: Move::Place(point.cell()), report })
}

/// The values to Black of the best different fifth moves, the best first.
fn fifth_values(
    engine: &mut Tengen,
    board: &Board,
    count: usize,
    limits: &Limits,
    watch: &Watch,
) -> Vec<i32> {
    let position = Position::of_board(board.clone(), Side::Black);
    let limits = Limits { lines: lines_for(count), ..limits.clone() };
    let progress = engine.search(&position, &board.empty_points(), &limits, watch, &mut |_, _| {});
    distinct(board, &progress.roots[..progress.roots.len().min(limits.lines)])
}

/// The values of moves that no symmetry of the board maps onto each other.
fn distinct(board: &Board, roots: &[RootMove]) -> Vec<i32> {
    let symmetries = board.symmetries();
    let mut seen: Vec<Point> = Vec::new();
    let mut values = Vec::new();
    for root in roots {
        if !symmetries.iter().any(|symmetry| seen.contains(&board.mapped(root.point, *symmetry))) {
            seen.push(root.point);
            values.push(root.value);
        }
    }
    values
}
