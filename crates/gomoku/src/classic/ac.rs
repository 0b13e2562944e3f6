//! `classic-ac`, alpha-beta over line patterns found by an Aho-Corasick automaton.
//!
//! Black is MAX. The score of a line is the sum over the *distinct* patterns in it; a node whose score exceeds
//! 35000 either way is a won game. Successors are all cells in row order, stably sorted by what a stone there
//! gains (cells with no stone within two cells: by their ring), and only the first eleven are searched.
//! Every technique can be switched off to see what it buys.

use super::lines::{BLACK, EMPTY, LONGEST, Lines, Scorer, WHITE};
use super::player::{Classic, ClassicEngine};
use super::xray::Content;
use crate::Position;
use ::game::{AutomatonStep, EngineError, EngineInfo, Options, Side};
use aho_corasick::Anchored;
use aho_corasick::automaton::{Automaton as _, StateID};
use aho_corasick::dfa::DFA;
use aho_corasick::nfa::noncontiguous::NFA;
use search::adversarial::Game;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::LazyLock;

/// A score beyond this is a finished game: only a five scores so much.
const WON: i32 = 35_000;

/// Black's patterns (`1` black, `0` empty) with their scores; White's are the same with `2`, negated.
const PATTERNS: [(&str, i32); 16] = [
    ("11111", 50_000),
    ("011110", 4_320),
    ("011100", 720),
    ("001110", 720),
    ("011010", 720),
    ("010110", 720),
    ("11110", 720),
    ("01111", 720),
    ("11011", 720),
    ("10111", 720),
    ("11101", 720),
    ("001100", 120),
    ("001010", 120),
    ("010100", 120),
    ("000100", 20),
    ("001000", 20),
];

/// The entry in the list of engines.
pub const INFO: EngineInfo = EngineInfo {
    name: "classic-ac",
    about: "alpha-beta over Aho-Corasick line patterns, eleven ordered successors",
    options: &[
        ("width", "successors searched at each node: a number or 'all' (11)"),
        ("ordering", "sort successors by the score they gain: on or off (on)"),
        ("pruning", "alpha-beta cuts: on or off; off is plain minimax (on)"),
    ],
    make: |options| {
        options.check(INFO.options)?;
        let width = width(options)?;
        let (ordering, pruning) = (options.switch("ordering", true)?, options.switch("pruning", true)?);
        let settings = Settings { width, ordering, pruning };
        Ok(Box::new(ClassicEngine::new(settings)))
    },
};

fn width(options: &Options) -> Result<Option<usize>, EngineError> {
    match options.get("width") {
        None => Ok(Some(11)),
        Some("all") => Ok(None),
        Some(value) => match value.parse() {
            Ok(width) if width > 0 => Ok(Some(width)),
            _ => Err(EngineError::Option {
                key: "width".into(),
                value: value.into(),
                problem: "accepted: a number from 1, or 'all'".into(),
            }),
        },
    }
}

/// Which techniques are on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// Successors searched at each node; `None`: all.
    width: Option<usize>,
    ordering: bool,
    pruning: bool,
}

impl Settings {
    /// As asked for in a search to be watched: a width of 0 is no truncation.
    pub(super) fn asked(width: Option<usize>, ordering: Option<bool>) -> Settings {
        let width = width.map_or(Some(11), |width| Some(width).filter(|width| *width > 0));
        Settings { width, ordering: ordering.unwrap_or(true), pruning: true }
    }
}

impl Classic for Settings {
    type Game = AcGame;
    const NAME: &'static str = "classic-ac";
    const DEPTH: u32 = 4;

    fn game(&self, position: &Position) -> AcGame {
        let lines = Lines::new(usize::from(position.board().size()), &*AUTOMATON);
        let mut far: Vec<_> = (0..lines.cells.len()).map(|cell| (-lines.ring(cell), cell)).collect();
        far.sort_unstable();
        let mut game = AcGame {
            lines,
            far: far.into(),
            black_to_move: ::game::Position::to_move(position) == Side::Black,
            ply: 0,
            settings: *self,
            order: Vec::new(),
        };
        for (side, cell) in super::player::stones(position) {
            game.lines.set(cell, if side == Side::Black { BLACK } else { WHITE });
        }
        game
    }

