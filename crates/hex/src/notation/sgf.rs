//! SGF files of Hex (`FF[4]`, `GM[11]`): the main line of each game.
//!
//! Points are `a1`, or Go-style `aa` as on Little Golem. Special moves are `swap-pieces`, `swap-sides`,
//! `resign`, `forfeit` and `pass`. HexGui up to 0.9 wrote `swap-pieces` where it meant `swap-sides`.
//! Set-up stones in the middle of a game turn what was played into set-up.

use super::{draft::Draft, point};
use crate::geometry::Size;
use crate::{Position, SwapRule};
use game::sgf::{Node, Property, Tree, letter, rectangle};
use game::{Cell, Move, MoveNote, Position as _, Record, Setup, Side, TextError};

/// A game read from SGF.
#[derive(Clone, Debug)]
pub struct SgfGame {
    /// The position at the end of the main line.
    pub position: Position,
    /// The game with names, result and comments.
    pub record: Record,
}

/// Reads the first game and returns the position at the end of its main line.
pub fn read_position(text: &str, defaults: &Setup) -> Result<Position, TextError> {
    let trees = game::sgf::parse(text)?;
    let Some(tree) = trees.first() else { return Err(TextError::new(1, 1, "no game in this SGF")) };
    Ok(read_tree(text, tree, defaults)?.position)
}

/// Reads all games of a text.
pub fn read_all(text: &str, defaults: &Setup) -> Result<Vec<SgfGame>, TextError> {
    game::sgf::parse(text)?.iter().map(|tree| read_tree(text, tree, defaults)).collect()
}

fn read_tree(text: &str, tree: &Tree, defaults: &Setup) -> Result<SgfGame, TextError> {
    let root = tree.nodes.first().cloned().unwrap_or_default();
    let mut setup = Setup { stones: Vec::new(), to_move: None, ..defaults.clone() };
    for property in &root.properties {
        let value = property.values.first().map_or("", |value| value.trim());
        let fail = |message: String| TextError::at(text, property.offset, message);
        match property.name.as_str() {
            "GM" if value != "11" => {
                return Err(fail(format!("GM[{value}] is another game; Hex is GM[11]")));
            }
            "SZ" => (setup.cols, setup.rows) = read_size(value).map_err(fail)?,
            "RU" if SwapRule::parse(value).is_some() && setup.opening.is_empty() => {
                setup.opening = value.into();
            }
            _ => {}
        }
    }
    let old_hexgui = root.value("AP").is_some_and(is_old_hexgui);
    let mut reader = Reader {
        draft: Draft::new(&setup).map_err(|error| TextError::new(1, 1, error))?,
        old_hexgui,
        result: root.value("RE").unwrap_or_default().trim().to_string(),
        ended: false,
        explicit_turn: false,
        notes: Vec::new(),
    };
    for node in tree.main_line() {
        reader.node(node).map_err(|(offset, message)| TextError::at(text, offset, message))?;
    }
    let Reader { draft, result, mut notes, .. } = reader;
    let position = draft.finish();
    let setup = position.setup();
    notes.resize(position.history().len(), MoveNote::default());
    let name = |key: &str| root.value(key).unwrap_or_default().to_string();
    let (first, second) = match setup.to_move {
        Some(Side::White) => ("PW", "PB"),
        _ => ("PB", "PW"),
    };
    let record = Record {
        moves: position.history().iter().copied().zip(notes).collect(),
        setup,
        first: name(first),
        second: name(second),
        result,
        reason: String::new(),
        date: name("DT"),
    };
    Ok(SgfGame { position, record })
}

struct Reader {
    draft: Draft,
    old_hexgui: bool,
    result: String,
    /// Somebody resigned or forfeited.
    ended: bool,
    /// PL or a move has set the side to move, so it is no longer inferred from the stones.
    explicit_turn: bool,
    notes: Vec<MoveNote>,
}

/// Byte offset in the text, and what is wrong there.
type OffsetError = (usize, String);

