//! What students and teachers hand in: archives, lists and exams.

use class::archive::{Bounds, unpack};
use class::grade::maze::MazeExam;
use class::grade::tree::TreeExam;
use class::students::Students;
use std::path::Component;

/// Whatever an archive holds, what comes out of it stays inside and within its bounds.
pub(crate) fn archive(data: &[u8]) {
    let bounds = Bounds { files: 20, bytes: 64 << 10 };
    let Ok(files) = unpack("main.py", data, bounds) else { return };
    assert!((1..=bounds.files).contains(&files.len()));
    assert!(files.values().map(|(bytes, _)| bytes.len() as u64).sum::<u64>() <= bounds.bytes);
    for path in files.keys() {
        assert!(path.components().all(|part| matches!(part, Component::Normal(_))), "{}", path.display());
        // No file may need a folder of another file's name.
        assert!(path.ancestors().skip(1).all(|folder| !files.contains_key(folder)), "{}", path.display());
    }
}

/// A list is taken whole or not at all, and taking it again makes no new keys.
pub(crate) fn students(data: &[u8]) {
    let mut list = Students::default();
    let Ok(keys) = list.add(data) else {
        assert!(list.students.is_empty());
        return;
    };
    assert_eq!(keys.len(), list.students.len());
    assert!(list.add(data).expect("a list that was taken").is_empty());
    for key in keys.iter().take(3) {
        assert!(key.id.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)));
        let token = list.redeem(&key.id, &key.key).expect("a new key");
        assert_eq!(list.by_token(&token).map(|student| student.id.as_str()), Some(key.id.as_str()));
        assert!(list.redeem(&key.id, &key.key).is_err(), "a key works once");
    }
}

/// Exams about mazes and about trees; grading needs answers and a program, reading only the file.
pub(crate) fn exams(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let _ = (MazeExam::parse(&text), TreeExam::parse(&text));
}
