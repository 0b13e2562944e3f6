//! Making maps: perfect mazes by several algorithms, braided mazes, random obstacles, rooms. The same
//! settings and seed always give the same map.

mod obstacles;
mod perfect;

use crate::grid::{Grid, SizeError};
use search::Rng;

/// What kind of map to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Perfect maze, depth first: long winding corridors.
    Backtracker,
    /// Perfect maze, growing from random edges: many short dead ends.
    Prim,
    /// Perfect maze, joining random neighbours: no bias to any place.
    Kruskal,
    /// Perfect maze, loop-erased random walks: every maze equally likely.
    Wilson,
    /// Each cell blocked with the given density.
    Obstacles,
    /// Square rooms with doors between them.
    Rooms,
}

search::named!(
    Style, "style of map":
    Backtracker = "backtracker", Prim = "prim", Kruskal = "kruskal", Wilson = "wilson",
    Obstacles = "obstacles", Rooms = "rooms",
);

/// Settings of a map to make.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// What kind.
    pub style: Style,
    /// Rows of cells, walls included.
    pub height: u64,
    /// Columns of cells, walls included.
    pub width: u64,
    /// Seed of everything random.
    pub seed: u64,
    /// Share of a maze's dead ends that are opened into cycles, 0 to 1.
    pub braid: f64,
    /// Share of cells blocked by `obstacles`, 0 to 1.
    pub density: f64,
    /// Side of a room of `rooms`, at least 1.
    pub room: u32,
}

impl Recipe {
    /// A map of this style and size with usual settings.
    pub fn new(style: Style, height: u64, width: u64, seed: u64) -> Recipe {
        Recipe { style, height, width, seed, braid: 0.0, density: 0.25, room: 8 }
    }

    /// Makes the map.
    pub fn make(&self) -> Result<Grid, RecipeError> {
        for (name, value) in [("braid", self.braid), ("density", self.density)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(RecipeError::Share { name, value });
            }
        }
        let least = if self.style == Style::Obstacles { 1 } else { 3 };
        if self.height < least || self.width < least {
            return Err(RecipeError::TooSmall { style: self.style, least });
        }
        let mut grid = Grid::blocked(self.height, self.width)?;
        let mut random = Rng::new(self.seed);
        match self.style {
            Style::Obstacles => obstacles::scatter(&mut grid, self.density, &mut random),
            Style::Rooms => obstacles::rooms(&mut grid, self.room.max(1), &mut random),
            style => perfect::maze(&mut grid, style, self.braid, &mut random),
        }
        Ok(grid)
    }
}

/// Settings that make no map.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RecipeError {
    /// Too large.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Not even one room.
    #[error("{style} needs at least {least} rows and columns")]
    TooSmall {
        /// The style.
        style: Style,
        /// Rows and columns it needs.
        least: u64,
    },
    /// A share beyond 0 and 1.
    #[error("{name} {value} is out of range: 0 to 1")]
    Share {
        /// Which setting.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Algorithm, Ends, Query, Solver};

    #[test]
    fn perfect_mazes_are_trees_and_mazes_have_a_path() {
        for style in [Style::Backtracker, Style::Prim, Style::Kruskal, Style::Wilson] {
            for (height, width) in [(3, 3), (21, 31), (20, 30), (3, 9)] {
                let grid = Recipe::new(style, height, width, 7).make().unwrap();
                let free: Vec<_> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
                let passages: usize = free
                    .iter()
                    .map(|c| {
                        let right = crate::Cell::new(c.row, c.col + 1);
                        let below = crate::Cell::new(c.row + 1, c.col);
                        usize::from(grid.is_free(right)) + usize::from(grid.is_free(below))
                    })
                    .sum();
                assert_eq!(passages, free.len() - 1, "{style} {height}x{width}");
                let ends = Ends::resolve(&grid, None, None).unwrap();
                let mut solver = Solver::new(&grid);
                for &cell in &free {
                    let query = Query::new(ends.from, cell).by(Algorithm::Bfs);
                    assert!(solver.solve(&query).unwrap().path().is_some(), "{style}: {cell}");
                }
            }
        }
    }

    #[test]
    fn braiding_opens_dead_ends() {
        let dead_ends = |braid| {
            let grid = Recipe { braid, ..Recipe::new(Style::Backtracker, 41, 41, 3) }.make().unwrap();
            let inner = grid.cells().filter(|cell| cell.row % 2 == 1 && cell.col % 2 == 1);
            inner
                .filter(|c| {
                    let around =
                        [(c.row - 1, c.col), (c.row + 1, c.col), (c.row, c.col - 1), (c.row, c.col + 1)];
                    around.iter().filter(|(r, c)| grid.is_free(crate::Cell::new(*r, *c))).count() == 1
                })
                .count()
        };
        assert!(dead_ends(0.0) > 20);
        assert_eq!(dead_ends(1.0), 0);
    }

    #[test]
    fn seeds_repeat_and_differ() {
        for style in Style::ALL {
            let make = |seed| Recipe::new(style, 33, 33, seed).make().unwrap();
            assert_eq!(make(1), make(1), "{style}");
            assert_ne!(make(1), make(2), "{style}");
        }
    }

    #[test]
    fn the_maps_of_a_seed_are_the_same_in_every_release() {
        let hash = |style| {
            let grid = Recipe { braid: 0.3, ..Recipe::new(style, 31, 43, 2024) }.make().unwrap();
            let text = crate::format::write(&grid, crate::format::Format::Matrix);
            text.bytes().fold(0, |hash, byte| search::rng::mix(hash ^ u64::from(byte)))
        };
        assert_eq!(
            Style::ALL.map(hash),
            [
                2_367_456_598_628_914_811,
                13_731_825_978_983_036_897,
                12_012_230_659_247_832_490,
                6_450_005_016_668_563_942,
                4_823_211_365_570_177_054,
                9_598_549_408_186_821_386,
            ]
        );
    }

    #[test]
    fn rooms_are_all_reachable() {
        let grid = Recipe::new(Style::Rooms, 50, 70, 5).make().unwrap();
        let mut solver = Solver::new(&grid);
        let start = crate::Cell::new(1, 1);
        for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
            assert!(solver.solve(&Query::new(start, cell)).unwrap().path().is_some(), "{cell}");
        }
    }

    #[test]
    fn bad_settings_are_refused() {
        let bad = |recipe: Recipe| recipe.make().unwrap_err();
        let recipe = Recipe::new(Style::Prim, 9, 9, 1);
        assert!(matches!(bad(Recipe { braid: 1.5, ..recipe }), RecipeError::Share { name: "braid", .. }));
        assert!(matches!(bad(Recipe { density: f64::NAN, ..recipe }), RecipeError::Share { .. }));
        assert!(matches!(bad(Recipe { height: 2, ..recipe }), RecipeError::TooSmall { .. }));
        assert!(matches!(bad(Recipe { height: 1 << 40, ..recipe }), RecipeError::Size(_)));
    }
}