    fn pruning(&self) -> bool {
        self.pruning
    }
}

/// The scorer: the Aho-Corasick automaton over all patterns of both colours, laid out as one small table.
struct Automaton {
    /// The state after each state and cell (0 empty, 1 black, 2 white).
    next: Vec<[u16; 3]>,
    /// The patterns that end in each state, a bit each: Black's first, then White's.
    ends: Vec<u32>,
}

static AUTOMATON: LazyLock<Automaton> = LazyLock::new(|| {
    let built = DFA::builder().build(patterns()).expect("the patterns are fixed and few");
    let start = built.start_state(Anchored::No).expect("unanchored is how it was built");
    let mut states = vec![start];
    let mut automaton = Automaton { next: Vec::new(), ends: Vec::new() };
    while let Some(&state) = states.get(automaton.next.len()) {
        automaton.next.push([0, 1, 2].map(|cell| {
            let next = built.next_state(Anchored::No, state, cell);
            let known = states.iter().position(|known| *known == next);
            known.unwrap_or_else(|| {
                states.push(next);
                states.len() - 1
            }) as u16
        }));
        let ends = if built.is_match(state) { built.match_len(state) } else { 0 };
        automaton.ends.push((0..ends).fold(0, |ends, i| ends | 1 << built.match_pattern(state, i).as_u32()));
    }
    automaton
});

/// Black's patterns, then White's, as cells.
fn patterns() -> Vec<Vec<u8>> {
    let white = PATTERNS.iter().map(|(pattern, _)| pattern.replace('1', "2"));
    let black = PATTERNS.iter().map(|(pattern, _)| pattern.to_string());
    black.chain(white).map(|p| p.bytes().map(|b| b - b'0').collect()).collect()
}

/// The longest pattern: so many cells after a change, the automaton is in the state it was in before.
const REACH: usize = 6;

impl Automaton {
    /// The state after one more cell.
    fn step(&self, state: u16, cell: u8) -> u16 {
        self.next[usize::from(state)][usize::from(cell)]
    }

    /// The patterns that end in a state.
    fn ends(&self, state: u16) -> u32 {
        self.ends[usize::from(state)]
    }
}

/// What a set of patterns scores.
fn score(mut found: u32) -> i32 {
    let mut score = 0;
    while found != 0 {
        let pattern = found.trailing_zeros() as usize;
        score += if pattern < PATTERNS.len() {
            PATTERNS[pattern].1
        } else {
            -PATTERNS[pattern - PATTERNS.len()].1
        };
        found &= found - 1;
    }
    score
}

impl Scorer<1> for &Automaton {
    fn tally(&self, line: &[u8], _eligible: u32) -> [i32; 1] {
        let (mut state, mut found) = (0, 0);
        for cell in line {
            state = self.step(state, *cell);
            found |= self.ends(state);
        }
        [score(found)]
    }

    /// A stone can only touch the patterns that end within its reach; what ends before and after stays.
    fn gains(&self, line: &[u8], colour: u8) -> Option<[i32; LONGEST]> {
        let mut states = [0; LONGEST + 1];
        let mut before = [0; LONGEST + 1];
        let mut after = [0; LONGEST + 1];
        for (i, cell) in line.iter().enumerate() {
            states[i + 1] = self.step(states[i], *cell);
            before[i + 1] = before[i] | self.ends(states[i + 1]);
        }
        for i in (0..line.len()).rev() {
            after[i] = after[i + 1] | self.ends(states[i + 1]);
        }
        let base = score(before[line.len()]);
        let mut gains = [0; LONGEST];
        for place in (0..line.len()).filter(|place| line[*place] == EMPTY) {
            let until = (place + REACH).min(line.len());
            let mut state = self.step(states[place], colour);
            let mut found = before[place] | after[until] | self.ends(state);
            for cell in &line[place + 1..until] {
                state = self.step(state, *cell);
                found |= self.ends(state);
            }
            gains[place] = score(found) - base;
        }
        Some(gains)
    }
}

