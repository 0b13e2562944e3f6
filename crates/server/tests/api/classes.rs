//! A class over HTTP: students hand in and try, the teacher plays a round and publishes, everybody sees what is theirs.
//! All of it needs bubblewrap, and a test without it fails: a class must not start there.

use crate::client::{Response, as_, get, post, send};
use crate::host::{Data, Host};
use class::config::ClassConfig;
use class::students::{NewKey, Students};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A server with one class of three students on a small board.
struct School {
    host: Host,
    folder: PathBuf,
    keys: Vec<NewKey>,
    teacher: Value,
    _home: tempfile::TempDir,
}

impl School {
    fn new(change: impl FnOnce(&mut ClassConfig)) -> School {
        let home = tempfile::tempdir().unwrap();
        let (folder, keys, teacher) = found(home.path(), change);
        let host = Host::with(|config| config.classes = Some(home.path().to_path_buf()));
        School { host, folder, keys, teacher, _home: home }
    }

    fn addr(&self) -> SocketAddr {
        self.host.addr
    }

    /// Redeems a student's key.
    fn enter(&self, student: usize) -> Value {
        let NewKey { id, key, .. } = &self.keys[student];
        let session = post(self.addr(), "/classes/ai-2026/sessions", &json!({ "student": id, "key": key }));
        let session = session.expect(201);
        assert_eq!(session["role"], "student");
        session["token"].clone()
    }

    fn hand_in(&self, token: &Value, name: &str, bytes: &[u8]) -> Response {
        hand_in(self.addr(), token, name, bytes)
    }

    fn see(&self, token: &Value, path: &str) -> Response {
        as_(self.addr(), token, "GET", &format!("/classes/ai-2026{path}"), &Value::Null)
    }

    fn tell(&self, token: &Value, method: &str, path: &str, body: &Value) -> Response {
        as_(self.addr(), token, method, &format!("/classes/ai-2026{path}"), body)
    }

    /// Waits until the teacher sees a round in this state.
    fn wait_for(&self, round: &str, state: &str) -> Value {
        let began = Instant::now();
        loop {
            let rounds = self.see(&self.teacher, "/rounds").expect(200);
            let found = rounds.as_array().unwrap().iter().find(|entry| entry["name"] == round);
            match found {
                Some(entry) if entry["state"] == state => return entry.clone(),
                _ if began.elapsed() > Duration::from_secs(60) => panic!("never {state}: {rounds}"),
                _ => std::thread::sleep(Duration::from_millis(100)),
            }
        }
    }
}

/// A class in this folder: its own folder, the keys of its three students, and the teacher's token.
pub(crate) fn found(home: &Path, change: impl FnOnce(&mut ClassConfig)) -> (PathBuf, Vec<NewKey>, Value) {
    let folder = home.join("ai-2026");
    std::fs::create_dir(&folder).unwrap();
    let mut config = ClassConfig::new("人工智能 2026", &gomoku::GOMOKU);
    (config.size, config.seconds_per_move) = (7, 5.0);
    config.references = vec!["first".into()];
    change(&mut config);
    config.write(&folder).unwrap();
    let list = "id,name\n1001,王小明\n1002,Ann Lee\n1003,Zoe\n";
    let keys = Students::update(&folder, |students| students.add(list.as_bytes())).unwrap();
    let teacher = json!(class::teacher::renew(&folder).unwrap());
    (folder, keys, teacher)
}

fn hand_in(addr: SocketAddr, token: &Value, name: &str, bytes: &[u8]) -> Response {
    let bearer = format!("Bearer {}", token.as_str().unwrap());
    let headers = [("Content-Type", "application/octet-stream"), ("Authorization", bearer.as_str())];
    let path = format!("/api/v1/classes/ai-2026/submissions?file={name}&lang=en");
    send(addr, "POST", &path, &headers, bytes)
}

fn program() -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/class/programs");
    std::fs::read(root.join("random_player.py")).unwrap()
}

