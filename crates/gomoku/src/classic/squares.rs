//! `classic-squares`, alpha-beta over shape counts, each squared and times its value.
//!
//! Squaring rewards double threats; the side to move counts double; every stone adds its ring. All empty cells are
//! searched, by ring plus black neighbours. The original counts its six shape classes in six threads; `parallel=on` does the
//! same with our line tallies, to show what it costs (docs/classic-gomoku.md has the figures).

use super::lines::{BLACK, EMPTY, Lines, Scorer, WHITE};
use super::player::{Classic, ClassicEngine};
use super::turn::Turn;
use super::xray::Content;
use crate::Position;
use ::game::{Cell, EngineInfo, Side, XrayTerm};
use search::adversarial::Game;

/// A class of shapes: its forms (`1` own, `0` empty, `2` opponent or edge) and its value.
struct ShapeClass {
    forms: &'static [&'static str],
    value: i64,
}

/// The table of the source. It prints the second closed four as `2111110`, which holds a five already; the mirror image of the
/// first, `211110`, must be meant.
const CLASSES: [ShapeClass; 6] = [
    ShapeClass { forms: &["011110"], value: 40_000_000 },
    ShapeClass { forms: &["011112", "10111", "11011", "11101", "211110"], value: 1_000_000 },
    ShapeClass { forms: &["01110", "010110", "011010"], value: 500_000 },
    ShapeClass {
        forms: &["001112", "211100", "010112", "011012", "10011", "11001", "10101", "2011102"],
        value: 10_000,
    },
    ShapeClass { forms: &["00110", "01100", "01010", "010010"], value: 500 },
    ShapeClass { forms: &["000112", "211000", "010012", "10001", "2010102", "2011002"], value: 10 },
];
const FIVE: f64 = 100_000_000.0;

/// The entry in the list of engines.
pub const INFO: EngineInfo = EngineInfo {
    name: "classic-squares",
    about: "alpha-beta over squared shape counts, the side to move counted double",
    options: &[("parallel", "count the shape classes in six threads: on or off (off)")],
    make: |options| {
        options.check(INFO.options)?;
        let parallel = options.switch("parallel", false)?;
        Ok(Box::new(ClassicEngine::new(Settings { parallel })))
    },
};

#[derive(Clone, Copy)]
pub(super) struct Settings {
    parallel: bool,
}

impl Settings {
    pub(super) fn plain() -> Settings {
        Settings { parallel: false }
    }
}

impl Classic for Settings {
    type Game = SquaresGame;
    const NAME: &'static str = "classic-squares";
    const DEPTH: u32 = 3;

    fn game(&self, position: &Position) -> SquaresGame {
        let mut game = SquaresGame {
            lines: Lines::new(usize::from(position.board().size()), Counts),
            turn: Turn::of(position),
            rings: [0; 2],
            parallel: self.parallel,
            ranked: Vec::new(),
        };
        for (side, cell) in super::player::stones(position) {
            game.put(cell, if side == Side::Black { BLACK } else { WHITE });
        }
        game
    }
}

/// The scorer: how often each class occurs, Black's six counts first.
#[derive(Clone, Copy)]
struct Counts;

impl Scorer<12> for Counts {
    fn tally(&self, line: &[u8], _eligible: u32) -> [i32; 12] {
        let mut counts = [0; 12];
        for (class, count) in (0..6).map(|class| (class, class_counts(line, class))) {
            counts[class] = count[0];
            counts[class + 6] = count[1];
        }
        counts
    }
}

/// How often one class occurs in a line, for Black and for White.
fn class_counts(line: &[u8], class: usize) -> [i32; 2] {
    let mut counts = [0; 2];
    for form in CLASSES[class].forms {
        for start in -1..line.len() as isize {
            for (side, own) in [BLACK, WHITE].into_iter().enumerate() {
                counts[side] += i32::from(fits(line, form, start, own));
            }
        }
    }
    counts
}

