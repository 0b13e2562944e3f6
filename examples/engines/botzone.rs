//! A Gomoku bot for Botzone: the free point nearest to the centre. One process per move, one line of JSON.

use std::collections::HashSet;

const SIZE: i32 = 15;

/// The number after a key, at the start of the text.
fn number(text: &str) -> Option<i32> {
    let digits = text.trim_start().strip_prefix(':')?.trim_start();
    let end = digits.find(|sign: char| !sign.is_ascii_digit() && sign != '-').unwrap_or(digits.len());
    digits[..end].parse().ok()
}

fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).ok();
    // Every point of the game so far is {"x":ROW,"y":COLUMN}, whoever played it; -1 is no point.
    let points = line.split("\"x\"").skip(1).filter_map(|rest| {
        let (_, y) = rest.split_once("\"y\"")?;
        Some((number(rest)?, number(y)?))
    });
    let taken: HashSet<(i32, i32)> = points.collect();
    let cells = (0..SIZE * SIZE).map(|cell| (cell / SIZE, cell % SIZE));
    let free = cells.filter(|cell| !taken.contains(cell));
    if let Some((x, y)) = free.min_by_key(|(x, y)| (x - SIZE / 2).abs() + (y - SIZE / 2).abs()) {
        println!("{{\"response\":{{\"x\":{x},\"y\":{y}}}}}");
    }
}
