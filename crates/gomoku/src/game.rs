//! [`Game`] implemented for Gomoku: what the command line, the server and the arena use.

use crate::notation::{self, sgf};
use crate::{Opening, Rule, draw, overlay};
use crate::{classic, engine, puzzle, solver};
use ::game::{
    Cell, Defence, EngineError, EngineInfo, Game, Layer, Limits, Picture, Position, Proof, Puzzle, Record,
    Setup, SetupError, StopFlag, TextError, Watch, Xray,
};
use search::theatre::{Record as TheatreRecord, RecordOptions};

/// The game of Gomoku with all its rule variants.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gomoku;

/// The instance to use.
pub static GOMOKU: Gomoku = Gomoku;

impl Game for Gomoku {
    fn name(&self) -> &'static str {
        "gomoku"
    }

    fn rules(&self) -> &'static [&'static str] {
        &Rule::NAMES
    }

    fn openings(&self) -> &'static [&'static str] {
        &Opening::NAMES
    }

    fn default_size(&self) -> (u8, u8) {
        (15, 15)
    }

    fn position(&self, setup: &Setup) -> Result<Box<dyn Position>, SetupError> {
        Ok(Box::new(crate::Position::from_setup(setup)?))
    }

    fn parse(&self, text: &str, defaults: &Setup) -> Result<Box<dyn Position>, TextError> {
        Ok(Box::new(notation::parse(text, defaults)?))
    }

    fn parse_openings(&self, text: &str, defaults: &Setup) -> Result<Vec<Box<dyn Position>>, TextError> {
        let openings = notation::parse_openings(text, defaults)?;
        Ok(openings.into_iter().map(|position| Box::new(position) as Box<dyn Position>).collect())
    }

    fn setup_of(&self, position: &dyn Position) -> Setup {
        match position.downcast::<crate::Position>() {
            Some(position) => position.setup().clone(),
            None => Setup::empty(position.rows(), position.cols()),
        }
    }

    fn formats(&self) -> &'static [(&'static str, &'static str)] {
        &[("psq", "game file of Piskvork")]
    }

    fn write(&self, record: &Record, format: &str) -> Option<String> {
        (format == "psq").then(|| notation::psq::write(record))
    }

    fn write_sgf(&self, record: &Record) -> String {
        sgf::write_record(record)
    }

    fn read_sgf_point(&self, setup: &Setup, text: &str) -> Option<Cell> {
        sgf::parse_point(text, setup.rows)
    }

    fn write_sgf_point(&self, cell: Cell) -> Option<String> {
        Some(sgf::letter_pair(cell))
    }

    fn draw_svg(&self, position: &dyn Position, picture: &Picture) -> String {
        position.downcast().map(|position| draw::svg(position, picture)).unwrap_or_default()
    }

    fn draw_text(&self, position: &dyn Position, picture: &Picture, colour: bool) -> String {
        position.downcast().map(|position| draw::text(position, picture, colour)).unwrap_or_default()
    }

    fn layers(&self) -> &'static [(&'static str, &'static str)] {
        &overlay::LAYERS
    }

    fn layer(&self, position: &dyn Position, name: &str) -> Option<Layer> {
        overlay::layer(position.downcast()?, name)
    }

    fn puzzles(&self) -> &'static [Puzzle] {
        puzzle::shipped()
    }

    fn questions(&self) -> &'static [(&'static str, &'static str)] {
        &solver::QUESTIONS
    }

    fn prove(
        &self,
        position: &dyn Position,
        question: &str,
        limits: &Limits,
        stop: &StopFlag,
    ) -> Option<Proof> {
        solver::prove(position.downcast()?, question.parse().ok()?, limits, stop)
    }

    fn defend(
        &self,
        position: &dyn Position,
        question: &str,
        limits: &Limits,
        stop: &StopFlag,
    ) -> Option<Defence> {
        solver::defend(position.downcast()?, question.parse().ok()?, limits, stop)
    }

    fn explain(
        &self,
        position: &dyn Position,
        engine: &str,
        wanted: &RecordOptions,
        watch: &Watch,
    ) -> Result<TheatreRecord, EngineError> {
        match position.downcast::<crate::Position>() {
            Some(position) => classic::explain(position, engine, wanted, watch),
            None => Err(EngineError::Unsupported("this is not a position of gomoku".into())),
        }
    }

    fn xray(&self, position: &dyn Position, engine: &str) -> Option<Xray> {
        let position = position.downcast::<crate::Position>()?;
        if engine.is_empty() || engine == engine::INFO.name {
            return Some(engine::xray(position));
        }
        classic::xray(position, engine)
    }

    fn engine_protocol(&self) -> &'static str {
        "gomocup"
    }

    fn engines(&self) -> &'static [EngineInfo] {
        const ENGINES: [EngineInfo; 4] =
            [engine::INFO, classic::ENGINES[0], classic::ENGINES[1], classic::ENGINES[2]];
        &ENGINES
    }
}
