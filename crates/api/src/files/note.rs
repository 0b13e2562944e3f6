//! What is said and drawn at a place of a game, and how SGF has it.
//!
//! Comments, drawings and properties that no reader of ours has a use for are carried beside the moves: a game's own
//! notation never sees them.

use game::sgf::{self, Node};
use game::{Cell, Game};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The longest text of an SGF node that is kept, in characters.
const TEXT: usize = 10_000;
/// Drawings and unknown properties of a node, and values of a property, that are kept.
const DRAWINGS: usize = 400;
const PROPERTIES: usize = 60;
const VALUES: usize = 400;

/// Properties that the games' readers and writers use themselves.
const OWN: [&str; 19] = [
    "FF", "GM", "CA", "AP", "SZ", "RU", "OPENING", "B", "W", "AB", "AW", "AE", "PL", "SWAP", "EXTEND",
    "DECLARE", "OFFER", "C", "KO",
];

/// Signs at points, by their property.
const SIGNS: [(&str, DrawingKind); 4] = [
    ("TR", DrawingKind::Triangle),
    ("SQ", DrawingKind::Square),
    ("CR", DrawingKind::Circle),
    ("MA", DrawingKind::Cross),
];
/// Lines between points.
const LINES: [(&str, DrawingKind); 2] = [("LN", DrawingKind::Line), ("AR", DrawingKind::Arrow)];

/// What is said and drawn at a place of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// For people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// What somebody drew on the board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Drawing>,
    /// SGF properties that only files have a use for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, Vec<String>>,
}

/// A sign, label, line or arrow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Drawing {
    kind: DrawingKind,
    row: u8,
    col: u8,
    /// `[row, column]` where a line or an arrow ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<(u8, u8)>)]
    to: Option<[u8; 2]>,
    /// Of a label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum DrawingKind {
    Triangle,
    Square,
    Circle,
    Cross,
    Label,
    Line,
    Arrow,
}

impl Note {
    pub(super) fn is_empty(&self) -> bool {
        self.comment.is_empty() && self.marks.is_empty() && self.properties.is_empty()
    }

    /// Adds what another node says about the same place; what is there already is not repeated.
    pub(super) fn add(&mut self, other: Note) {
        if self.comment.is_empty() {
            self.comment = other.comment;
        } else if !other.comment.is_empty()
            && self.comment.len() < 4 * TEXT
            && !self.comment.contains(&other.comment)
        {
            self.comment.push_str("\n\n");
            self.comment.push_str(&other.comment);
        }
        for mark in other.marks {
            if self.marks.len() < DRAWINGS && !self.marks.contains(&mark) {
                self.marks.push(mark);
            }
        }
        for (name, values) in other.properties {
            self.properties.entry(name).or_insert(values);
        }
    }

    /// What an SGF node says beside its moves and stones.
    pub(super) fn read(game: &dyn Game, setup: &game::Setup, node: &Node) -> Note {
        let mut note = Note::default();
        let short = |value: &str| value.chars().take(TEXT).collect::<String>();
        let point = |text: &str| game.read_sgf_point(setup, text);
        for property in &node.properties {
            let name = property.name.as_str();
            let values = property.values.iter().take(VALUES);
            let room = DRAWINGS.saturating_sub(note.marks.len());
            let sign =
                |cell: Cell, kind| Drawing { kind, row: cell.row, col: cell.col, to: None, text: None };
            if name == "C" {
                note.add(Note {
                    comment: property.values.first().map_or_else(String::new, |text| short(text)),
                    ..Note::default()
                });
            } else if let Some((_, kind)) = SIGNS.iter().find(|(known, _)| *known == name) {
                let cells = values.flat_map(|value| points(value, &point));
                note.marks.extend(cells.map(|cell| sign(cell, *kind)).take(room));
            } else if let Some((_, kind)) = LINES.iter().find(|(known, _)| *known == name) {
                note.marks.extend(values.take(room).filter_map(|value| {
                    let (from, to) = value.split_once(':')?;
                    let (from, to) = (point(from)?, point(to)?);
                    Some(Drawing { to: Some([to.row, to.col]), ..sign(from, *kind) })
                }));
            } else if name == "LB" {
                note.marks.extend(values.take(room).filter_map(|value| {
                    let (at, text) = value.split_once(':')?;
                    Some(Drawing { text: Some(short(text)), ..sign(point(at)?, DrawingKind::Label) })
                }));
            } else if is_free(name)
                && note.properties.len() < PROPERTIES
                && !is_unknown(name, &property.values)
            {
                note.properties.insert(name.into(), values.map(|value| short(value)).collect());
            }
        }
        note
    }

    /// Writes it into an SGF node; what the game wrote there stays.
    pub(super) fn write(&self, game: &dyn Game, node: &mut Node) {
        if !self.comment.is_empty() && node.value("C").is_none() {
            node.push("C", [self.comment.as_str()]);
        }
        let point = |row: u8, col: u8| game.write_sgf_point(Cell::new(row, col));
        for (name, kind) in SIGNS.iter().chain(&LINES).chain(&[("LB", DrawingKind::Label)]) {
            let of_kind = self.marks.iter().filter(|mark| mark.kind == *kind);
            let values: Vec<String> = of_kind
                .filter_map(|mark| {
                    let at = point(mark.row, mark.col)?;
                    Some(match (kind, mark.to, &mark.text) {
                        (DrawingKind::Label, _, text) => {
                            format!("{at}:{}", text.as_deref().unwrap_or_default())
                        }
                        (DrawingKind::Line | DrawingKind::Arrow, Some([row, col]), _) => {
                            format!("{at}:{}", point(row, col)?)
                        }
                        (DrawingKind::Line | DrawingKind::Arrow, None, _) => return None,
                        _ => at,
                    })
                })
                .collect();
            if !values.is_empty() {
                node.push(name, values);
            }
        }
        for (name, values) in
            self.properties.iter().filter(|(name, values)| is_free(name) && !values.is_empty())
        {
            if node.value(name).is_none() {
                node.push(name, values);
            }
        }
    }
}

/// A point, or a rectangle of points `aa:cc`.
fn points(value: &str, point: &impl Fn(&str) -> Option<Cell>) -> Vec<Cell> {
    let (from, to) = value.split_once(':').unwrap_or((value, value));
    let (Some(from), Some(to)) = (point(from), point(to)) else { return Vec::new() };
    sgf::rectangle(from, to).collect()
}

/// Is a name one of SGF that neither a game nor a drawing uses?
fn is_free(name: &str) -> bool {
    let drawn = SIGNS.iter().chain(&LINES).any(|(known, _)| *known == name) || name == "LB";
    let is_name = !name.is_empty() && name.len() <= 20 && name.bytes().all(|byte| byte.is_ascii_uppercase());
    is_name && !drawn && !OWN.contains(&name)
}

/// A result that says that there is none.
fn is_unknown(name: &str, values: &[String]) -> bool {
    name == "RE" && values.iter().all(|value| matches!(value.trim(), "" | "?"))
}
