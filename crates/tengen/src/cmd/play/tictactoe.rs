//! Tic-tac-toe with a swap and engines that behave well or badly: what the tests of `play` play, so that they
//! depend on no real game.

use game::{
    Cell, Decision, EndReason, Engine, EngineError, EngineInfo, Game, IllegalMove, Layer, LayerCell, Limits,
    Line, Move, Options, Outcome, Picture, Position, Record, Report, Seat, Setup, SetupError, Side,
    TextError, Watch,
};

pub(crate) struct TicTacToe;

#[derive(Clone)]
struct Board {
    cells: [Option<Side>; 9],
    history: Vec<Move>,
    swap: bool,
}

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn index(cell: Cell) -> usize {
    usize::from(cell.row) * 3 + usize::from(cell.col)
}

fn cell(index: usize) -> Cell {
    Cell::new((index / 3) as u8, (index % 3) as u8)
}

impl Position for Board {
    fn game(&self) -> &'static str {
        "tictactoe"
    }
    fn rule(&self) -> &str {
        "plain"
    }
    fn rows(&self) -> u8 {
        3
    }
    fn cols(&self) -> u8 {
        3
    }
    fn at(&self, cell: Cell) -> Option<Side> {
        self.cells[index(cell)]
    }
    fn to_move(&self) -> Side {
        let stones = self.cells.iter().flatten().count();
        Side::BOTH[stones % 2]
    }
    fn colour_of(&self, seat: Seat) -> Side {
        let swapped = self.history.contains(&Move::Swap);
        Side::BOTH[(seat.index() + usize::from(swapped)) % 2]
    }
    fn legal(&self, mv: Move) -> Result<(), IllegalMove> {
        match mv {
            _ if self.outcome().is_some() => Err(IllegalMove::GameOver),
            Move::Place(cell) if cell.row > 2 || cell.col > 2 => {
                Err(IllegalMove::OffBoard { text: format!("{cell:?}"), accepted: "a1 to c3".into() })
            }
            Move::Place(cell) if self.at(cell).is_some() => Err(IllegalMove::Occupied(self.format_move(mv))),
            Move::Place(_) => Ok(()),
            Move::Swap if self.swap && self.history.len() == 1 => Ok(()),
            _ => Err(IllegalMove::Rule("swap is only the second player's first choice".into())),
        }
    }
    fn legal_moves(&self) -> Vec<Move> {
        let places = (0..9).map(|at| Move::Place(cell(at)));
        places.chain([Move::Swap]).filter(|mv| self.legal(*mv).is_ok()).collect()
    }
    fn forbidden(&self) -> Vec<(Cell, &'static str)> {
        // So that there is something to show: after black's centre, white may as well avoid b3.
        let centre = self.cells[4] == Some(Side::Black) && self.cells[1].is_none();
        if centre { vec![(Cell::new(0, 1), "unwise")] } else { Vec::new() }
    }
    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.legal(mv)?;
        if let Move::Place(cell) = mv {
            self.cells[index(cell)] = Some(self.to_move());
        }
        self.history.push(mv);
        Ok(())
    }
    fn undo(&mut self) -> Option<Move> {
        let mv = self.history.pop()?;
        if let Move::Place(cell) = mv {
            self.cells[index(cell)] = None;
        }
        Some(mv)
    }
    fn history(&self) -> &[Move] {
        &self.history
    }
    fn outcome(&self) -> Option<Outcome> {
        let won = LINES.iter().find(|line| {
            self.cells[line[0]].is_some() && line.iter().all(|at| self.cells[*at] == self.cells[line[0]])
        });
        match won {
            Some(line) => Some(Outcome::Win {
                side: self.cells[line[0]]?,
                cells: line.iter().map(|at| cell(*at)).collect(),
                reason: EndReason::Connection,
            }),
            None if self.cells.iter().all(Option::is_some) => Some(Outcome::Draw),
            None => None,
        }
    }
    fn hash(&self) -> u64 {
        0
    }
    fn canonical_hash(&self) -> u64 {
        0
    }
    fn format_move(&self, mv: Move) -> String {
        match mv {
            Move::Place(cell) => format!("{}{}", char::from(b'a' + cell.col), 3 - cell.row),
            Move::Swap => "swap".into(),
            other => format!("{other:?}"),
        }
    }
    fn parse_move(&self, text: &str) -> Result<Move, IllegalMove> {
        let moves = (0..9).map(|at| Move::Place(cell(at))).chain([Move::Swap]);
        moves
            .into_iter()
            .find(|mv| self.format_move(*mv) == text)
            .ok_or_else(|| IllegalMove::Syntax { text: text.into(), accepted: "a1 to c3".into() })
    }
    fn boxed(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }
}

