//! What the games of a round mean: points, ratings with error bars, and marks by the teacher's weights.

use crate::config::ClassConfig;
use crate::entrants::Participant;
use crate::students::Students;
use crate::{ClassError, submission};
use arena::journal::{Finished, Score};
use arena::stats;
use game::Seat;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Row {
    /// Place, from 1; equal rows share it.
    pub rank: usize,
    /// Student number, or the name of a reference opponent.
    pub id: String,
    /// The student's name; empty for reference opponents.
    pub name: String,
    /// Is it a reference opponent?
    pub reference: bool,
    /// The version that played.
    pub version: Option<u32>,
    /// Games.
    pub games: usize,
    /// Won.
    pub wins: usize,
    /// Drawn.
    pub draws: usize,
    /// Lost.
    pub losses: usize,
    /// Points: a win is 1, a draw a half.
    pub points: f64,
    /// Bradley-Terry rating; the average of all is 0.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// Games lost by a fault, by reason.
    pub faults: BTreeMap<String, usize>,
    /// Seconds used per game.
    pub seconds_per_game: f64,
    /// Points per game against reference opponents; `None` without such games.
    pub against_references: Option<f64>,
    /// The mark; `None` for reference opponents.
    pub mark: Option<f64>,
}

/// Ratings that differ by less are equal: they are found by iteration.
const SAME_ELO: f64 = 1e-6;

/// The table of a round, best first. Students without a program come last, with no games.
pub fn table(
    folder: &Path,
    config: &ClassConfig,
    participants: &[Participant],
    games: &[Finished],
) -> Result<Vec<Row>, ClassError> {
    let students = Students::read(folder)?;
    let scores: Vec<Score> = games.iter().map(Finished::score).collect();
    let ratings = stats::rate(participants.len(), scores.iter());
    let mut rows: Vec<Row> = participants
        .iter()
        .enumerate()
        .map(|(player, participant)| {
            let student = students.students.iter().find(|student| student.id == participant.name);
            let mut row = tally(player, participant, participants, games, &scores);
            row.name = student.map(|student| student.name.clone()).unwrap_or_default();
            if let Some(rating) = ratings.ratings.iter().find(|rating| rating.player == player) {
                (row.elo, row.error) = (rating.elo, rating.error);
            }
            row
        })
        .collect();
    // Points first; among equals the rating, which knows against whom they were made.
    rows.sort_by(|a, b| b.points.total_cmp(&a.points).then(b.elo.total_cmp(&a.elo)).then(a.id.cmp(&b.id)));
    for student in &students.students {
        if !rows.iter().any(|row| !row.reference && row.id == student.id) {
            rows.push(Row { name: student.name.clone(), ..empty(&student.id) });
        }
    }
    let all = rows.clone();
    let number = all.iter().filter(|row| !row.reference).count();
    for row in &mut rows {
        let better: Vec<&Row> = all.iter().filter(|other| is_better(other, row)).collect();
        row.rank = 1 + better.len();
        if !row.reference {
            let better = better.iter().filter(|other| !other.reference).count();
            let rank = 1.0 - better as f64 / number.saturating_sub(1).max(1) as f64;
            row.mark = Some(mark(folder, config, row, rank)?);
        }
    }
    Ok(rows)
}

/// Is the first row strictly better? What has no program is worse than what played.
fn is_better(a: &Row, b: &Row) -> bool {
    let took_part = |row: &Row| row.reference || row.version.is_some();
    if took_part(a) != took_part(b) {
        return took_part(a);
    }
    a.points > b.points || a.points == b.points && a.elo > b.elo + SAME_ELO
}

/// The table of the ladder: the newest version of each program, by rating, because not all have met equally often. What
/// a ladder is worth in marks is not defined.
pub fn ladder_table(
    folder: &Path,
    config: &ClassConfig,
    participants: &[Participant],
    games: &[Finished],
) -> Result<Vec<Row>, ClassError> {
    let mut rows = table(folder, config, participants, games)?;
    let newest: BTreeMap<String, Option<u32>> =
        participants.iter().fold(BTreeMap::new(), |mut newest, participant| {
            let version = newest.entry(participant.name.clone()).or_insert(participant.version);
            *version = (*version).max(participant.version);
            newest
        });
    rows.retain(|row| newest.get(&row.id).is_none_or(|version| *version == row.version));
    rows.sort_by(|a, b| {
        (b.games > 0).cmp(&(a.games > 0)).then(b.elo.total_cmp(&a.elo)).then(a.id.cmp(&b.id))
    });
    let all = rows.clone();
    let better = |a: &Row, b: &Row| a.games > 0 && (b.games == 0 || a.elo > b.elo + SAME_ELO);
    for row in &mut rows {
        (row.rank, row.mark) = (1 + all.iter().filter(|other| better(other, row)).count(), None);
    }
    Ok(rows)
}

