//! A small game and a scripted engine to test the frontends with: five in a row on small boards, every
//! opening protocol's swap words, and a corner that is forbidden under `renju`.

use super::{Frontend, FrontendStep};
use game::{
    Cell, Decision, EndReason, Engine, EngineError, EngineInfo, Game, IllegalMove, Layer, LayerCell,
    LayerLink, Limits, Line, Move, Outcome, Picture, Position, Record, Report, RootMove, Seat, Setup,
    SetupError, Side, TextError, Watch,
};
use std::time::Duration;

/// The game.
pub(crate) struct Five;

/// The one instance.
pub(crate) static FIVE: Five = Five;

impl Game for Five {
    fn name(&self) -> &'static str {
        "five"
    }
    fn rules(&self) -> &'static [&'static str] {
        &["freestyle", "standard", "renju"]
    }
    fn openings(&self) -> &'static [&'static str] {
        &["free", "swap", "swap2", "swap-pieces", "swap-sides"]
    }
    fn default_size(&self) -> (u8, u8) {
        (15, 15)
    }
    fn position(&self, setup: &Setup) -> Result<Box<dyn Position>, SetupError> {
        if !(5..=19).contains(&setup.rows) || !(5..=19).contains(&setup.cols) {
            return Err(SetupError(format!("{}x{} is no board; accepted: 5 to 19", setup.rows, setup.cols)));
        }
        let pick = |text: &str, known: &[&'static str]| match known.iter().find(|name| **name == text) {
            Some(name) => Ok(*name),
            None if text.is_empty() => Ok(known[0]),
            None => Err(SetupError(format!("unknown: {text}"))),
        };
        let mut position = FivePosition {
            rows: setup.rows,
            cols: setup.cols,
            rule: pick(&setup.rule, self.rules())?,
            opening: pick(&setup.opening, self.openings())?,
            stones: Vec::new(),
            set_up: setup.stones.clone(),
            first_to_move: setup.to_move.unwrap_or(Side::Black),
            history: Vec::new(),
        };
        for (_, cell) in &setup.stones {
            position.inside(*cell).map_err(|e| SetupError(e.to_string()))?;
        }
        position.stones = setup.stones.clone();
        Ok(Box::new(position))
    }
    fn parse(&self, _: &str, _: &Setup) -> Result<Box<dyn Position>, TextError> {
        Err(TextError::new(1, 1, "not in tests"))
    }
    fn parse_openings(&self, _: &str, _: &Setup) -> Result<Vec<Box<dyn Position>>, TextError> {
        Err(TextError::new(1, 1, "not in tests"))
    }
    fn setup_of(&self, position: &dyn Position) -> Setup {
        let position = position.downcast::<FivePosition>().expect("a position of this game");
        Setup {
            rows: position.rows,
            cols: position.cols,
            rule: position.rule.into(),
            opening: position.opening.into(),
            stones: position.set_up.clone(),
            to_move: Some(position.first_to_move),
        }
    }
    fn write_sgf(&self, _: &Record) -> String {
        String::new()
    }
    fn draw_svg(&self, _: &dyn Position, _: &Picture) -> String {
        String::new()
    }
    fn draw_text(&self, position: &dyn Position, _: &Picture, _: bool) -> String {
        let mut text = String::from("\n\n");
        for row in 0..position.rows() {
            for col in 0..position.cols() {
                text.push(match position.at(Cell::new(row, col)) {
                    None => '.',
                    Some(Side::Black) => 'X',
                    Some(Side::White) => 'O',
                });
            }
            text.push('\n');
        }
        text
    }
    fn layers(&self) -> &'static [(&'static str, &'static str)] {
        &[("resistance", "how hard a cell is"), ("bridges", "bridges")]
    }
    fn layer(&self, _: &dyn Position, name: &str) -> Option<Layer> {
        let cell = Cell::new(1, 2);
        match name {
            "resistance" => Some(Layer {
                cells: vec![LayerCell { cell, value: 0.5, label: "0.50".into(), side: None }],
                links: Vec::new(),
            }),
            "bridges" => Some(Layer {
                cells: Vec::new(),
                links: vec![LayerLink {
                    from: cell,
                    to: None,
                    edge: "top".into(),
                    carrier: vec![Cell::new(0, 2), Cell::new(0, 3)],
                    side: Side::Black,
                }],
            }),
            _ => None,
        }
    }
    fn engines(&self) -> &'static [EngineInfo] {
        &[]
    }
    // Properties of other games: nothing follows from a game's name.
    fn hexagonal(&self) -> bool {
        true
    }
    fn engine_protocol(&self) -> &'static str {
        "gomocup"
    }
}

