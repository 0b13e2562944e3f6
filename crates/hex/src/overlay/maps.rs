//! The maps as layers to draw.

use super::{BridgeEnd, bridges, circuit, components, distances, two_distances};
use crate::pruning::{self, InferiorCells};
use crate::stones::{Shape, Stones};
use crate::vc::{Connections, Effort, End};
use crate::{Board, Edge, Position, by_width};
use game::{Layer, LayerCell, LayerLink, Position as _, Side};

/// Names and meanings of the layers.
pub(crate) const LAYERS: [(&str, &str); 8] = [
    ("resistance", "share of both sides' electrical power in each empty cell, in percent"),
    ("bridges", "pairs of stones, or stone and edge, joined by two empty cells"),
    ("distance", "stones needed for a chain through each empty cell, black/white"),
    ("two-distance", "the same where the opponent always blocks the best way (Queenbee), black/white"),
    ("components", "groups of touching stones, numbered"),
    ("must-play", "where the side to move has to play to stop the opponent's virtual connections"),
    (
        "virtual-connections",
        "groups and edges that are connected even if the opponent moves first, with their carriers",
    ),
    ("inferior", "cells that need not be played: dead, captured, dominated or reversible"),
];

/// A layer by its name.
pub(crate) fn layer(position: &Position, name: &str) -> Option<Layer> {
    let board = position.board();
    match name {
        "resistance" => Some(resistance(board)),
        "bridges" => Some(bridge_links(board)),
        "distance" => {
            let [black, white] = Side::BOTH.map(|side| distances(board, side));
            Some(needs(board, |index| [black.through(index), white.through(index)]))
        }
        "two-distance" => {
            let both = Side::BOTH.map(|side| two_distances(board, side));
            let sum = |side: usize, index: usize| Some(both[side][0][index]? + both[side][1][index]?);
            Some(needs(board, |index| [sum(0, index), sum(1, index)]))
        }
        "components" => Some(numbered(board)),
        "must-play" => Some(by_width!(board.size(), W => must_play::<W>(board, position.to_move()))),
        "virtual-connections" => Some(by_width!(board.size(), W => connection_links::<W>(board))),
        "inferior" => Some(by_width!(board.size(), W => inferior_cells::<W>(board, position.to_move()))),
        _ => None,
    }
}

fn resistance(board: &Board) -> Layer {
    let [black, white] = Side::BOTH.map(|side| circuit(board, side).energy);
    let both: Vec<f64> = black.iter().zip(&white).map(|(b, w)| (b + w) / 2.0).collect();
    let most = both.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let cells = board
        .empty_cells()
        .map(|index| LayerCell {
            cell: board.size().cell(index),
            value: both[index] / most,
            label: format!("{:.1}", 100.0 * both[index]),
            side: None,
        })
        .collect();
    Layer { cells, links: Vec::new() }
}

fn bridge_links(board: &Board) -> Layer {
    let size = board.size();
    let links = Side::BOTH.into_iter().flat_map(|side| bridges(board, side)).map(|bridge| {
        let (to, edge) = match bridge.to {
            BridgeEnd::Stone(index) => (Some(size.cell(index)), String::new()),
            BridgeEnd::Edge(edge) => (None, edge.name().to_string()),
        };
        let carrier = bridge.carrier.iter().map(|&index| size.cell(index)).collect();
        LayerLink { from: size.cell(bridge.from), to, edge, carrier, side: bridge.side }
    });
    Layer { cells: Vec::new(), links: links.collect() }
}

/// Numbers of black and white for each empty cell; the smaller the darker, and the side that needs less
/// owns the cell.
fn needs(board: &Board, of: impl Fn(usize) -> [Option<u16>; 2]) -> Layer {
    let text = |need: Option<u16>| need.map_or("-".into(), |n| n.to_string());
    let rows: Vec<(usize, [Option<u16>; 2])> = board.empty_cells().map(|index| (index, of(index))).collect();
    let values = || rows.iter().flat_map(|(_, both)| both.iter().flatten().copied());
    let least = values().min().unwrap_or(0);
    let range = f64::from(values().max().unwrap_or(0).saturating_sub(least).max(1));
    let cells = rows
        .iter()
        .map(|&(index, [black, white])| {
            let nearest = [black, white].into_iter().flatten().min();
            let side = match (black, white) {
                (Some(b), Some(w)) if b < w => Some(Side::Black),
                (Some(b), Some(w)) if b > w => Some(Side::White),
                (Some(_), None) => Some(Side::Black),
                (None, Some(_)) => Some(Side::White),
                _ => None,
            };
            LayerCell {
                cell: board.size().cell(index),
                value: nearest.map_or(0.0, |near| 1.0 - f64::from(near - least) / range),
                label: format!("{}/{}", text(black), text(white)),
                side,
            }
        })
        .collect();
    Layer { cells, links: Vec::new() }
}

