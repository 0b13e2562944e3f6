//! The POSITION argument: what is not a position is refused with what is accepted, and what we write reads back.

use super::*;
use serde_json::Value;

fn json(output: Output) -> Value {
    serde_json::from_str(&succeed(output)).unwrap()
}

#[test]
fn nothing_is_not_the_empty_board() {
    let folder = Folder::new();
    let file = folder.file("empty.txt", " \n");
    for call in
        [&["render", "gomoku", "-"][..], &["solve", "hex", "-", "--size", "4"], &["render", "hex", &file]]
    {
        let message = fail(1, run(call));
        assert!(message.contains("no position; accepted"), "{call:?}: {message}");
    }
    succeed(run(&["render", "gomoku", "empty"]));
}

#[test]
fn json_without_a_position_is_refused() {
    for text in
        ["{}", r#"{"blak":["H8"]}"#, r#"{"rule":""}"#, r#"{"black":["a1"],"wite":["b2"]}"#, r#"{"size":"x"}"#]
    {
        for game in ["gomoku", "hex"] {
            let message = fail(1, run_with(&["render", game, "-"], text));
            assert!(message.contains("standard input: line 1, column"), "{game} {text}: {message}");
            assert!(message.contains("black"), "{game} {text} says what is accepted: {message}");
        }
    }
}

#[test]
fn our_own_puzzles_are_positions() {
    let folder = Folder::new();
    for (game, id, solve) in
        [("gomoku", "g-0001", &["--goal", "vct"][..]), ("hex", "h-0001", &["--ask", "winning-moves"])]
    {
        let puzzle = succeed(run(&["puzzle", "show", game, id, "--json"]));
        let file = folder.file("p.json", &puzzle);
        let puzzle: Value = serde_json::from_str(&puzzle).unwrap();
        let found = json(run(&[&["solve", game, &file, "--json"], solve].concat()));
        assert_eq!(found["result"], "win", "{game}: {found}");
        let first: Vec<&str> =
            puzzle["first_moves"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(first.contains(&found["move"].as_str().unwrap()), "{game}: {found}");
        // The same through --batch, from a file and from standard input.
        let batch = json(run(&[&["solve", game, "--batch", &file], solve].concat()));
        assert_eq!(batch["move"], found["move"]);
        let batch = json(run_with(&[&["solve", game, "--batch", "-"], solve].concat(), &puzzle.to_string()));
        assert_eq!(batch["move"], found["move"]);
    }
}

#[test]
fn the_side_to_move_never_recolours_a_stone() {
    // Three moves: White is to move, and saying so changes nothing.
    let plain = json(run(&["solve", "hex", "b2c3d1", "--size", "4", "--json"]));
    let said = json(run(&["solve", "hex", "b2c3d1", "--size", "4", "--to-move", "white", "--json"]));
    assert_eq!((&plain["winner"], &plain["side"]), (&said["winner"], &said["side"]));
    assert_eq!(said["side"], "white");
    let drawn = succeed(run(&["render", "gomoku", "h8i9g7", "--to-move", "white"]));
    assert_eq!(drawn, succeed(run(&["render", "gomoku", "h8i9g7"])));
    for (game, moves, side) in
        [("gomoku", "h8i9", "white"), ("hex", "a1", "black"), ("gomoku", "h8", "black")]
    {
        let message = fail(1, run(&["render", game, moves, "--to-move", side]));
        assert!(message.contains("is to move here, not"), "{message}");
        assert!(message.contains("accepted"), "{message}");
    }
}

#[test]
fn stones_alone_take_the_side_that_is_named() {
    // White to move has a five at g7; Black to move must stop it.
    let stones = r#"{"rule":"renju","black":["h8","f6","f7","h7","g2"],"white":["g6","g5","g4","g3","a1"]}"#;
    let call = ["solve", "gomoku", "-", "--goal", "vcf", "--json", "--to-move", "white"];
    let found = json(run_with(&call, stones));
    assert_eq!((&found["result"], &found["move"]), (&Value::from("win"), &Value::from("g7")));
    // The counts of a grid may say nothing; then the option does.
    let grid = "X....\nX....\nX....\n.....\n.....\n";
    assert!(fail(1, run_with(&["render", "gomoku", "-"], grid)).contains("name the side to move"));
    succeed(run_with(&["render", "gomoku", "-", "--to-move", "white"], grid));
}

#[test]
fn wrong_options_are_blamed_on_the_option() {
    for (call, word) in [
        (&["render", "gomoku", "h8", "--rule", "renjo"][..], "unknown rule 'renjo'; accepted: freestyle"),
        (&["render", "gomoku", "h8", "--opening", "swap3"], "accepted"),
        (&["render", "gomoku", "h8", "--size", "99"], "accepted: square, 5 to 22"),
        (&["solve", "hex", "a1", "--rule", "renju"], "unknown Hex rule 'renju'; accepted"),
        (&["rules", "gomoku", "--forbidden", "h8", "--rule", "renjo"], "unknown rule 'renjo'"),
    ] {
        let message = fail(2, run(call));
        assert!(message.contains(word) && !message.contains("position"), "{call:?}: {message}");
    }
}

#[test]
fn forbidden_points_need_no_side_to_move() {
    let grid = |rows: &str| format!("{rows}{}", "...............\n".repeat(15 - rows.lines().count()));
    let three_two = grid("...............\n.......X.......\n......X.XX.....\n.......X.......\n");
    let found = json(run_with(&["rules", "gomoku", "--forbidden", "-", "--json"], &three_two));
    assert!(found["forbidden"].is_object(), "{found}");
    let line = r#"{"black":["h10","h9","g8","i8"],"white":[]}"#;
    let found = json(run_with(&["rules", "gomoku", "--forbidden", "--batch", "-"], line));
    assert_eq!(found["forbidden"]["H8"], "double-three", "{found}");
}

#[test]
fn sgf_may_follow_other_text() {
    let mail = "From: a friend\nSee this game:\n(;FF[4]GM[4]SZ[15];B[h8];W[i9])\n";
    let drawn = succeed(run_with(&["render", "gomoku", "-"], mail));
    assert_eq!(drawn, succeed(run(&["render", "gomoku", "h8i9"])));
}

#[test]
fn files_that_are_none() {
    let folder = Folder::new();
    let binary = folder.path("binary");
    std::fs::write(&binary, [0xff, 0xfe, 0]).unwrap();
    let message = fail(1, run(&["render", "gomoku", binary.to_str().unwrap()]));
    assert!(message.contains("byte 0 is not UTF-8"), "{message}");
    assert!(fail(1, run(&["render", "gomoku", "missing.sgf"])).contains("no such file"));
    assert!(fail(2, run(&["render", "chess", "empty"])).contains("accepted: gomoku, hex"));
    assert!(fail(1, run(&["render", "gomoku", "h8h8"])).contains("line 1, column 3: h8 is occupied"));
}
