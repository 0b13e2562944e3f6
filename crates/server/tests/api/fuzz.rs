//! Requests generated from the OpenAPI description, some right and most wrong: never a 5xx, never silence.

use crate::client::{Socket, get, post, send, two_people};
use crate::host::Host;
use search::Rng;
use serde_json::{Map, Value, json};

/// Draws values; a failing seed can be run again.
struct Dice(Rng);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0.below(sides)
    }

    fn word(&mut self) -> String {
        const WORDS: [&str; 28] = [
            "",
            "gomoku",
            "hex",
            "h8",
            "a1",
            "swap",
            "swap2",
            "renju",
            "free",
            "black",
            "white",
            "first",
            "second",
            "sgf",
            "png",
            "psq",
            "(;GM[4];B[h8])",
            "{\"side\":",
            "\u{0}",
            "天元",
            "\u{202e}x",
            "../../x",
            "' OR 1=1 --",
            "private",
            "bot",
            "engine",
            "human",
            "resign",
        ];
        match self.roll(12) {
            0 => "z".repeat(self.roll(5000)),
            1 => self.0.next_u64().to_string(),
            _ => WORDS[self.roll(WORDS.len())].to_string(),
        }
    }

    /// Any JSON.
    fn any(&mut self, depth: usize) -> Value {
        match self.roll(if depth > 3 { 6 } else { 8 }) {
            0 => Value::Null,
            1 => json!(self.roll(2) == 0),
            2 => json!([0i64, -1, 1, 15, 255, 256, i64::MAX, i64::MIN][self.roll(8)]),
            3 => json!(1e300),
            4 | 5 => json!(self.word()),
            6 => (0..self.roll(5)).map(|_| self.any(depth + 1)).collect(),
            _ => Value::Object((0..self.roll(5)).map(|_| (self.word(), self.any(depth + 1))).collect()),
        }
    }

    /// A value that is likely right for a field of this name, so that requests pass validation.
    fn likely(&mut self, key: &str) -> Option<Value> {
        let words: &[&str] = match key {
            "game" => &["gomoku", "hex"],
            "rule" | "opening" | "engine" => &[""],
            "question" => &["vcf", "winner"],
            "algorithm" => &["alphabeta", "astar", "minimax"],
            "tictactoe" => &["X.O.X....", "XO......."],
            "style" => &["prim", "backtracker"],
            "map" => &["S..\n.#.\n..G\n"],
            "rows" | "cols" => return Some(json!([5, 9, 11][self.roll(3)])),
            "moves" => return Some(json!([["a1", "b2"], ["c3", "b1"]][self.roll(2)])),
            "stones" | "options" | "from" | "to" => return Some(Value::Null),
            _ => return None,
        };
        Some(json!(words[self.roll(words.len())]))
    }

    /// JSON of a schema, with a mistake now and then.
    fn of(&mut self, schema: &Value, all: &Value, depth: usize) -> Value {
        if self.roll(25) == 0 || depth > 8 {
            return self.any(depth.min(3));
        }
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            return self.of(&all[name], all, depth + 1);
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(list) = schema[key].as_array() {
                let one = self.roll(list.len());
                return self.of(&list[one], all, depth + 1);
            }
        }
        if let Some(list) = schema["allOf"].as_array() {
            let mut made = Map::new();
            for part in list {
                if let Value::Object(fields) = self.of(part, all, depth + 1) {
                    made.extend(fields);
                }
            }
            return Value::Object(made);
        }
        if let Some(list) = schema["enum"].as_array() {
            return list[self.roll(list.len())].clone();
        }
        let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str()).unwrap_or("object");
        match kind {
            "string" => json!(self.word()),
            "integer" | "number" => json!([0, 1, 2, 3, 7, 11, 15, 19, 400, -1, 100_000][self.roll(11)]),
            "boolean" => json!(self.roll(2) == 0),
            "array" => (0..self.roll(4)).map(|_| self.of(&schema["items"], all, depth + 1)).collect(),
            _ => {
                let required: Vec<&str> =
                    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                let mut made = Map::new();
                for (key, field) in schema["properties"].as_object().into_iter().flatten() {
                    if self.roll(20) > 0 && (required.contains(&key.as_str()) || self.roll(2) == 0) {
                        let value = match self.likely(key) {
                            Some(Value::Null) if self.roll(4) > 0 => continue,
                            Some(likely) if self.roll(4) > 0 => likely,
                            _ => self.of(field, all, depth + 1),
                        };
                        made.insert(key.clone(), value);
                    }
                }
                Value::Object(made)
            }
        }
    }
}

