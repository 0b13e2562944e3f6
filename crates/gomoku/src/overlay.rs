//! Layers drawn over the board for people: threats of both sides, and points forbidden to Black.

use crate::{Class, Position};
use ::game::{Layer, LayerCell, Side};

/// The layers by name, with a description.
pub(crate) const LAYERS: [(&str, &str); 2] = [
    ("threats", "what a stone of either side would make of each point"),
    ("forbidden", "points forbidden to Black under Renju, with the reason"),
];

/// The layer of this name; `None` where there is none.
pub(crate) fn layer(position: &Position, name: &str) -> Option<Layer> {
    let cells = match name {
        "threats" => threats(position),
        "forbidden" => forbidden(position),
        _ => return None,
    };
    Some(Layer { cells, links: Vec::new() })
}

/// The class of every point that has one worth showing, for both sides.
fn threats(position: &Position) -> Vec<LayerCell> {
    let board = position.board();
    let points = board.empty_points();
    let both = points.iter().flat_map(|point| Side::BOTH.map(|side| (point, side)));
    both.filter_map(|(point, side)| {
        let class = board.class(point, side);
        (class > Class::Quiet).then(|| LayerCell {
            cell: point.cell(),
            value: class.index() as f64 / Class::Five.index() as f64,
            label: class.label().into(),
            side: Some(side),
        })
    })
    .collect()
}

fn forbidden(position: &Position) -> Vec<LayerCell> {
    let points = position.forbidden_to_black().into_iter();
    let cell = |(point, kind): (crate::Point, crate::Forbidden)| LayerCell {
        cell: point.cell(),
        value: 1.0,
        label: kind.name().into(),
        side: Some(Side::Black),
    };
    points.map(cell).collect()
}
