//! Files in and out: what is written is read back, broken ones name the place.

use crate::client::{get, play, post, send, two_people};
use crate::host::Host;
use serde_json::{Value, json};

fn text(answer: &crate::client::Response) -> String {
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    String::from_utf8(answer.body.clone()).unwrap()
}

fn tree() -> Value {
    json!([{ "move": "h8", "comment": "centre", "children": [
        { "move": "i9", "children": [{ "move": "g7" }] },
        { "move": "h9", "comment": "direct", "children": [{ "move": "i10" }, { "move": "g8" }] },
    ] }])
}

#[test]
fn a_tree_survives_sgf_and_json() {
    let host = Host::start();
    for format in ["sgf", "json"] {
        let body = json!({ "setup": { "game": "gomoku" }, "tree": tree(), "format": format });
        let file = text(&post(host.addr, "/export", &body));
        let back = post(host.addr, "/import", &json!({ "text": file })).expect(200);
        assert_eq!(back["tree"], tree(), "{format}: {file}");
        assert_eq!((&back["setup"]["game"], &back["view"]["ply"]), (&json!("gomoku"), &json!(3)));
    }
}

#[test]
fn each_notation_is_read_and_written() {
    let host = Host::start();
    let psq = json!({ "setup": { "game": "gomoku" }, "moves": ["h8", "i9"], "format": "psq" });
    let psq = text(&post(host.addr, "/export", &psq));
    let back = post(host.addr, "/import", &json!({ "text": psq, "name": "game.psq" })).expect(200);
    assert_eq!(back["view"]["moves"][1]["move"], "i9");
    let hexworld =
        json!({ "setup": { "game": "hex", "rows": 7 }, "moves": ["c3", "d4"], "format": "hexworld" });
    let hexworld = text(&post(host.addr, "/export", &hexworld));
    let back = post(host.addr, "/import", &json!({ "text": hexworld })).expect(200);
    assert_eq!(
        (&back["setup"]["game"], &back["setup"]["rows"], &back["view"]["ply"]),
        (&json!("hex"), &json!(7), &json!(2))
    );
    let back = post(host.addr, "/import", &json!({ "game": "gomoku", "text": "h8i9g7" })).expect(200);
    assert_eq!(back["view"]["ply"], 3);
}

#[test]
fn pictures_are_drawn() {
    let host = Host::start();
    for (format, start) in [("svg", &b"<svg"[..]), ("png", b"\x89PNG")] {
        let body = json!({ "setup": { "game": "hex" }, "moves": ["c3"], "format": format, "picture": { "numbers": true } });
        let answer = post(host.addr, "/export", &body);
        assert_eq!(answer.status, 200);
        assert!(answer.body.starts_with(start), "{format}");
    }
    let game = two_people(host.addr, &json!({ "game": "hex" }), &json!({ "visibility": "link" }));
    play(host.addr, &game, "first", 0, "c3").expect(200);
    let path = format!("/games/{}/record", game["id"].as_str().unwrap());
    for format in ["sgf", "json", "svg", "text", "hexworld"] {
        assert_eq!(get(host.addr, &format!("{path}?format={format}")).status, 200, "{format}");
    }
    get(host.addr, &format!("{path}?format=exe")).problem(422, "format.unknown");
    let layers = json!({ "setup": { "game": "gomoku" }, "moves": [], "layer": "none" });
    post(host.addr, "/layer", &layers).problem(422, "layer.unknown");
}

#[test]
fn broken_files_name_the_place() {
    let host = Host::start();
    let ask = |text: &str| post(host.addr, "/import", &json!({ "game": "gomoku", "text": text }));
    let problem = ask("(;GM[4]\n;B[h8").problem(422, "text.unreadable");
    assert!(problem["params"]["line"].is_u64() && problem["params"]["column"].is_u64());
    ask("").expect(422);
    ask(&"(;B[a1]".repeat(3000)).expect(422);
    let wide = format!("(;GM[4]{})", "(;B[h8];W[i9])".repeat(600));
    ask(&wide).problem(422, "tree.too-large");
    let deep = |depth: usize| {
        let open = r#"{"move":"h8","children":["#.repeat(depth);
        let close = "]}".repeat(depth);
        let body = format!(r#"{{"setup":{{"game":"gomoku"}},"format":"sgf","tree":[{open}{close}]}}"#);
        send(host.addr, "POST", "/api/v1/export", &[("Content-Type", "application/json")], body.as_bytes())
    };
    let study = |depth: usize| {
        let open = r#"{"move":"h8","children":["#.repeat(depth);
        format!(r#"{{"tengen":1,"setup":{{"game":"gomoku"}},"tree":[{open}{}]}}"#, "]}".repeat(depth))
    };
    ask(&study(10_000)).problem(422, "text.unreadable");
    ask(r#"{"tengen":1,"setup":{"game":"gomoku"},"tree":[}"#).problem(422, "text.unreadable");
    deep(2_000).problem(422, "move.occupied");
    deep(10_000).problem(422, "body.too-deep");
}

#[test]
fn long_games_are_deep_trees() {
    let host = Host::start();
    let own = |ply: usize| {
        let mine = |cell: &usize| (cell % 15 + 2 * (cell / 15)) / 2 % 2 == ply % 2;
        let cell = (0..225).filter(mine).nth(ply / 2).unwrap();
        format!("{}{}", char::from(b'a' + (cell % 15) as u8), cell / 15 + 1)
    };
    let moves: Vec<String> = (0..200).map(own).collect();
    for format in ["sgf", "json", "psq"] {
        let body = json!({ "setup": { "game": "gomoku" }, "moves": moves, "format": format });
        let file = text(&post(host.addr, "/export", &body));
        let answer = post(host.addr, "/import", &json!({ "text": file, "game": "gomoku" }));
        let body = text(&answer);
        assert_eq!(body.matches("\"children\"").count(), 199, "{format}");
        // And the tree goes out again as it came in.
        let tree = &body[body.find("\"tree\":").unwrap() + 7..body.find(",\"view\"").unwrap()];
        let again = format!(r#"{{"setup":{{"game":"gomoku"}},"format":"sgf","tree":{tree}}}"#);
        let json_kind = [("Content-Type", "application/json")];
        assert_eq!(send(host.addr, "POST", "/api/v1/export", &json_kind, again.as_bytes()).status, 200);
        let study = format!(r#"{{"version":1,"body":{{"tree":{tree}}}}}"#);
        assert_eq!(send(host.addr, "POST", "/api/v1/studies", &json_kind, study.as_bytes()).status, 201);
    }
}
