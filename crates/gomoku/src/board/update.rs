//! The incremental update: which shapes, classes and sums change when a stone is added.

use super::Board;
use crate::class::{ClassTable, Combination};
use crate::point::{FRAME, STRIDE};
use crate::{Class, Direction, Point, PointSet};

/// What is known about a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Info {
    /// Four bits per direction: black's shapes in the low half, white's in the high half. 0 where occupied.
    pub(super) shapes: u32,
    /// Evaluation weight of the point, black minus white. Stored because the weight table does not fit into L1.
    pub(super) value: i32,
    pub(super) classes: [Class; 2],
    /// The point itself, so that a logged entry knows where it belongs.
    pub(super) at: u16,
}

/// Sums over all points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tally {
    pub(super) counts: [[u16; Class::COUNT + 1]; 2],
    pub(super) hot: [PointSet; 2],
    /// Sum of the point weights, black minus white.
    pub(super) value: i32,
}

impl Board {
    /// Writes the two bits of a cell into the point table and its four lines.
    #[inline]
    pub(super) fn write_cell(&mut self, at: usize, value: u8) {
        self.cells[at % FRAME] = value;
        for direction in Direction::ALL {
            let (line, place) = direction.line_of(at);
            let word = &mut self.lines[direction.index()][line % 64];
            *word = *word & !(3 << (2 * place)) | u64::from(value) << (2 * place);
        }
    }

    /// The window around a point without its centre, two bits per cell.
    #[inline]
    pub(super) fn window(&self, at: usize, direction: Direction) -> usize {
        let (line, place) = direction.line_of(at);
        let line = self.lines[direction.index()][line % 64];
        match self.tables.shapes.len() {
            WINDOWS_4 => window::<4>(around::<4>(line, place), 4),
            _ => window::<5>(around::<5>(line, place), 5),
        }
    }

    /// Brings the shapes of all points within reach of a changed point up to date.
    #[inline]
    pub(super) fn refresh_lines<const REACH: usize>(&mut self, at: usize) {
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
    pub(super) fn refresh_point(&mut self, at: usize) {
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
    pub(super) const NONE: Info = Info { shapes: 0, value: 0, classes: [Class::Barred; 2], at: 0 };

    /// Replaces what is known, and the sums with it.
    #[inline(always)]
    pub(super) fn set(&mut self, shapes: u32, classes: [Class; 2], value: i32, tally: &mut Tally) {
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
pub(super) const WINDOWS_4: usize = 1 << 16;

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

/// Evaluation weight of a point, black minus white.
#[inline(always)]
fn value(black: &Combination, white: &Combination) -> i32 {
    i32::from(black.weights.value) - i32::from(white.weights.value)
}

#[inline(always)]
pub(super) fn combinations(tables: &ClassTable, shapes: u32) -> [&Combination; 2] {
    // Slices of known length need no bounds check.
    let [black, white] = [&tables[0][..1 << 16], &tables[1][..1 << 16]];
    [&black[usize::from(shapes as u16)], &white[usize::from((shapes >> 16) as u16)]]
}
