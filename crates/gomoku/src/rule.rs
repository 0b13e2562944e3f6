//! The rule variants: what counts as a five, and for whom.

use ::game::Side;
use std::{fmt, str::FromStr};

/// A rule variant of Gomoku.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// Five or more in a row win.
    Freestyle,
    /// Exactly five in a row win; longer rows count for nothing.
    Standard,
    /// White wins with five or more, Black with exactly five; Black may not make an overline, a double-four
    /// or a double-three unless the move makes five.
    Renju,
    /// Exactly five in a row win unless closed at both ends by the opponent or the edge.
    Caro,
}

impl Rule {
    /// All rules, the default first.
    pub const ALL: [Rule; 4] = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro];

    /// Their names, in the same order.
    pub const NAMES: [&'static str; 4] = ["freestyle", "standard", "renju", "caro"];

    /// The smallest board.
    pub const MIN_SIZE: u8 = 5;

    /// The largest board.
    pub const MAX_SIZE: u8 = 22;

    /// The rule's name.
    pub const fn name(self) -> &'static str {
        Rule::NAMES[self as usize]
    }

    /// Must a row be exactly five to win for this side?
    pub const fn exact(self, side: Side) -> bool {
        match self {
            Rule::Freestyle => false,
            Rule::Standard | Rule::Caro => true,
            Rule::Renju => matches!(side, Side::Black),
        }
    }

    /// Does a row of `length` stones win for `side`, with each end closed (by a stone or the edge) or not?
    pub const fn wins(self, side: Side, length: usize, closed: [bool; 2]) -> bool {
        let long_enough = if self.exact(side) { length == 5 } else { length >= 5 };
        let shut_in = matches!(self, Rule::Caro) && closed[0] && closed[1];
        long_enough && !shut_in
    }

    /// Are some points forbidden to this side?
    pub const fn forbids(self, side: Side) -> bool {
        matches!((self, side), (Rule::Renju, Side::Black))
    }

    /// Do the sides make fives in different ways?
    pub const fn differs_by_side(self) -> bool {
        self.exact(Side::Black) != self.exact(Side::White)
    }

    /// How far along a line a stone can matter to a point: four cells, and a fifth where the length of the
    /// row or its ends count.
    pub const fn reach(self) -> usize {
        match self {
            Rule::Freestyle => 4,
            Rule::Standard | Rule::Renju | Rule::Caro => 5,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Rule {
    type Err = String;

    /// Reads a rule's name; the empty text is the default, `gomoku` another word for it.
    fn from_str(text: &str) -> Result<Rule, String> {
        match text.trim().to_ascii_lowercase().as_str() {
            "" | "freestyle" | "free" | "gomoku" => Ok(Rule::Freestyle),
            "standard" | "exact" => Ok(Rule::Standard),
            "renju" => Ok(Rule::Renju),
            "caro" => Ok(Rule::Caro),
            _ => Err(format!("unknown rule '{text}'; accepted: {}", Rule::NAMES.join(", "))),
        }
    }
}
