//! `classic-shapes`, alpha-beta over seven shapes, counted once per stone in them.
//!
//! White adds and Black subtracts in the original; here MAX is Black, so the signs are exchanged and nothing else.
//! The original evaluates only the cells of rows and columns 2 to 12 and compares windows that lie on the board,
//! so it is blind near the edge; `edges=original` shows those blunders, the default sees the whole board and
//! treats the edge as an opponent's stone. The source shows the shapes as pictures; the forms below are its
//! counts of them (four: three forms, open three: two, sleeping three: six, open two: three, sleeping two: four)
//! with their mirror images.

use super::lines::{BLACK, EMPTY, Lines, Scorer, WHITE};
use super::player::{Classic, ClassicEngine};
use super::turn::Turn;
use super::xray::Content;
use crate::Position;
use ::game::{EngineError, EngineInfo, Side};
use search::adversarial::Game;

/// Forms (`1` own, `0` empty, `2` opponent or edge) and the value each stone in one adds.
const FORMS: [(&str, i32); 19] = [
    ("11111", 10_000),
    ("011110", 1_000),
    ("211110", 100),
    ("11011", 100),
    ("10111", 100),
    ("01110", 100),
    ("010110", 100),
    ("211100", 10),
    ("211010", 10),
    ("210110", 10),
    ("10011", 10),
    ("10101", 10),
    ("2011102", 10),
    ("001100", 5),
    ("01010", 5),
    ("010010", 5),
    ("211000", 1),
    ("210100", 1),
    ("210010", 1),
];
/// The fourth sleeping two has no blocked end.
const WIDE_TWO: (&str, i32) = ("10001", 1);
/// More than any sum of shapes.
const WON: f64 = 999_999.0;

/// The entry in the list of engines.
pub const INFO: EngineInfo = EngineInfo {
    name: "classic-shapes",
    about: "alpha-beta over seven shapes, counted once per stone in them",
    options: &[(
        "edges",
        "fixed, or original: misses shapes near the edge, as the original program did (fixed)",
    )],
    make: |options| {
        options.check(INFO.options)?;
        let original = match options.get("edges") {
            // `mended` is the name of an earlier release.
            None | Some("fixed" | "mended") => false,
            Some("original") => true,
            Some(value) => {
                return Err(EngineError::Option {
                    key: "edges".into(),
                    value: value.into(),
                    problem: "accepted: fixed, original".into(),
                });
            }
        };
        Ok(Box::new(ClassicEngine::new(Settings { shapes: Shapes::new(original) })))
    },
};

#[derive(Clone)]
pub(super) struct Settings {
    shapes: Shapes,
}

impl Settings {
    pub(super) fn fixed() -> Settings {
        Settings { shapes: Shapes::new(false) }
    }
}

impl Classic for Settings {
    type Game = ShapesGame;
    const NAME: &'static str = "classic-shapes";
    const DEPTH: u32 = 4;

    fn game(&self, position: &Position) -> ShapesGame {
        let size = usize::from(position.board().size());
        let mut game = ShapesGame {
            lines: Lines::new(size, Shapes { size, ..self.shapes.clone() }),
            turn: Turn::of(position),
            ranked: Vec::new(),
        };
        for (side, cell) in super::player::stones(position) {
            game.lines.set(cell, if side == Side::Black { BLACK } else { WHITE });
        }
        game
    }
}

/// The scorer.
#[derive(Clone)]
struct Shapes {
    forms: Vec<(Vec<u8>, i32)>,
    original: bool,
    size: usize,
}

impl Shapes {
    fn new(original: bool) -> Shapes {
        let mut forms: Vec<(Vec<u8>, i32)> = Vec::new();
        for (form, value) in FORMS.into_iter().chain([WIDE_TWO]) {
            let form: Vec<u8> = form.bytes().map(|b| b - b'0').collect();
            let mirror: Vec<u8> = form.iter().rev().copied().collect();
            if mirror != form {
                forms.push((mirror, value));
            }
            forms.push((form, value));
        }
        Shapes { forms, original, size: 15 }
    }

