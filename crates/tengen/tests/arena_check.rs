//! `tengen arena check` on our own engines: options reach us, JSON and Chinese on request.

use assert_cmd::Command;
use serde_json::Value;

fn own_engine(protocol: &str, more: &str) -> String {
    let program = assert_cmd::cargo::cargo_bin("tengen");
    format!("'{}' engine {protocol} {more}", program.display())
}

fn check(words: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("tengen").unwrap().args(["arena", "check"]).args(words).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

#[test]
fn our_own_engines_pass_in_every_protocol() {
    for (protocol, more, size) in [
        ("gomocup", "--engine classic-squares --depth 1", "15"),
        ("htp", "--engine classic-minimax --depth 1", "7"),
        ("line", "--engine classic-minimax --depth 1 --size 7", "7"),
    ] {
        // Options after the program are ours, not the program's.
        let program = own_engine(protocol, more);
        let words = [&program, "--time", "2", "--protocol", protocol, "--size", size, "--json"];
        let (code, stdout, stderr) = check(&words);
        let findings: Vec<Value> = serde_json::from_str(&stdout).unwrap_or_default();
        assert_eq!(code, 0, "{protocol}: {stdout} {stderr}");
        assert!(findings.len() >= 7 && findings.iter().all(|finding| finding["passed"] == true), "{stdout}");
        let slowest = findings.iter().find(|finding| finding["id"] == "move-time").unwrap();
        assert!(slowest["detail"].as_str().unwrap().ends_with("of 2.000 s"), "{slowest}");
    }
}

#[test]
fn bad_options_after_the_program_are_ours_to_refuse() {
    let (code, _, stderr) = check(&["some-program", "--time", "soon"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("'soon' is not a time"), "{stderr}");
}

#[test]
fn a_program_that_is_not_there_is_said_so_in_chinese() {
    let (code, stdout, _) = check(&["./no-such-program", "--lang", "zh"]);
    assert_eq!(code, 1);
    assert!(stdout.contains("FAIL 能启动并应答握手") && stdout.contains("建议：请检查程序路径"), "{stdout}");
}

#[test]
fn words_after_two_dashes_are_the_programs() {
    let script = "while read l; do echo a1; done";
    let (_, stdout, _) = check(&["--protocol", "line", "--time", "0.2", "--", "sh", "-c", script]);
    assert!(stdout.starts_with("sh as a line engine for hex:") && stdout.contains("ok   opens"), "{stdout}");
}
