//! The games of a match, a round robin, a gauntlet, a knockout or a Swiss tournament.
//!
//! A schedule is a pure function of the results so far, so a resumed run finds the same games with the same
//! numbers again.

mod swiss;

use crate::journal::Score;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Extra pairs of games that may break a tie in a knockout before the better seed goes through.
const TIE_BREAKS: u32 = 4;

/// How opponents are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody; for two players this is a match.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// Losers leave; byes go to those named first.
    Knockout,
    /// This many rounds between players with equal points who have not met; 0 is as many as a knockout and one more.
    Swiss(u32),
}

impl FromStr for Format {
    type Err = String;
    fn from_str(text: &str) -> Result<Format, String> {
        match text {
            "round-robin" => Ok(Format::RoundRobin),
            "gauntlet" => Ok(Format::Gauntlet),
            "knockout" => Ok(Format::Knockout),
            "swiss" => Ok(Format::Swiss(0)),
            _ => match text.strip_prefix("swiss:").and_then(|rounds| rounds.parse().ok()) {
                Some(rounds @ 1..=1000) => Ok(Format::Swiss(rounds)),
                _ => Err(format!(
                    "unknown format '{text}'; accepted: round-robin, gauntlet, knockout, swiss, swiss:ROUNDS"
                )),
            },
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Format::RoundRobin => f.write_str("round-robin"),
            Format::Gauntlet => f.write_str("gauntlet"),
            Format::Knockout => f.write_str("knockout"),
            Format::Swiss(0) => f.write_str("swiss"),
            Format::Swiss(rounds) => write!(f, "swiss:{rounds}"),
        }
    }
}

/// A plan of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// How opponents are paired.
    pub format: Format,
    /// Number of players.
    pub players: usize,
    /// Games of each pairing; each opening is played twice with the seats exchanged.
    pub games: u32,
    /// Number of openings; pair number `n` plays opening `n` modulo this.
    pub openings: usize,
}

/// One game to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Task {
    /// Its number, unique in the schedule.
    pub id: u32,
    /// The round, from 0.
    pub round: u32,
    /// The player in the first seat.
    pub first: usize,
    /// The player in the second seat.
    pub second: usize,
    /// The opening.
    pub opening: usize,
}

impl Schedule {
    /// All games known so far, finished ones included. Only a knockout and a Swiss tournament learn of more as
    /// results come.
    pub fn tasks(&self, done: &BTreeMap<u32, Score>) -> Vec<Task> {
        match self.format {
            Format::Knockout => self.bracket(done).0,
            Format::Swiss(rounds) => swiss::tasks(self, rounds, done),
            Format::RoundRobin | Format::Gauntlet => {
                let rows = if self.format == Format::Gauntlet { 1 } else { self.players };
                let meetings: Vec<(usize, usize)> =
                    (0..rows).flat_map(|a| (a + 1..self.players).map(move |b| (a, b))).collect();
                let mut tasks = Vec::with_capacity(meetings.len() * self.games as usize);
                for round in 0..self.games.div_ceil(2) {
                    for (meeting, &(a, b)) in meetings.iter().enumerate() {
                        for game in 0..(self.games - 2 * round).min(2) {
                            let (first, second) = if game == 0 { (a, b) } else { (b, a) };
                            // The same number however many games there are, so that a run can be extended.
                            let id = (round * meetings.len() as u32 + meeting as u32) * 2 + game;
                            tasks.push(Task { id, round, first, second, opening: self.opening(round) });
                        }
                    }
                }
                tasks
            }
        }
    }

    /// The winner of a knockout, once it is known.
    pub fn champion(&self, done: &BTreeMap<u32, Score>) -> Option<usize> {
        self.bracket(done).1
    }

    pub(crate) fn opening(&self, pair: u32) -> usize {
        pair as usize % self.openings.max(1)
    }

    fn bracket(&self, done: &BTreeMap<u32, Score>) -> (Vec<Task>, Option<usize>) {
        let mut remaining = seeding(self.players);
        let mut tasks = Vec::new();
        let mut round = 0;
        while remaining.len() > 1 {
            let mut next = Vec::new();
            for (tie, pair) in remaining.chunks(2).enumerate() {
                let through = match *pair {
                    [Some(a), Some(b)] => self.tie(round, tie as u32, a, b, done, &mut tasks),
                    [Some(a), None] | [None, Some(a)] => Some(a),
                    _ => None,
                };
                next.push(through);
            }
            if next.contains(&None) {
                return (tasks, None);
            }
            remaining = next;
            round += 1;
        }
        (tasks, remaining.first().copied().flatten())
    }

