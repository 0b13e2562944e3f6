//! Pictures of a position: SVG on a wooden board, and text for terminals.

use crate::notation::points::format_point;
use crate::{Point, Position};
use ::game::draw::Svg;
use ::game::{Cell, Outcome, Picture, Position as _, Side};
use std::fmt::Write;

const WOOD: &str = "#e8c27e";
const INK: &str = "#5b4421";
const BLACK: &str = "#1a1a1a";
const WHITE: &str = "#fafafa";
const RED: &str = "#c62828";

/// Draws a position as SVG.
pub(crate) fn svg(position: &Position, picture: &Picture) -> String {
    let cell = picture.cell.clamp(4.0, 400.0);
    let size = position.size();
    let margin = cell * if picture.coordinates { 1.25 } else { 0.75 };
    let span = cell * f64::from(size - 1);
    let at = |c: Cell| (margin + cell * f64::from(c.col), margin + cell * f64::from(c.row));
    let mut out = Svg::new(span + 2.0 * margin, span + 2.0 * margin);
    out.rect(0.0, 0.0, span + 2.0 * margin, span + 2.0 * margin, WOOD);
    for line in 0..size {
        let place = margin + cell * f64::from(line);
        let width = cell / if line == 0 || line == size - 1 { 16.0 } else { 32.0 };
        out.line((margin, place), (margin + span, place), INK, width);
        out.line((place, margin), (place, margin + span), INK, width);
    }
    for star in star_points(size) {
        out.circle(at(star), cell / 9.0, INK, "none", 0.0);
    }
    if picture.coordinates {
        for line in 0..size {
            let place = margin + cell * f64::from(line);
            let column = char::from(b'A' + line).to_string();
            let row = (size - line).to_string();
            for edge in [margin * 0.4, margin * 1.6 + span] {
                out.label((place, edge), cell * 0.26, &column, INK);
                out.label((edge, place), cell * 0.26, &row, INK);
            }
        }
    }
    for (point, _) in position.forbidden() {
        let ((x, y), d) = (at(point), cell * 0.2);
        out.line((x - d, y - d), (x + d, y + d), RED, cell / 12.0);
        out.line((x - d, y + d), (x + d, y - d), RED, cell / 12.0);
    }
    draw_stones(&mut out, position, picture, cell, &at);
    if let Some(Outcome::Win { cells, .. }) = position.outcome()
        && let (Some(first), Some(last)) = (cells.first(), cells.last())
    {
        out.line(at(*first), at(*last), RED, cell / 8.0);
    }
    for (point, text) in &picture.marks {
        if point.row >= size || point.col >= size {
            continue;
        }
        let colour = match position.at(*point) {
            Some(Side::Black) => WHITE,
            Some(Side::White) => BLACK,
            // The lines would run through the letters.
            None => {
                out.circle(at(*point), cell * 0.38, WOOD, "none", 0.0);
                "#1b5e20"
            }
        };
        let height = cell * if text.chars().count() > 2 { 0.24 } else { 0.32 };
        out.label(at(*point), height, text, colour);
    }
    out.finish()
}

fn draw_stones(
    out: &mut Svg,
    position: &Position,
    picture: &Picture,
    cell: f64,
    at: &dyn Fn(Cell) -> (f64, f64),
) {
    let stones = position.stones_in_order();
    let set_up = position.setup().stones.len();
    for (number, (side, point)) in stones.iter().enumerate() {
        let (fill, other) = match side {
            Side::Black => (BLACK, WHITE),
            Side::White => (WHITE, BLACK),
        };
        out.circle(at(*point), cell * 0.45, fill, "#333333", cell / 32.0);
        let is_last = number + 1 == stones.len() && number >= set_up;
        let marked = picture.marks.iter().any(|(mark, _)| mark == point);
        if picture.numbers && number >= set_up && !marked {
            let text = (number + 1 - set_up).to_string();
            let colour = if is_last { RED } else { other };
            out.label(at(*point), cell * if text.len() > 2 { 0.27 } else { 0.36 }, &text, colour);
        } else if is_last && !marked {
            out.circle(at(*point), cell * 0.13, RED, "none", 0.0);
        }
    }
}

/// The centre, and the points three lines from the edges where the board is large enough.
fn star_points(size: u8) -> Vec<Cell> {
    let mut stars = Vec::new();
    if size >= 13 {
        let (low, high) = (3, size - 4);
        stars.extend([(low, low), (low, high), (high, low), (high, high)].map(|(r, c)| Cell::new(r, c)));
    }
    if size % 2 == 1 {
        stars.push(Cell::new(size / 2, size / 2));
    }
    stars
}

