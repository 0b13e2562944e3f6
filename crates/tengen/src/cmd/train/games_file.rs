//! A file that self-play games are appended to, in the order of their numbers: played here one by one, or on a fleet.

use crate::fleet::{Connection, FleetArgs, PieceRun, Piecework, all};
use crate::output;
use anyhow::{Context, bail};
use game::StopFlag;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

/// Games of a run: all of them are in memory until the last has been checked.
const BLOCK: u64 = 2_000;

/// An open file and how many games it has.
pub(super) struct GamesFile<'a> {
    path: &'a Path,
    file: File,
    games: u64,
    /// How many it is to have.
    wanted: u64,
}

impl GamesFile<'_> {
    /// Opens a file in which a line for which `ends` holds ends a game.
    pub(super) fn open(
        path: &Path,
        wanted: u64,
        ends: impl Fn(&[u8]) -> bool,
    ) -> anyhow::Result<GamesFile<'_>> {
        let games = whole_games(path, ends).with_context(|| format!("cannot read {}", path.display()))?;
        let file = File::options().create(true).append(true).open(path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(GamesFile { path, file, games, wanted })
    }

    fn append(&mut self, text: &str) -> anyhow::Result<()> {
        let written = self.file.write_all(text.as_bytes());
        written.with_context(|| format!("cannot write {}", self.path.display()))?;
        self.games += 1;
        Ok(())
    }

    /// Appends games until there are enough; `play` gives the text of one, or `None` if it was stopped.
    pub(super) fn play_here(
        &mut self,
        stop: &StopFlag,
        play: &mut dyn FnMut(u64) -> anyhow::Result<Option<String>>,
    ) -> anyhow::Result<()> {
        while self.games < self.wanted && !stop.is_stopped() {
            if let Some(text) = play(self.games)? {
                self.append(&text)?;
                output::progress(&format!("{} of {} games", self.games, self.wanted));
            }
        }
        self.conclude()
    }

    /// The same on a fleet. Games are appended when a whole run of them has been checked; until then the fleet has them.
    pub(super) fn play_there<P: Piecework<Piece = u64, Found = String>>(
        &mut self,
        url: &str,
        title: &str,
        job: &P,
        stop: &StopFlag,
    ) -> anyhow::Result<()> {
        while self.games < self.wanted && !stop.is_stopped() {
            let numbers: Vec<u64> = (self.games..self.wanted.min(self.games + BLOCK)).collect();
            let run = PieceRun::open(url, title.into(), job)?;
            let mut tell = |there: usize| {
                let games = self.games + there as u64;
                output::progress(&format!("{games} of {} games", self.wanted));
            };
            let Some(mut found) = all(run, &numbers, stop, &mut tell)? else { break };
            for number in numbers {
                let text = found.remove(&number).with_context(|| format!("game {number} is missing"))?;
                self.append(&text)?;
            }
        }
        self.conclude()
    }

    fn conclude(&self) -> anyhow::Result<()> {
        output::progress("");
        let GamesFile { path, games, wanted, .. } = self;
        if games < wanted {
            bail!("stopped after {games} of {wanted} games; the same command goes on");
        }
        println!("{games} games in {}", path.display());
        Ok(())
    }
}

/// The files of a job that plays with this network: their SHA-256, once the fleet has them.
pub(super) fn put_network(fleet: &FleetArgs, network: Option<&Path>) -> anyhow::Result<Vec<String>> {
    match (&fleet.url, network) {
        (Some(url), Some(path)) => Ok(vec![Connection::open(url)?.put_file(path)?]),
        _ => Ok(Vec::new()),
    }
}

/// The number of games in a file, each ended by a line for which `ends` holds. What follows the last of these lines was
/// not written to its end and is cut off.
fn whole_games(path: &Path, ends: impl Fn(&[u8]) -> bool) -> std::io::Result<u64> {
    let mut reader = match File::options().read(true).write(true).open(path) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let (mut games, mut read, mut whole, mut line) = (0, 0, 0, Vec::new());
    while reader.read_until(b'\n', &mut line)? > 0 {
        read += line.len() as u64;
        if line.last() == Some(&b'\n') && ends(&line) {
            whole = read;
            games += 1;
        }
        line.clear();
    }
    reader.into_inner().set_len(whole)?;
    Ok(games)
}