fn numbered(board: &Board) -> Layer {
    let mut groups: Vec<_> = Side::BOTH.into_iter().flat_map(|side| components(board, side)).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.cells.len()));
    let largest = groups.first().map_or(1, |group| group.cells.len()) as f64;
    let cells = groups.iter().enumerate().flat_map(|(number, group)| {
        group.cells.iter().map(move |&index| LayerCell {
            cell: board.size().cell(index),
            value: group.cells.len() as f64 / largest,
            label: (number + 1).to_string(),
            side: Some(group.side),
        })
    });
    Layer { cells: cells.collect(), links: Vec::new() }
}

fn must_play<const W: usize>(board: &Board, to_move: Side) -> Layer {
    let shape = Shape::<W>::new(board.size());
    let stones = Stones::of_board(shape.lattice(), board);
    let theirs = Connections::build(&shape, &stones, to_move.other(), Effort::default());
    let cells = theirs.winning().must_play.iter().map(|index| LayerCell {
        cell: board.size().cell(index),
        value: 1.0,
        label: "must".into(),
        side: Some(to_move),
    });
    Layer { cells: cells.collect(), links: Vec::new() }
}

/// For each pair of groups, or group and edge, its smallest full connection.
fn connection_links<const W: usize>(board: &Board) -> Layer {
    let size = board.size();
    let shape = Shape::<W>::new(size);
    let stones = Stones::of_board(shape.lattice(), board);
    let mut links = Vec::new();
    for side in Side::BOTH {
        let connections = Connections::build(&shape, &stones, side, Effort::default());
        let mut last = None;
        for full in connections.fulls() {
            // Smaller carriers of a pair come first.
            let End::Group(from) = full.from else { continue };
            let (to, edge) = match full.to {
                End::Group(to) => (Some(size.cell(to)), String::new()),
                End::Edge(which) => (None, Edge::of(side)[which].name().to_string()),
                End::Cell(_) => continue,
            };
            if last.replace((full.from, full.to)) != Some((full.from, full.to)) {
                let carrier = full.carrier.iter().map(|index| size.cell(index)).collect();
                links.push(LayerLink { from: size.cell(from), to, edge, carrier, side });
            }
        }
    }
    Layer { cells: Vec::new(), links }
}

fn inferior_cells<const W: usize>(board: &Board, to_move: Side) -> Layer {
    let shape = Shape::<W>::new(board.size());
    let stones = Stones::of_board(shape.lattice(), board);
    let InferiorCells { dead, captured, dominated, reversible, .. } =
        pruning::inferior_cells(&shape, &stones, to_move);
    let mut cells = Vec::new();
    let mut mark = |index: usize, value: f64, label: &str, side: Option<Side>| {
        cells.push(LayerCell { cell: board.size().cell(index), value, label: label.into(), side });
    };
    dead.iter().for_each(|index| mark(index, 1.0, "dead", None));
    for side in Side::BOTH {
        captured[side.index()].iter().for_each(|index| mark(index, 0.8, "captured", Some(side)));
    }
    dominated.iter().for_each(|&(index, _)| mark(index, 0.5, "dominated", Some(to_move)));
    reversible.iter().for_each(|&(index, _)| mark(index, 0.3, "reversible", Some(to_move)));
    Layer { cells, links: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation;
    use game::Setup;

    #[test]
    fn every_name_has_a_layer_on_every_board() {
        for text in ["empty", "a1", "c3b4d2", "X....\nX....\nX....\nX....\nX....", ".X.\nOX.\n.XO"] {
            let position = notation::parse(text, &Setup::empty(5, 5)).unwrap();
            for (name, _) in LAYERS {
                let layer = layer(&position, name).unwrap();
                assert!(layer.cells.iter().all(|c| (0.0..=1.0).contains(&c.value)), "{name} {text}");
            }
        }
        let position = notation::parse("c3b4d2", &Setup::empty(5, 5)).unwrap();
        assert!(layer(&position, "nonsense").is_none());
        assert_eq!(layer(&position, "components").unwrap().cells.len(), 3);
    }
}
