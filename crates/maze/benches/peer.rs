//! Our searches against a peer program on the MovingAI scenarios: `cargo xtask bench maze --peer PROGRAM`.
//!
//! The peer is called as warthog-jps is: `PROGRAM --alg ALG --scen FILE --map FILE`, and prints a line of tab-separated
//! columns a query, the eighth its nanoseconds, the tenth its cost. Turns alternate; of every query the fastest round
//! counts, for both, because other work on the machine only ever adds. Our time, like the peer's, is that of the search
//! without building the path. Maps with too many subgoals for a table
//! are measured without `subgoal`. With valgrind installed, instructions are counted too: of whole runs over a sample of
//! the queries, less a run of one query, so that reading the map cancels out (what remains includes both programs'
//! reading of the queries, and the peer's printing of its table).

#![allow(clippy::print_stdout, missing_docs, reason = "a program for people")]

mod movingai;

use game::StopFlag;
use maze::format::{read, read_scenarios};
use maze::{Algorithm, Cell, Grid, MAX_SUBGOALS, Neighbours, Query, Solver, SubgoalTable};
use movingai::Scenarios;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Instant;

/// Warthog's algorithms: online, then with tables made once per map.
const PEER: [&str; 4] = ["jps", "jpsP", "jps+", "jpsP+"];
const OURS: [Algorithm; 4] = [Algorithm::Jps, Algorithm::JpsPlus, Algorithm::Alt, Algorithm::Subgoal];
/// Ours online, and best of ours with tables, against the best of the peer: geometric mean and worst map.
const ONLINE: (f64, f64) = (1.3, 1.0);
const PREPARED: (f64, f64) = (3.0, 1.5);
/// Queries of a map that instructions are counted for.
const SAMPLE: usize = 60;

struct Args {
    peer: Option<PathBuf>,
    only: Option<String>,
    rounds: usize,
    instructions: bool,
}

fn main() {
    let mut args = Args { peer: None, only: None, rounds: 5, instructions: true };
    let mut given = std::env::args().skip(1);
    while let Some(arg) = given.next() {
        let mut value = || given.next().unwrap_or_else(|| panic!("{arg} needs a value"));
        match arg.as_str() {
            "--peer" => args.peer = Some(value().into()),
            "--map" => args.only = Some(value()),
            "--rounds" => args.rounds = value().parse().expect("--rounds is a number"),
            "--no-instructions" => args.instructions = false,
            // One run for the instruction counter.
            "--run" => {
                let (algorithm, file) = (value(), value());
                run_once(algorithm.parse().expect("an algorithm"), Path::new(&file));
                return;
            }
            "--bench" => {}
            other => panic!("{other}: accepted: --peer PROGRAM, --map NAME, --rounds N, --no-instructions"),
        }
    }
    let Some(peer) = &args.peer else {
        println!("no --peer PROGRAM given: warthog-jps was not compared");
        return;
    };
    if !compare(peer, &args) {
        std::process::exit(1);
    }
}

struct Map {
    name: String,
    file: PathBuf,
    grid: Grid,
    queries: Vec<(Cell, Cell, f64)>,
    table: Option<Arc<SubgoalTable>>,
}

fn compare(peer: &Path, args: &Args) -> bool {
    let (mut online, mut prepared) = (Vec::new(), Vec::new());
    println!("microseconds per query, best of {} rounds; kI thousand instructions per query", args.rounds);
    for Scenarios { name, file } in movingai::scenarios() {
        if args.only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let text = file.display().to_string();
        let bytes =
            |path: &Path| std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let grid = read(&text, &bytes(&file.with_extension(""))).expect("a map").grid;
        let list = read_scenarios(&text, &bytes(&file)).expect("scenarios").list;
        let queries = list.iter().map(|scenario| (scenario.from, scenario.to, scenario.optimum)).collect();
        let table = make_table(&name, &grid);
        let map = Map { name, file, grid, queries, table };
        let (ours, theirs) = measure(peer, &map, args.rounds);
        let best = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
        let (on, off) = (best(&theirs[..2]) / ours[0], best(&theirs) / best(&ours));
        print!("{:16}", map.name);
        OURS.iter().zip(&ours).for_each(|(algorithm, time)| print!(" {algorithm} {time:9.2}"));
        print!("  peer");
        PEER.iter().zip(&theirs).for_each(|(algorithm, time)| print!(" {algorithm} {time:9.2}"));
        println!("  online {on:.2}  prepared {off:.2}");
        if args.instructions {
            count_instructions(peer, &map);
        }
        online.push(on);
        prepared.push(off);
    }
    let met = |what: &str, ratios: &[f64], (mean, worst): (f64, f64)| {
        let logs: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        let geometric = (logs / ratios.len() as f64).exp();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let met = geometric >= mean && least >= worst;
        let word = if met { "met" } else { "MISSED" };
        println!(
            "{what}: geometric mean {geometric:.2} (at least {mean}), worst {least:.2} (at least {worst}): {word}"
        );
        met
    };
    // Both lines are printed, whichever fails.
    let online = met("online", &online, ONLINE);
    met("with preparation", &prepared, PREPARED) && online
}

