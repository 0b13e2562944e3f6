//! `classic-ac`, the engine of source S1: alpha-beta over line patterns found by an Aho-Corasick automaton.
//!
//! Black is MAX. The score of a line is the sum over the *distinct* patterns in it; a node whose score exceeds
//! 35000 either way is a won game. Successors are all cells in row order, stably sorted by what a stone there
//! gains (cells with no stone within two cells: by their ring), and only the first eleven are searched.
//! Every device can be switched off to see what it buys.

use super::lines::{BLACK, EMPTY, Lines, Scorer, WHITE};
use super::player::{Classic, Player};
use super::xray::Content;
use crate::Position;
use ::game::{AutomatonStep, EngineError, EngineInfo, Options, Side};
use aho_corasick::automaton::{Automaton as _, StateID};
use aho_corasick::nfa::noncontiguous::NFA;
use aho_corasick::{AhoCorasick, Anchored};
use search::adversarial::Game;
use std::collections::{HashMap, VecDeque};
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
    about: "S1: alpha-beta with Aho-Corasick line patterns and eleven ordered successors",
    options: &[
        ("width", "successors searched at each node: a number or 'all' (11)"),
        ("ordering", "sort successors by the score they gain: on or off (on)"),
        ("pruning", "alpha-beta cuts: on or off; off is plain minimax (on)"),
    ],
    make: |options| {
        options.check(INFO.options)?;
        let on_off = |key: &str| match options.get(key) {
            None | Some("on") => Ok(true),
            Some("off") => Ok(false),
            Some(value) => Err(EngineError::Option {
                key: key.into(),
                value: value.into(),
                problem: "accepted: on, off".into(),
            }),
        };
        let width = width(options)?;
        let settings = Settings { width, ordering: on_off("ordering")?, pruning: on_off("pruning")? };
        Ok(Box::new(Player::new(settings)))
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

/// Which of S1's devices are on.
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
        let mut game = AcGame {
            lines: Lines::new(usize::from(position.board().size()), Automaton),
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

/// S1's scorer: the automaton over all patterns of both colours.
#[derive(Clone, Copy)]
struct Automaton;

static AUTOMATON: LazyLock<AhoCorasick> =
    LazyLock::new(|| AhoCorasick::builder().build(patterns()).expect("the patterns are fixed and few"));

/// Black's patterns, then White's, as cells.
fn patterns() -> Vec<Vec<u8>> {
    let white = PATTERNS.iter().map(|(pattern, _)| pattern.replace('1', "2"));
    let black = PATTERNS.iter().map(|(pattern, _)| pattern.to_string());
    black.chain(white).map(|p| p.bytes().map(|b| b - b'0').collect()).collect()
}

impl Scorer<1> for Automaton {
    fn tally(&self, line: &[u8], _eligible: u32) -> [i32; 1] {
        let mut found = 0u32;
        for matched in AUTOMATON.find_overlapping_iter(line) {
            found |= 1 << matched.pattern().as_u32();
        }
        let score = (0..PATTERNS.len()).map(|i| {
            let black = (found >> i & 1) as i32;
            let white = (found >> (i + PATTERNS.len()) & 1) as i32;
            (black - white) * PATTERNS[i].1
        });
        [score.sum()]
    }
}

/// The score of one line of cells (0 empty, 1 black, 2 white), and which of S1's patterns made it.
pub fn explain_line(line: &[u8]) -> Vec<(String, i32)> {
    let mut seen = [false; 2 * PATTERNS.len()];
    for matched in AUTOMATON.find_overlapping_iter(line) {
        seen[matched.pattern().as_usize()] = true;
    }
    let named = |i: usize| match i.checked_sub(PATTERNS.len()) {
        None => (PATTERNS[i].0.to_string(), PATTERNS[i].1),
        Some(i) => (PATTERNS[i].0.replace('1', "2"), -PATTERNS[i].1),
    };
    (0..seen.len()).filter(|i| seen[*i]).map(named).collect()
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

/// S1's game: the board score, and successors in S1's order.
#[derive(Clone)]
pub(super) struct AcGame {
    lines: Lines<Automaton, 1>,
    black_to_move: bool,
    ply: u32,
    settings: Settings,
    /// Scratch for sorting: key and cell.
    order: Vec<(i32, u16)>,
}

impl Game for AcGame {
    type Move = u16;

    fn moves(&mut self, out: &mut Vec<u16>) {
        let colour = if self.black_to_move { BLACK } else { WHITE };
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        for cell in 0..self.lines.cells.len() {
            if self.lines.cells[cell] != EMPTY {
                continue;
            }
            let key = if self.settings.ordering && self.lines.near_two(cell) {
                let gain = self.lines.gain(cell, colour);
                if self.black_to_move { -gain } else { gain }
            } else {
                -self.lines.ring(cell)
            };
            order.push((key, cell as u16));
        }
        // Cells come in row order, so sorting by (key, cell) is the stable sort by key.
        let width = self.settings.width.unwrap_or(order.len()).min(order.len());
        if width < order.len() {
            order.select_nth_unstable(width);
        }
        order[..width].sort_unstable();
        out.extend(order.iter().take(width).map(|(_, cell)| *cell));
        self.order = order;
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
