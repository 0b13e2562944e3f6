//! Links of the HexWorld board: `https://hexworld.org/board/#11nc1,a2:sf6,g7`.
//!
//! After `#`: the size (`11` or `columns x rows` as `9x11`), view flags (`r` with an orientation, `m`
//! mirrored, `n` numbered, `c1` red and blue), a comma, the moves up to the position shown, and perhaps a
//! comma and the moves after it. Moves are points, `:s` (swap pieces), `:S` (swap sides), `:p` (pass),
//! `:rb` `:rw` (black or white resigns), `:fb` `:fw` (forfeits).

use super::draft::Draft;
use super::point;
use crate::{Position, SwapRule};
use game::{Move, Position as _, Setup, Side, TextError};
use std::fmt::Write;

/// What a link shows.
#[derive(Clone, Debug)]
pub struct Link {
    /// The position shown.
    pub position: Position,
    /// The whole game, with the moves after the position shown.
    pub last: Position,
    /// `W+R` after `:rb`, `B+F` after `:fw`; empty otherwise.
    pub result: String,
}

/// Reads a link, or the part of it from `#` on.
pub fn read(text: &str, defaults: &Setup) -> Result<Link, TextError> {
    let start = text.find('#').map_or(text.len(), |at| at + 1);
    let end = text[start..].find(char::is_whitespace).map_or(text.len(), |at| start + at);
    let fail = |offset: usize, message: String| TextError::at(text, offset, message);
    let mut parts = text[start..end].splitn(3, ',');
    let head = parts.next().unwrap_or_default();

    let digits = |s: &str| s.bytes().take_while(u8::is_ascii_digit).count();
    let number = |s: &str| s.parse::<u8>().unwrap_or(u8::MAX);
    let mut setup = Setup { stones: Vec::new(), to_move: None, ..defaults.clone() };
    let width = digits(head);
    let mut at = width;
    if width > 0 {
        setup.cols = number(&head[..width]);
        setup.rows = setup.cols;
        if head[at..].starts_with('x') {
            let height = digits(&head[at + 1..]);
            setup.rows = number(&head[at + 1..at + 1 + height]);
            at += 1 + height;
        }
    } else {
        (setup.rows, setup.cols) = (11, 11);
    }
    while at < head.len() {
        match head.as_bytes()[at] {
            b'n' | b'm' => at += 1,
            b'r' | b'c' => at += 1 + digits(&head[at + 1..]),
            _ => {
                let message = "unknown flag in a HexWorld link; accepted: r, m, n, c1 and then ','";
                return Err(fail(start + at, message.into()));
            }
        }
    }

    let mut draft = Draft::new(&setup).map_err(|error| fail(start, error))?;
    let mut result = String::new();
    let shown_part = parts.next().unwrap_or_default();
    let shown_at = start + head.len() + 1;
    play(text, shown_at, shown_part, &mut draft, &mut result)?;
    let shown = draft.position().clone();
    let later = parts.next().unwrap_or_default();
    play(text, shown_at + shown_part.len() + 1, later, &mut draft, &mut result)?;
    let last = draft.finish();
    // A swap among the later moves settles the rule for the earlier ones too.
    let position = shown.with_swap_rule(last.swap_rule());
    Ok(Link { position, last, result })
}

fn play(
    text: &str,
    offset: usize,
    moves: &str,
    draft: &mut Draft,
    result: &mut String,
) -> Result<(), TextError> {
    let mut at = 0;
    while at < moves.len() {
        let rest = &moves[at..];
        let letters = rest.bytes().take_while(u8::is_ascii_lowercase).count();
        let digits = rest[letters..].bytes().take_while(u8::is_ascii_digit).count();
        let fail = |message: String| TextError::at(text, offset + at, message);
        if !result.is_empty() {
            return Err(fail("a move after the end of the game".into()));
        }
        let word = if rest.starts_with(':') {
            let known = [":rb", ":rw", ":fb", ":fw", ":s", ":S", ":p"];
            known.into_iter().find(|word| rest.starts_with(word)).unwrap_or_default()
        } else {
            &rest[..letters + digits]
        };
        match word {
            "" => return Err(fail("expected a point such as f6, :s, :S, :p, :rb, :rw, :fb or :fw".into())),
            ":s" => draft.swap(Some(SwapRule::Pieces)).map_err(fail)?,
            ":S" => draft.swap(Some(SwapRule::Sides)).map_err(fail)?,
            ":p" => draft.pass(),
            ":rb" => *result = "W+R".into(),
            ":rw" => *result = "B+R".into(),
            ":fb" => *result = "W+F".into(),
            ":fw" => *result = "B+F".into(),
            point => draft.word(point).map_err(fail)?,
        }
        at += word.len();
    }
    Ok(())
}

/// Writes a link that shows a position. Stones of a set-up are written as moves, with passes where a side
/// has more of them.
pub fn write(position: &Position) -> String {
    let setup = position.setup();
    let mut link = String::from("https://hexworld.org/board/#");
    let _ = if setup.rows == setup.cols {
        write!(link, "{}", setup.cols)
    } else {
        write!(link, "{}x{}", setup.cols, setup.rows)
    };
    link.push_str("c1,");
    let mut turn = Side::Black;
    let mut by_side = Side::BOTH.map(|side| {
        let stones = setup.stones.iter().filter(move |(s, _)| *s == side);
        stones.map(|(_, cell)| *cell).collect::<Vec<_>>().into_iter()
    });
    while by_side.iter().any(|stones| stones.len() > 0) {
        match by_side[turn.index()].next() {
            Some(cell) => link.push_str(&point::format(cell)),
            None => link.push_str(":p"),
        }
        turn = turn.other();
    }
    if setup.to_move.is_some_and(|side| side != turn) {
        link.push_str(":p");
    }
    for mv in position.history() {
        match mv {
            Move::Place(cell) => link.push_str(&point::format(*cell)),
            Move::Swap if position.swap_rule() == SwapRule::Sides => link.push_str(":S"),
            _ => link.push_str(":s"),
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Cell;

    #[test]
    fn links_keep_their_meaning() {
        for text in [
            "https://hexworld.org/board/#11c1,a2:sf6g7",
            "https://hexworld.org/board/#11c1,a2:Sf6g7",
            "https://hexworld.org/board/#4x6c1,a2b2d6",
            "https://hexworld.org/board/#11c1,",
        ] {
            let link = read(text, &Setup::empty(11, 11)).unwrap();
            assert_eq!(write(&link.position), text);
        }
        let wide = read("#4x6,d6", &Setup::empty(11, 11)).unwrap().position;
        assert_eq!((wide.rows(), wide.cols()), (6, 4));
        assert_eq!(wide.at(Cell::new(5, 3)), Some(Side::Black));
    }

    #[test]
    fn passes_set_ups_and_results() {
        let link = read("#5,a1:pb2c3:rb", &Setup::empty(11, 11)).unwrap();
        assert_eq!(link.result, "W+R");
        assert_eq!(link.position.to_move(), Side::Black);
        assert_eq!(link.position.at(Cell::new(1, 1)), Some(Side::Black));
        let again = read(&write(&link.position), &Setup::empty(11, 11)).unwrap();
        assert_eq!(again.position.hash(), link.position.hash());
        assert!(read("#5,a1:rbb2", &Setup::empty(11, 11)).is_err());
        let link = read("#5,a1,:sb2", &Setup::empty(11, 11)).unwrap();
        assert_eq!((link.position.history().len(), link.last.history().len()), (1, 3));
    }
}
