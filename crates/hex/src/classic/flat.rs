//! `classic-flat`: flat Monte Carlo. The playouts are shared equally by all empty cells and all threads; the move with the
//! best win rate is played.

use super::level::Weakness;
use super::request::{ClassicEngine, ClassicSearch};
use super::simulation::Simulation;
use crate::by_width;
use crate::request::EngineRequest;
use game::{Decision, EngineError, EngineInfo, Line, Options, Report, RootMove};
use search::Rng;
use search::adversarial::{MonteCarloOutcome, flat_monte_carlo};
use search::stop::every;

/// Playouts by default; the number of the source document.
const PLAYOUTS: u64 = 400_000;

/// Reports per search.
const REPORTS: u64 = 8;

const OPTIONS: &[(&str, &str)] = &[("playouts", "random games per move at most (400000)")];

pub(super) const INFO: EngineInfo = EngineInfo {
    name: "classic-flat",
    about: "flat Monte Carlo: 400,000 random playouts shared by all empty cells",
    options: OPTIONS,
    make: |options: &Options| {
        options.check(OPTIONS)?;
        Ok(Box::new(ClassicEngine(Flat { playouts: playouts_option(options)? })))
    },
};

struct Flat {
    /// The option, if it is set.
    playouts: Option<u64>,
}

/// The option `playouts`: a limit on every move, whatever else limits it.
pub(super) fn playouts_option(options: &Options) -> Result<Option<u64>, EngineError> {
    options.get("playouts").map(|_| options.parse("playouts", PLAYOUTS)).transpose()
}

impl ClassicSearch for Flat {
    const NAME: &'static str = INFO.name;

    fn search(&self, request: &EngineRequest, report: &mut dyn FnMut(&Report)) -> Decision {
        let weakness = Weakness::of(request.limits.level);
        let playouts = request.limits.nodes.or(self.playouts).unwrap_or(PLAYOUTS);
        let playouts = playouts.min(self.playouts.unwrap_or(u64::MAX)).min(weakness.playouts).max(1);
        let size = request.position.size();
        let outcome = by_width!(size, W => search::<W>(request, playouts, report));
        let mut answer = describe(request, &outcome);
        let best = outcome.root.iter().position(|row| Some(row.mv) == outcome.best).unwrap_or(0);
        let rows: Vec<_> = answer.root.iter().map(|row| (row.win_rate, row.nodes)).collect();
        let chosen = weakness.choose(best, &rows, &mut Rng::stream(request.limits.seed, u64::MAX));
        let mv = answer.root.get(chosen).map_or(request.mv(request.cells[0]), |row| row.mv);
        if chosen != best {
            answer = describe_choice(request, &outcome, Some(chosen));
        }
        report(&answer);
        Decision { mv, report: answer }
    }
}

/// Rounds of playouts on all threads, with a report after each.
fn search<const W: usize>(
    request: &EngineRequest,
    playouts: u64,
    report: &mut dyn FnMut(&Report),
) -> MonteCarloOutcome<usize> {
    let moves = request.cells.len() as u64;
    let threads = request.limits.threads.max(1) as u64;
    let game = Simulation::<W>::new(request.position, request.cells.clone());
    let run = |playouts: u64, stream: u64| {
        let mut rng = Rng::stream(request.limits.seed, stream);
        let keep_going = every(64, || request.may_continue());
        flat_monte_carlo(&mut game.clone(), playouts, &mut rng, keep_going, &mut ())
    };
    let mut left = playouts / moves;
    if left == 0 {
        return run(playouts, 0);
    }
    let step = (left / REPORTS).max(threads);
    let mut total: Option<MonteCarloOutcome<usize>> = None;
    let mut stream = 0;
    while left > 0 && (total.is_none() || request.may_continue()) {
        let round = step.min(left);
        left -= round;
        let shares = (0..threads).map(|i| round / threads + u64::from(i < round % threads));
        let parts: Vec<_> = std::thread::scope(|scope| {
            let run = &run;
            let mut shares = shares.enumerate().map(|(at, share)| (share * moves, stream + at as u64));
            // The first share is this thread's: one thread needs no other, and a page has no other.
            let own = shares.next();
            let workers: Vec<_> =
                shares.map(|(playouts, stream)| scope.spawn(move || run(playouts, stream))).collect();
            let own = own.map(|(playouts, stream)| run(playouts, stream));
            own.into_iter().chain(workers.into_iter().filter_map(|worker| worker.join().ok())).collect()
        });
        stream += threads;
        for part in parts {
            match &mut total {
                Some(total) => total.merge(&part),
                None => total = Some(part),
            }
        }
        if let Some(total) = &total {
            report(&describe(request, total));
        }
    }
    total.unwrap_or_else(|| run(1, 0))
}

/// The report of a Monte Carlo search.
pub(super) fn describe(request: &EngineRequest, outcome: &MonteCarloOutcome<usize>) -> Report {
    let best = outcome.root.iter().position(|row| Some(row.mv) == outcome.best);
    describe_choice(request, outcome, best)
}

/// The report where another move than the best was chosen.
pub(super) fn describe_choice(
    request: &EngineRequest,
    outcome: &MonteCarloOutcome<usize>,
    chosen: Option<usize>,
) -> Report {
    let root: Vec<RootMove> = outcome
        .root
        .iter()
        .map(|row| {
            let rate = row.rate(outcome.max_to_move);
            RootMove {
                mv: request.mv(row.mv),
                score: rate,
                win_rate: rate,
                bound: game::Bound::Exact,
                nodes: row.visits,
            }
        })
        .collect();
    let (score, nodes) = chosen.and_then(|at| root.get(at)).map_or((0.5, 0), |row| (row.win_rate, row.nodes));
    let moves = chosen.and_then(|at| root.get(at)).map(|row| row.mv).into_iter().collect();
    let line = Line { moves, score, win_rate: score, mate: None, depth: 1, nodes };
    Report {
        depth: 1,
        selective_depth: 1,
        score,
        win_rate: score,
        nodes: outcome.playouts,
        elapsed: request.watch.elapsed(),
        lines: request.lines(line, &root),
        root,
        ..Report::default()
    }
}
