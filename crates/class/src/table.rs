//! What the games of a round mean: points, ratings with error bars, and marks by the teacher's weights.

use crate::config::{ClassConfig, MarkWeights};
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
    /// Place, from 1.
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
    for (place, row) in rows.iter_mut().enumerate() {
        row.rank = place + 1;
    }
    let ranked: Vec<String> = rows.iter().filter(|row| !row.reference).map(|row| row.id.clone()).collect();
    for row in rows.iter_mut().filter(|row| !row.reference) {
        let place = ranked.iter().position(|id| *id == row.id).unwrap_or(0);
        let rank = 1.0 - place as f64 / ranked.len().saturating_sub(1).max(1) as f64;
        row.mark = Some(mark(folder, &config.marks, row, rank)?);
    }
    Ok(rows)
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
    for (place, row) in rows.iter_mut().enumerate() {
        (row.rank, row.mark) = (place + 1, None);
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

/// The weighted sum of the parts, each between 0 and 1, rounded to a tenth.
fn mark(folder: &Path, weights: &MarkWeights, row: &Row, rank: f64) -> Result<f64, ClassError> {
    let Some(version) = row.version else { return Ok(0.0) };
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
    let sum: f64 = parts.iter().map(|(weight, part)| weight * part).sum();
    Ok((sum * 10.0).round() / 10.0)
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
