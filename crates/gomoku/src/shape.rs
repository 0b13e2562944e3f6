//! Line shapes: what a stone on an empty point would make of one line through it.
//!
//! A window is the cells within [`Rule::reach`] on both sides of the point, each empty, own or closed (the
//! opponent's stone or the edge). Everything follows from the rule's definition of a five by looking at
//! what one more own stone would make of the window: a four is one stone from a five, an open four has two
//! such cells, a three is one stone from an open four, and so on. A window with one more stone has a larger
//! number in base three, so one descending pass fills the table.

use crate::{Direction, Point, Rule};
use ::game::Side;
use std::sync::OnceLock;

/// What a stone on an empty point makes of one line through it, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Shape {
    /// No five is possible through the point.
    Dead,
    /// Four more stones make a five, and not even they an open four.
    ClosedOne,
    /// One more stone makes a two.
    OpenOne,
    /// One more stone makes a closed three.
    ClosedTwo,
    /// One more stone in one or two places makes a three.
    Two,
    /// One more stone in three or more places makes a three.
    OpenTwo,
    /// One more stone makes a four, but no open four.
    ClosedThree,
    /// One more stone in exactly one place makes an open four.
    Three,
    /// One more stone in two or more places makes an open four.
    OpenThree,
    /// One more stone in exactly one place makes five.
    Four,
    /// Two fours on one line: two places make five, but not at the ends of one row of four.
    LineDoubleFour,
    /// A row of four that makes five at either end.
    OpenFour,
    /// Five, as the rule counts it.
    Five,
    /// More than five where only five wins and longer rows are forbidden (Black under Renju).
    Overline,
}

impl Shape {
    /// All shapes, by their number.
    pub const ALL: [Shape; 14] = [
        Shape::Dead,
        Shape::ClosedOne,
        Shape::OpenOne,
        Shape::ClosedTwo,
        Shape::Two,
        Shape::OpenTwo,
        Shape::ClosedThree,
        Shape::Three,
        Shape::OpenThree,
        Shape::Four,
        Shape::LineDoubleFour,
        Shape::OpenFour,
        Shape::Five,
        Shape::Overline,
    ];

    /// The shape with this number; the tables hold no other.
    #[inline]
    pub(crate) const fn from_nibble(nibble: u8) -> Shape {
        if (nibble as usize) < Shape::ALL.len() { Shape::ALL[nibble as usize] } else { Shape::Dead }
    }

    /// Two, in either form.
    #[inline]
    pub(crate) const fn is_two(self) -> bool {
        matches!(self, Shape::Two | Shape::OpenTwo)
    }

    /// A three that threatens an open four, in either form.
    #[inline]
    pub(crate) const fn is_three(self) -> bool {
        matches!(self, Shape::Three | Shape::OpenThree)
    }

    /// How many fours it is.
    #[inline]
    pub const fn fours(self) -> usize {
        match self {
            Shape::Four | Shape::OpenFour => 1,
            Shape::LineDoubleFour => 2,
            _ => 0,
        }
    }

    /// Two places at once make five.
    #[inline]
    pub(crate) const fn is_strong_four(self) -> bool {
        matches!(self, Shape::LineDoubleFour | Shape::OpenFour)
    }

    /// How near to winning, without the finer distinctions.
    const fn tier(self) -> u8 {
        match self {
            Shape::Dead | Shape::Overline => 0,
            Shape::ClosedOne => 1,
            Shape::OpenOne => 2,
            Shape::ClosedTwo => 3,
            Shape::Two | Shape::OpenTwo => 4,
            Shape::ClosedThree => 5,
            Shape::Three | Shape::OpenThree => 6,
            Shape::Four => 7,
            Shape::LineDoubleFour | Shape::OpenFour => 8,
            Shape::Five => 9,
        }
    }
}

/// Cells of a window around a point, one bit each from the near end of the line, the point itself left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineMask {
    bits: u16,
    reach: u8,
}

