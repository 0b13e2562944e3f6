//! The board engines search on: stones, line keys, shapes and classes, kept up to date move by move.
//!
//! Every line of the board is one word of two bits per cell, so the window around a point is a shift and a
//! mask, and one table lookup names the shape that a stone of either colour would make there (see
//! [`crate::shape`]). A stone changes only windows within reach on its four lines: 32 lookups in freestyle,
//! 40 elsewhere. Make logs what it overwrites, and undo writes that back without any lookup; the log is as
//! long as a game can need from the start, so neither allocates.

mod hashing;
mod update;

use crate::class::{ClassTable, class_table, unpack};
use crate::point::{FRAME, MARGIN, STRIDE};
use crate::shape::{LineMask, ShapeTables};
use crate::{Class, Direction, Point, PointSet, Rule, Shape};
use ::game::Side;
use hashing::stone_key;
use update::{Info, Tally, WINDOWS_4, combinations};

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
    /// Two bits per cell: 0 empty, 1 black, 2 white, 3 wall.
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
    pub(crate) fn all_points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size;
        (0..size).flat_map(move |row| (0..size).map(move |col| Point::new(row, col)))
    }

    /// The stones of a side.
    #[inline]
    pub(crate) fn stones_of(&self, side: Side) -> &PointSet {
        &self.occupied[side.index()]
    }

    /// The empty points.
    #[inline]
    pub(crate) fn empty_points(&self) -> PointSet {
        self.on_board.difference(&self.occupied[0]).difference(&self.occupied[1])
    }

    /// The empty points within a square of `radius` around some stone.
    #[inline]
    pub fn candidates(&self, radius: usize) -> PointSet {
        let stones = self.occupied[0].union(&self.occupied[1]);
        stones.widened(radius).intersection(&self.on_board).difference(&stones)
    }

    /// Puts a stone on an empty point. The caller checks for forbidden points and finished games.
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
    pub(crate) fn hot_points(&self, side: Side) -> &PointSet {
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
    pub(crate) fn has_at_least(&self, side: Side, class: Class) -> bool {
        self.tally.counts[side.index()][class.index()..].iter().any(|count| *count != 0)
    }

    /// Would a stone here win at once?
    #[inline]
    pub(crate) fn makes_five(&self, point: Point, side: Side) -> bool {
        self.class(point, side) == Class::Five
    }

    /// The first point, in row order, where a side makes five.
    #[inline]
    pub(crate) fn five_point(&self, side: Side) -> Option<Point> {
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
    pub(crate) fn shapes_of_code(code: u16) -> [Shape; 4] {
        unpack(code)
    }

    /// Sum of the point weights, black minus white: the part of the evaluation that the board maintains.
    #[inline]
    pub(crate) fn value(&self) -> i32 {
        self.tally.value
    }

    /// Static move-ordering score of a point for `side`: the weight of what the stone makes plus the weight of
    /// what it denies the opponent, in hundredths of a logit.
    #[inline]
    pub(crate) fn ordering_score(&self, point: Point, side: Side) -> i32 {
        let both = combinations(self.class_tables, self.infos[point.index()].shapes);
        let (own, other) = (both[side.index()], both[side.other().index()]);
        i32::from(own.weights.attack) + i32::from(other.weights.defence)
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

    /// The winning row through a stone, in order along the line; empty where there is none.
    pub(crate) fn five_through(&self, point: Point) -> Vec<Point> {
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
}

const _: () = assert!(Rule::MAX_SIZE as usize + 2 * MARGIN == STRIDE);

#[cfg(test)]
mod tests;
