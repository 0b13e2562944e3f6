//! A position with its history: turns, swap, and the trait [`game::Position`].
//!
//! Black joins top and bottom and moves first, white joins left and right. A swap answers the first stone:
//! * *swap pieces*: the stone is mirrored on the long diagonal and changes colour; players keep colours;
//! * *swap sides*: the stone stays and the players exchange colours.

use crate::board::Board;
use crate::geometry::{MAX_SIDE, Size};
use crate::notation::point;
use crate::opening::SwapRule;
use game::{Cell, EndReason, IllegalMove, Move, Outcome, Position as _, Seat, Setup, SetupError, Side};
use search::rng::mix;
use std::collections::HashSet;

/// A board with its side to move, history and swap rule.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    swap_rule: SwapRule,
    /// How many stones of the board belong to the set-up.
    set_up: usize,
    first: Side,
    to_move: Side,
    sides_swapped: bool,
    history: Vec<Move>,
}

impl Position {
    /// An empty board without swap.
    pub fn empty(size: Size) -> Position {
        Position {
            board: Board::new(size),
            swap_rule: SwapRule::None,
            set_up: 0,
            first: Side::Black,
            to_move: Side::Black,
            sides_swapped: false,
            history: Vec::new(),
        }
    }

    /// The position a set-up describes.
    pub fn new(setup: &Setup) -> Result<Position, SetupError> {
        let size = Size::new(setup.rows, setup.cols).ok_or_else(|| {
            SetupError(format!(
                "a Hex board of {} rows and {} columns; accepted: 1 to {MAX_SIDE} each",
                setup.rows, setup.cols
            ))
        })?;
        if !crate::RULES.contains(&setup.rule.as_str()) && !setup.rule.is_empty() {
            let known = crate::RULES.join(", ");
            return Err(SetupError(format!("unknown Hex rule '{}'; accepted: {known}", setup.rule)));
        }
        let swap_rule = SwapRule::parse(&setup.opening).ok_or_else(|| {
            let known = SwapRule::NAMES.join(", ");
            SetupError(format!("unknown Hex opening '{}'; accepted: {known}", setup.opening))
        })?;
        if swap_rule == SwapRule::Pieces && !size.is_square() {
            return Err(SetupError(format!(
                "swap-pieces mirrors the stone and needs a square board, not {} rows by {} columns; \
                 accepted here: none, swap-sides",
                setup.rows, setup.cols
            )));
        }
        let mut position = Position { swap_rule, ..Position::empty(size) };
        let mut seen = HashSet::new();
        for &(side, cell) in &setup.stones {
            if !size.contains(cell) {
                return Err(SetupError(format!("stone {} is off the board", point::format(cell))));
            }
            if !seen.insert(cell) {
                return Err(SetupError(format!("two stones on {}", point::format(cell))));
            }
            position.board.place(side, size.index(cell));
        }
        position.set_up = setup.stones.len();
        let blacks = setup.stones.iter().filter(|(side, _)| *side == Side::Black).count();
        let by_count = if blacks * 2 > setup.stones.len() { Side::White } else { Side::Black };
        position.first = setup.to_move.unwrap_or(by_count);
        position.to_move = position.first;
        Ok(position)
    }

    /// The set-up that, followed by the history, gives this position again.
    pub fn setup(&self) -> Setup {
        // Undo everything: a swap of pieces may have moved a stone of the set-up.
        let mut start = self.clone();
        while start.undo().is_some() {}
        let size = self.size();
        Setup {
            rows: size.rows(),
            cols: size.cols(),
            rule: crate::RULES[0].into(),
            opening: self.swap_rule.name().into(),
            stones: start.board.stones().map(|(side, index)| (side, size.cell(index))).collect(),
            to_move: Some(self.first),
        }
    }

