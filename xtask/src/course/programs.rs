//! Programs of a course: variants of the samples in `examples/class/programs` and of one in Rust. Each plays otherwise than
//! the others, the same every time, and never looks at a clock.

use crate::shell;
use anyhow::ensure;

/// A program and whose it is.
pub(super) struct Program {
    pub(super) student: String,
    pub(super) file: String,
    pub(super) source: String,
}

/// A program that the samples lack a language for.
const RUST: &str = include_str!("centre.rs.txt");

/// Program number `n`: the languages take turns.
pub(super) fn variant(n: usize) -> anyhow::Result<Program> {
    let sample =
        |name: &str| std::fs::read_to_string(shell::root().join("examples/class/programs").join(name));
    let turn = n / 5;
    // Weights of one's own and the opponent's rows: no two variants of a language have the same.
    let (own, other) = (2 + turn % 7, 1 + turn / 7);
    let counted = format!("1000 * ({own} * worth(x, y, 1) + {other} * worth(x, y, 2))");
    let blocked = format!("{} * longest(x, y, 2) + {} * own", 200 * (1 + other), 100 * own);
    let (ending, original, changed) = match n % 5 {
        0 => ("c", "1000 * (2 * worth(x, y, 1) + worth(x, y, 2))", counted),
        1 => ("cpp", "1000 * (2 * worth(x, y, 1) + worth(x, y, 2))", counted),
        2 => ("py", "random.seed(1)", format!("random.seed({})", turn + 1)),
        3 => ("js", "1000 * longest(x, y, 2) + 100 * own", blocked),
        _ => {
            ("rs", "const OWN: i64 = 3;", format!("const OWN: i64 = {own}; const SALT: i64 = {};", turn + 1))
        }
    };
    let text = match ending {
        "c" | "cpp" => sample("line_counter.c")?,
        "py" => sample("random_player.py")?,
        "js" => sample("blocker.js")?,
        _ => RUST.to_string(),
    };
    ensure!(text.contains(original), "the sample for .{ending} has no '{original}' any more");
    let student = format!("{n:03}-{ending}");
    Ok(Program { file: format!("p{n:03}.{ending}"), source: text.replacen(original, &changed, 1), student })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn sixty_programs_in_five_languages_and_no_two_alike() {
        let all: Vec<Program> = (0..60).map(|n| variant(n).unwrap()).collect();
        let kinds: HashSet<_> =
            all.iter().map(|one| one.file.rsplit('.').next().unwrap().to_string()).collect();
        assert_eq!(kinds.len(), 5);
        let texts: HashSet<_> = all.iter().map(|one| (one.file.rsplit('.').next(), &one.source)).collect();
        assert_eq!(texts.len(), 60);
    }
}
