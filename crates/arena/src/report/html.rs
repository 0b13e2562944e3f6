//! The report as one web page: ratings, cross table, charts, and every game to click through.
//!
//! The page knows no rules: each move comes with the cells that changed, found by replaying the game here.

use crate::journal::Finished;
use crate::stats::{Elo, Tally, rate};
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
        "title": title, "game": game.name(), "hex": game.name() == "hex", "games": results.len(),
        "ratings": ratings, "pair": pair, "firstMove": list.first_move, "drawRate": list.draw_rate,
        "reasons": reasons, "list": games.iter().filter_map(|g| one_game(game, g)).collect::<Vec<_>>(),
    });
    // Inside a script element only "</" could end it early.
    let data = data.to_string().replace("</", "<\\/");
    let title = game::draw::escape(title);
    include_str!("page.html").replace("{{title}}", &title).replace("{{data}}", &data)
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
        "winner": finished.verdict.winner, "reason": finished.verdict.reason, "detail": finished.verdict.detail,
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
