//! A training sample: a position with what a search found there, one line of text each.

use crate::engine::features::{FeatureTables, MoveFeatures};
use crate::engine::heavy_playout::{HeavyPlayout, NO_CELL};
use crate::engine::worker::SearchPosition;
use crate::stones::{Shape, Stones};
use crate::{Size, by_width};
use game::Side;

/// A position to learn from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// Length of the board's sides.
    pub size: u8,
    /// Cells of the side to move and of its opponent.
    pub stones: [Vec<u16>; 2],
    /// Is white to move?
    pub white: bool,
    /// The opponent's last move and the one before it.
    pub last: [Option<u16>; 2],
    /// The move played and its result, 0 to 1; only for positions of a game.
    pub played: Option<(u16, f32)>,
    /// The moves that were searched.
    pub searched: Vec<SearchedMove>,
}

/// The result of a search for one move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchedMove {
    /// Its cell.
    pub cell: u16,
    /// Its visits, as the improved policy distributes them.
    pub visits: u32,
    /// Its win probability; 0 and 1 are proofs. Searches without the network give none.
    pub value: Option<f32>,
}

impl Sample {
    /// For each move its features and its share of the visits.
    pub fn features(&self) -> Vec<(Vec<u16>, f32)> {
        let Some(size) = Size::new(self.size, self.size) else { return Vec::new() };
        by_width!(size, W => self.features_by_width::<W>(size))
    }

    fn features_by_width<const W: usize>(&self, size: Size) -> Vec<(Vec<u16>, f32)> {
        let shape = Shape::<W>::new(size);
        let tables = FeatureTables::new(size);
        let start = self.position::<W>();
        let mut playout = HeavyPlayout::new(&shape);
        playout.set(&start.stones);
        let position = MoveFeatures::new(&tables, &playout, &start.stones, start.to_move, start.last);
        let total: u32 = self.searched.iter().map(|row| row.visits).sum();
        let row = |&SearchedMove { cell, visits, .. }: &SearchedMove| {
            let mut features = Vec::new();
            position.each_feature(cell as usize, |feature| features.push(feature as u16));
            (features, visits as f32 / total.max(1) as f32)
        };
        self.searched.iter().map(row).collect()
    }

    fn position<const W: usize>(&self) -> SearchPosition<W> {
        let to_move = if self.white { Side::White } else { Side::Black };
        let mut stones = Stones::EMPTY;
        for (side, cells) in [to_move, to_move.other()].into_iter().zip(&self.stones) {
            cells.iter().for_each(|&cell| stones.put(side, cell as usize));
        }
        SearchPosition { stones, to_move, last: self.last.map(|cell| cell.map_or(NO_CELL, usize::from)) }
    }

    /// As a line of text: `SIZE WHITE LAST BEFORE [CELL=RESULT]|OWN|OTHER|CELL:VISITS[:VALUE] ...`.
    pub fn write(&self) -> String {
        let cells = |cells: &[u16]| cells.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
        let last = self.last.map(|cell| cell.map_or("-".into(), |cell| cell.to_string())).join(" ");
        let searched = |row: &SearchedMove| {
            let value = row.value.map_or(String::new(), |value| format!(":{value:.3}"));
            format!("{}:{}{value}", row.cell, row.visits)
        };
        let searched: Vec<String> = self.searched.iter().map(searched).collect();
        let played = self.played.map_or(String::new(), |(cell, won)| format!(" {cell}={won:.3}"));
        format!(
            "{} {} {last}{played}|{}|{}|{}",
            self.size,
            u8::from(self.white),
            cells(&self.stones[0]),
            cells(&self.stones[1]),
            searched.join(" ")
        )
    }

    /// Reads what [`Sample::write`] writes.
    pub fn parse(line: &str) -> Option<Sample> {
        let parts: Vec<&str> = line.split('|').collect();
        let [head, own, other, searched] = parts[..] else { return None };
        let head: Vec<&str> = head.split(' ').collect();
        let [size, white, last, before, ref played @ ..] = head[..] else { return None };
        let size: u8 = size.parse().ok().filter(|size| (1..=19).contains(size))?;
        let on_board = |word: &str| word.parse().ok().filter(|&cell: &u16| cell < u16::from(size).pow(2));
        let cells = |text: &str| text.split_whitespace().map(on_board).collect::<Option<Vec<u16>>>();
        let probability = |word: &str| word.parse().ok().filter(|value| (0.0..=1.0).contains(value));
        let result = |word: &str| {
            let (cell, won) = word.split_once('=')?;
            Some((on_board(cell)?, probability(won)?))
        };
        let played = match *played {
            [] => None,
            [word] => Some(result(word)?),
            _ => return None,
        };
        let stone = |word: &str| if word == "-" { Some(None) } else { on_board(word).map(Some) };
        let searched = searched.split(' ').map(|row| {
            let words: Vec<&str> = row.split(':').collect();
            let (cell, visits, value) = match words[..] {
                [cell, visits] => (cell, visits, None),
                [cell, visits, value] => (cell, visits, Some(probability(value)?)),
                _ => return None,
            };
            Some(SearchedMove { cell: on_board(cell)?, visits: visits.parse().ok()?, value })
        });
        Some(Sample {
            size,
            stones: [cells(own)?, cells(other)?],
            white: white == "1",
            last: [stone(last)?, stone(before)?],
            played,
            searched: searched.collect::<Option<_>>()?,
        })
    }
}