impl LineMask {
    /// No cells?
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// How many cells.
    #[inline]
    pub const fn len(self) -> usize {
        self.bits.count_ones() as usize
    }

    /// The cells as points, for a window around `centre`.
    #[inline]
    pub fn points(self, centre: Point, direction: Direction) -> impl Iterator<Item = Point> {
        let reach = isize::from(self.reach);
        let mut bits = self.bits;
        std::iter::from_fn(move || {
            if bits == 0 {
                return None;
            }
            let place = bits.trailing_zeros() as isize;
            bits &= bits - 1;
            Some(centre.step(direction, offset(place, reach)))
        })
    }
}

/// The distance from the centre of the window's cell number `place`.
const fn offset(place: isize, reach: isize) -> isize {
    if place < reach { place - reach } else { place - reach + 1 }
}

/// The tables of one rule.
pub(crate) struct ShapeTables {
    /// Indexed by a window of two bits a cell without its centre: black's shape in the low half, white's in
    /// the high half.
    pub(crate) shapes: Box<[u8]>,
    /// Gain and defence masks for black and white, indexed in base three from the side's view.
    threats: [Box<[Threat]>; 2],
    /// Half a window of two bits a cell as a number in base three, from black's and white's view.
    ternary: [Box<[u8]>; 2],
    reach: usize,
}

/// What can be done about a shape: `gain` takes it a step nearer to five, `defence` a step further away.
#[derive(Clone, Copy, Default)]
struct Threat {
    gain: u16,
    defence: u16,
}

impl ShapeTables {
    /// The tables of a rule, built at first use.
    pub(crate) fn of(rule: Rule) -> &'static ShapeTables {
        static TABLES: [OnceLock<ShapeTables>; 4] = [const { OnceLock::new() }; 4];
        TABLES[rule as usize].get_or_init(|| ShapeTables::build(rule))
    }

    fn build(rule: Rule) -> ShapeTables {
        let reach = rule.reach();
        let half = 1usize << (2 * reach);
        let ternary = Side::BOTH.map(|side| (0..half).map(|bits| to_ternary(bits, reach, side)).collect());
        let sides = Side::BOTH.map(|side| describe_windows(rule, side));
        let mut tables = ShapeTables {
            shapes: vec![0; half * half].into(),
            threats: [sides[0].1.clone(), sides[1].1.clone()],
            ternary,
            reach,
        };
        for window in 0..half * half {
            let [black, white] =
                Side::BOTH.map(|side| sides[side.index()].0[tables.ternary_index(window, side)] as u8);
            tables.shapes[window] = black | white << 4;
        }
        tables
    }

    #[inline]
    fn ternary_index(&self, window: usize, side: Side) -> usize {
        let ternary = &self.ternary[side.index()];
        let mask = ternary.len() - 1;
        let high = usize::from(ternary[window >> (2 * self.reach) & mask]);
        usize::from(ternary[window & mask]) + high * 3usize.pow(self.reach as u32)
    }

    /// Cells whose occupation by `side`, after the centre, brings the shape a step nearer to five.
    #[inline]
    pub(crate) fn gain(&self, window: usize, side: Side) -> LineMask {
        let bits = self.threats[side.index()][self.ternary_index(window, side)].gain;
        LineMask { bits, reach: self.reach as u8 }
    }

    /// Cells whose occupation by the opponent makes the shape a weaker one.
    #[inline]
    pub(crate) fn defence(&self, window: usize, side: Side) -> LineMask {
        let bits = self.threats[side.index()][self.ternary_index(window, side)].defence;
        LineMask { bits, reach: self.reach as u8 }
    }
}

/// Half a window in base three: 0 empty, 1 own, 2 closed.
fn to_ternary(bits: usize, reach: usize, side: Side) -> u8 {
    let digit = |place: usize| match bits >> (2 * place) & 3 {
        0 => 0,
        stone if stone == side.index() + 1 => 1,
        _ => 2,
    };
    (0..reach).rev().fold(0, |number, place| number * 3 + digit(place))
}

