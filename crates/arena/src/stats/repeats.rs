//! Are the games of a run independent? Deterministic engines from few openings play the same games again and
//! again, and statistics that take them for independent claim far more than was seen.

use crate::journal::Score;
use std::collections::HashSet;

/// How many games of a run repeat an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// All games.
    pub games: usize,
    /// Different ones: other moves, or the other player first. A game that ended by a fault repeats none.
    pub distinct: usize,
}

impl Repeats {
    /// Games before a running test is given up because of repeats.
    pub(crate) const ENOUGH_GAMES: usize = 20;

    /// Counts them.
    pub fn of<'a>(scores: impl Iterator<Item = &'a Score>) -> Repeats {
        let mut games = 0;
        let lines: HashSet<u64> = scores.inspect(|_| games += 1).map(|score| score.line).collect();
        Repeats { games, distinct: lines.len() }
    }

    /// More than one game in ten is a repeat: an Elo difference or a test of them means nothing.
    pub fn too_many(&self) -> bool {
        (self.games - self.distinct) * 10 > self.games
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::Termination;
    use crate::schedule::Task;

    #[test]
    fn one_repeat_in_ten_is_tolerated() {
        let scores = |lines: &[u64]| -> Vec<Score> {
            let task = |id| Task { id, round: 0, first: 0, second: 1, opening: 0 };
            let score = |(id, line): (usize, &u64)| {
                Score::new(&task(id as u32), None, Termination::Draw, [0.0; 2], *line)
            };
            lines.iter().enumerate().map(score).collect()
        };
        let count = |lines: &[u64]| Repeats::of(scores(lines).iter());
        assert_eq!(count(&[1, 2, 1, 2]), Repeats { games: 4, distinct: 2 });
        assert!(count(&[1, 2, 1]).too_many());
        assert!(!count(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 9]).too_many());
        assert!(!count(&[]).too_many());
    }
}
