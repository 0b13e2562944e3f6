//! One line of CSV for each game.

use crate::journal::Finished;
use game::Seat;

pub(super) const CSV_HEAD: &str = "id,round,opening,first,second,winner,side,reason,moves,opening_moves,first_seconds,second_seconds,detail,line";

/// A game as a line of CSV.
pub(crate) fn csv_row(game: &Finished) -> String {
    let winner = match game.winner {
        Some(Seat::First) => "first",
        Some(Seat::Second) => "second",
        None => "draw",
    };
    [
        game.task.id.to_string(),
        game.task.round.to_string(),
        game.task.opening.to_string(),
        quoted(&game.names[0]),
        quoted(&game.names[1]),
        winner.into(),
        game.winning_side.map(|side| side.to_string()).unwrap_or_default(),
        game.reason.to_string(),
        game.moves.len().to_string(),
        game.opening_moves.to_string(),
        format!("{:.4}", game.seconds[0]),
        format!("{:.4}", game.seconds[1]),
        quoted(&game.detail),
        quoted(&game.moves.join(" ")),
    ]
    .join(",")
}

/// Quotes a field where it needs it; a leading `=` and the like must not become a formula in a spreadsheet.
fn quoted(text: &str) -> String {
    let risky = text.starts_with(['=', '+', '-', '@']);
    if risky || text.contains([',', '"', '\n', '\r']) {
        format!("\"{}{}\"", if risky { "'" } else { "" }, text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn fields_are_safe() {
        assert_eq!(quoted("a b"), "a b");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(quoted("=1+1"), "\"'=1+1\"");
    }
}
