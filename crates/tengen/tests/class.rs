//! The walk-through of guide/en/class.md: from an empty folder to a published table, in ten commands.

#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "a test that skips something says so")]

use assert_cmd::Command;
use std::path::{Path, PathBuf};

fn tengen(words: &[&str]) -> Command {
    let mut command = Command::cargo_bin("tengen").unwrap();
    command.args(words);
    command
}

fn sample(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/class");
    root.join(name).to_string_lossy().into_owned()
}

fn output(command: &mut Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

/// Runs the commands of the guide; `DIR` stands for the folder.
fn commands(guide: &str) -> Vec<Vec<String>> {
    let block =
        guide.split("```").find(|block| block.contains("tengen class new")).expect("the ten commands");
    let lines = block.lines().filter(|line| line.starts_with("tengen class"));
    lines.map(|line| line.split_whitespace().skip(1).map(str::to_string).collect()).collect()
}

#[test]
fn the_walk_through_of_the_guide_works_in_ten_commands() {
    let home = tempfile::tempdir().unwrap();
    for guide in ["en", "zh"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../guide").join(guide).join("class.md");
        let commands = commands(&std::fs::read_to_string(path).unwrap());
        assert_eq!(commands.len(), 10, "{guide}");
        let folder = home.path().join(guide);
        std::fs::create_dir(&folder).unwrap();
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        std::os::unix::fs::symlink(examples, folder.join("examples")).unwrap();
        for words in &commands {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            tengen(&words).current_dir(&folder).assert().success();
        }
        let table = std::fs::read_to_string(folder.join("results/table.csv")).unwrap();
        assert_eq!(table.lines().count(), 5, "three students, a reference and a heading: {table}");
        assert!(table.contains("王小明"));
        assert!(std::fs::read_to_string(folder.join("results/games.sgf")).unwrap().contains("RE["));
        assert!(folder.join("results/students/2026003.html").exists());
        assert!(folder.join("course/published").exists());
        let pages = ["2026001", "2026002", "2026003"]
            .map(|id| std::fs::read_to_string(folder.join(format!("results/students/{id}.html"))).unwrap());
        let reviewed = pages.iter().filter(|page| page.contains("The engine's review")).count();
        assert!(reviewed == 3, "everybody has won or lost a game, and a review of it: {reviewed}");
        assert!(pages.iter().any(|page| page.contains("<svg") && page.contains("report.html#")));
    }
}

#[test]
fn weights_of_marks_are_given_when_a_class_is_made() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("class").to_string_lossy().into_owned();
    let new = ["class", "new", &path, "--game", "hex", "--marks"];
    let done = tengen(&new).arg("score=40,style=5").output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&done.stderr).contains("'style' is no part of a mark; accepted: submitted")
    );
    tengen(&new).arg("score=40,rank=0").assert().success();
    let settings = std::fs::read_to_string(home.path().join("class/class.toml")).unwrap();
    assert!(settings.contains("score = 40.0") && settings.contains("rank = 0.0"), "{settings}");
    assert!(settings.contains("references = 20.0"), "{settings}");
}

/// A class on a small board with the three sample programs handed in.
fn sample_class(home: &Path) -> PathBuf {
    let folder = home.join("class");
    let path = folder.to_string_lossy().into_owned();
    let options = [
        "--game",
        "gomoku",
        "--size",
        "9",
        "--time",
        "5",
        "--nodes",
        "200",
        "--reference",
        "classic-ac@depth=1",
    ];
    tengen(&["class", "new", &path]).args(options).assert().success();
    tengen(&["class", "add", &path, &sample("students.csv")]).assert().success();
    for (student, file) in
        [("2026001", "random_player.py"), ("2026002", "line_counter.c"), ("2026003", "blocker.js")]
    {
        tengen(&["class", "submit", &path, student, &sample(&format!("programs/{file}"))]).assert().success();
    }
    folder
}

