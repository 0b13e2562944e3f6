//! The report as one web page: ratings, cross table, charts, and every game to click through.
//!
//! The page has no rules: each move is stored with the cells it changed, found by replaying the game here. Names and
//! messages come from programs, so the page puts all of them in as text nodes.

use crate::journal::Finished;
use crate::stats::{Elo, Repeats, Tally, rate};
use crate::tournament::{self, Results};
use game::{Cell, Game, Position};
use serde_json::{Value, json};

/// Makes the page.
pub fn page(game: &dyn Game, names: &[String], results: &Results, games: &[Finished], title: &str) -> String {
    let list = rate(names.len(), results.values());
    let ratings: Vec<Value> = list
        .ratings
        .iter()
        .map(|r| {
            let cross: Vec<Value> =
                list.ratings.iter().map(|other| cross(results, r.player, other.player)).collect();
            json!({"name": names[r.player], "elo": r.elo, "error": r.error, "games": r.games,
                   "score": r.score, "cross": cross})
        })
        .collect();
    let pair = (names.len() == 2).then(|| {
        let (tally, pairs) = Tally::of(results, 0, 1);
        let elo = Elo::from_pairs(&tally, &pairs);
        json!({"elo": elo.elo, "error": elo.error, "los": elo.los, "pairs": pairs, "names": names})
    });
    let reasons: Vec<Value> =
        tournament::reasons(results).iter().map(|(reason, n)| json!([reason.name(), n])).collect();
    let data = json!({
        "title": title, "game": game.name(), "hex": game.hexagonal(), "games": results.len(),
        "ratings": ratings, "pair": pair, "firstMove": list.first_move, "drawRate": list.draw_rate,
        "reasons": reasons, "distinct": Repeats::of(results.values()).distinct, "list": games.iter().filter_map(|g| one_game(game, g)).collect::<Vec<_>>(),
    });
    fill(include_str!("page.html"), &[("title", &game::draw::escape(title)), ("data", &script_json(&data))])
}

/// JSON that may stand inside a script element. `<` opens everything that the HTML parser would react to (`</script`,
/// `<!--`, `<script`), so none is left; the others keep the text harmless in older parsers and as JavaScript.
fn script_json(data: &Value) -> String {
    let mut text = String::new();
    for c in data.to_string().chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => text.push_str(&format!("\\u{:04x}", c as u32)),
            c => text.push(c),
        }
    }
    text
}

/// Fills `{{name}}` placeholders in one pass: inserted text is never scanned again.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut page = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((name, after)) = after.split_once("}}") else { break };
        page.push_str(before);
        let value = values.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value);
        page.push_str(value);
        rest = after;
    }
    page.push_str(rest);
    page
}

fn cross(results: &Results, a: usize, b: usize) -> Value {
    if a == b {
        return Value::Null;
    }
    let (tally, _) = Tally::of(results, a, b);
    json!([tally.wins, tally.draws, tally.losses])
}

fn one_game(game: &dyn Game, finished: &Finished) -> Option<Value> {
    let (end, moves) = finished.replay(game).ok()?;
    let mut position = end;
    while position.undo().is_some() {}
    let mut board = stones(&*position);
    let start = changes(&vec![None; board.len()], &board);
    let mut plies = Vec::with_capacity(moves.len());
    for (index, mv) in moves.iter().enumerate() {
        let seat = position.turn().index();
        if position.play(*mv).is_err() {
            return None;
        }
        let next = stones(&*position);
        let note = finished.notes.get(index);
        plies.push(json!({
            "m": finished.moves[index], "p": seat, "c": changes(&board, &next),
            "t": note.and_then(|n| n.seconds), "s": note.and_then(|n| n.score), "d": note.and_then(|n| n.depth),
        }));
        board = next;
    }
    let win: Vec<usize> = match position.outcome() {
        Some(game::Outcome::Win { cells, .. }) => cells.iter().map(|c| index(&*position, *c)).collect(),
        _ => Vec::new(),
    };
    Some(json!({
        "id": finished.task.id, "names": finished.names, "result": finished.sgf_result(),
        "winner": finished.winner, "reason": finished.reason, "detail": finished.detail, "evidence": finished.evidence,
        "seconds": finished.seconds, "rows": position.rows(), "cols": position.cols(), "start": start,
        "opening": finished.opening_moves, "plies": plies, "win": win,
    }))
}

fn index(position: &dyn Position, cell: Cell) -> usize {
    usize::from(cell.row) * usize::from(position.cols()) + usize::from(cell.col)
}

/// Every cell: 0 black, 1 white.
fn stones(position: &dyn Position) -> Vec<Option<usize>> {
    let cols = position.cols();
    (0..position.rows())
        .flat_map(|row| (0..cols).map(move |col| Cell::new(row, col)))
        .map(|cell| position.at(cell).map(game::Side::index))
        .collect()
}

/// The cells that differ, with their new stone (-1: none).
fn changes(old: &[Option<usize>], new: &[Option<usize>]) -> Vec<Value> {
    let differing = old.iter().zip(new).enumerate().filter(|(_, (a, b))| a != b);
    differing.map(|(at, (_, b))| json!([at, b.map_or(-1, |side| side as i64)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::testing::FIVE;
    use crate::report::testing::{finished, results};

    /// The text of the data element, as an HTML parser takes it: up to the first `</script`.
    fn data(page: &str) -> &str {
        let (_, after) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
        after.split_once("</script").unwrap().0
    }

    #[test]
    fn names_and_messages_stay_data() {
        for name in [
            "{{data}}",
            "{{title}}",
            "</script><script>alert(1)</script>",
            "<!--<script>",
            "<img src=x onerror=alert(1)>",
        ] {
            let mut game = finished(&hex::HEX, &["a1", "b2"]);
            game.names[0] = name.into();
            game.detail = name.into();
            let names = [name.to_string(), "b".to_string()];
            let page = page(&hex::HEX, &names, &results(&[&game]), &[game], &format!("hex: {name}"));
            let text = data(&page);
            assert!(!text.contains('<'), "{name}: {text}");
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(value["list"][0]["names"][0], name);
            assert_eq!(value["title"], format!("hex: {name}"));
            assert_eq!(page.matches("<script").count(), 2, "{name}: the page's own two");
            assert_eq!(page.matches("id=\"data\"").count(), 1);
            assert!(!page.contains("<img"));
        }
    }

    #[test]
    fn boards_are_drawn_by_the_game_whatever_its_name() {
        let games: [(&dyn Game, bool); 3] = [(&hex::HEX, true), (&gomoku::GOMOKU, false), (&FIVE, true)];
        for (game, hexagonal) in games {
            let names = ["a".to_string(), "b".to_string()];
            let page = page(game, &names, &Results::new(), &[], "title");
            let value: Value = serde_json::from_str(data(&page)).unwrap();
            assert_eq!(value["hex"], hexagonal, "{}", game.name());
        }
    }

    #[test]
    fn the_page_holds_every_move_with_the_cells_it_changed() {
        let game = finished(&hex::HEX, &["a1", "b2", "c1"]);
        let names = ["a".to_string(), "b".to_string()];
        let page = page(&hex::HEX, &names, &results(&[&game]), &[game], "title");
        let value: Value = serde_json::from_str(data(&page)).unwrap();
        let plies = value["list"][0]["plies"].as_array().unwrap();
        assert_eq!(plies.len(), 3);
        assert_eq!(plies[1]["c"], json!([[4, 1]]), "white's stone at row 1, column 1 of 3x3");
        assert_eq!((&value["games"], &value["distinct"]), (&1.into(), &1.into()));
        assert!(page.contains("<title>title</title>"));
    }
}
