//! The board on the screen: where each cell is, and how it looks.
//!
//! A cell is one character with a free column on either side, which the cursor `[ ]` and the last move
//! `( )` use. Square boards are lines that cross; Hex boards slant, each row one column further to the
//! right, so that the six neighbours of a cell are the six nearest characters. Black's edges (top and
//! bottom) and white's (left and right) carry the colours of their sides.

use game::{Cell, Layer, Move, Outcome, Position, Side};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::widgets::Widget;

/// Columns left of the first cell: a row number, and room for the cursor.
const LEFT: u16 = 4;

/// Where cells are, relative to the board's top left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    rows: u8,
    cols: u8,
    slanted: bool,
}

impl Grid {
    pub(super) fn of(position: &dyn Position) -> Grid {
        Grid { rows: position.rows(), cols: position.cols(), slanted: position.game() == "hex" }
    }

    /// Columns and rows of characters, labels included.
    pub(super) fn size(&self) -> (u16, u16) {
        let (rows, cols) = (u16::from(self.rows), u16::from(self.cols));
        if self.slanted { (LEFT + 2 * cols + rows, rows + 2) } else { (LEFT + 2 * cols, rows + 1) }
    }

    /// The character of a cell.
    fn place(&self, cell: Cell) -> (u16, u16) {
        let (row, col) = (u16::from(cell.row), u16::from(cell.col));
        if self.slanted { (LEFT + row + 2 * col, 1 + row) } else { (LEFT + 2 * col, row) }
    }

    /// The cell at or next to a character, for the mouse.
    pub(super) fn cell_at(&self, x: u16, y: u16) -> Option<Cell> {
        let row = if self.slanted { y.checked_sub(1)? } else { y };
        let start = LEFT - 1 + if self.slanted { row } else { 0 };
        // The columns on both sides of a cell are shared; the right half of one belongs to it.
        let col = x.checked_sub(start)?.saturating_sub(1) / 2;
        let inside = row < u16::from(self.rows) && col < u16::from(self.cols);
        inside.then_some(Cell::new(row as u8, col as u8))
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (rows, cols) = (self.rows, self.cols);
        (0..rows).flat_map(move |row| (0..cols).map(move |col| Cell::new(row, col)))
    }

    /// The centre, and on large boards the fourth points from the corners.
    fn is_star(&self, cell: Cell) -> bool {
        let star = |at: u8, size: u8| {
            (size % 2 == 1 && at == size / 2) || (size >= 13 && (at == 3 || at == size - 4))
        };
        let centre = |at: u8, size: u8| at == size / 2;
        let (row, col) = (star(cell.row, self.rows), star(cell.col, self.cols));
        let mixed = centre(cell.row, self.rows) != centre(cell.col, self.cols);
        row && col && (!mixed || self.rows >= 19)
    }
}

/// Everything that is drawn on the board.
pub(super) struct Board<'a> {
    pub(super) position: &'a dyn Position,
    pub(super) cursor: Cell,
    pub(super) hint: Option<Move>,
    pub(super) show_forbidden: bool,
    pub(super) layer: Option<&'a Layer>,
    pub(super) ascii: bool,
}

/// The stone of a side as the board and the panel show it.
pub(super) fn stone(game: &str, side: Side, ascii: bool) -> (char, Style) {
    let glyph = match (side, ascii) {
        (Side::Black, false) => '●',
        (Side::White, false) => '○',
        (Side::Black, true) => 'X',
        (Side::White, true) => 'O',
    };
    (glyph, Style::new().fg(look(game).stones[side.index()]).add_modifier(Modifier::BOLD))
}

/// The colour of the board itself.
pub(super) fn ground(game: &str) -> Color {
    look(game).ground
}

/// Colours of a board. Fixed ones on a ground of their own, so that light and dark terminals agree.
struct Look {
    ground: Color,
    lines: Color,
    stones: [Color; 2],
    last: Color,
}

fn look(game: &str) -> Look {
    if game == "hex" {
        let stones = [Color::Indexed(203), Color::Indexed(75)];
        Look { ground: Color::Indexed(235), lines: Color::Indexed(245), stones, last: Color::Indexed(227) }
    } else {
        let stones = [Color::Indexed(16), Color::Indexed(231)];
        Look { ground: Color::Indexed(179), lines: Color::Indexed(94), stones, last: Color::Indexed(88) }
    }
}

/// Shades of a layer's cells, faint to strong: black's, white's, nobody's.
const SHADES: [[u8; 5]; 3] = [[224, 217, 210, 203, 196], [189, 153, 117, 75, 33], [194, 157, 120, 83, 46]];

