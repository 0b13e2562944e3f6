//! Opening protocols: who places the first stones, and who chooses a colour when.

use ::game::{Seat, Side};
use std::{fmt, str::FromStr};

/// How a game opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opening {
    /// Players alternate from the first stone.
    Free,
    /// The first player puts three stones (black, white, black); the second plays on as White or swaps.
    Swap,
    /// As [`Opening::Swap`], but the second player may instead put two more stones (white, black) and leave
    /// the choice of colour to the first.
    Swap2,
}

impl Opening {
    /// Their names, the default first.
    pub const NAMES: [&'static str; 3] = ["free", "swap", "swap2"];

    /// The protocol's name.
    pub const fn name(self) -> &'static str {
        Opening::NAMES[self as usize]
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Opening {
    type Err = String;

    fn from_str(text: &str) -> Result<Opening, String> {
        match text.trim().to_ascii_lowercase().as_str() {
            "" | "free" => Ok(Opening::Free),
            "swap" => Ok(Opening::Swap),
            "swap2" => Ok(Opening::Swap2),
            _ => Err(format!("unknown opening '{text}'; accepted: {}", Opening::NAMES.join(", "))),
        }
    }
}

/// Where a game stands in its opening protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Protocol {
    pub(crate) stage: Stage,
    /// The colour the first player holds. Whoever chooses holds the colour to move, so that playing on keeps
    /// it and [`Move::Swap`](::game::Move::Swap) takes the other.
    pub(crate) first: Side,
}

/// What may be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// One player puts stones of both colours.
    Placing { seat: Seat, left: u8 },
    /// A player plays on, swaps, or (Swap2's second player) extends the opening.
    Choosing { seat: Seat, may_extend: bool },
    /// Players alternate.
    Playing,
}

impl Protocol {
    /// The state with this many stones on the board before the first move.
    pub(crate) fn start(opening: Opening, stones: usize) -> Protocol {
        let placing = |seat, left: usize| Stage::Placing { seat, left: left as u8 };
        let (stage, first) = match (opening, stones) {
            (Opening::Free, _) => (Stage::Playing, Side::Black),
            (_, 0..=2) => (placing(Seat::First, 3 - stones), Side::Black),
            (_, 3) => {
                (Stage::Choosing { seat: Seat::Second, may_extend: opening == Opening::Swap2 }, Side::Black)
            }
            (Opening::Swap2, 4) => (placing(Seat::Second, 1), Side::White),
            (Opening::Swap2, 5) => (Stage::Choosing { seat: Seat::First, may_extend: false }, Side::White),
            _ => (Stage::Playing, Side::Black),
        };
        Protocol { stage, first }
    }

    /// After a stone is put.
    pub(crate) fn placed(self, opening: Opening) -> Protocol {
        let stage = match self.stage {
            Stage::Placing { seat, left: 0 | 1 } => Stage::Choosing {
                seat: seat.other(),
                may_extend: opening == Opening::Swap2 && seat == Seat::First,
            },
            Stage::Placing { seat, left } => Stage::Placing { seat, left: left - 1 },
            Stage::Choosing { .. } | Stage::Playing => Stage::Playing,
        };
        Protocol { stage, ..self }
    }

    /// After the chooser takes the other colour.
    pub(crate) fn swapped(self) -> Protocol {
        Protocol { stage: Stage::Playing, first: self.first.other() }
    }

    /// After the second player decides to put two more stones.
    pub(crate) fn extended(self) -> Protocol {
        Protocol { stage: Stage::Placing { seat: Seat::Second, left: 2 }, first: Side::White }
    }
}
