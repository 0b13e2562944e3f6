//! A game position: the board, its history, the opening protocol, and whose decision it is.
//!
//! Two rulings that the rule books leave open: a point forbidden to Black is not a legal move (so a referee
//! counts it as one), and when Black under Renju is left with forbidden points only, the game is drawn as on
//! a full board.

mod opening_step;

use crate::notation::grid;
use crate::notation::points::{format_point, parse_point};
use crate::opening::{Protocol, Stage};
use crate::{Board, Forbidden, Opening, Point, Rule};
use ::game::{Cell, EndReason, IllegalMove, Move, OpeningStep, Outcome, Seat, Setup, SetupError, Side};
use std::fmt;

/// The smallest board for openings that are played around the centre.
const MIN_CENTRED: u8 = 9;

/// A Gomoku position with its history.
#[derive(Clone)]
pub struct Position {
    board: Board,
    opening: Opening,
    to_move: Side,
    protocol: Protocol,
    outcome: Option<Outcome>,
    setup: Setup,
    history: Vec<Move>,
    /// The protocol's state before each move of the history.
    before: Vec<Protocol>,
}

impl Position {
    /// An empty board with the free opening.
    pub fn new(rule: Rule, size: u8) -> Position {
        Position::start(Board::new(rule, size), Opening::Free, Vec::new(), Side::Black)
    }

    /// The position a set-up describes.
    pub(crate) fn from_setup(setup: &Setup) -> Result<Position, SetupError> {
        let rule: Rule = setup.rule.parse().map_err(SetupError)?;
        let opening: Opening = setup.opening.parse().map_err(SetupError)?;
        let sizes = Rule::MIN_SIZE..=Rule::MAX_SIZE;
        if setup.rows != setup.cols || !sizes.contains(&setup.rows) {
            return Err(SetupError(format!(
                "a board of {}x{}; accepted: square, {} to {}",
                setup.rows,
                setup.cols,
                sizes.start(),
                sizes.end()
            )));
        }
        let mut board = Board::new(rule, setup.rows);
        let mut counts = [0usize; 2];
        for (side, cell) in &setup.stones {
            if cell.row >= setup.rows || cell.col >= setup.cols {
                return Err(SetupError(format!(
                    "a stone at row {}, column {} (from the top left, 0-based) is off the {}x{} board",
                    cell.row, cell.col, setup.rows, setup.cols
                )));
            }
            let point = Point::of(*cell);
            if !board.is_empty(point) {
                return Err(SetupError(format!("two stones on {}", format_point(*cell, setup.rows))));
            }
            board.make(point, *side);
            counts[side.index()] += 1;
        }
        let [black, white] = counts;
        let to_move = match setup.to_move {
            Some(side) => side,
            None if black == white || white == black + 1 => Side::Black,
            None if black == white + 1 => Side::White,
            None => {
                return Err(SetupError(format!(
                    "{black} black and {white} white stones do not tell whose turn it is; name the side to move"
                )));
            }
        };
        if opening.needs_centre() && (setup.rows.is_multiple_of(2) || setup.rows < MIN_CENTRED) {
            return Err(SetupError(format!(
                "opening {opening} on a {0}x{0} board; accepted: odd sizes from {MIN_CENTRED} on, which have a centre",
                setup.rows
            )));
        }
        if !opening.follows_from_stones() && (1..=5).contains(&(black + white)) {
            return Err(SetupError(format!(
                "opening {opening} with {} stones set up; accepted: an empty board, or more than five stones",
                black + white
            )));
        }
        if opening != Opening::Free && (black + white <= 5) {
            let expected = (black + white) % 2;
            if black != white + expected || to_move.index() != expected {
                return Err(SetupError(format!(
                    "opening {opening} with {black} black and {white} white stones, {to_move} to move; accepted: black and white alternate from an empty board, black first"
                )));
            }
        }
        let position = Position::start(board, opening, setup.stones.clone(), to_move);
        if Side::BOTH.iter().all(|side| !position.five_of(*side).is_empty()) {
            return Err(SetupError("both sides have five in a row already".into()));
        }
        Ok(position)
    }

