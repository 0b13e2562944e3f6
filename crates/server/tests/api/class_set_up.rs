//! Making a class over the network with the operator's key, and setting it up with the teacher's.

use crate::client::{Response, as_, get, post, send};
use crate::host::Host;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::PathBuf;

/// A server with an empty folder of classes and the key for making some.
struct Empty {
    host: Host,
    home: tempfile::TempDir,
    creator: Value,
}

impl Empty {
    fn new() -> Empty {
        let home = tempfile::tempdir().unwrap();
        let creator = json!(class::creator::renew(home.path()).unwrap());
        let host = Host::with(|config| config.classes = Some(home.path().to_path_buf()));
        Empty { host, home, creator }
    }

    fn addr(&self) -> SocketAddr {
        self.host.addr
    }

    fn create(&self, key: &Value, body: &Value) -> Response {
        as_(self.addr(), key, "POST", "/classes", body)
    }

    /// A class with its teacher's key.
    fn class(&self, id: &str, settings: &Value) -> Value {
        let body = json!({ "id": id, "game": "gomoku", "settings": settings });
        self.create(&self.creator, &body).expect(201)["key"].clone()
    }

    fn folder(&self, id: &str) -> PathBuf {
        self.home.path().join(id)
    }
}

fn add(addr: SocketAddr, class: &str, key: &Value, list: &[u8]) -> Response {
    let bearer = format!("Bearer {}", key.as_str().unwrap());
    let headers = [("Content-Type", "text/csv"), ("Authorization", bearer.as_str())];
    send(addr, "POST", &format!("/api/v1/classes/{class}/students"), &headers, list)
}

#[test]
fn a_class_is_made_with_the_operators_key_and_is_its_teachers() {
    let school = Empty::new();
    let settings = json!({
        "title": "人工智能", "size": 9, "seconds_per_move": 0.5, "memory_mb": 128, "deadline": "2030-12-01T23:59:00+08:00",
        "protocol": "gomocup", "references": ["first"], "reference_nodes": 100, "opening_stones": 2,
        "marks": { "score": 40.0, "rank": 0.0 },
    });
    let body = json!({ "id": "ai-2026", "game": "gomoku", "settings": settings });
    post(school.addr(), "/classes", &body).problem(401, "class.key-needed");
    school.create(&json!("nonsense"), &body).problem(401, "class.creator-wrong");
    assert_eq!(get(school.addr(), "/classes").expect(200), json!([]));
    let made = school.create(&school.creator, &body).expect(201);
    let again = school.create(&school.creator, &body).problem(409, "class.name-taken");
    assert_eq!(again["params"]["name"], "ai-2026");
    let key = &made["key"];
    let shown = as_(school.addr(), key, "GET", "/classes/ai-2026", &Value::Null).expect(200);
    assert_eq!((&shown["role"], &shown["title"]), (&json!("teacher"), &json!("人工智能")));
    assert_eq!((&shown["size"], &shown["limits"]["memory_mb"]), (&json!(9), &json!(128)));
    assert_eq!((&shown["reference_nodes"], &shown["opening_stones"]), (&json!(100), &json!(2)));
    assert_eq!((&shown["marks"]["score"], &shown["marks"]["clean"]), (&json!(40.0), &json!(10.0)));
    assert_eq!(shown["fixed"], Value::Null, "nothing is fixed yet");
    // The operator's key makes classes; it is no teacher's.
    as_(school.addr(), &school.creator, "GET", "/classes/ai-2026", &Value::Null)
        .problem(401, "class.key-ended");
}

#[test]
fn what_cannot_be_is_refused_with_the_words_of_the_command_line() {
    let school = Empty::new();
    let said = |id: &str, game: &str, settings: Value| {
        let body = json!({ "id": id, "game": game, "settings": settings });
        let problem = school.create(&school.creator, &body).problem(422, "class.refused");
        problem["params"]["detail"].as_str().unwrap().to_string()
    };
    assert!(said("../x", "gomoku", json!({})).contains("is not a name for a class"));
    assert!(said("x", "chess", json!({})).contains("accepted: gomoku, hex"));
    assert!(said("x", "gomoku", json!({ "size": 200 })).contains("200"));
    assert!(said("x", "gomoku", json!({ "deadline": "tomorrow" })).contains("2026-12-01T23:59:00+08:00"));
    assert!(said("x", "gomoku", json!({ "memory_mb": 1 })).contains("memory_mb 16 to 65536"));
    assert!(said("x", "gomoku", json!({ "references": ["cmd:sh"] })).contains("ENGINE@level=5"));
    assert!(said("x", "gomoku", json!({ "references": ["nobody"] })).contains("unknown engine 'nobody'"));
    let unknown = json!({ "id": "x", "game": "hex", "settings": { "concurrency": 64 } });
    school.create(&school.creator, &unknown).problem(422, "body.shape");
    assert_eq!(std::fs::read_dir(school.home.path()).unwrap().count(), 1, "only the key is there");
}

