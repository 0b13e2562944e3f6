//! A program with one bad habit at a time: the cause must be found, and nothing else.

use super::*;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const ENGINE: &str = include_str!("engine.py");

fn candidate(program: &Path, protocol: Protocol, habit: &str) -> Candidate {
    let game: &'static dyn Game = if protocol == Protocol::Gomocup { &gomoku::GOMOKU } else { &hex::HEX };
    let (rows, cols) = game.default_size();
    let args = [&program.to_string_lossy(), protocol.name(), habit].map(str::to_string).to_vec();
    // Only programs that fail to answer in time take all of it, so the others can have enough for a loaded machine.
    let late = ["slow", "no-flush"].contains(&habit);
    Candidate {
        game,
        setup: Setup::empty(rows, cols),
        launch: Launch { program: "python3".into(), args, ..Launch::default() },
        protocol,
        time: Duration::from_millis(if late { 700 } else { 3000 }),
        // A leak is seen after five moves, the shortest game.
        memory_mb: 48,
        language: Language::English,
    }
}

/// The failed checks of an engine with this habit.
fn failures(protocol: Protocol, habit: &str) -> Vec<Finding> {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("engine.py");
    std::fs::write(&program, ENGINE).unwrap();
    let findings = check(&candidate(&program, protocol, habit), &mut |_| {});
    findings.into_iter().filter(|finding| !finding.passed).collect()
}

fn causes(findings: &[Finding]) -> Vec<(Check, Cause)> {
    findings.iter().filter_map(|finding| Some((finding.id, finding.cause?))).collect()
}

#[test]
fn good_programs_pass() {
    for protocol in [Protocol::Gomocup, Protocol::Line] {
        assert_eq!(failures(protocol, "good"), [], "{protocol:?}");
    }
}

#[test]
fn output_that_is_not_flushed_is_told_from_silence() {
    for (protocol, check) in [(Protocol::Gomocup, Check::Start), (Protocol::Line, Check::Opening)] {
        let found = failures(protocol, "no-flush");
        assert_eq!(causes(&found), [(check, Cause::NotFlushed)], "{found:?}");
        assert!(found[0].advice.contains("flush"), "{found:?}");
    }
}

#[test]
fn a_crash_is_shown_with_its_stderr() {
    let found = failures(Protocol::Line, "crash");
    assert_eq!(causes(&found), [(Check::Opening, Cause::Crash)], "{found:?}");
    assert!(found[0].detail.contains("RuntimeError: no idea what to play"), "{}", found[0].detail);
}

#[test]
fn wrong_coordinates_are_named() {
    for (habit, cause) in
        [("swapped", Cause::Swapped), ("from-one", Cause::FromOne), ("lost-board", Cause::LostBoard)]
    {
        let found = failures(Protocol::Gomocup, habit);
        assert_eq!(causes(&found).first(), Some(&(Check::Coordinates, cause)), "{habit}: {found:?}");
    }
}

#[test]
fn debug_output_is_named_with_its_text() {
    for protocol in [Protocol::Gomocup, Protocol::Line] {
        let found = failures(protocol, "noise");
        assert_eq!(causes(&found), [(Check::Opening, Cause::Noise)], "{found:?}");
        assert!(found[0].detail.contains("thinking about it"), "{}", found[0].detail);
    }
}

#[test]
fn a_program_that_does_not_know_change_fails() {
    let found = failures(Protocol::Line, "no-change");
    assert_eq!(causes(&found).first(), Some(&(Check::Change, Cause::ChangeUnknown)), "{found:?}");
}

#[test]
fn a_leak_shows_over_a_whole_game() {
    let found = failures(Protocol::Gomocup, "leak");
    assert_eq!(causes(&found), [(Check::Memory, Cause::TooMuchMemory)], "{found:?}");
}

/// Memory is measured over a game: where there was none, or no measurement, nothing has passed.
#[test]
fn memory_that_was_not_measured_has_not_passed() {
    let found = failures(Protocol::Gomocup, "crash-later");
    assert!(causes(&found).contains(&(Check::Memory, Cause::Crash)), "{found:?}");
    let candidate = candidate(Path::new("engine.py"), Protocol::Gomocup, "good");
    assert!(matches!(candidate.judge_memory(None), Outcome::NotMade(_)));
    assert!(matches!(candidate.judge_memory(Some(1)), Outcome::Made(Ok(_))));
    let most = candidate.memory_mb;
    assert!(matches!(candidate.judge_memory(Some(most + 1)), Outcome::Made(Err((Cause::TooMuchMemory, _)))));
}

#[test]
fn a_slow_program_and_one_that_stays_are_found() {
    let found = causes(&failures(Protocol::Line, "slow"));
    assert!(found.contains(&(Check::MoveTime, Cause::TooSlow)), "{found:?}");
    assert_eq!(causes(&failures(Protocol::Gomocup, "stay")), [(Check::Exit, Cause::StillRunning)]);
}

#[test]
fn files_that_cannot_be_started_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let start = |name: &str, text: &str, mode: u32| {
        let program = dir.path().join(name);
        std::fs::write(&program, text).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(mode)).unwrap();
        let launch = Launch { program: program.to_string_lossy().into_owned(), ..Launch::default() };
        let candidate = Candidate { launch, ..candidate(&program, Protocol::Line, "good") };
        let found = check(&candidate, &mut |_| {});
        found.last().and_then(|finding| finding.cause)
    };
    assert_eq!(start("crlf.py", "#!/usr/bin/env python3\r\nprint(1)\r\n", 0o755), Some(Cause::CrlfShebang));
    assert_eq!(start("direct.py", "#!/bin/sh\r\nread x\r\n", 0o755), Some(Cause::CrlfShebang));
    assert_eq!(start("plain.py", "print(1)\n", 0o644), Some(Cause::NotExecutable));
    let missing = dir.path().join("missing");
    let launch = Launch { program: missing.to_string_lossy().into_owned(), ..Launch::default() };
    let gone = Candidate { launch, ..candidate(&missing, Protocol::Line, "good") };
    assert_eq!(check(&gone, &mut |_| {})[0].cause, Some(Cause::NotFound));
}

#[test]
fn names_and_advice_are_in_both_languages() {
    assert_eq!("zh".parse(), Ok(Language::Chinese));
    assert!("fr".parse::<Language>().is_err());
    let chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    for protocol in [Protocol::Gomocup, Protocol::Htp, Protocol::Line] {
        for cause in [Cause::NotFlushed, Cause::Crash, Cause::Swapped, Cause::FromOne, Cause::ChangeUnknown] {
            assert!(chinese(cause.advice(Language::Chinese, protocol)));
            assert!(!chinese(cause.advice(Language::English, protocol)));
        }
    }
    assert!(chinese(Check::Coordinates.name(Language::Chinese)));
}
