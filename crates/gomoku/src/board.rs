//! The board engines search on: stones, line keys, shapes and classes, kept up to date move by move.
//!
//! Every line of the board is one word of two bits a cell, so the window around a point is a shift and a
//! mask, and one table lookup names the shape that a stone of either colour would make there (see
//! [`crate::shape`]). A stone changes only windows within reach on its four lines: 32 lookups in freestyle,
//! 40 elsewhere. Make logs what it overwrites, and undo writes that back without any lookup; the log is as
//! long as a game can need from the start, so neither allocates.

use crate::class::{ClassTable, Combination, class_table, unpack};
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
    infos: [Info; FRAME],
    tally: Tally,
    occupied: [PointSet; 2],
    on_board: PointSet,
    /// What each move overwrote, oldest first.
    log: Box<[Info]>,
    logged: usize,
    /// The moves, each with the state before it.
    past: Vec<Before>,
}

/// What is known about a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Info {
    /// Four bits a direction: black's shapes in the low half, white's in the high half. 0 where occupied.
    shapes: u32,
    /// The worth of the point to black, less that to white: kept, since the table it comes from is too large for
    /// the nearest cache.
    value: i32,
    classes: [Class; 2],
    /// The point itself, so that a logged entry knows where it belongs.
    at: u16,
}

/// Sums over all points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Tally {
    counts: [[u16; Class::COUNT + 1]; 2],
    hot: [PointSet; 2],
    /// The worth of all points to black, less that to white.
    value: i32,
}

#[derive(Clone, Copy)]
struct Before {
    point: Point,
    logged: u32,
    tally: Tally,
}

impl Board {
    /// An empty board; the size is brought into the accepted range.
    pub fn new(rule: Rule, size: u8) -> Board {
        let size = size.clamp(Rule::MIN_SIZE, Rule::MAX_SIZE);
        let moves = usize::from(size) * usize::from(size);
        let mut board = Board {
            rule,
            size,
            stones: 0,
            hash: 0,
            tables: ShapeTables::of(rule),
            class_tables: class_table(rule),
            lines: [[u64::MAX; 64]; 4],
            cells: [WALL; FRAME],
            infos: std::array::from_fn(|at| Info { at: at as u16, ..Info::NONE }),
            tally: Tally { counts: [[0; Class::COUNT + 1]; 2], hot: [PointSet::EMPTY; 2], value: 0 },
            occupied: [PointSet::EMPTY; 2],
            on_board: PointSet::EMPTY,
            log: vec![Info::NONE; moves * (8 * rule.reach() + 1)].into(),
            logged: 0,
            past: Vec::with_capacity(moves),
        };
        let points: Vec<Point> = board.all_points().collect();
        for point in &points {
            board.on_board.insert(*point);
            board.write_cell(point.index(), 0);
            board.tally.counts.iter_mut().for_each(|counts| counts[Class::Barred.index()] += 1);
        }
        for point in &points {
            board.refresh_point(point.index());
        }
        board.logged = 0;
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
        self.past.push(Before { point, logged: self.logged as u32, tally: self.tally });
        self.write_cell(at, side.index() as u8 + 1);
        self.occupied[side.index()].insert(point);
        self.stones += 1;
        self.hash ^= stone_key(point, side);
        self.log[self.logged] = self.infos[at];
        self.logged += 1;
        self.infos[at].set(0, [Class::Barred; 2], 0, &mut self.tally);
        if self.tables.shapes.len() == WINDOWS_4 {
            self.refresh_lines::<4>(at);
        } else {
            self.refresh_lines::<5>(at);
        }
    }

    /// Takes the last stone away again and returns its point; `None` on an empty board.
    #[inline]
    pub fn undo(&mut self) -> Option<Point> {
        let Before { point, logged, tally } = self.past.pop()?;
        let at = point.index();
        let side = if self.cells[at] == 1 { Side::Black } else { Side::White };
        self.write_cell(at, 0);
        self.occupied[side.index()].remove(point);
        self.stones -= 1;
        self.hash ^= stone_key(point, side);
        for info in &self.log[logged as usize..self.logged] {
            self.infos[usize::from(info.at) % FRAME] = *info;
        }
        self.logged = logged as usize;
        self.tally = tally;
        Some(point)
    }

    /// The class of a point for a side; [`Class::Barred`] where it is occupied or off the board.
    #[inline]
    pub fn class(&self, point: Point, side: Side) -> Class {
        self.infos[point.index()].classes[side.index()]
    }