#[test]
fn a_key_opens_the_class_once_and_to_its_own_student_only() {
    let school = School::new(|_| {});
    let list = get(school.addr(), "/classes").expect(200);
    assert_eq!((&list[0]["id"], &list[0]["title"]), (&json!("ai-2026"), &json!("人工智能 2026")));
    let wrong = json!({ "student": "1001", "key": school.keys[1].key });
    post(school.addr(), "/classes/ai-2026/sessions", &wrong).problem(401, "class.key-wrong");
    let nobody = json!({ "student": "9", "key": school.keys[1].key });
    post(school.addr(), "/classes/ai-2026/sessions", &nobody).problem(401, "class.key-wrong");
    let token = school.enter(0);
    let again = json!({ "student": "1001", "key": school.keys[0].key });
    post(school.addr(), "/classes/ai-2026/sessions", &again).problem(409, "class.key-used");
    let me = school.see(&token, "").expect(200);
    assert_eq!((&me["role"], &me["student"]["name"]), (&json!("student"), &json!("王小明")));
    school.see(&token, "/students").problem(403, "class.teacher-only");
    school.see(&token, "/work?student=1002").problem(403, "class.teacher-only");
    school
        .tell(&token, "PUT", "/published", &json!({ "published": true }))
        .problem(403, "class.teacher-only");
    school.tell(&token, "POST", "/rounds", &json!({ "name": "x" })).problem(403, "class.teacher-only");
    school.see(&token, "/export").problem(403, "class.teacher-only");
    school.see(&json!("nonsense"), "").problem(401, "class.key-ended");
    get(school.addr(), "/classes/ai-2026/work").problem(401, "class.key-needed");
    get(school.addr(), "/classes/ai-2026/table").problem(403, "class.hidden");
    get(school.addr(), "/classes/none").problem(404, "class.unknown");
    get(school.addr(), "/classes/..%2Fai-2026").problem(404, "class.unknown");
    let teacher = json!({ "key": school.teacher });
    assert_eq!(post(school.addr(), "/classes/ai-2026/sessions", &teacher).expect(201)["role"], "teacher");
    let forged = json!({ "key": school.keys[2].key });
    post(school.addr(), "/classes/ai-2026/sessions", &forged).problem(401, "class.key-wrong");
}

