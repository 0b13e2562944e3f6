//! Opening protocols: who places the first stones and where, who chooses a colour when, and who offers fifth moves.
//!
//! A [`Protocol`] is the state of one game's opening. [`Position`](crate::Position) asks it what may be done
//! next and tells it what was done. The Renju protocols are those of the Renju International Federation.

use ::game::{Seat, Side};
use std::ops::RangeInclusive;
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
    /// Black starts in the centre; Black's second stone is at least three points away from it.
    Pro,
    /// As [`Opening::Pro`], at least four points away.
    LongPro,
    /// The first player puts the first three stones in the centre's squares; the second plays on as White or
    /// swaps. After White's fourth stone Black offers two fifth moves, of which White chooses one.
    Rif,
    /// As [`Opening::Rif`], but the first player declares with the three stones how many fifth moves Black will
    /// offer.
    Yamaguchi,
    /// As [`Opening::Rif`], but White declares with the fourth stone how many fifth moves (at most eight) Black
    /// will offer, and the opponent may swap once more.
    Soosorv8,
    /// The first five stones are put in growing squares around the centre, and after each the opponent may swap.
    /// After the fourth, Black may instead offer ten fifth moves anywhere.
    Taraguchi10,
}

/// Distances from the centre that are no restriction.
const ANYWHERE: RangeInclusive<u8> = 0..=u8::MAX;
/// The most fifth moves that Yamaguchi's first player may declare. The rule names no limit; games have one to
/// ten.
const YAMAGUCHI_MAX_FIFTHS: u8 = 12;

impl Opening {
    const ALL: [Opening; 9] = [
        Opening::Free,
        Opening::Swap,
        Opening::Swap2,
        Opening::Pro,
        Opening::LongPro,
        Opening::Rif,
        Opening::Yamaguchi,
        Opening::Soosorv8,
        Opening::Taraguchi10,
    ];

    /// Their names, the default first.
    pub const NAMES: [&'static str; 9] =
        ["free", "swap", "swap2", "pro", "long-pro", "rif", "yamaguchi", "soosorv-8", "taraguchi-10"];

    /// The protocol's name.
    pub const fn name(self) -> &'static str {
        Opening::NAMES[self as usize]
    }

    /// Is the first stone put in the centre, so that the board must have one?
    pub(crate) fn needs_centre(self) -> bool {
        !matches!(self, Opening::Free | Opening::Swap | Opening::Swap2)
    }

    /// Does the number of stones alone tell where a game stands in its opening?
    pub(crate) fn follows_from_stones(self) -> bool {
        matches!(self, Opening::Free | Opening::Swap | Opening::Swap2 | Opening::Pro | Opening::LongPro)
    }

    /// How far from the centre a stone is put, by row and by column; stones are counted from 1.
    pub(crate) fn zone(self, stone: usize) -> RangeInclusive<u8> {
        match (self, stone) {
            (Opening::Free | Opening::Swap | Opening::Swap2, _) => ANYWHERE,
            (_, 1) => 0..=0,
            (Opening::Pro, 3) => 3..=u8::MAX,
            (Opening::LongPro, 3) => 4..=u8::MAX,
            (Opening::Pro | Opening::LongPro, _) => ANYWHERE,
            (_, 2 | 3) | (Opening::Taraguchi10, 4 | 5) => 0..=stone as u8 - 1,
            _ => ANYWHERE,
        }
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
        let name = text.trim().to_ascii_lowercase();
        if name.is_empty() {
            return Ok(Opening::Free);
        }
        Opening::ALL
            .into_iter()
            .find(|opening| opening.name() == name)
            .ok_or_else(|| format!("unknown opening '{text}'; accepted: {}", Opening::NAMES.join(", ")))
    }
}

/// Where a game stands in its opening protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Protocol {
    pub(crate) stage: Stage,
    /// The colour the first player holds. Whoever chooses holds the colour to move, so that playing on keeps
    /// it and [`Move::Swap`](::game::Move::Swap) takes the other.
    pub(crate) first: Side,
    /// How many fifth moves Black offers, where that is settled.
    fifths: u8,
}

/// What may be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// One player puts stones of both colours.
    Placing { seat: Seat, left: u8 },
    /// A player swaps, goes on, or extends the opening (Swap2: two more stones; Taraguchi-10: ten offers).
    Choosing { seat: Seat, may_extend: bool },
    /// A player declares how many fifth moves Black will offer.
    Declaring { seat: Seat, most: u8 },
    /// Black offers fifth moves.
    Offering { left: u8 },
    /// White chooses one of them.
    Selecting,
    /// Players alternate.
    Playing,
}

