//! `tengen solve hex` from the command line.

use assert_cmd::Command;
use serde_json::Value;

fn solve(args: &[&str], input: &str) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    let done = command.args(["solve", "hex"]).args(args).write_stdin(input).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.success(), text(done.stdout), text(done.stderr))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn the_openings_of_a_small_board_are_all_found() {
    let (ok, out, _) = solve(&["empty", "--size", "3", "--ask", "winning-moves", "--verify", "--json"], "");
    let answer = json(&out);
    assert!(ok);
    assert_eq!(answer["result"], "win");
    assert_eq!(answer["verified"], true);
    assert_eq!(answer["complete"], true);
    let moves: Vec<&str> =
        answer["winning_moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    // Checked by hand: everything but the corners' weak neighbours and the acute corners.
    assert!(moves.contains(&"b2") && moves.contains(&"c1") && moves.contains(&"a3"));
    assert!(!moves.contains(&"a1") && !moves.contains(&"c3"));
}

#[test]
fn a_grid_on_standard_input_is_answered_for_either_side() {
    let grid = ". . .\n. X .\n. . .";
    let (_, black, _) = solve(&["-", "--side", "black", "--json"], grid);
    let (_, white, _) = solve(&["-", "--side", "white", "--json"], grid);
    assert_eq!((&json(&black)["result"], &json(&black)["winner"]), (&"win".into(), &"black".into()));
    assert_eq!((&json(&white)["result"], &json(&white)["winner"]), (&"loss".into(), &"black".into()));
    let (ok, text, _) = solve(&["-", "--side", "white"], grid);
    assert!(ok && text.starts_with("black wins (white to move, loss in 2): "), "{text}");
}

#[test]
fn a_budget_that_ends_says_unknown_and_a_batch_keeps_its_order() {
    let (ok, out, _) = solve(&["empty", "--size", "10", "--nodes", "5", "--json"], "");
    assert!(ok);
    assert_eq!(json(&out)["result"], "unknown");
    assert_eq!(json(&out)["complete"], false);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("many.jsonl");
    let won = r#"{"side":"black","size":3,"black":["b2"],"white":[]}"#;
    let asked = r#"{"side":"white","size":3,"black":["a1"],"white":[],"ask":"winning-moves"}"#;
    std::fs::write(&file, [won, "{nonsense", asked].join("\n")).unwrap();
    let (_, out, _) = solve(&["--batch", &file.display().to_string()], "");
    let answers: Vec<Value> = out.lines().map(json).collect();
    assert_eq!(answers.len(), 3, "{out}");
    assert_eq!(answers[0]["result"], "win");
    assert!(answers[1]["error"].is_string(), "{}", answers[1]);
    assert!(answers[2]["winning_moves"].as_array().is_some_and(|moves| !moves.is_empty()));
}

#[test]
fn a_proof_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("proof.json");
    let path = file.display().to_string();
    let (ok, out, _) = solve(&["empty", "--size", "3", "--verify", "--proof", &path], "");
    assert!(ok && out.contains("checked by the rules alone"), "{out}");
    let proof = json(&std::fs::read_to_string(&file).unwrap());
    assert_eq!(proof["winner"], "black");
    assert!(proof["steps"].as_array().unwrap().len() > 3);
}

#[test]
fn wrong_questions_are_refused() {
    for args in [&["empty", "--ask", "luck"][..], &["empty", "--size", "40"], &["empty", "--proof", "x"]] {
        let (ok, _, err) = solve(args, "");
        assert!(!ok && !err.is_empty(), "{args:?}");
    }
}

#[test]
fn the_swap_map_is_shown() {
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
        command.args(["analyze", "hex", "empty", "--swap-map"]).args(args).output().unwrap()
    };
    let map = json(&String::from_utf8(run(&["--size", "11", "--json"]).stdout).unwrap());
    let cells = map["swap_map"].as_array().unwrap();
    assert_eq!(cells.len(), 121);
    assert_eq!((&cells[60]["move"], &cells[60]["swap"]), (&"f6".into(), &true.into()));
    assert!(String::from_utf8(run(&["--size", "11"]).stdout).unwrap().contains("should be swapped"));
    let refused = run(&["--size", "10"]);
    assert!(!refused.status.success() && String::from_utf8(refused.stderr).unwrap().contains("hex 11x11"));
}

#[test]
fn a_book_is_made_and_asked() {
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
        let done = command.arg("book").args(args).output().unwrap();
        assert!(done.status.success(), "{args:?}");
        String::from_utf8(done.stdout).unwrap()
    };
    let text = run(&["make", "hex", "--size", "3", "--plies", "1", "--nodes", "50"]);
    assert!(
        text.starts_with("# tengen book make hex --size 3 --plies 1 --nodes 50 --seed 1\n3 3\n"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 2 + 5);
    assert!(run(&["show", "hex", "f6"]).contains('%'));
    assert_eq!(run(&["show", "hex", "f6", "--size", "9"]), "not in the book\n");
    assert!(run(&["show", "hex"]).contains("should be swapped"));
}
