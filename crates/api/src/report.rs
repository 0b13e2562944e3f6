//! What a search says, and knowledge drawn over a board, as JSON.

use crate::view::{MoveBody, move_body};
use crate::words::SideWord;
use game::{Layer, Move, Position, Report, Side};
use serde::Serialize;
use utoipa::ToSchema;

/// A search's view of a position, from the side to move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReportBody {
    depth: u32,
    selective_depth: u32,
    score: f64,
    /// 0 to 1.
    win_rate: f64,
    /// Proved end in plies: positive wins, negative loses.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    nodes: u64,
    seconds: f64,
    /// Nodes a second.
    speed: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    prune_ratio: Option<f64>,
    lines: Vec<LineBody>,
    root: Vec<RootBody>,
}

/// One principal line.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LineBody {
    moves: Vec<String>,
    /// `[row, column]` of each move; `null` for one without a cell.
    #[schema(value_type = Vec<Option<(u8, u8)>>)]
    cells: Vec<Option<[u8; 2]>>,
    score: f64,
    win_rate: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    depth: u32,
    nodes: u64,
}

/// One row of the root table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RootBody {
    #[serde(flatten)]
    mv: MoveBody,
    score: f64,
    win_rate: f64,
    /// How the score relates to the true one: `exact`, `upper` or `lower`.
    bound: &'static str,
    nodes: u64,
}

/// JSON has no infinity.
fn finite(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-1e15, 1e15) }
}

impl ReportBody {
    /// A report about `position`.
    pub fn of(position: &dyn Position, report: &Report) -> ReportBody {
        ReportBody {
            depth: report.depth,
            selective_depth: report.selective_depth,
            score: finite(report.score),
            win_rate: finite(report.win_rate),
            mate: report.mate,
            nodes: report.nodes,
            seconds: report.elapsed.as_secs_f64(),
            speed: finite(report.speed()),
            prune_ratio: report.prune_ratio().map(finite),
            lines: report
                .lines
                .iter()
                .map(|line| LineBody {
                    moves: words(position, &line.moves),
                    cells: line.moves.iter().map(|mv| mv.cell().map(|cell| [cell.row, cell.col])).collect(),
                    score: finite(line.score),
                    win_rate: finite(line.win_rate),
                    mate: line.mate,
                    depth: line.depth,
                    nodes: line.nodes,
                })
                .collect(),
            root: report
                .root
                .iter()
                .map(|root| RootBody {
                    mv: move_body(position, root.mv),
                    score: finite(root.score),
                    win_rate: finite(root.win_rate),
                    bound: root.bound.name(),
                    nodes: root.nodes,
                })
                .collect(),
        }
    }

    /// Expected result of the best move.
    pub fn win_rate(&self) -> f64 {
        self.win_rate
    }
}

/// Moves one after the other, each written for the position it is played in.
pub fn words(position: &dyn Position, moves: &[Move]) -> Vec<String> {
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

/// The end that a line reaches, in plies as [`ReportBody`] gives it: positive if the side to move wins. None if the
/// game goes on after the line, or is a draw.
pub fn end_of(position: &dyn Position, line: &[Move]) -> Option<i32> {
    let mut at = position.boxed();
    for mv in line {
        at.play(*mv).ok()?;
    }
    let winner = at.outcome()?.winner()?;
    let plies = i32::try_from(line.len()).ok()?;
    Some(if winner == position.to_move() { plies } else { -plies })
}

/// A proved end as chess programs say it, "win in 3": in moves of the winner.
pub fn mate_text(plies: i32) -> String {
    format!("{} in {}", if plies > 0 { "win" } else { "loss" }, plies.unsigned_abs().div_ceil(2))
}

/// Knowledge to draw over a board.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LayerBody {
    cells: Vec<LayerCellBody>,
    links: Vec<LayerLinkBody>,
}

/// A cell of a layer.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LayerCellBody {
    row: u8,
    col: u8,
    /// 0 to 1 where it is to be shaded.
    value: f64,
    label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<SideWord>)]
    side: Option<Side>,
}

/// A connection of a layer.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LayerLinkBody {
    #[schema(value_type = (u8, u8))]
    from: [u8; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<(u8, u8)>)]
    to: Option<[u8; 2]>,
    /// The edge where `to` is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    edge: String,
    #[schema(value_type = Vec<(u8, u8)>)]
    carrier: Vec<[u8; 2]>,
    #[schema(value_type = SideWord)]
    side: Side,
}

/// A layer as JSON.
pub(crate) fn layer_body(layer: &Layer) -> LayerBody {
    let pair = |cell: &game::Cell| [cell.row, cell.col];
    LayerBody {
        cells: layer
            .cells
            .iter()
            .map(|cell| LayerCellBody {
                row: cell.cell.row,
                col: cell.cell.col,
                value: finite(cell.value),
                label: cell.label.clone(),
                side: cell.side,
            })
            .collect(),
        links: layer
            .links
            .iter()
            .map(|link| LayerLinkBody {
                from: pair(&link.from),
                to: link.to.as_ref().map(pair),
                edge: link.edge.clone(),
                carrier: link.carrier.iter().map(pair).collect(),
                side: link.side,
            })
            .collect(),
    }
}
