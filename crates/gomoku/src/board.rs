//! The board engines search on: stones, line keys, shapes and classes, kept up to date move by move.
//!
//! Every line of the board is one word of two bits a cell, so the window around a point is a shift and a
//! mask, and one table lookup names the shape that a stone of either colour would make there (see
//! [`crate::shape`]). A stone changes only windows within reach on its four lines: 32 lookups in freestyle,
//! 40 elsewhere. Undo runs the same update with the stone gone; nothing is saved and nothing allocated.

use crate::class::{ClassTable, class_table, unpack};
use crate::point::{FRAME, MARGIN, STRIDE};
use crate::shape::{LineMask, ShapeTables};
use crate::{Class, Direction, Point, PointSet, Rule, Shape};
use ::game::Side;

/// Two bits of a cell outside the board: closed for both sides.
const WALL: u8 = 3;

/// A board with everything known about its points.
#[derive(Clone)]
pub struct Board {
    rule: Rule,
    size: u8,
    stones: u16,
    hash: u64,
    tables: &'static ShapeTables,
    class_tables: &'static ClassTable,
    /// Two bits a cell: 0 empty, 1 black, 2 white, 3 wall.
    lines: [[u64; 64]; 4],
    /// The same as `lines`, by point.
    cells: [u8; FRAME],
    /// One byte a direction: black's shape in the low half, white's in the high half. 0 where occupied.
    shapes: [u32; FRAME],
    classes: [[Class; FRAME]; 2],
    counts: [[u16; Class::COUNT + 1]; 2],
    members: [[PointSet; Class::COUNT + 1]; 2],
    occupied: [PointSet; 2],
    on_board: PointSet,
}

impl Board {
    /// An empty board; the size is brought into the accepted range.
    pub fn new(rule: Rule, size: u8) -> Board {
        let size = size.clamp(Rule::MIN_SIZE, Rule::MAX_SIZE);
        let mut board = Board {
            rule,
            size,
            stones: 0,
            hash: 0,
            tables: ShapeTables::of(rule),
            class_tables: class_table(rule),
            lines: [[u64::MAX; 64]; 4],
            cells: [WALL; FRAME],
            shapes: [0; FRAME],
            classes: [[Class::Barred; FRAME]; 2],
            counts: [[0; Class::COUNT + 1]; 2],
            members: [[PointSet::EMPTY; Class::COUNT + 1]; 2],
            occupied: [PointSet::EMPTY; 2],
            on_board: PointSet::EMPTY,
        };
        let points: Vec<Point> = board.all_points().collect();
        for point in &points {
            board.on_board.insert(*point);
            board.write_cell(point.index(), 0);
            for side in 0..2 {
                board.counts[side][Class::Barred.index()] += 1;
                board.members[side][Class::Barred.index()].insert(*point);
            }
        }
        for point in &points {
            board.refresh_point(point.index());
        }
        board
    }

    /// The rule in force.
    #[inline]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Rows, and columns.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// How many stones are on the board.
    #[inline]
    pub fn stones(&self) -> usize {
        usize::from(self.stones)
    }

    /// Are all points occupied?
    #[inline]
    pub fn is_full(&self) -> bool {
        self.stones() == usize::from(self.size) * usize::from(self.size)
    }

    /// The stone at a point; `None` where it is empty or off the board.
    #[inline]
    pub fn at(&self, point: Point) -> Option<Side> {
        match self.cells[point.index()] {
            1 => Some(Side::Black),
            2 => Some(Side::White),
            _ => None,
        }
    }

