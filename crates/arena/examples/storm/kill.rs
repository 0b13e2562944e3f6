//! A run that is killed again and again loses no finished game and plays none twice.

use crate::table::{tournament, trivial};
use arena::journal::{Journal, read_games};
use arena::tournament;
use game::StopFlag;
use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Goes on with the run in `folder` until all its games are finished.
pub(crate) fn resume(folder: &str, games: usize) -> Result<(), String> {
    let path = Path::new(folder).join("games.jsonl");
    let mut journal =
        Journal::open(&path, &serde_json::json!({"games": games}), true).map_err(|e| e.to_string())?;
    let nap = Duration::from_micros(100);
    let tournament = tournament(vec![trivial("a", true, nap), trivial("b", true, nap)], 4, games as u32, 2);
    tournament::run(&tournament, Some(&mut journal), &StopFlag::new(), &mut |_, _| {})
        .map(|_| ())
        .map_err(|e| e.to_string())
}

/// Kills such a run `times` times at random moments, then lets it finish.
pub(crate) fn storm(times: usize) -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("tengen-storm-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let path = folder.join("games.jsonl");
    let exe = std::env::current_exe().map_err(|e| e.to_string())?;
    // So many games that the last kill still finds some to play.
    let games = times * 60 + 100;
    let run = || {
        let mut command = Command::new(&exe);
        command.arg("run").arg(&folder).arg(games.to_string()).stdout(Stdio::null());
        command
    };
    let mut rng = search::Rng::new(std::process::id().into());
    let (mut kept, mut kills) = (HashSet::new(), 0);
    for _ in 0..times {
        let mut child = run().spawn().map_err(|e| e.to_string())?;
        std::thread::sleep(Duration::from_micros(1000 + rng.below(60_000) as u64));
        kills += usize::from(child.try_wait().map_err(|e| e.to_string())?.is_none());
        let _ = child.kill();
        let _ = child.wait();
        let now = whole_games(&path)?;
        if let Some(lost) = kept.difference(&now).next() {
            return Err(format!("game {lost} was finished and is gone"));
        }
        kept = now;
    }
    let last = run().status().map_err(|e| e.to_string())?;
    let all = whole_games(&path)?;
    let _ = std::fs::remove_dir_all(&folder);
    println!("killed {kills} times with {} games finished; {} of {games} at the end", kept.len(), all.len());
    if !last.success() || all.len() != games {
        return Err("the run did not finish".into());
    }
    if kept.is_empty() { Err("no game was finished before the last kill".into()) } else { Ok(()) }
}

/// Numbers of the finished games; a number twice is an error.
fn whole_games(path: &Path) -> Result<HashSet<u32>, String> {
    let mut seen = HashSet::new();
    if !path.exists() {
        return Ok(seen);
    }
    for game in read_games(path).map_err(|e| e.to_string())? {
        if !seen.insert(game.task.id) {
            return Err(format!("game {} was played twice", game.task.id));
        }
    }
    Ok(seen)
}