/// Shape and threats of every window of a side, by the window's number in base three.
fn describe_windows(rule: Rule, side: Side) -> (Box<[Shape]>, Box<[Threat]>) {
    let places = 2 * rule.reach();
    let powers: Vec<usize> = (0..places).map(|place| 3usize.pow(place as u32)).collect();
    let windows = 3usize.pow(places as u32);
    let mut shapes = vec![Shape::Dead; windows];
    let mut threats = vec![Threat::default(); windows];
    for window in (0..windows).rev() {
        let digits: Vec<u8> = powers.iter().map(|power| (window / power % 3) as u8).collect();
        let after = |place: usize, stone: usize| shapes[window + stone * powers[place]];
        let empty = || (0..places).filter(|place| digits[*place] == 0);
        let (shape, gain) = name_shape(rule, side, &digits, |place| after(place, 1));
        let defence = empty().filter(|place| after(*place, 2).tier() < shape.tier());
        threats[window] = Threat { gain, defence: defence.fold(0, |mask, place| mask | 1 << place) };
        shapes[window] = shape;
    }
    (shapes.into(), threats.into())
}

/// The shape of a window with an own stone in its centre, and the cells that bring it a step further.
/// `next` is the shape with one more own stone.
fn name_shape(rule: Rule, side: Side, digits: &[u8], next: impl Fn(usize) -> Shape) -> (Shape, u16) {
    let reach = digits.len() / 2;
    let (before, after) = digits.split_at(reach);
    let row_before = before.iter().rev().take_while(|d| **d == 1).count();
    let row_after = after.iter().take_while(|d| **d == 1).count();
    let length = row_before + 1 + row_after;
    // A row that fills the window is longer than five wherever its ends matter.
    let closed = [
        before.iter().rev().nth(row_before).is_none_or(|d| *d == 2),
        after.get(row_after).is_none_or(|d| *d == 2),
    ];
    if rule.wins(side, length, closed) {
        return (Shape::Five, 0);
    }
    if length > 5 && rule.forbids(side) {
        return (Shape::Overline, 0);
    }
    let cells = |wanted: &dyn Fn(Shape) -> bool| {
        (0..digits.len())
            .filter(|place| digits[*place] == 0 && wanted(next(*place)))
            .fold(0u16, |mask, place| mask | 1 << place)
    };
    let fives = cells(&|shape| shape == Shape::Five);
    match fives.count_ones() {
        0 => {}
        1 => return (Shape::Four, fives),
        _ => {
            let lowest = offset(fives.trailing_zeros() as isize, reach as isize);
            let highest = offset(15 - fives.leading_zeros() as isize, reach as isize);
            let straight = highest - lowest == 5;
            return (if straight { Shape::OpenFour } else { Shape::LineDoubleFour }, fives);
        }
    }
    // Black under Renju may not make two fours, so only a straight four makes a three of it.
    let strong = cells(&|shape| shape == Shape::OpenFour || shape.is_strong_four() && !rule.forbids(side));
    match strong.count_ones() {
        0 => {}
        1 => return (Shape::Three, strong),
        _ => return (Shape::OpenThree, strong),
    }
    let fours = cells(&|shape| shape.fours() > 0);
    if fours != 0 {
        return (Shape::ClosedThree, fours);
    }
    let threes = cells(&|shape| shape.is_three());
    match threes.count_ones() {
        0 => {}
        1 | 2 => return (Shape::Two, threes),
        _ => return (Shape::OpenTwo, threes),
    }
    for (made, from) in [
        (Shape::ClosedTwo, [Shape::ClosedThree, Shape::ClosedThree]),
        (Shape::OpenOne, [Shape::Two, Shape::OpenTwo]),
        (Shape::ClosedOne, [Shape::ClosedTwo, Shape::ClosedTwo]),
    ] {
        let mask = cells(&|shape| from.contains(&shape));
        if mask != 0 {
            return (made, mask);
        }
    }
    (Shape::Dead, 0)
}