    /// Is this an empty point of the board?
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cells[point.index()] == 0
    }

    /// All points of the board, in row order.
    pub fn all_points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size;
        (0..size).flat_map(move |row| (0..size).map(move |col| Point::new(row, col)))
    }

    /// The stones of a side.
    #[inline]
    pub fn stones_of(&self, side: Side) -> &PointSet {
        &self.occupied[side.index()]
    }

    /// The empty points.
    #[inline]
    pub fn empty_points(&self) -> PointSet {
        self.on_board.difference(&self.occupied[0]).difference(&self.occupied[1])
    }

    /// The empty points within a square of `radius` around some stone.
    #[inline]
    pub fn candidates(&self, radius: usize) -> PointSet {
        let stones = self.occupied[0].union(&self.occupied[1]);
        stones.widened(radius).intersection(&self.on_board).difference(&stones)
    }

    /// Puts a stone on an empty point. Forbidden points and finished games are the caller's business.
    #[inline]
    pub fn make(&mut self, point: Point, side: Side) {
        debug_assert!(self.is_empty(point), "{point:?} is not empty");
        let at = point.index();
        self.write_cell(at, side.index() as u8 + 1);
        self.occupied[side.index()].insert(point);
        self.stones += 1;
        self.hash ^= stone_key(point, side);
        self.shapes[at] = 0;
        self.set_class(0, at, Class::Barred);
        self.set_class(1, at, Class::Barred);
        self.refresh_lines(at);
    }

    /// Takes the stone at a point away again; stones may go in any order.
    #[inline]
    pub fn undo(&mut self, point: Point) {
        let Some(side) = self.at(point) else { return };
        let at = point.index();
        self.write_cell(at, 0);
        self.occupied[side.index()].remove(point);
        self.stones -= 1;
        self.hash ^= stone_key(point, side);
        self.refresh_lines(at);
        self.refresh_point(at);
    }

    /// The class of a point for a side; [`Class::Barred`] where it is occupied or off the board.
    #[inline]
    pub fn class(&self, point: Point, side: Side) -> Class {
        self.classes[side.index()][point.index()]
    }

    /// How many points have this class for a side. (Occupied points count as [`Class::Barred`].)
    #[inline]
    pub fn count(&self, side: Side, class: Class) -> usize {
        usize::from(self.counts[side.index()][class.index()])
    }

    /// The points that have this class for a side.
    #[inline]
    pub fn points_of(&self, side: Side, class: Class) -> &PointSet {
        &self.members[side.index()][class.index()]
    }

    /// Does some point have this class, or a stronger one?
    #[inline]
    pub fn has_at_least(&self, side: Side, class: Class) -> bool {
        self.counts[side.index()][class.index()..].iter().any(|count| *count != 0)
    }

    /// Would a stone here win at once?
    #[inline]
    pub fn makes_five(&self, point: Point, side: Side) -> bool {
        self.class(point, side) == Class::Five
    }

    /// The first point, in row order, where a side makes five.
    #[inline]
    pub fn five_point(&self, side: Side) -> Option<Point> {
        if self.count(side, Class::Five) == 0 {
            return None;
        }
        self.points_of(side, Class::Five).iter().next()
    }

    /// What a stone of `side` on an empty point makes of one line.
    #[inline]
    pub fn shape(&self, point: Point, side: Side, direction: Direction) -> Shape {
        let byte = self.shapes[point.index()] >> (8 * direction.index()) >> (4 * side.index());
        Shape::from_nibble((byte & 15) as u8)
    }

    /// The four line shapes of a point for a side as one number of four bits each, in the order of
    /// [`Direction::ALL`]: an index for tables of scores.
    #[inline]
    pub fn code(&self, point: Point, side: Side) -> u16 {
        side_code(self.shapes[point.index()], side.index())
    }

    /// The four shapes of a [`Board::code`].
    pub fn shapes_of_code(code: u16) -> [Shape; 4] {
        unpack(code)
    }

    /// The points on one line that bring the shape made at `point` a step nearer to five: for a four those
    /// that make five, for a three those that make an open four, for a closed three those that make a four.
    #[inline]
    pub fn gain(&self, point: Point, side: Side, direction: Direction) -> LineMask {
        self.tables.gain(self.window(point.index(), direction), side)
    }

    /// The points on one line where an opponent's stone weakens the shape made at `point`: for a four the
    /// point that makes five, for a three every point from which no open four remains.
    #[inline]
    pub fn defence(&self, point: Point, side: Side, direction: Direction) -> LineMask {
        self.tables.defence(self.window(point.index(), direction), side)
    }

    /// A hash of stones and side to move.
    #[inline]
    pub fn hash(&self, to_move: Side) -> u64 {
        self.hash ^ side_key(to_move)
    }

    /// The least of the hashes of the position's eight mirror images and rotations.
    pub fn canonical_hash(&self, to_move: Side) -> u64 {
        let mut hashes = [side_key(to_move); 8];
        for side in Side::BOTH {
            for point in self.occupied[side.index()].iter() {
                for (symmetry, hash) in hashes.iter_mut().enumerate() {
                    *hash ^= stone_key(self.mapped(point, symmetry), side);
                }
            }
        }
        hashes.into_iter().min().unwrap_or_default()
    }

    /// The image of a point under one of the eight symmetries (0 leaves everything in place).
    pub fn mapped(&self, point: Point, symmetry: usize) -> Point {
        let last = self.size - 1;
        let (mut row, mut col) = (point.row(), point.col());
        if symmetry & 1 != 0 {
            row = last.saturating_sub(row);
        }
        if symmetry & 2 != 0 {
            col = last.saturating_sub(col);
        }
        if symmetry & 4 != 0 { Point::new(col, row) } else { Point::new(row, col) }
    }

    /// The winning row through a stone, in order along the line; empty where there is none.
    pub fn five_through(&self, point: Point) -> Vec<Point> {
        let Some(side) = self.at(point) else { return Vec::new() };
        for direction in Direction::ALL {
            let walk = |sign: isize| {
                (1..)
                    .map(move |steps| point.step(direction, sign * steps))
                    .take_while(|next| self.at(*next) == Some(side))
                    .count() as isize
            };
            let (before, after) = (walk(-1), walk(1));
            let ends = [-before - 1, after + 1];
            let closed = ends.map(|end| !self.is_empty(point.step(direction, end)));
            if self.rule.wins(side, (before + 1 + after) as usize, closed) {
                return (-before..=after).map(|steps| point.step(direction, steps)).collect();
            }
        }
        Vec::new()
    }

    /// Writes the two bits of a cell into the point table and its four lines.
    #[inline]
    fn write_cell(&mut self, at: usize, value: u8) {
        self.cells[at % FRAME] = value;
        for direction in Direction::ALL {
            let (line, place) = direction.line_of(at);
            let word = &mut self.lines[direction.index()][line % 64];
            *word = *word & !(3 << (2 * place)) | u64::from(value) << (2 * place);
        }
    }

    /// The window around a point without its centre, two bits a cell.
    #[inline]
    fn window(&self, at: usize, direction: Direction) -> usize {
        let (line, place) = direction.line_of(at);
        let line = self.lines[direction.index()][line % 64];
        match self.tables.shapes.len() {
            WINDOWS_4 => window::<4>(line, place),
            _ => window::<5>(line, place),
        }
    }

    /// Brings the shapes of all points within reach of a changed point up to date.
    #[inline]
    fn refresh_lines(&mut self, at: usize) {
        if self.tables.shapes.len() == WINDOWS_4 {
            self.refresh_lines_within::<4>(at);
        } else {
            self.refresh_lines_within::<5>(at);
        }
    }

    #[inline]
    fn refresh_lines_within<const REACH: usize>(&mut self, at: usize) {
        // A slice of known length lets the compiler see that every window is a valid index.
        let table = &self.tables.shapes[..1 << (4 * REACH)];
        for direction in Direction::ALL {
            let (line, place) = direction.line_of(at);
            let line = self.lines[direction.index()][line % 64];
            let shift = 8 * direction.index();
            for step in 0..=2 * REACH {
                let there = place + step - REACH;
                if step == REACH || line >> (2 * there) & 3 != 0 {
                    continue;
                }
                let shape = u32::from(table[window::<REACH>(line, there)]);
                let point = at as isize + direction.stride() * (step as isize - REACH as isize);
                let point = point as usize % FRAME;
                let old = self.shapes[point];
                if old >> shift & 0xff != shape {
                    let new = old & !(0xff << shift) | shape << shift;
                    self.set_shapes(point, old, new);
                }
            }
        }
    }

    /// Computes the shapes of one empty point.
    fn refresh_point(&mut self, at: usize) {
        let new = Direction::ALL.into_iter().fold(0, |all, direction| {
            let shape = self.tables.shapes[self.window(at, direction)];
            all | u32::from(shape) << (8 * direction.index())
        });
        self.shapes[at % FRAME] = new;
        for side in 0..2 {
            self.set_class(side, at, self.class_tables[side][usize::from(side_code(new, side))]);
        }
    }

    #[inline]
    fn set_shapes(&mut self, at: usize, old: u32, new: u32) {
        self.shapes[at % FRAME] = new;
        let changed = old ^ new;
        for side in 0..2 {
            if changed & 0x0f0f_0f0f << (4 * side) != 0 {
                self.set_class(side, at, self.class_tables[side][usize::from(side_code(new, side))]);
            }
        }
    }

    #[inline]
    fn set_class(&mut self, side: usize, at: usize, new: Class) {
        let old = std::mem::replace(&mut self.classes[side][at % FRAME], new);
        if old != new {
            self.counts[side][old.index()] -= 1;
            self.counts[side][new.index()] += 1;
            let point = Point::from_index(at);
            self.members[side][old.index()].remove(point);
            self.members[side][new.index()].insert(point);
        }
    }
}

