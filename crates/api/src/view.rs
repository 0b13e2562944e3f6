//! Everything a browser needs to show a position; it never decides a rule itself.

use crate::words::{SeatWord, SideWord};
use crate::{Host, PlayedLine, Problem};
use game::{Cell, Game, Move, OpeningStep, Outcome, Position, Seat, Side};
use play::{Ply, Termination};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A position, as it is to be shown.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct View {
    pub game: String,
    pub rows: u8,
    pub cols: u8,
    pub rule: String,
    pub opening: String,
    /// One string per row, the top row first: `.` empty, `X` black, `O` white.
    pub board: Vec<String>,
    /// The colour of the next stone.
    #[schema(value_type = SideWord)]
    pub to_move: Side,
    /// The player who decides next, `first` or `second`.
    #[schema(value_type = SeatWord)]
    pub turn: Seat,
    pub colours: Colours,
    /// Moves played since the set-up.
    pub ply: usize,
    pub moves: Vec<MoveBody>,
    /// The last move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<MoveBody>,
    pub legal: Legal,
    /// Points forbidden to the side to move.
    pub forbidden: Vec<Forbidden>,
    /// What the opening protocol asks for, where that is more than a stone or a swap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening_step: Option<OpeningStepBody>,
    /// Once the game is over by its rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeBody>,
}

/// The colours the players hold.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct Colours {
    #[schema(value_type = SideWord)]
    first: Side,
    #[schema(value_type = SideWord)]
    second: Side,
}

/// Which kinds of move are allowed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct Legal {
    place: bool,
    swap: bool,
    extend: bool,
}

/// A step of an opening protocol: where to play, or what else to decide.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OpeningStepBody {
    /// The cells that may be played or offered, `[row, column]` each, where they are restricted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<(u8, u8)>>)]
    cells: Option<Vec<[u8; 2]>>,
    /// Fifth moves offered so far.
    #[schema(value_type = Vec<(u8, u8)>)]
    offers: Vec<[u8; 2]>,
    /// Fifth moves still to be offered, as moves such as `h8` or `(h8)`.
    offers_left: u8,
    /// The most fifth moves that may be declared now, by a move such as `declare3`; 0 where nothing is.
    declare_up_to: u8,
}

impl From<OpeningStep> for OpeningStepBody {
    fn from(step: OpeningStep) -> OpeningStepBody {
        let pairs = |cells: Vec<Cell>| cells.into_iter().map(|cell| [cell.row, cell.col]).collect();
        OpeningStepBody {
            cells: step.cells.map(pairs),
            offers: pairs(step.offers),
            offers_left: step.offers_left,
            declare_up_to: step.declare_up_to,
        }
    }
}

/// A point that the side to move may not play.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Forbidden {
    row: u8,
    col: u8,
    /// Why: `double-three`, `double-four`, `overline`.
    kind: String,
}

/// A move, with its cell where it has one.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MoveBody {
    /// In the game's notation.
    #[serde(rename = "move")]
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub col: Option<u8>,
    /// The colour that moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<SideWord>)]
    pub side: Option<Side>,
}

/// How the rules ended the game.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OutcomeBody {
    /// `black` or `white`; none for a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<SideWord>)]
    pub winner: Option<Side>,
    /// `five`, `connection`, `forbidden`, `draw`.
    pub reason: Termination,
    /// The stones that prove it, `[row, column]` each.
    #[schema(value_type = Vec<(u8, u8)>)]
    pub cells: Vec<[u8; 2]>,
}

/// A move as JSON, for the position it is played in.
pub fn move_body(position: &dyn Position, mv: Move) -> MoveBody {
    MoveBody {
        text: position.format_move(mv),
        row: mv.cell().map(|cell| cell.row),
        col: mv.cell().map(|cell| cell.col),
        side: Some(position.to_move()),
    }
}

impl From<&Ply> for MoveBody {
    fn from(ply: &Ply) -> MoveBody {
        let cell = ply.mv.cell();
        MoveBody {
            text: ply.text.clone(),
            row: cell.map(|cell| cell.row),
            col: cell.map(|cell| cell.col),
            side: Some(ply.side),
        }
    }
}

impl View {
    /// The view of a position. `moves` are its history, where it is known already; `None` has it replayed.
    pub fn of(game: &dyn Game, position: &dyn Position, moves: Option<Vec<MoveBody>>) -> View {
        let setup = game.setup_of(position);
        let moves = moves.unwrap_or_else(|| replay(game, &setup, position));
        let over = position.outcome();
        let (rows, cols) = (position.rows(), position.cols());
        let board = (0..rows)
            .map(|row| {
                let stone = |col| match position.at(Cell::new(row, col)) {
                    None => '.',
                    Some(Side::Black) => 'X',
                    Some(Side::White) => 'O',
                };
                (0..cols).map(stone).collect()
            })
            .collect();
        let cells = || (0..rows).flat_map(|row| (0..cols).map(move |col| Cell::new(row, col)));
        View {
            game: game.name().into(),
            rows,
            cols,
            rule: setup.rule,
            opening: setup.opening,
            board,
            to_move: position.to_move(),
            turn: position.turn(),
            colours: Colours {
                first: position.colour_of(Seat::First),
                second: position.colour_of(Seat::Second),
            },
            ply: position.history().len(),
            last: moves.last().cloned(),
            moves,
            legal: Legal {
                place: over.is_none() && cells().any(|cell| position.legal(Move::Place(cell)).is_ok()),
                swap: position.legal(Move::Swap).is_ok(),
                extend: position.legal(Move::Extend).is_ok(),
            },
            forbidden: if over.is_some() { Vec::new() } else { position.forbidden() }
                .into_iter()
                .map(|(cell, kind)| Forbidden { row: cell.row, col: cell.col, kind: kind.into() })
                .collect(),
            opening_step: position.opening_step().map(Into::into),
            outcome: over.as_ref().map(outcome_body),
        }
    }
}

/// The view of a position reached by moves.
pub fn view(host: &Host, line: &PlayedLine) -> Result<View, Problem> {
    let (game, position) = line.position(host)?;
    Ok(View::of(game, &*position, None))
}

fn replay(game: &dyn Game, setup: &game::Setup, position: &dyn Position) -> Vec<MoveBody> {
    let Ok(mut at) = game.position(setup) else { return Vec::new() };
    let mut moves = Vec::with_capacity(position.history().len());
    for mv in position.history() {
        moves.push(move_body(&*at, *mv));
        if at.play(*mv).is_err() {
            break;
        }
    }
    moves
}

fn outcome_body(outcome: &Outcome) -> OutcomeBody {
    let cells = match outcome {
        Outcome::Win { cells, .. } => cells.iter().map(|cell| [cell.row, cell.col]).collect(),
        Outcome::Draw => Vec::new(),
    };
    OutcomeBody { winner: outcome.winner(), reason: Termination::from(outcome), cells }
}
