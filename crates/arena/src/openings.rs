//! Where pairs of games start: openings from a file, or random ones.

use game::{Cell, Engine, Game, Limits, Move, Position, Setup, StopFlag, Watch};
use search::Rng;

/// Why there are no openings to play.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The text of the file is wrong.
    #[error("{file}: {error}")]
    Text {
        /// The file.
        file: String,
        /// Where and what.
        error: game::TextError,
    },
    /// Nothing in it.
    #[error("{0}: no openings in it")]
    Empty(String),
    /// A game cannot begin there.
    #[error("{file}: opening {number} is already decided")]
    Over {
        /// The file.
        file: String,
        /// Which one, from 1.
        number: usize,
    },
    /// The board does not exist.
    #[error("{0}")]
    Setup(#[from] game::SetupError),
    /// The judge failed.
    #[error("{0}")]
    Engine(#[from] game::EngineError),
}

/// Reads the openings of a file in any format that the game knows.
pub fn read(
    game: &dyn Game,
    file: &str,
    text: &str,
    setup: &Setup,
) -> Result<Vec<Box<dyn Position>>, OpeningError> {
    let openings =
        game.parse_openings(text, setup).map_err(|error| OpeningError::Text { file: file.into(), error })?;
    if openings.is_empty() {
        return Err(OpeningError::Empty(file.into()));
    }
    match openings.iter().position(|opening| opening.outcome().is_some()) {
        Some(index) => Err(OpeningError::Over { file: file.into(), number: index + 1 }),
        None => Ok(openings),
    }
}

/// How to make random openings.
pub struct Random<'a> {
    /// Stones of each.
    pub plies: usize,
    /// How many.
    pub count: usize,
    /// Seed.
    pub seed: u64,
    /// Judges whether an opening is even; without one any undecided position will do.
    pub judge: Option<&'a mut dyn Engine>,
    /// What the judge may spend on each.
    pub limits: Limits,
    /// How far from one half its expected result may be.
    pub tolerance: f64,
}

impl Random<'_> {
    /// Tries for one opening before the most even one so far is taken.
    const TRIES: usize = 40;

    /// Makes them: stones near the centre and near each other, no two openings alike, the rest as the judge
    /// says.
    pub fn make(mut self, game: &dyn Game, setup: &Setup) -> Result<Vec<Box<dyn Position>>, OpeningError> {
        let start = game.position(setup)?;
        let mut rng = Rng::new(self.seed);
        let mut made: Vec<Box<dyn Position>> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for _ in 0..self.count {
            let mut best: Option<(f64, Box<dyn Position>)> = None;
            for _ in 0..Random::TRIES {
                let position = scatter(&*start, self.plies, &mut rng);
                if position.outcome().is_some() || seen.contains(&position.canonical_hash()) {
                    continue;
                }
                let tilt = match &mut self.judge {
                    None => 0.0,
                    Some(judge) => {
                        let watch = Watch::start(StopFlag::new());
                        let decision = judge.think(&*position, &self.limits, &watch, &mut |_| {})?;
                        (decision.report.win_rate - 0.5).abs()
                    }
                };
                if best.as_ref().is_none_or(|(least, _)| tilt < *least) {
                    best = Some((tilt, position));
                }
                if tilt <= self.tolerance {
                    break;
                }
            }
            // A small board may have fewer openings than were asked for; they are then played again.
            if let Some((_, position)) = best {
                seen.insert(position.canonical_hash());
                made.push(position);
            }
        }
        if made.is_empty() {
            return Err(OpeningError::Empty("random openings".into()));
        }
        Ok(made)
    }
}

fn scatter(start: &dyn Position, plies: usize, rng: &mut Rng) -> Box<dyn Position> {
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

    /// Openings of a seed are part of what makes a run reproducible, so a change of the generator must show.
    #[test]
    fn openings_of_a_seed_are_pinned() {
        let game: &dyn Game = &hex::HEX;
        let setup = Setup { opening: "none".into(), ..Setup::empty(11, 11) };
        let random =
            Random { plies: 3, count: 3, seed: 7, judge: None, limits: Limits::default(), tolerance: 1.0 };
        let made = random.make(game, &setup).unwrap();
        let lines: Vec<String> = made
            .iter()
            .map(|p| p.history().iter().map(|mv| p.format_move(*mv)).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(lines, ["h5 e2 e8", "h6 e6 h4", "e6 c5 b3"]);
    }
}
