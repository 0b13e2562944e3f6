//! Balanced openings: two stones after which long searches think the game about even. On common boards every first stone
//! wins or loses by far, so a fair match begins after the second.
//!
//! The openings for 11x11, 13x13 and 14x14 ship in `data/hex`, made by `tengen book openings hex`; matches start from them
//! unless told otherwise.

use crate::engine::Tengen;
use crate::{Position, Size};
use game::{Engine, EngineError, Limits, Move, Options, Position as _, Watch};
use search::Rng;
use search::rng::mix;
use std::collections::HashSet;

/// How openings are made.
#[derive(Clone, Copy, Debug)]
pub struct BalancedRecipe {
    /// The board.
    pub size: Size,
    /// Number of openings.
    pub count: usize,
    /// Playouts of the search that decides.
    pub playouts: u64,
    /// Seed of the draws and searches.
    pub seed: u64,
}

/// A balanced opening.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balanced {
    /// Black's stone and White's.
    pub cells: [usize; 2],
    /// Win rate of the side to move.
    pub win_rate: f64,
}

/// Playouts of a first, short search, and the distance from 1/2 beyond which its win rate rejects an opening. It is too unsure
/// to reject what it thinks a little uneven.
const SHORT_PLAYOUTS: u64 = 64;
const SHORT_MARGIN: f64 = 0.2;
/// Accepted distance of the long search's win rate from 1/2.
const EVEN_MARGIN: f64 = 0.1;
/// Openings that share a first stone, for variety.
const SAME_FIRST: usize = 5;
/// Draws per wanted opening before giving up: small boards have too few.
const DRAWS_PER_OPENING: usize = 2_000;

/// Draws openings until enough are balanced; fewer where the board has not so many. No two are half turns of each other.
/// `progress` gets their number; false cancels.
pub fn balanced_openings(
    recipe: &BalancedRecipe,
    watch: &Watch,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Result<Vec<Balanced>, EngineError> {
    let BalancedRecipe { size, count, playouts, seed } = *recipe;
    let mut engine = Tengen::new(&Options::new())?;
    let mut rng = Rng::new(seed);
    let mut found: Vec<Balanced> = Vec::new();
    let mut seen = HashSet::new();
    for _ in 0..count.saturating_mul(DRAWS_PER_OPENING) {
        if found.len() >= count || !progress(found.len()) {
            break;
        }
        let cells = [(); 2].map(|()| rng.below(size.cells()));
        // The half turn of an opening is the same opening.
        let cells = cells.min(cells.map(|cell| size.turned(cell)));
        let used = found.iter().filter(|opening| opening.cells[0] == cells[0]).count();
        if cells[0] == cells[1] || used >= SAME_FIRST || !seen.insert(cells) {
            continue;
        }
        let Some(position) = played(size, cells) else { continue };
        let mut win_rate_after = |playouts: u64| {
            engine.new_game();
            let limits = Limits { seed: mix(seed ^ position.hash()), ..Limits::nodes(playouts) };
            let decision = engine.think(&position, &limits, watch, &mut |_| {})?;
            Ok::<f64, EngineError>(decision.report.win_rate)
        };
        if (win_rate_after(SHORT_PLAYOUTS)? - 0.5).abs() > SHORT_MARGIN {
            continue;
        }
        let win_rate = win_rate_after(playouts)?;
        if (win_rate - 0.5).abs() <= EVEN_MARGIN {
            found.push(Balanced { cells, win_rate });
        }
    }
    Ok(found)
}

/// The position after two stones, unless the game is over then.
fn played(size: Size, cells: [usize; 2]) -> Option<Position> {
    let mut position = Position::empty(size);
    for cell in cells {
        position.play(Move::Place(size.cell(cell))).ok()?;
    }
    position.outcome().is_none().then_some(position)
}

/// Openings as text: a comment, then the moves of one opening per line.
pub fn write(size: Size, openings: &[Balanced], comment: &str) -> String {
    let position = Position::empty(size);
    let name = |cell: usize| position.format_move(Move::Place(size.cell(cell)));
    let mut text = format!("# {comment}\n");
    for Balanced { cells: [first, second], .. } in openings {
        text += &format!("{}{}\n", name(*first), name(*second));
    }
    text
}

/// The openings that ship for a size, as [`write()`] writes them.
pub fn shipped(size: Size) -> Option<&'static str> {
    match (size.rows(), size.cols()) {
        (11, 11) => Some(include_str!("../../../data/hex/openings-11.txt")),
        (13, 13) => Some(include_str!("../../../data/hex/openings-13.txt")),
        (14, 14) => Some(include_str!("../../../data/hex/openings-14.txt")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Game, Setup};

    #[test]
    fn openings_are_even_different_and_the_same_again() {
        let size = Size::new(6, 6).unwrap();
        let recipe = BalancedRecipe { size, count: 4, playouts: 300, seed: 1 };
        let openings = balanced_openings(&recipe, &Watch::untimed(), &mut |_| true).unwrap();
        assert!(!openings.is_empty());
        assert_eq!(openings, balanced_openings(&recipe, &Watch::untimed(), &mut |_| true).unwrap());
        let mut keys = HashSet::new();
        for Balanced { cells, win_rate } in &openings {
            assert!((0.4..=0.6).contains(win_rate), "{win_rate}");
            assert!(keys.insert(*cells) && keys.insert(cells.map(|cell| size.turned(cell))));
        }
        assert!(balanced_openings(&recipe, &Watch::untimed(), &mut |_| false).unwrap().is_empty());
    }

    #[test]
    fn a_board_without_balanced_openings_ends() {
        let size = Size::new(2, 2).unwrap();
        let recipe = BalancedRecipe { size, count: 3, playouts: 50, seed: 1 };
        assert_eq!(balanced_openings(&recipe, &Watch::untimed(), &mut |_| true).unwrap(), []);
    }

    /// At least a hundred for each size; every one can be played and none stands twice, turned or not.
    #[test]
    fn the_shipped_openings_are_many_and_different() {
        for side in [11, 13, 14] {
            let size = Size::new(side, side).unwrap();
            let setup = Setup { opening: "none".into(), ..Setup::empty(side, side) };
            let openings = crate::HEX.parse_openings(shipped(size).unwrap(), &setup).unwrap();
            assert!(openings.len() >= 100, "{side}: {}", openings.len());
            let keys: HashSet<u64> = openings.iter().map(|opening| opening.canonical_hash()).collect();
            assert_eq!(keys.len(), openings.len(), "{side}");
            assert!(openings.iter().all(|opening| opening.history().len() == 2));
        }
    }
}
