//! How long does a search go on after it was told to stop? Random positions on boards of 11 to 19 rows, told at random
//! moments of the search; processor time from the moment until the move is there. Exits with 1 where the worst is over
//! the limit that engines have, and with 2 when nothing was searched:
//! `cargo run --release -p tengen-hex --example stop -- [MOMENTS] [SEED]`.

#![allow(missing_docs, clippy::print_stdout)]

use ::game::{Engine, Limits, Options, Position as _, StopFlag, Watch};
use ::search::Rng;
use hex::engine::Tengen;
use hex::{Position, Size};
use std::process::ExitCode;
use std::time::Duration;

/// The limit for every engine.
const LIMIT: Duration = Duration::from_millis(20);
const ROWS: [u8; 5] = [11, 13, 14, 15, 19];
/// The search is told to stop after up to so many milliseconds.
const LATEST: usize = 120;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let args: Vec<u64> = std::env::args().skip(1).map(|arg| arg.parse()).collect::<Result<_, _>>()?;
    let (moments, seed) = match args.as_slice() {
        [] => (1_000, 1),
        [moments] => (*moments, 1),
        [moments, seed] => (*moments, *seed),
        _ => return Err("accepted: [MOMENTS] [SEED]".into()),
    };
    let mut engine = Tengen::new(&Options::new())?;
    let mut worst = Duration::ZERO;
    for rows in ROWS {
        let mut times = Vec::new();
        for number in 0..moments / ROWS.len() as u64 {
            let mut rng = Rng::stream(seed, number * 100 + u64::from(rows));
            let position = random_position(rows, &mut rng)?;
            times.push(stop_time(&mut engine, &position, Duration::from_millis(rng.below(LATEST) as u64))?);
        }
        times.sort_unstable();
        let Some(last) = times.last() else { return Ok(ExitCode::from(2)) };
        worst = worst.max(*last);
        let (median, hundredth) = (times[times.len() / 2], times[times.len() * 99 / 100]);
        println!(
            "{rows}x{rows}: {} moments, median {median:.1?}, 99 % {hundredth:.1?}, worst {last:.1?}",
            times.len()
        );
    }
    println!("worst {worst:.1?} of processor time; accepted: {LIMIT:?}");
    Ok(if worst < LIMIT { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// A position without a winner, after up to half of the cells.
fn random_position(rows: u8, rng: &mut Rng) -> Result<Position, Box<dyn std::error::Error>> {
    let size = Size::new(rows, rows).ok_or("a board that there is")?;
    let mut position = Position::empty(size);
    for _ in 0..rng.below(usize::from(rows) * usize::from(rows) / 2) {
        let mut next = position.clone();
        next.play(rng.pick(&position.legal_moves()).ok_or("a move on a board that is half empty")?)?;
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    Ok(position)
}

/// Processor time from the stop until the search has returned. The thread that stops it sleeps, so all of it is the search's.
fn stop_time(
    engine: &mut Tengen,
    position: &Position,
    after: Duration,
) -> Result<Duration, Box<dyn std::error::Error>> {
    engine.new_game();
    let stop = StopFlag::new();
    let watch = Watch::start(stop.clone());
    let limits = Limits { nodes: Some(u64::MAX), threads: 1, ..Limits::default() };
    std::thread::scope(|scope| {
        let told = scope.spawn(move || {
            std::thread::sleep(after);
            stop.stop();
            processor_time()
        });
        let decision = engine.think(position, &limits, &watch, &mut |_| {});
        let ended = processor_time();
        decision?;
        let told = told.join().map_err(|_| "the clock failed")?;
        Ok(ended.saturating_sub(told))
    })
}

fn processor_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