fn empty(id: &str) -> Row {
    Row {
        rank: 0,
        id: id.into(),
        name: String::new(),
        reference: false,
        version: None,
        games: 0,
        wins: 0,
        draws: 0,
        losses: 0,
        points: 0.0,
        elo: 0.0,
        error: 0.0,
        faults: BTreeMap::new(),
        seconds_per_game: 0.0,
        against_references: None,
        mark: None,
    }
}

fn tally(
    player: usize,
    participant: &Participant,
    participants: &[Participant],
    games: &[Finished],
    scores: &[Score],
) -> Row {
    let mut row = empty(&participant.name);
    row.reference = !participant.is_student();
    row.version = participant.version;
    let (mut seconds, mut reference_games, mut reference_points) = (0.0, 0, 0.0);
    for (game, score) in games.iter().zip(scores) {
        let (seat, opponent) = if score.first == player {
            (Seat::First, score.second)
        } else if score.second == player {
            (Seat::Second, score.first)
        } else {
            continue;
        };
        row.games += 1;
        row.points += score.points_of(player);
        seconds += game.seconds[seat.index()];
        match game.winner {
            None => row.draws += 1,
            Some(winner) if winner == seat => row.wins += 1,
            Some(_) => {
                row.losses += 1;
                if game.reason.is_fault() {
                    *row.faults.entry(game.reason.to_string()).or_insert(0) += 1;
                }
            }
        }
        if participants.get(opponent).is_some_and(|other| !other.is_student()) {
            reference_games += 1;
            reference_points += score.points_of(player);
        }
    }
    row.seconds_per_game = seconds / row.games.max(1) as f64;
    row.against_references = (reference_games > 0).then(|| reference_points / f64::from(reference_games));
    row
}

/// The weighted sum of the parts, each between 0 and 1, rounded to a tenth. Who met no reference opponent is marked by
/// the other parts, scaled to the same highest mark.
fn mark(folder: &Path, config: &ClassConfig, row: &Row, rank: f64) -> Result<f64, ClassError> {
    let Some(version) = row.version else { return Ok(0.0) };
    let weights = &config.marks;
    let versions = submission::versions(folder, &row.id)?;
    let played = versions.iter().find(|submission| submission.version == version);
    let checks = played.map(|submission| submission.verdict.checks.as_slice()).unwrap_or_default();
    let passed = checks.iter().filter(|check| check.passed).count();
    let games = row.games.max(1) as f64;
    let faults: usize = row.faults.values().sum();
    let parts = [
        (weights.submitted, 1.0),
        (weights.compliance, passed as f64 / checks.len().max(1) as f64),
        (weights.clean, if row.games == 0 { 0.0 } else { 1.0 - faults as f64 / games }),
        (weights.score, row.points / games),
        (weights.references, row.against_references.unwrap_or(0.0)),
        (weights.rank, rank),
    ];
    let total: f64 = parts.iter().map(|(weight, _)| weight).sum();
    let not_met = row.against_references.is_none() && (row.games > 0 || config.references.is_empty());
    let reachable = if not_met { total - weights.references } else { total };
    let scale = if reachable > 0.0 { total / reachable } else { 1.0 };
    let sum: f64 = parts.iter().map(|(weight, part)| weight * part).sum();
    Ok((sum * scale * 10.0).round() / 10.0)
}

