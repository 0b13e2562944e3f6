//! Starting positions of game pairs: openings from a file, or balanced random ones.
//!
//! Random openings are made when they are needed, in order and from a seed: a run that is resumed, or resumed
//! with more games, finds the same ones again.

use game::{Cell, Engine, Game, Limits, Move, Position, Setup, SetupError, StopFlag, TextError, Watch};
use search::Rng;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::Mutex;

/// Default number of stones in a random opening.
pub const DEFAULT_PLIES: usize = 4;
/// Attempts at one opening before the most balanced one so far is taken.
const ATTEMPTS: usize = 40;
/// Largest accepted distance of the judge's expected result from 1/2.
const TOLERANCE: f64 = 0.15;
/// The stream of a seed by which shipped openings are shuffled.
const SHIPPED: u64 = 1;
/// Node limit of the judge per opening. Nodes, not time: openings must not depend on the machine.
const JUDGE_NODES: u64 = 200;

/// Why there are no openings to play.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The text of the file is wrong.
    #[error("{file}: {error}")]
    Text {
        /// The file.
        file: String,
        /// The parse error with its line.
        error: TextError,
    },
    /// The file has no openings.
    #[error("{0}: no openings in it")]
    Empty(String),
    /// The game is already over in this opening.
    #[error("{file}: opening {number} is already decided")]
    Over {
        /// The file.
        file: String,
        /// Which one, from 1.
        number: usize,
    },
    /// No board of this set-up exists.
    #[error("{0}")]
    Setup(#[from] SetupError),
}

/// The openings of a run.
pub struct Openings(Source);

enum Source {
    List(Vec<Box<dyn Position>>),
    Random(Box<Mutex<Random>>),
}

impl Openings {
    /// Every game from one position.
    pub fn one(position: Box<dyn Position>) -> Openings {
        Openings(Source::List(vec![position]))
    }

    /// Reads a file in any format that the game knows.
    pub fn read(game: &dyn Game, file: &str, text: &str, setup: &Setup) -> Result<Openings, OpeningError> {
        let openings = game
            .parse_openings(text, setup)
            .map_err(|error| OpeningError::Text { file: file.into(), error })?;
        if openings.is_empty() {
            return Err(OpeningError::Empty(file.into()));
        }
        match openings.iter().position(|opening| opening.outcome().is_some()) {
            Some(index) => Err(OpeningError::Over { file: file.into(), number: index + 1 }),
            None => Ok(Openings(Source::List(openings))),
        }
    }

    /// Random openings of `plies` stones: near the centre and near each other, no two alike under symmetry. A
    /// judge (an engine and its name) picks balanced ones; without one any undecided position will do.
    pub fn random(
        game: &dyn Game,
        setup: &Setup,
        plies: usize,
        seed: u64,
        judge: Option<(String, Box<dyn Engine>)>,
    ) -> Result<Openings, OpeningError> {
        Ok(Openings(Source::Random(Box::new(Mutex::new(Random::new(game, setup, plies, seed, judge)?)))))
    }

    /// The openings that ship with the game for this set-up, in an order of the seed; after them, and where none ship,
    /// random ones of [`DEFAULT_PLIES`] stones that the judge thinks balanced.
    pub fn balanced(
        game: &dyn Game,
        setup: &Setup,
        seed: u64,
        judge: Option<(String, Box<dyn Engine>)>,
    ) -> Result<Openings, OpeningError> {
        let mut random = Random::new(game, setup, DEFAULT_PLIES, seed, judge)?;
        if let Some(text) = game.balanced_openings(setup) {
            let named =
                |error| OpeningError::Text { file: format!("the openings of {}", game.name()), error };
            let mut list = game.parse_openings(text, setup).map_err(named)?;
            Rng::stream(seed, SHIPPED).shuffle(&mut list);
            random.shipped = list.len();
            random.seen = list.iter().map(|opening| opening.canonical_hash()).collect();
            random.made = list;
        }
        Ok(Openings(Source::Random(Box::new(Mutex::new(random)))))
    }

    /// How many there are; random openings are unlimited.
    pub fn count(&self) -> usize {
        match &self.0 {
            Source::List(list) => list.len(),
            Source::Random(_) => u32::MAX as usize,
        }
    }

