//! Hex as a [`game::Game`].

use crate::{Position, Size, SwapRule, classic, draw, engine, notation, overlay, puzzle, solver};
use game::{
    Defence, EngineError, EngineInfo, Game, Layer, Limits, Picture, Proof, Puzzle, Record, Setup, SetupError,
    StopFlag, TextError, Watch, Xray,
};
use search::theatre::{Record as TheatreRecord, RecordOptions};

/// The game of Hex.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hex;

/// The game as a static, for lists of games.
pub static HEX: Hex = Hex;

static RULES: [&str; 1] = crate::RULES;
static ENGINES: [EngineInfo; 5] = {
    let [uct, flat, minimax] = classic::ENGINES;
    [engine::INFO, engine::alpha_beta::INFO, uct, flat, minimax]
};
static OPENINGS: [&str; 3] = SwapRule::NAMES;

impl Game for Hex {
    fn name(&self) -> &'static str {
        "hex"
    }

    fn rules(&self) -> &'static [&'static str] {
        &RULES
    }

    fn openings(&self) -> &'static [&'static str] {
        &OPENINGS
    }

    fn default_size(&self) -> (u8, u8) {
        (11, 11)
    }

    fn has_draws(&self) -> bool {
        false
    }

    fn position(&self, setup: &Setup) -> Result<Box<dyn game::Position>, SetupError> {
        Ok(Box::new(Position::new(setup)?))
    }

    fn parse(&self, text: &str, defaults: &Setup) -> Result<Box<dyn game::Position>, TextError> {
        Ok(Box::new(notation::parse(text, defaults)?))
    }

    fn parse_openings(
        &self,
        text: &str,
        defaults: &Setup,
    ) -> Result<Vec<Box<dyn game::Position>>, TextError> {
        let openings = notation::parse_openings(text, defaults)?;
        Ok(openings.into_iter().map(|opening| Box::new(opening) as Box<dyn game::Position>).collect())
    }

    fn balanced_openings(&self, setup: &Setup) -> Option<&'static str> {
        let plain = setup.stones.is_empty() && SwapRule::parse(&setup.opening) == Some(SwapRule::None);
        crate::balanced::shipped(Size::new(setup.rows, setup.cols)?).filter(|_| plain)
    }

    fn setup_of(&self, position: &dyn game::Position) -> Setup {
        own(position).setup()
    }

    fn write_sgf(&self, record: &Record) -> String {
        notation::sgf::write(record)
    }

    fn read_sgf_point(&self, setup: &Setup, text: &str) -> Option<game::Cell> {
        let cell = notation::sgf::parse_point(text)?;
        (cell.row < setup.rows && cell.col < setup.cols).then_some(cell)
    }

    fn write_sgf_point(&self, cell: game::Cell) -> Option<String> {
        Some(notation::point::format(cell))
    }

    fn formats(&self) -> &'static [(&'static str, &'static str)] {
        &[("hexworld", "link to the board of hexworld.org")]
    }

    fn write(&self, record: &Record, format: &str) -> Option<String> {
        if format != "hexworld" {
            return None;
        }
        let mut position = self.position(&record.setup).ok()?;
        for (mv, _) in &record.moves {
            position.play(*mv).ok()?;
        }
        Some(notation::hexworld::write(&own(&*position)))
    }

    fn draw_svg(&self, position: &dyn game::Position, picture: &Picture) -> String {
        draw::svg(&own(position), picture)
    }

    fn draw_text(&self, position: &dyn game::Position, picture: &Picture, colour: bool) -> String {
        draw::text(&own(position), picture, colour)
    }

    fn layers(&self) -> &'static [(&'static str, &'static str)] {
        &overlay::LAYERS
    }

    fn layer(&self, position: &dyn game::Position, name: &str) -> Option<Layer> {
        overlay::layer(&own(position), name)
    }

    fn questions(&self) -> &'static [(&'static str, &'static str)] {
        &solver::QUESTIONS
    }

    fn prove(
        &self,
        position: &dyn game::Position,
        question: &str,
        limits: &Limits,
        stop: &StopFlag,
    ) -> Option<Proof> {
        solver::prove(position.downcast()?, question, limits, stop)
    }

    fn defend(
        &self,
        position: &dyn game::Position,
        question: &str,
        limits: &Limits,
        stop: &StopFlag,
    ) -> Option<Defence> {
        solver::defend(position.downcast()?, question, limits, stop)
    }

    fn puzzles(&self) -> &'static [Puzzle] {
        puzzle::shipped()
    }

    fn explain(
        &self,
        position: &dyn game::Position,
        engine: &str,
        wanted: &RecordOptions,
        watch: &Watch,
    ) -> Result<TheatreRecord, EngineError> {
        classic::explain(&own(position), engine, wanted, watch)
    }

    fn xray(&self, position: &dyn game::Position, engine: &str) -> Option<Xray> {
        classic::xray(&own(position), engine)
    }

    fn engines(&self) -> &'static [EngineInfo] {
        &ENGINES
    }
}

/// The concrete position; a position of another game becomes its stones, as far as the board allows.
fn own(position: &dyn game::Position) -> Position {
    if let Some(hex) = position.downcast::<Position>() {
        return hex.clone();
    }
    let rows = position.rows().clamp(1, crate::MAX_SIDE);
    let cols = position.cols().clamp(1, crate::MAX_SIDE);
    let cells = (0..rows).flat_map(|row| (0..cols).map(move |col| game::Cell::new(row, col)));
    let stones = cells.filter_map(|cell| position.at(cell).map(|side| (side, cell))).collect();
    let setup = Setup { stones, to_move: Some(position.to_move()), ..Setup::empty(rows, cols) };
    Position::new(&setup).unwrap_or_else(|_| Position::empty(crate::Size::SMALLEST))
}