    /// The stones of a board with this side to move, without history.
    pub(crate) fn of_board(board: Board, to_move: Side) -> Position {
        let stones = |side: Side| board.stones_of(side).iter().map(move |point| (side, point.cell()));
        let all = stones(Side::Black).chain(stones(Side::White)).collect();
        Position::start(board, Opening::Free, all, to_move)
    }

    fn start(board: Board, opening: Opening, stones: Vec<(Side, Cell)>, to_move: Side) -> Position {
        let setup = Setup {
            rows: board.size(),
            cols: board.size(),
            rule: board.rule().name().into(),
            opening: opening.name().into(),
            stones,
            to_move: Some(to_move),
        };
        let protocol = Protocol::start(opening, board.stones());
        let mut position = Position {
            board,
            opening,
            to_move,
            protocol,
            outcome: None,
            setup,
            history: Vec::new(),
            before: Vec::new(),
        };
        position.outcome = Side::BOTH
            .into_iter()
            .find_map(|side| won(side, &position.five_of(side)))
            .or_else(|| position.is_drawn().then_some(Outcome::Draw));
        position
    }

    /// The board; a clone of it is what an engine searches on.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rule in force.
    pub fn rule(&self) -> Rule {
        self.board.rule()
    }

    /// Rows, and columns.
    pub fn size(&self) -> u8 {
        self.board.size()
    }

    /// The opening protocol.
    pub fn opening(&self) -> Opening {
        self.opening
    }

    /// The set-up this position started from; its history leads from there to here.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// May the player whose turn it is swap (and, second, extend the opening)?
    pub fn choices(&self) -> (bool, bool) {
        match self.protocol.stage {
            Stage::Choosing { may_extend, .. } if self.outcome.is_none() => (true, may_extend),
            _ => (false, false),
        }
    }

    /// How many stones of an opening the player whose turn it is still puts, of both colours in turn.
    pub(crate) fn stones_to_place(&self) -> u8 {
        match self.protocol.stage {
            Stage::Placing { left, .. } if self.outcome.is_none() => left,
            _ => 0,
        }
    }

    /// Points forbidden to Black as things stand, whoever is to move; empty outside Renju.
    pub(crate) fn forbidden_to_black(&self) -> Vec<(Point, Forbidden)> {
        if self.rule() != Rule::Renju {
            return Vec::new();
        }
        self.board.clone().forbidden_points()
    }

    /// The stones on the board in the order they came, set-up stones first, each with its colour.
    pub(crate) fn stones_in_order(&self) -> Vec<(Side, Cell)> {
        let mut side = self.setup.to_move.unwrap_or(Side::Black);
        let mut stones = self.setup.stones.clone();
        for cell in self.history.iter().filter_map(|mv| mv.cell()) {
            stones.push((side, cell));
            side = side.other();
        }
        stones
    }

    /// A winning row of a side, if it has one.
    fn five_of(&self, side: Side) -> Vec<Point> {
        let stones = self.board.stones_of(side).iter();
        stones.map(|point| self.board.five_through(point)).find(|five| !five.is_empty()).unwrap_or_default()
    }

    fn is_drawn(&self) -> bool {
        if self.board.is_full() {
            return true;
        }
        // Only a nearly full board can leave Black without a legal point, so the cheap test comes first.
        if !self.rule().forbids(self.to_move) {
            return false;
        }
        let empty = self.board.empty_points();
        let forbidden = if empty.len() > 64 { Vec::new() } else { self.forbidden_to_black() };
        forbidden.len() == empty.len()
    }

    fn forbidden_at(&self, point: Point) -> Option<Forbidden> {
        // Most points are plainly allowed; only the rest are worth a copy of the board.
        use crate::Class::{Barred, DoubleThree};
        let suspect = self.rule().forbids(self.to_move)
            && matches!(self.board.class(point, self.to_move), Barred | DoubleThree);
        if suspect { self.board.clone().forbidden(point) } else { None }
    }
}

impl fmt::Debug for Position {
    /// The board as a grid, for test failures.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, {} to move\n{}", self.rule(), self.opening, self.to_move, grid::write(self))
    }
}

