//! Handing in: what is kept of a version, and what is refused.

#![cfg(target_os = "linux")]

use arena::sandbox::Sandbox;
use class::ClassError;
use class::config::ClassConfig;
use class::students::Students;
use class::submission::{Desk, Submission, Tongue};
use std::path::{Path, PathBuf};

struct Course {
    home: tempfile::TempDir,
    config: ClassConfig,
    sandbox: Sandbox,
}

impl Course {
    fn new() -> Course {
        let home = tempfile::tempdir().unwrap();
        let mut config = ClassConfig::new("x", &gomoku::GOMOKU);
        config.size = 9;
        config.seconds_per_move = 5.0;
        config.write(home.path()).unwrap();
        Students::update(home.path(), |all| all.add(b"1,Ann")).unwrap();
        let sandbox =
            Sandbox::new(config.limits.clone()).expect("bubblewrap must be installed for this test");
        Course { home, config, sandbox }
    }

    fn submit(&self, tongue: Tongue, file: &str, bytes: &[u8]) -> Result<Submission, ClassError> {
        let folder = self.home.path();
        let students = Students::read(folder).unwrap();
        let game = &gomoku::GOMOKU;
        let desk = Desk { folder, config: &self.config, game, sandbox: &self.sandbox, tongue };
        desk.submit(students.get("1").unwrap(), file, bytes, jiff::Timestamp::now())
    }

    fn version(&self, version: u32) -> PathBuf {
        self.home.path().join(format!("submissions/1/{version:04}"))
    }
}

fn sample(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/class/programs").join(name);
    std::fs::read(path).unwrap()
}

#[test]
fn what_was_built_is_kept_of_accepted_versions_only() {
    let course = Course::new();
    let good = course.submit(Tongue::English, "main.py", &sample("random_player.py")).unwrap();
    assert!(good.verdict.accepted, "{}", good.verdict.message);
    assert!(course.version(1).join("built").exists());
    let bad = course.submit(Tongue::English, "main.py", b"raise SystemExit('no luck')\n").unwrap();
    assert_eq!(bad.verdict.failed, "check");
    assert!(course.version(2).join("handed-in").exists());
    assert!(!course.version(2).join("built").exists());
}

#[test]
fn a_program_that_grows_when_compiled_is_refused() {
    let course = Course::new();
    let program = b"char big[40 << 20] = {1};\nint main(void) { return big[0]; }\n";
    let huge = course.submit(Tongue::English, "main.c", program).unwrap();
    assert_eq!(huge.verdict.failed, "compile");
    assert!(huge.verdict.message.contains("more than 33554432 bytes"), "{}", huge.verdict.message);
    assert!(!course.version(1).join("built").exists());
}

#[test]
fn a_student_cannot_fill_the_disk() {
    let course = Course::new();
    course.submit(Tongue::English, "report.pdf", b"%PDF").unwrap();
    // A hole: it takes no space here.
    let file = std::fs::File::create(course.version(1).join("handed-in")).unwrap();
    file.set_len(600 << 20).unwrap();
    let refused = course.submit(Tongue::English, "report2.pdf", b"%PDF2").unwrap_err().to_string();
    assert!(refused.contains("600 MiB; accepted: up to 512 MiB"), "{refused}");
    assert!(!course.version(2).exists());
}

#[test]
fn verdicts_are_in_the_readers_language() {
    let course = Course::new();
    let said = |tongue: Tongue, file: &str, bytes: &[u8]| {
        // A file that was handed in last is refused.
        course.submit(Tongue::English, "between.pdf", b"%PDF").unwrap();
        course.submit(tongue, file, bytes).unwrap().verdict.message
    };
    let syntax: &[u8] = b"int main(void) {\n  return x;\n}\n";
    for (file, bytes, english, chinese) in [
        ("x.zip", &b"PK\x03\x04 broken"[..], "the archive cannot be read", "压缩包无法读取"),
        ("report.doc", b"text", "no program found among report.doc", "在 report.doc 中没有找到程序"),
        ("main.py", b"# \xce\xe5\xd7\xd3", "perhaps GBK", "可能是 GBK"),
        ("main.c", syntax, "it does not compile (exit", "编译没有通过（exit"),
    ] {
        let (en, zh) = (said(Tongue::English, file, bytes), said(Tongue::Chinese, file, bytes));
        assert!(en.contains(english) && !en.contains(chinese), "{en}");
        assert!(zh.contains(chinese) && !zh.contains(english), "{zh}");
    }
    let lines = said(Tongue::Chinese, "main.c", syntax);
    assert!(lines.contains("main.c:2:"), "the compiler's own words stay: {lines}");
}