/// The table as CSV, for spreadsheets.
pub fn csv(rows: &[Row]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = [
        "rank",
        "id",
        "name",
        "reference",
        "version",
        "games",
        "wins",
        "draws",
        "losses",
        "points",
        "elo",
        "error",
        "faults",
        "seconds_per_game",
        "against_references",
        "mark",
    ];
    // Writing to memory cannot fail.
    let _ = writer.write_record(head);
    for row in rows {
        let faults: Vec<String> = row.faults.iter().map(|(why, count)| format!("{why} {count}")).collect();
        let number = |value: Option<f64>| value.map(|value| format!("{value:.3}")).unwrap_or_default();
        let _ = writer.write_record([
            row.rank.to_string(),
            harmless(&row.id),
            harmless(&row.name),
            row.reference.to_string(),
            row.version.map(|version| version.to_string()).unwrap_or_default(),
            row.games.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            row.points.to_string(),
            format!("{:.0}", row.elo),
            format!("{:.0}", row.error),
            faults.join("; "),
            format!("{:.3}", row.seconds_per_game),
            number(row.against_references),
            row.mark.map(|mark| mark.to_string()).unwrap_or_default(),
        ]);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// A text that no spreadsheet takes for a formula.
fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submission::{CheckResult, Submission, Verdict};
    use crate::write_json;
    use arena::schedule::Task;
    use game::Setup;
    use play::Termination;

    /// A class in which every student has handed in a program that passes all checks.
    fn class(students: &[&str], references: &[&str]) -> (tempfile::TempDir, ClassConfig, Vec<Participant>) {
        let folder = tempfile::tempdir().unwrap();
        let mut config = ClassConfig::new("x", &gomoku::GOMOKU);
        config.references = references.iter().map(|name| name.to_string()).collect();
        let list: String = students.iter().map(|id| format!("{id},Student {id}\n")).collect();
        Students::update(folder.path(), |all| all.add(list.as_bytes())).unwrap();
        for id in students {
            let passed = CheckResult {
                check: "plays".into(),
                passed: true,
                detail: String::new(),
                advice: String::new(),
            };
            let verdict = Verdict {
                accepted: true,
                failed: String::new(),
                message: String::new(),
                checks: vec![passed],
            };
            let submission = Submission {
                student: id.to_string(),
                version: 1,
                received: String::new(),
                late: false,
                file: "main.py".into(),
                sha256: String::new(),
                language: "Python".into(),
                main: "main.py".into(),
                verdict,
            };
            let place = folder.path().join("submissions").join(id).join("0001");
            std::fs::create_dir_all(&place).unwrap();
            write_json(&place.join("submission.json"), &submission).unwrap();
        }
        let player = |name: &&str, version| Participant { name: name.to_string(), version };
        let mut participants: Vec<_> = students.iter().map(|name| player(name, Some(1))).collect();
        participants.extend(references.iter().map(|name| player(name, None)));
        (folder, config, participants)
    }

    /// Games between players by number; the first one wins.
    fn games(participants: &[Participant], won: &[(usize, usize)]) -> Vec<Finished> {
        let game = |(id, (first, second)): (usize, &(usize, usize))| Finished {
            task: Task { id: id as u32, round: 0, first: *first, second: *second, opening: 0 },
            names: [*first, *second].map(|player| participants[player].name.clone()),
            winner: Some(Seat::First),
            reason: Termination::Five,
            detail: String::new(),
            winning_side: None,
            seconds: [1.0, 1.0],
            date: String::new(),
            setup: Setup::empty(9, 9),
            opening_moves: 0,
            moves: vec![format!("a{id}")],
            notes: Vec::new(),
            evidence: String::new(),
            logs: Default::default(),
        };
        won.iter().enumerate().map(game).collect()
    }

    fn of<'a>(rows: &'a [Row], id: &str) -> &'a Row {
        rows.iter().find(|row| row.id == id).unwrap()
    }

    #[test]
    fn equal_students_share_their_place_and_their_mark() {
        let (folder, config, players) = class(&["1", "2", "3", "4"], &[]);
        // 1 and 2 beat each other once and both others twice; 3 and 4 beat each other once.
        let won = [(0, 1), (1, 0), (2, 3), (3, 2), (0, 2), (0, 3), (1, 2), (1, 3)];
        let rows = table(folder.path(), &config, &players, &games(&players, &won)).unwrap();
        assert_eq!(["1", "2", "3", "4"].map(|id| of(&rows, id).rank), [1, 1, 3, 3]);
        assert_eq!(of(&rows, "1").mark, of(&rows, "2").mark);
        assert_eq!(of(&rows, "3").mark, of(&rows, "4").mark);
        assert!(of(&rows, "1").mark > of(&rows, "3").mark);
        let ladder = ladder_table(folder.path(), &config, &players, &games(&players, &won)).unwrap();
        assert_eq!(["1", "2", "3", "4"].map(|id| of(&ladder, id).rank), [1, 1, 3, 3]);
    }

    #[test]
    fn a_student_without_a_program_is_behind_everybody_who_lost_all() {
        let (folder, config, players) = class(&["1", "2"], &[]);
        Students::update(folder.path(), |all| all.add(b"3,Late")).unwrap();
        let rows = table(folder.path(), &config, &players, &games(&players, &[(0, 1), (0, 1)])).unwrap();
        assert_eq!(["1", "2", "3"].map(|id| of(&rows, id).rank), [1, 2, 3]);
        assert_eq!(of(&rows, "3").mark, Some(0.0));
    }

    #[test]
    fn all_marks_can_be_reached_without_reference_opponents() {
        let (folder, config, players) = class(&["1", "2"], &[]);
        let best = |config: &ClassConfig, players: &[Participant], won: &[(usize, usize)]| {
            let rows = table(folder.path(), config, players, &games(players, won)).unwrap();
            of(&rows, "1").mark.unwrap()
        };
        assert_eq!(best(&config, &players, &[(0, 1)]), 100.0);
        // A Swiss round in which this student met no reference opponent, and the same with one that beats them.
        let (_other, config, players) = class(&["1", "2"], &["classic-ac"]);
        assert_eq!(best(&config, &players, &[(0, 1)]), 100.0);
        assert_eq!(best(&config, &players, &[(0, 1), (2, 0)]), 65.0);
        // Before the first game nothing is known to be unreachable.
        assert_eq!(best(&config, &players, &[]), 40.0);
    }
}
