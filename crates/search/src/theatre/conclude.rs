//! What a search came to, in words: the board, the best move, its value and why, in the reader's language.

use super::{Num, PlayoutResult, Record, Search, TreeResult};
use std::fmt::Write;

/// The reader's language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Chinese.
    Zh,
}

impl Language {
    /// The language of a POSIX locale such as `zh_CN.UTF-8`; English where it is any other.
    pub fn of_locale(locale: &str) -> Language {
        if locale.to_ascii_lowercase().starts_with("zh") { Language::Zh } else { Language::En }
    }

    /// One of two texts.
    pub fn pick<'a>(self, en: &'a str, zh: &'a str) -> &'a str {
        if self == Language::En { en } else { zh }
    }
}

/// The end of a walk-through; `name` writes a move.
pub fn conclusion(record: &Record, name: &dyn Fn(u32) -> String, language: Language) -> String {
    let (best, why) = match &record.search {
        Search::Tree { result, .. } => (result.best, tree(record, result, name, language)),
        Search::Playouts { result, .. } => (result.best, playouts(result, name, language)),
    };
    let mut text = board(record, best);
    text.push_str(&why);
    text
}

/// The board with the best move as `*`.
fn board(record: &Record, best: Option<u32>) -> String {
    let mut text = String::from("\n");
    for (row, line) in record.stage.board.iter().enumerate() {
        // Rows of a Hex board are shifted, as they are on the board.
        let indent = if record.stage.game == "hex" { row } else { 0 };
        let _ = write!(text, "{}", " ".repeat(indent + 2));
        for (col, cell) in line.chars().enumerate() {
            let here = row as u32 * record.stage.cols + col as u32;
            let _ = write!(text, "{} ", if best == Some(here) { '*' } else { cell });
        }
        text.push('\n');
    }
    text.push('\n');
    text
}

fn number(Num(value): Num) -> String {
    if value.is_finite() { format!("{}", (value * 1e4).round() / 1e4) } else { "?".into() }
}

/// Plies to a proved end, and whether MAX wins it.
fn decided(Num(value): Num, result: &TreeResult) -> Option<(u32, bool)> {
    let plies = (result.win? - value.abs()).round();
    (0.0..1000.0).contains(&plies).then_some((plies as u32, value > 0.0))
}

fn side_name(side: &str, language: Language) -> &str {
    match (language, side) {
        (Language::En, _) => side,
        (Language::Zh, "black") => "黑方",
        (Language::Zh, _) => "白方",
    }
}

/// A value, or who has a proved win in how many plies.
fn worth(value: Num, record: &Record, result: &TreeResult, language: Language) -> String {
    let Some((plies, max_wins)) = decided(value, result) else { return number(value) };
    let other = if record.max == "black" { "white" } else { "black" };
    let winner = side_name(if max_wins { &record.max } else { other }, language);
    match language {
        Language::En => format!("a win in {plies} plies for {winner}"),
        Language::Zh => format!("{winner} {plies} 手获胜（双方合计）"),
    }
}

fn tree(record: &Record, result: &TreeResult, name: &dyn Fn(u32) -> String, language: Language) -> String {
    let zh = language == Language::Zh;
    let Some(best) = result.best else {
        return language.pick("No move was searched.\n", "没有搜索任何着法。\n").into();
    };
    let other = if record.max == "black" { "white" } else { "black" };
    let side = side_name(&record.max, language);
    let (mv, value) = (name(best), number(result.value));
    let line: Vec<_> = result.line.iter().map(|mv| name(*mv)).collect();
    let mut text = match (decided(result.value, result), language) {
        (None, Language::En) => format!("Best move {mv}, worth {value} to {side}.\n"),
        (None, Language::Zh) => format!("最佳着法 {mv}，{side}的分值 {value}。\n"),
        (Some((plies, max_wins)), _) => {
            let winner = if max_wins { side } else { side_name(other, language) };
            match language {
                Language::En => format!("Best move {mv}: {winner} wins in {plies} plies.\n"),
                Language::Zh => format!("最佳着法 {mv}：{winner} {plies} 手获胜（双方合计）。\n"),
            }
        }
    };
    let _ = writeln!(text, "{}{}", language.pick("Expected line: ", "预计变化："), line.join(" "));
    // For MIN a smaller value is better.
    let sign = if record.max == record.stage.to_move { 1.0 } else { -1.0 };
    let others = result.root.iter().filter(|row| row.0 != best);
    let next = others.max_by(|a, b| (sign * a.1.0).total_cmp(&(sign * b.1.0)));
    let (count, nodes) = (result.root.len(), result.nodes);
    let _ = match (next, zh) {
        (None, false) => writeln!(text, "Why: it is the only move searched ({nodes} nodes)."),
        (None, true) => writeln!(text, "理由：只搜索了这一步（{nodes} 个节点）。"),
        (Some((other, second, _)), false) => writeln!(
            text,
            "Why: of {count} moves none is better; the next, {}, is worth {} at best ({nodes} nodes, {} cutoffs).",
            name(*other),
            worth(*second, record, result, language),
            result.cutoffs
        ),
        (Some((other, second, _)), true) => writeln!(
            text,
            "理由：{count} 个着法中没有更好的；其次是 {}，至多值 {}（{nodes} 个节点，{} 次剪枝）。",
            name(*other),
            worth(*second, record, result, language),
            result.cutoffs
        ),
    };
    if !result.completed {
        text.push_str(language.pick("The search ended before it was done.\n", "搜索在完成之前就结束了。\n"));
    }
    text
}

fn playouts(result: &PlayoutResult, name: &dyn Fn(u32) -> String, language: Language) -> String {
    let zh = language == Language::Zh;
    let Some(best) = result.best else {
        return language.pick("No move was tried.\n", "没有尝试任何着法。\n").into();
    };
    let of = |wanted: u32| result.root.iter().find(|row| row.0 == wanted);
    let rate = |row: &(u32, u64, Num)| 100.0 * row.2.0 / (row.1.max(1) as f64);
    let total = result.playouts;
    let mut text = String::new();
    let _ = match (of(best), zh) {
        (Some(row), false) => writeln!(
            text,
            "Best move {}: {} of {total} playouts went there, and MAX won {:.1} % of them.",
            name(best),
            row.1,
            rate(row)
        ),
        (Some(row), true) => writeln!(
            text,
            "最佳着法 {}：{total} 次模拟中有 {} 次走了这一步，其中 MAX 赢了 {:.1} %。",
            name(best),
            row.1,
            rate(row)
        ),
        (None, false) => writeln!(text, "Best move {}.", name(best)),
        (None, true) => writeln!(text, "最佳着法 {}。", name(best)),
    };
    let next = result.root.iter().filter(|row| row.0 != best).max_by_key(|row| row.1);
    if let Some(row) = next {
        let _ = if zh {
            writeln!(text, "理由：它被走得最多；其次是 {}，{} 次，{:.1} %。", name(row.0), row.1, rate(row))
        } else {
            let (other, visits) = (name(row.0), row.1);
            writeln!(
                text,
                "Why: it was tried most; the next, {other}, {visits} times with {:.1} %.",
                rate(row)
            )
        };
    }
    text
}
