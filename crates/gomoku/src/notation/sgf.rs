//! SGF with `GM[4]`: Gomoku and Renju.
//!
//! Points are read as `h8` or as Go-style letter pairs (`hh`, column then row from the top) and written as letter
//! pairs, which other programs expect. Set-up stones (`AB`, `AW`, `AE`, `PL`) may stand in any node: from there on the position counts as
//! set up. Swap2's decisions have no SGF property, so they are written as private ones, `SWAP[1]` and
//! `EXTEND[1]`, `DECLARE[3]` and `OFFER[hh]`, and the opening protocol as `OPENING[swap2]`.

use super::{from_setup, points};
use crate::{Position, Rule};
use ::game::sgf::{Node, Property, Tree, letter, parse as parse_trees, rectangle};
use ::game::{Cell, Move, Position as _, Record, Setup, Side, TextError};

/// Reads the main line of the first game.
pub fn read(text: &str, defaults: &Setup) -> Result<Position, TextError> {
    let trees = parse_trees(text)?;
    match trees.first() {
        Some(tree) => main_line(text, tree, defaults),
        None => Err(TextError::new(1, 1, "no game in this SGF")),
    }
}

/// Reads the main lines of all games.
pub fn read_all(text: &str, defaults: &Setup) -> Result<Vec<Position>, TextError> {
    parse_trees(text)?.iter().map(|tree| main_line(text, tree, defaults)).collect()
}

/// Writes a game record.
pub(crate) fn write_record(record: &Record) -> String {
    let mut root = root_node(&record.setup);
    let Ok(start) = Position::from_setup(&record.setup) else {
        return Tree { nodes: vec![root] }.write();
    };
    // SGF knows colours, not seats: name whoever holds the colour at the end.
    let mut end = start.clone();
    for (mv, _) in &record.moves {
        if end.play(*mv).is_err() {
            break;
        }
    }
    let (black, white) = match end.colour_of(::game::Seat::First) {
        Side::Black => (&record.first, &record.second),
        Side::White => (&record.second, &record.first),
    };
    root.push_known([
        ("PB", black),
        ("PW", white),
        ("RE", &record.result),
        ("DT", &record.date),
        ("GC", &record.reason),
    ]);
    let mut tree = Tree { nodes: vec![root] };
    let (mut at, mut side) = (0, start.to_move());
    for (mv, note) in &record.moves {
        let mut node = Node::default();
        push_move(&mut node, *mv, side);
        node.push_known([("C", &note.to_comment())]);
        at = tree.add(at, node);
        if matches!(mv, Move::Place(_)) {
            side = side.other();
        }
    }
    tree.write()
}

/// Writes a position: its set-up and its moves.
pub fn write(position: &Position) -> String {
    let mut tree = Tree { nodes: vec![root_node(position.setup())] };
    let (mut at, mut side) = (0, position.setup().to_move.unwrap_or(Side::Black));
    for mv in position.history() {
        let mut node = Node::default();
        push_move(&mut node, *mv, side);
        at = tree.add(at, node);
        if matches!(mv, Move::Place(_)) {
            side = side.other();
        }
    }
    tree.write()
}

fn root_node(setup: &Setup) -> Node {
    let mut root = Node::default();
    root.push("FF", ["4"]);
    root.push("GM", ["4"]);
    root.push("SZ", [setup.rows.to_string()]);
    let rule: Rule = setup.rule.parse().unwrap_or(Rule::Freestyle);
    root.push("RU", [rule.name()]);
    if !matches!(setup.opening.as_str(), "" | "free") {
        root.push("OPENING", [setup.opening.as_str()]);
    }
    root.push_stones(setup, letter_pair);
    if let Some(side) = setup.to_move.filter(|side| !setup.stones.is_empty() || *side == Side::White) {
        root.push("PL", [letter(side)]);
    }
    root
}

/// A point as SGF has it: column, then row from the top, both from `a`. No board is larger than the alphabet.
pub(crate) fn letter_pair(cell: Cell) -> String {
    [cell.col, cell.row].map(|at| char::from(b'a'.saturating_add(at.min(25)))).iter().collect()
}

fn push_move(node: &mut Node, mv: Move, side: Side) {
    match mv {
        Move::Place(cell) => {
            node.push(letter(side), [letter_pair(cell)]);
        }
        Move::Swap => node.push("SWAP", ["1"]),
        Move::Extend => node.push("EXTEND", ["1"]),
        Move::Declare(fifths) => node.push("DECLARE", [fifths.to_string()]),
        Move::Offer(cell) => node.push("OFFER", [letter_pair(cell)]),
    }
}