/// The first `width` cells by (key, cell), which is a stable sort by key of cells in row order.
struct Best<'a> {
    order: &'a mut Vec<(i32, u16)>,
    width: usize,
}

impl Best<'_> {
    fn new(order: &mut Vec<(i32, u16)>, width: usize) -> Best<'_> {
        order.clear();
        Best { order, width }
    }

    /// Is the list of best cells full of better ones than this?
    fn refuses(&self, key: i32, cell: usize) -> bool {
        self.order.len() == self.width && self.order.last().is_some_and(|last| (key, cell as u16) > *last)
    }

    fn offer(&mut self, key: i32, cell: usize) {
        if self.refuses(key, cell) {
            return;
        }
        if self.order.len() == self.width {
            self.order.pop();
        }
        let entry = (key, cell as u16);
        let at = self.order.iter().rposition(|known| *known < entry).map_or(0, |at| at + 1);
        self.order.insert(at, entry);
    }
}

/// The states of the automaton, each with the text that leads to it, for showing how a line is read.
struct States {
    automaton: NFA,
    texts: HashMap<StateID, String>,
}

static STATES: LazyLock<States> = LazyLock::new(|| {
    let automaton = NFA::new(patterns()).expect("the patterns are fixed and few");
    // Breadth first, the first text that reaches a state is the shortest: the beginning of a pattern it stands for.
    let mut texts = HashMap::new();
    let mut queue = VecDeque::new();
    if let Ok(start) = automaton.start_state(Anchored::No) {
        texts.insert(start, String::new());
        queue.push_back(start);
    }
    while let Some(state) = queue.pop_front() {
        for cell in [EMPTY, BLACK, WHITE] {
            let next = automaton.next_state(Anchored::No, state, cell);
            if !texts.contains_key(&next) {
                texts.insert(next, format!("{}{cell}", texts[&state]));
                queue.push_back(next);
            }
        }
    }
    States { automaton, texts }
});

/// Reads a line as the automaton does: the states walked, the patterns found and what the distinct ones add.
pub(super) fn xray_line(line: &mut Content) {
    let States { automaton, texts } = &*STATES;
    let Ok(mut state) = automaton.start_state(Anchored::No) else { return };
    for place in 0..line.cells.len() {
        state = automaton.next_state(Anchored::No, state, line.cells[place]);
        let mut found = Vec::new();
        if automaton.is_match(state) {
            for index in 0..automaton.match_len(state) {
                let number = automaton.match_pattern(state, index).as_usize();
                let black = number < PATTERNS.len();
                let (pattern, score) = PATTERNS[number % PATTERNS.len()];
                let side = if black { Side::Black } else { Side::White };
                let start = place as i32 + 1 - pattern.len() as i32;
                // A pattern counts once a line, however often it is found.
                let again = line.found.patterns.iter().any(|p| p.pattern == pattern && p.side == side);
                let value = f64::from(if black { score } else { -score }) * f64::from(u8::from(!again));
                line.note(pattern, side, start, value);
                line.found.score += value;
                found.push(if black { pattern.to_string() } else { pattern.replace('1', "2") });
            }
        }
        let text = texts.get(&state).cloned().unwrap_or_default();
        line.found.states.push(AutomatonStep { state: state.as_u32(), text, found });
    }
}

/// The game as it is searched: the board score, and ordered successors.
#[derive(Clone)]
pub(super) struct AcGame {
    lines: Lines<&'static Automaton, 1>,
    black_to_move: bool,
    ply: u32,
    settings: Settings,
    /// All cells by (minus their ring, cell), as those with no stone near are ordered.
    far: Rc<[(i32, usize)]>,
    /// Scratch for sorting: key and cell.
    order: Vec<(i32, u16)>,
}

impl Game for AcGame {
    type Move = u16;

