//! The classic engines on level 16, whose figures are published: first search of a fresh engine, and the best of many.

#![allow(missing_docs, clippy::print_stdout)]

use ::game::{Game, Limits, Options, Setup, Watch};
use gomoku::GOMOKU;
use std::time::Instant;

const LEVEL_16: &str = "\
...............
...............
...............
...............
......OX.O.....
......O........
....OX..X.OX...
.......XO.X....
...............
...............
...............
...............
...............
...............
...............
";

fn main() {
    let position = GOMOKU.parse(LEVEL_16, &Setup::empty(15, 15)).expect("a position");
    println!("{:<16} {:<28} {:>8} {:>10} {:>10}", "engine", "options", "nodes", "first ms", "best ms");
    type Run<'a> = (&'a str, &'a [(&'a str, &'a str)], u32);
    let runs: [Run<'_>; 4] = [
        ("classic-ac", &[], 5),
        ("classic-ac", &[("width", "all"), ("ordering", "off")], 4),
        ("classic-squares", &[], 2),
        ("classic-squares", &[("parallel", "on")], 2),
    ];
    for (name, pairs, depth) in runs {
        let info = GOMOKU.engines().iter().find(|info| info.name == name).expect("listed");
        let options: Options = pairs.iter().copied().collect();
        let mut times = Vec::new();
        let mut nodes = 0;
        for _ in 0..if depth == 5 { 200 } else { 5 } {
            let mut engine = (info.make)(&options).expect("good options");
            let started = Instant::now();
            let found = engine.think(&*position, &Limits::depth(depth), &Watch::default(), &mut |_| {});
            times.push(started.elapsed().as_secs_f64() * 1e3);
            nodes = found.expect("a move").report.nodes;
        }
        let best = times.iter().copied().fold(f64::MAX, f64::min);
        let options: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
        println!("{name:<16} {:<28} {nodes:>8} {:>10.3} {best:>10.3}", options.join(" "), times[0]);
    }
}