    /// The same stones as a set-up without history, with this side to move. Swap is no longer possible
    /// unless one stone is on the board.
    pub fn as_set_up(&self, to_move: Side) -> Position {
        Position {
            set_up: self.board.len(),
            first: to_move,
            to_move,
            history: Vec::new(),
            sides_swapped: false,
            ..self.clone()
        }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The size.
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// The swap rule in force.
    pub(crate) fn swap_rule(&self) -> SwapRule {
        self.swap_rule
    }

    /// The same position under another swap rule, for texts that name it only when it is used.
    pub(crate) fn with_swap_rule(self, swap_rule: SwapRule) -> Position {
        Position { swap_rule, ..self }
    }

    /// Stones with the number of the move that put them, 0 for the set-up.
    pub(crate) fn numbered_stones(&self) -> Vec<(Side, Cell, usize)> {
        let size = self.size();
        let swapped = self.history.contains(&Move::Swap);
        let shift = usize::from(swapped && self.swap_rule == SwapRule::Sides);
        self.board
            .stones()
            .enumerate()
            .map(|(at, (side, index))| {
                let number = match (at + 1).saturating_sub(self.set_up) {
                    0 => 0,
                    // The swap counts as a decision: stones after it are numbered one higher, and a
                    // swapped piece takes the number of the swap.
                    n if swapped && self.swap_rule == SwapRule::Pieces => n + 1,
                    1 => 1,
                    n => n + shift,
                };
                (side, size.cell(index), number)
            })
            .collect()
    }

    fn swap_legal(&self) -> Result<(), IllegalMove> {
        let refuse = |text: &str| Err(IllegalMove::Rule(text.into()));
        if self.swap_rule == SwapRule::None {
            return refuse("this game is played without swap");
        }
        let mut stones = self.board.stones();
        let only = (stones.next(), stones.next());
        match only {
            (Some((side, _)), None) if side != self.to_move && !self.history.contains(&Move::Swap) => Ok(()),
            _ => refuse("a swap is only allowed as the answer to the first stone"),
        }
    }

    fn accepted(&self) -> String {
        let last = Cell::new(self.size().rows() - 1, self.size().cols() - 1);
        let points = format!("a1 to {}", point::format(last));
        match self.swap_rule {
            SwapRule::None => points,
            rule => format!("{points}, {}", rule.name()),
        }
    }
}

impl game::Position for Position {
    fn game(&self) -> &'static str {
        "hex"
    }

    fn rule(&self) -> &str {
        crate::RULES[0]
    }

    fn rows(&self) -> u8 {
        self.size().rows()
    }

    fn cols(&self) -> u8 {
        self.size().cols()
    }

    fn at(&self, cell: Cell) -> Option<Side> {
        if self.size().contains(cell) { self.board.at(self.size().index(cell)) } else { None }
    }

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn colour_of(&self, seat: Seat) -> Side {
        let first = if self.sides_swapped { self.first.other() } else { self.first };
        match seat {
            Seat::First => first,
            Seat::Second => first.other(),
        }
    }

    fn legal(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.board.winner().is_some() {
            return Err(IllegalMove::GameOver);
        }
        match mv {
            Move::Place(cell) if !self.size().contains(cell) => {
                Err(IllegalMove::OffBoard { text: point::format(cell), accepted: self.accepted() })
            }
            Move::Place(cell) if self.at(cell).is_some() => Err(IllegalMove::Occupied(point::format(cell))),
            Move::Place(_) => Ok(()),
            Move::Swap => self.swap_legal(),
            _ => Err(IllegalMove::Rule("Hex has no such move".into())),
        }
    }

