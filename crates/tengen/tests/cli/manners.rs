//! What a newcomer meets: the bare name, help, colours, locale, and errors in plain words.

use super::*;

#[test]
fn the_bare_name_shows_five_commands_and_creates_nothing() {
    let folder = Folder::new();
    let help = succeed(command(&[]).current_dir(folder.0.path()).output().unwrap());
    let shown = help.lines().filter(|line| line.starts_with("  tengen ")).count();
    assert_eq!(shown, 5, "{help}");
    assert_eq!(folder.count(), 0);
}

#[test]
fn every_command_of_the_short_help_parses() {
    for line in succeed(run(&[])).lines().filter(|line| line.starts_with("  tengen ")) {
        let words: Vec<&str> = line.trim().split("  ").next().unwrap().split(' ').skip(1).collect();
        succeed(run(&[&words[..], &["--help"]].concat()));
    }
}

#[test]
fn help_states_defaults_in_words() {
    for words in
        [&["analyze"][..], &["render"], &["explain"], &["book", "make"], &["solve", "hex"], &["play"]]
    {
        let help = succeed(run(&[words, &["--help"]].concat()));
        assert!(!help.contains("[default: ]") && !help.contains("[default: \"\"]"), "{words:?}: {help}");
    }
    let help = succeed(run(&["analyze", "--help"]));
    assert!(help.contains("default: 5 s"), "{help}");
}

#[test]
fn british_spelling_is_fine() {
    succeed(run(&["analyse", "gomoku", "h8", "--nodes", "10"]));
}

#[test]
fn negative_numbers_are_bad_values_not_unknown_options() {
    let map = Folder::new();
    let map = map.file("m.txt", "S.G\n");
    for (call, words) in [
        (&["analyze", "gomoku", "h8", "--time", "-1"][..], "'-1' is not a time; accepted: seconds"),
        (&["analyze", "gomoku", "h8", "--nodes", "-5"], "'-5' is not a whole number; accepted: 0 to"),
        (&["analyze", "gomoku", "h8", "--depth", "-5"], "'-5' is not a depth; accepted"),
        (&["analyze", "gomoku", "h8", "--seed", "-5"], "'-5' is not a whole number"),
        (&["solve", "gomoku", "h8", "--goal", "vcf", "--nodes", "-5"], "'-5' is not a whole number"),
        (&["solve", "hex", "a1", "--time", "-0.5"], "'-0.5' is not a time"),
        (&["maze", "solve", &map, "--time", "-1"], "'-1' is not a time"),
        (&["maze", "solve", &map, "--from", "-1,0"], "a cell is ROW,COLUMN"),
    ] {
        let message = fail(2, run(call));
        assert!(message.contains(words) && !message.contains("-- -"), "{call:?}: {message}");
    }
}

#[test]
fn no_colours_into_files_and_no_unicode_against_the_locale() {
    let folder = Folder::new();
    let map = folder.file("m.txt", "####\nS..G\n####\n");
    for call in
        [&["maze", "render", &map][..], &["render", "hex", "a1b2"], &["puzzle", "show", "gomoku", "g-0001"]]
    {
        for (name, value) in [("NO_COLOR", "1"), ("TERM", "xterm"), ("LC_ALL", "C")] {
            let text = succeed(command(call).env(name, value).output().unwrap());
            assert!(!text.contains('\x1b') && text.is_ascii(), "{call:?} {name}={value}: {text}");
        }
    }
}

#[test]
fn a_huge_svg_is_refused_with_its_limit() {
    let folder = Folder::new();
    let (map, out) = (folder.path("m.txt"), folder.path("m.svg"));
    let map = map.to_str().unwrap();
    succeed(run(&["maze", "generate", "obstacles", "--width", "1100", "--height", "1100", "--out", map]));
    let message = fail(1, run(&["maze", "render", map, "--out", out.to_str().unwrap()]));
    assert!(message.contains("an SVG of 1100 x 1100 cells is too large: at most 1048576"), "{message}");
    assert!(!out.exists());
}

#[test]
fn root_tables_are_sorted_and_short() {
    let text = succeed(run(&["analyze", "gomoku", "h8i9", "--engine", "classic-ac", "--depth", "2"]));
    let table = text.split("\nmove ").nth(1).unwrap();
    let rows: Vec<&str> = table.lines().skip(1).collect();
    let (rows, more) = rows.split_at(rows.len().min(10));
    // A bound has its sign before the score.
    let score = |row: &&str| row.split_whitespace().skip(1).find_map(|word| word.parse().ok()).unwrap();
    let scores: Vec<f64> = rows.iter().map(score).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{text}");
    assert!(more.len() == 1 && more[0].starts_with("and "), "{text}");
}

#[test]
fn an_analysis_says_whose_chances_it_shows_and_wins_in_moves_of_the_winner() {
    let text = succeed(run(&["analyze", "gomoku", "h8a1i8a3", "--nodes", "1000"]));
    assert!(text.contains("\nchances of black, who is to move:\n"), "{text}");
    // An open three of White, Black having wasted its stones.
    let text = succeed(run(&["analyze", "gomoku", "a1h8a3h9a5h10o1", "--nodes", "1000"]));
    assert!(text.contains("\nchances of white, who is to move:\n"), "{text}");
    assert!(text.contains(" win in 2  "), "{text}");
}

#[test]
fn a_prune_ratio_is_a_share() {
    for limit in [["--time", "0"], ["--nodes", "1"], ["--depth", "2"]] {
        let call = [&["analyze", "gomoku", "h8i9", "--engine", "classic-ac", "--json"], &limit[..]].concat();
        let answer: serde_json::Value = serde_json::from_str(&succeed(run(&call))).unwrap();
        let ratio = answer["prune_ratio"].as_f64();
        assert!(ratio.is_none_or(|ratio| (0.0..=1.0).contains(&ratio)), "{limit:?}: {ratio:?}");
    }
}