#[derive(Clone)]
struct FivePosition {
    rows: u8,
    cols: u8,
    rule: &'static str,
    opening: &'static str,
    stones: Vec<(Side, Cell)>,
    set_up: Vec<(Side, Cell)>,
    first_to_move: Side,
    history: Vec<Move>,
}

impl FivePosition {
    fn inside(&self, cell: Cell) -> Result<(), IllegalMove> {
        if cell.row < self.rows && cell.col < self.cols {
            Ok(())
        } else {
            Err(IllegalMove::OffBoard { text: format!("{cell:?}"), accepted: "a1 …".into() })
        }
    }

    /// Swap2's choice points: three stones on the board, or five after `Extend`.
    fn may_swap(&self) -> bool {
        let extended = self.history.contains(&Move::Extend);
        !self.history.contains(&Move::Swap)
            && match self.opening {
                "swap" | "swap-pieces" | "swap-sides" => self.history.len() == 1,
                "swap2" => self.stones.len() == if extended { 5 } else { 3 },
                _ => false,
            }
    }

    fn five(&self) -> Option<Side> {
        let at = |row: i16, col: i16| {
            let inside = (0..i16::from(self.rows)).contains(&row) && (0..i16::from(self.cols)).contains(&col);
            if inside { self.at(Cell::new(row as u8, col as u8)) } else { None }
        };
        self.stones.iter().find_map(|(side, cell)| {
            let (row, col) = (i16::from(cell.row), i16::from(cell.col));
            let row_of = |(dr, dc): (i16, i16)| (0..5).all(|n| at(row + n * dr, col + n * dc) == Some(*side));
            [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(row_of).then_some(*side)
        })
    }
}

impl Position for FivePosition {
    fn game(&self) -> &'static str {
        "five"
    }
    fn rule(&self) -> &str {
        self.rule
    }
    fn rows(&self) -> u8 {
        self.rows
    }
    fn cols(&self) -> u8 {
        self.cols
    }
    fn at(&self, cell: Cell) -> Option<Side> {
        self.stones.iter().find(|(_, other)| *other == cell).map(|(side, _)| *side)
    }
    fn to_move(&self) -> Side {
        let turns = self.history.iter().filter(|mv| match mv {
            Move::Place(_) => true,
            Move::Swap => self.opening == "swap-pieces",
            _ => false,
        });
        if turns.count() % 2 == 0 { self.first_to_move } else { self.first_to_move.other() }
    }
    fn colour_of(&self, seat: Seat) -> Side {
        if seat == Seat::First { Side::Black } else { Side::White }
    }
    fn legal(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove::GameOver);
        }
        match mv {
            Move::Place(cell) => {
                self.inside(cell)?;
                match self.at(cell) {
                    Some(_) => Err(IllegalMove::Occupied(self.format_move(mv))),
                    None => Ok(()),
                }
            }
            Move::Swap if self.may_swap() => Ok(()),
            Move::Extend if self.may_swap() && self.opening == "swap2" && self.stones.len() == 3 => Ok(()),
            _ => Err(IllegalMove::Rule("this is not the time to swap".into())),
        }
    }
    fn legal_moves(&self) -> Vec<Move> {
        let cells = (0..self.rows).flat_map(|row| (0..self.cols).map(move |col| Cell::new(row, col)));
        let moves = cells.map(Move::Place).chain([Move::Swap, Move::Extend]);
        moves.filter(|mv| self.legal(*mv).is_ok()).collect()
    }
    fn forbidden(&self) -> Vec<(Cell, &'static str)> {
        let black = self.rule == "renju" && self.to_move() == Side::Black;
        if black { vec![(Cell::new(0, 0), "overline"), (Cell::new(4, 3), "double-four")] } else { Vec::new() }
    }
    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.legal(mv)?;
        match mv {
            Move::Place(cell) => self.stones.push((self.to_move(), cell)),
            Move::Swap if self.opening == "swap-pieces" => {
                for (side, cell) in &mut self.stones {
                    *side = side.other();
                    *cell = Cell::new(cell.col, cell.row);
                }
            }
            _ => {}
        }
        self.history.push(mv);
        Ok(())
    }
    fn undo(&mut self) -> Option<Move> {
        let mv = self.history.pop()?;
        if mv.cell().is_some() {
            self.stones.pop();
        }
        Some(mv)
    }
    fn history(&self) -> &[Move] {
        &self.history
    }
    fn outcome(&self) -> Option<Outcome> {
        if let Some(side) = self.five() {
            return Some(Outcome::Win { side, cells: Vec::new(), reason: EndReason::Five });
        }
        (self.stones.len() == usize::from(self.rows) * usize::from(self.cols)).then_some(Outcome::Draw)
    }
    fn hash(&self) -> u64 {
        let mut stones = self.stones.clone();
        stones.sort();
        let seed = self.to_move().index() as u64 + 1 + u64::from(self.rows) * 1000 + u64::from(self.cols);
        stones.iter().fold(seed, |hash, (side, cell)| {
            let word = side.index() as u64 * 1024 + u64::from(cell.row) * 32 + u64::from(cell.col) + 1;
            hash.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17) ^ word
        })
    }
    fn canonical_hash(&self) -> u64 {
        self.hash()
    }
    fn format_move(&self, mv: Move) -> String {
        match mv {
            Move::Place(cell) => format!("{}{}", char::from(b'a' + cell.col), u16::from(cell.row) + 1),
            Move::Swap => self.opening.into(),
            other => format!("{other:?}"),
        }
    }
    fn parse_move(&self, text: &str) -> Result<Move, IllegalMove> {
        let bad = || IllegalMove::Syntax { text: text.into(), accepted: "a1, b7, …".into() };
        let mut letters = text.chars();
        let col = letters.next().filter(char::is_ascii_lowercase).ok_or_else(bad)? as u8 - b'a';
        let row: u8 = letters.as_str().parse().map_err(|_| bad())?;
        let cell = Cell::new(row.checked_sub(1).ok_or_else(bad)?, col);
        self.inside(cell).map(|()| Move::Place(cell))
    }
    fn boxed(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }
}

