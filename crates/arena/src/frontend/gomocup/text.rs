//! Coordinates and search reports as Gomocup and Yixin clients read them.

use crate::frontend::quote;
use game::{Cell, Line, Move, Position, Report};
use std::fmt::Write;

/// Reads `x,y` or, where `fields` is 3, `x,y,field`: column and row, from 0 at the top left.
pub(super) fn numbers(text: &str, fields: usize) -> Result<Vec<i64>, String> {
    let words: Vec<_> = text.split(',').map(str::trim).collect();
    let shape = if fields == 3 { "x,y,1 or x,y,2" } else { "x,y" };
    let bad = || format!("{} is not a point; accepted: {shape}, such as 7,7", quote(text));
    if words.len() != fields {
        return Err(bad());
    }
    words.iter().map(|word| word.parse().map_err(|_| bad())).collect()
}

/// The cell at column `x`, row `y` of the board.
pub(super) fn cell(position: &dyn Position, x: i64, y: i64) -> Result<Cell, String> {
    let (cols, rows) = (position.cols(), position.rows());
    match (u8::try_from(x), u8::try_from(y)) {
        (Ok(col), Ok(row)) if col < cols && row < rows => Ok(Cell::new(row, col)),
        _ => Err(format!(
            "{x},{y} is not on the board; accepted: 0,0 to {},{}",
            cols.saturating_sub(1),
            rows.saturating_sub(1)
        )),
    }
}

/// A cell as `x,y`.
pub(super) fn xy(cell: Cell) -> String {
    format!("{},{}", cell.col, cell.row)
}

/// Cells as `x,y x,y`.
pub(super) fn xys(cells: &[Cell]) -> String {
    cells.iter().map(|cell| xy(*cell)).collect::<Vec<_>>().join(" ")
}

/// The lines sent while a search runs: Yixin's marks on the board (`detail` bit 1), search details
/// (bit 2), and one line for every principal line.
pub(super) fn report_lines(position: &dyn Position, report: &Report, detail: u8) -> String {
    let mut text = String::new();
    if detail & 1 != 0
        && let Some(best) = report.pv().first().and_then(|mv| mv.cell())
    {
        let _ = writeln!(text, "MESSAGE REALTIME REFRESH\nMESSAGE REALTIME BEST {}", xy(best));
    }
    for (index, line) in report.lines.iter().enumerate() {
        if detail & 2 != 0 {
            let bestline: Vec<Cell> = line.moves.iter().filter_map(|mv| mv.cell()).collect();
            let _ = writeln!(
                text,
                "INFO PV {index}\nINFO NUMPV {}\nINFO DEPTH {}\nINFO SELDEPTH {}\nINFO NODES {}\n\
                 INFO TOTALNODES {}\nINFO TOTALTIME {}\nINFO SPEED {:.0}\nINFO EVAL {}\nINFO WINRATE {:.4}\n\
                 INFO BESTLINE {}\nINFO PV DONE",
                report.lines.len(),
                line.depth.max(report.depth),
                report.selective_depth,
                line.nodes,
                report.nodes,
                report.elapsed.as_millis(),
                report.speed(),
                eval(line.score, line.mate),
                line.win_rate,
                xys(&bestline)
            );
        } else if report.lines.len() > 1 {
            let _ = writeln!(
                text,
                "MESSAGE ({}) {} | {}-{} | {}",
                index + 1,
                eval(line.score, line.mate),
                line.depth.max(report.depth),
                report.selective_depth,
                moves(position, line)
            );
        }
    }
    text.push_str(&summary(position, report));
    text
}

/// One line on a search.
pub(super) fn summary(position: &dyn Position, report: &Report) -> String {
    format!(
        "MESSAGE Depth {}-{} | Eval {} | Win {:.1}% | Node {} | Speed {:.0} | Time {} ms | {}",
        report.depth,
        report.selective_depth,
        eval(report.score, report.mate),
        report.win_rate * 100.0,
        report.nodes,
        report.speed(),
        report.elapsed.as_millis(),
        report.lines.first().map(|line| moves(position, line)).unwrap_or_default()
    )
    .trim_end_matches([' ', '|'])
    .to_string()
}

fn eval(score: f64, mate: Option<i32>) -> String {
    match mate {
        Some(plies) if plies >= 0 => format!("+M{plies}"),
        Some(plies) => format!("-M{}", plies.unsigned_abs()),
        None => format!("{score:.0}"),
    }
}

fn moves(position: &dyn Position, line: &Line) -> String {
    let words: Vec<String> = line.moves.iter().map(|mv: &Move| position.format_move(*mv)).collect();
    words.join(" ")
}