    /// How many points have this class for a side. (Occupied points count as [`Class::Barred`].)
    #[inline]
    pub fn count(&self, side: Side, class: Class) -> usize {
        usize::from(self.tally.counts[side.index()][class.index()])
    }

    /// The points where a side makes a three or more (from [`Class::Three`] up): the moves of threat search.
    #[inline]
    pub fn hot_points(&self, side: Side) -> &PointSet {
        &self.tally.hot[side.index()]
    }

    /// The empty points that have this class for a side, in row order.
    #[inline]
    pub fn points_of(&self, side: Side, class: Class) -> impl Iterator<Item = Point> {
        let among = match () {
            () if self.count(side, class) == 0 => PointSet::EMPTY,
            () if class >= Class::Three => *self.hot_points(side),
            () => self.empty_points(),
        };
        among.into_points().filter(move |point| self.class(*point, side) == class)
    }

    /// Does some point have this class, or a stronger one?
    #[inline]
    pub fn has_at_least(&self, side: Side, class: Class) -> bool {
        self.tally.counts[side.index()][class.index()..].iter().any(|count| *count != 0)
    }

    /// Would a stone here win at once?
    #[inline]
    pub fn makes_five(&self, point: Point, side: Side) -> bool {
        self.class(point, side) == Class::Five
    }

    /// The first point, in row order, where a side makes five.
    #[inline]
    pub fn five_point(&self, side: Side) -> Option<Point> {
        self.points_of(side, Class::Five).next()
    }

    /// What a stone of `side` on an empty point makes of one line.
    #[inline]
    pub fn shape(&self, point: Point, side: Side, direction: Direction) -> Shape {
        let nibble = self.code(point, side) >> (4 * direction.index()) & 15;
        Shape::from_nibble(nibble as u8)
    }

    /// The four line shapes of a point for a side as one number of four bits each, in the order of
    /// [`Direction::ALL`]: an index for tables of scores.
    #[inline]
    pub fn code(&self, point: Point, side: Side) -> u16 {
        (self.infos[point.index()].shapes >> (16 * side.index())) as u16
    }

    /// The four shapes of a [`Board::code`].
    pub fn shapes_of_code(code: u16) -> [Shape; 4] {
        unpack(code)
    }

    /// The worth of all points to black less that to white: the quiet part of the evaluation.
    #[inline]
    pub(crate) fn value(&self) -> i32 {
        self.tally.value
    }

    /// How promising a point is as a move of `side`: what it makes, and what it denies the opponent.
    #[inline]
    pub(crate) fn promise(&self, point: Point, side: Side) -> i32 {
        let both = combinations(self.class_tables, self.infos[point.index()].shapes);
        let (own, other) = (both[side.index()], both[side.other().index()]);
        i32::from(own.worth.attack) + i32::from(other.worth.defence)
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

    /// The [`Board::hash`] after `side` puts a stone on an empty point and the other side is to move.
    #[inline]
    pub fn hash_after(&self, point: Point, side: Side) -> u64 {
        self.hash ^ stone_key(point, side) ^ side_key(side.other())
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
            WINDOWS_4 => window::<4>(around::<4>(line, place), 4),
            _ => window::<5>(around::<5>(line, place), 5),
        }
    }

    /// Brings the shapes of all points within reach of a changed point up to date.
    #[inline]
    fn refresh_lines<const REACH: usize>(&mut self, at: usize) {
        self.refresh_line::<REACH, 0>(at);
        self.refresh_line::<REACH, 1>(at);
        self.refresh_line::<REACH, 2>(at);
        self.refresh_line::<REACH, 3>(at);
    }

    /// Direction and step are constants so that strides and shifts are; the compiler would not unroll the
    /// longer reach by itself, which costs a third of the speed.
    #[inline(always)]
    fn refresh_line<const REACH: usize, const DIRECTION: usize>(&mut self, at: usize) {
        let (line, place) = Direction::ALL[DIRECTION].line_of(at);
        let cells = around::<REACH>(self.lines[DIRECTION][line % 64], place);
        self.refresh_step::<REACH, DIRECTION, 0>(at, cells);
        self.refresh_step::<REACH, DIRECTION, 1>(at, cells);
        self.refresh_step::<REACH, DIRECTION, 2>(at, cells);
        self.refresh_step::<REACH, DIRECTION, 3>(at, cells);
        self.refresh_step::<REACH, DIRECTION, 4>(at, cells);
        self.refresh_step::<REACH, DIRECTION, 5>(at, cells);
        self.refresh_step::<REACH, DIRECTION, 6>(at, cells);
        self.refresh_step::<REACH, DIRECTION, 7>(at, cells);
        self.refresh_step::<REACH, DIRECTION, 8>(at, cells);
        self.refresh_step::<REACH, DIRECTION, 9>(at, cells);
        self.refresh_step::<REACH, DIRECTION, 10>(at, cells);
    }

