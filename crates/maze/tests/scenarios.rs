//! Public MovingAI scenarios: the cost of every fast algorithm is the optimum that the file states, and no any-angle path
//! is longer.

use maze::format::{read, read_scenarios};
use maze::{Algorithm, Neighbours, Outcome, Query, QueryError, Solver};

/// One query of this many is asked: all of them take minutes without optimisation.
const EVERY: usize = 97;

#[test]
fn costs_are_the_optima_of_the_scenario_files() {
    let Some(folder) = game::testing::shared_data("movingai") else { return };
    let (mut files, mut tables) = (0, 0);
    for kind in
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        for file in std::fs::read_dir(kind).unwrap().map(|entry| entry.unwrap().path()) {
            if file.extension().is_some_and(|ending| ending == "scen") && file.with_extension("").is_file() {
                tables += usize::from(check(&file));
                files += 1;
            }
        }
    }
    assert!(files > 0, "no map with its scenarios");
    assert!(tables > 0, "no map is small enough for a subgoal table made at once");
}

const ALGORITHMS: [Algorithm; 6] = [
    Algorithm::AStar,
    Algorithm::Jps,
    Algorithm::JpsPlus,
    Algorithm::Alt,
    Algorithm::Subgoal,
    Algorithm::AnyAngle,
];

/// Was `subgoal` among the algorithms asked? Maps with many subgoals need a table made beforehand.
fn check(file: &std::path::Path) -> bool {
    let name = file.display().to_string();
    let map = file.with_extension("");
    let grid = read(&name, &std::fs::read(map).unwrap()).unwrap().grid;
    let scenarios = read_scenarios(&name, &std::fs::read(file).unwrap()).unwrap().list;
    let mut solver = Solver::new(&grid);
    let mut with_table = false;
    for algorithm in ALGORITHMS {
        match solver.prepare(algorithm, Neighbours::Eight) {
            Ok(()) => with_table |= algorithm == Algorithm::Subgoal,
            Err(QueryError::NotPrepared { algorithm: Algorithm::Subgoal }) => continue,
            Err(error) => panic!("{name} {algorithm}: {error}"),
        }
        for scenario in scenarios.iter().step_by(EVERY) {
            let query =
                Query::new(scenario.from, scenario.to).by(algorithm).with_neighbours(Neighbours::Eight);
            let answer = solver.solve(&query).unwrap();
            let Outcome::Found(path) = &answer.outcome else { panic!("{name}:{}: no path", scenario.line) };
            let more = path.cost - scenario.optimum;
            let error = if algorithm.is_any_angle() { more } else { more.abs() };
            assert!(error <= 1e-4 + scenario.rounding, "{name}:{} {algorithm}: {}", scenario.line, path.cost);
        }
    }
    with_table
}
