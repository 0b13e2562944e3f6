//! Points of the padded board, the four directions, and sets of points.
//!
//! The board lies in a 32x32 frame, five cells of wall around the largest size. A point's number is
//! `row * 32 + column` in the frame, so a step in any direction is one addition and five steps never leave
//! the frame.

use ::game::Cell;

/// Cells of wall around the board.
pub(crate) const MARGIN: usize = 5;
/// Cells in a row of the frame.
pub(crate) const STRIDE: usize = 32;
/// Cells in the frame.
pub(crate) const FRAME: usize = STRIDE * STRIDE;

/// A point of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u16);

impl Point {
    /// The point of a cell. Cells beyond the largest board become some wall point.
    #[inline]
    pub const fn of(cell: Cell) -> Point {
        let row = if cell.row > 26 { 26 } else { cell.row as usize } + MARGIN;
        let col = if cell.col > 26 { 26 } else { cell.col as usize } + MARGIN;
        Point((row * STRIDE + col) as u16)
    }

    /// The point at a row and column, both from the top left.
    #[inline]
    pub const fn new(row: u8, col: u8) -> Point {
        Point::of(Cell::new(row, col))
    }

    /// The cell of this point.
    #[inline]
    pub const fn cell(self) -> Cell {
        Cell::new(self.row(), self.col())
    }

    /// Row from the top, 0-based.
    #[inline]
    pub const fn row(self) -> u8 {
        ((self.0 as usize / STRIDE) as u8).wrapping_sub(MARGIN as u8)
    }

    /// Column from the left, 0-based.
    #[inline]
    pub const fn col(self) -> u8 {
        ((self.0 as usize % STRIDE) as u8).wrapping_sub(MARGIN as u8)
    }

    /// A number below 1024, for tables indexed by point.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize % FRAME
    }

    /// The point with this [`Point::index`].
    #[inline]
    pub(crate) const fn from_index(index: usize) -> Point {
        Point((index % FRAME) as u16)
    }

    /// The point `steps` further in a direction; wraps around the frame, never panics.
    #[inline]
    pub const fn step(self, direction: Direction, steps: isize) -> Point {
        let to = self.0 as isize + direction.stride() * steps;
        Point::from_index(to as usize)
    }
}

/// The four lines through a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Along a row.
    Row,
    /// Along a column.
    Column,
    /// Down to the right.
    Falling,
    /// Down to the left.
    Rising,
}

impl Direction {
    /// All four: `Direction::ALL[d.index()] == d`.
    pub const ALL: [Direction; 4] =
        [Direction::Row, Direction::Column, Direction::Falling, Direction::Rising];

    /// 0 to 3.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// What one step adds to a point's index.
    #[inline]
    pub(crate) const fn stride(self) -> isize {
        match self {
            Direction::Row => 1,
            Direction::Column => STRIDE as isize,
            Direction::Falling => STRIDE as isize + 1,
            Direction::Rising => STRIDE as isize - 1,
        }
    }

    /// Which line of this direction a point is on (below 64), and its place on it (below 32). One step
    /// forward adds one to the place.
    #[inline]
    pub(crate) const fn line_of(self, index: usize) -> (usize, usize) {
        let (row, col) = (index / STRIDE % STRIDE, index % STRIDE);
        match self {
            Direction::Row => (row, col),
            Direction::Column => (col, row),
            Direction::Falling => ((row + STRIDE - col) % 64, row),
            Direction::Rising => (row + col, row),
        }
    }
}

/// A set of points: one word for each row of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointSet([u32; STRIDE]);

impl Default for PointSet {
    fn default() -> PointSet {
        PointSet::EMPTY
    }
}

impl PointSet {
    /// The empty set.
    pub const EMPTY: PointSet = PointSet([0; STRIDE]);

    /// Adds a point.
    #[inline]
    pub fn insert(&mut self, point: Point) {
        self.0[point.index() / STRIDE] |= 1 << (point.index() % STRIDE);
    }

    /// Removes a point.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        self.0[point.index() / STRIDE] &= !(1 << (point.index() % STRIDE));
    }

    /// Puts a point in or takes it out.
    #[inline]
    pub(crate) fn assign(&mut self, point: Point, inside: bool) {
        let row = &mut self.0[point.index() / STRIDE];
        let column = point.index() % STRIDE;
        *row = *row & !(1 << column) | u32::from(inside) << column;
    }

    /// Is the point in the set?
    #[inline]
    pub const fn contains(&self, point: Point) -> bool {
        self.0[point.index() / STRIDE] >> (point.index() % STRIDE) & 1 != 0
    }

    /// Are there none?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|row| *row == 0)
    }

    /// How many points.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// The points in either set.
    #[inline]
    #[must_use]
    pub fn union(mut self, other: &PointSet) -> PointSet {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
        self
    }

    /// The points in both sets.
    #[inline]
    #[must_use]
    pub fn intersection(mut self, other: &PointSet) -> PointSet {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
        self
    }

    /// The points of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn difference(mut self, other: &PointSet) -> PointSet {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
        self
    }

    /// The set and every point of the frame within a square of `radius` (at most five) around one of it.
    #[must_use]
    pub(crate) fn widened(&self, radius: usize) -> PointSet {
        let radius = radius.min(MARGIN);
        let mut wide = self.0;
        for row in &mut wide {
            (0..radius).for_each(|_| *row |= *row << 1 | *row >> 1);
        }
        let mut out = [0; STRIDE];
        for (at, row) in out.iter_mut().enumerate() {
            let near = at.saturating_sub(radius)..(at + radius + 1).min(STRIDE);
            *row = wide[near].iter().fold(0, |all, r| all | r);
        }
        PointSet(out)
    }

    /// The points in row order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.0.iter().enumerate().flat_map(|(row, bits)| Bits(*bits, row * STRIDE))
    }
}

impl PointSet {
    /// The points in row order, from a copy of the set.
    #[inline]
    pub(crate) fn into_points(self) -> impl Iterator<Item = Point> {
        self.0.into_iter().enumerate().flat_map(|(row, bits)| Bits(bits, row * STRIDE))
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        points.into_iter().for_each(|point| set.insert(point));
        set
    }
}

/// The set bits of a row, lowest first.
struct Bits(u32, usize);

impl Iterator for Bits {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(Point::from_index(self.1 + bit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_moves_one_place_along_its_line() {
        for direction in Direction::ALL {
            for row in 0..22 {
                for col in 0..22 {
                    let point = Point::new(row, col);
                    let (line, place) = direction.line_of(point.index());
                    for steps in -5isize..=5 {
                        let there = direction.line_of(point.step(direction, steps).index());
                        assert_eq!(
                            there,
                            (line, (place as isize + steps) as usize),
                            "{direction:?} {point:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn sets_keep_what_they_are_given() {
        let points: Vec<Point> = [(0, 0), (3, 21), (21, 0), (7, 7)].map(|(r, c)| Point::new(r, c)).to_vec();
        let set: PointSet = points.iter().copied().collect();
        let mut back: Vec<Point> = set.iter().collect();
        back.sort();
        let mut sorted = points.clone();
        sorted.sort();
        assert_eq!(back, sorted);
        assert_eq!(set.len(), 4);
        assert_eq!(PointSet::from_iter([Point::new(7, 7)]).widened(2).len(), 25);
    }
}
