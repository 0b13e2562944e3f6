//! Games against hostile engines: every verdict must be right and nothing may be left over.

use crate::table::{GAME, mock, trivial};
use arena::protocol::Protocol;
use arena::referee::Termination;
use arena::tournament::play_one;
use game::{Seat, Setup, StopFlag};
use play::TimeControl;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A habit and the verdict it deserves; `None`: it plays on like anybody else.
const HABITS: &[(&str, Option<Termination>)] = &[
    ("good", None),
    ("stall", Some(Termination::Timeout)),
    ("late", Some(Termination::Timeout)),
    ("crash", Some(Termination::Crash)),
    ("abort", Some(Termination::Crash)),
    ("fork", Some(Termination::Crash)),
    ("occupied", Some(Termination::Occupied)),
    ("garbage", Some(Termination::Syntax)),
    ("empty", Some(Termination::Timeout)),
    ("half", Some(Termination::Timeout)),
    ("half-exit", Some(Termination::Crash)),
    ("utf16", Some(Termination::Syntax)),
    ("latin1", Some(Termination::Syntax)),
    ("flood", Some(Termination::Flood)),
    ("flood-lines", Some(Termination::Flood)),
    ("close", Some(Termination::ClosedPipe)),
    ("noisy", None),
    ("stay", None),
    ("mute", Some(Termination::Silence)),
];

/// The verdict on a habit; a program that speaks only one line a turn is judged by that line.
fn expected(protocol: Protocol, habit: &str) -> Option<Termination> {
    let usual = HABITS.iter().find(|(name, _)| *name == habit).and_then(|(_, reason)| *reason);
    match (protocol, habit) {
        (Protocol::Line, "empty" | "flood-lines") => Some(Termination::Syntax),
        (Protocol::Htp, "flood-lines") => Some(Termination::Syntax),
        // Without a handshake there is nothing to be late for but the first move.
        (Protocol::Line, "mute") => Some(Termination::Timeout),
        _ => usual,
    }
}

/// Only a habit of being late needs a clock that runs out soon. All others have plenty, so that a busy machine does
/// not make them late too.
fn control(protocol: Protocol, habit: &str) -> TimeControl {
    let plenty = Duration::from_secs(30);
    let soon = Duration::from_millis(500);
    let of = |reason| if expected(protocol, habit) == Some(reason) { soon } else { plenty };
    TimeControl {
        margin: Duration::from_millis(50),
        patience: of(Termination::Silence),
        ..TimeControl::per_move(of(Termination::Timeout))
    }
}

pub(crate) fn storm(games: usize) -> Result<(), String> {
    let protocols = [Protocol::Gomocup, Protocol::Htp, Protocol::Line];
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let seen = Mutex::new(BTreeMap::<&str, usize>::new());
    let start = GAME
        .position(&Setup { opening: "none".into(), ..Setup::empty(4, 4) })
        .map_err(|error| error.to_string())?;
    let mut at_rest: Option<(usize, u64)> = None;
    // The first games warm the allocator up; after them nothing may grow.
    for until in [games.min(60), games] {
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while let Ok(number) = next
                        .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| (n < until).then_some(n + 1))
                    {
                        let (habit, _) = HABITS[number % HABITS.len()];
                        let protocol = protocols[number / HABITS.len() % 3];
                        let hostile = mock(protocol, habit, 1 + number % 2, control(protocol, habit));
                        let other = trivial("other", false, Duration::ZERO);
                        let (seat, pair) = if number / 57 % 2 == 0 {
                            (Seat::First, [&hostile, &other])
                        } else {
                            (Seat::Second, [&other, &hostile])
                        };
                        let played = play_one(GAME, &*start, pair, Default::default(), &StopFlag::new());
                        let end = played.and_then(|played| played.session.end().copied());
                        let winner = end.and_then(|end| end.winner).map(|(seat, _)| seat);
                        let right = match (end, expected(protocol, habit)) {
                            (None, _) => false,
                            (Some(end), Some(reason)) => {
                                end.termination == reason && winner == Some(seat.other())
                            }
                            (Some(end), None) => end.termination == Termination::Connection,
                        };
                        if !right {
                            let line = format!("game {number}, {} {habit}: {end:?}", protocol.name());
                            wrong.lock().unwrap_or_else(|e| e.into_inner()).push(line);
                        }
                        if let Some(end) = end {
                            *seen
                                .lock()
                                .unwrap_or_else(|e| e.into_inner())
                                .entry(end.termination.name())
                                .or_default() += 1;
                        }
                    }
                });
            }
        });
        let now = (open_files(), resident_kb());
        match at_rest {
            None => at_rest = Some(now),
            Some((files, _)) if now.0 > files => {
                return Err(format!("{files} files open before, {} after", now.0));
            }
            Some((_, kb)) if now.1 > kb + 4096 => {
                return Err(format!("{kb} KiB resident before, {} after", now.1));
            }
            Some((files, kb)) => println!("open files {files} -> {}, resident KiB {kb} -> {}", now.0, now.1),
        }
    }
    std::thread::sleep(Duration::from_millis(100));
    let left = left_over();
    let wrong = wrong.into_inner().unwrap_or_default();
    println!(
        "{games} games: {:?}; wrong verdicts {}; processes left {}",
        seen.into_inner(),
        wrong.len(),
        left.len()
    );
    match (wrong.first(), left.first()) {
        (None, None) => Ok(()),
        (Some(_), _) => Err(wrong.join("\n")),
        (_, Some(pid)) => Err(format!("process {pid} is left over")),
    }
}

fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse().ok()).unwrap_or(0)
}

/// Living processes that were started for this one.
fn left_over() -> Vec<String> {
    let needle = format!("TENGEN_ARENA_CHILD={}.", std::process::id());
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter(|entry| {
            std::fs::read(entry.path().join("environ"))
                .is_ok_and(|env| env.windows(needle.len()).any(|window| window == needle.as_bytes()))
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}
