//! A record read aloud: the search as indented lines of text.

use super::{End, Entered, Num, PlayoutColumns, Record, Search, TreeColumns};
use std::fmt::Write;

/// The first `lines` steps of a search in words; `name` writes a move.
pub fn walk_through(record: &Record, name: &dyn Fn(u32) -> String, lines: usize) -> String {
    match &record.search {
        Search::Tree { columns, .. } => tree(record, columns, name, lines),
        Search::Playouts { columns, .. } => playouts(columns, name, lines),
    }
}

fn number(Num(value): Num) -> String {
    match value {
        v if v.is_nan() => "?".into(),
        f64::INFINITY => "+inf".into(),
        f64::NEG_INFINITY => "-inf".into(),
        v => format!("{}", (v * 1e4).round() / 1e4),
    }
}

fn tree(record: &Record, columns: &TreeColumns, name: &dyn Fn(u32) -> String, lines: usize) -> String {
    let mut text = String::new();
    let mut depth = vec![0usize; columns.nodes.len()];
    let mut cuts = columns.cuts.iter();
    let root_is_max = record.max == record.stage.to_move;
    let bound = |is_alpha: bool| if is_alpha { "alpha" } else { "beta" };
    for (count, event) in columns.events.iter().enumerate() {
        if count >= lines {
            let _ = writeln!(text, "... and {} more steps", columns.events.len() - count);
            break;
        }
        let node = (event / 8) as usize;
        let parent = usize::try_from(columns.nodes[node].parent).unwrap_or(0);
        let mv = u32::try_from(columns.nodes[node].mv).map(name).unwrap_or_default();
        if event % 8 == 0 {
            depth[node] = depth[parent] + 1;
        }
        let indent = "  ".repeat(depth[node].saturating_sub(1));
        let max_above = (depth[node] % 2 == 1) == root_is_max;
        let who = if max_above { "MAX" } else { "MIN" };
        let _ = match event % 8 {
            0 if columns.nodes[node].mv < 0 => {
                writeln!(text, "{indent}a test without the hash move, to see whether it is singular")
            }
            0 => {
                let (alpha, beta) =
                    (number(Num(columns.nodes[node].alpha)), number(Num(columns.nodes[node].beta)));
                let how = columns.visits.get(node).map_or("", |visit| entered(visit.entered));
                writeln!(text, "{indent}{who} tries {mv}   alpha {alpha}, beta {beta}{how}")
            }
            1 => {
                let why = columns.visits.get(node).map_or("", |visit| ended(visit.end));
                writeln!(text, "{indent}{mv} is worth {}{why}", number(Num(columns.nodes[node].value)))
            }
            2 => {
                let value = number(Num(columns.nodes[node].value));
                writeln!(text, "{indent}{mv} is {who}'s best so far: {} becomes {value}", bound(max_above))
            }
            3 => match cuts.next() {
                Some((_, by, which, limit, from, skipped)) => {
                    let by =
                        usize::try_from(*by).ok().and_then(|by| columns.nodes.get(by).map(|node| node.mv));
                    let by = by.and_then(|mv| u32::try_from(mv).ok()).map_or("a move".into(), name);
                    let place = match from {
                        ..0 => String::new(),
                        0 => " of the root".into(),
                        ply => format!(" of ply {ply}"),
                    };
                    writeln!(
                        text,
                        "{indent}  CUT: {by} runs into {} = {}{place}; {skipped} moves left out",
                        bound(*which == 0),
                        number(*limit)
                    )
                }
                None => Ok(()),
            },
            _ => writeln!(text, "{indent}  the table knows this position"),
        };
    }
    if columns.dropped > 0 {
        let _ = writeln!(text, "({} nodes were searched but not written down)", columns.dropped);
    }
    text
}

fn entered(entered: Entered) -> &'static str {
    match entered {
        Entered::Full => "",
        Entered::Null => " (null window)",
        Entered::Reduced => " (null window, reduced)",
        Entered::Again => " (again, not reduced)",
        Entered::Singular => " (singular test)",
    }
}

fn ended(end: End) -> &'static str {
    match end {
        End::Moves => "",
        End::Forced => ": the end is forced",
        End::Table => ": from the table",
        End::Static => ": static evaluation",
        End::Vcf => ": a win by continuous fours",
        End::Razoring => ": razoring",
        End::Futility => ": reverse futility pruning",
        End::MateDistance => ": mate distance pruning",
        End::MultiCut => ": multi-cut",
        End::Draw => ": the board is full",
    }
}

fn playouts(columns: &PlayoutColumns, name: &dyn Fn(u32) -> String, lines: usize) -> String {
    let mut text = String::new();
    let (mut step, mut moved) = (0usize, 0usize);
    let mv = |node: u32| columns.mv.get(node as usize).and_then(|mv| u32::try_from(*mv).ok()).map(name);
    for (playout, steps) in columns.steps.iter().enumerate() {
        if playout >= lines {
            let _ = writeln!(text, "... and {} more playouts", columns.steps.len() - playout);
            break;
        }
        let _ = writeln!(text, "playout {}", playout + 1);
        let steps = step..step + *steps as usize;
        for at in steps.clone() {
            let move_name = mv(columns.node[at]).unwrap_or_default();
            let Num(explore) = columns.exploration[at];
            let _ = if columns.exploitation[at].0.is_nan() {
                writeln!(text, "  its turn: {move_name}")
            } else if explore.is_finite() {
                let Num(exploit) = columns.exploitation[at];
                let sum = exploit + explore;
                writeln!(
                    text,
                    "  select {move_name}: w/n {exploit:.3} + C sqrt(ln N / n) {explore:.3} = {sum:.3}"
                )
            } else {
                writeln!(text, "  expand {move_name}: not tried yet")
            };
        }
        let moves = moved..moved + columns.moves[playout] as usize;
        let line: Vec<_> = columns.playout[moves.clone()].iter().map(|mv| name(*mv)).collect();
        let _ = writeln!(text, "  play out {} -> {}", line.join(" "), number(columns.result[playout]));
        for at in steps.clone().rev() {
            let move_name = mv(columns.node[at]).unwrap_or_default();
            let (visits, wins) = (columns.visits[at], number(columns.wins[at]));
            let _ = writeln!(text, "  back up {move_name}: MAX {wins} of {visits}");
        }
        (step, moved) = (steps.end, moves.end);
    }
    text
}
