//! The JSON answers that several subcommands share. What the server says too is in `api`; fields may be added, and none
//! is renamed or removed.

use api::{ReportBody, layer_body, move_body, words};
use game::{Cell, Decision, Layer, Move, Position};
use serde_json::{Value, json};

/// The answer of `analyze`: the report in the server's shape, the move, and `pv`.
pub(crate) fn decision(position: &dyn Position, decision: &Decision) -> Value {
    let report = &decision.report;
    let mut answer = json!(ReportBody::of(position, report));
    for line in answer["lines"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        // Always written by this command; the server leaves it out.
        line.entry("mate").or_insert(Value::Null);
    }
    answer["pv"] = json!(words(position, report.pv()));
    put_move(&mut answer, position, decision.mv);
    if let (Some(full), Some(_)) = (report.full_tree, report.prune_ratio()) {
        answer["full_tree"] = json!(full);
    }
    answer
}

/// Adds `move`, and `row` and `col` where the move has a cell.
pub(crate) fn put_move(object: &mut Value, position: &dyn Position, mv: Move) {
    if let (Value::Object(object), Value::Object(mut mv)) = (object, json!(move_body(position, mv))) {
        object.append(&mut mv);
    }
}

/// The answer of `analyze --show`: the layer in the server's shape, with the names of cells. Links have names only, and
/// what is empty is written too.
pub(crate) fn layer(position: &dyn Position, layer: &Layer) -> Value {
    let name = |cell: &Cell| position.format_move((*cell).into());
    let mut answer = json!(layer_body(layer));
    for (body, cell) in answer["cells"].as_array_mut().into_iter().flatten().zip(&layer.cells) {
        body["move"] = json!(name(&cell.cell));
        body["side"] = json!(cell.side);
    }
    for (body, link) in answer["links"].as_array_mut().into_iter().flatten().zip(&layer.links) {
        body["from"] = json!(name(&link.from));
        body["to"] = json!(link.to.as_ref().map(name));
        body["edge"] = json!(link.edge);
        body["carrier"] = link.carrier.iter().map(name).collect();
    }
    answer
}
