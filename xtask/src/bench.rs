//! `cargo xtask bench`: measurements side by side with peers, too long for tests.

use crate::shell::{self, cargo};
use crate::web;
use anyhow::bail;

/// Name, what it measures, the cargo arguments that measure it.
const BENCHES: &[(&str, &str, &[&str])] = &[
    (
        "arena",
        "games a minute, cost of a child process, 1,000 hostile games, 100 kills and resumes",
        &["run", "--release", "--package", "tengen-arena", "--example", "storm", "--", "all"],
    ),
    (
        "maze",
        "path search against the pathfinding crate; with --peer PROGRAM against warthog-jps",
        &["bench", "--package", "tengen-maze", "--bench", "ratios"],
    ),
    (
        "any-angle",
        "any-angle search against A* with eight neighbours on the MovingAI maps",
        &["bench", "--package", "tengen-maze", "--bench", "any_angle"],
    ),
    (
        "first-moves",
        "first-move tables of the MovingAI maps: preparation, size, time of one move and of a path",
        &["bench", "--package", "tengen-maze", "--bench", "first_moves"],
    ),
    (
        "wasm",
        "the engines in the page, in Chromium, against the native program: every puzzle and level, and their speed",
        &["build", "--release", "--package", "tengen"],
    ),
];

/// Our path search and a peer program in turns, with instruction counts; fails where a figure is missed.
const MAZE_PEER: &[&str] = &["bench", "--package", "tengen-maze", "--bench", "peer", "--"];

pub(crate) fn run(names: &[String]) -> anyhow::Result<()> {
    if names.is_empty() {
        for (name, about, _) in BENCHES {
            println!("  {name:<11} {about}");
        }
        return Ok(());
    }
    // Options follow the name of one benchmark, and are its own.
    let first = names.iter().position(|name| name.starts_with("--")).unwrap_or(names.len());
    let (names, options) = names.split_at(first);
    if let [maze] = names
        && maze == "maze"
        && options.iter().any(|option| option == "--peer")
    {
        return shell::run(cargo().args(MAZE_PEER).args(options));
    }
    if !options.is_empty() && names.len() != 1 {
        bail!("options are for one benchmark: cargo xtask bench NAME {}", options.join(" "));
    }
    for name in names {
        let Some((_, _, args)) = BENCHES.iter().find(|(known, _, _)| known == name) else {
            let known: Vec<_> = BENCHES.iter().map(|(known, _, _)| *known).collect();
            bail!("unknown benchmark '{name}'; accepted: {}", known.join(", "));
        };
        let mut command = cargo();
        command.args(*args);
        if !options.is_empty() {
            let divider = (!args.contains(&"--")).then_some("--");
            command.args(divider).args(options);
        }
        shell::run(&mut command)?;
        if name == "wasm" {
            web::compare_engine()?;
        }
    }
    Ok(())
}
