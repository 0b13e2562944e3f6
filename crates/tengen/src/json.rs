//! The JSON answers that several subcommands share; DESIGN says which fields stay.

use game::{Cell, Decision, Layer, Move, Position, RootMove};
use serde_json::{Value, json};

/// The answer of `analyze`.
pub(crate) fn decision(position: &dyn Position, decision: &Decision) -> Value {
    let report = &decision.report;
    let mut answer = json!({
        "score": report.score,
        "win_rate": report.win_rate,
        "depth": report.depth,
        "selective_depth": report.selective_depth,
        "nodes": report.nodes,
        "seconds": report.elapsed.as_secs_f64(),
        "pv": line(position, report.pv()),
        "lines": report.lines.iter().map(|found| json!({
            "moves": line(position, &found.moves),
            "score": found.score,
            "win_rate": found.win_rate,
            "mate": found.mate,
            "depth": found.depth,
            "nodes": found.nodes,
        })).collect::<Vec<_>>(),
        "root": report.root.iter().map(|root| root_move(position, root)).collect::<Vec<_>>(),
    });
    put_move(&mut answer, position, decision.mv);
    if let Some(mate) = report.mate {
        answer["mate"] = json!(mate);
    }
    if let (Some(full), Some(ratio)) = (report.full_tree, report.prune_ratio()) {
        answer["full_tree"] = json!(full);
        answer["prune_ratio"] = json!(ratio);
    }
    answer
}

fn root_move(position: &dyn Position, root: &RootMove) -> Value {
    let mut row = json!({
        "score": root.score,
        "win_rate": root.win_rate,
        "bound": root.bound.name(),
        "nodes": root.nodes,
    });
    put_move(&mut row, position, root.mv);
    row
}

/// Adds `move`, and `row` and `col` where the move has a cell.
pub(crate) fn put_move(object: &mut Value, position: &dyn Position, mv: Move) {
    object["move"] = json!(position.format_move(mv));
    if let Some(cell) = mv.cell() {
        object["row"] = json!(cell.row);
        object["col"] = json!(cell.col);
    }
}

/// Moves played one after the other, as text.
pub(crate) fn line(position: &dyn Position, moves: &[Move]) -> Vec<String> {
    let mut at = position.boxed();
    let mut words = Vec::with_capacity(moves.len());
    for mv in moves {
        words.push(at.format_move(*mv));
        if at.play(*mv).is_err() {
            break;
        }
    }
    words
}

/// The answer of `analyze --show`.
pub(crate) fn layer(position: &dyn Position, layer: &Layer) -> Value {
    let name = |cell: &Cell| position.format_move((*cell).into());
    json!({
        "cells": layer.cells.iter().map(|cell| json!({
            "move": name(&cell.cell), "row": cell.cell.row, "col": cell.cell.col,
            "value": cell.value, "label": cell.label, "side": cell.side,
        })).collect::<Vec<_>>(),
        "links": layer.links.iter().map(|link| json!({
            "from": name(&link.from), "to": link.to.as_ref().map(name), "edge": link.edge,
            "carrier": link.carrier.iter().map(name).collect::<Vec<_>>(), "side": link.side,
        })).collect::<Vec<_>>(),
    })
}