impl Protocol {
    /// The state with this many stones on the board before the first move.
    pub(crate) fn start(opening: Opening, stones: usize) -> Protocol {
        let placing = |seat, left: usize| Stage::Placing { seat, left: left as u8 };
        let (stage, first) = match (opening, stones) {
            (Opening::Free | Opening::Pro | Opening::LongPro | Opening::Taraguchi10, _) => {
                (Stage::Playing, Side::Black)
            }
            (_, 0..=2) => (placing(Seat::First, 3 - stones), Side::Black),
            (Opening::Swap | Opening::Swap2, 3) => {
                (Stage::Choosing { seat: Seat::Second, may_extend: opening == Opening::Swap2 }, Side::Black)
            }
            (Opening::Swap2, 4) => (placing(Seat::Second, 1), Side::White),
            (Opening::Swap2, 5) => (Stage::Choosing { seat: Seat::First, may_extend: false }, Side::White),
            _ => (Stage::Playing, Side::Black),
        };
        let fifths = if opening == Opening::Rif { 2 } else { 0 };
        Protocol { stage, first, fifths }
    }

    /// The player who decides next, with this side to move.
    pub(crate) fn turn(self, to_move: Side) -> Seat {
        match self.stage {
            Stage::Placing { seat, .. } | Stage::Choosing { seat, .. } | Stage::Declaring { seat, .. } => {
                seat
            }
            Stage::Offering { .. } | Stage::Playing => self.holder(to_move),
            Stage::Selecting => self.holder(to_move.other()),
        }
    }

    /// May the player whose turn it is offer a fifth move?
    pub(crate) fn may_offer(self, opening: Opening, stones: usize) -> bool {
        match self.stage {
            Stage::Offering { .. } => true,
            Stage::Choosing { .. } => opening == Opening::Soosorv8 && stones == 4,
            _ => false,
        }
    }

    /// After a stone is put, with so many on the board.
    pub(crate) fn placed(self, opening: Opening, stones: usize) -> Protocol {
        // The colours alternate, black first: an even number of stones ends with White's.
        let next = if stones.is_multiple_of(2) { Side::Black } else { Side::White };
        let stage = match (self.stage, opening, stones) {
            (Stage::Placing { seat, left: left @ 2.. }, _, _) => Stage::Placing { seat, left: left - 1 },
            (Stage::Placing { seat, .. }, Opening::Yamaguchi, _) => {
                Stage::Declaring { seat, most: YAMAGUCHI_MAX_FIFTHS }
            }
            (Stage::Placing { seat, .. }, _, _) => Stage::Choosing {
                seat: seat.other(),
                may_extend: opening == Opening::Swap2 && seat == Seat::First,
            },
            (Stage::Selecting, _, _) => Stage::Playing,
            (_, Opening::Rif | Opening::Yamaguchi, 4) => Stage::Offering { left: self.fifths },
            (_, Opening::Soosorv8, 4) => Stage::Declaring { seat: self.holder(Side::White), most: 8 },
            (_, Opening::Taraguchi10, 1..=5) => {
                Stage::Choosing { seat: self.holder(next), may_extend: stones == 4 }
            }
            _ => Stage::Playing,
        };
        Protocol { stage, ..self }
    }

    /// After the chooser takes the other colour.
    pub(crate) fn swapped(self, opening: Opening, stones: usize) -> Protocol {
        let offering = self.may_offer(opening, stones);
        let stage = if offering { Stage::Offering { left: self.fifths } } else { Stage::Playing };
        Protocol { stage, first: self.first.other(), ..self }
    }

    /// After the opening is extended: two more stones by Swap2's second player, or ten offers.
    pub(crate) fn extended(self, opening: Opening) -> Protocol {
        if opening == Opening::Taraguchi10 {
            return Protocol { stage: Stage::Offering { left: 10 }, ..self };
        }
        Protocol { stage: Stage::Placing { seat: Seat::Second, left: 2 }, first: Side::White, ..self }
    }

    /// After the number of fifth moves is declared: the opponent chooses a colour.
    pub(crate) fn declared(self, fifths: u8) -> Protocol {
        let Stage::Declaring { seat, .. } = self.stage else { return self };
        Protocol { stage: Stage::Choosing { seat: seat.other(), may_extend: false }, fifths, ..self }
    }

    /// After a fifth move is offered.
    pub(crate) fn offered(self) -> Protocol {
        let left = match self.stage {
            Stage::Offering { left } => left,
            _ => self.fifths,
        };
        let stage = if left > 1 { Stage::Offering { left: left - 1 } } else { Stage::Selecting };
        Protocol { stage, ..self }
    }

    /// How many fifth moves Black offers; 0 while that is open.
    pub(crate) fn fifths(self) -> u8 {
        self.fifths
    }

    /// The player who holds a colour.
    fn holder(self, side: Side) -> Seat {
        if side == self.first { Seat::First } else { Seat::Second }
    }
}
