//! Where a search starts and ends if the caller gives neither or only one of the two.

use crate::grid::{Cell, Grid};

/// Start and goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Start.
    pub from: Cell,
    /// Goal.
    pub to: Cell,
}

/// Neither the caller, nor the map's text, nor its border tell where to start or end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndsError {
    /// The border does not have exactly two openings.
    #[error(
        "cannot tell {what}: the map names none and its border has {openings} openings, not two; \
         accepted: start and goal given as row and column"
    )]
    Openings {
        /// What is missing.
        what: &'static str,
        /// Free cells of the border.
        openings: usize,
    },
}

impl Ends {
    /// Each end is the one given, else the one the map names, else one of the only two openings in its
    /// border: the upper left one is the entry, unless it is already the other end.
    pub fn resolve(grid: &Grid, from: Option<Cell>, to: Option<Cell>) -> Result<Ends, EndsError> {
        let (from, to) = (from.or(grid.entry), to.or(grid.exit));
        if let (Some(from), Some(to)) = (from, to) {
            return Ok(Ends { from, to });
        }
        let openings = grid.openings();
        let &[first, second] = openings.as_slice() else {
            let what = match (from, to) {
                (None, None) => "start and goal",
                (None, _) => "the start",
                _ => "the goal",
            };
            return Err(EndsError::Openings { what, openings: openings.len() });
        };
        let other = |end: Cell| if end == first { second } else { first };
        Ok(match (from, to) {
            (None, Some(to)) => Ends { from: other(to), to },
            (Some(from), None) if from != second => Ends { from, to: second },
            (Some(from), None) => Ends { from, to: first },
            _ => Ends { from: first, to: second },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caller_comes_before_the_map_and_the_map_before_the_border() {
        let mut grid = Grid::blocked(5, 5).unwrap();
        let [a, b, c] = [Cell::new(1, 0), Cell::new(3, 4), Cell::new(2, 2)];
        assert_eq!(
            Ends::resolve(&grid, None, None),
            Err(EndsError::Openings { what: "start and goal", openings: 0 })
        );
        grid.set_free(a, true);
        grid.set_free(b, true);
        assert_eq!(Ends::resolve(&grid, None, None), Ok(Ends { from: a, to: b }));
        assert_eq!(Ends::resolve(&grid, Some(b), None), Ok(Ends { from: b, to: a }));
        assert_eq!(Ends::resolve(&grid, Some(c), None), Ok(Ends { from: c, to: b }));
        assert_eq!(Ends::resolve(&grid, None, Some(a)), Ok(Ends { from: b, to: a }));
        grid.entry = Some(c);
        assert_eq!(Ends::resolve(&grid, None, None), Ok(Ends { from: c, to: b }));
        assert_eq!(Ends::resolve(&grid, Some(a), Some(b)), Ok(Ends { from: a, to: b }));
    }
}
