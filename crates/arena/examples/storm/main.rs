//! Stress test: hostile engines against the arena, and the overhead of the arena.
//!
//! ```text
//! cargo run --release -p tengen-arena --example storm -- all
//! storm games N        N games against engines that stall, crash, cheat, flood, fork …
//! storm kill N         kill a run N times at random moments and resume it
//! storm speed N        N games between trivial engines in process; fails above 6 ms of CPU time per game
//! storm overhead N     cost of a child process per move, over N moves; fails if the median is above 1 ms
//! ```
//! `storm mock PROTOCOL HABIT MOVE` is one of those engines, `storm run FOLDER GAMES` the run that is killed.
#![allow(clippy::print_stdout, reason = "a command-line tool")]

mod games;
mod kill;
mod mock;
mod speed;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<usize>().unwrap_or(1);
    let done = match words.as_slice() {
        ["mock", protocol, habit, at] => {
            mock::run(protocol, habit, number(at));
            Ok(())
        }
        ["run", folder, games] => kill::resume(folder, number(games)),
        ["games", n] => games::storm(number(n)),
        ["kill", n] => kill::storm(number(n)),
        ["speed", n] => speed::in_process(number(n)),
        ["overhead", n] => speed::overhead(number(n)),
        ["all"] => speed::in_process(100_000)
            .and_then(|()| speed::overhead(2000))
            .and_then(|()| games::storm(1000))
            .and_then(|()| kill::storm(100)),
        _ => Err("accepted: all, games N, kill N, speed N, overhead N".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            println!("FAILED: {problem}");
            ExitCode::FAILURE
        }
    }
}
