//! What the learning tool (`examples/learn.rs`) needs from the engine: games of it with itself, and each
//! position that its trees have been to often, with how often every move there was visited.

use super::features::Scene;
use super::playout::NOWHERE;
use super::search::Memory;
use super::worker::Start;
use super::{Tengen, playout::Playout};
use crate::stones::{Shape, Stones};
use crate::{HexPosition, Size, by_width};
use game::{Engine, Limits, Position, Side, Watch};
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
    /// The move that was played, and what became of it, 0 to 1; only of positions of a game.
    pub played: Option<(u16, f32)>,
    /// What became of the moves that were tried.
    pub tried: Vec<Tried>,
}

/// A move that a search has tried.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tried {
    /// Where.
    pub cell: u16,
    /// How often.
    pub visits: u32,
    /// The chance to win with it that the search found; 0 and 1 are proofs. Lessons of searches without the network have none.
    pub chance: Option<f32>,
}

/// A game is over for a chance this close to 0 or 1.
const DECIDED: f64 = 0.02;
/// Plies at the start in which moves are drawn by their visits, for variety.
const VARIED: usize = 8;

/// One move in so many gets all visits, the others [`SHORT`] times fewer: results need many games, lessons on what to play long
/// searches (KataGo's playout cap randomization, Wu 2019).
const LONG: usize = 4;
const SHORT: u64 = 8;
/// Visits that make another position of a long search a lesson, as a share of the root's: fewer say little but what was
/// guessed before.
const SHARE: u64 = 3;

/// Searches that teach give unlikely moves a chance: they take likelihoods to this power, and this share of the root's
/// priors is random. Without it a network learns ever more surely what it knows already.
const FLAT: f32 = 0.75;
const NOISE: f32 = 0.25;

/// How much of what became of a move is what became of the next one rather than what the search thought there: a game is
/// long, and its result says little about the first moves.
const TRACE: f32 = 0.97;

/// Plays a game with itself from a random opening, so many visits in a long search, and returns its positions, and those
/// that a long search has been to often.
pub fn play(engine: &mut Tengen, size: Size, seed: u64, visits: u64) -> Vec<Lesson> {
    let mut position = HexPosition::empty(size);
    let mut rng = Rng::new(seed);
    for _ in 0..1 + rng.below(3) {
        let moves = position.legal_moves();
        if let Some(mv) = rng.pick(&moves) {
            // A legal move cannot be refused.
            let _ = position.play(mv);
        }
    }
    let (mut game, mut others) = (Vec::new(), Vec::new());
    let mut winner = None;
    while position.outcome().is_none() {
        engine.new_game();
        let long = rng.below(LONG) == 0;
        let visits = if long { visits } else { visits / SHORT }.max(1);
        (engine.params.flat, engine.params.noise) = if long { (FLAT, NOISE) } else { (1.0, 0.0) };
        // A large tree takes longer to clear than a short search.
        let limits = Limits { seed: rng.next_u64(), memory_mb: 16, ..Limits::nodes(visits) };
        let Ok(decision) = engine.think(&position, &limits, &Watch::default(), &mut |_| {}) else { break };
        let to_move = position.to_move();
        // What is decided teaches nothing more.
        if decision.report.win_rate <= DECIDED || decision.report.win_rate >= 1.0 - DECIDED {
            winner = Some(if decision.report.win_rate > 0.5 { to_move } else { to_move.other() });
            break;
        }
        let mut lessons = Vec::new();
        by_width!(size, W => gather::<W>(engine, if long { visits / SHARE } else { visits } as u32, &mut lessons));
        let root = &decision.report.root;
        let varied = if position.history().len() < VARIED { &root[..] } else { &[] };
        let drawn = rng.weighted(varied.iter().map(|row| row.nodes as f64));
        let mv = drawn.map_or(decision.mv, |at| root[at].mv);
        if !lessons.is_empty() {
            let cell = mv.cell().map(|cell| size.index(cell) as u16);
            game.push((lessons.remove(0), to_move, cell, decision.report.win_rate as f32));
            others.append(&mut lessons);
        }
        if position.play(mv).is_err() {
            break;
        }
    }
    let winner = winner.or_else(|| position.outcome().and_then(|outcome| outcome.winner()));
    let Some(winner) = winner else { return others };
    // What black gets, from the end to the beginning.
    let mut black = f32::from(u8::from(winner == Side::Black));
    let told = game.into_iter().rev().map(|(lesson, side, cell, thought)| {
        let seen = |black: f32| if side == Side::Black { black } else { 1.0 - black };
        let played = cell.map(|cell| (cell, seen(black)));
        black = TRACE * black + (1.0 - TRACE) * seen(thought);
        Lesson { played, ..lesson }
    });
    told.chain(others).collect()
}

