//! The short run for every commit: each file of the corpus, then mutations of them from a fixed seed.

use search::rng::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use tengen_fuzz::{TARGETS, Target};

/// Mutations of each target.
const MUTATIONS: u64 = 3_000;
/// Inputs do not grow beyond this.
const MAX_BYTES: usize = 4 << 10;

#[test]
fn nothing_in_the_corpus_and_near_it_panics_or_is_slow() {
    for target in TARGETS {
        let corpus = corpus(target.name);
        corpus.iter().for_each(|input| check(target, input));
        for number in 0..MUTATIONS {
            check(target, &mutate(&corpus, &mut Rng::stream(1, number)));
        }
    }
}

#[test]
fn every_corpus_belongs_to_a_target() {
    for entry in std::fs::read_dir(folder()).expect("the corpus") {
        let name = entry.expect("a folder").file_name();
        assert!(TARGETS.iter().any(|target| name == target.name), "{name:?} belongs to no target");
    }
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus"))
}

/// The inputs of a target, in the order of their names.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = folder().join(name);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{name} has no corpus");
    paths.iter().map(|path| std::fs::read(path).expect("a readable file")).collect()
}

fn check(target: &Target, input: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| target.check(input))).is_err() {
        panic!("target {} fails on this input: \"{}\"", target.name, input.escape_ascii());
    }
}

/// An input of the corpus with one to six changes.
fn mutate(corpus: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut input = corpus[rng.below(corpus.len())].clone();
    for _ in 0..=rng.below(6) {
        let (from, to) = range(&input, rng);
        match rng.below(6) {
            0 => drop(input.drain(from..to)),
            1 => {
                let copy = input[from..to].to_vec();
                let at = rng.below(input.len() + 1);
                input.splice(at..at, copy);
            }
            2 => {
                let other = &corpus[rng.below(corpus.len())];
                let (start, end) = range(other, rng);
                input.splice(from..to, other[start..end].iter().copied());
            }
            3 => input.insert(from, rng.next_u64() as u8),
            4 if from < input.len() => input[from] ^= 1 << rng.below(8),
            // Digits decide sizes and coordinates.
            _ => input.insert(from, b'0' + rng.below(10) as u8),
        }
        input.truncate(MAX_BYTES);
    }
    input
}

/// Mostly a short part of the input.
fn range(input: &[u8], rng: &mut Rng) -> (usize, usize) {
    let from = rng.below(input.len() + 1);
    let longest = input.len() - from;
    let length = if rng.below(4) == 0 { longest } else { longest.min(16) };
    (from, from + rng.below(length + 1))
}
