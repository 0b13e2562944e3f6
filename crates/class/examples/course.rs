//! A whole course at once: N programs in five languages, a round robin, and kills in between.
//!
//! `cargo run --release -p tengen-class --example course -- [PROGRAMS] [KILLS] [SECONDS_PER_MOVE]` (60, 10 and 0.05 if
//! left out) makes a class in a temporary folder, hands the programs in, plays two games of each pair in a process that
//! is killed KILLS times, plays the same round again without kills, and fails if a game is missing or the two tables
//! differ. Programs are deterministic, so only a timeout can make them differ; timeouts are reported.

#![allow(clippy::print_stdout, reason = "a tool that reports")]

use arena::sandbox::Sandbox;
use class::config::ClassConfig;
use class::round::Round;
use class::students::Students;
use class::submission::{Desk, Tongue};
use class::table;
use game::{Game, StopFlag};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const C: &str = include_str!("../../../examples/class/programs/line_counter.c");
const PYTHON: &str = include_str!("../../../examples/class/programs/random_player.py");
const JAVASCRIPT: &str = include_str!("../../../examples/class/programs/blocker.js");
const JAVA: &str = include_str!("course/Main.java");

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, folder, round] = words.as_slice()
        && word == "play"
    {
        return play(Path::new(folder), round);
    }
    let number =
        |index: usize, usual: f64| words.get(index).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let (programs, kills, seconds) = (number(0, 60.0) as usize, number(1, 10.0) as u32, number(2, 0.05));
    let home = std::env::temp_dir().join(format!("tengen-course-{}", std::process::id()));
    let good = course(&home, programs, kills, seconds);
    let _ = std::fs::remove_dir_all(&home);
    if !good {
        std::process::exit(1);
    }
}

fn course(home: &Path, programs: usize, kills: u32, seconds: f64) -> bool {
    let game: &'static dyn Game = &gomoku::GOMOKU;
    std::fs::create_dir_all(home).expect("a temporary folder");
    let mut config = ClassConfig::new("course", game);
    config.size = 9;
    config.seconds_per_move = seconds;
    config.opening_stones = 2;
    config.concurrency = 2;
    config.write(home).expect("settings");
    let sandbox = Sandbox::new(config.limits.clone()).expect("a sandbox");
    let list: String = (0..programs).map(|n| format!("s{n:03},Student {n}\n")).collect();
    Students::update(home, |students| students.add(list.as_bytes())).expect("students");
    let students = Students::read(home).expect("students");
    let started = Instant::now();
    let desk = Desk { folder: home, config: &config, game, sandbox: &sandbox, tongue: Tongue::English };
    for (n, student) in students.students.iter().enumerate() {
        let (file, text) = program(n);
        let done = desk.submit(student, &file, text.as_bytes(), jiff::Timestamp::now()).expect("handing in");
        if !done.verdict.accepted {
            println!("{file} of {} was not accepted: {}", student.id, done.verdict.message);
            return false;
        }
    }
    println!("{programs} programs handed in, {:.0} s", started.elapsed().as_secs_f64());
    let planned = programs * (programs - 1);
    let tables: Vec<_> = [("killed", kills), ("calm", 0)]
        .map(|(name, kills)| {
            let started = Instant::now();
            run(home, name, kills);
            let round = Round::read(home, name).expect("the round");
            let games = round.finished(home).expect("its games");
            let timeouts = games.iter().filter(|game| game.reason.is_fault()).count();
            let seconds = started.elapsed().as_secs_f64();
            println!(
                "{name}: {} games of {planned}, {kills} kills, {timeouts} faults, {seconds:.0} s",
                games.len()
            );
            let rows = table::table(home, &config, &round.participants, &games).expect("the table");
            let points: Vec<(String, f64)> = rows.into_iter().map(|row| (row.id, row.points)).collect();
            (games.len(), points)
        })
        .into();
    let good = tables[0].0 == planned && tables[0] == tables[1];
    println!("{}", if good { "complete, and the same table twice" } else { "FAILED" });
    good
}

/// Plays a round in a process of its own, killing it so many times.
fn run(home: &Path, round: &str, kills: u32) {
    let own = std::env::current_exe().expect("this program");
    for kill in 0..=kills {
        let mut child = Command::new(&own)
            .arg("play")
            .args([home.as_os_str(), round.as_ref()])
            .stdout(Stdio::null())
            .spawn()
            .expect("this program again");
        if kill < kills {
            std::thread::sleep(Duration::from_millis(2000 + 300 * u64::from(kill)));
            let _ = child.kill();
        }
        let _ = child.wait();
    }
}

fn play(folder: &Path, name: &str) {
    let config = ClassConfig::read(folder).expect("settings");
    let sandbox = Sandbox::new(config.limits.clone()).expect("a sandbox");
    let round = Round::open(folder, &config, name, None, Some(2)).expect("a round");
    let stop = StopFlag::new();
    round.play(folder, &config, &gomoku::GOMOKU, &sandbox, &stop, &mut |_, _| {}).expect("the games");
}

/// Program number `n`: five languages in turn, each a little different.
fn program(n: usize) -> (String, String) {
    let weight = 1 + n / 5;
    match n % 5 {
        0 => ("main.c".into(), C.replace("2 * worth(x, y, 1)", &format!("{weight} * worth(x, y, 1)"))),
        1 => ("main.cpp".into(), C.replace("+ worth(x, y, 2)", &format!("+ {weight} * worth(x, y, 2)"))),
        2 => ("main.py".into(), PYTHON.replace("seed(1)", &format!("seed({n})"))),
        3 => ("main.js".into(), JAVASCRIPT.replace("100 * own", &format!("{} * own", 50 * weight))),
        _ => ("Main.java".into(), JAVA.replace("WEIGHT = 2", &format!("WEIGHT = {weight}"))),
    }
}