fn main_line(text: &str, tree: &Tree, defaults: &Setup) -> Result<Position, TextError> {
    let Some(root) = tree.nodes.first() else { return Err(TextError::new(1, 1, "an empty game")) };
    let mut position = from_setup(text, root_setup(text, root, defaults)?)?;
    for node in tree.main_line() {
        if setup_property(node).is_some() {
            position = apply_setup(text, position, node)?;
        }
        for (property, side, mv) in node_moves(text, node, position.size())? {
            let fail = |message: String| TextError::at(text, property.offset, message);
            if let Some(side) =
                side.filter(|side| *side != position.to_move() && position.outcome().is_none())
            {
                position = set_up_again(&position, |setup| setup.to_move = Some(side)).map_err(fail)?;
            }
            match mv {
                Some(mv) => position.play(mv).map_err(|error| fail(error.to_string()))?,
                // A pass: the other side is to move from here.
                None => {
                    let next = position.to_move().other();
                    position = set_up_again(&position, |setup| setup.to_move = Some(next)).map_err(fail)?;
                }
            }
        }
    }
    Ok(position)
}

/// Size, rule and opening of a game, without its stones.
fn root_setup(text: &str, root: &Node, defaults: &Setup) -> Result<Setup, TextError> {
    let fail = |name: &str, message: String| {
        let offset = root.properties.iter().find(|p| p.name == name).map_or(0, |p| p.offset);
        Err(TextError::at(text, offset, message))
    };
    let mut setup = defaults.clone();
    match root.value("GM").map(str::trim) {
        None | Some("4") => {}
        Some(other) => {
            let game = match other {
                "1" => " (Go)",
                "11" => " (Hex)",
                _ => "",
            };
            return fail("GM", format!("GM[{other}]{game} is another game; accepted: GM[4] (Gomoku, Renju)"));
        }
    }
    if let Some(size) = root.value("SZ") {
        let (cols, rows) = size.split_once(':').unwrap_or((size, size));
        match (cols.trim().parse(), rows.trim().parse()) {
            (Ok(cols), Ok(rows)) => (setup.cols, setup.rows) = (cols, rows),
            _ => return fail("SZ", format!("SZ[{size}] is not a size; accepted: SZ[15] or SZ[15:15]")),
        }
    }
    if let Some(rule) = root.value("RU").and_then(read_rule) {
        setup.rule = rule.name().into();
    }
    if let Some(opening) = root.value("OPENING") {
        setup.opening = opening.trim().into();
    }
    Ok(setup)
}

/// The rule that a free text names, if it can be recognised; Gomocup's numbers included.
fn read_rule(text: &str) -> Option<Rule> {
    let text = text.to_ascii_lowercase();
    match text.trim() {
        "0" => return Some(Rule::Freestyle),
        "1" => return Some(Rule::Standard),
        "4" => return Some(Rule::Renju),
        "8" | "9" => return Some(Rule::Caro),
        _ => {}
    }
    let words = [
        ("renju", Rule::Renju),
        ("caro", Rule::Caro),
        ("standard", Rule::Standard),
        ("exact", Rule::Standard),
        ("free", Rule::Freestyle),
    ];
    words.iter().find(|(word, _)| text.contains(word)).map(|(_, rule)| *rule)
}

fn setup_property(node: &Node) -> Option<&Property> {
    node.properties.iter().find(|p| matches!(p.name.as_str(), "AB" | "AW" | "AE" | "PL"))
}