    /// The stones of this window that count, if it has the form for `own`.
    fn stones_in(&self, line: &[u8], start: isize, form: &[u8], own: u8, eligible: u32) -> i32 {
        let mut stones = 0;
        for (i, want) in form.iter().enumerate() {
            let at = start + i as isize;
            let cell = usize::try_from(at).ok().and_then(|at| line.get(at));
            let fits = match (cell, want) {
                (Some(cell), 0) => *cell == EMPTY,
                (Some(cell), 1) => *cell == own,
                (Some(cell), _) => *cell != EMPTY && *cell != own,
                (None, 2) => !self.original,
                (None, _) => false,
            };
            if !fits {
                return 0;
            }
            stones += i32::from(*want == 1 && eligible >> at & 1 != 0);
        }
        stones
    }
}

impl Scorer<1> for Shapes {
    fn tally(&self, line: &[u8], eligible: u32) -> [i32; 1] {
        let mut score = 0;
        for (form, value) in &self.forms {
            for start in -1..line.len() as isize {
                score += value * self.stones_in(line, start, form, BLACK, eligible);
                score -= value * self.stones_in(line, start, form, WHITE, eligible);
            }
        }
        [score]
    }

    fn eligible(&self, row: usize, col: usize) -> bool {
        let inner = 2..self.size.saturating_sub(2);
        !self.original || (inner.contains(&row) && inner.contains(&col))
    }
}

/// What is found in a line, edges fixed: every form for each of its stones.
pub(super) fn xray_line(line: &mut Content) {
    let shapes = Shapes::new(false);
    for (form, value) in &shapes.forms {
        for start in -1..line.cells.len() as isize {
            for (own, side, sign) in [(BLACK, Side::Black, 1), (WHITE, Side::White, -1)] {
                let stones = shapes.stones_in(&line.cells, start, form, own, u32::MAX);
                if stones > 0 {
                    let text: String = form.iter().map(|cell| char::from(b'0' + cell)).collect();
                    let worth = f64::from(sign * value * stones);
                    line.note(&text, side, start as i32, worth);
                    line.found.score += worth;
                }
            }
        }
    }
}

/// The game as it is searched: cells near stones, those that make five, open four or open three first.
#[derive(Clone)]
pub(super) struct ShapesGame {
    lines: Lines<Shapes, 1>,
    turn: Turn,
    ranked: Vec<(i32, u16)>,
}

impl Game for ShapesGame {
    type Move = u16;

    fn moves(&mut self, out: &mut Vec<u16>) {
        if self.lines.stones == 0 {
            out.push((self.lines.cells.len() / 2) as u16);
            return;
        }
        let colour = self.turn.stone();
        let mut ranked = std::mem::take(&mut self.ranked);
        ranked.clear();
        self.lines.sum_gains(colour);
        let (near, gains, size) = (self.lines.near(1), self.lines.gains(colour), self.lines.size);
        for cell in 0..self.lines.cells.len() {
            if self.lines.cells[cell] != EMPTY || near[cell / size] >> (cell % size) & 1 == 0 {
                continue;
            }
            let gain = if self.turn.black_to_move { gains[cell] } else { -gains[cell] };
            // The original asks what the stone makes; what it adds to the score tells: a five is worth at least 50000
            // (five stones), an open four 4000, an open three 300.
            let rank = match gain {
                20_000.. => 0,
                3_000.. => 1,
                250.. => 2,
                _ => 3,
            };
            ranked.push((rank, cell as u16));
        }
        ranked.sort_unstable();
        out.extend(ranked.iter().map(|(_, cell)| *cell));
        self.ranked = ranked;
    }

    fn play(&mut self, mv: u16) {
        self.lines.set(usize::from(mv), self.turn.stone());
        self.turn.play(|| self.lines.five_through(usize::from(mv)));
    }

    fn undo(&mut self, mv: u16) {
        self.lines.set(usize::from(mv), EMPTY);
        self.turn.undo();
    }

    fn is_over(&self) -> bool {
        self.turn.black_won().is_some()
    }

    fn evaluate(&self) -> f64 {
        match self.turn.black_won() {
            Some(true) => WON,
            Some(false) => -WON,
            None => f64::from(self.lines.total[0]),
        }
    }

    fn max_to_move(&self) -> bool {
        self.turn.black_to_move
    }

    fn result(&self) -> Option<f64> {
        self.turn.result(self.lines.stones == self.lines.cells.len())
    }
}
