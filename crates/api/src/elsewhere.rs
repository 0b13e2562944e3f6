//! Searches on other machines: a search as a document, and what carries it out.
//!
//! A server asks an [`Elsewhere`] for its engines and proofs. What that sends away is a [`SearchTask`]; a [`Searcher`] at the
//! other end carries it out, and keeps its engine for its next task.

use game::{
    Decision, Engine, EngineError, Game, Limits, Move, Options, Position, Proof, Report, StopFlag, Watch,
};
use serde::{Deserialize, Serialize};

/// Other machines that may search. Each decides by itself whether it does, and falls back to this machine.
pub trait Elsewhere: Send + Sync {
    /// An engine that thinks there when it can, and else as `here`, the same engine on this machine.
    fn engine(
        &self,
        game: &'static dyn Game,
        name: &'static str,
        options: &Options,
        here: Box<dyn Engine>,
    ) -> Box<dyn Engine>;

    /// The same as [`Game::prove`]; `None` also if it is to be proved on this machine.
    fn prove(
        &self,
        game: &'static dyn Game,
        position: &dyn Position,
        question: &str,
        limits: &Limits,
        stop: &StopFlag,
    ) -> Option<Proof>;
}

/// A search as a document.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchTask {
    setup: game::Setup,
    game: String,
    moves: Vec<Move>,
    limits: Limits,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum What {
    Think { engine: String, options: Options },
    Prove { question: String },
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Found {
    /// An engine's move.
    Decision(Box<Decision>),
    /// A proof; `None` as in [`Game::prove`].
    Proof(Option<Proof>),
    /// Why there is none.
    Error(EngineError),
}

impl SearchTask {
    /// An engine's move.
    pub fn think(
        game: &dyn Game,
        position: &dyn Position,
        engine: &str,
        options: &Options,
        limits: &Limits,
    ) -> SearchTask {
        SearchTask::new(
            game,
            position,
            limits,
            What::Think { engine: engine.into(), options: options.clone() },
        )
    }

    /// A proof.
    pub fn prove(game: &dyn Game, position: &dyn Position, question: &str, limits: &Limits) -> SearchTask {
        SearchTask::new(game, position, limits, What::Prove { question: question.into() })
    }

    fn new(game: &dyn Game, position: &dyn Position, limits: &Limits, what: What) -> SearchTask {
        let moves = position.history().to_vec();
        SearchTask {
            setup: game.setup_of(position),
            game: game.name().into(),
            moves,
            limits: limits.clone(),
            what,
        }
    }

    /// With no more threads than there are.
    pub fn within(mut self, threads: usize) -> SearchTask {
        self.limits.threads = self.limits.threads.clamp(1, threads.max(1));
        self
    }

    fn position(&self, game: &dyn Game) -> Result<Box<dyn Position>, EngineError> {
        let refused = |error: &dyn std::fmt::Display| EngineError::Unsupported(error.to_string());
        let mut position = game.position(&self.setup).map_err(|error| refused(&error))?;
        for mv in &self.moves {
            position.play(*mv).map_err(|error| refused(&error))?;
        }
        Ok(position)
    }
}

/// Carries out tasks one after the other, with one engine while they ask for the same.
pub struct Searcher {
    games: Vec<&'static dyn Game>,
    kept: Option<(What, Box<dyn Engine>)>,
}

impl Searcher {
    /// A searcher for any of these games.
    pub fn new(games: Vec<&'static dyn Game>) -> Searcher {
        Searcher { games, kept: None }
    }

    /// Carries out a task. `report` hears what the search finds on its way.
    pub fn carry_out(&mut self, task: &SearchTask, watch: &Watch, report: &mut dyn FnMut(&Report)) -> Found {
        self.search(task, watch, report).unwrap_or_else(Found::Error)
    }

    fn search(
        &mut self,
        task: &SearchTask,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Found, EngineError> {
        let game = self.games.iter().find(|game| game.name() == task.game);
        let game =
            game.ok_or_else(|| EngineError::Unsupported(format!("there is no game '{}' here", task.game)))?;
        let position = task.position(*game)?;
        match &task.what {
            What::Prove { question } => {
                Ok(Found::Proof(game.prove(&*position, question, &task.limits, watch)))
            }
            What::Think { engine, options } => {
                let mut kept = match self.kept.take() {
                    Some((what, engine)) if what == task.what => engine,
                    _ => {
                        let info = game.engines().iter().find(|info| info.name == engine);
                        let missing =
                            || EngineError::Unsupported(format!("there is no engine '{engine}' here"));
                        (info.ok_or_else(missing)?.make)(options)?
                    }
                };
                // An engine that failed is not kept.
                let decision = kept.think(&*position, &task.limits, watch, report)?;
                self.kept = Some((task.what.clone(), kept));
                Ok(Found::Decision(Box::new(decision)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Host, PlayedLine};

    fn host() -> Host {
        Host::new(vec![&gomoku::GOMOKU, &hex::HEX])
    }

    fn position(line: &str) -> (&'static dyn Game, Box<dyn Position>) {
        serde_json::from_str::<PlayedLine>(line).unwrap().position(&host()).unwrap()
    }

    fn send(task: &SearchTask) -> SearchTask {
        serde_json::from_str(&serde_json::to_string(task).unwrap()).unwrap()
    }

    #[test]
    fn a_task_that_travelled_gives_the_same_move_and_report() {
        let line = r#"{ "setup": { "game": "gomoku" }, "moves": ["h8", "i9"] }"#;
        let (game, position) = position(line);
        let limits = Limits { level: game::Level::MAX, ..Limits::nodes(2_000) };
        let (engine, options) = ("tengen", Options::new());
        let here = (game.engines()[0].make)(&options)
            .unwrap()
            .think(&*position, &limits, &Watch::default(), &mut |_| {})
            .unwrap();
        let task = SearchTask::think(game, &*position, engine, &options, &limits);
        let mut reports = 0;
        let found =
            Searcher::new(host().games).carry_out(&send(&task), &Watch::default(), &mut |_| reports += 1);
        let found: Found = serde_json::from_str(&serde_json::to_string(&found).unwrap()).unwrap();
        let Found::Decision(there) = found else { panic!("{found:?}") };
        assert!(reports > 0);
        assert_eq!(
            (there.mv, there.report.score, there.report.nodes),
            (here.mv, here.report.score, here.report.nodes)
        );
        assert_eq!(there.report.lines, here.report.lines);
    }

    #[test]
    fn proofs_and_refusals_travel_too() {
        let line = r#"{ "setup": { "game": "hex", "rows": 3, "cols": 3 }, "moves": ["b2"] }"#;
        let (game, position) = position(line);
        let question = game.questions()[0].0;
        let watch = Watch::default();
        let task = SearchTask::prove(game, &*position, question, &Limits::nodes(100_000));
        let mut seat = Searcher::new(host().games);
        let proof = seat.carry_out(&send(&task), &watch, &mut |_| {});
        assert_eq!(proof, Found::Proof(game.prove(&*position, question, &Limits::nodes(100_000), &watch)));
        assert!(matches!(proof, Found::Proof(Some(_))));
        let task = SearchTask::think(game, &*position, "nobody", &Options::new(), &Limits::nodes(1));
        assert!(matches!(seat.carry_out(&send(&task), &watch, &mut |_| {}), Found::Error(_)));
    }
}