#[test]
fn a_round_survives_kills_and_the_same_seed_gives_the_same_table() {
    let home = tempfile::tempdir().unwrap();
    let folder = sample_class(home.path());
    let path = folder.to_str().unwrap();
    let mut kills = 0;
    while kills < 3 {
        let program = assert_cmd::cargo::cargo_bin("tengen");
        let mut child = std::process::Command::new(program)
            .args(["class", "run", path, "--round", "killed"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(700 + 400 * kills));
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    tengen(&["class", "run", path, "--round", "killed"]).assert().success();
    tengen(&["class", "run", path, "--round", "calm"]).assert().success();
    let table = |round: &str| {
        let text = output(&mut tengen(&["class", "table", path, "--round", round, "--json"]));
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        for row in value["table"].as_array_mut().unwrap() {
            row["seconds_per_game"] = serde_json::Value::Null;
        }
        (value["games"].clone(), value["table"].clone())
    };
    assert_eq!(table("killed").0, 12);
    assert_eq!(table("killed"), table("calm"));
    let swiss = ["class", "run", path, "--round", "swiss", "--format", "swiss:2"];
    tengen(&swiss).assert().success();
    assert_eq!(table("swiss").0, 8);
    tengen(&["class", "ladder", path, "--games", "3"]).assert().success();
    let ladder = output(&mut tengen(&["class", "table", path, "--ladder", "--csv"]));
    assert!(ladder.starts_with("rank,id,name"), "{ladder}");
    let report = output(&mut tengen(&["class", "report", path, "2026001", "--review-nodes", "20"]));
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert!(!report["games"].as_array().unwrap().is_empty());
    assert!(report["reviews"][0]["moves"].is_array(), "{report}");
}

#[test]
fn no_class_starts_without_bubblewrap_and_the_server_says_what_to_install() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().to_str().unwrap();
    let serve = ["serve", "--addr", "127.0.0.1:0", "--data", folder, "--classes", folder];
    let done =
        tengen(&serve).env("PATH", folder).timeout(std::time::Duration::from_secs(20)).output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("no class can start") && said.contains("apt-get install bubblewrap"), "{said}");
    let nowhere = ["serve", "--addr", "127.0.0.1:0", "--data", folder, "--classes", "/nonexistent"];
    let done = tengen(&nowhere).timeout(std::time::Duration::from_secs(20)).output().unwrap();
    assert!(String::from_utf8_lossy(&done.stderr).contains("/nonexistent is not a folder"));
}

/// A server of classes on a free port, ended when it is dropped.
struct Server {
    child: std::process::Child,
    address: String,
}

