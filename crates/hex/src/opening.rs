//! Opening protocols: which swap the second player may choose.

/// The swap rule of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SwapRule {
    /// No swap.
    #[default]
    None,
    /// Swap pieces: the stone is mirrored and recoloured; the players keep their colours.
    Pieces,
    /// Swap sides: the players exchange colours.
    Sides,
}

impl SwapRule {
    /// Names accepted in [`game::Setup::opening`], the default first.
    pub const NAMES: [&'static str; 3] = ["none", "swap-pieces", "swap-sides"];

    /// The rule's name.
    pub const fn name(self) -> &'static str {
        SwapRule::NAMES[self as usize]
    }

    /// Reads a name; empty means the default.
    pub fn parse(name: &str) -> Option<SwapRule> {
        match name {
            "" | "none" => Some(SwapRule::None),
            "swap-pieces" => Some(SwapRule::Pieces),
            "swap-sides" => Some(SwapRule::Sides),
            _ => None,
        }
    }
}
