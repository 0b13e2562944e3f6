//! `classic-uct`: Monte Carlo tree search by UCB1 (Kocsis and Szepesvari 2006). With several threads each grows a tree of
//! its own, and their root visits are added up.

use super::flat::{describe_choice, playouts_option};
use super::level::Weakness;
use super::request::{ClassicEngine, ClassicSearch};
use super::simulation::Simulation;
use crate::by_width;
use crate::request::EngineRequest;
use game::{Decision, EngineError, EngineInfo, Options, Report};
use search::Rng;
use search::adversarial::{MonteCarloOutcome, UctOptions, uct};
use search::rng::mix;
use search::stop::every;

/// Playouts without any limit: as many as the flat search makes.
const PLAYOUTS: u64 = 400_000;

/// C of UCB1: the theoretical value for results in 0..1.
const C: f64 = std::f64::consts::SQRT_2;

/// Bytes of a tree node, for the memory limit.
const NODE_BYTES: usize = 48;

const OPTIONS: &[(&str, &str)] = &[
    ("c", "the constant C of UCB1 (1.4142)"),
    ("playouts", "random games per move at most (400000; no limit if time is limited)"),
];

pub(super) const INFO: EngineInfo = EngineInfo {
    name: "classic-uct",
    about: "Monte Carlo tree search by UCB1, w/n + C sqrt(ln N / n)",
    options: OPTIONS,
    make: |options: &Options| {
        options.check(OPTIONS)?;
        let c: f64 = options.parse("c", C)?;
        if !c.is_finite() || c < 0.0 {
            let problem = "accepted: a number from 0".to_string();
            return Err(EngineError::Option { key: "c".into(), value: c.to_string(), problem });
        }
        Ok(Box::new(ClassicEngine(Uct { c, playouts: playouts_option(options)? })))
    },
};

struct Uct {
    c: f64,
    /// The option, if it is set.
    playouts: Option<u64>,
}

impl ClassicSearch for Uct {
    const NAME: &'static str = INFO.name;

    fn search(&self, request: &EngineRequest, report: &mut dyn FnMut(&Report)) -> Decision {
        let weakness = Weakness::of(request.limits.level);
        let default = if request.is_timed() { u64::MAX } else { PLAYOUTS };
        let playouts = request.limits.nodes.or(self.playouts).unwrap_or(default);
        let playouts = playouts.min(self.playouts.unwrap_or(u64::MAX)).min(weakness.playouts).max(1);
        let size = request.position.size();
        let outcome = by_width!(size, W => search::<W>(request, playouts, self.c));
        let rows: Vec<_> =
            outcome.root.iter().map(|row| (row.rate(outcome.max_to_move), row.visits)).collect();
        let best = outcome.root.iter().position(|row| Some(row.mv) == outcome.best).unwrap_or(0);
        let chosen = weakness.choose(best, &rows, &mut Rng::stream(request.limits.seed, u64::MAX));
        let answer = describe_choice(request, &outcome, Some(chosen));
        report(&answer);
        let mv = outcome.root.get(chosen).map_or(request.cells[0], |row| row.mv);
        Decision { mv: request.mv(mv), report: answer }
    }
}

fn search<const W: usize>(request: &EngineRequest, playouts: u64, c: f64) -> MonteCarloOutcome<usize> {
    let threads = (request.limits.threads.max(1) as u64).min(playouts);
    let bytes = request.limits.memory_mb.max(1) << 20;
    let max_nodes = bytes / NODE_BYTES / threads as usize;
    let run = |worker: u64| {
        let mut game = Simulation::<W>::new(request.position, request.cells.clone());
        let options = UctOptions {
            playouts: playouts / threads + u64::from(worker < playouts % threads),
            exploration: c,
            max_nodes,
            seed: mix(request.limits.seed.wrapping_add(worker << 32).wrapping_add(1)),
        };
        uct(&mut game, &options, every(32, || request.may_continue()), &mut ())
    };
    let mut outcome = std::thread::scope(|scope| {
        let run = &run;
        let others: Vec<_> = (1..threads).map(|worker| scope.spawn(move || run(worker))).collect();
        let mut outcome = run(0);
        for part in others.into_iter().filter_map(|worker| worker.join().ok()) {
            outcome.merge(&part);
        }
        outcome
    });
    // Merging chooses by win rate; a tree search chooses by visits, the first of equals.
    let most = outcome.root.iter().rev().max_by_key(|row| row.visits);
    outcome.best = most.map(|row| row.mv);
    outcome
}
