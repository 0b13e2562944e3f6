//! The networks inside the program.

use super::Network;
use crate::Rule;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::OnceLock;

impl Network {
    /// The network for a rule, if one ships. None does in the page, where it would double the download.
    pub(crate) fn shipped(rule: Rule) -> Option<&'static Network> {
        #[cfg(not(target_arch = "wasm32"))]
        static FREESTYLE: OnceLock<Option<Network>> = OnceLock::new();
        match rule {
            #[cfg(not(target_arch = "wasm32"))]
            Rule::Freestyle => FREESTYLE
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
        assert_eq!(Network::shipped(Rule::Renju), None);
    }
}
