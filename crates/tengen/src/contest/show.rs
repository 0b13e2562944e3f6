//! Results as text and JSON.

use arena::journal::Finished;
use arena::referee::Termination;
use arena::stats::{Elo, RatingList, Repeats, Tally};
use arena::tournament::{self, Results, Tournament};
use serde_json::{Value, json};

/// A game that ended by a fault: who, why, and what the program said last.
pub(super) fn fault_lines(game: &Finished) -> String {
    let loser = usize::from(game.winner == Some(game::Seat::First));
    let mut text =
        format!("game {}: {} loses by {}: {}", game.task.id, game.names[loser], game.reason, game.detail);
    for line in game.evidence.lines() {
        text.push_str("\n    ");
        text.push_str(line);
    }
    text
}

/// Why statistics of these games are refused.
pub(super) fn repeats_problem(repeats: &Repeats) -> String {
    format!(
        "only {} of {} games are different; use --openings FILE, --random-openings N or another --seed, or force it with --allow-repeats",
        repeats.distinct, repeats.games
    )
}

pub(super) fn live_table(tournament: &Tournament, results: &Results) -> String {
    if tournament.entrants.len() == 2 {
        return match_lines(tournament, results).join("\n");
    }
    let list = arena::stats::rate(tournament.entrants.len(), results.values());
    rating_lines(tournament, &list, true).join("\n")
}

/// The state of a two-player match, in lines.
pub(crate) fn match_lines(tournament: &Tournament, results: &Results) -> Vec<String> {
    let (tally, pairs) = &Tally::of(results, 0, 1);
    let repeats = Repeats::of(results.values());
    let refused = repeats.too_many() && !tournament.allow_repeats;
    let elo = Elo::from_pairs(tally, pairs);
    let mut lines = vec![format!(
        "{} against {}: {} won, {} lost, {} drawn ({:.1} %)",
        tournament.entrants[0].name,
        tournament.entrants[1].name,
        tally.wins,
        tally.losses,
        tally.draws,
        100.0 * tally.score()
    )];
    if refused {
        lines.push(format!("no Elo: {}", repeats_problem(&repeats)));
        return lines;
    }
    lines.push(format!(
        "Elo {:+.1} ± {:.1}, LOS {:.1} %, pairs {:?}",
        elo.elo,
        elo.error,
        100.0 * elo.los,
        pairs
    ));
    if let Some(sprt) = &tournament.sprt {
        let (low, high) = sprt.bounds();
        lines.push(format!(
            "SPRT {}..{}: LLR {:.2} ({:.2}, {:.2}) {}",
            sprt.elo0,
            sprt.elo1,
            sprt.llr(pairs),
            low,
            high,
            match sprt.state(pairs) {
                arena::stats::SprtState::Running => "undecided",
                arena::stats::SprtState::H0 => "H0 accepted",
                arena::stats::SprtState::H1 => "H1 accepted",
            }
        ));
    }
    lines
}

/// A rating list, in lines; without Elo where the games do not allow it.
pub(crate) fn rating_lines(tournament: &Tournament, list: &RatingList, with_elo: bool) -> Vec<String> {
    let number = |value: f64, text: String| if with_elo && value.is_finite() { text } else { "-".into() };
    let mut lines =
        vec![format!("{:>3} {:<28} {:>7} {:>6} {:>6} {:>7}", "", "engine", "Elo", "±", "games", "score")];
    for (place, rating) in list.ratings.iter().enumerate() {
        lines.push(format!(
            "{:>3} {:<28} {:>7} {:>6} {:>6} {:>6.1}%",
            place + 1,
            tournament.entrants[rating.player].name,
            number(rating.elo, format!("{:+.1}", rating.elo)),
            number(rating.error, format!("{:.1}", rating.error)),
            rating.games,
            100.0 * rating.score
        ));
    }
    lines
}

/// Why games ended, as JSON.
pub(crate) fn reasons(results: &Results) -> Value {
    let counts = tournament::reasons(results);
    Value::Object(counts.iter().map(|(reason, n)| (reason.to_string(), json!(n))).collect())
}

/// Why games ended, as words.
pub(crate) fn reason_words(results: &Results) -> String {
    let words: Vec<String> = tournament::reasons(results)
        .iter()
        .map(|(reason, n): (&Termination, _)| format!("{n} {reason}"))
        .collect();
    words.join(", ")
}
