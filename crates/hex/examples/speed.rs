//! Playouts per second of the main engine on an empty board, one thread: `speed [SIZE] [SECONDS]`.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use game::{Game, Limits, Options, Setup, Watch};
use hex::HEX;
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let size: u8 = args.next().map_or(Ok(11), |word| word.parse())?;
    let seconds: f64 = args.next().map_or(Ok(2.0), |word| word.parse())?;
    let position = HEX.position(&Setup::empty(size, size))?;
    let info = HEX.engines().first().ok_or("no engine")?;
    let mut engine = (info.make)(&Options::new())?;
    let limits = Limits { lines: 3, ..Limits::time(Duration::from_secs_f64(seconds)) };
    let report = engine.think(&*position, &limits, &Watch::default(), &mut |_| {})?.report;
    println!(
        "{} {size}x{size}: {:.0} playouts per second, depth {}",
        info.name,
        report.speed(),
        report.depth
    );
    for line in &report.lines {
        let moves: Vec<String> = line.moves.iter().map(|mv| position.format_move(*mv)).collect();
        println!("{:.3} {:7} {}", line.win_rate, line.nodes, moves.join(" "));
    }
    Ok(())
}
