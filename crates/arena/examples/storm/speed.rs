//! What the arena costs: games per minute in process, and microseconds per move for a child process. Each fails if its figure
//! is missed.

use crate::table::{GAME, mock, tournament, trivial};
use arena::protocol::Protocol;
use arena::tournament::{self, play_one};
use game::{Setup, StopFlag};
use play::TimeControl;
use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};

/// 20,000 games a minute on two cores, as CPU time of a game: it does not depend on what else the machine does.
const GAME_CPU_TIME: Duration = Duration::from_millis(6);

/// The median cost of a move of a child process, wall time: most of it is waiting for the other process.
const CHILD_MOVE_TIME: Duration = Duration::from_millis(1);

/// CPU time of this process, all threads together.
fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

pub(crate) fn in_process(games: usize) -> Result<(), String> {
    let nap = Duration::ZERO;
    let tournament = tournament(vec![trivial("a", true, nap), trivial("b", true, nap)], 5, games as u32, 2);
    let (started, cpu_before) = (Instant::now(), cpu_time());
    let results =
        tournament::run(&tournament, None, &StopFlag::new(), &mut |_, _| {}).map_err(|e| e.to_string())?;
    let minutes = started.elapsed().as_secs_f64() / 60.0;
    let per_game = (cpu_time() - cpu_before) / results.len().max(1) as u32;
    println!(
        "in process: {} games of Hex 5x5 at {:.0} games a minute, {per_game:.1?} of CPU time each",
        results.len(),
        results.len() as f64 / minutes
    );
    if results.len() != games {
        return Err("games are missing".into());
    }
    if per_game > GAME_CPU_TIME {
        return Err(format!("a game takes more than {GAME_CPU_TIME:?} of CPU time"));
    }
    Ok(())
}

pub(crate) fn overhead(moves: usize) -> Result<(), String> {
    let mut missed = Vec::new();
    // The line protocol cannot tell the size; its mock plays on the small board.
    for (protocol, size) in [(Protocol::Gomocup, 9), (Protocol::Htp, 9), (Protocol::Line, 4)] {
        let setup = Setup { opening: "none".into(), ..Setup::empty(size, size) };
        let start = GAME.position(&setup).map_err(|error| error.to_string())?;
        let child = mock(protocol, "good", usize::MAX, TimeControl::per_move(Duration::from_secs(2)));
        let other = trivial("other", true, Duration::ZERO);
        let mut times = Vec::new();
        while times.len() < moves {
            let played = play_one(GAME, &*start, [&child, &other], Default::default(), &StopFlag::new());
            let played = played.ok_or("stopped")?;
            times.extend(played.notes().step_by(2).filter_map(|note| note.seconds));
            if played.termination().is_fault() {
                return Err(format!("{}: {}", played.termination(), played.session.end_detail()));
            }
        }
        times.sort_by(f64::total_cmp);
        let at = |share: f64| 1e6 * times[((times.len() - 1) as f64 * share) as usize];
        println!("{:<8} median {:.0} us a move, 99 % below {:.0} us", protocol.name(), at(0.5), at(0.99));
        if at(0.5) > 1e6 * CHILD_MOVE_TIME.as_secs_f64() {
            missed.push(protocol.name());
        }
    }
    if missed.is_empty() {
        return Ok(());
    }
    Err(format!("the median is above {CHILD_MOVE_TIME:?} for {}", missed.join(", ")))
}
