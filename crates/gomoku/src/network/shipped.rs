//! The networks inside the program.

use super::Network;
use crate::Rule;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::OnceLock;

impl Network {
    /// The network for a rule, if one ships. None does in the page, where it would double the download. Standard Gomoku
    /// is played with the freestyle network: only overlines differ, and the threats that the network is told of are
    /// counted under the rule of the board.
    pub(crate) fn shipped(rule: Rule) -> Option<&'static Network> {
        #[cfg(not(target_arch = "wasm32"))]
        static FREESTYLE: OnceLock<Option<Network>> = OnceLock::new();
        match rule {
            #[cfg(not(target_arch = "wasm32"))]
            Rule::Freestyle | Rule::Standard => FREESTYLE
                .get_or_init(|| Network::read(include_bytes!("../../../../data/gomoku/freestyle.net")).ok())
                .as_ref(),
            _ => None,
        }
    }
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