    /// The games of one tie, and who goes through.
    fn tie(
        &self,
        round: u32,
        tie: u32,
        a: usize,
        b: usize,
        done: &BTreeMap<u32, Score>,
        tasks: &mut Vec<Task>,
    ) -> Option<usize> {
        let mut lead = 0.0;
        for pair in 0..self.games.div_ceil(2) + TIE_BREAKS {
            if pair >= self.games.div_ceil(2) && lead != 0.0 {
                break;
            }
            let mut complete = true;
            for game in 0..2 {
                let (first, second) = if game == 0 { (a, b) } else { (b, a) };
                let id = round * 1_000_000 + tie * 1_000 + pair * 2 + game;
                tasks.push(Task { id, round, first, second, opening: self.opening(pair) });
                match done.get(&id) {
                    Some(score) => lead += score.points_of(a) - score.points_of(b),
                    None => complete = false,
                }
            }
            // Games of the regular part may run side by side, a tie-break waits for its result.
            if !complete && (pair + 1 >= self.games.div_ceil(2)) {
                return None;
            }
        }
        let regular = self.games.div_ceil(2) * 2;
        let all = (0..regular).all(|game| done.contains_key(&(round * 1_000_000 + tie * 1_000 + game)));
        if !all {
            return None;
        }
        Some(if lead > 0.0 || (lead == 0.0 && a < b) { a } else { b })
    }
}

/// The order of a bracket in which the best seeds meet last; `None` is a bye.
fn seeding(players: usize) -> Vec<Option<usize>> {
    let size = players.next_power_of_two().max(1);
    let mut order = vec![0];
    while order.len() < size {
        let total = order.len() * 2;
        order = order.into_iter().flat_map(|seed| [seed, total - 1 - seed]).collect();
    }
    order.into_iter().map(|seed| (seed < players).then_some(seed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::Termination;
    use game::Seat;

    fn schedule(format: Format, players: usize, games: u32) -> Schedule {
        Schedule { format, players, games, openings: 3 }
    }

    #[test]
    fn a_match_plays_each_opening_with_both_seats() {
        let tasks = schedule(Format::RoundRobin, 2, 5).tasks(&BTreeMap::new());
        assert_eq!(tasks.len(), 5);
        let seen: Vec<_> = tasks.iter().map(|t| (t.id, t.first, t.opening)).collect();
        assert_eq!(seen, [(0, 0, 0), (1, 1, 0), (2, 0, 1), (3, 1, 1), (4, 0, 2)]);
    }

    #[test]
    fn more_games_keep_the_numbers_of_the_others() {
        for format in [Format::RoundRobin, Format::Gauntlet] {
            for games in 1..6 {
                let few = schedule(format, 4, games).tasks(&BTreeMap::new());
                let many = schedule(format, 4, games + 3).tasks(&BTreeMap::new());
                assert!(few.iter().all(|task| many.contains(task)), "{format:?} {games}");
                let ids: std::collections::HashSet<u32> = many.iter().map(|task| task.id).collect();
                assert_eq!(ids.len(), many.len());
            }
        }
    }

    #[test]
    fn everybody_meets_everybody_equally() {
        let tasks = schedule(Format::RoundRobin, 5, 4).tasks(&BTreeMap::new());
        assert_eq!(tasks.len(), 10 * 4);
        for player in 0..5 {
            assert_eq!(tasks.iter().filter(|t| t.first == player).count(), 8);
            assert_eq!(tasks.iter().filter(|t| t.second == player).count(), 8);
        }
        assert_eq!(schedule(Format::Gauntlet, 5, 4).tasks(&BTreeMap::new()).len(), 4 * 4);
    }

    #[test]
    fn a_knockout_ends_with_the_strongest() {
        for players in 2..10 {
            let schedule = schedule(Format::Knockout, players, 2);
            let mut done = BTreeMap::new();
            let mut played = 0;
            while schedule.champion(&done).is_none() {
                let task = schedule.tasks(&done).into_iter().find(|t| !done.contains_key(&t.id)).unwrap();
                // The highest number always wins; the two lowest draw forever.
                let winner = match (task.first, task.second) {
                    (0, 1) | (1, 0) => None,
                    (a, b) if a > b => Some(Seat::First),
                    _ => Some(Seat::Second),
                };
                done.insert(
                    task.id,
                    Score::new(&task, winner, Termination::Draw, [0.0; 2], u64::from(task.id)),
                );
                played += 1;
                assert!(played < 1000);
            }
            let best = if players == 2 { 0 } else { players - 1 };
            assert_eq!(schedule.champion(&done), Some(best), "{players} players");
        }
    }
}
