//! Where a game starts, as JSON.

use crate::Problem;
use crate::words::SideWord;
use game::{Cell, Game, Position, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A set-up: the board before the first move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The game: `gomoku` or `hex`.
    #[schema(example = "gomoku")]
    pub game: String,
    /// Rows; the usual board if left out.
    #[serde(default)]
    pub rows: u8,
    /// Columns; as many as rows if left out.
    #[serde(default)]
    pub cols: u8,
    /// Rule variant; empty means the usual one.
    #[serde(default)]
    pub rule: String,
    /// Opening protocol; empty means the usual one.
    #[serde(default)]
    pub opening: String,
    /// Stones on the board before the first move.
    #[serde(default)]
    pub stones: Vec<Stone>,
    /// Who moves first; as the stones say if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<SideWord>)]
    pub to_move: Option<Side>,
}

/// A stone of a set-up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Stone {
    /// `black` or `white`.
    #[schema(value_type = SideWord)]
    pub side: Side,
    /// Row from the top, 0-based.
    pub row: u8,
    /// Column from the left, 0-based.
    pub col: u8,
}

impl Setup {
    /// The set-up for the `Game` trait, with the default size where none is given.
    pub(crate) fn to_game(&self, game: &dyn Game) -> game::Setup {
        let (rows, cols) = match (self.rows, self.cols) {
            (0, 0) => game.default_size(),
            (0, n) | (n, 0) => (n, n),
            both => both,
        };
        game::Setup {
            rows,
            cols,
            rule: self.rule.clone(),
            opening: self.opening.clone(),
            stones: self.stones.iter().map(|s| (s.side, Cell::new(s.row, s.col))).collect(),
            to_move: self.to_move,
        }
    }

    /// The set-up that, followed by its history, gives the position again.
    pub fn of(game: &dyn Game, position: &dyn Position) -> Setup {
        let setup = game.setup_of(position);
        Setup {
            game: game.name().into(),
            rows: setup.rows,
            cols: setup.cols,
            rule: setup.rule,
            opening: setup.opening,
            stones: setup
                .stones
                .iter()
                .map(|(side, cell)| Stone { side: *side, row: cell.row, col: cell.col })
                .collect(),
            to_move: setup.to_move,
        }
    }

    /// The position it describes.
    pub fn position(&self, game: &dyn Game) -> Result<Box<dyn Position>, Problem> {
        Ok(game.position(&self.to_game(game))?)
    }

    /// The position after some moves; the problem names the first bad one.
    pub fn after(&self, game: &dyn Game, moves: &[String]) -> Result<Box<dyn Position>, Problem> {
        let mut position = self.position(game)?;
        for (ply, text) in moves.iter().enumerate() {
            position
                .parse_move(text)
                .and_then(|mv| position.play(mv))
                .map_err(|error| Problem::from(error).with("ply", ply).with("move", text.as_str()))?;
        }
        Ok(position)
    }
}
