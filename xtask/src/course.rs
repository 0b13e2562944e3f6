//! `cargo xtask course`: a course at full size, killed and played again.
//!
//! Programs in five languages hand in and meet in a round robin of two games per pair. The round is killed by SIGKILL at
//! random moments and gone on with, then the same round is played without a disturbance. Not one game may be lost or
//! changed by the kills, nothing may be left running, and both tables must be the same. The programs are deterministic and
//! do not look at a clock, so a difference is a fault of the referee, or a move that took longer than its time.

mod programs;

use crate::shell;
use crate::storm::{Dice, Process};
use crate::temp_folder::TempFolder;
use anyhow::{Context, bail, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What is left of a killed round must be gone by then.
const CLEAN: Duration = Duration::from_secs(20);
/// Programs that are checked at the same time.
const DESKS: usize = 2;
/// How often the journal is looked at.
const LOOK: Duration = Duration::from_millis(50);

#[derive(Debug, PartialEq)]
struct Order {
    programs: usize,
    kills: usize,
    time_ms: u64,
    size: usize,
    concurrency: usize,
    debug: bool,
}

pub(crate) fn run(args: &[String]) -> anyhow::Result<()> {
    let order = read(args)?;
    let mut build = shell::cargo();
    build.args(["build", "--package", "tengen"]);
    if !order.debug {
        build.arg("--release");
    }
    shell::run(&mut build)?;
    let place = TempFolder::make("course")?;
    let built = if order.debug { "target/debug/tengen" } else { "target/release/tengen" };
    // A copy: the original may be built anew in the meantime.
    let tengen = place.path().join("tengen");
    std::fs::copy(shell::root().join(built), &tengen)?;
    let course = Course { tengen, folder: place.path().join("course"), order };
    let began = Instant::now();
    course.set_up(place.path())?;
    println!("{} programs accepted in {:.0} s", course.order.programs, began.elapsed().as_secs_f64());
    let began = Instant::now();
    course.play_killed()?;
    println!("killed {} times, {:.0} s", course.order.kills, began.elapsed().as_secs_f64());
    let began = Instant::now();
    course.play("calm")?;
    println!("undisturbed, {:.0} s", began.elapsed().as_secs_f64());
    course.compare()
}

fn read(args: &[String]) -> anyhow::Result<Order> {
    let mut order = Order { programs: 60, kills: 10, time_ms: 50, size: 9, concurrency: 2, debug: false };
    let mut words = args.iter();
    while let Some(word) = words.next() {
        if word == "--debug" {
            order.debug = true;
            continue;
        }
        let mut number = |least: usize, most: usize| {
            let value = words.next().and_then(|value| value.parse().ok());
            value
                .filter(|value| (least..=most).contains(value))
                .with_context(|| format!("{word} needs a number from {least} to {most}"))
        };
        match word.as_str() {
            "--programs" => order.programs = number(2, 500)?,
            "--kills" => order.kills = number(0, 1_000)?,
            "--time-ms" => order.time_ms = number(10, 60_000)? as u64,
            "--size" => order.size = number(7, 15)?,
            "--concurrency" => order.concurrency = number(1, 64)?,
            _ => bail!("accepted: --programs N, --kills N, --time-ms N, --size N, --concurrency N, --debug"),
        }
    }
    Ok(order)
}

/// A finished game, without what was measured.
type Game = (Vec<String>, Option<String>, String, Vec<String>);

struct Course {
    tengen: PathBuf,
    folder: PathBuf,
    order: Order,
}

impl Course {
    fn class(&self, words: &[&str]) -> Command {
        let mut command = shell::child(&self.tengen);
        command.arg("class").args(&words[..1]).arg(&self.folder).args(&words[1..]).stdin(Stdio::null());
        command
    }

    fn games(&self) -> usize {
        self.order.programs * (self.order.programs - 1)
    }

    /// Makes the class and hands every program in.
    fn set_up(&self, place: &Path) -> anyhow::Result<()> {
        let [time, size, concurrency] = [
            format!("{}", self.order.time_ms as f64 / 1000.0),
            self.order.size.to_string(),
            self.order.concurrency.to_string(),
        ];
        // With time to spare, so that what else this machine does fails no check; the round has its own.
        let new = ["new", "--game", "gomoku", "--size", &size, "--time", "5", "--seed", "7"];
        shell::output(self.class(&new).args(["--opening-stones", "2", "--concurrency", &concurrency]))?;
        let all: Vec<programs::Program> =
            (0..self.order.programs).map(programs::variant).collect::<Result<_, _>>()?;
        let list: String = all.iter().map(|program| format!("{},{0}\n", program.student)).collect();
        let csv = place.join("students.csv");
        std::fs::write(&csv, list)?;
        let keys = place.join("keys.csv");
        shell::output(&mut self.class(&["add", &csv.to_string_lossy(), "--keys", &keys.to_string_lossy()]))?;
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let desk = || -> anyhow::Result<()> {
                while let Some(program) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let file = place.join(&program.file);
                    std::fs::write(&file, &program.source)?;
                    let file = file.to_string_lossy();
                    let done = self.class(&["submit", &program.student, &file]).output()?;
                    let said = String::from_utf8_lossy(&done.stdout);
                    ensure!(done.status.success(), "{} was not accepted:\n{said}", program.file);
                }
                Ok(())
            };
            let desks: Vec<_> = (0..DESKS).map(|_| scope.spawn(desk)).collect();
            desks.into_iter().try_for_each(|desk| desk.join().unwrap_or_else(|_| bail!("a desk has failed")))
        })?;
        shell::output(&mut self.class(&["set", "--time", &time])).map(drop)
    }

    fn play(&self, round: &str) -> anyhow::Result<()> {
        shell::output(&mut self.class(&["run", "--round", round])).map(drop)
    }

    /// Plays a round, killed at random moments, each in its own part of the round, and gone on with.
    fn play_killed(&self) -> anyhow::Result<()> {
        let mut dice = Dice::new()?;
        let parts = self.order.kills + 1;
        let mut before = BTreeMap::new();
        for kill in 0..self.order.kills {
            let from = self.games() * kill / parts;
            let at = from + dice.roll((self.games() / parts) as u64) as usize;
            let mut round = Process::start(self.class(&["run", "--round", "killed"]), &[])?;
            while self.lines("killed") <= at {
                ensure!(!round.has_ended_within(LOOK)?, "the round ended by itself before it was killed");
            }
            dice.pause(300);
            round.kill();
            self.nothing_runs()?;
            before = self.kept(&before)?;
            println!("killed after {} of {} games", before.len(), self.games());
        }
        self.play("killed")?;
        self.nothing_runs()?;
        self.kept(&before).map(drop)
    }

    /// The finished games of the killed round: those known before must be there, and as they were.
    fn kept(&self, before: &BTreeMap<u64, Game>) -> anyhow::Result<BTreeMap<u64, Game>> {
        let now = self.journal("killed")?;
        for (number, game) in before {
            ensure!(now.get(number) == Some(game), "game {number} was lost or changed by a kill");
        }
        Ok(now)
    }

    fn journal_file(&self, round: &str) -> PathBuf {
        self.folder.join("rounds").join(round).join("games.jsonl")
    }

    fn lines(&self, round: &str) -> usize {
        std::fs::read(self.journal_file(round))
            .map_or(0, |text| text.iter().filter(|byte| **byte == b'\n').count())
    }

    /// Finished games by number; one that a kill has torn is none.
    fn journal(&self, round: &str) -> anyhow::Result<BTreeMap<u64, Game>> {
        let text = std::fs::read_to_string(self.journal_file(round)).unwrap_or_default();
        let mut games = BTreeMap::new();
        for line in text.lines() {
            let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
            let Some(number) = value["id"].as_u64() else { continue };
            ensure!(games.insert(number, game(&value)).is_none(), "game {number} is there twice");
        }
        Ok(games)
    }

    /// No program, compiler or sandbox may be left of a round that was killed.
    fn nothing_runs(&self) -> anyhow::Result<()> {
        let began = Instant::now();
        loop {
            let left = processes_of(&self.folder)?;
            if left.is_empty() {
                return Ok(());
            }
            ensure!(began.elapsed() < CLEAN, "left running: {left:?}");
            std::thread::sleep(LOOK);
        }
    }

    /// Both rounds must be whole, with the same games and the same table.
    fn compare(&self) -> anyhow::Result<()> {
        let (killed, calm) = (self.journal("killed")?, self.journal("calm")?);
        for (round, games) in [("killed", &killed), ("calm", &calm)] {
            ensure!(games.len() == self.games(), "{round}: {} of {} games", games.len(), self.games());
        }
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for game in killed.values() {
            *reasons.entry(&game.2).or_default() += 1;
        }
        println!("{} games by their end: {reasons:?}", killed.len());
        let differ: Vec<String> = killed
            .iter()
            .filter(|(number, game)| calm.get(number) != Some(game))
            .map(|(number, game)| {
                let other = calm.get(number).map_or("missing", |other| other.2.as_str());
                format!("{number} ({}): {} and {other}", game.0.join(" - "), game.2)
            })
            .collect();
        if !differ.is_empty() {
            let some = differ.iter().take(10).cloned().collect::<Vec<_>>().join("; ");
            bail!("{} of {} games differ: {some}", differ.len(), self.games());
        }
        let (one, other) = (self.table("killed")?, self.table("calm")?);
        ensure!(one == other, "the games are the same and the tables differ:\n{one}\n{other}");
        println!("the same {} games and the same table, killed and undisturbed", self.games());
        Ok(())
    }

    /// The table without what was measured.
    fn table(&self, round: &str) -> anyhow::Result<Value> {
        let text = shell::output(&mut self.class(&["table", "--round", round, "--json"]))?;
        let mut table: Value = serde_json::from_str::<Value>(&text)?["table"].take();
        for row in table.as_array_mut().context("the table has no rows")? {
            row["seconds_per_game"] = Value::Null;
        }
        Ok(table)
    }
}

