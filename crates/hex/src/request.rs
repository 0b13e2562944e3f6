//! What every engine does first: check the position and the limits.

use crate::Position;
use game::{EngineError, Limits, Move, Position as _, Watch};

/// A checked request for a move.
pub(crate) struct EngineRequest<'a> {
    pub(crate) position: &'a Position,
    pub(crate) limits: &'a Limits,
    pub(crate) watch: &'a Watch,
    pub(crate) may_swap: bool,
    /// The empty cells that may be played; empty only if a swap is allowed.
    pub(crate) cells: Vec<usize>,
}

impl<'a> EngineRequest<'a> {
    pub(crate) fn check(
        engine: &str,
        position: &'a dyn game::Position,
        limits: &'a Limits,
        watch: &'a Watch,
    ) -> Result<EngineRequest<'a>, EngineError> {
        let position: &Position = game::own_position(engine, "hex", position)?;
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return Err(EngineError::NoMove("the game is over".into()));
        }
        moves.retain(|mv| limits.allows(*mv));
        if moves.is_empty() {
            return Err(EngineError::NoMove("the limits exclude every move".into()));
        }
        let size = position.size();
        let cells = moves.iter().filter_map(|mv| mv.cell()).map(|cell| size.index(cell)).collect();
        Ok(EngineRequest { position, limits, watch, may_swap: moves.contains(&Move::Swap), cells })
    }
}