fn gather<const W: usize>(engine: &Tengen, visits: u32, lessons: &mut Vec<Lesson>) {
    let Some(memory) = engine.memory.as_ref().and_then(|memory| memory.downcast_ref::<Memory<W>>()) else {
        return;
    };
    let size = memory.shape().size().rows();
    memory.well_visited(visits, &engine.params, |start, tried| {
        let cells = |side: Side| start.stones.of(side).iter().map(|cell| cell as u16).collect();
        lessons.push(Lesson {
            size,
            stones: [cells(start.to_move), cells(start.to_move.other())],
            white: start.to_move == Side::White,
            last: start.last.map(|cell| (cell != NOWHERE).then_some(cell as u16)),
            played: None,
            tried,
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
        let total: u32 = self.tried.iter().map(|row| row.visits).sum();
        let row = |&Tried { cell, visits, .. }: &Tried| {
            let mut features = Vec::new();
            scene.each_feature(cell as usize, |feature| features.push(feature as u16));
            (features, visits as f32 / total.max(1) as f32)
        };
        self.tried.iter().map(row).collect()
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
        let tried = |row: &Tried| {
            let chance = row.chance.map_or(String::new(), |chance| format!(":{chance:.3}"));
            format!("{}:{}{chance}", row.cell, row.visits)
        };
        let tried: Vec<String> = self.tried.iter().map(tried).collect();
        let played = self.played.map_or(String::new(), |(cell, won)| format!(" {cell}={won:.3}"));
        format!(
            "{} {} {last}{played}|{}|{}|{}",
            self.size,
            u8::from(self.white),
            cells(&self.stones[0]),
            cells(&self.stones[1]),
            tried.join(" ")
        )
    }

    /// Reads what [`Lesson::write`] wrote.
    pub fn parse(line: &str) -> Option<Lesson> {
        let parts: Vec<&str> = line.split('|').collect();
        let [head, own, other, tried] = parts[..] else { return None };
        let head: Vec<&str> = head.split(' ').collect();
        let [size, white, last, before, ref played @ ..] = head[..] else { return None };
        let size: u8 = size.parse().ok().filter(|size| (1..=19).contains(size))?;
        let on_board = |word: &str| word.parse().ok().filter(|&cell: &u16| cell < u16::from(size).pow(2));
        let cells = |text: &str| text.split_whitespace().map(on_board).collect::<Option<Vec<u16>>>();
        let chance = |word: &str| word.parse().ok().filter(|chance| (0.0..=1.0).contains(chance));
        let result = |word: &str| {
            let (cell, won) = word.split_once('=')?;
            Some((on_board(cell)?, chance(won)?))
        };
        let played = match *played {
            [] => None,
            [word] => Some(result(word)?),
            _ => return None,
        };
        let stone = |word: &str| if word == "-" { Some(None) } else { on_board(word).map(Some) };
        let tried = tried.split(' ').map(|row| {
            let words: Vec<&str> = row.split(':').collect();
            let (cell, visits, known) = match words[..] {
                [cell, visits] => (cell, visits, None),
                [cell, visits, known] => (cell, visits, Some(chance(known)?)),
                _ => return None,
            };
            Some(Tried { cell: on_board(cell)?, visits: visits.parse().ok()?, chance: known })
        });
        Some(Lesson {
            size,
            stones: [cells(own)?, cells(other)?],
            white: white == "1",
            last: [stone(last)?, stone(before)?],
            played,
            tried: tried.collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_makes_a_search_try_more_moves() {
        let mut engine = Tengen::new(&game::Options::new()).unwrap();
        let position = HexPosition::empty(Size::new(9, 9).unwrap());
        let [calm, noisy] = [0.0, 0.9].map(|noise| {
            engine.params.noise = noise;
            engine.new_game();
            let decision =
                engine.think(&position, &Limits::nodes(60), &Watch::default(), &mut |_| {}).unwrap();
            decision.report.root.iter().filter(|row| row.nodes > 0).count()
        });
        assert!(noisy > calm, "{calm} {noisy}");
        // What is taught is what came out, not where noise led.
        let mut lessons = Vec::new();
        gather::<2>(&engine, 60, &mut lessons);
        let taught = lessons[0].tried.iter().filter(|row| row.visits > 0).count();
        assert!(taught < noisy, "{taught} {noisy}");
    }

    #[test]
    fn games_give_lessons_that_come_back_from_text() {
        let size = Size::new(5, 5).unwrap();
        let mut engine = Tengen::new(&game::Options::new()).unwrap();
        let lessons = play(&mut engine, size, 3, 60);
        assert!(lessons.iter().any(|lesson| lesson.played.is_some()));
        for lesson in &lessons {
            let mut rounded = lesson.clone();
            let found = rounded.tried.iter_mut().filter_map(|row| row.chance.as_mut());
            for chance in found.chain(rounded.played.iter_mut().map(|row| &mut row.1)) {
                *chance = format!("{chance:.3}").parse().unwrap();
            }
            assert_eq!(Lesson::parse(&lesson.write()), Some(rounded));
            assert_eq!(lesson.features().len(), lesson.tried.len());
        }
        for wrong in [
            "",
            "5 0 - -|1|2",
            "5 0 - -|1|99|3:1",
            "40 0 - -|1|2|3:1",
            "5 0 - -|1|2|3",
            "5 0 - -|1|2|3:1:2",
            "5 0 - - 3=2|1|2|3:1",
        ] {
            assert_eq!(Lesson::parse(wrong), None, "{wrong}");
        }
    }
}
