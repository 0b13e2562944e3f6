//! Opening protocols: the choice of colour, and stones placed for the opponent to choose from.

use super::Tengen;
use super::report::overview;
use crate::{Opening, Point, PointSet, Position};
use ::game::{Decision, EngineError, Limits, Move, Position as _, Report, Watch};
use search::rng::Rng;
use std::time::Duration;

/// Values this near to equal make swap2's second player hand the choice back.
const EVEN: i32 = 8;
/// Third (or fifth) stones that are tried when an opening is offered.
const TRIED: usize = 16;
/// Nodes for each of them.
const TRIAL_NODES: u64 = 20_000;

/// The choice of colour, where there is one and it is better than playing on with `value`.
pub(super) fn choice(position: &Position, limits: &Limits, value: i32) -> Option<Move> {
    let may = |mv| position.legal(mv).is_ok() && limits.allows(mv);
    if position.opening() == Opening::Swap2 && may(Move::Extend) && value.abs() <= EVEN {
        return Some(Move::Extend);
    }
    (may(Move::Swap) && value < 0).then_some(Move::Swap)
}

/// The answer where no stone may be put.
pub(super) fn only_choice(position: &Position, limits: &Limits) -> Result<Decision, EngineError> {
    let choices = [Move::Swap, Move::Extend];
    let allowed = choices.into_iter().find(|mv| position.legal(*mv).is_ok() && limits.allows(*mv));
    match allowed {
        Some(mv) => Ok(Decision { mv, report: Report::default() }),
        None if position.outcome().is_some() => Err(EngineError::NoMove("the game is over".into())),
        None => Err(EngineError::NoMove("every legal move is excluded".into())),
    }
}

/// A stone of an opening that the opponent will choose a colour in: the last one makes it as even as can be,
/// the ones before are put at random near each other.
pub(super) fn place(
    engine: &mut Tengen,
    position: &Position,
    allowed: &PointSet,
    limits: &Limits,
    watch: &Watch,
) -> Decision {
    let mut rng = Rng::new(limits.seed ^ position.hash());
    let size = usize::from(position.size());
    let near = if position.board().stones() == 0 {
        // Off the centre: a first stone in the middle is worth too much to make up for.
        let edge = |rng: &mut Rng| (size / 6 + rng.below(size / 4 + 1)) as u8;
        PointSet::from_iter([Point::new(edge(&mut rng), edge(&mut rng))])
    } else {
        position.board().candidates(3)
    };
    let wanted = near.intersection(allowed);
    let mut points: Vec<Point> = if wanted.is_empty() { *allowed } else { wanted }.into_points().collect();
    rng.shuffle(&mut points);
    points.truncate(TRIED);
    let mut best: Option<(i32, Point, Report)> = None;
    let time = limits.move_time.map(|time| time / (points.len() as u32 + 1));
    for point in points {
        if position.stones_to_place() > 1 {
            return Decision { mv: Move::Place(point.cell()), report: Report::default() };
        }
        let mut after = position.clone();
        if best.is_some() && watch.is_stopped() || after.play(Move::Place(point.cell())).is_err() {
            continue;
        }
        let open: PointSet = after.board().empty_points();
        let trial = Limits {
            move_time: time.map(|time| time + watch.elapsed().min(Duration::from_secs(3600))),
            nodes: Some(
                limits.nodes.map_or(TRIAL_NODES, |nodes| (nodes / TRIED as u64).clamp(1, TRIAL_NODES)),
            ),
            clock: None,
            lines: 1,
            ..limits.clone()
        };
        let progress = engine.search(&after, &open, &trial, watch, &mut |_, _| {});
        let value = progress.value().abs();
        if best.as_ref().is_none_or(|(least, ..)| value < *least) {
            best = Some((value, point, overview(position, &progress, watch)));
        }
    }
    match best {
        Some((_, point, mut report)) => {
            // The trial searched from the other side's view.
            (report.score, report.win_rate) = (-report.score, 1.0 - report.win_rate);
            Decision { mv: Move::Place(point.cell()), report }
        }
        None => {
            let first = allowed.iter().next().unwrap_or(Point::new(0, 0));
            Decision { mv: Move::Place(first.cell()), report: Report::default() }
        }
    }
}