impl Game for TicTacToe {
    fn name(&self) -> &'static str {
        "tictactoe"
    }
    fn rules(&self) -> &'static [&'static str] {
        &["plain"]
    }
    fn openings(&self) -> &'static [&'static str] {
        &["free", "swap"]
    }
    fn default_size(&self) -> (u8, u8) {
        (3, 3)
    }
    fn position(&self, setup: &Setup) -> Result<Box<dyn Position>, SetupError> {
        Ok(Box::new(Board { cells: [None; 9], history: Vec::new(), swap: setup.opening == "swap" }))
    }
    fn parse(&self, text: &str, defaults: &Setup) -> Result<Box<dyn Position>, TextError> {
        let mut position = self.position(defaults).map_err(|e| TextError::new(1, 1, e.0))?;
        let moves = text.split(['[', ']', ';', '(', ')', '\n']).filter(|word| word.len() > 1);
        for word in moves {
            position
                .parse_move(word)
                .and_then(|mv| position.play(mv))
                .map_err(|e| TextError::new(1, 1, e.to_string()))?;
        }
        Ok(position)
    }
    fn parse_openings(&self, _: &str, _: &Setup) -> Result<Vec<Box<dyn Position>>, TextError> {
        Ok(Vec::new())
    }
    fn setup_of(&self, position: &dyn Position) -> Setup {
        let swap = position.downcast::<Board>().is_some_and(|board| board.swap);
        Setup { opening: if swap { "swap".into() } else { String::new() }, ..Setup::empty(3, 3) }
    }
    fn write_sgf(&self, record: &Record) -> String {
        let mut position = self.position(&record.setup).unwrap();
        let mut text = String::from("(");
        for (mv, _) in &record.moves {
            text += &format!(";B[{}]", position.format_move(*mv));
            position.play(*mv).unwrap();
        }
        text + ")"
    }
    fn draw_svg(&self, _: &dyn Position, _: &Picture) -> String {
        String::new()
    }
    fn draw_text(&self, position: &dyn Position, _: &Picture, _: bool) -> String {
        let glyph = |at| match position.at(cell(at)) {
            Some(Side::Black) => 'X',
            Some(Side::White) => 'O',
            None => '.',
        };
        (0..3).map(|row| (0..3).map(|col| glyph(row * 3 + col)).chain(['\n']).collect::<String>()).collect()
    }
    fn layers(&self) -> &'static [(&'static str, &'static str)] {
        &[("corners", "the corners")]
    }
    fn layer(&self, _: &dyn Position, name: &str) -> Option<Layer> {
        let corner =
            |at| LayerCell { cell: cell(at), value: 0.5, label: "C".into(), side: Some(Side::White) };
        (name == "corners").then(|| Layer { cells: [0, 2, 6, 8].map(corner).into(), links: Vec::new() })
    }
    fn engines(&self) -> &'static [EngineInfo] {
        &[
            EngineInfo {
                name: "first",
                about: "plays the first move",
                options: &[],
                make: |_| make(Kind::First),
            },
            EngineInfo {
                name: "slow",
                about: "thinks until stopped",
                options: &[],
                make: |_| make(Kind::Slow),
            },
            EngineInfo { name: "crash", about: "panics", options: &[], make: |_| make(Kind::Crash) },
            EngineInfo {
                name: "cheat",
                about: "plays on a stone",
                options: &[],
                make: |_| make(Kind::Cheat),
            },
        ]
    }
}

enum Kind {
    First,
    Slow,
    Crash,
    Cheat,
}

fn make(kind: Kind) -> Result<Box<dyn Engine>, EngineError> {
    Ok(Box::new(kind))
}

impl Engine for Kind {
    fn name(&self) -> &str {
        "test"
    }
    fn think(
        &mut self,
        position: &dyn Position,
        _: &Limits,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        let mut mv = position.legal_moves()[0];
        let line = Line { moves: vec![mv], win_rate: 0.5, ..Line::default() };
        let said = Report { depth: 1, win_rate: 0.5, nodes: 9, lines: vec![line], ..Report::default() };
        report(&said);
        match self {
            Kind::First => {}
            Kind::Slow => {
                while !watch.is_stopped() {
                    std::thread::sleep(std::time::Duration::from_millis(1));
                }
            }
            Kind::Crash => panic!("a crash on purpose"),
            Kind::Cheat => mv = *position.history().first().unwrap_or(&Move::Extend),
        }
        Ok(Decision { mv, report: said })
    }
}

/// A session against one of the engines above, without options.
pub(crate) fn session(engine: &str, opening: &str, human: Option<Side>) -> super::controller::Controller {
    let info = *TicTacToe.engines().iter().find(|info| info.name == engine).unwrap();
    let thinker = super::thinker::Thinker::start(Box::new(move || (info.make)(&Options::new()))).unwrap();
    let settings = super::controller::PlaySettings {
        game: &TicTacToe,
        human,
        engine: engine.into(),
        limits: Limits::default(),
        control: None,
    };
    let position = TicTacToe.position(&setup(opening)).unwrap();
    super::controller::Controller::new(settings, position, thinker)
}

pub(crate) fn setup(opening: &str) -> Setup {
    Setup { opening: opening.into(), ..Setup::empty(3, 3) }
}