fn shade(side: Option<Side>, value: f64) -> Color {
    let step = if value.is_finite() { (value.clamp(0.0, 1.0) * 4.0).round() as usize } else { 4 };
    Color::Indexed(SHADES[side.map_or(2, Side::index)][step])
}

impl Widget for &Board<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let grid = Grid::of(self.position);
        let (width, height) = grid.size();
        if area.width < width || area.height < height {
            return;
        }
        let mut ink = Ink { buffer, x: area.x, y: area.y };
        let look = look(self.position.game());
        self.draw_ground(&grid, &look, &mut ink);
        self.draw_labels(&grid, &look, &mut ink);
        self.draw_layer(&grid, &look, &mut ink);
        self.draw_stones(&grid, &mut ink);
        self.draw_marks(&grid, &look, &mut ink);
    }
}

impl Board<'_> {
    fn draw_ground(&self, grid: &Grid, look: &Look, ink: &mut Ink) {
        let style = Style::new().fg(look.lines).bg(look.ground);
        for cell in grid.cells() {
            let (x, y) = grid.place(cell);
            let joined = if grid.slanted || self.ascii { ' ' } else { '─' };
            let (first, last) = (cell.col == 0, cell.col + 1 == grid.cols);
            ink.put(x - 1, y, if first { ' ' } else { joined }, style);
            ink.put(x + 1, y, if last { ' ' } else { joined }, style);
            ink.put(x, y, self.empty(grid, cell), style);
        }
    }

    fn empty(&self, grid: &Grid, cell: Cell) -> char {
        if grid.slanted {
            return if self.ascii { '.' } else { '·' };
        }
        if self.ascii {
            return if grid.is_star(cell) { '+' } else { '.' };
        }
        if grid.is_star(cell) {
            return '╋';
        }
        let at = |at: u8, size: u8| {
            if at == 0 {
                0
            } else if at + 1 == size {
                2
            } else {
                1
            }
        };
        [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']][at(cell.row, grid.rows)][at(cell.col, grid.cols)]
    }

    fn draw_labels(&self, grid: &Grid, look: &Look, ink: &mut Ink) {
        let edge = |side: Side| {
            let style = Style::new().add_modifier(Modifier::BOLD);
            if grid.slanted { style.fg(look.ground).bg(look.stones[side.index()]) } else { Style::new() }
        };
        for row in 0..grid.rows {
            let (_, number) = label(self.position, Cell::new(row, 0));
            let (x, y) = grid.place(Cell::new(row, 0));
            ink.write(x - 4, y, &format!("{number:>2}"), edge(Side::White));
            if grid.slanted {
                ink.put(x - 2, y, '\\', edge(Side::White));
                ink.put(x + 2 * u16::from(grid.cols), y, '\\', edge(Side::White));
            }
        }
        for col in 0..grid.cols {
            let (letter, _) = label(self.position, Cell::new(0, col));
            let (x, y) = grid.place(Cell::new(grid.rows - 1, col));
            if grid.slanted {
                let (top, _) = grid.place(Cell::new(0, col));
                ink.write(top - 2, 0, &format!(" {letter:<1}"), edge(Side::Black));
                ink.write(x, y + 1, &format!(" {letter:<1}"), edge(Side::Black));
            } else {
                ink.write(x, y + 1, &letter, edge(Side::Black));
            }
        }
    }

    fn draw_layer(&self, grid: &Grid, look: &Look, ink: &mut Ink) {
        let Some(layer) = self.layer else { return };
        let black = Color::Indexed(16);
        let cell_ink = if grid.slanted { Color::Indexed(231) } else { black };
        for link in &layer.links {
            for cell in link.carrier.iter().filter(|cell| self.is_empty(**cell)) {
                let (x, y) = grid.place(*cell);
                let style = Style::new().fg(look.ground).bg(look.stones[link.side.index()]);
                ink.put(x, y, if self.ascii { '=' } else { '∙' }, style);
            }
        }
        // A cell can mean something to both sides: the stronger meaning is drawn, the panel tells both.
        let mut cells: Vec<_> = layer.cells.iter().filter(|cell| self.is_empty(cell.cell)).collect();
        cells.sort_by(|one, other| one.value.total_cmp(&other.value));
        for cell in cells {
            let (x, y) = grid.place(cell.cell);
            let style = Style::new().fg(black).bg(shade(cell.side, cell.value));
            let mut letters = cell.label.chars();
            match letters.next() {
                Some(letter) => ink.put(x, y, letter, style),
                None => ink.style(x, y, style),
            }
            if let Some(second) = letters.next() {
                // Unshaded, so that one sees where the next cell's mark begins.
                ink.put(x + 1, y, second, Style::new().fg(cell_ink).bg(look.ground));
            }
        }
    }

    fn draw_stones(&self, grid: &Grid, ink: &mut Ink) {
        for cell in grid.cells() {
            let Some(side) = self.position.at(cell) else { continue };
            let (x, y) = grid.place(cell);
            let (glyph, style) = stone(self.position.game(), side, self.ascii);
            ink.put(x, y, glyph, style);
        }
        if let Some(Outcome::Win { cells, .. }) = self.position.outcome() {
            for (x, y) in cells.iter().map(|cell| grid.place(*cell)) {
                ink.style(x, y, Style::new().bg(Color::Indexed(34)).add_modifier(Modifier::UNDERLINED));
            }
        }
    }

    fn draw_marks(&self, grid: &Grid, look: &Look, ink: &mut Ink) {
        if self.show_forbidden {
            for (cell, _) in self.position.forbidden() {
                let (x, y) = grid.place(cell);
                let style = Style::new().fg(Color::Indexed(160)).add_modifier(Modifier::BOLD);
                ink.put(x, y, if self.ascii { '!' } else { '×' }, style);
            }
        }
        if let Some(cell) = self.hint.and_then(Move::cell) {
            let (x, y) = grid.place(cell);
            let style = Style::new().fg(Color::Indexed(201)).add_modifier(Modifier::BOLD);
            ink.put(x, y, if self.ascii { '?' } else { '◆' }, style);
        }
        if let Some(cell) = self.position.history().last().and_then(|mv| mv.cell()) {
            let style = Style::new().fg(look.last).add_modifier(Modifier::BOLD);
            ink.embrace(grid.place(cell), ['(', ')'], style);
        }
        let style = Style::new().fg(Color::Indexed(231)).bg(Color::Indexed(127)).add_modifier(Modifier::BOLD);
        ink.embrace(grid.place(self.cursor), ['[', ']'], style);
    }

    fn is_empty(&self, cell: Cell) -> bool {
        cell.row < self.position.rows() && cell.col < self.position.cols() && self.position.at(cell).is_none()
    }
}

