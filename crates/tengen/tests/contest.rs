//! `tengen match` and `tengen tournament` from outside: statistics, resuming, stopping, limits of single engines.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

/// Runs a command and gives its exit code, JSON answer and stderr.
fn contest(words: &[&str]) -> (i32, Value, String) {
    let output = Command::cargo_bin("tengen").unwrap().args(words).arg("--json").output().unwrap();
    let answer = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code().unwrap_or(-1), answer, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A quick match of deterministic engines on a small board.
fn quick<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec![
        "match",
        "classic-minimax",
        "classic-minimax@name=B",
        "--game",
        "hex",
        "--size",
        "4",
        "--depth",
        "1",
    ];
    words.extend(more);
    words
}

fn folder() -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out").to_string_lossy().into_owned();
    (dir, path)
}

#[test]
fn openings_differ_by_default() {
    let (code, answer, stderr) = contest(&quick(&["--games", "10"]));
    assert_eq!(code, 0, "{stderr}");
    assert_eq!((&answer["games"], &answer["distinct"]), (&10.into(), &10.into()), "{answer}");
    assert_eq!(answer["stopped"], false);
    assert!(answer["elo"].is_number());
}

#[test]
fn statistics_of_repeated_games_are_refused_unless_forced() {
    let repeated = ["--games", "40", "--sprt", "0,10", "--random-openings", "0"];
    let (code, answer, stderr) = contest(&quick(&repeated));
    assert_eq!(code, 1);
    assert!(stderr.contains("the test is refused: only 2 of "), "{stderr}");
    // Games that were handed out before the test was given up are still finished.
    let games = answer["games"].as_u64().unwrap();
    assert!((20..30).contains(&games) && answer["distinct"] == 2, "{answer}");
    assert!(answer["elo"].is_null() && answer.get("llr").is_none(), "{answer}");
    let forced: Vec<&str> = repeated.iter().copied().chain(["--allow-repeats"]).collect();
    let (code, answer, stderr) = contest(&quick(&forced));
    assert_eq!((code, &answer["games"]), (0, &40.into()), "{stderr}");
    assert!(answer["elo"].is_number() && answer["llr"].is_number(), "{answer}");
}

