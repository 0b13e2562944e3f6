//! Libraries read no clock of their own: time comes from the `Watch` or the `Moment` they are given.

use std::path::{Path, PathBuf};

/// The libraries that do no I/O (ARCHITECTURE.md, "Invariants").
const LIBRARIES: [&str; 8] = ["api", "game", "gomoku", "hex", "maze", "nn", "play", "search"];
/// What starts or reads a clock.
const CLOCKS: [&str; 3] = ["::now", "Watch::start", "Watch::default"];
/// The definition of `Watch`.
const ALLOWED: &str = "game/src/limits.rs";

/// Lines of product code, from 1, that read a clock. Comments (and the examples in them) and inline test modules do not
/// count.
fn clock_reads(source: &str) -> Vec<(usize, &str)> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let product = lines
        .windows(2)
        .position(|pair| pair[0] == "#[cfg(test)]" && pair[1].contains("mod ") && pair[1].ends_with('{'))
        .unwrap_or(lines.len());
    let reads = |line: &str| !line.starts_with("//") && CLOCKS.iter().any(|clock| line.contains(clock));
    lines[..product]
        .iter()
        .enumerate()
        .filter(|(_, line)| reads(line))
        .map(|(at, line)| (at + 1, *line))
        .collect()
}

/// The sources below a folder, without files of tests (`tests.rs`, `tests/`).
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_stem().is_some_and(|stem| stem == "tests") {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_library_reads_a_clock() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut scanned = 0;
    for library in LIBRARIES {
        let mut files = Vec::new();
        sources(&crates.join(library).join("src"), &mut files);
        scanned += files.len();
        for file in files.iter().filter(|file| !file.ends_with(ALLOWED)) {
            let source = std::fs::read_to_string(file).unwrap();
            let reads = clock_reads(&source);
            assert!(reads.is_empty(), "{} reads a clock: {reads:?}", file.display());
        }
    }
    assert!(scanned > 200, "only {scanned} files were found");
}

#[test]
fn every_way_to_read_a_clock_is_found() {
    let source = "//! Instant::now()\nlet a = Instant::now();\nlet b = x.then(SystemTime::now);\n\
                  let c = Watch::start(stop);\nlet d = Watch::default();\n\
                  #[cfg(test)]\nmod tests {\n    let e = Instant::now();\n}\n";
    let lines: Vec<usize> = clock_reads(source).into_iter().map(|(line, _)| line).collect();
    assert_eq!(lines, [2, 3, 4, 5]);
}