    fn legal_moves(&self) -> Vec<Move> {
        if self.board.winner().is_some() {
            return Vec::new();
        }
        let size = self.size();
        let mut moves: Vec<Move> = self.board.empty_cells().map(|i| Move::Place(size.cell(i))).collect();
        if self.swap_legal().is_ok() {
            moves.push(Move::Swap);
        }
        moves
    }

    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.legal(mv)?;
        match mv {
            Move::Place(cell) => {
                self.board.place(self.to_move, self.size().index(cell));
                self.to_move = self.to_move.other();
            }
            Move::Swap if self.swap_rule == SwapRule::Sides => self.sides_swapped = true,
            _ => {
                self.mirror_only_stone();
                self.to_move = self.to_move.other();
            }
        }
        self.history.push(mv);
        Ok(())
    }

    fn undo(&mut self) -> Option<Move> {
        let mv = self.history.pop()?;
        match mv {
            Move::Place(_) => {
                self.board.take_back();
                self.to_move = self.to_move.other();
            }
            Move::Swap if self.swap_rule == SwapRule::Sides => self.sides_swapped = false,
            _ => {
                self.mirror_only_stone();
                self.to_move = self.to_move.other();
            }
        }
        Some(mv)
    }

    fn history(&self) -> &[Move] {
        &self.history
    }

    fn outcome(&self) -> Option<Outcome> {
        let side = self.board.winner()?;
        let cells = self.board.winning_chain()?;
        Some(Outcome::Win { side, cells, reason: EndReason::Connection })
    }

    fn hash(&self) -> u64 {
        self.board.hash() ^ self.state_hash()
    }

    fn canonical_hash(&self) -> u64 {
        self.board.hash().min(self.board.turned_hash()) ^ self.state_hash()
    }

    fn format_move(&self, mv: Move) -> String {
        match mv {
            Move::Place(cell) => point::format(cell),
            Move::Swap if self.swap_rule == SwapRule::Sides => "swap-sides".into(),
            Move::Swap => "swap-pieces".into(),
            other => format!("{other:?}"),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, IllegalMove> {
        let word = text.trim().to_ascii_lowercase();
        match (word.as_str(), self.swap_rule) {
            ("swap", _) | ("swap-pieces" | "change", SwapRule::Pieces) | ("swap-sides", SwapRule::Sides) => {
                return Ok(Move::Swap);
            }
            ("swap-pieces" | "change" | "swap-sides", rule) => {
                return Err(IllegalMove::Rule(match rule {
                    SwapRule::None => "this game is played without swap".into(),
                    rule => format!("this game is played with {}, not {word}", rule.name()),
                }));
            }
            _ => {}
        }
        match point::parse(&word) {
            Some(cell) if self.size().contains(cell) => Ok(Move::Place(cell)),
            Some(_) => Err(IllegalMove::OffBoard { text: text.trim().into(), accepted: self.accepted() }),
            None => Err(IllegalMove::Syntax { text: text.trim().into(), accepted: self.accepted() }),
        }
    }

    fn boxed(&self) -> Box<dyn game::Position> {
        Box::new(self.clone())
    }
}

impl Position {
    fn mirror_only_stone(&mut self) {
        let size = self.size();
        if let Some((side, index)) = self.board.take_back() {
            self.board.place(side.other(), size.index(size.mirrored(size.cell(index))));
        }
    }

    /// Hash of the size, the side to move, and whether a swap is possible.
    fn state_hash(&self) -> u64 {
        let size = self.size();
        let words = [
            u64::from(size.rows()) << 8 | u64::from(size.cols()),
            self.to_move.index() as u64,
            if self.swap_legal().is_ok() { self.swap_rule as u64 } else { 0 },
            u64::from(self.sides_swapped),
        ];
        words.into_iter().fold(0, |hash, word| mix(hash ^ word.wrapping_add(0x5e7)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use search::Rng;

    fn game(rows: u8, cols: u8, opening: &str) -> Position {
        Position::new(&Setup { opening: opening.into(), ..Setup::empty(rows, cols) }).unwrap()
    }

    fn play(position: &mut Position, moves: &str) {
        for word in moves.split_whitespace() {
            let mv = position.parse_move(word).unwrap();
            position.play(mv).unwrap();
        }
    }

    #[test]
    fn swap_pieces_mirrors_and_recolours() {
        let mut p = game(11, 11, "swap-pieces");
        play(&mut p, "a2 swap");
        assert_eq!(p.at(Cell::new(0, 1)), Some(Side::White));
        assert_eq!(p.at(Cell::new(1, 0)), None);
        assert_eq!(
            (p.to_move(), p.turn(), p.colour_of(Seat::First)),
            (Side::Black, Seat::First, Side::Black)
        );
        assert_eq!(p.undo(), Some(Move::Swap));
        assert_eq!((p.at(Cell::new(1, 0)), p.to_move()), (Some(Side::Black), Side::White));
    }

    #[test]
    fn swap_sides_exchanges_colours() {
        let mut p = game(5, 4, "swap-sides");
        play(&mut p, "b2");
        assert_eq!(p.turn(), Seat::Second);
        play(&mut p, "swap-sides");
        assert_eq!(p.at(Cell::new(1, 1)), Some(Side::Black));
        assert_eq!(
            (p.to_move(), p.turn(), p.colour_of(Seat::First)),
            (Side::White, Seat::First, Side::White)
        );
        play(&mut p, "c3");
        assert_eq!((p.to_move(), p.turn()), (Side::Black, Seat::Second));
        p.undo();
        p.undo();
        assert_eq!(
            (p.to_move(), p.turn(), p.colour_of(Seat::First)),
            (Side::White, Seat::Second, Side::Black)
        );
    }

    #[test]
    fn swap_only_as_the_second_decision() {
        for opening in ["swap-pieces", "swap-sides"] {
            let mut p = game(5, 5, opening);
            assert!(p.legal(Move::Swap).is_err());
            play(&mut p, "a1");
            assert!(p.legal(Move::Swap).is_ok());
            play(&mut p, "swap");
            let before = (p.hash(), p.history().len());
            assert!(matches!(p.play(Move::Swap), Err(IllegalMove::Rule(_))));
            assert_eq!(before, (p.hash(), p.history().len()));
            play(&mut p, "c3");
            assert!(p.legal(Move::Swap).is_err());
        }
        let mut p = game(5, 5, "none");
        play(&mut p, "a1");
        assert!(p.legal(Move::Swap).is_err());
        assert!(!p.legal_moves().contains(&Move::Swap));
    }

    #[test]
    fn bad_moves_change_nothing() {
        let mut p = game(3, 3, "swap-pieces");
        play(&mut p, "b2 a1");
        let before = p.hash();
        assert_eq!(p.play(Move::Place(Cell::new(1, 1))), Err(IllegalMove::Occupied("b2".into())));
        assert!(matches!(p.play(Move::Place(Cell::new(3, 0))), Err(IllegalMove::OffBoard { .. })));
        assert!(p.play(Move::Extend).is_err());
        for text in ["", "b", "22", "b0", "b4", "d1", "swap-sides", "bb22", "b99999999999", "é1", "resign"] {
            assert!(p.parse_move(text).is_err(), "{text}");
        }
        assert_eq!(p.hash(), before);
        play(&mut p, "b1 c1 b3");
        assert_eq!(p.outcome().unwrap().winner(), Some(Side::Black));
        assert_eq!(p.play(Move::Place(Cell::new(2, 2))), Err(IllegalMove::GameOver));
        assert!(p.legal_moves().is_empty());
    }

    #[test]
    fn setups_are_checked() {
        let stones = |list: &[(Side, u8, u8)]| Setup {
            stones: list.iter().map(|&(side, row, col)| (side, Cell::new(row, col))).collect(),
            ..Setup::empty(3, 3)
        };
        assert!(Position::new(&Setup::empty(0, 3)).is_err());
        assert!(Position::new(&Setup::empty(3, 20)).is_err());
        assert!(Position::new(&stones(&[(Side::Black, 3, 0)])).is_err());
        assert!(Position::new(&stones(&[(Side::Black, 0, 0), (Side::White, 0, 0)])).is_err());
        assert!(Position::new(&Setup { opening: "swap2".into(), ..Setup::empty(3, 3) }).is_err());
        assert!(Position::new(&Setup { rule: "misere".into(), ..Setup::empty(3, 3) }).is_err());
        let error = Position::new(&Setup { opening: "swap-pieces".into(), ..Setup::empty(3, 4) });
        assert!(error.unwrap_err().0.contains("square"));
        assert_eq!(Position::new(&stones(&[(Side::Black, 0, 0)])).unwrap().to_move(), Side::White);
        assert_eq!(Position::new(&stones(&[(Side::White, 0, 0)])).unwrap().to_move(), Side::Black);
    }

    #[test]
    fn numbers_count_the_swap() {
        let mut p = game(5, 5, "swap-pieces");
        play(&mut p, "a2 swap c3");
        let numbers: Vec<usize> = p.numbered_stones().iter().map(|s| s.2).collect();
        assert_eq!(numbers, [2, 3]);
        let mut p = game(5, 5, "swap-sides");
        play(&mut p, "a2 swap c3");
        let numbers: Vec<usize> = p.numbered_stones().iter().map(|s| s.2).collect();
        assert_eq!(numbers, [1, 3]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn play_and_undo_restore_and_set_ups_repeat(n in 1u8..=9, rule in 0usize..3, seed: u64) {
            let mut p = game(n, n, SwapRule::NAMES[rule]);
            let mut rng = Rng::new(seed);
            let mut hashes = vec![(p.hash(), p.canonical_hash(), p.turn())];
            while !p.legal_moves().is_empty() {
                let moves = p.legal_moves();
                // Prefer the swap, which otherwise would hardly ever be tried.
                let swap = moves.contains(&Move::Swap) && rng.below(2) == 0;
                let mv = if swap { Move::Swap } else { moves[rng.below(moves.len())] };
                p.play(mv).unwrap();
                hashes.push((p.hash(), p.canonical_hash(), p.turn()));
            }
            let mut again = Position::new(&p.setup()).unwrap();
            for &mv in p.history() {
                again.play(mv).unwrap();
            }
            prop_assert_eq!(again.hash(), p.hash());
            while let Some(expected) = hashes.pop() {
                prop_assert_eq!((p.hash(), p.canonical_hash(), p.turn()), expected);
                p.undo();
            }
        }
    }
}
