//! From a searched tree to a move and a report.

use super::search::{Memory, Row};
use super::tree::Verdict;
use crate::Size;
use game::{Line, Move, Report, RootMove, Watch};

/// The rows of the root, best first: proved wins, then by visits, proved losses last.
pub(super) fn ranked<const W: usize>(memory: &Memory<W>) -> Vec<Row> {
    let mut rows = memory.rows();
    let class = |row: &Row| match row.verdict {
        Verdict::Won => 0,
        Verdict::Open | Verdict::Pruned => 1,
        Verdict::Lost => 2,
    };
    rows.sort_by(|a, b| {
        class(a).cmp(&class(b)).then(b.count.visits.cmp(&a.count.visits)).then(a.cell.cmp(&b.cell))
    });
    rows
}

/// What the search says, `first` (a cell) being the move it would play.
pub(super) fn report<const W: usize>(
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
    let line = |row: &Row| {
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
                nodes: u64::from(row.count.visits),
            })
            .collect(),
        ..Report::default()
    }
}

/// The report of a move that needed no search.
pub(super) fn known(mv: Move, win_rate: f64, wins_at_once: bool, watch: &Watch) -> Report {
    let mate = wins_at_once.then_some(1);
    let line = Line { moves: vec![mv], score: win_rate, win_rate, mate, depth: 1, nodes: 1 };
    Report {
        depth: 1,
        selective_depth: 1,
        score: win_rate,
        win_rate,
        mate,
        nodes: 1,
        elapsed: watch.elapsed(),
        lines: vec![line],
        root: vec![RootMove { mv, score: win_rate, win_rate, nodes: 1 }],
        ..Report::default()
    }
}

pub(super) fn place(size: Size, cell: usize) -> Move {
    Move::Place(size.cell(cell))
}
