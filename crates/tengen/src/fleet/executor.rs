//! What a worker does with a unit, by its kind.

use super::pieces::{PieceExecutor, Piecework};
use super::{games, lines};
use crate::cmd::{book, puzzle, train};
use anyhow::Context;
use arena::roster::Roster;
use fleet::executor::{Executor, Failed, MakeExecutor, Work};
use fleet::work::UnitResult;
use game::StopFlag;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// Computes the units of one job.
pub(super) trait JobExecutor: Send {
    fn execute(&mut self, spec: &Value, stop: &StopFlag) -> anyhow::Result<UnitResult>;
}

/// Executors for the slots of a worker with these third-party engines and this speed (nodes per second of the bench).
pub(crate) fn make_executor(roster: Roster, speed: f64) -> MakeExecutor {
    Arc::new(move |_slot| {
        Box::new(Units { roster: roster.clone(), speed, prepared: HashMap::new() }) as Box<dyn Executor>
    })
}

struct Units {
    roster: Roster,
    speed: f64,
    /// What was prepared for the last job of each kind.
    prepared: HashMap<&'static str, (String, Box<dyn JobExecutor>)>,
}

type Prepare = fn(&Units, &Work) -> anyhow::Result<Box<dyn JobExecutor>>;

/// All kinds of units.
const KINDS: [(&str, Prepare); 8] = [
    (games::KIND, |units, work| {
        Ok(Box::new(games::GamesExecutor::new(work.job, &units.roster, units.speed)?))
    }),
    (lines::KIND, |_, work| Ok(Box::new(lines::LinesExecutor::new(work.job)?))),
    pieces::<puzzle::GomokuPuzzles>(),
    pieces::<puzzle::HexPuzzles>(),
    pieces::<book::GomokuBook>(),
    pieces::<book::HexBook>(),
    pieces::<train::GomokuGames>(),
    pieces::<train::HexGames>(),
];

const fn pieces<P: Piecework>() -> (&'static str, Prepare) {
    (P::KIND, |_, work| Ok(Box::new(PieceExecutor::<P>::new(work)?)))
}

impl Units {
    /// What was made for this job before, or makes it now.
    fn prepared(&mut self, work: &Work) -> anyhow::Result<&mut Box<dyn JobExecutor>> {
        let Some((kind, prepare)) = KINDS.into_iter().find(|(kind, _)| *kind == work.kind) else {
            anyhow::bail!("this version knows no units of kind '{}'", work.kind)
        };
        if self.prepared.get(kind).is_none_or(|(job, _)| job != work.job_id) {
            // The old one first: its tables may be large.
            self.prepared.remove(kind);
            let fresh = prepare(self, work)?;
            self.prepared.insert(kind, (work.job_id.to_string(), fresh));
        }
        self.prepared.get_mut(kind).map(|(_, prepared)| prepared).context("nothing was prepared")
    }
}

impl Executor for Units {
    fn execute(&mut self, work: &Work, stop: &StopFlag) -> Result<UnitResult, Failed> {
        let done = self.prepared(work).and_then(|prepared| prepared.execute(work.spec, stop));
        match done {
            _ if stop.is_stopped() => Err(Failed::Stopped),
            Ok(result) => Ok(result),
            Err(error) => Err(Failed::Because(format!("{error:#}"))),
        }
    }
}
