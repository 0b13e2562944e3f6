//! Every language of the table compiles and runs in the sandbox.

#![cfg(target_os = "linux")]

use arena::process::Child;
use arena::sandbox::{Sandbox, SandboxPolicy};
use class::archive::{self, Bounds};
use class::build::{self, BuildError};
use class::language::Languages;
use game::StopFlag;
use std::time::{Duration, Instant};

const ECHO: [(&str, &str); 6] = [
    (
        "echo.c",
        "#include <stdio.h>\nint main(void) { char s[99]; if (fgets(s, 99, stdin)) printf(\"got %s\", s); }\n",
    ),
    (
        "echo.cpp",
        "#include <iostream>\nint main() { std::string s; std::getline(std::cin, s); std::cout << \"got \" << s << std::endl; }\n",
    ),
    ("echo.py", "print('got', input())\n"),
    (
        "Echo.java",
        "public class Echo { public static void main(String[] a) { System.out.println(\"got \" + new java.util.Scanner(System.in).nextLine()); } }\n",
    ),
    ("echo.js", "process.stdin.once('data', (line) => console.log('got ' + line.toString().trim()));\n"),
    (
        "echo.rs",
        "fn main() { let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap(); println!(\"got {}\", s.trim()); }\n",
    ),
];

#[test]
fn all_six_languages_compile_and_answer() {
    let sandbox = Sandbox::new(SandboxPolicy::default()).expect("bubblewrap must be installed for this test");
    let languages = Languages::default();
    let home = tempfile::tempdir().unwrap();
    for (name, text) in ECHO {
        let files = archive::unpack(name, text.as_bytes(), Bounds::default()).unwrap();
        let (language, main) = languages.of(&files).unwrap();
        let (source, built) = (home.path().join(format!("{name}.source")), home.path().join(name));
        archive::write(&files, &source).unwrap();
        build::compile(&sandbox, language, &main, &source, &built).unwrap_or_else(|error| panic!("{error}"));
        let mut child = Child::spawn(&build::launch(&sandbox, language, &main, &built).unwrap()).unwrap();
        let (deadline, stop) = (Instant::now() + Duration::from_secs(60), StopFlag::new());
        child.request("hello", deadline, &stop).unwrap();
        let said = child.read_line(deadline, &stop);
        assert_eq!(said.as_deref(), Ok("got hello"), "{name}\n{}", child.evidence());
    }
}

#[test]
fn errors_of_compilers_come_with_their_line_and_nothing_is_built() {
    let sandbox = Sandbox::new(SandboxPolicy::default()).unwrap();
    let home = tempfile::tempdir().unwrap();
    let (source, built) = (home.path().join("source"), home.path().join("built"));
    let files = archive::unpack("main.cpp", b"int main() {\n  return\n}\n", Bounds::default()).unwrap();
    archive::write(&files, &source).unwrap();
    let languages = Languages::default();
    let (language, main) = languages.of(&files).unwrap();
    match build::compile(&sandbox, language, &main, &source, &built) {
        Err(BuildError::Compile { messages, .. }) => assert!(messages.contains("main.cpp:3:"), "{messages}"),
        other => panic!("{other:?}"),
    }
    assert!(!built.exists());
}