/// A cell's column letters and row number, as the game writes them.
fn label(position: &dyn Position, cell: Cell) -> (String, String) {
    let text = position.format_move(cell.into());
    let split = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    (text[..split].to_string(), text[split..].to_string())
}

/// Writes characters relative to the board's corner.
struct Ink<'a> {
    buffer: &'a mut Buffer,
    x: u16,
    y: u16,
}

impl Ink<'_> {
    fn put(&mut self, x: u16, y: u16, glyph: char, style: Style) {
        if let Some(cell) = self.buffer.cell_mut((self.x + x, self.y + y)) {
            cell.set_char(glyph).set_style(style);
        }
    }

    fn style(&mut self, x: u16, y: u16, style: Style) {
        if let Some(cell) = self.buffer.cell_mut((self.x + x, self.y + y)) {
            cell.set_style(style);
        }
    }

    fn write(&mut self, x: u16, y: u16, text: &str, style: Style) {
        for (x, glyph) in (x..).zip(text.chars()) {
            self.put(x, y, glyph, style);
        }
    }

    fn embrace(&mut self, (x, y): (u16, u16), [left, right]: [char; 2], style: Style) {
        self.put(x - 1, y, left, style);
        self.put(x + 1, y, right, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_click_on_a_cell_finds_it() {
        for slanted in [false, true] {
            let grid = Grid { rows: 11, cols: 14, slanted };
            for cell in grid.cells() {
                let (x, y) = grid.place(cell);
                assert_eq!(grid.cell_at(x, y), Some(cell));
                assert_eq!(grid.cell_at(x + 1, y), Some(cell));
            }
            assert_eq!(grid.cell_at(0, 0), None);
            assert_eq!(grid.cell_at(200, 3), None);
            assert_eq!(grid.cell_at(5, 40), None);
        }
    }

    #[test]
    fn boards_fit_a_small_terminal() {
        let fits = |rows, cols, slanted| {
            let (width, height) = Grid { rows, cols, slanted }.size();
            width + 19 <= 80 && height < 24
        };
        assert!(fits(15, 15, false) && fits(22, 22, false));
        assert!(fits(11, 11, true) && fits(19, 19, true));
    }

    #[test]
    fn stars_are_where_players_expect_them() {
        let stars = |size: u8| {
            let grid = Grid { rows: size, cols: size, slanted: false };
            grid.cells().filter(|cell| grid.is_star(*cell)).count()
        };
        assert_eq!((stars(15), stars(19), stars(9), stars(8)), (5, 9, 1, 0));
    }
}
