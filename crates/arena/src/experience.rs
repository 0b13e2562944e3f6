//! Learning from finished games: an experience store, and an engine that consults it at the root.
//!
//! Games are kept with their result, and past results bias the choice at the root, so that an engine does not
//! lose twice in the same way. A position is remembered by its canonical hash, so
//! what is learnt in one corner holds in all. A result counts fully for the last moves of a game and less
//! for each one before, and a few games move the estimate only a little.

use crate::journal::Finished;
use game::{Decision, Engine, EngineError, Game, Limits, Move, Position, Report, Seat, Watch};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Discount of a result per move away from the end.
const FADE: f64 = 0.85;
/// Imaginary drawn games that every estimate starts with.
const PRIOR: f64 = 2.0;
/// How much worse than the engine's choice each further candidate is taken to be.
const STEP: f64 = 0.05;
/// Candidates the engine is asked for when history speaks against its choice.
const CANDIDATES: usize = 6;

/// A game as the store keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredGame {
    /// The game's name.
    pub game: String,
    /// Where it started.
    pub setup: game::Setup,
    /// Its moves, in the game's notation.
    pub moves: Vec<String>,
    /// Who won; `None` is a draw.
    pub winner: Option<Seat>,
}

impl StoredGame {
    /// What there is to learn from a game; nothing from one that ended by a fault.
    pub fn of(game: &dyn Game, finished: &Finished) -> Option<StoredGame> {
        if finished.reason.is_fault() {
            return None;
        }
        let winner = finished.winner;
        let (setup, moves) = (finished.setup.clone(), finished.moves.clone());
        Some(StoredGame { game: game.name().into(), setup, moves, winner })
    }
}