#[test]
fn of_two_browsers_with_one_key_only_one_gets_in() {
    let school = School::new(|_| {});
    let order = json!({ "student": "1002", "key": school.keys[1].key });
    let addr = school.addr();
    let both: Vec<u16> = std::thread::scope(|scope| {
        let ask = || post(addr, "/classes/ai-2026/sessions", &order).status;
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(both.contains(&201) && both.contains(&409), "{both:?}");
}

#[test]
fn the_verdict_comes_with_the_answer_and_every_version_is_kept() {
    let school = School::new(|_| {});
    let token = school.enter(0);
    let bad = school.hand_in(&token, "main.c", b"int main(void) {\n  return x;\n}\n").expect(201);
    assert_eq!((&bad["verdict"]["accepted"], &bad["verdict"]["failed"]), (&json!(false), &json!("compile")));
    assert!(bad["verdict"]["message"].as_str().unwrap().contains("main.c:2:"), "{bad}");
    let silent = school.hand_in(&token, "main.py", b"raise SystemExit('no luck')\n").expect(201);
    assert_eq!(silent["verdict"]["failed"], "check");
    let checks = silent["verdict"]["checks"].as_array().unwrap();
    let missed = checks.iter().find(|check| check["passed"] == false).unwrap();
    assert!(missed["detail"].as_str().unwrap().contains("no luck"), "the raw lines: {missed}");
    assert!(!missed["advice"].as_str().unwrap().is_empty(), "what to change: {missed}");
    school.tell(&token, "POST", "/trials", &json!({})).problem(409, "class.nothing-to-try");
    let good = school.hand_in(&token, "player.py", &program()).expect(201);
    assert_eq!((&good["verdict"]["accepted"], &good["version"]), (&json!(true), &json!(3)), "{good}");
    school.hand_in(&token, "player.py", &program()).problem(409, "class.same-file");
    let work = school.see(&token, "/work").expect(200);
    assert_eq!((work["versions"].as_array().unwrap().len(), &work["counts"]), (3, &json!(3)));
    let students = school.see(&school.teacher, "/students").expect(200);
    assert_eq!((&students[0]["versions"], &students[0]["entered"]), (&json!(3), &json!(true)));
    assert_eq!((&students[1]["versions"], &students[1]["entered"]), (&json!(0), &json!(false)));
    let file = school.see(&school.teacher, "/submissions?student=1001&version=3");
    assert_eq!((file.status, file.body), (200, program()));
    let other = school.enter(1);
    school.see(&other, "/submissions?student=1001&version=3").problem(403, "class.teacher-only");
    school.see(&other, "/submissions?version=3").problem(422, "class.refused");
    school.hand_in(&token, "big.zip", &vec![0; (8 << 20) + 1]).problem(413, "body.too-large");
    let one_mb = vec![b'x'; (1 << 20) + 1];
    school.hand_in(&token, "big.py", &one_mb).expect(201);
    school.hand_in(&school.teacher, "player.py", &program()).problem(403, "class.student-only");
}

#[test]
fn a_file_handed_in_twice_at_once_is_one_version() {
    let school = School::new(|_| {});
    let (addr, token) = (school.addr(), school.enter(0));
    let both: Vec<u16> = std::thread::scope(|scope| {
        let send = || hand_in(addr, &token, "player.py", &program()).status;
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(send)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(both.contains(&201) && both.contains(&409), "{both:?}");
    let work = school.see(&token, "/work").expect(200);
    assert_eq!((work["versions"].as_array().unwrap().len(), &work["counts"]), (1, &json!(1)));
}

#[test]
fn what_is_wrong_with_a_file_is_said_to_its_student_and_kept() {
    let school = School::new(|_| {});
    let token = school.enter(0);
    let said = |name: &str, bytes: &[u8], failed: &str, words: &str| {
        let verdict = school.hand_in(&token, name, bytes).expect(201)["verdict"].clone();
        assert_eq!((&verdict["accepted"], &verdict["failed"]), (&json!(false), &json!(failed)), "{name}");
        assert!(verdict["message"].as_str().unwrap().contains(words), "{name}: {verdict}");
    };
    said("latin-1.py", b"# caf\xe9\nprint()\n", "language", "UTF-8");
    said("notes.txt", b"my program", "language", "no program found");
    said("broken.zip", b"PK\x03\x04 nonsense", "unpack", "cannot be read");
    let gzip = [0x1f, 0x8b, 8, 0];
    said("cut.tar.gz", &gzip, "unpack", "cannot be read");
    let work = school.see(&token, "/work").expect(200);
    assert_eq!((work["versions"].as_array().unwrap().len(), &work["counts"]), (4, &Value::Null));
}

#[test]
fn what_comes_after_the_deadline_is_kept_and_does_not_count() {
    let school = School::new(|config| config.deadline = Some("2020-01-01T00:00:00+08:00".into()));
    let token = school.enter(0);
    let late = school.hand_in(&token, "player.py", &program()).expect(201);
    assert_eq!((&late["late"], &late["verdict"]["accepted"]), (&json!(true), &json!(true)));
    assert_eq!(school.see(&token, "/work").expect(200)["counts"], Value::Null);
    assert_eq!(get(school.addr(), "/classes/ai-2026").expect(200)["closed"], true);
    school
        .tell(&school.teacher, "POST", "/rounds", &json!({ "name": "final" }))
        .problem(409, "class.too-few");
}

#[test]
fn trial_games_appear_with_their_logs() {
    let school = School::new(|_| {});
    let token = school.enter(0);
    school.hand_in(&token, "player.py", &program()).expect(201);
    school.tell(&token, "POST", "/trials", &json!({ "against": "nobody" })).problem(422, "class.refused");
    let begun = school.tell(&token, "POST", "/trials", &json!({})).expect(202);
    assert_eq!(begun["version"], 1);
    let began = Instant::now();
    let work = loop {
        let work = school.see(&token, "/work").expect(200);
        if work["trying"] == false {
            break work;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{work}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(work["trials"].as_array().unwrap().len(), 2, "{work}");
    assert!(work["trials"][0]["log"].as_str().unwrap().contains("to engine:"), "{work}");
    let game = school.see(&token, "/trials/1").expect(200);
    assert_eq!(game["names"], json!(["1001", "first"]));
    assert!(game["moves"].as_array().unwrap().len() > 4 && game["setup"]["rows"] == 7, "{game}");
    school.see(&token, "/trials/9").problem(404, "class.game-unknown");
    let other = school.enter(1);
    school.see(&other, "/trials/1?student=1001").problem(403, "class.teacher-only");
    assert_eq!(school.see(&school.teacher, "/trials/2?student=1001").expect(200)["names"][0], "first");
}

#[test]
fn a_round_is_played_published_and_exported() {
    let school = School::new(|_| {});
    let (one, two) = (school.enter(0), school.enter(1));
    school.hand_in(&one, "player.py", &program()).expect(201);
    let other: Vec<u8> = [program(), b"\n# another\n".to_vec()].concat();
    school.hand_in(&two, "player.py", &other).expect(201);
    let order = json!({ "name": "final", "games": 2 });
    school.tell(&school.teacher, "POST", "/rounds", &json!({ "name": "../x" })).problem(422, "class.refused");
    school
        .tell(&school.teacher, "POST", "/rounds", &json!({ "name": "a", "format": "x" }))
        .problem(422, "class.refused");
    school.tell(&school.teacher, "POST", "/rounds", &order).expect(202);
    let over = school.wait_for("final", "over");
    assert_eq!((&over["games"], &over["planned"], &over["failure"]), (&json!(6), &json!(6), &Value::Null));
    school.see(&one, "/table").problem(403, "class.hidden");
    let own = school.see(&one, "/report").expect(200);
    assert_eq!(
        (own["games"].as_array().unwrap().len(), &own["row"]),
        (4, &Value::Null),
        "the place is hidden"
    );
    let games = school.see(&one, "/games").expect(200);
    assert_eq!(games.as_array().unwrap().len(), 4, "only one's own");
    assert_eq!(school.see(&school.teacher, "/games").expect(200).as_array().unwrap().len(), 6);
    let number = |mine: &str, other: &str| {
        let all = school.see(&school.teacher, "/games").expect(200);
        let found = all.as_array().unwrap().iter().find(|game| game["names"] == json!([mine, other]));
        found.map(|game| game["id"].as_u64().unwrap()).unwrap()
    };
    let path = format!("/games/{}", number("1001", "1002"));
    let game = school.see(&one, &path).expect(200);
    assert!(!game["logs"][0].as_str().unwrap().is_empty(), "one's own log is there: {game}");
    assert_eq!(game["logs"][1], "", "and not the opponent's");
    let foreign = format!("/games/{}", number("1002", "first"));
    school.see(&one, &foreign).problem(404, "class.game-unknown");
    school.tell(&one, "PUT", "/published", &json!({ "published": true })).problem(403, "class.teacher-only");
    school.tell(&school.teacher, "PUT", "/published", &json!({ "published": true })).expect(200);
    let table = get(school.addr(), "/classes/ai-2026/table").expect(200);
    assert_eq!((table["rows"].as_array().unwrap().len(), &table["over"]), (4, &json!(true)));
    assert!(table["rows"].as_array().unwrap().iter().all(|row| row["mark"].is_null()), "marks are private");
    assert!(school.see(&one, "/report").expect(200)["row"]["mark"].is_number());
    get(school.addr(), &format!("/classes/ai-2026{foreign}")).expect(200);
    let marks = school.see(&school.teacher, "/table").expect(200);
    assert!(marks["rows"].as_array().unwrap().iter().any(|row| row["mark"].is_number()));
    let zip = school.see(&school.teacher, "/export");
    assert!(zip.status == 200 && zip.body.starts_with(b"PK"), "{}", zip.status);
    school.tell(&school.teacher, "PUT", "/published", &json!({ "published": false })).expect(200);
    get(school.addr(), "/classes/ai-2026/table").problem(403, "class.hidden");
}

#[test]
fn a_round_can_be_paused_and_goes_on_after_a_restart() {
    let mut school = School::new(|_| {});
    let token = school.enter(0);
    school.hand_in(&token, "player.py", &program()).expect(201);
    let order = json!({ "name": "long", "games": 100 });
    school.tell(&school.teacher, "POST", "/rounds", &order).expect(202);
    school
        .tell(&school.teacher, "POST", "/rounds", &json!({ "name": "ladder" }))
        .problem(409, "class.round-running");
    school.tell(&school.teacher, "POST", "/rounds", &json!({ "name": "long", "pause": true })).expect(202);
    let paused = school.wait_for("long", "paused");
    assert!(paused["games"].as_u64().unwrap() < 100, "{paused}");
    let idle = json!({ "name": "long", "pause": true });
    school.tell(&school.teacher, "POST", "/rounds", &idle).problem(409, "class.round-idle");
    school.tell(&school.teacher, "POST", "/rounds", &json!({ "name": "long" })).expect(202);
    assert!(school.folder.join("playing").exists());
    let classes = school.folder.parent().unwrap().to_path_buf();
    drop(std::mem::replace(&mut school.host, Host::start()));
    school.host = Host::on_with(Data::fresh(), |config| config.classes = Some(classes));
    school.wait_for("long", "running");
    school.tell(&school.teacher, "POST", "/rounds", &json!({ "name": "long", "pause": true })).expect(202);
    school.wait_for("long", "paused");
    assert!(!school.folder.join("playing").exists());
    school.tell(&school.teacher, "POST", "/rounds", &json!({ "name": "ladder" })).expect(202);
    let began = Instant::now();
    while school.wait_for("ladder", "running")["games"] == 0 {
        assert!(began.elapsed() < Duration::from_secs(30), "the ladder does not play");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(school.see(&token, "").expect(200)["rounds"], json!(["long", "ladder"]));
    assert_eq!(get(school.addr(), "/classes/ai-2026").expect(200)["rounds"], json!([]), "hidden");
    school.tell(&school.teacher, "PUT", "/published", &json!({ "published": true })).expect(200);
    get(school.addr(), "/classes/ai-2026/table?round=ladder").expect(200);
    let table = school.see(&school.teacher, "/table?round=ladder").expect(200);
    let rows = table["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["mark"].is_null()), "a ladder gives no marks: {table}");
    assert_eq!((&table["round"], &table["running"]), (&json!("ladder"), &json!(true)));
}

#[test]
fn no_more_programs_wait_than_there_is_room_for() {
    // Checks of a program that sleeps take seconds; the line fills up meanwhile.
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("ai-2026");
    std::fs::create_dir(&folder).unwrap();
    let mut config = ClassConfig::new("x", &gomoku::GOMOKU);
    (config.size, config.seconds_per_move) = (7, 1.0);
    config.write(&folder).unwrap();
    let list: String = (0..60).map(|number| format!("{number},n\n")).collect();
    let keys = Students::update(&folder, |students| students.add(list.as_bytes())).unwrap();
    let tokens: Vec<Value> = Students::update(&folder, |students| {
        keys.iter().map(|key| Ok(json!(students.redeem(&key.id, &key.key)?))).collect()
    })
    .unwrap();
    let host = Host::with(|config| config.classes = Some(home.path().to_path_buf()));
    let addr = host.addr;
    let slow = b"import time\ntime.sleep(3)\n";
    let (tell, told) = std::sync::mpsc::channel();
    for token in tokens {
        let tell = tell.clone();
        std::thread::spawn(move || tell.send(hand_in(addr, &token, "main.py", slow).status));
    }
    let first = told.recv_timeout(Duration::from_secs(30)).unwrap();
    assert_eq!(first, 503, "those who find no room are told at once");
}

#[test]
fn without_classes_the_list_is_empty_and_the_rest_says_how() {
    let host = Host::start();
    assert_eq!(get(host.addr, "/classes").expect(200), json!([]));
    let said = get(host.addr, "/classes/x").problem(404, "class.none");
    assert!(said["detail"].as_str().unwrap().contains("--classes"));
}
