//! Gomoku behind the shared [`Game`] door.

use crate::notation::{self, sgf};
use crate::{Class, Opening, Position, Rule, draw};
use crate::{classic, engine, puzzle, solve};
use ::game::{
    Defence, EngineError, EngineInfo, Game, Layer, LayerCell, Limits, Picture, Position as Door, Proof,
    Puzzle, Record, Setup, SetupError, Side, StopFlag, TextError, Watch, Xray,
};
use search::theatre::{Ask, Record as TheatreRecord};

/// The game of Gomoku with all its rule variants.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gomoku;

/// The one instance everybody uses.
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

    fn position(&self, setup: &Setup) -> Result<Box<dyn Door>, SetupError> {
        Ok(Box::new(Position::from_setup(setup)?))
    }

    fn parse(&self, text: &str, defaults: &Setup) -> Result<Box<dyn Door>, TextError> {
        Ok(Box::new(notation::parse(text, defaults)?))
    }

    fn parse_openings(&self, text: &str, defaults: &Setup) -> Result<Vec<Box<dyn Door>>, TextError> {
        let openings = notation::parse_openings(text, defaults)?;
        Ok(openings.into_iter().map(|position| Box::new(position) as Box<dyn Door>).collect())
    }

    fn setup_of(&self, position: &dyn Door) -> Setup {
        match position.downcast::<Position>() {
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

    fn draw_svg(&self, position: &dyn Door, picture: &Picture) -> String {
        position.downcast().map(|position| draw::svg(position, picture)).unwrap_or_default()
    }

    fn draw_text(&self, position: &dyn Door, picture: &Picture, colour: bool) -> String {
        position.downcast().map(|position| draw::text(position, picture, colour)).unwrap_or_default()
    }

    fn layers(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("threats", "what a stone of either side would make of each point"),
            ("forbidden", "points forbidden to Black under Renju, with the reason"),
        ]
    }

    fn layer(&self, position: &dyn Door, name: &str) -> Option<Layer> {
        let position = position.downcast::<Position>()?;
        let cells = match name {
            "threats" => threats(position),
            "forbidden" => position
                .forbidden_to_black()
                .into_iter()
                .map(|(point, kind)| LayerCell {
                    cell: point.cell(),
                    value: 1.0,
                    label: kind.name().into(),
                    side: Some(Side::Black),
                })
                .collect(),
            _ => return None,
        };
        Some(Layer { cells, links: Vec::new() })
    }

    fn puzzles(&self) -> &'static [Puzzle] {
        puzzle::shipped()
    }

    fn questions(&self) -> &'static [(&'static str, &'static str)] {
        &solve::QUESTIONS
    }

    fn prove(&self, position: &dyn Door, question: &str, limits: &Limits, stop: &StopFlag) -> Option<Proof> {
        solve::prove(position.downcast()?, question.parse().ok()?, limits, stop)
    }

    fn defend(
        &self,
        position: &dyn Door,
        question: &str,
        limits: &Limits,
        stop: &StopFlag,
    ) -> Option<Defence> {
        solve::defend(position.downcast()?, question.parse().ok()?, limits, stop)
    }

    fn explain(
        &self,
        position: &dyn Door,
        engine: &str,
        ask: &Ask,
        watch: &Watch,
    ) -> Result<TheatreRecord, EngineError> {
        match position.downcast::<Position>() {
            Some(position) => classic::explain(position, engine, ask, watch),
            None => Err(EngineError::Unsupported("this is not a position of gomoku".into())),
        }
    }

    fn xray(&self, position: &dyn Door, engine: &str) -> Option<Xray> {
        let position = position.downcast::<Position>()?;
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

/// The class of every point that has one worth showing, for both sides.
fn threats(position: &Position) -> Vec<LayerCell> {
    let board = position.board();
    let points = board.empty_points();
    let both = points.iter().flat_map(|point| Side::BOTH.map(|side| (point, side)));
    both.filter_map(|(point, side)| {
        let class = board.class(point, side);
        (class > Class::Quiet).then(|| LayerCell {
            cell: point.cell(),
            value: class.index() as f64 / Class::Five.index() as f64,
            label: class.label().into(),
            side: Some(side),
        })
    })
    .collect()
}
