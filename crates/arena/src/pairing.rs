//! Pairing on a standing ladder, which has no schedule: players come and go.
//!
//! The next game is for a player who has played least, against one of the nearest in rating; both follow from the
//! games so far and the seed.

use crate::journal::Score;
use crate::stats;
use search::Rng;

/// Opponents near in rating among whom the next one is drawn.
const NEIGHBOURS: usize = 4;

/// The next pair among the `active` of so many players, the one who begins first; `None` if there are not two.
pub fn next_pair(
    players: usize,
    active: &[usize],
    scores: &[Score],
    seed: u64,
    number: u32,
) -> Option<(usize, usize)> {
    if active.len() < 2 {
        return None;
    }
    let games =
        |player: usize| scores.iter().filter(|score| score.first == player || score.second == player).count();
    let mut rng = Rng::stream(seed, u64::from(number));
    let fewest = active.iter().map(|player| games(*player)).min()?;
    let candidates: Vec<usize> = active.iter().copied().filter(|player| games(*player) == fewest).collect();
    let player = rng.pick(&candidates)?;
    let list = stats::rate(players, scores.iter());
    let elo = |player: usize| {
        list.ratings.iter().find(|rating| rating.player == player).map_or(0.0, |rating| rating.elo)
    };
    let mut others: Vec<usize> = active.iter().copied().filter(|other| *other != player).collect();
    others.sort_by(|a, b| {
        let distance = |other: usize| (elo(other) - elo(player)).abs();
        distance(*a).total_cmp(&distance(*b)).then(a.cmp(b))
    });
    others.truncate(NEIGHBOURS);
    let opponent = rng.pick(&others)?;
    // Each begins as often as the other, as far as that goes.
    let begun =
        |a: usize, b: usize| scores.iter().filter(|score| score.first == a && score.second == b).count();
    let first = begun(player, opponent) <= begun(opponent, player);
    Some(if first { (player, opponent) } else { (opponent, player) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::Termination;
    use crate::schedule::Task;
    use game::Seat;

    /// Plays `count` games in which the lower number wins.
    fn ladder(players: usize, count: u32) -> Vec<Score> {
        let active: Vec<usize> = (0..players).collect();
        let mut scores = Vec::new();
        for id in 0..count {
            let (first, second) = next_pair(players, &active, &scores, 7, id).unwrap();
            let winner = if first < second { Seat::First } else { Seat::Second };
            let task = Task { id, round: 0, first, second, opening: 0 };
            scores.push(Score::new(&task, Some(winner), Termination::Five, [0.0; 2], u64::from(id)));
        }
        scores
    }

    #[test]
    fn everybody_plays_as_often_begins_as_often_and_meets_equals() {
        let scores = ladder(12, 600);
        for player in 0..12 {
            let begun = scores.iter().filter(|score| score.first == player).count() as i64;
            let followed = scores.iter().filter(|score| score.second == player).count() as i64;
            assert!((begun + followed - 100).abs() <= 30, "{player}: {begun} + {followed}");
            assert!((begun - followed).abs() <= 11, "{player}: {begun} and {followed}");
        }
        let far = scores[300..].iter().filter(|score| score.first.abs_diff(score.second) > 6).count();
        assert!(far < 30, "{far} games between players far apart");
        assert_eq!(scores, ladder(12, 600), "the same seed gives the same games");
    }

    #[test]
    fn one_player_has_to_wait() {
        assert_eq!(next_pair(3, &[1], &[], 1, 0), None);
        assert_eq!(next_pair(3, &[], &[], 1, 0), None);
    }
}
