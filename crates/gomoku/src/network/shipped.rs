//! The networks that ship: inside the program, or files of their own that a page loads.

use super::Network;
use crate::Rule;
use std::sync::OnceLock;

static FREESTYLE: OnceLock<Option<Network>> = OnceLock::new();

impl Network {
    /// The network for a rule, if one ships; in a page, once it is installed. Standard Gomoku is played with the
    /// freestyle network: only overlines differ, and the threats that the network is told of are counted under the rule
    /// of the board.
    pub(crate) fn shipped(rule: Rule) -> Option<&'static Network> {
        match rule {
            Rule::Freestyle | Rule::Standard => freestyle(),
            Rule::Renju | Rule::Caro => None,
        }
    }
}

fn freestyle() -> Option<&'static Network> {
    // The page fetches it when Gomoku is played: in the module it would double the download.
    #[cfg(not(target_family = "wasm"))]
    FREESTYLE.get_or_init(|| Network::read(include_bytes!("../../../../data/gomoku/freestyle.net")).ok());
    FREESTYLE.get()?.as_ref()
}

/// Has this network file used as the one that ships for freestyle and standard rules; false if it is damaged or for
/// another rule, or if there is one already.
pub fn install_network(bytes: &[u8]) -> bool {
    let network = Network::read(bytes).ok().filter(|network| network.rule == Rule::Freestyle);
    network.is_some_and(|network| FREESTYLE.set(Some(network)).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ships_can_be_read() {
        let network = Network::shipped(Rule::Freestyle).unwrap();
        assert_eq!(network.rule, Rule::Freestyle);
        assert_eq!(Network::shipped(Rule::Standard), Some(network));
        assert_eq!(Network::shipped(Rule::Renju), None);
    }
}
