//! What the learning tool (`examples/learn.rs`) needs from the engine: games of it with itself, and each
//! position that its trees have been to often, with how often every move there was visited.

use super::features::Scene;
use super::playout::NOWHERE;
use super::search::Memory;
use super::worker::Start;
use super::{Tengen, playout::Playout};
use crate::stones::{Shape, Stones};
use crate::{HexPosition, Size, by_width};
use game::{Engine, Limits, Move, Position, Side, Watch};
use search::Rng;

/// A position to learn from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lesson {
    /// Length of the board's sides.
    pub size: u8,
    /// Cells of the side to move and of its opponent.
    pub stones: [Vec<u16>; 2],
    /// Is it white's turn?
    pub white: bool,
    /// The opponent's last move and the one before it.
    pub last: [Option<u16>; 2],
    /// Cells and how often they were visited.
    pub visits: Vec<(u16, u32)>,
}

/// Plies at the start in which moves are drawn by their visits, for variety.
const VARIED: usize = 8;

/// Plays a game with itself from a random opening, so many playouts a move, and returns the positions with
/// at least `visits` visits.
pub fn play(engine: &mut Tengen, size: Size, seed: u64, (playouts, visits): (u64, u32)) -> Vec<Lesson> {
    let mut position = HexPosition::empty(size);
    let mut rng = Rng::new(seed);
    for _ in 0..1 + rng.below(3) {
        let moves = position.legal_moves();
        if let Some(mv) = rng.pick(&moves) {
            // A legal move cannot be refused.
            let _ = position.play(mv);
        }
    }
    let mut lessons = Vec::new();
    while position.outcome().is_none() {
        engine.new_game();
        let limits = Limits { seed: rng.next_u64(), ..Limits::nodes(playouts) };
        let Ok(decision) = engine.think(&position, &limits, &Watch::default(), &mut |_| {}) else { break };
        by_width!(size, W => gather::<W>(engine, visits, &mut lessons));
        // What is proved teaches nothing more.
        if decision.report.win_rate <= 0.02 || decision.report.win_rate >= 0.98 {
            break;
        }
        let mv = match position.history().len() < VARIED {
            true => drawn(&decision.report.root, &mut rng).unwrap_or(decision.mv),
            false => decision.mv,
        };
        if position.play(mv).is_err() {
            break;
        }
    }
    lessons
}

/// A move drawn by its visits.
fn drawn(root: &[game::RootMove], rng: &mut Rng) -> Option<Move> {
    let total: u64 = root.iter().map(|row| row.nodes).sum();
    let mut at = rng.below(total.max(1) as usize) as u64;
    root.iter()
        .find(|row| {
            let found = at < row.nodes;
            at = at.saturating_sub(row.nodes);
            found
        })
        .map(|row| row.mv)
}

fn gather<const W: usize>(engine: &Tengen, visits: u32, lessons: &mut Vec<Lesson>) {
    let Some(memory) = engine.memory.as_ref().and_then(|memory| memory.downcast_ref::<Memory<W>>()) else {
        return;
    };
    let size = memory.shape().size().rows();
    memory.well_visited(visits, |start, children| {
        let cells = |side: Side| start.stones.of(side).iter().map(|cell| cell as u16).collect();
        lessons.push(Lesson {
            size,
            stones: [cells(start.to_move), cells(start.to_move.other())],
            white: start.to_move == Side::White,
            last: start.last.map(|cell| (cell != NOWHERE).then_some(cell as u16)),
            visits: children.iter().map(|&(cell, visits)| (cell as u16, visits)).collect(),
        });
    });
}

impl Lesson {
    /// For each move its features, and the share of visits it got.
    pub fn features(&self) -> Vec<(Vec<u16>, f32)> {
        let Some(size) = Size::new(self.size, self.size) else { return Vec::new() };
        by_width!(size, W => self.features_by::<W>(size))
    }

    fn features_by<const W: usize>(&self, size: Size) -> Vec<(Vec<u16>, f32)> {
        let shape = Shape::<W>::new(size);
        let outlook = super::features::Outlook::new(size);
        let start = self.start::<W>();
        let mut playout = Playout::new(&shape);
        playout.set(&start.stones);
        let scene = Scene::new(&outlook, &playout, &start.stones, start.to_move, start.last);
        let total: u32 = self.visits.iter().map(|row| row.1).sum();
        let row = |&(cell, visits): &(u16, u32)| {
            let mut features = Vec::new();
            scene.each_feature(cell as usize, |feature| features.push(feature as u16));
            (features, visits as f32 / total.max(1) as f32)
        };
        self.visits.iter().map(row).collect()
    }

    fn start<const W: usize>(&self) -> Start<W> {
        let to_move = if self.white { Side::White } else { Side::Black };
        let mut stones = Stones::EMPTY;
        for (side, cells) in [to_move, to_move.other()].into_iter().zip(&self.stones) {
            cells.iter().for_each(|&cell| stones.put(side, cell as usize));
        }
        Start { stones, to_move, last: self.last.map(|cell| cell.map_or(NOWHERE, usize::from)) }
    }

    /// As a line of text.
    pub fn write(&self) -> String {
        let cells = |cells: &[u16]| cells.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
        let last = self.last.map(|cell| cell.map_or("-".into(), |cell| cell.to_string())).join(" ");
        let visits: Vec<String> = self
            .visits
            .iter()
            .filter(|row| row.1 > 0)
            .map(|(cell, visits)| format!("{cell}:{visits}"))
            .collect();
        format!(
            "{} {} {last}|{}|{}|{}",
            self.size,
            u8::from(self.white),
            cells(&self.stones[0]),
            cells(&self.stones[1]),
            visits.join(" ")
        )
    }

    /// Reads what [`Lesson::write`] wrote.
    pub fn parse(line: &str) -> Option<Lesson> {
        let parts: Vec<&str> = line.split('|').collect();
        let [head, own, other, visits] = parts[..] else { return None };
        let head: Vec<&str> = head.split(' ').collect();
        let [size, white, last, before] = head[..] else { return None };
        let size: u8 = size.parse().ok().filter(|size| (1..=19).contains(size))?;
        let on_board = |word: &str| word.parse().ok().filter(|&cell: &u16| cell < u16::from(size).pow(2));
        let cells = |text: &str| text.split_whitespace().map(on_board).collect::<Option<Vec<u16>>>();
        let stone = |word: &str| if word == "-" { Some(None) } else { on_board(word).map(Some) };
        let visits = visits.split(' ').map(|pair| {
            let (cell, visits) = pair.split_once(':')?;
            Some((on_board(cell)?, visits.parse().ok()?))
        });
        Some(Lesson {
            size,
            stones: [cells(own)?, cells(other)?],
            white: white == "1",
            last: [stone(last)?, stone(before)?],
            visits: visits.collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_give_lessons_that_come_back_from_text() {
        let size = Size::new(5, 5).unwrap();
        let mut engine = Tengen::new(&game::Options::new()).unwrap();
        let lessons = play(&mut engine, size, 3, (60, 20));
        assert!(!lessons.is_empty());
        for lesson in &lessons {
            let mut visited = lesson.clone();
            visited.visits.retain(|row| row.1 > 0);
            assert_eq!(Lesson::parse(&lesson.write()), Some(visited));
            assert_eq!(lesson.features().len(), lesson.visits.len());
        }
        for wrong in ["", "5 0 - -|1|2", "5 0 - -|1|99|3:1", "40 0 - -|1|2|3:1", "5 0 - -|1|2|3"] {
            assert_eq!(Lesson::parse(wrong), None, "{wrong}");
        }
    }
}
