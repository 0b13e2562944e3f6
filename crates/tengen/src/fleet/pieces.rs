//! Work that falls into pieces: each is computed apart from the others and is the same on every machine. What is made of
//! them is up to the command that needs them.

use super::{Submission, new_run};
use anyhow::ensure;
use fleet::executor::Work;
use fleet::work::{Counted, Run, UnitResult};
use game::StopFlag;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;
use std::time::{Duration, Instant};

/// How long a unit should take, in seconds: long enough that handing it over costs nothing, short enough that little is
/// lost with a worker.
const UNIT_SECONDS: f64 = 4.0;
/// How much text a unit should give, far below what fits into a message.
const UNIT_BYTES: f64 = 200_000.0;
/// A unit that takes longer has hung.
const HUNG: u32 = 24 * 3600;
/// Units under way before anybody knows how many threads there are, and at least.
const FIRST: usize = 16;
/// Units under way for each thread of the workers.
const PER_THREAD: usize = 3;
/// How often the threads are counted.
const COUNT: Duration = Duration::from_secs(5);

/// What all pieces of a computation share; it goes to the workers as the job of a run. Files that it needs are named by
/// their SHA-256 in a field `files`.
pub(crate) trait Piecework: Serialize + DeserializeOwned + Send + 'static {
    /// The kind of its units.
    const KIND: &'static str;
    /// Most pieces of a unit.
    const MOST_PIECES: usize;
    /// Names a piece.
    type Piece: Serialize + DeserializeOwned + Clone + Eq + Hash;
    /// What comes of a piece.
    type Found: Serialize + DeserializeOwned + PartialEq;
    /// What a thread prepares once for all its pieces, such as an engine.
    type Tools: Send + 'static;

    /// Prepares.
    fn tools(&self, work: &Work) -> anyhow::Result<Self::Tools>;

    /// Computes a piece, whatever was computed before it. What it gives once `stop` is raised is thrown away.
    fn compute(
        &self,
        tools: &mut Self::Tools,
        piece: &Self::Piece,
        stop: &StopFlag,
    ) -> anyhow::Result<Self::Found>;
}

#[derive(Serialize, Deserialize)]
struct PieceSpec<T> {
    pieces: Vec<T>,
}

/// A worker's side.
pub(super) struct PieceExecutor<P: Piecework> {
    job: P,
    tools: P::Tools,
}

impl<P: Piecework> PieceExecutor<P> {
    pub(super) fn new(work: &Work) -> anyhow::Result<PieceExecutor<P>> {
        let job: P = serde_json::from_value(work.job.clone())?;
        let tools = job.tools(work)?;
        Ok(PieceExecutor { job, tools })
    }
}

impl<P: Piecework> super::executor::JobExecutor for PieceExecutor<P> {
    fn execute(&mut self, spec: &Value, stop: &StopFlag) -> anyhow::Result<UnitResult> {
        let spec: PieceSpec<P::Piece> = serde_json::from_value(spec.clone())?;
        let mut found = Vec::with_capacity(spec.pieces.len());
        for piece in spec.pieces.iter().take_while(|_| !stop.is_stopped()) {
            found.push(self.job.compute(&mut self.tools, piece, stop)?);
        }
        Ok(UnitResult { exact: serde_json::to_value(found)?, free: Value::Null })
    }
}

/// What a look at the results brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// Perhaps more pieces.
    More,
    /// Something that was found before was found to be wrong: whatever was made of it is to be made again.
    Replaced,
}

/// The submitter's side: a run that pieces are asked of.
pub(crate) struct PieceRun<P: Piecework> {
    submission: Submission,
    /// The pieces of each unit.
    units: BTreeMap<i64, Vec<P::Piece>>,
    asked: HashSet<P::Piece>,
    found: HashMap<P::Piece, P::Found>,
    /// Units that have not counted yet.
    open: usize,
    /// Mean seconds and bytes of a piece.
    cost: Option<(f64, f64)>,
    threads: usize,
    counted: Option<Instant>,
}

impl<P: Piecework> PieceRun<P> {
    /// Hands in a run, or finds it again with what was asked of it before.
    pub(crate) fn open(url: &str, title: String, job: &P) -> anyhow::Result<PieceRun<P>> {
        let run = new_run(P::KIND, title, true, HUNG);
        let mut submission = Submission::new(url, run, &serde_json::to_value(job)?)?;
        let known = std::mem::take(&mut submission.known);
        let mut units = BTreeMap::new();
        for (number, spec) in known {
            let spec: PieceSpec<P::Piece> = serde_json::from_value(spec)?;
            units.insert(number, spec.pieces);
        }
        let asked = units.values().flatten().cloned().collect();
        let open = units.len();
        Ok(PieceRun {
            submission,
            units,
            asked,
            found: HashMap::new(),
            open,
            cost: None,
            threads: 0,
            counted: None,
        })
    }

    /// What was found of a piece.
    pub(crate) fn found(&self, piece: &P::Piece) -> Option<&P::Found> {
        self.found.get(piece)
    }

    /// Everything that was found.
    pub(crate) fn into_found(self) -> HashMap<P::Piece, P::Found> {
        self.found
    }

    /// Pieces that keep all workers busy for a while.
    pub(crate) fn window(&self) -> usize {
        FIRST.max(PER_THREAD * self.threads) * self.unit_pieces()
    }

