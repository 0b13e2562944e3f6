//! Pictures of a position: SVG in three orientations and slanted text.

mod svg;
mod text;

#[cfg(test)]
mod tests;

pub(crate) use svg::svg;
pub(crate) use text::text;

/// How the board lies in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Orientation {
    /// Rows are horizontal, each half a cell to the right of the one above.
    #[default]
    Flat,
    /// The board stands on a sharp corner: `a1` on top, the long diagonal vertical.
    Pointy,
    /// The long diagonal is horizontal, `a1` at the left.
    Diamond,
}

impl Orientation {
    /// All of them, with their names.
    pub(crate) const ALL: [(&'static str, Orientation); 3] =
        [("flat", Orientation::Flat), ("pointy", Orientation::Pointy), ("diamond", Orientation::Diamond)];

    /// Reads a name; anything unknown is the usual one.
    pub(crate) fn named(name: &str) -> Orientation {
        Orientation::ALL.into_iter().find(|(n, _)| *n == name).map_or(Orientation::Flat, |(_, o)| o)
    }

    /// Degrees the flat board is turned by, clockwise.
    fn degrees(self) -> f64 {
        match self {
            Orientation::Flat => 0.0,
            Orientation::Pointy => 60.0,
            Orientation::Diamond => -30.0,
        }
    }
}