    #[inline(always)]
    fn refresh_step<const REACH: usize, const DIRECTION: usize, const STEP: usize>(
        &mut self,
        at: usize,
        cells: u64,
    ) {
        if STEP == REACH || STEP > 2 * REACH || cells >> (2 * (STEP + REACH)) & 3 != 0 {
            return;
        }
        // A slice of known length lets the compiler see that every window is a valid index.
        let table = &self.tables.shapes[..1 << (4 * REACH)];
        let shape = spread(table[window::<REACH>(cells, STEP)]) << (4 * DIRECTION);
        let point = at as isize + Direction::ALL[DIRECTION].stride() * (STEP as isize - REACH as isize);
        let info = &mut self.infos[point as usize % FRAME];
        let shapes = info.shapes & !(spread(0xff) << (4 * DIRECTION)) | shape;
        if shapes != info.shapes {
            self.log[self.logged] = *info;
            self.logged += 1;
            let [black, white] = combinations(self.class_tables, shapes);
            info.set(shapes, [black.class, white.class], value(black, white), &mut self.tally);
        }
    }

    /// Computes the shapes of one empty point from its lines.
    fn refresh_point(&mut self, at: usize) {
        let shapes = Direction::ALL.into_iter().fold(0, |all, direction| {
            all | spread(self.tables.shapes[self.window(at, direction)]) << (4 * direction.index())
        });
        let info = &mut self.infos[at % FRAME];
        let [black, white] = combinations(self.class_tables, shapes);
        info.set(shapes, [black.class, white.class], value(black, white), &mut self.tally);
    }
}

impl Info {
    /// Nothing is known: a wall, or an occupied point.
    const NONE: Info = Info { shapes: 0, value: 0, classes: [Class::Barred; 2], at: 0 };

    /// Replaces what is known, and the sums with it.
    #[inline(always)]
    fn set(&mut self, shapes: u32, classes: [Class; 2], value: i32, tally: &mut Tally) {
        self.shapes = shapes;
        tally.value += value - self.value;
        self.value = value;
        for (side, (old, new)) in self.classes.into_iter().zip(classes).enumerate() {
            if old != new {
                tally.counts[side][old.index()] -= 1;
                tally.counts[side][new.index()] += 1;
                if (old >= Class::Three) != (new >= Class::Three) {
                    tally.hot[side].assign(Point::from_index(usize::from(self.at)), new >= Class::Three);
                }
            }
        }
        self.classes = classes;
    }
}

/// Entries of a shape table with a reach of four.
const WINDOWS_4: usize = 1 << 16;

/// The cells within twice the reach of a place, the furthest before it in the lowest bits. Cells beyond the
/// ends of the line come from its other end: only windows around walls ever see them.
#[inline(always)]
fn around<const REACH: usize>(line: u64, place: usize) -> u64 {
    line.rotate_right((2 * (place + STRIDE - 2 * REACH)) as u32 % 64)
}

/// The window around the cell `step` of those [`around`] a place (counted from `-REACH`), the cell itself
/// left out.
#[inline(always)]
fn window<const REACH: usize>(cells: u64, step: usize) -> usize {
    let low = (1usize << (2 * REACH)) - 1;
    let bits = (cells >> (2 * step)) as usize;
    bits & low | bits >> 2 & low << (2 * REACH)
}

/// Black's shape in the low half of a byte and white's in its high half, moved 16 bits apart.
#[inline(always)]
fn spread(shapes: u8) -> u32 {
    let shapes = u32::from(shapes);
    (shapes | shapes << 12) & 0x000f_000f
}

/// The worth of a point to black, less that to white.
#[inline(always)]
fn value(black: &Combination, white: &Combination) -> i32 {
    i32::from(black.worth.value) - i32::from(white.worth.value)
}

#[inline(always)]
fn combinations(tables: &ClassTable, shapes: u32) -> [&Combination; 2] {
    // Slices of known length need no bounds check.
    let [black, white] = [&tables[0][..1 << 16], &tables[1][..1 << 16]];
    [&black[usize::from(shapes as u16)], &white[usize::from((shapes >> 16) as u16)]]
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