/// Entries of a shape table with a reach of four.
const WINDOWS_4: usize = 1 << 16;

/// The window of a line around a place, the place itself left out.
#[inline]
fn window<const REACH: usize>(line: u64, place: usize) -> usize {
    let low = (1usize << (2 * REACH)) - 1;
    let bits = (line >> (2 * (place % STRIDE - REACH.min(place % STRIDE)))) as usize;
    bits & low | bits >> 2 & low << (2 * REACH)
}

/// The four shapes of one side out of the shapes of both: every second half-byte, packed.
#[inline]
fn side_code(shapes: u32, side: usize) -> u16 {
    let nibbles = shapes >> (4 * side) & 0x0f0f_0f0f;
    let pairs = (nibbles | nibbles >> 4) & 0x00ff_00ff;
    (pairs | pairs >> 8) as u16
}

/// The hash key of a stone: the n-th number of a fixed SplitMix64 sequence.
#[inline]
fn stone_key(point: Point, side: Side) -> u64 {
    STONE_KEYS[side.index()][point.index()]
}

#[inline]
fn side_key(to_move: Side) -> u64 {
    match to_move {
        Side::Black => 0,
        Side::White => 0x9d39_247e_3377_6d41,
    }
}

static STONE_KEYS: [[u64; FRAME]; 2] = {
    let mut keys = [[0; FRAME]; 2];
    let mut n = 0;
    while n < 2 * FRAME {
        keys[n / FRAME][n % FRAME] = split_mix(n as u64 + 1);
        n += 1;
    }
    keys
};

const fn split_mix(n: u64) -> u64 {
    let mut z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

const _: () = assert!(Rule::MAX_SIZE as usize + 2 * MARGIN == STRIDE);

#[cfg(test)]
#[path = "board_tests.rs"]
mod tests;