    /// Opening number `index`, from 0.
    pub fn get(&self, index: usize) -> Box<dyn Position> {
        match &self.0 {
            Source::List(list) => list[index % list.len()].boxed(),
            Source::Random(random) => random.lock().unwrap_or_else(|e| e.into_inner()).get(index),
        }
    }

    /// Do games start with moves on the board? Not every protocol supports that.
    pub fn have_moves(&self) -> bool {
        match &self.0 {
            Source::List(list) => list.iter().any(|opening| !opening.history().is_empty()),
            Source::Random(random) => random.lock().unwrap_or_else(|e| e.into_inner()).plies > 0,
        }
    }

    /// Identifies the openings in a journal.
    pub fn describe(&self) -> Value {
        match &self.0 {
            Source::List(list) => {
                let hashes = list.iter().map(|opening| opening.hash());
                let digest = hashes.fold(0u64, |sum, hash| Rng::new(sum ^ hash).next_u64());
                json!({"listed": list.len(), "digest": format!("{digest:016x}")})
            }
            Source::Random(random) => {
                let random = random.lock().unwrap_or_else(|e| e.into_inner());
                let judge = random.judge.as_ref().map(|(name, _)| name);
                let mut about = json!({"random": random.plies, "seed": random.seed, "judge": judge});
                if random.shipped > 0 {
                    about["shipped"] = random.shipped.into();
                }
                about
            }
        }
    }
}

struct Random {
    start: Box<dyn Position>,
    plies: usize,
    seed: u64,
    rng: Rng,
    judge: Option<(String, Box<dyn Engine>)>,
    made: Vec<Box<dyn Position>>,
    /// How many of them ship with the game.
    shipped: usize,
    seen: HashSet<u64>,
}

impl Random {
    fn new(
        game: &dyn Game,
        setup: &Setup,
        plies: usize,
        seed: u64,
        judge: Option<(String, Box<dyn Engine>)>,
    ) -> Result<Random, OpeningError> {
        let (start, rng) = (game.position(setup)?, Rng::new(seed));
        Ok(Random { start, plies, seed, rng, judge, made: Vec::new(), shipped: 0, seen: HashSet::new() })
    }

    fn get(&mut self, index: usize) -> Box<dyn Position> {
        while self.made.len() <= index {
            match self.make() {
                Some(opening) => {
                    self.seen.insert(opening.canonical_hash());
                    self.made.push(opening);
                }
                // A small board has only so many openings; they are played again.
                None if self.made.is_empty() => return self.start.boxed(),
                None => break,
            }
        }
        self.made[index % self.made.len()].boxed()
    }

    fn make(&mut self) -> Option<Box<dyn Position>> {
        let mut best: Option<(f64, Box<dyn Position>)> = None;
        for _ in 0..ATTEMPTS {
            let position = random_position(&*self.start, self.plies, &mut self.rng);
            if position.outcome().is_some() || self.seen.contains(&position.canonical_hash()) {
                continue;
            }
            let imbalance = self.judge.as_mut().map_or(0.0, |(_, judge)| imbalance(&mut **judge, &*position));
            if best.as_ref().is_none_or(|(least, _)| imbalance < *least) {
                best = Some((imbalance, position));
            }
            if imbalance <= TOLERANCE {
                break;
            }
        }
        best.map(|(_, position)| position)
    }
}

/// Distance of the judge's expected result from 1/2; 0 if the judge has no estimate.
fn imbalance(judge: &mut dyn Engine, position: &dyn Position) -> f64 {
    judge.new_game();
    let limits = Limits { nodes: Some(JUDGE_NODES), ..Limits::default() };
    let watch = Watch::start(StopFlag::new());
    let judged = judge.think(position, &limits, &watch, &mut |_| {});
    judged.map_or(0.0, |decision| (decision.report.win_rate - 0.5).abs())
}

