//! Swiss pairings: each round pairs players with as equal points as possible who have not met yet.
//!
//! Players are ordered by points, then by number. The first unpaired one meets the next one down the list with whom
//! the rest can still be paired; where nobody new is left, an opponent is met again. With an odd number of players,
//! the last one who has not had a bye sits out and gets the points of a won pairing.

use super::{Schedule, Task};
use crate::journal::Score;
use std::collections::{BTreeMap, HashSet};

/// Steps of looking for a pairing without repeats before repeats are accepted.
const PATIENCE: usize = 100_000;

/// All games of the rounds that can be paired so far.
pub(super) fn tasks(schedule: &Schedule, rounds: u32, done: &BTreeMap<u32, Score>) -> Vec<Task> {
    let players = schedule.players;
    let rounds = if rounds == 0 { players.max(1).next_power_of_two().ilog2() + 1 } else { rounds };
    let mut points = vec![0.0f64; players];
    let mut met: HashSet<(usize, usize)> = HashSet::new();
    let mut rested: HashSet<usize> = HashSet::new();
    let mut tasks = Vec::new();
    if players < 2 {
        return tasks;
    }
    let per_round = (players as u32 / 2) * schedule.games;
    for round in 0..rounds {
        let mut order: Vec<usize> = (0..players).collect();
        order.sort_by(|a, b| points[*b].total_cmp(&points[*a]).then(a.cmp(b)));
        if players % 2 == 1 {
            let at = order.iter().rposition(|player| !rested.contains(player)).unwrap_or(players - 1);
            let resting = order.remove(at);
            rested.insert(resting);
            points[resting] += f64::from(schedule.games);
        }
        let mut complete = true;
        for (number, (a, b)) in pair(&order, &met).into_iter().enumerate() {
            met.insert((a.min(b), a.max(b)));
            for game in 0..schedule.games {
                // Whoever is named first in odd rounds begins in one and lets begin in the next.
                let turn = (game + round) % 2 == 0;
                let (first, second) = if turn { (a, b) } else { (b, a) };
                let id = round * per_round + number as u32 * schedule.games + game;
                let opening = schedule.opening(round * schedule.games.div_ceil(2) + game / 2);
                tasks.push(Task { id, round, first, second, opening });
                match done.get(&id) {
                    Some(score) => {
                        points[a] += score.points_of(a);
                        points[b] += score.points_of(b);
                    }
                    None => complete = false,
                }
            }
        }
        if !complete {
            break;
        }
    }
    tasks
}

/// Pairs an even number of players in order, without repeats if that is found soon enough.
fn pair(order: &[usize], met: &HashSet<(usize, usize)>) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut steps = 0;
    if !extend(order, met, &mut pairs, &mut steps) {
        pairs = order.chunks_exact(2).map(|two| (two[0], two[1])).collect();
    }
    pairs
}

fn extend(
    rest: &[usize],
    met: &HashSet<(usize, usize)>,
    pairs: &mut Vec<(usize, usize)>,
    steps: &mut usize,
) -> bool {
    let Some((&first, others)) = rest.split_first() else { return true };
    for (index, &other) in others.iter().enumerate() {
        *steps += 1;
        if *steps > PATIENCE {
            return false;
        }
        if met.contains(&(first.min(other), first.max(other))) {
            continue;
        }
        let left: Vec<usize> = others[..index].iter().chain(&others[index + 1..]).copied().collect();
        pairs.push((first, other));
        if extend(&left, met, pairs, steps) {
            return true;
        }
        pairs.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::Termination;
    use crate::schedule::Format;
    use game::Seat;

    /// Plays everything; the player with the lower number wins.
    fn play(players: usize, rounds: u32, games: u32) -> Vec<Task> {
        let schedule = Schedule { format: Format::Swiss(rounds), players, games, openings: 3 };
        let mut done = BTreeMap::new();
        loop {
            let tasks = schedule.tasks(&done);
            let Some(task) = tasks.iter().find(|task| !done.contains_key(&task.id)) else { return tasks };
            let winner = if task.first < task.second { Seat::First } else { Seat::Second };
            let score = Score::new(task, Some(winner), Termination::Five, [0.0; 2], 0);
            done.insert(task.id, score);
        }
    }

    #[test]
    fn nobody_meets_twice_while_that_is_possible() {
        for (players, rounds) in [(2, 1), (4, 3), (7, 5), (16, 5), (33, 7), (60, 9)] {
            let tasks = play(players, rounds, 2);
            assert_eq!(tasks.len(), (players / 2) * 2 * rounds as usize, "{players}");
            let ids: HashSet<u32> = tasks.iter().map(|task| task.id).collect();
            assert_eq!(ids.len(), tasks.len());
            let pairs: HashSet<(u32, usize, usize)> = tasks
                .iter()
                .map(|task| (task.round, task.first.min(task.second), task.first.max(task.second)))
                .collect();
            let met: HashSet<(usize, usize)> = pairs.iter().map(|(_, a, b)| (*a, *b)).collect();
            assert_eq!(met.len(), pairs.len(), "{players} players met twice");
            for round in 0..rounds {
                let mut seen = HashSet::new();
                for (_, a, b) in pairs.iter().filter(|pair| pair.0 == round) {
                    assert!(seen.insert(*a) && seen.insert(*b), "one game at a time");
                }
            }
        }
    }

    #[test]
    fn the_best_win_every_round_and_meet_late() {
        let tasks = play(16, 0, 2);
        assert_eq!(tasks.iter().map(|task| task.round).max(), Some(4), "log2 of 16, and one more");
        let best = tasks.iter().filter(|task| task.first == 0 || task.second == 0);
        assert_eq!(best.count(), 10);
    }

    #[test]
    fn more_rounds_than_opponents_repeat_pairings() {
        assert_eq!(play(4, 6, 1).len(), 2 * 6);
        assert!(play(1, 3, 2).is_empty());
    }
}
