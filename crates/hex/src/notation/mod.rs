//! Reading and writing positions: grids, move lists, JSON, SGF and HexWorld links.

mod draft;
mod grid;
pub mod hexworld;
mod json;
mod moves;
pub mod point;
pub mod sgf;

pub use json::{PuzzleLine, parse_openings, parse_puzzles};

use crate::Position;
use game::{Setup, TextError};

/// Reads a position in any notation this game accepts. `defaults` gives what the text leaves open; an empty
/// [`Setup::opening`] lets the text name the swap rule by using it.
pub fn parse(text: &str, defaults: &Setup) -> Result<Position, TextError> {
    let trimmed = text.trim();
    if trimmed.eq_ignore_ascii_case("empty") || trimmed.is_empty() {
        Position::new(defaults).map_err(|error| TextError::new(1, 1, error.0))
    } else if trimmed.starts_with('{') {
        json::parse(text, defaults)
    } else if trimmed.contains("hexworld.org") || trimmed.starts_with('#') {
        Ok(hexworld::read(text, defaults)?.position)
    } else if trimmed.contains("(;") || trimmed.starts_with('(') {
        sgf::read_position(text, defaults)
    } else if grid::looks_like_one(trimmed) {
        grid::parse(text, defaults)
    } else {
        moves::parse(text, defaults)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Position as _;
    use proptest::prelude::*;

    #[test]
    fn one_position_in_every_notation() {
        let defaults = Setup::empty(5, 5);
        let texts = [
            "c3 b4",
            "c3b4",
            "1. c3 2. b4",
            "C3, B4\n",
            ". . . . .\n . . . . .\n  . . X . .\n   . O . . .\n    . . . . .",
            ".....\n.....\n..X..\n.O...\n.....",
            r#"{"side":"black","black":["c3"],"white":["b4"],"rows":5,"cols":5}"#,
            r#"{"moves":["c3","b4"],"size":5}"#,
            "(;FF[4]GM[11]SZ[5];B[c3];W[b4])",
            "(;FF[4]GM[11]SZ[5]AB[c3]AW[bd]PL[B])",
            "https://hexworld.org/board/#5nc1,c3b4",
            "#5r9,c3b4,a1",
        ];
        for text in texts {
            let position = parse(text, &defaults).unwrap_or_else(|e| panic!("{text}: {e}"));
            let expected = parse("c3b4", &defaults).unwrap();
            assert_eq!(position.hash(), expected.hash(), "{text}");
        }
    }

    #[test]
    fn errors_say_where() {
        let defaults = Setup::empty(5, 5);
        for (text, line, column) in [
            ("a1 a1", 1, 4),
            ("a1\nz9", 2, 1),
            ("a1b2%", 1, 5),
            ("a1 swap-sides swap-sides", 1, 15),
            ("..X..\n..Y..", 2, 3),
            ("..X..\n....", 2, 1),
            ("(;FF[4]GM[11]SZ[5];B[c3];W[c3])", 1, 26),
            ("(;FF[4]GM[11]SZ[25])", 1, 14),
            ("(;FF[4]GM[4])", 1, 8),
            ("(;GM[11]SZ[5];B[a1]", 1, 1),
            ("#5,a1a1", 1, 6),
            ("#50,a1", 1, 2),
            ("{\"black\":[\"a1\"],\n\"white\":3}", 2, 9),
        ] {
            let error = parse(text, &defaults).expect_err(text);
            assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let text = String::from_utf8_lossy(&bytes);
            let _ = parse(&text, &Setup::empty(5, 5));
            let _ = parse_openings(&text, &Setup::empty(5, 5));
            let _ = parse_puzzles(&text);
        }

        #[test]
        fn no_near_miss_panics(text in "(#[0-9]{1,3}x?[0-9]?[nrmc1,]{0,4}|\\(;|\\{\"black\":|\\.)?([a-z]{1,2}[0-9]{0,3}|:[spSrfbw]{1,2}|;B\\[|;W\\[|A[BWE]\\[|SZ\\[|PL\\[|\\]|[ \\n.XO,\":\\[\\]{}()]|swap(-pieces|-sides)?|resign){0,20}") {
            let _ = parse(&text, &Setup::empty(11, 11));
            let _ = parse_openings(&text, &Setup::empty(11, 11));
        }

        #[test]
        fn no_sgf_like_text_panics(body in "(;|\\(|\\)|[BW]\\[([a-t][0-9a-t]{1,2}|swap-pieces|swap-sides|resign|forfeit|pass)\\]|A[BWE]\\[[a-f][1-6](:[a-f][1-6])?\\]|PL\\[[BW]\\]|SZ\\[[0-9:]{1,4}\\]|AP\\[HexGui:0.[0-9]\\]){0,24}") {
            let _ = parse(&format!("(;{body})"), &Setup::empty(6, 6));
        }
    }
}