/// Microseconds per query of each of ours and each of the peer's.
fn measure(peer: &Path, map: &Map, rounds: usize) -> (Vec<f64>, Vec<f64>) {
    let mut ours = vec![vec![f64::INFINITY; map.queries.len()]; OURS.len()];
    let mut theirs = vec![vec![f64::INFINITY; map.queries.len()]; PEER.len()];
    let mut solvers: Vec<_> = OURS.iter().map(|&algorithm| solver(map, algorithm)).collect();
    for _ in 0..rounds {
        for ((best, solver), algorithm) in ours.iter_mut().zip(&mut solvers).zip(OURS) {
            let Some(solver) = solver else { continue };
            for (best, &(from, to, optimum)) in best.iter_mut().zip(&map.queries) {
                let query = Query::new(from, to).by(algorithm).with_neighbours(Neighbours::Eight);
                let started = Instant::now();
                let searched = solver.search(&query).expect("free ends");
                *best = best.min(started.elapsed().as_nanos() as f64);
                let cost = searched.cost().unwrap_or(f64::INFINITY);
                assert!(
                    (cost - optimum).abs() < 0.01,
                    "{} {algorithm} {from} {to}: {cost} {optimum}",
                    map.name
                );
            }
        }
        for (best, algorithm) in theirs.iter_mut().zip(PEER) {
            for (best, nanos) in best.iter_mut().zip(peer_times(peer, map, algorithm)) {
                *best = best.min(nanos);
            }
        }
    }
    let mean = |times: Vec<f64>| times.iter().sum::<f64>() / times.len() as f64 / 1e3;
    (ours.into_iter().map(mean).collect(), theirs.into_iter().map(mean).collect())
}

/// A solver that has prepared what the algorithm needs; none for a table that is not there.
fn solver(map: &Map, algorithm: Algorithm) -> Option<Solver<'_>> {
    let mut solver = Solver::new(&map.grid);
    if let Some(table) = &map.table {
        solver = solver.with_table(table.clone());
    }
    solver.prepare(algorithm, Neighbours::Eight).ok()?;
    Some(solver)
}

/// Makes the table of a map, and says what that took.
fn make_table(name: &str, grid: &Grid) -> Option<Arc<SubgoalTable>> {
    if SubgoalTable::count(grid) > MAX_SUBGOALS {
        return None;
    }
    let threads = available_parallelism().expect("the number of cores");
    let started = Instant::now();
    let table = SubgoalTable::build(grid, threads, &StopFlag::new(), &|_| {}).expect("a table");
    println!(
        "{name:16} table of {} subgoals made in {:.2} s on {threads} threads: {:.1} MB",
        table.subgoals(),
        started.elapsed().as_secs_f64(),
        table.bytes() as f64 / 1e6
    );
    Some(Arc::new(table))
}

fn peer_times(peer: &Path, map: &Map, algorithm: &str) -> Vec<f64> {
    let output = peer_command(peer, algorithm, &map.file, &map.file).output();
    let output = output.unwrap_or_else(|error| panic!("cannot run {}: {error}", peer.display()));
    let text = String::from_utf8_lossy(&output.stdout);
    let column = |line: &str| line.split('\t').nth(7).and_then(|nanos| nanos.parse().ok());
    let times: Vec<f64> = text.lines().skip(1).filter_map(column).collect();
    assert_eq!(times.len(), map.queries.len(), "{} answers every query of {}", peer.display(), map.name);
    times
}

