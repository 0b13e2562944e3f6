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
    if let [maze, options @ ..] = names
        && maze == "maze"
        && options.iter().any(|option| option == "--peer")
    {
        return shell::run(cargo().args(MAZE_PEER).args(options));
    }
    for name in names {
        let Some((_, _, args)) = BENCHES.iter().find(|(known, _, _)| known == name) else {
            let known: Vec<_> = BENCHES.iter().map(|(known, _, _)| *known).collect();
            bail!("unknown benchmark '{name}'; accepted: {}", known.join(", "));
        };
        shell::run(cargo().args(*args))?;
        if name == "wasm" {
            web::compare_engine()?;
        }
    }
    Ok(())
}
