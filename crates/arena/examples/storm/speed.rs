//! What the arena costs: games a minute in process, and microseconds a move for a child process.

use crate::table::{GAME, mock, tournament, trivial};
use arena::protocol::Protocol;
use arena::tournament::{self, play_one};
use game::{Setup, StopFlag};
use play::TimeControl;
use std::time::{Duration, Instant};

pub(crate) fn in_process(games: usize) -> Result<(), String> {
    let nap = Duration::ZERO;
    let tournament = tournament(vec![trivial("a", true, nap), trivial("b", true, nap)], 5, games as u32, 2);
    let started = Instant::now();
    let results =
        tournament::run(&tournament, None, &StopFlag::new(), &mut |_, _| {}).map_err(|e| e.to_string())?;
    let minutes = started.elapsed().as_secs_f64() / 60.0;
    println!(
        "in process: {} games of Hex 5x5 at {:.0} games a minute",
        results.len(),
        results.len() as f64 / minutes
    );
    if results.len() == games { Ok(()) } else { Err("games are missing".into()) }
}

pub(crate) fn overhead(moves: usize) -> Result<(), String> {
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
    }
    Ok(())
}