#[test]
fn without_a_key_for_it_no_class_is_made_over_the_network() {
    let home = tempfile::tempdir().unwrap();
    let host = Host::with(|config| config.classes = Some(home.path().to_path_buf()));
    let body = json!({ "id": "x", "game": "hex" });
    let ask = |key: &str| as_(host.addr, &json!(key), "POST", "/classes", &body);
    let said = ask("anything").problem(403, "class.not-here");
    assert!(said["detail"].as_str().unwrap().contains("tengen class key FOLDER --create"));
    // A key that is made while the server runs counts at once.
    let key = class::creator::renew(home.path()).unwrap();
    ask(&key).expect(201);
    let renewed = class::creator::renew(home.path()).unwrap();
    ask(&key).problem(401, "class.creator-wrong");
    ask(&renewed).problem(409, "class.name-taken");
    as_(Host::start().addr, &json!(key), "POST", "/classes", &body).problem(404, "class.none");
}

#[test]
fn students_come_from_a_list_with_keys_shown_once_and_can_be_renewed_and_removed() {
    let school = Empty::new();
    let (addr, key) = (school.addr(), school.class("ai", &json!({})));
    let added =
        add(addr, "ai", &key, "\u{feff}学号,姓名\n1001,王小明\n1002,\"Lee, Ann\"\n".as_bytes()).expect(201);
    assert_eq!((&added["students"], added["keys"].as_array().unwrap().len()), (&json!(2), 2));
    assert!(added["csv"].as_str().unwrap().starts_with("id,name,key\n1001,王小明,"));
    let enter = |student: &str, key: &Value| {
        post(addr, "/classes/ai/sessions", &json!({ "student": student, "key": key }))
    };
    let token = enter("1001", &added["keys"][0]["key"]).expect(201)["token"].clone();
    let more = add(addr, "ai", &key, b"1001,Ming\n1003,Zoe\n").expect(201);
    assert_eq!((&more["students"], &more["keys"][0]["id"]), (&json!(3), &json!("1003")), "only the new one");
    let bad = add(addr, "ai", &key, b"1004,a\n../5,b\n").problem(422, "class.refused");
    assert!(bad["params"]["detail"].as_str().unwrap().contains("line 2"), "{bad}");
    add(addr, "ai", &key, b"1,\xce\xe5\n").problem(422, "class.refused");
    add(addr, "ai", &key, &vec![b'x'; (1 << 20) + 1]).problem(413, "body.too-large");
    let students = || as_(addr, &key, "GET", "/classes/ai/students", &Value::Null).expect(200);
    assert_eq!(students().as_array().unwrap().len(), 3, "nothing of a bad list");
    let renewed = as_(addr, &key, "POST", "/classes/ai/students/1001/key", &Value::Null).expect(201);
    as_(addr, &token, "GET", "/classes/ai/work", &Value::Null).problem(401, "class.key-ended");
    enter("1001", &renewed["keys"][0]["key"]).expect(201);
    let remove =
        |by: &Value, id: &str| as_(addr, by, "DELETE", &format!("/classes/ai/students/{id}"), &Value::Null);
    assert_eq!(remove(&key, "1002").status, 204);
    remove(&key, "1002").problem(422, "class.refused");
    enter("1002", &added["keys"][1]["key"]).problem(401, "class.key-wrong");
    assert_eq!(students().as_array().unwrap().len(), 2);
    // All of it is the teacher's.
    let student = enter("1003", &more["keys"][0]["key"]).expect(201)["token"].clone();
    add(addr, "ai", &student, b"9,x\n").problem(403, "class.teacher-only");
    remove(&student, "1001").problem(403, "class.teacher-only");
    as_(addr, &student, "POST", "/classes/ai/students/1001/key", &Value::Null)
        .problem(403, "class.teacher-only");
    as_(addr, &student, "PUT", "/classes/ai/settings", &json!({})).problem(403, "class.teacher-only");
}

#[test]
fn settings_change_until_games_depend_on_them() {
    let school = Empty::new();
    let (addr, key) = (school.addr(), school.class("ai", &json!({ "size": 7, "references": ["first"] })));
    let change = |settings: Value| as_(addr, &key, "PUT", "/classes/ai/settings", &settings);
    let shown = || as_(addr, &key, "GET", "/classes/ai", &Value::Null).expect(200);
    let all =
        json!({ "title": "AI", "size": 9, "seconds_per_move": 2.0, "deadline": "2031-01-01T00:00:00Z" });
    assert_eq!(change(all).status, 204);
    assert_eq!((&shown()["title"], &shown()["size"]), (&json!("AI"), &json!(9)));
    change(json!({ "references": ["htp:sh"] })).problem(422, "class.refused");
    change(json!({ "game": "hex" })).problem(422, "body.shape");
    std::fs::create_dir_all(school.folder("ai").join("submissions/1001")).unwrap();
    assert_eq!(shown()["fixed"], json!(["rule", "size", "protocol"]));
    assert_eq!(change(json!({ "size": 7 })).problem(409, "class.fixed")["params"]["setting"], "size");
    assert_eq!(
        change(json!({ "seconds_per_move": 3.0, "deadline": "", "marks": { "rank": 5.0 } })).status,
        204
    );
    assert_eq!((&shown()["deadline"], &shown()["marks"]["rank"]), (&Value::Null, &json!(5.0)));
}
