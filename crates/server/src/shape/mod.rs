//! The JSON shapes of the API, and their conversion from the types of `game`.

mod player;
mod report;
mod setup;
mod view;
mod words;

pub(crate) use player::{ClockRule, Player, Players, Visibility, check_options, checked_name};
pub(crate) use report::{LayerBody, ReportBody, layer_body, words};
pub(crate) use setup::Setup;
pub(crate) use view::{MoveBody, View, move_body};
pub(crate) use words::SideWord;