impl Server {
    fn start(data: &Path, classes: &Path) -> Server {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let addr = format!("127.0.0.1:{port}");
        let child = std::process::Command::new(assert_cmd::cargo::cargo_bin("tengen"))
            .args(["serve", "--addr", &addr, "--data"])
            .arg(data)
            .arg("--classes")
            .arg(classes)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while std::net::TcpStream::connect(&addr).is_err() {
            assert!(std::time::Instant::now() < until, "the server did not start");
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        Server { child, address: format!("http://{addr}") }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_student_hands_in_from_another_machine_and_gets_the_same_verdict() {
    let home = tempfile::tempdir().unwrap();
    let (classes, data) = (home.path().join("classes"), home.path().join("data"));
    std::fs::create_dir(&classes).unwrap();
    let folder = classes.join("course");
    let path = folder.to_str().unwrap();
    let new = ["class", "new", path, "--game", "gomoku", "--size", "9", "--time", "5"];
    tengen(&new).assert().success();
    let keys = home.path().join("keys.csv");
    tengen(&["class", "add", path, &sample("students.csv"), "--keys", keys.to_str().unwrap()])
        .assert()
        .success();
    let keys = std::fs::read_to_string(keys).unwrap();
    let key = |id: &str| keys.lines().find(|line| line.starts_with(id)).unwrap().rsplit(',').next().unwrap();
    let server = Server::start(&data, &classes);
    let submit = |machine: &str, file: &str, more: &[&str]| {
        let own = home.path().join(machine);
        let words = ["class", "submit", "course", "2026001", file, "--server", &server.address];
        let mut command = tengen(&words);
        command.args(more).env("XDG_DATA_HOME", own).env("NO_PROXY", "127.0.0.1");
        let done = command.output().unwrap();
        let said = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
        (done.status.success(), said)
    };
    let program = sample("programs/random_player.py");
    let (ok, said) = submit("laptop", &program, &[]);
    assert!(!ok && said.contains("--key KEY"), "{said}");
    let (ok, said) = submit("laptop", &program, &["--key", "nonsense"]);
    assert!(!ok && said.contains("do not belong together"), "{said}");
    let (ok, said) = submit("laptop", &program, &["--key", key("2026001")]);
    assert!(ok && said.contains("accepted"), "{said}");
    // The same in the teacher's folder: the same words, but for the number of the student and what was measured.
    let there = output(&mut tengen(&["class", "submit", path, "2026002", &program]));
    let verdicts =
        |said: &str| said.lines().map(|line| line.split(": ").next().map(String::from)).collect::<Vec<_>>();
    assert_eq!(verdicts(&said.replace("2026001", "2026002")), verdicts(&there));
    // The key is spent; this machine remembers, another does not.
    let bad = home.path().join("main.c");
    std::fs::write(&bad, "int main(void) {\n  return x;\n}\n").unwrap();
    let (ok, said) = submit("laptop", bad.to_str().unwrap(), &["--lang", "zh"]);
    assert!(!ok && said.contains("main.c:2:") && said.contains("编译没有通过"), "{said}");
    let (ok, said) = submit("desktop", &program, &["--key", key("2026001")]);
    assert!(!ok && said.contains("used already"), "{said}");
    let tokens = home.path().join("laptop/tengen/class-tokens.json");
    let mode = std::os::unix::fs::PermissionsExt::mode(&tokens.metadata().unwrap().permissions());
    assert_eq!(mode & 0o077, 0, "only its user reads a token");
    let nowhere = ["class", "submit", "course", "2026001", &program, "--server", "http://127.0.0.1:1"];
    let done = tengen(&nowhere).args(["--key", "x"]).env("XDG_DATA_HOME", home.path()).output().unwrap();
    assert!(String::from_utf8_lossy(&done.stderr).contains("cannot reach http://127.0.0.1:1"));
}

/// Answers over https on a free port, printed first, what a server on another port answers over http.
const HTTPS: &str = r#"
import socket, ssl, sys, threading
folder, port = sys.argv[1], int(sys.argv[2])
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain(folder + "/cert.pem", folder + "/key.pem")
def pump(one, other):
    try:
        while data := one.recv(65536):
            other.sendall(data)
        other.shutdown(socket.SHUT_WR)
    except OSError:
        pass
def serve(plain):
    try:
        client = tls.wrap_socket(plain, server_side=True)
    except OSError:
        return
    behind = socket.create_connection(("127.0.0.1", port))
    threading.Thread(target=pump, args=(client, behind), daemon=True).start()
    pump(behind, client)
door = socket.create_server(("127.0.0.1", 0))
print(door.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(door.accept()[0],), daemon=True).start()
"#;

/// A process that ends with the test.
struct Running(std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_server_behind_https_is_reached_if_its_certificate_is_trusted() {
    let home = tempfile::tempdir().unwrap();
    let own = |name: &str| home.path().join(name).to_string_lossy().into_owned();
    let mut openssl = std::process::Command::new("openssl");
    openssl.args(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost".split(' '),
    );
    openssl
        .args("-addext basicConstraints=critical,CA:FALSE -addext subjectAltName=DNS:localhost".split(' '));
    openssl.args(["-keyout", &own("key.pem"), "-out", &own("cert.pem")]);
    if !openssl.output().is_ok_and(|done| done.status.success()) {
        eprintln!("skipped: openssl is missing");
        assert!(std::env::var_os("CI").is_none(), "in CI a missing openssl is a failure");
        return;
    }
    let (classes, data) = (own("classes"), own("data"));
    std::fs::create_dir(&classes).unwrap();
    let folder = format!("{classes}/course");
    tengen(&["class", "new", &folder, "--game", "gomoku", "--size", "9", "--time", "5"]).assert().success();
    let keys = output(&mut tengen(&["class", "add", &folder, &sample("students.csv")]));
    let key = keys.lines().nth(1).unwrap().rsplit(',').next().unwrap();
    let server = Server::start(Path::new(&data), Path::new(&classes));
    let mut proxy = std::process::Command::new("python3");
    proxy.args(["-c", HTTPS, home.path().to_str().unwrap(), server.address.rsplit(':').next().unwrap()]);
    let mut proxy = Running(proxy.stdout(std::process::Stdio::piped()).spawn().unwrap());
    let mut port = String::new();
    let mut said = std::io::BufReader::new(proxy.0.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut said, &mut port).unwrap();
    let address = format!("https://localhost:{}", port.trim());
    let submit = |trusted: &str| {
        let program = sample("programs/random_player.py");
        let mut command = tengen(&["class", "submit", "course", "2026001", &program, "--server", &address]);
        command.args(["--key", key]).env("XDG_DATA_HOME", home.path()).env("NO_PROXY", "localhost");
        let done = command.env("SSL_CERT_FILE", trusted).env_remove("SSL_CERT_DIR").output().unwrap();
        (done.status.success(), String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned())
    };
    std::fs::write(own("none.pem"), "").unwrap();
    let (ok, said) = submit(&own("none.pem"));
    assert!(!ok && said.contains("SSL_CERT_FILE"), "{said}");
    // Another certificate of the same name is not the one that is trusted.
    let trusted = std::fs::read(own("cert.pem")).unwrap();
    let mut again = std::process::Command::new("openssl");
    again.args(openssl.get_args().take(openssl.get_args().count() - 1)).arg(own("other.pem"));
    std::fs::copy(own("key.pem"), own("kept.pem")).unwrap();
    assert!(again.output().unwrap().status.success());
    std::fs::copy(own("kept.pem"), own("key.pem")).unwrap();
    assert_ne!(std::fs::read(own("other.pem")).unwrap(), trusted);
    let (ok, said) = submit(&own("other.pem"));
    assert!(!ok && said.contains("cannot reach https://localhost"), "{said}");
    let (ok, said) = submit(&own("cert.pem"));
    assert!(ok && said.contains("accepted"), "{said}");
}

#[test]
fn a_class_is_set_up_and_changed_with_the_same_checks() {
    let home = tempfile::tempdir().unwrap();
    let (classes, folder) = (home.path().join("classes"), home.path().join("classes/course"));
    let (classes, folder) = (classes.to_str().unwrap(), folder.to_str().unwrap());
    let said = |words: &[&str]| {
        let done = tengen(words).output().unwrap();
        (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    tengen(&["class", "new", folder, "--game", "hex", "--title", "Hex"]).assert().success();
    let (code, text) = said(&["class", "new", folder, "--game", "hex"]);
    assert!(code == Some(2) && text.contains("is not empty"), "{text}");
    let (code, text) = said(&["class", "set", folder, "--memory", "4"]);
    assert!(code == Some(2) && text.contains("memory_mb 16 to 65536"), "{text}");
    let (code, text) = said(&["class", "set", folder, "--protocol", "line", "--opening-stones", "2"]);
    assert!(code == Some(2) && text.contains("cannot start from an opening"), "{text}");
    tengen(&["class", "set", folder, "--size", "5", "--deadline", "2031-01-01T00:00:00Z"]).assert().success();
    let settings = std::fs::read_to_string(format!("{folder}/class.toml")).unwrap();
    assert!(settings.contains("size = 5") && settings.contains("title = \"Hex\""), "{settings}");
    tengen(&["class", "add", folder, &sample("students.csv")]).assert().success();
    tengen(&["class", "remove", folder, "2026001"]).assert().success();
    let (code, text) = said(&["class", "remove", folder, "2026001"]);
    assert!(code == Some(1) && text.contains("no student '2026001'"), "{text}");
    let key = output(&mut tengen(&["class", "key", classes, "--create"]));
    assert_eq!(key.trim().len(), 20, "{key}");
    let (code, text) = said(&["class", "key", folder, "--create"]);
    assert!(code == Some(2) && text.contains("the folder that classes are in"), "{text}");
}

#[test]
fn what_is_wrong_with_a_submission_is_said_and_nothing_is_lost() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("class").to_string_lossy().into_owned();
    let new = ["class", "new", &path, "--game", "gomoku", "--size", "9", "--time", "5"];
    tengen(&new).args(["--deadline", "2030-01-01T00:00:00+08:00"]).assert().success();
    tengen(&["class", "add", &path, &sample("students.csv")]).assert().success();
    let submit = |name: &str, bytes: &[u8]| {
        let file = home.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        let done = tengen(&["class", "submit", &path, "2026001"]).arg(&file).output().unwrap();
        (done.status.success(), String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned())
    };
    let (ok, said) = submit("main.c", b"int main(void) {\n  return x;\n}\n");
    assert!(!ok && said.contains("main.c:2:"), "{said}");
    let (ok, said) = submit("main.py", b"def f(:\n");
    assert!(!ok && said.contains("main.py") && said.contains("line 1"), "{said}");
    let (ok, said) = submit("main.py", b"raise SystemExit('no luck')\n");
    assert!(!ok && said.contains("no luck") && said.contains("not accepted"), "{said}");
    let (ok, said) = submit("report.pdf", b"%PDF");
    assert!(!ok && said.contains("no program found"), "{said}");
    let (ok, said) = submit("report.pdf", b"%PDF");
    assert!(!ok && said.contains("same file as version 4"), "{said}");
    let (ok, said) = submit("x.zip", b"PK\x03\x04 broken");
    assert!(!ok && said.contains("cannot be read"), "{said}");
    let status = output(&mut tengen(&["class", "status", &path, "--json"]));
    let status: serde_json::Value = serde_json::from_str(&status).unwrap();
    assert_eq!(status["students"][0]["versions"].as_array().unwrap().len(), 5, "every version is kept");
    let done = tengen(&["class", "run", &path]).output().unwrap();
    assert!(String::from_utf8_lossy(&done.stderr).contains("fewer than two programs"));
    let config = std::fs::read_to_string(home.path().join("class/class.toml")).unwrap();
    std::fs::write(home.path().join("class/class.toml"), config.replace("2030-01-01", "2020-01-01")).unwrap();
    let program = std::fs::read(sample("programs/random_player.py")).unwrap();
    let (_, said) = submit("late.py", &program);
    assert!(said.contains("after the deadline"), "{said}");
    let status = output(&mut tengen(&["class", "status", &path]));
    assert!(status.contains("only late"), "{status}");
}
