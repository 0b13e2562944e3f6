//! A Hex engine that speaks HTP: the free cell nearest to the centre.

use std::collections::HashSet;
use std::io::{self, BufRead, Write};

const COMMANDS: &str =
    "name\nversion\nprotocol_version\nlist_commands\nknown_command\nquit\nboardsize\nclear_board\nplay\ngenmove";

struct Hex {
    rows: i32,
    cols: i32,
    taken: HashSet<(i32, i32)>,
}

impl Hex {
    fn answer(&mut self, command: &str, words: &[&str]) -> Result<String, String> {
        let word = |index: usize| words.get(index).copied().ok_or(format!("{command}: a word is missing"));
        let number = |text: &str| text.parse::<i32>().ok().filter(|n| (1..=19).contains(n)).ok_or("not a size");
        match command {
            "boardsize" => {
                self.cols = number(word(0)?)?;
                self.rows = words.get(1).map_or(Ok(self.cols), |text| number(text))?;
                self.taken.clear();
            }
            "clear_board" => self.taken.clear(),
            "play" => {
                let text = word(1)?.to_lowercase();
                let col = i32::from(*text.as_bytes().first().ok_or("no move")?) - i32::from(b'a');
                let row = text.get(1..).and_then(|text| text.parse::<i32>().ok()).ok_or("not a move")? - 1;
                let inside = (0..self.rows).contains(&row) && (0..self.cols).contains(&col);
                if !inside || !self.taken.insert((row, col)) {
                    return Err(format!("not a free cell: {text}"));
                }
            }
            "genmove" => {
                let cells = (0..self.rows * self.cols).map(|cell| (cell / self.cols, cell % self.cols));
                let distance = |at: &(i32, i32)| (2 * at.0 + 1 - self.rows).abs() + (2 * at.1 + 1 - self.cols).abs();
                let best = cells.filter(|cell| !self.taken.contains(cell)).min_by_key(distance);
                let (row, col) = best.ok_or("the board is full")?;
                self.taken.insert((row, col));
                return Ok(format!("{}{}", char::from(b'a' + col as u8), row + 1));
            }
            "known_command" => return Ok(COMMANDS.lines().any(|known| Ok(known) == word(0)).to_string()),
            "list_commands" => return Ok(COMMANDS.into()),
            "name" => return Ok("first-htp-rust".into()),
            "version" => return Ok("1".into()),
            "protocol_version" => return Ok("2".into()),
            "quit" => {}
            _ => return Err(format!("unknown command: {command}")),
        }
        Ok(String::new())
    }
}

fn main() {
    let mut hex = Hex { rows: 11, cols: 11, taken: HashSet::new() };
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let text = line.split('#').next().unwrap_or_default();
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let numbered = words.first().is_some_and(|word| word.parse::<u32>().is_ok());
        let number = if numbered { words.remove(0) } else { "" };
        let Some((command, rest)) = words.split_first() else { continue };
        match hex.answer(command, rest) {
            Ok(answer) => println!("={number} {answer}\n"),
            Err(error) => println!("?{number} {error}\n"),
        }
        io::stdout().flush().ok();
        if *command == "quit" {
            break;
        }
    }
}
