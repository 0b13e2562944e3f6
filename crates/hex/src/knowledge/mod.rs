//! What can be said about a position without search, as data: components, distances, resistance, bridges.

mod bridges;
mod circuit;
mod components;
mod distance;
mod layers;
mod two_distance;

pub use bridges::{Bridge, BridgeEnd, bridges};
pub use circuit::{Circuit, circuit};
pub use components::{Component, components};
pub use distance::{Distances, distances};
pub use layers::{LAYERS, layer};
pub use two_distance::two_distances;
