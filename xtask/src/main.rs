//! Chores: `cargo xtask run`, `cargo xtask test`, `cargo xtask bench`.
//!
//! Both main commands set up whatever they need first, so that a fresh machine with Rust needs nothing else.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to the person who started it")]

mod bench;
mod cluster;
mod course;
mod dist;
mod engine;
mod fleet_figures;
mod fleet_storm;
mod fuzz;
mod guide;
mod load;
mod nats;
mod network;
mod platforms;
mod postgres;
mod proxy;
mod python;
mod run;
mod setup;
mod shell;
mod site;
mod site_storm;
mod soak;
mod storm;
mod supply;
mod temp_folder;
mod test;
mod web;

use std::process::ExitCode;

const HELP: &str = "\
usage: cargo xtask COMMAND

  run [ARGS…]     set up, build and start Tengen (the web app, unless ARGS for `tengen` say otherwise)
  test [STEP…]    set up and run all checks; STEP picks some: fmt web clippy platforms supply test
                  kernels fuzz doctest examples docs bench python pages (in CI browser instead); only in CI or
                  when named: oldest-rust; only when named: browser
  wheel           build the Python package into target/wheels; check its size, that it installs and plays, its speed
  bench [WHAT… | WHAT OPTIONS]
                  measurements against peers; without WHAT, lists them; maze --peer PROGRAM [--map NAME]
                  [--rounds N] [--limit SECONDS] [--no-instructions] alternates with warthog-jps
  dist [--target TARGET…] [--check]
                  everything that a release consists of, in dist/; --check tests the Debian package in a clean root
  fuzz [TARGET…] [--minutes N]
                  coverage-guided fuzzing of every parser and protocol, ten minutes each
  guide [--update]
                  build the guide into web/dist/guide; --update first draws its pictures again, runs its commands
                  and writes what they print into the pages
  load [ARGS…]    games over WebSockets on a server of this machine: --games 2000 --seconds 60 --every 2,
                  or --kills 100 to kill it under load and look for lost moves, --abuse, --waiting 8000
  site --out DIR [--base /path/]
                  the app without a server, for any host of static files
  soak [--minutes N]
                  load, abuse, kills and hostile engines together for an hour or N minutes
  course [--programs N] [--kills N] [--time-ms N] [--size N] [--concurrency N] [--debug]
                  a course of 60 programs in five languages, two games per pair at 50 ms per move, killed ten times and
                  resumed, then undisturbed from the same seed: no game may be lost, both tables must be the same
  cluster [--built FOLDER]
                  PostgreSQL, NATS, three servers behind a small proxy and two workers on this machine, until Enter
  site-storm [--games N] [--every S] [--seconds S] [--kills N] [--broker N] [--database N] [--cuts N]
             [--cut-seconds S] [--freezes N] [--upgrades N] [--previous PROGRAM] [--built FOLDER] [--debug]
                  three servers of one site under load: kills servers, broker and database, cuts one of them off from
                  the others (needs root), freezes servers, replaces all of them (at first those of another version),
                  and looks for moves that were lost or doubled; without any of these it measures the acknowledgement
  fleet-storm [--units N] [--unit-ms N] [--workers N] [--kills N] [--cuts N] [--cut-seconds N] [--liar]
                  kills workers, broker, coordinator and database under a run of the fleet, cuts half of the workers off
                  (needs root), and looks for units that were lost or counted twice; --liar adds a worker that falsifies
  fleet-figures [--games N]
                  a match on two workers of this machine against the same with --concurrency 2: games per second,
                  time to the first result, and whether the tables are the same
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let done = match args.first().map(String::as_str) {
        Some("run") => run::run(rest),
        Some("test") => test::run(rest),
        Some("wheel") => python::wheel(),
        Some("bench") => bench::run(rest),
        Some("dist") => dist::run(rest),
        Some("fuzz") => fuzz::run(rest),
        Some("guide") => guide::run(rest),
        Some("load") => load::run(rest),
        Some("site") => site::run(rest),
        Some("soak") => soak::run(rest),
        Some("course") => course::run(rest),
        Some("cluster") => cluster::run(rest),
        Some("site-storm") => site_storm::run(rest),
        // For `site-storm`: at the other end of a cable.
        Some("relay") => site_storm::relay(rest),
        Some("fleet-storm") => fleet_storm::run(rest),
        Some("fleet-figures") => fleet_figures::run(rest),
        Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(())
        }
        other => {
            match other {
                Some(word) => eprintln!("xtask: unknown command '{word}'\n"),
                None => eprintln!("xtask: a command is needed\n"),
            }
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
