//! The engine's review of a student's best and worst game. The engine is the caller's: this crate knows none.

use crate::ClassError;
use crate::report::StudentReport;
use arena::journal::Finished;
use game::draw::escape;
use game::{Cell, Game, Picture};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;

/// Reviews a game: the moves of a finished review as the API describes them (`ReviewedMove`).
pub type Reviewer<'a> = dyn FnMut(&Finished) -> Result<Value, ClassError> + 'a;

/// A reviewed game.
#[derive(Clone, Debug, Serialize)]
pub struct GameReview {
    /// `best` or `worst`.
    pub which: &'static str,
    /// Number of the game.
    pub game: u32,
    /// Every move with what it gave away.
    pub moves: Value,
    /// The position before the costliest marked move, as SVG: `!` the engine's move, `?` the one played.
    #[serde(skip)]
    pub picture: Option<String>,
}

impl StudentReport {
    /// Has the best and the worst game reviewed.
    pub fn review(
        &mut self,
        game: &dyn Game,
        games: &[Finished],
        reviewer: &mut Reviewer<'_>,
    ) -> Result<(), ClassError> {
        self.reviews.clear();
        for (which, id) in [("best", self.best), ("worst", self.worst)] {
            let Some(played) = games.iter().find(|game| Some(game.task.id) == id) else { continue };
            let moves = reviewer(played)?;
            let picture = picture(game, played, &moves);
            self.reviews.push(GameReview { which, game: played.task.id, moves, picture });
        }
        Ok(())
    }
}

/// The moves that a review marks as bad.
fn marked(moves: &Value) -> impl Iterator<Item = &Value> {
    moves.as_array().into_iter().flatten().filter(|verdict| verdict["mark"].is_string())
}

/// The position before the costliest marked move; `None` where none is marked.
fn picture(game: &dyn Game, played: &Finished, moves: &Value) -> Option<String> {
    let loss = |verdict: &&Value| verdict["loss"].as_f64().unwrap_or(0.0);
    let worst = marked(moves).max_by(|a, b| loss(a).total_cmp(&loss(b)))?;
    let (mut position, all) = played.replay(game).ok()?;
    let ply = usize::try_from(worst["ply"].as_u64()?).ok()?;
    for _ in ply..all.len() {
        position.undo();
    }
    let cell = |mv: &Value| {
        let number = |name: &str| u8::try_from(mv[name].as_u64()?).ok();
        Some(Cell::new(number("row")?, number("col")?))
    };
    let marks = [(cell(&worst["best"]), "!"), (cell(worst), "?")];
    let marks = marks.into_iter().filter_map(|(cell, mark)| Some((cell?, mark.to_string()))).collect();
    Some(game.draw_svg(&*position, &Picture { marks, ..Picture::default() }))
}

/// Reviews as a part of a student's page.
pub(crate) fn section(reviews: &[GameReview]) -> String {
    let mut page = String::new();
    for review in reviews {
        let name = if review.which == "best" { "Best game 最佳对局" } else { "Worst game 最差对局" };
        let id = review.game;
        let _ = write!(
            page,
            "<h2>{name}: <a href=\"../report.html#{id}\">{}</a></h2><p>The engine's review 引擎复盘</p>",
            id + 1
        );
        if marked(&review.moves).next().is_none() {
            page.push_str("<p>no mistakes found 未发现失误</p>");
            continue;
        }
        if let Some(picture) = &review.picture {
            let _ = write!(
                page,
                "<figure>{picture}<figcaption>! engine 引擎 · ? played 实战</figcaption></figure>"
            );
        }
        page.push_str("<div class=\"wide\"><table><tr><th>#</th><th class=\"t\">Move 着法</th><th class=\"t\">Verdict 评价</th><th class=\"t\">Better 更好</th><th>Win rate lost 胜率损失</th></tr>");
        for verdict in marked(&review.moves) {
            let text = |value: &Value| escape(value.as_str().unwrap_or("?"));
            let mark = match verdict["mark"].as_str() {
                Some("blunder") => "blunder 漏着",
                Some("mistake") => "mistake 失误",
                _ => "inaccuracy 缓着",
            };
            let _ = write!(
                page,
                "<tr><td>{}</td><td class=\"t\">{}</td><td class=\"t\">{mark}</td><td class=\"t\">{}</td><td>{:.0} %</td></tr>",
                verdict["ply"].as_u64().unwrap_or(0) + 1,
                text(&verdict["move"]),
                text(&verdict["best"]["move"]),
                100.0 * verdict["loss"].as_f64().unwrap_or(0.0)
            );
        }
        page.push_str("</table></div>");
    }
    page
}
