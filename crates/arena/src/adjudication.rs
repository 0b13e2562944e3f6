//! Ending games early: resignation and draws by score, and a cap on length.

use game::Seat;
use serde::{Deserialize, Serialize};

/// When to end a game that the rules have not ended yet. Everything is off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Ends a game as lost by score.
    pub resign: Option<ResignRule>,
    /// Ends a game as drawn by score.
    pub draw: Option<DrawRule>,
    /// Draws a game that reaches this many moves, opening included.
    pub max_moves: Option<usize>,
}

/// Lost by score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResignRule {
    /// For this many moves of the loser in a row …
    pub moves: u32,
    /// … its score was at most minus this.
    pub score: f64,
    /// The winner's score must have been at least this as long.
    pub agree: bool,
}

/// Drawn by score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawRule {
    /// For this many moves of each player in a row …
    pub moves: u32,
    /// … the score was at most this far from zero.
    pub score: f64,
    /// Not before this many moves of the game.
    pub from: usize,
}

/// What an adjudicator decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// This player wins.
    Wins(Seat),
    /// Nobody wins, by score.
    Draw,
    /// Nobody wins, the game is too long.
    TooLong,
}

/// Follows the scores of one game.
#[derive(Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    losing: [u32; 2],
    winning: [u32; 2],
    even: [u32; 2],
}

impl Adjudicator {
    /// An adjudicator for a new game.
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator { rules, losing: [0; 2], winning: [0; 2], even: [0; 2] }
    }

    /// Takes the score of a move just played by `seat`; `length` is the number of moves on the board.
    pub fn observe(&mut self, seat: Seat, score: Option<f64>, length: usize) -> Option<Ruling> {
        let me = seat.index();
        let count = |holds: bool, counter: &mut u32| *counter = if holds { *counter + 1 } else { 0 };
        if let Some(rule) = self.rules.resign {
            count(score.is_some_and(|s| s <= -rule.score), &mut self.losing[me]);
            count(score.is_some_and(|s| s >= rule.score), &mut self.winning[me]);
            for loser in [seat, seat.other()] {
                let agreed = !rule.agree || self.winning[loser.other().index()] >= rule.moves;
                if self.losing[loser.index()] >= rule.moves && agreed {
                    return Some(Ruling::Wins(loser.other()));
                }
            }
        }
        if let Some(rule) = self.rules.draw {
            count(score.is_some_and(|s| s.abs() <= rule.score) && length >= rule.from, &mut self.even[me]);
            if self.even.iter().all(|n| *n >= rule.moves) {
                return Some(Ruling::Draw);
            }
        }
        self.rules.max_moves.filter(|max| length >= *max).map(|_| Ruling::TooLong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Seat::{First, Second};

    #[test]
    fn resigning_needs_agreement_when_asked() {
        let rule = ResignRule { moves: 2, score: 100.0, agree: true };
        let mut judge = Adjudicator::new(Adjudication { resign: Some(rule), ..Default::default() });
        assert_eq!(judge.observe(First, Some(-200.0), 1), None);
        assert_eq!(judge.observe(Second, Some(50.0), 2), None);
        assert_eq!(judge.observe(First, Some(-200.0), 3), None);
        assert_eq!(judge.observe(Second, Some(150.0), 4), None);
        assert_eq!(judge.observe(First, Some(-200.0), 5), None);
        assert_eq!(judge.observe(Second, Some(150.0), 6), Some(Ruling::Wins(Second)));
        let alone = ResignRule { agree: false, ..rule };
        let mut judge = Adjudicator::new(Adjudication { resign: Some(alone), ..Default::default() });
        assert_eq!(judge.observe(First, Some(-100.0), 1), None);
        assert_eq!(judge.observe(First, None, 3), None);
        assert_eq!(judge.observe(First, Some(-100.0), 5), None);
        assert_eq!(judge.observe(First, Some(-100.0), 7), Some(Ruling::Wins(Second)));
    }

    #[test]
    fn draws_by_score_and_by_length() {
        let rule = DrawRule { moves: 1, score: 5.0, from: 3 };
        let rules = Adjudication { draw: Some(rule), max_moves: Some(6), ..Default::default() };
        let mut judge = Adjudicator::new(rules);
        assert_eq!(judge.observe(First, Some(0.0), 1), None);
        assert_eq!(judge.observe(Second, Some(0.0), 2), None);
        assert_eq!(judge.observe(First, Some(4.0), 3), None);
        assert_eq!(judge.observe(Second, Some(-5.0), 4), Some(Ruling::Draw));
        let mut judge = Adjudicator::new(rules);
        assert_eq!(judge.observe(First, None, 6), Some(Ruling::TooLong));
    }
}