#[test]
fn no_request_of_the_description_breaks_the_server() {
    let host = Host::start();
    let description = get(host.addr, "/openapi.json").expect(200);
    let schemas = &description["components"]["schemas"];
    let game = two_people(host.addr, &json!({ "game": "gomoku" }), &json!({ "visibility": "link" }));
    let id = game["id"].as_str().unwrap().to_string();
    let bearer = format!("Bearer {}", game["seats"]["first"].as_str().unwrap());
    // These search, with time limits of their own.
    let slow = |path: &str| path == "/solve" || path.ends_with("/hint") || path.ends_with("/solution");
    let mut dice = Dice(Rng::new(1));
    let mut seen = std::collections::BTreeMap::<u16, usize>::new();
    let mut answered = std::collections::BTreeSet::<&str>::new();
    for round in 0..60 {
        for (path, methods) in description["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                if path.ends_with("/ws") || path == "/analysis" || (slow(path) && round > 2) {
                    continue;
                }
                let own = dice.roll(3) > 0;
                let name = if own && path.contains("{game}") {
                    "g-1".into()
                } else if own {
                    id.clone()
                } else {
                    format!("%{:02x}{}", 32 + dice.roll(90), dice.roll(99))
                };
                let mut address =
                    format!("/api/v1{}", path.replace("{id}", &name).replace("{game}", "gomoku"));
                if dice.roll(3) == 0 {
                    let value: String =
                        dice.word().bytes().map(|byte| format!("%{byte:02x}")).take(50).collect();
                    address.push_str(&format!("?limit={value}&format={value}"));
                }
                let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
                let body =
                    if schema.is_null() { String::new() } else { dice.of(schema, schemas, 0).to_string() };
                let mut bytes = body.into_bytes();
                if dice.roll(15) == 0 && !bytes.is_empty() {
                    let at = dice.roll(bytes.len());
                    bytes[at] = dice.roll(256) as u8;
                }
                let mut headers = vec![("Content-Type", "application/json")];
                if dice.roll(4) > 0 {
                    headers.push(("Authorization", &bearer));
                }
                let answer = send(host.addr, &method.to_uppercase(), &address, &headers, &bytes);
                *seen.entry(answer.status).or_default() += 1;
                if answer.status < 300 {
                    answered.insert(path);
                }
                let shown = String::from_utf8_lossy(&bytes);
                assert!(
                    answer.status < 500,
                    "{method} {address} {shown}: {} {:?}",
                    answer.status,
                    answer.json()
                );
                assert!(answer.status != 405, "{method} {address} is described but not served");
                if answer.status >= 400 {
                    assert_ne!(
                        answer.json()["code"],
                        "path.unknown",
                        "{method} {address} is described but not served"
                    );
                    assert!(answer.head.contains("problem+json"), "{method} {address}: {}", answer.head);
                }
            }
        }
    }
    assert!(seen.contains_key(&200) && seen.contains_key(&201) && seen.contains_key(&422), "{seen:?}");
    // Not only validation was reached: these requests were carried out.
    for path in [
        "/view",
        "/games",
        "/studies",
        "/bots",
        "/puzzles/{game}/{id}",
        "/maze/generate",
        "/maze/solve",
        "/xray",
    ] {
        assert!(answered.contains(path), "{path} was never answered: {answered:?}");
    }
    // And afterwards everything still works.
    post(host.addr, "/view", &json!({ "setup": { "game": "hex" }, "moves": ["a1"] })).expect(200);
}

#[test]
fn no_message_breaks_a_socket_for_others() {
    let host = Host::start();
    let game = two_people(host.addr, &json!({ "game": "gomoku" }), &json!({ "visibility": "link" }));
    let secret = game["seats"]["first"].as_str().unwrap();
    let live = format!("/games/{}/ws?secret={secret}", game["id"].as_str().unwrap());
    let mut dice = Dice(Rng::new(2));
    for path in [live.as_str(), "/analysis", "/bots/ws"] {
        let mut socket = Socket::open(host.addr, path);
        for _ in 0..120 {
            let mut message = dice.any(0);
            if let Value::Object(fields) = &mut message {
                let kinds = ["move", "action", "ping", "start", "stop", "review", "hello"];
                fields.insert("type".into(), json!(kinds[dice.roll(kinds.len())]));
                for key in ["ply", "move", "action", "id", "setup", "moves", "text"] {
                    let value = dice.any(1);
                    fields.insert(key.into(), value);
                }
            }
            if message.to_string().len() < 60_000 && !socket.try_say(&message) {
                socket = Socket::open(host.addr, path);
            }
        }
    }
    get(host.addr, "/catalog").expect(200);
    let mut socket = Socket::open(host.addr, &live);
    assert_eq!(socket.hear_type("state")["you"], "first");
}