fn peer_command(peer: &Path, algorithm: &str, queries: &Path, map: &Path) -> Command {
    let mut command = Command::new(peer);
    command.args(["--alg", algorithm, "--scen"]).arg(queries).arg("--map").arg(map.with_extension(""));
    command
}

/// Prints the instructions per query of every algorithm.
fn count_instructions(peer: &Path, map: &Map) {
    let folder = std::env::temp_dir().join(format!("tengen-peer-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let text = std::fs::read_to_string(&map.file).expect("scenarios");
    let (head, lines) = text.split_once('\n').expect("a version line");
    let lines: Vec<&str> = lines.lines().filter(|line| !line.trim().is_empty()).collect();
    let sample = |count: usize| {
        let file = folder.join(format!("{count}.map.scen"));
        let picked = (0..count).map(|i| lines[(2 * i + 1) * lines.len() / (2 * count)]);
        let text = [head].into_iter().chain(picked).collect::<Vec<_>>().join("\n") + "\n";
        std::fs::write(&file, text).expect("a temporary file");
        file
    };
    let count = SAMPLE.min(lines.len());
    let (many, one) = (sample(count), sample(1));
    let own = std::env::current_exe().expect("this program");
    let count_of = |command: &dyn Fn(&Path) -> Command| {
        let (many, one) = (instructions(command(&many))?, instructions(command(&one))?);
        Some((many - one) as f64 / (count - 1).max(1) as f64 / 1e3)
    };
    print!("{:16}", "  kI per query");
    let map_file = map.file.with_extension("");
    let own_run = |algorithm: &str, queries: &Path| {
        let mut command = Command::new(&own);
        command.args(["--run", algorithm]).arg(queries).env("TENGEN_PEER_MAP", &map_file);
        command
    };
    for algorithm in OURS.into_iter().filter(|&algorithm| solver(map, algorithm).is_some()) {
        let found = count_of(&|queries| own_run(algorithm.name(), queries));
        print!(" {algorithm} {}", shown(found));
    }
    print!("  peer");
    for algorithm in PEER {
        let found = count_of(&|queries| peer_command(peer, algorithm, queries, &map.file));
        print!(" {algorithm} {}", shown(found));
    }
    println!();
    std::fs::remove_dir_all(&folder).expect("the temporary folder can be removed");
}

fn shown(count: Option<f64>) -> String {
    count.map_or("  no valgrind".to_owned(), |count| format!("{count:9.1}"))
}

/// Instructions of a whole run, by callgrind.
fn instructions(command: Command) -> Option<u64> {
    let mut counter = Command::new("valgrind");
    counter.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    counter.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        counter.env(name, value.unwrap_or_default());
    }
    let output = counter.stdout(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let (_, count) = text.split_once("Collected :")?;
    count.split_whitespace().next()?.parse().ok()
}

/// Answers every query of a file once and prints nothing.
fn run_once(algorithm: Algorithm, queries: &Path) {
    let map = std::env::var_os("TENGEN_PEER_MAP").expect("TENGEN_PEER_MAP names the map");
    let grid = read("map", &std::fs::read(map).expect("the map")).expect("a map").grid;
    let list =
        read_scenarios("queries", &std::fs::read(queries).expect("the queries")).expect("scenarios").list;
    let mut solver = Solver::new(&grid);
    // Made in any case, and by one thread: what it takes cancels out against the run of one query.
    if algorithm == Algorithm::Subgoal {
        let table = SubgoalTable::build(&grid, NonZero::<usize>::MIN, &StopFlag::new(), &|_| {});
        solver = solver.with_table(Arc::new(table.expect("a table")));
    }
    solver.prepare(algorithm, Neighbours::Eight).expect("a table");
    for scenario in list {
        let query = Query::new(scenario.from, scenario.to).by(algorithm).with_neighbours(Neighbours::Eight);
        std::hint::black_box(solver.search(&query).expect("free ends").cost());
    }
}
