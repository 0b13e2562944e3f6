//! A Hex engine for the line protocol on 11x11: the free cell nearest to the centre. It never swaps.

use std::collections::HashSet;
use std::io::{self, BufRead, Write};

const SIZE: i32 = 11;

fn cell(text: &str) -> Option<(i32, i32)> {
    let col = i32::from(text.bytes().next()?.to_ascii_lowercase()) - i32::from(b'a');
    let row = text.get(1..)?.parse::<i32>().ok()? - 1;
    ((0..SIZE).contains(&row) && (0..SIZE).contains(&col)).then_some((row, col))
}

fn main() {
    let mut taken: HashSet<(i32, i32)> = HashSet::new();
    let mut mine = None;
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let word = line.trim();
        match (word, mine, cell(word)) {
            ("finish", ..) => {
                println!("game over");
                return;
            }
            // The opponent took over the opening stone: it lies mirrored on the long diagonal.
            ("change", Some((row, col)), _) => taken = HashSet::from([(col, row)]),
            ("first", ..) => {}
            (_, _, Some(cell)) => _ = taken.insert(cell),
            _ => {
                println!("error: not a move: {word}");
                io::stdout().flush().ok();
                continue;
            }
        }
        let cells = (0..SIZE * SIZE).map(|cell| (cell / SIZE, cell % SIZE));
        let free = cells.filter(|cell| !taken.contains(cell));
        let Some((row, col)) = free.min_by_key(|(row, col)| (row - SIZE / 2).abs() + (col - SIZE / 2).abs()) else {
            return;
        };
        taken.insert((row, col));
        mine = Some((row, col));
        println!("{}{}", char::from(b'a' + col as u8), row + 1);
        io::stdout().flush().ok();
    }
}