    fn moves(&mut self, out: &mut Vec<u16>) {
        let ordering = self.settings.ordering;
        let colour = if self.black_to_move { BLACK } else { WHITE };
        let sign = if self.black_to_move { -1 } else { 1 };
        if ordering {
            self.lines.sum_gains(colour);
        }
        let near = if ordering { self.lines.near(2) } else { [0; LONGEST] };
        let mut best = Best::new(&mut self.order, self.settings.width.unwrap_or(usize::MAX));
        for (row, near) in near[..self.lines.size].iter().enumerate() {
            let mut cols = near & !self.lines.occupied[row];
            while cols != 0 {
                let cell = row * self.lines.size + cols.trailing_zeros() as usize;
                best.offer(sign * self.lines.gains(colour)[cell], cell);
                cols &= cols - 1;
            }
        }
        // Far cells come from the centre outwards: after the first that is not wanted, none is.
        for &(key, cell) in self.far.iter() {
            let (row, col) = (cell / self.lines.size, cell % self.lines.size);
            if best.refuses(key, cell) {
                break;
            }
            if (near[row] | self.lines.occupied[row]) >> col & 1 == 0 {
                best.offer(key, cell);
            }
        }
        out.extend(best.order.iter().map(|(_, cell)| *cell));
    }

    fn play(&mut self, mv: u16) {
        self.lines.set(usize::from(mv), if self.black_to_move { BLACK } else { WHITE });
        self.black_to_move = !self.black_to_move;
        self.ply += 1;
    }

    fn undo(&mut self, mv: u16) {
        self.lines.set(usize::from(mv), EMPTY);
        self.black_to_move = !self.black_to_move;
        self.ply -= 1;
    }

    fn is_over(&self) -> bool {
        self.ply > 0 && self.lines.total[0].abs() > WON
    }

    fn evaluate(&self) -> f64 {
        f64::from(self.lines.total[0])
    }

    fn max_to_move(&self) -> bool {
        self.black_to_move
    }

    fn result(&self) -> Option<f64> {
        let score = self.lines.total[0];
        if score.abs() > WON {
            Some(if score > 0 { 1.0 } else { 0.0 })
        } else {
            (self.lines.stones == self.lines.cells.len()).then_some(0.5)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The order as the source describes it: every cell tried, all sorted.
    fn slow_moves(game: &AcGame) -> Vec<u16> {
        let (size, mut lines) = (game.lines.size, game.lines.clone());
        let colour = if game.black_to_move { BLACK } else { WHITE };
        let close =
            |a: usize, b: usize| (a / size).abs_diff(b / size) <= 2 && (a % size).abs_diff(b % size) <= 2;
        let mut order = Vec::new();
        for cell in (0..size * size).filter(|cell| game.lines.cells[*cell] == EMPTY) {
            let near = (0..size * size).any(|other| game.lines.cells[other] != EMPTY && close(cell, other));
            let key = if game.settings.ordering && near {
                let before = lines.total[0];
                lines.set(cell, colour);
                let gain = lines.total[0] - before;
                lines.set(cell, EMPTY);
                if game.black_to_move { -gain } else { gain }
            } else {
                -game.lines.ring(cell)
            };
            order.push((key, cell as u16));
        }
        order.sort_by_key(|(key, _)| *key);
        order.iter().map(|(_, cell)| *cell).take(game.settings.width.unwrap_or(usize::MAX)).collect()
    }

    proptest! {
        #[test]
        fn successors_come_in_the_order_of_the_source(
            size in 5usize..=22,
            stones in prop::collection::vec((0usize..22, 0usize..22, any::<bool>()), 0..40),
            width in prop::option::of(1usize..30),
            ordering: bool,
        ) {
            let lines = Lines::new(size, &*AUTOMATON);
            let mut far: Vec<_> = (0..size * size).map(|cell| (-lines.ring(cell), cell)).collect();
            far.sort_unstable();
            let settings = Settings { width, ordering, pruning: true };
            let mut game =
                AcGame { lines, black_to_move: true, ply: 0, settings, order: Vec::new(), far: far.into() };
            for (row, col, black) in stones {
                game.lines.set(row % size * size + col % size, if black { BLACK } else { WHITE });
                let mut fast = Vec::new();
                game.moves(&mut fast);
                prop_assert_eq!(&fast, &slow_moves(&game));
                game.black_to_move = !game.black_to_move;
            }
        }
    }
}
