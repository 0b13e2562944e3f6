//! Making the folder of a class: in place, or under a name among other classes with a key for its teacher.

use crate::config::ClassConfig;
use crate::secret::secret;
use crate::{ClassError, is_plain_name, teacher};
use std::path::Path;

/// Classes in one folder of classes, where they are made over the network.
const MAX_CLASSES: usize = 200;
/// Characters of a class's name.
const MAX_NAME: usize = 40;

/// Is there a class in this folder?
pub fn is_class(folder: &Path) -> bool {
    folder.join("class.toml").is_file()
}

/// Names of the classes in a folder of classes, sorted. Names that begin with a dot are classes in the making.
pub fn classes(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let found = entries.filter(|entry| is_class(&entry.path()));
    let names = found.filter_map(|entry| entry.file_name().to_str().map(str::to_string));
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}

/// Makes a class in a folder that is new or empty.
pub fn found(folder: &Path, config: &ClassConfig) -> Result<(), ClassError> {
    if std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(ClassError::NotEmpty(folder.into()));
    }
    std::fs::create_dir_all(folder).map_err(ClassError::io(folder))?;
    config.write(folder)
}

/// Makes a class of this name in a folder of classes; returns the key of its teacher. It is there whole or not at all.
pub fn found_among(classes_folder: &Path, name: &str, config: &ClassConfig) -> Result<String, ClassError> {
    if !is_plain_name(name, MAX_NAME) {
        let shown: String = name.chars().take(60).flat_map(char::escape_debug).collect();
        return Err(ClassError::Setting(format!(
            "'{shown}' is not a name for a class; accepted: 1 to {MAX_NAME} letters, digits, - and _"
        )));
    }
    if classes(classes_folder).len() >= MAX_CLASSES {
        let full = format!("there are {MAX_CLASSES} classes here, as many as can be");
        return Err(ClassError::Refused(full));
    }
    let place = classes_folder.join(name);
    let taken = || ClassError::NameTaken(name.into());
    if place.exists() {
        return Err(taken());
    }
    let draft = classes_folder.join(format!(".{name}-{}", secret()?));
    let made = found(&draft, config)
        .and_then(|()| teacher::renew(&draft))
        // A folder is never renamed onto one with something in it: of two classes of one name the first stays.
        .and_then(|key| std::fs::rename(&draft, &place).map(|()| key).map_err(ClassError::io(&place)));
    if made.is_err() {
        let _ = std::fs::remove_dir_all(&draft);
        if is_class(&place) {
            return Err(taken());
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_made_once_and_its_key_is_the_teachers() {
        let home = tempfile::tempdir().unwrap();
        let config = ClassConfig::new("AI", &gomoku::GOMOKU);
        let key = found_among(home.path(), "ai-2026", &config).unwrap();
        assert!(teacher::is_teacher(&home.path().join("ai-2026"), &key).unwrap());
        assert_eq!(classes(home.path()), ["ai-2026"]);
        let again = found_among(home.path(), "ai-2026", &config).unwrap_err();
        assert!(matches!(again, ClassError::NameTaken(_)), "{again}");
        for bad in ["", "..", "a/b", ".hidden", "课程", &"x".repeat(41)] {
            let error = found_among(home.path(), bad, &config).unwrap_err();
            assert!(matches!(error, ClassError::Setting(_)), "{bad}: {error}");
        }
        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1, "nothing is left of those");
    }

    #[test]
    fn two_at_once_make_one_class() {
        let home = tempfile::tempdir().unwrap();
        let config = ClassConfig::new("AI", &gomoku::GOMOKU);
        let made: Vec<bool> = std::thread::scope(|scope| {
            let make = || found_among(home.path(), "ai", &config).is_ok();
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(make)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(made.iter().filter(|made| **made).count(), 1);
        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1);
    }

    #[test]
    fn there_are_only_so_many_and_a_used_folder_is_no_place() {
        let home = tempfile::tempdir().unwrap();
        let config = ClassConfig::new("AI", &gomoku::GOMOKU);
        for number in 0..MAX_CLASSES {
            let folder = home.path().join(number.to_string());
            std::fs::create_dir(&folder).unwrap();
            std::fs::write(folder.join("class.toml"), "").unwrap();
        }
        let full = found_among(home.path(), "more", &config).unwrap_err().to_string();
        assert!(full.contains("as many as can be"), "{full}");
        let used = found(&home.path().join("7"), &config).unwrap_err();
        assert!(matches!(used, ClassError::NotEmpty(_)), "{used}");
    }
}