    /// Pieces that may be asked for now.
    fn room(&self) -> usize {
        FIRST.max(PER_THREAD * self.threads).saturating_sub(self.open) * self.unit_pieces()
    }

    fn unit_pieces(&self) -> usize {
        let most = |(seconds, bytes): (f64, f64)| {
            (UNIT_SECONDS / seconds.max(1e-4)).min(UNIT_BYTES / bytes.max(1.0)) as usize
        };
        self.cost.map_or(1, most).clamp(1, P::MOST_PIECES)
    }

    /// Asks for pieces that were not asked for, the first ones first, as many as there is room for.
    pub(crate) fn ask(&mut self, pieces: impl IntoIterator<Item = P::Piece>) -> anyhow::Result<()> {
        let mut new = Vec::new();
        let room = self.room();
        for piece in pieces {
            if new.len() == room {
                break;
            }
            if self.asked.insert(piece.clone()) {
                new.push(piece);
            }
        }
        let first = self.units.last_key_value().map_or(0, |(last, _)| last + 1);
        let mut units = Vec::new();
        for (number, pieces) in (first..).zip(new.chunks(self.unit_pieces())) {
            units.push((number, serde_json::to_value(PieceSpec { pieces: pieces.to_vec() })?));
            self.units.insert(number, pieces.to_vec());
        }
        self.open += units.len();
        if units.is_empty() { Ok(()) } else { self.submission.add(units) }
    }

    /// Waits a moment for results.
    pub(crate) fn look(&mut self) -> anyhow::Result<News> {
        Ok(self.next()?.1)
    }

    fn next(&mut self) -> anyhow::Result<(Run, News)> {
        if self.counted.is_none_or(|counted| counted.elapsed() > COUNT) {
            self.threads = self.submission.threads()?;
            self.counted = Some(Instant::now());
        }
        let (run, results) = self.submission.next()?;
        self.open = (run.units - run.done).max(0) as usize;
        let mut news = News::More;
        for Counted { number, seconds, result, .. } in results {
            let Some(pieces) = self.units.get(&number) else { continue };
            let bytes = result.exact.to_string().len();
            let found: Vec<P::Found> = serde_json::from_value(result.exact)?;
            ensure!(found.len() == pieces.len(), "unit {number} has not as many results as pieces");
            let each = 1.0 / pieces.len().max(1) as f64;
            let cost = (seconds * each, bytes as f64 * each);
            let mean = |old: f64, new: f64| 0.9 * old + 0.1 * new;
            self.cost = Some(self.cost.map_or(cost, |old| (mean(old.0, cost.0), mean(old.1, cost.1))));
            for (piece, found) in pieces.iter().zip(found) {
                if self.found.get(piece).is_some_and(|old| *old != found) {
                    news = News::Replaced;
                }
                self.found.insert(piece.clone(), found);
            }
        }
        Ok((run, news))
    }

    /// Waits until everything that was asked for is there and checked. [`News::Replaced`]: look at it again.
    pub(crate) fn settle(&mut self, stop: &StopFlag) -> anyhow::Result<News> {
        loop {
            let (run, news) = self.next()?;
            let settled = run.checks == 0 && run.done == run.units;
            if news == News::Replaced || settled || stop.is_stopped() {
                return Ok(news);
            }
        }
    }

    /// Ends the run, or leaves it for the same command to go on with.
    pub(crate) fn end(&self, stop: &StopFlag) -> anyhow::Result<()> {
        if stop.is_stopped() { self.submission.pause() } else { self.submission.end(false) }
    }
}

/// Takes the pieces 0, 1, 2, … in this order, below `most`, until `take` wants no more or `stop` is raised. Returns what
/// came of them, beginning with `begin`.
pub(crate) fn in_order<P: Piecework<Piece = u64>, S>(
    mut run: PieceRun<P>,
    most: u64,
    stop: &StopFlag,
    begin: impl Fn() -> S,
    mut take: impl FnMut(&mut S, u64, &P::Found) -> bool,
) -> anyhow::Result<S> {
    let (mut state, mut next, mut wants) = (begin(), 0, most > 0);
    loop {
        while wants && let Some(found) = run.found(&next) {
            wants = take(&mut state, next, found);
            next += 1;
            wants &= next < most;
        }
        if stop.is_stopped() {
            break;
        }
        let news = if wants {
            run.ask(next..most)?;
            run.look()?
        } else {
            run.settle(stop)?
        };
        match news {
            News::Replaced => (state, next, wants) = (begin(), 0, most > 0),
            News::More if wants => {}
            News::More => break,
        }
    }
    run.end(stop)?;
    Ok(state)
}

/// Has all these pieces computed; `None` if `stop` is raised. `tell` hears how many are there.
pub(crate) fn all<P: Piecework>(
    mut run: PieceRun<P>,
    pieces: &[P::Piece],
    stop: &StopFlag,
    tell: &mut dyn FnMut(usize),
) -> anyhow::Result<Option<HashMap<P::Piece, P::Found>>> {
    let mut there = 0;
    while there < pieces.len() && !stop.is_stopped() {
        run.ask(pieces.iter().cloned())?;
        run.look()?;
        there = pieces.iter().filter(|piece| run.found(piece).is_some()).count();
        tell(there);
    }
    while !stop.is_stopped() && run.settle(stop)? == News::Replaced {}
    run.end(stop)?;
    Ok((!stop.is_stopped()).then(|| run.into_found()))
}
