//! The words that stand for sides and seats in JSON, for the OpenAPI description only: the types
//! themselves belong to `game`, which knows no description.
#![allow(dead_code, reason = "named by `value_type` alone")]

use utoipa::ToSchema;

/// A colour.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum SideWord {
    Black,
    White,
}

/// A player: `first` made the first decision of the game.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum SeatWord {
    First,
    Second,
}