/// Draws a position for a terminal. The last move stands in brackets, `!` marks forbidden points, and the
/// stones of a finished row are shown as `#` (black) and `@` (white) where there is no colour.
pub(crate) fn text(position: &Position, picture: &Picture, colour: bool) -> String {
    let size = position.size();
    let last = position.history().iter().rev().find_map(|mv| mv.cell());
    let forbidden = position.forbidden();
    let five = match position.outcome() {
        Some(Outcome::Win { cells, .. }) => cells,
        _ => Vec::new(),
    };
    let mut letters = String::from("   ");
    (0..size).for_each(|col| letters.extend([' ', char::from(b'A' + col)]));
    let mut out = String::new();
    if picture.coordinates {
        let _ = writeln!(out, "{letters}");
    }
    for row in 0..size {
        if picture.coordinates {
            let _ = write!(out, "{:>3}", size - row);
        }
        for col in 0..=size {
            let cell = Cell::new(row, col);
            let before = col.checked_sub(1).map(|col| Cell::new(row, col));
            out.push(match last {
                Some(last) if col < size && last == cell => '[',
                Some(last) if before == Some(last) => ']',
                _ => ' ',
            });
            if col == size {
                continue;
            }
            let in_five = five.contains(&cell);
            let mark =
                picture.marks.iter().find(|(at, _)| *at == cell).and_then(|(_, text)| text.chars().next());
            let (glyph, style) = match (position.at(cell), mark) {
                (Some(Side::Black), _) => (if in_five && !colour { '#' } else { 'X' }, "1;34"),
                (Some(Side::White), _) => (if in_five && !colour { '@' } else { 'O' }, "1;33"),
                (None, Some(mark)) => (mark, "1;32"),
                (None, None) if forbidden.iter().any(|(at, _)| *at == cell) => ('!', "31"),
                (None, None) => ('.', "2"),
            };
            if colour {
                let reverse = if in_five { ";7" } else { "" };
                let _ = write!(out, "\x1b[{style}{reverse}m{glyph}\x1b[0m");
            } else {
                out.push(glyph);
            }
        }
        if picture.coordinates {
            let _ = write!(out, "{}", size - row);
        }
        let kept = out.trim_end_matches(' ').len();
        out.truncate(kept);
        out.push('\n');
    }
    if picture.coordinates {
        let _ = writeln!(out, "{letters}");
    }
    let state = match position.outcome() {
        Some(Outcome::Win { side, .. }) => format!("{side} has won"),
        Some(Outcome::Draw) => "draw".into(),
        None => format!("{} to move", position.to_move()),
    };
    let _ = write!(out, "{state}");
    if let Some(last) = last {
        let _ = write!(out, ", last move {}", format_point(Point::of(last).cell(), size));
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rule;
    use crate::notation::parse;
    use ::game::Setup;

    fn picture_of(moves: &str, rule: &str) -> (Position, Picture) {
        let setup = Setup { rule: rule.into(), ..Setup::empty(15, 15) };
        (parse(moves, &setup).unwrap(), Picture::default())
    }

    #[test]
    fn a_finished_row_is_struck_through_and_said() {
        let (position, picture) = picture_of("h8a1i8a2j8a3k8a4l8", "freestyle");
        let won = svg(&position, &picture).matches("stroke-width=\"4\"").count();
        assert_eq!(won, 1);
        let plain = text(&position, &picture, false);
        assert!(plain.contains("# # # #[#]") && plain.contains("black has won, last move l8"), "{plain}");
        assert!(text(&position, &picture, true).contains("\x1b["));
    }

    #[test]
    fn forbidden_points_are_marked() {
        let (position, picture) = picture_of("g8a1h9a3i8a5h7a8", "renju");
        // h8 makes two threes, in the row and in the column.
        assert_eq!(position.forbidden().len(), 1);
        assert_eq!(text(&position, &picture, false).matches('!').count(), 1);
        assert_eq!(svg(&position, &picture).matches(RED).count(), 3, "two strokes and the last move");
    }

    #[test]
    fn every_size_and_odd_wishes_draw() {
        for size in Rule::MIN_SIZE..=Rule::MAX_SIZE {
            let position = Position::new(Rule::Renju, size);
            for cell in [f64::NAN, -1.0, 0.0, 20.0, f64::INFINITY] {
                let marks = vec![(Cell::new(200, 3), "x".into()), (Cell::new(0, 0), "<&>".into())];
                let picture = Picture { cell, marks, numbers: true, ..Picture::default() };
                assert!(svg(&position, &picture).ends_with("</svg>\n"));
                let lines = text(&position, &picture, false).lines().count();
                assert_eq!(lines, usize::from(size) + 3);
            }
        }
    }
}
