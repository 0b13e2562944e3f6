//! The swap map: for each first stone how often the side that has it wins when the main engine plays itself. Maps
//! ship in `data/hex/`, made by `tengen book make hex`.

use crate::engine::Tengen;
use crate::{HexPosition, Size};
use game::{Engine, Limits, Move, Options, Position, Side, Watch};
use search::rng::mix;
use std::sync::LazyLock;

/// Win rates of first stones.
#[derive(Clone, Debug, PartialEq)]
pub struct SwapMap {
    size: Size,
    /// For each cell, 0 to 1, for the side whose stone it is.
    rates: Vec<f64>,
}

static SHIPPED: LazyLock<Option<SwapMap>> =
    LazyLock::new(|| SwapMap::parse(include_str!("../../../data/hex/swap-11.txt")).ok());

/// Win rates this near to even are as good as even for a first stone.
const EVEN: f64 = 0.06;

/// Win rates this far from even need no search: with 16 games a stone, less may be chance.
const SURE: f64 = 0.3;

/// Who wins a game of the engine with itself after a first stone of black.
fn winner(size: Size, cell: usize, playouts: u64, seed: u64) -> Option<Side> {
    let mut engine = Tengen::new(&Options::new()).ok()?;
    let mut position = HexPosition::empty(size);
    position.play(Move::Place(size.cell(cell))).ok()?;
    while position.outcome().is_none() {
        let limits = Limits { seed: mix(seed ^ position.hash()), memory_mb: 16, ..Limits::nodes(playouts) };
        let decision = engine.think(&position, &limits, &Watch::default(), &mut |_| {}).ok()?;
        match decision.report.win_rate {
            1.0 => return Some(position.to_move()),
            0.0 => return Some(position.to_move().other()),
            _ => position.play(decision.mv).ok()?,
        }
    }
    position.board().winner()
}

impl SwapMap {
    /// The map that ships for a size.
    pub fn shipped(size: Size) -> Option<&'static SwapMap> {
        SHIPPED.as_ref().filter(|map| map.size == size)
    }

    /// Lets the engine play games with itself after every first stone of black, so many playouts a move; the
    /// half turn of a stone is not tried again. `progress` is told how many stones of how many are done;
    /// where it says no, nothing is made.
    pub fn make(
        size: Size,
        (games, playouts): (u32, u64),
        seed: u64,
        progress: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Option<SwapMap> {
        let cells = size.cells();
        let mut rates = vec![0.5; cells];
        let half = cells.div_ceil(2);
        for cell in 0..half {
            let won = (0..games).filter(|game| {
                let seed = mix(seed ^ mix((cell as u64) << 32 | u64::from(*game)));
                winner(size, cell, playouts, seed) == Some(Side::Black)
            });
            // As if one game more had been won and one lost: a few games prove nothing.
            let rate = (won.count() as f64 + 1.0) / (f64::from(games) + 2.0);
            (rates[cell], rates[size.turned(cell)]) = (rate, rate);
            if !progress(cell + 1, half) {
                return None;
            }
        }
        Some(SwapMap { size, rates })
    }

    /// The size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The win rate of a first stone.
    pub fn rate(&self, cell: usize) -> Option<f64> {
        self.rates.get(cell).copied()
    }

    /// Should the second player take this stone over?
    pub fn swap(&self, cell: usize) -> bool {
        self.rate(cell).is_some_and(|rate| rate > 0.5)
    }

    /// The same where the map is sure; `None` where a search should decide.
    pub fn sure(&self, cell: usize) -> Option<bool> {
        self.rate(cell).filter(|rate| (rate - 0.5).abs() >= SURE).map(|rate| rate > 0.5)
    }

    /// First stones that leave the game about even, the evenest first.
    pub fn even(&self) -> Vec<usize> {
        let off = |cell: &usize| (self.rates[*cell] - 0.5).abs();
        let mut cells: Vec<usize> = (0..self.rates.len()).collect();
        cells.sort_by(|a, b| off(a).total_cmp(&off(b)));
        let many = cells.iter().take_while(|cell| off(cell) <= EVEN).count().max(1);
        cells.truncate(many);
        cells
    }

    /// The map as text: comments, then one row of percents a line.
    pub fn write(&self, comment: &str) -> String {
        let mut text = format!("# {comment}\n");
        for row in self.rates.chunks(usize::from(self.size.cols())) {
            let words: Vec<String> = row.iter().map(|rate| format!("{:5.1}", rate * 100.0)).collect();
            text += words.join(" ").trim_start();
            text.push('\n');
        }
        text
    }

    /// Reads what [`SwapMap::write`] writes.
    pub fn parse(text: &str) -> Result<SwapMap, String> {
        let rows: Vec<&str> =
            text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).collect();
        let mut rates = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            for word in row.split_whitespace() {
                match word.parse::<f64>() {
                    Ok(rate) if (0.0..=100.0).contains(&rate) => rates.push(rate / 100.0),
                    _ => return Err(format!("row {}: '{word}' is not a percentage", at + 1)),
                }
            }
        }
        let cols = rates.len().checked_div(rows.len()).unwrap_or(0);
        match Size::new(rows.len().min(255) as u8, cols.min(255) as u8) {
            Some(size) if size.cells() == rates.len() => Ok(SwapMap { size, rates }),
            _ => Err(format!("{} rows and {} numbers are no board", rows.len(), rates.len())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_made_written_and_read() {
        let size = Size::new(3, 3).unwrap();
        let map = SwapMap::make(size, (8, 30), 1, &mut |_, _| true).unwrap();
        // The centre wins, two corners lose.
        assert!(map.swap(4) && map.rate(4) == Some(0.9));
        assert_eq!(map.rate(0), map.rate(8));
        let again = SwapMap::parse(&map.write("test")).unwrap();
        assert_eq!(again.size(), size);
        assert!((0..9).all(|cell| (again.rate(cell).unwrap() - map.rate(cell).unwrap()).abs() < 0.001));
        assert!(SwapMap::make(size, (1, 5), 1, &mut |_, _| false).is_none());
        assert!(SwapMap::parse("1 2\n3 x").is_err() && SwapMap::parse("").is_err());
        assert!(SwapMap::parse("1 2\n3").is_err());
    }

    #[test]
    fn the_shipped_map_is_turned_on_itself_and_swaps_the_centre() {
        let size = Size::new(11, 11).unwrap();
        let map = SwapMap::shipped(size).unwrap();
        assert!(map.swap(60));
        assert!((0..121).all(|cell| map.rate(cell) == map.rate(size.turned(cell))));
        assert!(map.even().iter().all(|&cell| map.rate(cell).is_some_and(|rate| (rate - 0.5).abs() < 0.15)));
        // Sixteen games tell little: only a landslide is taken for sure.
        assert!((0..121).filter(|cell| map.sure(*cell).is_some()).count() < 12);
    }
}