fn random_position(start: &dyn Position, plies: usize, rng: &mut Rng) -> Box<dyn Position> {
    let mut position = start.boxed();
    for _ in 0..plies {
        let cells: Vec<Cell> = position.legal_moves().iter().filter_map(|mv| mv.cell()).collect();
        let stones: Vec<Cell> = cells_of(&*position).filter(|cell| position.at(*cell).is_some()).collect();
        let near = |cell: &&Cell| match stones.as_slice() {
            [] => {
                let (rows, cols) = (i32::from(position.rows()), i32::from(position.cols()));
                let (row, col) = (i32::from(cell.row), i32::from(cell.col));
                (2 * row + 1 - rows).abs() <= rows / 2 && (2 * col + 1 - cols).abs() <= cols / 2
            }
            stones => stones
                .iter()
                .any(|stone| stone.row.abs_diff(cell.row) <= 3 && stone.col.abs_diff(cell.col) <= 3),
        };
        let close: Vec<&Cell> = cells.iter().filter(near).collect();
        let Some(cell) = close.get(rng.below(close.len())) else { break };
        if position.play(Move::Place(**cell)).is_err() || position.outcome().is_some() {
            break;
        }
    }
    position
}

fn cells_of(position: &dyn Position) -> impl Iterator<Item = Cell> + use<> {
    let cols = position.cols();
    (0..position.rows()).flat_map(move |row| (0..cols).map(move |col| Cell::new(row, col)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(size: u8, judge: Option<&str>) -> Openings {
        let game: &dyn Game = &hex::HEX;
        let setup = Setup { opening: "none".into(), ..Setup::empty(size, size) };
        let judge = judge.map(|name| {
            let info = game.engines().iter().find(|info| info.name == name).unwrap();
            (name.to_string(), (info.make)(&game::Options::new()).unwrap())
        });
        Openings::random(game, &setup, 3, 7, judge).unwrap()
    }

    fn line(position: &dyn Position) -> String {
        let moves: Vec<String> = position.history().iter().map(|mv| position.format_move(*mv)).collect();
        moves.join(" ")
    }

    /// Openings of a seed are part of what makes a run reproducible, so a change of the generator must show.
    #[test]
    fn openings_of_a_seed_are_pinned() {
        let openings = random(11, None);
        let lines: Vec<String> = (0..3).map(|index| line(&*openings.get(index))).collect();
        assert_eq!(lines, ["h5 e2 e8", "h6 e6 h4", "e6 c5 b3"]);
        assert_eq!(line(&*random(11, None).get(2)), lines[2], "in whatever order they are asked for");
    }

    #[test]
    fn a_judge_chooses_and_chooses_the_same_again() {
        let lines = |openings: Openings| (0..4).map(|i| line(&*openings.get(i))).collect::<Vec<_>>();
        let judged = lines(random(5, Some("classic-minimax")));
        assert_eq!(judged, lines(random(5, Some("classic-minimax"))));
        assert_ne!(judged, lines(random(5, None)));
    }

    #[test]
    fn shipped_openings_come_first_in_an_order_of_the_seed_and_random_ones_after_them() {
        let setup = Setup { opening: "none".into(), ..Setup::empty(11, 11) };
        let balanced = |seed: u64| Openings::balanced(&hex::HEX, &setup, seed, None).unwrap();
        let shipped = balanced(7).describe()["shipped"].as_u64().unwrap() as usize;
        let lines = |openings: &Openings| (0..shipped).map(|at| line(&*openings.get(at))).collect::<Vec<_>>();
        let (one, other) = (lines(&balanced(7)), lines(&balanced(8)));
        assert_ne!(one, other);
        assert_eq!(one, lines(&balanced(7)));
        let sets = [one, other].map(|lines| lines.into_iter().collect::<HashSet<_>>());
        assert_eq!(sets[0], sets[1]);
        assert_eq!(balanced(7).get(shipped).history().len(), DEFAULT_PLIES);
        let other_size = Setup { opening: "none".into(), ..Setup::empty(10, 10) };
        let random = Openings::balanced(&hex::HEX, &other_size, 7, None).unwrap();
        assert_eq!(random.get(0).history().len(), DEFAULT_PLIES);
    }

    #[test]
    fn a_small_board_runs_out_and_starts_again() {
        let openings = random(2, None);
        let lines: Vec<String> = (0..40).map(|index| line(&*openings.get(index))).collect();
        let different: HashSet<&String> = lines.iter().collect();
        assert!(different.len() < 40 && !different.is_empty());
    }
}