/// The game as it is searched.
#[derive(Clone)]
pub(super) struct SquaresGame {
    lines: Lines<Counts, 12>,
    turn: Turn,
    /// Sum of the rings of Black's and White's stones.
    rings: [i64; 2],
    parallel: bool,
    ranked: Vec<(i32, u16)>,
}

impl SquaresGame {
    fn put(&mut self, cell: usize, colour: u8) {
        let old = self.lines.cells[cell];
        for (side, own) in [BLACK, WHITE].into_iter().enumerate() {
            let change = i64::from(colour == own) - i64::from(old == own);
            self.rings[side] += change * i64::from(self.lines.ring(cell));
        }
        self.lines.set(cell, colour);
    }

    /// The counts, taken in six threads over the whole board, as the original does at every leaf.
    fn counts_in_threads(&self) -> [i32; 12] {
        let size = self.lines.size;
        let cells = &self.lines.cells;
        let mut counts = [0; 12];
        if cfg!(target_family = "wasm") {
            // A page has no threads to start.
            for class in 0..6 {
                [counts[class], counts[class + 6]] = count_board(cells, size, class);
            }
            return counts;
        }
        std::thread::scope(|scope| {
            let workers: Vec<_> =
                (0..6).map(|class| scope.spawn(move || count_board(cells, size, class))).collect();
            for (class, worker) in workers.into_iter().enumerate() {
                if let Ok([black, white]) = worker.join() {
                    counts[class] = black;
                    counts[class + 6] = white;
                }
            }
        });
        counts
    }
}

/// The classes by name, for people.
const NAMES: [&str; 6] = ["open-four", "four", "open-three", "sleeping-three", "open-two", "sleeping-two"];

/// What is found: the forms line by line, and the terms that the counts, squared, add up to.
pub(super) fn xray(position: &Position, lines: &mut [Content]) -> Vec<XrayTerm> {
    let mut counts = [[0i64; 2]; 6];
    let mut places: Vec<[Vec<Cell>; 2]> = vec![Default::default(); 6];
    for line in lines {
        for (class, ShapeClass { forms, .. }) in CLASSES.iter().enumerate() {
            for form in *forms {
                for start in -1..line.cells.len() as isize {
                    for side in Side::BOTH {
                        if fits(&line.cells, form, start, [BLACK, WHITE][side.index()]) {
                            counts[class][side.index()] += 1;
                            let at = |i: usize| usize::try_from(start + i as isize).ok();
                            let own = form.bytes().enumerate().filter(|(_, want)| *want == b'1');
                            let own: Vec<Cell> =
                                own.filter_map(|(i, _)| line.found.cells.get(at(i)?).copied()).collect();
                            places[class][side.index()].extend(own);
                            line.note(form, side, start as i32, 0.0);
                        }
                    }
                }
            }
        }
    }
    let to_move = ::game::Position::to_move(position);
    let mut terms = Vec::new();
    for side in Side::BOTH {
        let sign = if side == Side::Black { 1.0 } else { -1.0 } * if side == to_move { 2.0 } else { 1.0 };
        for (class, ShapeClass { value, .. }) in CLASSES.iter().enumerate() {
            let count = counts[class][side.index()];
            if count > 0 {
                terms.push(XrayTerm {
                    name: NAMES[class].into(),
                    side: Some(side),
                    amount: count as f64,
                    value: sign * (count * count * value) as f64,
                    cells: std::mem::take(&mut places[class][side.index()]),
                });
            }
        }
        let size = usize::from(position.board().size());
        let stones: Vec<usize> =
            super::player::stones(position).filter(|stone| stone.0 == side).map(|stone| stone.1).collect();
        let ring = |cell: usize| {
            let (row, col, last) = (cell / size, cell % size, size - 1);
            row.min(col).min(last - row).min(last - col)
        };
        let rings: usize = stones.iter().map(|cell| ring(*cell)).sum();
        terms.push(XrayTerm {
            name: "rings".into(),
            side: Some(side),
            amount: rings as f64,
            value: sign * rings as f64,
            cells: stones.iter().map(|cell| Cell::new((cell / size) as u8, (cell % size) as u8)).collect(),
        });
    }
    terms
}