/// An engine that plays the first legal point, or the first of `prefers` that is legal. It thinks
/// until its time is out or it is stopped, at most `thinks`.
#[derive(Default)]
pub(crate) struct Scripted {
    pub(crate) prefers: Vec<Move>,
    pub(crate) thinks: Duration,
    pub(crate) panics: bool,
}

/// What a frontend says to a line; searches are answered at once, as [`choose`] does.
pub(crate) fn reply_to(frontend: &mut impl Frontend, line: &str, prefers: &[Move]) -> String {
    let mut step = frontend.handle(line);
    loop {
        match step {
            FrontendStep::Say(text) | FrontendStep::Quit(text) | FrontendStep::Forget(text) => return text,
            FrontendStep::Think(job) => {
                step = frontend.answer(choose(prefers, &*job.position, &job.limits), Duration::ZERO);
            }
        }
    }
}

/// What [`Scripted`] answers, without the waiting.
pub(crate) fn choose(
    prefers: &[Move],
    position: &dyn Position,
    limits: &Limits,
) -> Result<Decision, EngineError> {
    let legal: Vec<Move> = position.legal_moves().into_iter().filter(|mv| limits.allows(*mv)).collect();
    let mv = prefers.iter().find(|mv| legal.contains(mv)).or(legal.first());
    let mv = *mv.ok_or_else(|| EngineError::NoMove("every move is excluded".into()))?;
    let line = |mv: &Move| Line { moves: vec![*mv], score: 12.0, win_rate: 0.6, depth: 3, ..Line::default() };
    let others = legal.iter().filter(|other| **other != mv).take(limits.lines - 1);
    let report = Report {
        depth: 3,
        selective_depth: 5,
        score: 12.0,
        win_rate: 0.6,
        nodes: 100,
        lines: std::iter::once(&mv).chain(others).map(line).collect(),
        root: vec![RootMove { mv, score: 12.0, win_rate: 0.6, bound: game::Bound::Exact, nodes: 100 }],
        ..Report::default()
    };
    Ok(Decision { mv, report })
}

impl Engine for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }
    fn think(
        &mut self,
        position: &dyn Position,
        limits: &Limits,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        assert!(!self.panics, "as the test wants");
        let decision = choose(&self.prefers, position, limits)?;
        report(&decision.report);
        while !watch.is_stopped() && watch.elapsed() < self.thinks {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(decision)
    }
}
