//! What a worker does with a unit, by its kind.

use super::{games, lines};
use arena::roster::Roster;
use fleet::executor::{Executor, Failed, MakeExecutor, Work};
use fleet::work::UnitResult;
use game::StopFlag;
use std::sync::Arc;

/// Executors for the slots of a worker with these third-party engines and this speed (nodes per second of the bench).
pub(crate) fn make_executor(roster: Roster, speed: f64) -> MakeExecutor {
    Arc::new(move |_slot| {
        Box::new(Units { roster: roster.clone(), speed, games: None, lines: None }) as Box<dyn Executor>
    })
}

struct Units {
    roster: Roster,
    speed: f64,
    /// What was prepared for the last job of each kind.
    games: Option<(String, games::GamesExecutor)>,
    lines: Option<(String, lines::LinesExecutor)>,
}

impl Executor for Units {
    fn execute(&mut self, work: &Work, stop: &StopFlag) -> Result<UnitResult, Failed> {
        let done = match work.kind {
            games::KIND => prepared(&mut self.games, work, || {
                games::GamesExecutor::new(work.job, &self.roster, self.speed)
            })
            .and_then(|games| games.execute(work.spec, stop)),
            lines::KIND => prepared(&mut self.lines, work, || lines::LinesExecutor::new(work.job))
                .and_then(|lines| lines.execute(work.spec, stop)),
            other => Err(anyhow::anyhow!("this version knows no units of kind '{other}'")),
        };
        match done {
            _ if stop.is_stopped() => Err(Failed::Stopped),
            Ok(result) => Ok(result),
            Err(error) => Err(Failed::Because(format!("{error:#}"))),
        }
    }
}

/// What was made for this job before, or makes it now.
fn prepared<'a, T>(
    slot: &'a mut Option<(String, T)>,
    work: &Work,
    make: impl FnOnce() -> anyhow::Result<T>,
) -> anyhow::Result<&'a mut T> {
    if slot.as_ref().is_none_or(|(job, _)| job != work.job_id) {
        // The old one first: its tables may be large.
        *slot = None;
        *slot = Some((work.job_id.to_string(), make()?));
    }
    slot.as_mut().map(|(_, prepared)| prepared).ok_or_else(|| anyhow::anyhow!("nothing was prepared"))
}