/// Has this window of a line the form, for `own`?
fn fits(line: &[u8], form: &str, start: isize, own: u8) -> bool {
    let at = |place: isize| usize::try_from(place).ok().and_then(|place| line.get(place)).copied();
    form.bytes().enumerate().all(|(i, want)| match (want, at(start + i as isize)) {
        (b'0', cell) => cell == Some(EMPTY),
        (b'1', cell) => cell == Some(own),
        (_, cell) => cell.is_none_or(|cell| cell != EMPTY && cell != own),
    })
}

/// One class counted over all lines of a board.
fn count_board(cells: &[u8], size: usize, class: usize) -> [i32; 2] {
    let mut counts = [0; 2];
    let mut count = |line: Vec<u8>| {
        let found = class_counts(&line, class);
        counts[0] += found[0];
        counts[1] += found[1];
    };
    for i in 0..size {
        count((0..size).map(|k| cells[i * size + k]).collect());
        count((0..size).map(|k| cells[k * size + i]).collect());
    }
    for d in 0..2 * size - 1 {
        let rows = d.saturating_sub(size - 1)..size.min(d + 1);
        count(rows.clone().map(|row| cells[row * size + d - row]).collect());
        count(rows.map(|row| cells[row * size + size - 1 - (d - row)]).collect());
    }
    counts
}

impl Game for SquaresGame {
    type Move = u16;

    fn moves(&mut self, out: &mut Vec<u16>) {
        let size = self.lines.size as isize;
        let mut ranked = std::mem::take(&mut self.ranked);
        ranked.clear();
        for cell in 0..self.lines.cells.len() {
            if self.lines.cells[cell] != EMPTY {
                continue;
            }
            let (row, col) = (cell as isize / size, cell as isize % size);
            let neighbours = (-1..=1).flat_map(|dr| (-1..=1).map(move |dc| (row + dr, col + dc)));
            let black = neighbours
                .filter(|(r, c)| (0..size).contains(r) && (0..size).contains(c))
                .filter(|(r, c)| self.lines.cells[(r * size + c) as usize] == BLACK)
                .count();
            ranked.push((-(self.lines.ring(cell) + black as i32), cell as u16));
        }
        ranked.sort_unstable();
        out.extend(ranked.iter().map(|(_, cell)| *cell));
        self.ranked = ranked;
    }

    fn play(&mut self, mv: u16) {
        self.put(usize::from(mv), self.turn.stone());
        self.turn.play(|| self.lines.five_through(usize::from(mv)));
    }

    fn undo(&mut self, mv: u16) {
        self.put(usize::from(mv), EMPTY);
        self.turn.undo();
    }

    fn is_over(&self) -> bool {
        self.turn.black_won().is_some()
    }

    fn evaluate(&self) -> f64 {
        if let Some(black) = self.turn.black_won() {
            return if black { FIVE } else { -FIVE };
        }
        let counts = if self.parallel { self.counts_in_threads() } else { self.lines.total };
        let mut benefit = self.rings;
        for (class, ShapeClass { value, .. }) in CLASSES.iter().enumerate() {
            benefit[0] += i64::from(counts[class]).pow(2) * value;
            benefit[1] += i64::from(counts[class + 6]).pow(2) * value;
        }
        benefit[usize::from(!self.turn.black_to_move)] *= 2;
        (benefit[0] - benefit[1]) as f64
    }

    fn max_to_move(&self) -> bool {
        self.turn.black_to_move
    }

    fn result(&self) -> Option<f64> {
        self.turn.result(self.lines.stones == self.lines.cells.len())
    }
}
