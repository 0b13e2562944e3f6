//! What the opening protocol allows at a position: zones for stones, offers of fifth moves, declared numbers.

use super::Position;
use crate::Point;
use crate::notation::points::format_point;
use crate::opening::Stage;
use ::game::{IllegalMove, Move, OpeningStep, Position as _};

impl Position {
    /// Is the next point that is named an offer instead of a stone?
    pub(crate) fn may_offer(&self) -> bool {
        self.outcome.is_none() && self.protocol.may_offer(self.opening, self.board.stones())
    }

    /// Does White choose among the offered fifth moves?
    pub(crate) fn is_selecting(&self) -> bool {
        self.protocol.stage == Stage::Selecting
    }

    /// The most fifth moves that may be declared now; 0 where nothing is declared.
    pub(crate) fn declare_up_to(&self) -> u8 {
        match self.protocol.stage {
            Stage::Declaring { most, .. } => most,
            _ => 0,
        }
    }

    /// May the opponent choose a colour after the next stone, so that an even position is wanted?
    pub(crate) fn is_balancing(&self) -> bool {
        if self.outcome.is_some() || self.may_offer() || self.is_selecting() || self.declare_up_to() > 0 {
            return false;
        }
        let after = self.protocol.placed(self.opening, self.board.stones() + 1);
        matches!(after.stage, Stage::Placing { .. } | Stage::Choosing { .. } | Stage::Declaring { .. })
    }

    /// The move that naming a point means here: a stone or an offer.
    pub(crate) fn point_move(&self, point: Point) -> Move {
        if self.may_offer() { Move::Offer(point.cell()) } else { Move::Place(point.cell()) }
    }

    /// The fifth moves offered so far, while they matter.
    pub(crate) fn offers(&self) -> Vec<Point> {
        let offer = |mv: &Move| match mv {
            Move::Offer(cell) => Some(Point::of(*cell)),
            _ => None,
        };
        let mut offers: Vec<Point> = self.history.iter().rev().map_while(offer).collect();
        offers.reverse();
        offers
    }

    /// Tells positions with different offers apart.
    pub(super) fn offers_key(&self) -> u64 {
        let key =
            |point: Point| (point.index() as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(29);
        self.offers().into_iter().fold(0, |sum, point| sum ^ key(point))
    }

    /// Does the opening protocol allow a stone on this empty point?
    pub(super) fn opening_allows(&self, point: Point) -> Result<(), IllegalMove> {
        if !self.opening.needs_centre() {
            return Ok(());
        }
        let refuse = |text: String| Err(IllegalMove::Rule(text));
        if self.declare_up_to() > 0 {
            return refuse(format!(
                "the number of fifth moves is declared first; accepted: declare1 to declare{}",
                self.declare_up_to()
            ));
        }
        if self.is_selecting() {
            let offers = self.offers();
            if offers.contains(&point) {
                return Ok(());
            }
            let names: Vec<String> =
                offers.iter().map(|offer| format_point(offer.cell(), self.size())).collect();
            return refuse(format!(
                "one of the offered fifth moves is chosen; accepted: {}",
                names.join(", ")
            ));
        }
        if self.may_offer() {
            return refuse("black offers fifth moves here, such as (h8)".into());
        }
        let stone = self.board.stones() + 1;
        let zone = self.opening.zone(stone);
        if zone.contains(&self.centre_distance(point)) {
            return Ok(());
        }
        let (low, high) = (*zone.start(), *zone.end());
        let place = match (low, high) {
            (_, 0) => "in the centre".into(),
            (0, _) => format!("in the central {0}x{0} square", 2 * high + 1),
            _ => format!("outside the central {0}x{0} square", 2 * low - 1),
        };
        refuse(format!("stone {stone} of opening {} is put {place}", self.opening))
    }

    /// May this empty point be offered as a fifth move?
    pub(super) fn may_be_offered(&self, point: Point) -> Result<(), IllegalMove> {
        if !self.may_offer() {
            return Err(IllegalMove::Rule("no fifth moves are offered here".into()));
        }
        let name = |point: Point| format_point(point.cell(), self.size());
        let twin = self.offers().into_iter().find(|offer| self.images(*offer).contains(&point));
        match twin {
            None => Ok(()),
            Some(offer) if offer == point => {
                Err(IllegalMove::Rule(format!("{} is offered already", name(point))))
            }
            Some(offer) => Err(IllegalMove::Rule(format!(
                "{} makes the same position as {}, up to symmetry",
                name(point),
                name(offer)
            ))),
        }
    }

    /// The step of the opening for those who show it; `None` where stones may be put anywhere.
    pub(super) fn current_step(&self) -> Option<OpeningStep> {
        if !self.opening.needs_centre() || self.outcome.is_some() {
            return None;
        }
        let cell = |point: Point| point.cell();
        let offers_left = match self.protocol.stage {
            Stage::Offering { left } => left,
            _ if self.may_offer() => self.protocol.fifths(),
            _ => 0,
        };
        let free = !self.may_offer()
            && !self.is_selecting()
            && self.declare_up_to() == 0
            && self.opening.zone(self.board.stones() + 1) == (0..=u8::MAX);
        let cells = || {
            let empty = self.board.empty_points();
            empty.iter().filter(|point| self.legal(self.point_move(*point)).is_ok()).map(cell).collect()
        };
        let step = OpeningStep {
            cells: (!free).then(cells),
            offers: if self.may_offer() || self.is_selecting() {
                self.offers().into_iter().map(cell).collect()
            } else {
                Vec::new()
            },
            offers_left,
            declare_up_to: self.declare_up_to(),
        };
        (step != OpeningStep::default()).then_some(step)
    }

    /// Rows or columns from the centre, whichever is more.
    fn centre_distance(&self, point: Point) -> u8 {
        let centre = self.size() / 2;
        point.row().abs_diff(centre).max(point.col().abs_diff(centre))
    }

    /// Where a point goes under the symmetries that leave the stones in place.
    fn images(&self, point: Point) -> Vec<Point> {
        self.board.symmetries().into_iter().map(|symmetry| self.board.mapped(point, symmetry)).collect()
    }
}