fn won(side: Side, five: &[Point]) -> Option<Outcome> {
    let cells: Vec<Cell> = five.iter().map(|point| point.cell()).collect();
    (!cells.is_empty()).then_some(Outcome::Win { side, cells, reason: EndReason::Five })
}

impl ::game::Position for Position {
    fn game(&self) -> &'static str {
        "gomoku"
    }

    fn rule(&self) -> &str {
        self.board.rule().name()
    }

    fn rows(&self) -> u8 {
        self.size()
    }

    fn cols(&self) -> u8 {
        self.size()
    }

    fn at(&self, cell: Cell) -> Option<Side> {
        self.board.at(Point::of(cell))
    }

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn colour_of(&self, seat: Seat) -> Side {
        match seat {
            Seat::First => self.protocol.first,
            Seat::Second => self.protocol.first.other(),
        }
    }

    fn turn(&self) -> Seat {
        self.protocol.turn(self.to_move)
    }

    fn legal(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.outcome.is_some() {
            return Err(IllegalMove::GameOver);
        }
        let (may_swap, may_extend) = self.choices();
        let rule = |text: &str| Err(IllegalMove::Rule(text.into()));
        let cell = match mv {
            Move::Place(cell) | Move::Offer(cell) => cell,
            Move::Swap if may_swap => return Ok(()),
            Move::Extend if may_extend => return Ok(()),
            Move::Declare(fifths) if (1..=self.declare_up_to()).contains(&fifths) => return Ok(()),
            Move::Swap => {
                return rule("swap is a choice that some openings give, and this is not the time for it");
            }
            Move::Extend => {
                return rule(
                    "extend is a choice after the third stone of opening swap2 and the fourth of taraguchi-10",
                );
            }
            Move::Declare(_) if self.declare_up_to() > 0 => {
                return rule(&format!("accepted: declare1 to declare{}", self.declare_up_to()));
            }
            Move::Declare(_) => {
                return rule("openings yamaguchi and soosorv-8 have a number declared, once, and not here");
            }
        };
        let size = self.size();
        if cell.row >= size || cell.col >= size {
            return Err(IllegalMove::OffBoard {
                text: format!("row {}, column {} (0-based)", cell.row, cell.col),
                accepted: accepted_points(size),
            });
        }
        let point = Point::of(cell);
        if !self.board.is_empty(point) {
            return Err(IllegalMove::Occupied(format_point(cell, size)));
        }
        match mv {
            Move::Offer(_) => self.may_be_offered(point)?,
            _ => self.opening_allows(point)?,
        }
        match self.forbidden_at(point) {
            None => Ok(()),
            Some(kind) => Err(IllegalMove::Forbidden { point: format_point(cell, size), kind: kind.name() }),
        }
    }

    fn legal_moves(&self) -> Vec<Move> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        let forbidden: Vec<Point> = if self.rule().forbids(self.to_move) {
            self.forbidden_to_black().into_iter().map(|(point, _)| point).collect()
        } else {
            Vec::new()
        };
        let empty = self.board.empty_points();
        let restricted = self.opening.needs_centre();
        let allowed = empty.iter().filter(|point| !forbidden.contains(point));
        let mut moves: Vec<Move> = allowed
            .map(|point| self.point_move(point))
            .filter(|mv| !restricted || self.legal(*mv).is_ok())
            .collect();
        moves.extend((1..=self.declare_up_to()).map(Move::Declare));
        let (may_swap, may_extend) = self.choices();
        moves.extend(may_swap.then_some(Move::Swap));
        moves.extend(may_extend.then_some(Move::Extend));
        moves
    }

    fn forbidden(&self) -> Vec<(Cell, &'static str)> {
        if self.outcome.is_some() || !self.rule().forbids(self.to_move) {
            return Vec::new();
        }
        self.forbidden_to_black().into_iter().map(|(point, kind)| (point.cell(), kind.name())).collect()
    }

    fn opening_step(&self) -> Option<OpeningStep> {
        self.current_step()
    }

    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.legal(mv)?;
        self.before.push(self.protocol);
        self.history.push(mv);
        match mv {
            Move::Swap => self.protocol = self.protocol.swapped(self.opening, self.board.stones()),
            Move::Extend => self.protocol = self.protocol.extended(self.opening),
            Move::Declare(fifths) => self.protocol = self.protocol.declared(fifths),
            Move::Offer(_) => self.protocol = self.protocol.offered(),
            Move::Place(cell) => {
                let (point, side) = (Point::of(cell), self.to_move);
                self.board.make(point, side);
                self.protocol = self.protocol.placed(self.opening, self.board.stones());
                self.to_move = side.other();
                self.outcome = won(side, &self.board.five_through(point));
                if self.outcome.is_none() && self.is_drawn() {
                    self.outcome = Some(Outcome::Draw);
                }
            }
        }
        Ok(())
    }

    fn undo(&mut self) -> Option<Move> {
        let (mv, protocol) = (self.history.pop()?, self.before.pop()?);
        self.protocol = protocol;
        self.outcome = None;
        if matches!(mv, Move::Place(_)) {
            self.board.undo();
            self.to_move = self.to_move.other();
        }
        Some(mv)
    }

    fn history(&self) -> &[Move] {
        &self.history
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    fn hash(&self) -> u64 {
        self.board.hash(self.to_move) ^ self.state_key() ^ self.offers_key()
    }

    fn canonical_hash(&self) -> u64 {
        self.board.canonical_hash(self.to_move) ^ self.state_key()
    }

    fn format_move(&self, mv: Move) -> String {
        match mv {
            Move::Place(cell) => format_point(cell, self.size()),
            Move::Swap => "swap".into(),
            Move::Extend => "extend".into(),
            Move::Declare(fifths) => format!("declare{fifths}"),
            Move::Offer(cell) => format!("({})", format_point(cell, self.size())),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, IllegalMove> {
        let text = text.trim();
        let lower = text.to_ascii_lowercase();
        match lower.as_str() {
            "swap" => return Ok(Move::Swap),
            "extend" => return Ok(Move::Extend),
            _ => {}
        }
        if let Some(fifths) = lower.strip_prefix("declare").and_then(|number| number.trim().parse().ok()) {
            return Ok(Move::Declare(fifths));
        }
        let accepted = accepted_points(self.size());
        let offered = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        match parse_point(offered.unwrap_or(text), self.size()) {
            Ok(cell) if offered.is_some() => Ok(Move::Offer(cell)),
            Ok(cell) => Ok(self.point_move(Point::of(cell))),
            Err(problem) if problem.off_board => Err(IllegalMove::OffBoard { text: text.into(), accepted }),
            Err(_) => Err(IllegalMove::Syntax {
                text: text.into(),
                accepted: format!("{accepted}, swap, extend, declare1, (h8)"),
            }),
        }
    }

    fn boxed(&self) -> Box<dyn ::game::Position> {
        Box::new(self.clone())
    }
}

impl Position {
    /// What tells positions with equal stones apart: rule, size, and the state of the opening protocol.
    fn state_key(&self) -> u64 {
        let stage = match self.protocol.stage {
            Stage::Playing => 0,
            Stage::Placing { seat, left } => 1 + seat.index() as u64 * 4 + u64::from(left),
            Stage::Choosing { seat, may_extend } => 10 + seat.index() as u64 * 2 + u64::from(may_extend),
            Stage::Declaring { seat, .. } => 14 + seat.index() as u64,
            Stage::Offering { left } => 16 + u64::from(left),
            Stage::Selecting => 32,
        };
        let state = stage | (self.rule() as u64) << 8 | u64::from(self.size()) << 16;
        let swapped = u64::from(self.protocol.first == Side::White && stage != 0) << 24;
        // Openings around the centre restrict the first stones; later they are games like all others.
        let unfinished = self.opening.needs_centre() && self.board.stones() < 6;
        let opening = if unfinished { (self.opening as u64 + 1) << 32 } else { 0 };
        let fifths = (u64::from(self.protocol.fifths()) * u64::from(unfinished)) << 40;
        (state | swapped | opening | fifths).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17)
    }
}

fn accepted_points(size: u8) -> String {
    format!("a1 to {}", format_point(Cell::new(0, size.saturating_sub(1)), size))
}

#[cfg(test)]
mod tests;