fn game(value: &Value) -> Game {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let texts = |value: &Value| value.as_array().into_iter().flatten().map(text).collect();
    let winner = value["winner"].as_str().map(str::to_string);
    (texts(&value["names"]), winner, text(&value["reason"]), texts(&value["moves"]))
}

/// Processes that have this folder in their command line: a sandbox names the program that it runs.
fn processes_of(folder: &Path) -> anyhow::Result<Vec<String>> {
    let wanted = folder.to_string_lossy();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc")?.flatten() {
        let Ok(words) = std::fs::read(entry.path().join("cmdline")) else { continue };
        let line = String::from_utf8_lossy(&words).replace('\0', " ");
        if line.contains(&*wanted) {
            found.push(format!(
                "{} {}",
                entry.file_name().to_string_lossy(),
                line.chars().take(80).collect::<String>()
            ));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_full_size_is_the_default_and_odd_sizes_are_refused() {
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        let full = read(&[]).unwrap();
        assert_eq!((full.programs, full.kills, full.time_ms, full.debug), (60, 10, 50, false));
        let small = read(&words("--programs 12 --kills 5 --debug")).unwrap();
        assert_eq!((small.programs, small.kills, small.debug), (12, 5, true));
        for bad in ["--programs 1", "--programs", "--kills many", "--size 200", "--sizes 9"] {
            assert!(read(&words(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_was_measured_is_no_part_of_a_game() {
        let line = |seconds: f64| {
            serde_json::json!({"id": 3, "names": ["a", "b"], "winner": "first", "reason": "five",
                "seconds": [seconds, 0.0], "date": "2026-01-01", "moves": ["h8"]})
        };
        assert_eq!(game(&line(0.1)), game(&line(0.2)));
        let mut other = line(0.1);
        other["moves"][0] = "a1".into();
        assert_ne!(game(&line(0.1)), game(&other));
    }
}