#[test]
fn a_finished_match_can_be_extended_and_nothing_else_changed() {
    let (_dir, out) = folder();
    let played = |more: &[&str]| {
        let words: Vec<&str> =
            ["--out", &out, "--resume"].iter().copied().chain(more.iter().copied()).collect();
        contest(&quick(&words))
    };
    assert_eq!(played(&["--games", "5"]).1["games"], 5);
    let journal = Path::new(&out).join("games.jsonl");
    let before = std::fs::read_to_string(&journal).unwrap();
    let (code, answer, stderr) = played(&["--games", "9"]);
    assert_eq!((code, &answer["games"], &answer["distinct"]), (0, &9.into(), &9.into()), "{stderr}");
    assert!(std::fs::read_to_string(&journal).unwrap().starts_with(&before), "finished games stay");
    let (code, _, stderr) = played(&["--games", "9", "--seed", "2"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("was started with another"), "{stderr}");
    assert!(!before.contains("nanos") && !before.contains("Launch"), "the journal holds data: {before}");
}

#[test]
fn a_journal_of_an_earlier_version_is_refused_by_name() {
    let (_dir, out) = folder();
    std::fs::create_dir_all(&out).unwrap();
    std::fs::write(Path::new(&out).join("games.jsonl"), "{\"tengen\":\"match\",\"version\":1}\n").unwrap();
    let (code, _, stderr) = contest(&quick(&["--games", "2", "--out", &out, "--resume"]));
    assert_eq!(code, 1);
    assert!(stderr.contains("format 1 of an earlier version"), "{stderr}");
}

#[test]
fn engines_have_names_and_limits_of_their_own() {
    let (dir, out) = folder();
    let file = dir.path().join("engines.toml");
    let text = "[[engine]]\nname = 'slow'\nbuiltin = 'classic-minimax'\nlimits = { depth = 2 }\n";
    std::fs::write(&file, text).unwrap();
    let file = file.to_string_lossy().into_owned();
    let words = [
        "match",
        "slow",
        "classic-minimax@name=quick one,nodes=50",
        "--engines",
        &file,
        "--game",
        "hex",
        "--size",
        "4",
        "--time",
        "5",
        "--games",
        "2",
        "--out",
        &out,
    ];
    let (code, answer, stderr) = contest(&words);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!((&answer["a"]["name"], &answer["b"]["name"]), (&"slow".into(), &"quick one".into()));
    let journal = std::fs::read_to_string(Path::new(&out).join("games.jsonl")).unwrap();
    let settings: Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    let limits = |engine: usize| settings["engines"][engine]["limits"].clone();
    assert_eq!((&limits(0)["depth"], &limits(0)["time"]), (&2.into(), &Value::Null));
    assert_eq!((&limits(1)["nodes"], &limits(1)["time"]), (&50.into(), &Value::Null));
    let (code, _, stderr) =
        contest(&["match", "tengen@time=soon", "tengen", "--game", "hex", "--games", "2"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("time=soon"), "{stderr}");
}

#[test]
fn faults_show_the_last_lines_and_traces_show_all() {
    let (dir, out) = folder();
    let trace = dir.path().join("trace").to_string_lossy().into_owned();
    let crash = "htp:sh -c 'while read w r; do case $w in genmove) echo oops >&2; exit 3;; esac; echo \"= \"; echo; done'";
    let output = Command::cargo_bin("tengen")
        .unwrap()
        .args([
            "match",
            "classic-minimax",
            crash,
            "--game",
            "hex",
            "--size",
            "4",
            "--depth",
            "1",
            "--games",
            "2",
        ])
        .args(["--trace", &trace, "--out", &out])
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    for line in ["loses by crash", "to engine:   genmove", "stderr:", "oops"] {
        assert!(stderr.contains(line), "{line} in {stderr}");
    }
    let traces: Vec<_> = std::fs::read_dir(&trace).unwrap().flatten().collect();
    assert_eq!(traces.len(), 2, "one for each process");
    let text = std::fs::read_to_string(traces[0].path()).unwrap();
    assert!(text.contains(" > boardsize 4\n") && text.contains(" < = \n"), "{text}");
}

#[test]
fn ctrl_c_is_told_in_the_exit_code_and_the_answer() {
    use std::process::{Command as Process, Stdio};
    let program = assert_cmd::cargo::cargo_bin("tengen");
    let words = ["match", "tengen", "tengen", "--game", "gomoku", "--games", "100", "--time", "2", "--json"];
    let child =
        Process::new(program).args(words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert!(Process::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["stopped"], true);
}

#[test]
fn the_preset_prints_its_sheet() {
    let output = Command::cargo_bin("tengen")
        .unwrap()
        .args([
            "match",
            "--preset",
            "s4",
            "classic-minimax",
            "classic-minimax@name=B",
            "--depth",
            "1",
            "--size",
            "4",
        ])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "two games and two sums: {text}");
    assert!(
        lines[0].starts_with("game 1: classic-minimax (") && lines[0].contains(" wins by connection"),
        "{text}"
    );
    let points: f64 = lines[2..]
        .iter()
        .map(|line| line.split(": ").nth(1).unwrap().trim_end_matches(" points").parse::<f64>().unwrap())
        .sum();
    assert_eq!(points, 2.0, "{text}");
    let (code, _, stderr) = contest(&["match", "--preset", "s5", "a", "b"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("unknown preset 's5'; accepted: s4"), "{stderr}");
}

#[test]
fn every_kind_of_tournament_is_played_and_resumed() {
    for (format, games, all) in [
        ("round-robin", "2", 12),
        ("gauntlet", "2", 6),
        ("knockout", "2", 6),
        ("swiss", "2", 12),
        ("swiss:2", "2", 8),
    ] {
        let (_dir, out) = folder();
        let engines = [
            "classic-minimax",
            "classic-minimax@name=two,depth=2",
            "classic-minimax@name=c",
            "classic-minimax@name=d",
        ];
        let mut words =
            vec!["tournament", "--format", format, "--games", games, "--game", "hex", "--size", "4"];
        words.extend(["--depth", "1", "--out", &out]);
        words.extend(engines);
        let (code, answer, stderr) = contest(&words);
        assert_eq!(code, 0, "{format}: {stderr}");
        let played = answer["games"].as_u64().unwrap();
        assert!(played >= all, "{format}: {answer}");
        assert_eq!(answer["ratings"].as_array().unwrap().len(), 4);
        assert_eq!(answer["champion"].is_string(), format == "knockout", "{answer}");
        // A run that was cut off in its last game goes on from there.
        let journal = Path::new(&out).join("games.jsonl");
        let text = std::fs::read_to_string(&journal).unwrap();
        std::fs::write(&journal, &text[..text.len() - 40]).unwrap();
        let (code, _, stderr) = contest(&words);
        assert_eq!(code, 1);
        assert!(stderr.contains("add --resume"), "{stderr}");
        words.push("--resume");
        let (code, again, stderr) = contest(&words);
        assert_eq!(code, 0, "{format}: {stderr}");
        assert_eq!(
            (&again["games"], &again["champion"]),
            (&answer["games"], &answer["champion"]),
            "{format}"
        );
        for file in ["games.sgf", "games.csv", "report.html"] {
            assert!(Path::new(&out).join(file).metadata().unwrap().len() > 0, "{file}");
        }
    }
}