/// Why the store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ExperienceError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        error: std::io::Error,
    },
    /// A line is not a stored game.
    #[error("{path}, line {line}: {problem}")]
    Line {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

/// Finished games, looked up by position.
#[derive(Debug, Default)]
pub struct Experience {
    file: Option<(PathBuf, File)>,
    /// For a position: weight of the games through it, and of the points of the player who moved into it.
    seen: HashMap<u64, (f64, f64)>,
    games: usize,
}

impl Experience {
    /// An empty store that is not kept.
    pub fn new() -> Experience {
        Experience::default()
    }

    /// Opens a file of games, making it if need be; games of other games are left alone.
    pub fn open(path: &Path, game: &dyn Game) -> Result<Experience, ExperienceError> {
        let io = |error| ExperienceError::Io { path: path.into(), error };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        let file = File::options().create(true).append(true).read(true).open(path).map_err(io)?;
        let mut store = Experience::new();
        for (index, line) in BufReader::new(File::open(path).map_err(io)?).lines().enumerate() {
            let line = line.map_err(io)?;
            let bad = |problem: String| ExperienceError::Line { path: path.into(), line: index + 1, problem };
            let stored: StoredGame = serde_json::from_str(&line).map_err(|e| bad(e.to_string()))?;
            if stored.game == game.name() {
                store.learn(game, &stored).map_err(bad)?;
            }
        }
        store.file = Some((path.into(), file));
        Ok(store)
    }

    /// Games learnt from.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Learns from a game and writes it down.
    pub fn record(&mut self, game: &dyn Game, stored: &StoredGame) -> Result<(), ExperienceError> {
        if self.learn(game, stored).is_err() {
            return Ok(());
        }
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let line = serde_json::to_string(stored).unwrap_or_default() + "\n";
        file.write_all(line.as_bytes()).map_err(|error| ExperienceError::Io { path: path.clone(), error })
    }

    fn learn(&mut self, game: &dyn Game, stored: &StoredGame) -> Result<(), String> {
        let mut position = game.position(&stored.setup).map_err(|error| error.to_string())?;
        let mut path = Vec::with_capacity(stored.moves.len());
        for text in &stored.moves {
            let mv = position.parse_move(text).map_err(|error| error.to_string())?;
            let mover = position.turn();
            position.play(mv).map_err(|error| format!("{text}: {error}"))?;
            path.push((key(&*position), mover));
        }
        self.games += 1;
        for (back, (key, mover)) in path.iter().rev().enumerate() {
            let weight = FADE.powi((back / 2) as i32);
            let points = match stored.winner {
                None => 0.5,
                Some(winner) => f64::from(winner == *mover),
            };
            let entry = self.seen.entry(*key).or_default();
            entry.0 += weight;
            entry.1 += weight * points;
        }
        Ok(())
    }

    /// The expected result of a move by what was seen after it, 0 to 1; a half where nothing is known.
    pub fn value(&self, position: &dyn Position, mv: Move) -> f64 {
        let mut after = position.boxed();
        if after.play(mv).is_err() {
            return 0.5;
        }
        let (weight, points) = self.seen.get(&key(&*after)).copied().unwrap_or_default();
        (points + PRIOR / 2.0) / (weight + PRIOR)
    }
}

/// What a position is remembered by. The size goes in because a hash need not tell boards apart.
fn key(position: &dyn Position) -> u64 {
    let size = u64::from(position.rows()) << 8 | u64::from(position.cols());
    position.canonical_hash() ^ size.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// An engine that consults its experience before it moves.
pub struct Learner {
    engine: Box<dyn Engine>,
    name: String,
    experience: Arc<Mutex<Experience>>,
}

impl Learner {
    /// Adds experience to an engine; several learners may share one store.
    pub fn new(engine: Box<dyn Engine>, experience: Arc<Mutex<Experience>>) -> Learner {
        let name = format!("{}+learn", engine.name());
        Learner { engine, name, experience }
    }

    fn value(&self, position: &dyn Position, mv: Move) -> f64 {
        self.experience.lock().unwrap_or_else(|e| e.into_inner()).value(position, mv)
    }
}

impl Engine for Learner {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn think(
        &mut self,
        position: &dyn Position,
        limits: &Limits,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        let mut best = self.engine.think(position, limits, watch, report)?;
        let mut value = self.value(position, best.mv);
        // Search again only if past results speak against the move; never against a proved win.
        if value >= 0.5 - STEP || best.report.win_rate >= 1.0 {
            return Ok(best);
        }
        let mut limits = limits.clone();
        for rank in 1..CANDIDATES {
            limits.exclude.push(best.mv);
            let spent = watch.elapsed();
            // Further searches share the time of this move.
            limits.move_time = limits.move_time.map(|time| time.saturating_sub(spent) / 2);
            if watch.is_stopped() || limits.move_time.is_some_and(|time| time.is_zero()) {
                break;
            }
            let Ok(other) = self.engine.think(position, &limits, watch, report) else { break };
            let other_value = self.value(position, other.mv) - STEP * rank as f64;
            let losing = other.report.mate.is_some_and(|plies| plies < 0);
            if other_value > value && !losing {
                limits.exclude.push(other.mv);
                (best, value) = (other, other_value);
                if value >= 0.5 - STEP * (rank + 1) as f64 {
                    break;
                }
            } else {
                limits.exclude.push(other.mv);
            }
        }
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{BuiltIn, MakePlayer, Player};
    use crate::schedule::{Format, Schedule};
    use crate::tournament::{Entrant, Tournament, run};
    use game::{Setup, StopFlag};
    use play::TimeControl;

    /// Always the same move in the same position: the allowed one with the smallest number.
    struct Fixed(fn(&dyn Position, Move) -> u64);

    impl Engine for Fixed {
        fn name(&self) -> &str {
            "fixed"
        }

        fn think(
            &mut self,
            position: &dyn Position,
            limits: &Limits,
            _watch: &Watch,
            _report: &mut dyn FnMut(&Report),
        ) -> Result<Decision, EngineError> {
            let allowed = position.legal_moves().into_iter().filter(|mv| limits.allows(*mv));
            match allowed.min_by_key(|mv| (self.0)(position, *mv)) {
                Some(mv) => Ok(Decision { mv, report: Report::default() }),
                None => Err(EngineError::NoMove("all excluded".into())),
            }
        }
    }

    /// No plan at all, but always the same.
    fn scrambled(position: &dyn Position, mv: Move, salt: u64) -> u64 {
        let cell = mv.cell().map_or(0, |cell| u64::from(cell.row) * 100 + u64::from(cell.col));
        search::Rng::new(position.hash() ^ cell.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ salt).next_u64()
    }

    fn entrant(name: &str, make: impl Fn() -> Box<dyn Engine> + Send + Sync + 'static) -> Entrant {
        let make: MakePlayer = Arc::new(move || Ok(Box::new(BuiltIn::new(make())) as Box<dyn Player>));
        Entrant { name: name.into(), make, control: TimeControl::nodes(1), limits: Limits::default() }
    }

    /// Points of the first player in each of 50 games, black in all.
    fn fifty(first: Entrant, store: Option<&Arc<Mutex<Experience>>>) -> Vec<f64> {
        let game: &dyn Game = &hex::HEX;
        let mut points = Vec::new();
        for _ in 0..50 {
            let setup = Setup { opening: "none".into(), ..Setup::empty(5, 5) };
            let tournament = Tournament {
                game,
                entrants: vec![
                    first.clone(),
                    entrant("opponent", || Box::new(Fixed(|p, m| scrambled(p, m, 11)))),
                ],
                schedule: Schedule { format: Format::RoundRobin, players: 2, games: 1, openings: 1 },
                openings: crate::openings::Openings::one(game.position(&setup).unwrap()),
                adjudication: Default::default(),
                concurrency: 1,
                pin: false,
                seed: 1,
                sprt: None,
                allow_repeats: false,
            };
            let results = run(&tournament, None, &StopFlag::new(), &mut |finished, _| {
                if let (Some(store), Some(stored)) = (store, StoredGame::of(game, finished)) {
                    store.lock().unwrap().record(game, &stored).unwrap();
                }
            })
            .unwrap();
            points.push(results[&0].points_of(0));
        }
        points
    }

    #[test]
    fn a_learner_does_not_lose_the_same_way_for_ever() {
        let plain = fifty(entrant("plain", || Box::new(Fixed(|p, m| scrambled(p, m, 5)))), None);
        assert_eq!(plain.iter().sum::<f64>(), 0.0, "the fixed opponent beats the engine without memory");
        let store = Arc::new(Mutex::new(Experience::new()));
        let memory = store.clone();
        let learner = entrant("learner", move || {
            Box::new(Learner::new(Box::new(Fixed(|p, m| scrambled(p, m, 5))), memory.clone()))
        });
        let learnt = fifty(learner, Some(&store));
        assert_eq!(learnt[0], 0.0);
        let (early, late): (f64, f64) = (learnt[..25].iter().sum(), learnt[25..].iter().sum());
        assert!(late >= 20.0 && late >= early, "{learnt:?}");
    }

    #[test]
    fn symmetric_positions_share_what_was_learnt() {
        let game: &dyn Game = &hex::HEX;
        let setup = Setup { opening: "none".into(), ..Setup::empty(5, 5) };
        let mut store = Experience::new();
        let moves = vec!["a1".to_string(), "b2".into()];
        let stored =
            StoredGame { game: "hex".into(), setup: setup.clone(), moves, winner: Some(Seat::Second) };
        store.record(game, &stored).unwrap();
        let empty = game.position(&setup).unwrap();
        let value = |text: &str| store.value(&*empty, empty.parse_move(text).unwrap());
        assert!(value("a1") < 0.5);
        // Hex looks the same turned by half a turn.
        assert_eq!(value("a1"), value("e5"));
        assert_eq!(value("c3"), 0.5);
        // One game weighs little.
        assert!(value("a1") > 0.3);
    }

    #[test]
    fn the_store_survives_a_restart_and_names_bad_lines() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/experience.jsonl");
        let game: &dyn Game = &hex::HEX;
        let setup = Setup { opening: "none".into(), ..Setup::empty(5, 5) };
        let stored = StoredGame { game: "hex".into(), setup, moves: vec!["c3".into()], winner: None };
        Experience::open(&path, game).unwrap().record(game, &stored).unwrap();
        assert_eq!(Experience::open(&path, game).unwrap().games(), 1);
        std::fs::write(&path, "{\"game\":1}\n").unwrap();
        let error = Experience::open(&path, game).unwrap_err().to_string();
        assert!(error.contains("experience.jsonl, line 1"), "{error}");
    }
}