impl Reader {
    fn node(&mut self, node: &Node) -> Result<(), OffsetError> {
        let mut edits = Vec::new();
        let mut edit_at = 0;
        for property in &node.properties {
            let stone = match property.name.as_str() {
                "AB" => Some(Side::Black),
                "AW" => Some(Side::White),
                "AE" => None,
                _ => continue,
            };
            edit_at = property.offset;
            for value in &property.values {
                let cells = self.points(value).map_err(|message| (property.offset, message))?;
                edits.extend(cells.into_iter().map(|cell| (cell, stone)));
            }
        }
        if !edits.is_empty() {
            self.draft.edit(&edits).map_err(|message| (edit_at, message))?;
            if !self.explicit_turn {
                self.draft.turn_by_count();
            }
            self.notes.clear();
        }
        for property in &node.properties {
            let value = property.values.first().map_or("", |value| value.trim());
            let fail = |message: String| (property.offset, message);
            match property.name.as_str() {
                "PL" => {
                    let side =
                        Side::parse(value).ok_or_else(|| fail(format!("PL[{value}]; accepted: B, W")))?;
                    self.draft.turn(side);
                    self.explicit_turn = true;
                }
                "B" => self.play(Side::Black, property, node).map_err(fail)?,
                "W" => self.play(Side::White, property, node).map_err(fail)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn play(&mut self, side: Side, property: &Property, node: &Node) -> Result<(), String> {
        if self.ended {
            return Err("a move after the end of the game".into());
        }
        let value = property.values.first().map_or("", |value| value.trim()).to_ascii_lowercase();
        let winner = if side == Side::Black { 'W' } else { 'B' };
        match value.as_str() {
            "resign" | "forfeit" => {
                let how = if value == "resign" { 'R' } else { 'F' };
                self.result = format!("{winner}+{how}");
                self.ended = true;
                return Ok(());
            }
            "pass" | "" => {
                self.draft.turn(side);
                self.draft.pass();
            }
            "swap-pieces" if self.old_hexgui => self.draft.swap(Some(SwapRule::Sides))?,
            "swap-pieces" => self.draft.swap(Some(SwapRule::Pieces))?,
            "swap-sides" => self.draft.swap(Some(SwapRule::Sides))?,
            "swap" => self.draft.swap(None)?,
            name => {
                let cell = self.point(name)?;
                self.draft.place(side, cell)?;
            }
        }
        self.explicit_turn = true;
        let played = self.draft.position().history().len();
        self.notes.resize(played, MoveNote::default());
        if let (Some(note), Some(comment)) = (self.notes.last_mut(), node.value("C")) {
            note.comment = comment.into();
        }
        Ok(())
    }

    /// A point, or a rectangle of points `a1:c3` (FF[4]'s compressed lists).
    fn points(&self, value: &str) -> Result<Vec<Cell>, String> {
        let Some((from, to)) = value.split_once(':') else { return Ok(vec![self.point(value)?]) };
        let (from, to) = (self.point(from)?, self.point(to)?);
        Ok(rectangle(from, to).collect())
    }

    fn point(&self, value: &str) -> Result<Cell, String> {
        let size: Size = self.draft.position().size();
        match parse_point(value) {
            Some(cell) if size.contains(cell) => Ok(cell),
            Some(_) => {
                Err(format!("{value} is not on a board of {} rows and {} columns", size.rows(), size.cols()))
            }
            None => Err(format!(
                "'{value}' is not a move; accepted: a1, aa, swap-pieces, swap-sides, resign, forfeit, pass"
            )),
        }
    }
}

/// `a1`, or `aa` as on Little Golem.
pub(crate) fn parse_point(value: &str) -> Option<Cell> {
    let name = value.trim().to_ascii_lowercase();
    let go_style = match name.as_bytes() {
        &[col @ b'a'..=b'z', row @ b'a'..=b'z'] => Some(Cell::new(row - b'a', col - b'a')),
        _ => None,
    };
    point::parse(&name).or(go_style)
}

/// `n` or `columns:rows`.
fn read_size(value: &str) -> Result<(u8, u8), String> {
    let (cols, rows) = value.split_once(':').unwrap_or((value, value));
    match (cols.trim().parse(), rows.trim().parse()) {
        (Ok(cols), Ok(rows)) if Size::new(rows, cols).is_some() => Ok((cols, rows)),
        _ => Err(format!("SZ[{value}]; accepted: SZ[n] or SZ[columns:rows], 1 to {}", crate::MAX_SIDE)),
    }
}

/// Versions 0.0 to 0.9, as in `HexGui:0.9.GIT`.
fn is_old_hexgui(application: &str) -> bool {
    let Some(version) = application.trim().strip_prefix("HexGui:0.") else { return false };
    let bytes = version.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_digit) && !bytes.get(1).is_some_and(u8::is_ascii_digit)
}

/// Writes a game. Moves that the record's rules do not allow end it.
pub fn write(record: &Record) -> String {
    let setup = &record.setup;
    let mut tree = Tree::new();
    let root = &mut tree.nodes[0];
    root.push("FF", ["4"]);
    root.push("GM", ["11"]);
    root.push("AP", ["Tengen"]);
    root.push(
        "SZ",
        [if setup.rows == setup.cols {
            setup.cols.to_string()
        } else {
            format!("{}:{}", setup.cols, setup.rows)
        }],
    );
    if !setup.opening.is_empty() {
        root.push("RU", [setup.opening.as_str()]);
    }
    let Ok(mut position) = Position::new(setup) else { return tree.write() };
    let white_first = position.to_move() == Side::White;
    let (black, white) =
        if white_first { (&record.second, &record.first) } else { (&record.first, &record.second) };
    root.push_known([("PB", black), ("PW", white), ("DT", &record.date)]);
    if !record.result.is_empty() && record.result != "?" {
        root.push("RE", [record.result.as_str()]);
    }
    root.push_stones(setup, point::format);
    if white_first || !setup.stones.is_empty() {
        root.push("PL", [letter(position.to_move())]);
    }
    let mut at = 0;
    for (mv, note) in &record.moves {
        let (side, word) = (position.to_move(), position.format_move(*mv));
        if position.play(*mv).is_err() {
            break;
        }
        let mut node = Node::default();
        node.push(letter(side), [word]);
        node.push_known([("C", &note.to_comment())]);
        at = tree.add(at, node);
    }
    tree.write()
}

/// Writes a position: its set-up and the moves that led to it.
pub fn write_position(position: &Position) -> String {
    write(&Record {
        setup: position.setup(),
        moves: position.history().iter().map(|mv: &Move| (*mv, MoveNote::default())).collect(),
        first: String::new(),
        second: String::new(),
        result: String::new(),
        reason: String::new(),
        date: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> SgfGame {
        read_all(text, &Setup::empty(11, 11)).unwrap().remove(0)
    }

    #[test]
    fn both_swaps_and_old_hexgui() {
        let pieces = read("(;FF[4]GM[11]SZ[5];B[a2];W[swap-pieces];B[c3])").position;
        assert_eq!(pieces.at(Cell::new(0, 1)), Some(Side::White));
        assert_eq!((pieces.swap_rule(), pieces.to_move()), (SwapRule::Pieces, Side::White));
        let sides = read("(;FF[4]GM[11]SZ[5];B[a2];W[swap-sides];W[c3])").position;
        assert_eq!(sides.at(Cell::new(1, 0)), Some(Side::Black));
        assert_eq!((sides.swap_rule(), sides.to_move()), (SwapRule::Sides, Side::Black));
        for old in ["HexGui:0.2", "HexGui:0.9.GIT", "HexGui:0.9"] {
            let old = read(&format!("(;AP[{old}]GM[11]SZ[5];B[a2];W[swap-pieces];W[c3])")).position;
            assert_eq!(old.swap_rule(), SwapRule::Sides);
        }
        for new in ["HexGui:0.10.1", "HexGui:1.0", "Other:0.9"] {
            let new = read(&format!("(;AP[{new}]GM[11]SZ[5];B[a2];W[swap-pieces])")).position;
            assert_eq!(new.swap_rule(), SwapRule::Pieces);
        }
        for position in [pieces, sides] {
            let again = read(&write_position(&position)).position;
            assert_eq!((again.hash(), again.swap_rule()), (position.hash(), position.swap_rule()));
            assert_eq!(again.history(), position.history());
        }
    }

    #[test]
    fn rectangles_have_columns_first() {
        let wide = read("(;GM[11]SZ[6:4];B[f4])").position;
        assert_eq!((wide.rows(), wide.cols()), (4, 6));
        assert!(write_position(&wide).contains("SZ[6:4]"));
    }

    #[test]
    fn results_names_and_comments_survive() {
        let game = read("(;GM[11]SZ[5]PB[Ann]PW[Bob]DT[2020-01-02];B[c3]C[good];W[b4];B[resign])");
        assert_eq!((game.record.first.as_str(), game.record.second.as_str()), ("Ann", "Bob"));
        assert_eq!(game.record.result, "W+R");
        assert_eq!(game.record.moves[0].1.comment, "good");
        let again = read(&write(&game.record));
        assert_eq!(again.record.result, "W+R");
        assert_eq!(again.record, game.record);
        assert_eq!(read("(;GM[11]SZ[5];B[c3];W[forfeit])").record.result, "B+F");
        assert!(read_all("(;GM[11]SZ[5];B[resign];W[b4])", &Setup::empty(5, 5)).is_err());
    }

    #[test]
    fn set_up_stones_and_turns() {
        let set = read("(;GM[11]SZ[5]AB[a1:b2]AW[ee]AE[b2])").position;
        assert_eq!((set.board().len(), set.to_move()), (4, Side::White));
        assert_eq!(set.at(Cell::new(4, 4)), Some(Side::White));
        let later = read("(;GM[11]SZ[5];B[a1];W[b1];AE[a1]AW[a1]PL[W])").position;
        assert_eq!((later.at(Cell::new(0, 0)), later.to_move()), (Some(Side::White), Side::White));
        let twice = read("(;GM[11]SZ[5];B[a1];B[b1])").position;
        assert_eq!((twice.board().len(), twice.to_move()), (2, Side::White));
        let white_first = read("(;GM[11]SZ[5];W[a1];B[b2])").position;
        assert_eq!((white_first.to_move(), white_first.history().len()), (Side::White, 2));
    }
}
