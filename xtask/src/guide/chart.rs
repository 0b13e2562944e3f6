//! Elo and log-likelihood ratio over the course of a match, as the referee computes them after every pair of games.

use super::Language;
use super::drawing::{ACCENT, ALARM, Anchor, DIM, Drawing, INK, LINE, Point};
use crate::shell;
use anyhow::Context;
use serde_json::Value;
use std::path::Path;

/// The match of the guide (how-referee.md): two engines of which the first is stronger.
const MATCH: &[&str] = &[
    "match",
    "classic-ac",
    "classic-ac:width=6",
    "--game",
    "gomoku",
    "--depth",
    "2",
    "--sprt",
    "0,100",
    "--json",
];
const MOST_GAMES: u64 = 80;

/// Where the match stood after so many games.
pub(super) struct Standing {
    games: u64,
    elo: f64,
    error: f64,
    llr: f64,
}

/// Plays the match of the guide, a pair more each time until it is decided.
pub(super) fn measure(tengen: &Path) -> anyhow::Result<Vec<Standing>> {
    let mut course: Vec<Standing> = Vec::new();
    for games in (2..=MOST_GAMES).step_by(2) {
        let mut command = shell::program(&tengen.to_string_lossy());
        let text = shell::output(command.args(MATCH).args(["--games", &games.to_string()]))?;
        let answer: Value = serde_json::from_str(&text).context("the answer of the match")?;
        let number = |key: &str| answer[key].as_f64();
        let played = answer["games"].as_u64().context("no number of games")?;
        if course.last().is_some_and(|last| last.games == played) {
            break;
        }
        // Before both sides have scored there is no difference to state.
        if let (Some(elo), Some(error), Some(llr)) = (number("elo"), number("error"), number("llr")) {
            course.push(Standing { games: played, elo, error, llr });
        }
    }
    Ok(course)
}

/// A part of the picture with its own vertical scale.
struct Panel {
    top: f64,
    bottom: f64,
    low: f64,
    high: f64,
}

const LEFT: f64 = 70.0;
const RIGHT: f64 = 700.0;

impl Panel {
    fn y(&self, value: f64) -> f64 {
        let part = (value.clamp(self.low, self.high) - self.low) / (self.high - self.low);
        self.bottom - part * (self.bottom - self.top)
    }

    fn level(&self, drawing: &mut Drawing, value: f64, colour: &str, label: &str) {
        drawing.dashes((LEFT, self.y(value)), (RIGHT, self.y(value)), colour);
        drawing.text((LEFT - 8.0, self.y(value) + 5.0), Anchor::End, colour, label);
    }
}

/// Elo with its interval above, LLR between its bounds below.
pub(super) fn draw(course: &[Standing], language: Language) -> String {
    let mut drawing = Drawing::new(760.0, 440.0);
    let last = course.last().map_or(2, |last| last.games) as f64;
    let x = |games: u64| LEFT + (RIGHT - LEFT) * games as f64 / last;
    let elo = Panel { top: 40.0, bottom: 200.0, low: -300.0, high: 600.0 };
    let llr = Panel { top: 250.0, bottom: 390.0, low: -3.6, high: 3.6 };
    let title = language.pick("Elo with its 95 % interval", "Elo 及其 95 % 区间");
    drawing.text((LEFT, 26.0), Anchor::Start, INK, title);
    drawing.text(
        (LEFT, 238.0),
        Anchor::Start,
        INK,
        language.pick("log-likelihood ratio (LLR)", "对数似然比（LLR）"),
    );
    for (value, label) in [(-300.0, "-300"), (0.0, "0"), (300.0, "300"), (600.0, "600")] {
        elo.level(&mut drawing, value, LINE, label);
    }
    llr.level(&mut drawing, 0.0, LINE, "0");
    llr.level(&mut drawing, 2.94, ACCENT, "2.94");
    llr.level(&mut drawing, -2.94, ALARM, "-2.94");
    let accept = language.pick("accept: stronger", "接受：更强");
    let reject = language.pick("accept: no stronger", "接受：并不更强");
    drawing.text((RIGHT, llr.y(2.94) - 6.0), Anchor::End, ACCENT, accept);
    drawing.text((RIGHT, llr.y(-2.94) - 6.0), Anchor::End, ALARM, reject);
    let along = |panel: &Panel, value: &dyn Fn(&Standing) -> f64| -> Vec<Point> {
        course.iter().map(|at| (x(at.games), panel.y(value(at)))).collect()
    };
    let mut interval = along(&elo, &|at| at.elo + at.error);
    interval.extend(along(&elo, &|at| at.elo - at.error).into_iter().rev());
    drawing.area(&interval, ACCENT);
    drawing.line(&along(&elo, &|at| at.elo), ACCENT, 2.0);
    drawing.line(&along(&llr, &|at| at.llr), INK, 2.0);
    for games in (0..=last as u64).filter(|games| games % 10 == 0) {
        drawing.text((x(games), 410.0), Anchor::Middle, DIM, &games.to_string());
    }
    drawing.text(((LEFT + RIGHT) / 2.0, 430.0), Anchor::Middle, DIM, language.pick("games", "局数"));
    drawing.finish()
}

#[test]
fn a_course_of_any_length_is_drawn() {
    let standing = |games, llr| Standing { games, elo: 100.0, error: 900.0, llr };
    for course in [vec![], vec![standing(2, 0.1)], vec![standing(2, 0.1), standing(4, 9.0)]] {
        let picture = draw(&course, Language::English);
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
    }
}
