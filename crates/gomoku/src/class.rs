//! Classes: what a stone on a point makes, all four lines taken together.

use crate::weights::PointWeights;
use crate::{Rule, Shape};
use ::game::Side;
use std::sync::OnceLock;

/// What a stone on a point would make, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    /// No stone may be put here: occupied, or for Black under Renju an overline or a double-four.
    Barred,
    /// Nothing worth a name.
    Quiet,
    /// One two.
    Two,
    /// One closed three.
    ClosedThree,
    /// Several twos.
    DoubleTwo,
    /// A closed three with a two or another closed three.
    ClosedThreePlus,
    /// One three.
    Three,
    /// A three with a two or a closed three.
    ThreePlus,
    /// Several threes, without a four. For Black under Renju: several apparent threes, with or without a
    /// four, so [`Board::forbidden`](crate::Board::forbidden) has to judge whether it may be played.
    DoubleThree,
    /// One four.
    Four,
    /// A four with a two or a closed three.
    FourPlus,
    /// A four with a three.
    FourThree,
    /// Fours on several lines.
    DoubleFour,
    /// A four with two places to make five on one line.
    OpenFour,
    /// Five: the game is won.
    Five,
}

impl Class {
    /// How many classes there are.
    pub const COUNT: usize = 15;

    /// All classes, weakest first: `Class::ALL[class.index()] == class`.
    pub const ALL: [Class; Class::COUNT] = [
        Class::Barred,
        Class::Quiet,
        Class::Two,
        Class::ClosedThree,
        Class::DoubleTwo,
        Class::ClosedThreePlus,
        Class::Three,
        Class::ThreePlus,
        Class::DoubleThree,
        Class::Four,
        Class::FourPlus,
        Class::FourThree,
        Class::DoubleFour,
        Class::OpenFour,
        Class::Five,
    ];

    /// 0 to 14.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// A short label for pictures; empty for what is not worth showing.
    pub const fn label(self) -> &'static str {
        match self {
            Class::Barred | Class::Quiet => "",
            Class::Two => "2",
            Class::ClosedThree => "c3",
            Class::DoubleTwo => "22",
            Class::ClosedThreePlus => "c3+",
            Class::Three => "3",
            Class::ThreePlus => "3+",
            Class::DoubleThree => "33",
            Class::Four => "4",
            Class::FourPlus => "4+",
            Class::FourThree => "43",
            Class::DoubleFour => "44",
            Class::OpenFour => "o4",
            Class::Five => "5",
        }
    }

    /// The class of four line shapes.
    pub fn of(rule: Rule, side: Side, shapes: [Shape; 4]) -> Class {
        let count = |wanted: fn(Shape) -> bool| shapes.iter().filter(|s| wanted(**s)).count();
        let fours: usize = shapes.iter().map(|shape| shape.fours()).sum();
        let threes = count(Shape::is_three);
        let closed_threes = count(|s| s == Shape::ClosedThree);
        let twos = count(Shape::is_two);
        let potential = closed_threes + twos > 0;
        if shapes.contains(&Shape::Five) {
            return Class::Five;
        }
        if rule.forbids(side) {
            if shapes.contains(&Shape::Overline) || fours >= 2 {
                return Class::Barred;
            }
            if threes >= 2 {
                return Class::DoubleThree;
            }
        }
        if shapes.iter().any(|shape| shape.is_strong_four()) {
            return Class::OpenFour;
        }
        match (fours, threes) {
            (2.., _) => Class::DoubleFour,
            (1, 1..) => Class::FourThree,
            (1, _) if potential => Class::FourPlus,
            (1, _) => Class::Four,
            (_, 2..) => Class::DoubleThree,
            (_, 1) if potential => Class::ThreePlus,
            (_, 1) => Class::Three,
            _ if closed_threes > 0 && closed_threes + twos > 1 => Class::ClosedThreePlus,
            _ if twos > 1 => Class::DoubleTwo,
            _ if closed_threes == 1 => Class::ClosedThree,
            _ if twos == 1 => Class::Two,
            _ => Class::Quiet,
        }
    }
}

/// Class and weights of a combination of four line shapes.
#[derive(Clone, Copy)]
pub(crate) struct Combination {
    /// Its class.
    pub(crate) class: Class,
    /// Its weights for evaluation and move ordering.
    pub(crate) weights: PointWeights,
}

/// Every combination of four line shapes, four bits each, for black and white.
pub(crate) type ClassTable = [Box<[Combination]>; 2];

/// The class tables of a rule, built at first use.
pub(crate) fn class_table(rule: Rule) -> &'static ClassTable {
    static TABLES: [OnceLock<ClassTable>; 4] = [const { OnceLock::new() }; 4];
    TABLES[rule as usize].get_or_init(|| {
        Side::BOTH.map(|side| {
            let combination = |code| {
                let shapes = unpack(code);
                Combination { class: Class::of(rule, side, shapes), weights: PointWeights::of(shapes) }
            };
            (0..=u16::MAX).map(combination).collect()
        })
    })
}

/// The four shapes of a code, in the order of [`Direction::ALL`](crate::Direction::ALL).
pub(crate) fn unpack(code: u16) -> [Shape; 4] {
    [0, 4, 8, 12].map(|shift| Shape::from_nibble((code >> shift & 15) as u8))
}
