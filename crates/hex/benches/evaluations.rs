//! Visits per second of the main engine with each kernel of the network, side by side:
//! `cargo bench -p tengen-hex --bench evaluations [-- --rounds N --visits N --size N --require RATIO]`.
//!
//! One thread. Turns alternate; of each kernel the fastest round counts, in CPU time, because other work on the machine only
//! ever adds. With `--require` the program fails unless the fastest kernel makes that many times the visits of AVX2.

#![allow(clippy::print_stdout, missing_docs, reason = "a program for people")]

use game::{Engine, Game, Limits, Options, RootMove, Setup, Watch};
use hex::HEX;
use hex::engine::{Tengen, network::Kernel};
use rustix::time::{ClockId, clock_gettime};

/// After these moves the searches start: an opening and a middle game.
const STARTS: [&str; 2] = ["b4f6", "c2f6e7g4d9h8i3c8"];
/// The kernel that the others are compared with.
const BASELINE: &str = "AVX2";

struct Args {
    rounds: usize,
    visits: u64,
    size: u8,
    require: Option<f64>,
}

fn main() {
    let mut args = Args { rounds: 5, visits: 1_500, size: 11, require: None };
    let mut given = std::env::args().skip(1);
    while let Some(arg) = given.next() {
        let mut value = || given.next().unwrap_or_else(|| panic!("{arg} needs a value"));
        match arg.as_str() {
            "--rounds" => args.rounds = value().parse().expect("--rounds is a number"),
            "--visits" => args.visits = value().parse().expect("--visits is a number"),
            "--size" => args.size = value().parse().expect("--size is a number"),
            "--require" => args.require = Some(value().parse().expect("--require is a number")),
            "--bench" => {}
            other => panic!("{other}: accepted: --rounds N, --visits N, --size N, --require RATIO"),
        }
    }
    let mut kernels = Vec::new();
    for (name, kernel) in Kernel::list() {
        match kernel {
            // A hundred times as slow as the others.
            Some(_) if name == "plain" => {}
            Some(_) => kernels.push((name, f64::INFINITY)),
            None => println!("{name}: this processor does not have it"),
        }
    }
    let mut expected = None;
    for _ in 0..args.rounds.max(1) {
        for (name, least) in &mut kernels {
            let (seconds, roots) = search(name, &args);
            *least = least.min(seconds);
            assert_eq!(expected.get_or_insert_with(|| roots.clone()), &roots, "{name} searches otherwise");
        }
    }
    let all = args.visits as f64 * STARTS.len() as f64;
    let baseline = kernels.iter().find(|kernel| kernel.0 == BASELINE).map(|kernel| kernel.1);
    let ratio = |least: f64| baseline.map(|baseline| baseline / least);
    for &(name, least) in &kernels {
        let times = ratio(least).map_or(String::new(), |ratio| format!(", {ratio:.2} times {BASELINE}"));
        println!("{name}: {:.0} visits per second, {:.1} us each{times}", all / least, 1e6 * least / all);
    }
    if let Some(require) = args.require {
        let reached = kernels.first().and_then(|kernel| ratio(kernel.1));
        if !reached.is_some_and(|reached| reached >= require) {
            println!("required: {require} times {BASELINE}; reached: {reached:?}");
            std::process::exit(1);
        }
    }
}

/// CPU seconds of the searches with a kernel, and what they found.
fn search(kernel: &str, args: &Args) -> (f64, Vec<Vec<RootMove>>) {
    let mut options = Options::new();
    options.set("kernel", Kernel::identifier(kernel));
    let mut engine = Tengen::new(&options).expect("the kernel is listed");
    let mut seconds = 0.0;
    let roots = STARTS.map(|moves| {
        let setup = Setup::empty(args.size, args.size);
        let position = HEX.parse(moves, &setup).expect("the board has at least 9 rows");
        engine.new_game();
        let before = cpu_seconds();
        let decision = engine.think(&*position, &Limits::nodes(args.visits), &Watch::default(), &mut |_| {});
        seconds += cpu_seconds() - before;
        decision.expect("the game is not over").report.root
    });
    (seconds, roots.into())
}

/// CPU time of this thread.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