/// The position after a node's set-up properties; earlier moves become set-up stones.
fn apply_setup(text: &str, position: Position, node: &Node) -> Result<Position, TextError> {
    let Some(first) = setup_property(node) else { return Ok(position) };
    let size = position.size();
    let mut stones = position.stones_in_order();
    let mut to_move = None;
    for property in &node.properties {
        let side = match property.name.as_str() {
            "AB" => Some(Side::Black),
            "AW" => Some(Side::White),
            "AE" => None,
            "PL" => {
                let value = property.values.first().map_or("", String::as_str);
                let parsed = Side::parse(value);
                let message = || format!("PL[{value}]; accepted: PL[B], PL[W]");
                to_move = Some(parsed.ok_or_else(|| TextError::at(text, property.offset, message()))?);
                continue;
            }
            _ => continue,
        };
        for value in &property.values {
            for cell in read_points(text, property, value, size)? {
                let known = stones.iter().position(|(_, other)| *other == cell);
                match (side, known) {
                    (Some(side), None) => stones.push((side, cell)),
                    (None, Some(at)) => drop(stones.remove(at)),
                    (None, None) => {}
                    (Some(_), Some(_)) => {
                        let message = format!("two stones on {}", points::format_point(cell, size));
                        return Err(TextError::at(text, property.offset, message));
                    }
                }
            }
        }
    }
    let setup = Setup { stones, to_move, ..position.setup().clone() };
    // A file that leaves the side open and counts that do not tell it: whoever moves next will.
    let guess = Setup { to_move: Some(to_move.unwrap_or(Side::Black)), ..setup.clone() };
    Position::from_setup(&setup)
        .or_else(|_| Position::from_setup(&guess))
        .map_err(|error| TextError::at(text, first.offset, error.to_string()))
}

/// The same board as a fresh set-up, changed a little.
fn set_up_again(position: &Position, change: impl FnOnce(&mut Setup)) -> Result<Position, String> {
    let mut setup = Setup { stones: position.stones_in_order(), ..position.setup().clone() };
    change(&mut setup);
    Position::from_setup(&setup).map_err(|error| error.to_string())
}

type NodeMove<'a> = (&'a Property, Option<Side>, Option<Move>);

/// The moves of a node: property, colour where it names one, and the move (`None` for a pass).
fn node_moves<'a>(text: &str, node: &'a Node, size: u8) -> Result<Vec<NodeMove<'a>>, TextError> {
    let mut moves = Vec::new();
    for property in &node.properties {
        let side = match property.name.as_str() {
            "B" => Side::Black,
            "W" => Side::White,
            "SWAP" => {
                moves.push((property, None, Some(Move::Swap)));
                continue;
            }
            "EXTEND" => {
                moves.push((property, None, Some(Move::Extend)));
                continue;
            }
            "DECLARE" => {
                let value = property.values.first().map_or("", |value| value.trim());
                let fifths = value.parse().map_err(|_| {
                    let message = format!("DECLARE[{value}] is not a number of fifth moves");
                    TextError::at(text, property.offset, message)
                })?;
                moves.push((property, None, Some(Move::Declare(fifths))));
                continue;
            }
            "OFFER" => {
                for value in &property.values {
                    let cell = read_point(text, property, value, size)?;
                    moves.push((property, None, Some(Move::Offer(cell))));
                }
                continue;
            }
            _ => continue,
        };
        for value in &property.values {
            let value = value.trim();
            if value.is_empty() || value == "tt" && size <= 19 {
                moves.push((property, Some(side), None));
            } else {
                let cell = read_point(text, property, value, size)?;
                moves.push((property, Some(side), Some(Move::Place(cell))));
            }
        }
    }
    Ok(moves)
}

/// One point, or a rectangle `aa:cc`.
fn read_points(text: &str, property: &Property, value: &str, size: u8) -> Result<Vec<Cell>, TextError> {
    let Some((from, to)) = value.split_once(':') else {
        return Ok(vec![read_point(text, property, value, size)?]);
    };
    let (a, b) = (read_point(text, property, from, size)?, read_point(text, property, to, size)?);
    Ok(rectangle(a, b).collect())
}

/// `h8`, or the letter pair `hh`.
pub(crate) fn parse_point(value: &str, size: u8) -> Option<Cell> {
    let value = value.trim();
    let go_style = || {
        let [col, row] = value.as_bytes() else { return None };
        let (col, row) = (col.to_ascii_lowercase(), row.to_ascii_lowercase());
        let inside = |letter: u8| letter.is_ascii_lowercase() && letter - b'a' < size;
        (inside(col) && inside(row)).then(|| Cell::new(row - b'a', col - b'a'))
    };
    points::parse_point(value, size).ok().or_else(go_style)
}

fn read_point(text: &str, property: &Property, value: &str, size: u8) -> Result<Cell, TextError> {
    parse_point(value, size).ok_or_else(|| {
        let value = value.trim();
        let accepted = points::accepted(size);
        let message = format!(
            "{}[{value}] is not a point; accepted: {accepted} or letter pairs such as hh",
            property.name
        );
        TextError::at(text, property.offset, message)
    })
}
