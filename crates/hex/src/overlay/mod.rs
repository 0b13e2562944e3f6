//! Maps drawn over the board for people: resistance, bridges, distances, components, and what [`crate::pruning`] and
//! [`crate::vc`] find.

mod bridges;
mod circuit;
mod components;
mod distance;
mod maps;
mod two_distance;

pub use bridges::{Bridge, BridgeEnd, bridges};
pub use circuit::{Circuit, circuit};
pub use components::{Component, components};
pub use distance::{Distances, distances};
pub(crate) use maps::{LAYERS, layer};
pub(crate) use two_distance::two_distances;
