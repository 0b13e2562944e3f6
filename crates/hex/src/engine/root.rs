//! From a searched tree to a report.

use super::search::{Memory, RootChild};
use super::tree::NodeState;
use crate::Size;
use game::{Line, Move, Report, RootMove, Watch};

/// The root moves, best first: proved wins, then by visits, proved losses last.
pub(crate) fn ranked<const W: usize>(memory: &Memory<W>) -> Vec<RootChild> {
    let mut rows = memory.root_children();
    let class = |row: &RootChild| match row.state {
        NodeState::Won => 0,
        NodeState::Open | NodeState::Pruned => 1,
        NodeState::Lost => 2,
    };
    rows.sort_by(|a, b| {
        class(a).cmp(&class(b)).then(b.count.visits.cmp(&a.count.visits)).then(a.cell.cmp(&b.cell))
    });
    rows
}

/// The report of the search; `first` is the cell it would play.
pub(crate) fn report<const W: usize>(
    memory: &Memory<W>,
    first: usize,
    lines: usize,
    (nodes, depth): (u64, u32),
    watch: &Watch,
) -> Report {
    let size = memory.shape().size();
    let mut rows = ranked(memory);
    if let Some(at) = rows.iter().position(|row| row.cell == first) {
        rows[..=at].rotate_right(1);
    }
    let line = |row: &RootChild| {
        let moves: Vec<Move> = memory.line(row.node).into_iter().map(|cell| place(size, cell)).collect();
        Line {
            depth: moves.len() as u32,
            moves,
            score: row.rate(),
            win_rate: row.rate(),
            nodes: u64::from(row.count.visits),
            ..Line::default()
        }
    };
    let lines: Vec<Line> = rows.iter().take(lines.max(1)).map(line).collect();
    let win_rate = lines.first().map_or(0.5, |line| line.win_rate);
    Report {
        depth: lines.first().map_or(0, |line| line.depth),
        selective_depth: depth,
        score: win_rate,
        win_rate,
        nodes,
        elapsed: watch.elapsed(),
        lines,
        root: rows
            .iter()
            .map(|row| RootMove {
                mv: place(size, row.cell),
                score: row.rate(),
                win_rate: row.rate(),
                bound: game::Bound::Exact,
                nodes: u64::from(row.count.visits),
            })
            .collect(),
        ..Report::default()
    }
}

/// The report of a move that needed no search, with what follows it.
pub(crate) fn instant_report(moves: Vec<Move>, win_rate: f64, mate: Option<i32>, watch: &Watch) -> Report {
    let depth = moves.len() as u32;
    let root = RootMove { mv: moves[0], score: win_rate, win_rate, bound: game::Bound::Exact, nodes: 1 };
    let line = Line { moves, score: win_rate, win_rate, mate, depth, nodes: 1 };
    Report {
        depth,
        selective_depth: depth,
        score: win_rate,
        win_rate,
        mate,
        nodes: 1,
        elapsed: watch.elapsed(),
        lines: vec![line],
        root: vec![root],
        ..Report::default()
    }
}

pub(crate) fn place(size: Size, cell: usize) -> Move {
    Move::Place(size.cell(cell))
}
