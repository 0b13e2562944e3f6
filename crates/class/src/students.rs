//! Who is in the class, and the one-time keys by which students prove who they are.
//!
//! A key is handed out on paper or by mail and can be redeemed once, for a token that the student's browser keeps.
//! Only hashes of both are stored.

use crate::secret::{hash, matches, secret};
use crate::{ClassError, is_plain_name, lock, read_json, write_json};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Students in one class.
const MAX_STUDENTS: usize = 2000;

/// A student.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Student {
    /// Student number, used in file names.
    pub id: String,
    /// Name shown to people.
    pub name: String,
    /// Hash of the one-time key; empty once it has been redeemed.
    #[serde(default)]
    key: String,
    /// Hash of the token that the key was redeemed for.
    #[serde(default)]
    token: String,
}

impl Student {
    /// Has the key been redeemed?
    pub fn has_entered(&self) -> bool {
        !self.token.is_empty()
    }
}

/// A new key, to be handed to its student; it can be seen only now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewKey {
    /// Student number.
    pub id: String,
    /// Name.
    pub name: String,
    /// The key.
    pub key: String,
}

/// New keys as a CSV table with the columns `id`, `name` and `key`.
pub fn key_table(keys: &[NewKey]) -> String {
    let mut text = String::from("id,name,key\n");
    for key in keys {
        let name = if key.name.contains([',', '"']) {
            format!("\"{}\"", key.name.replace('"', "\"\""))
        } else {
            key.name.clone()
        };
        text.push_str(&format!("{},{name},{}\n", key.id, key.key));
    }
    text
}

/// The list of a class.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Students {
    /// By student number.
    pub students: Vec<Student>,
}

impl Students {
    /// Reads the list of a class; a class without one is empty.
    pub fn read(folder: &Path) -> Result<Students, ClassError> {
        let path = list_path(folder);
        if path.exists() { read_json(&path) } else { Ok(Students::default()) }
    }

    /// Changes the list of a class: nobody else changes it meanwhile, and it is written only where `change` succeeds.
    pub fn update<T>(
        folder: &Path,
        change: impl FnOnce(&mut Students) -> Result<T, ClassError>,
    ) -> Result<T, ClassError> {
        let _lock = lock(&folder.join("students.lock"))?;
        let mut list = Students::read(folder)?;
        let done = change(&mut list)?;
        list.write(folder)?;
        Ok(done)
    }

    /// Writes it.
    fn write(&self, folder: &Path) -> Result<(), ClassError> {
        write_json(&list_path(folder), self)
    }

    /// A student by number.
    pub fn get(&self, id: &str) -> Result<&Student, ClassError> {
        self.students.iter().find(|student| student.id == id).ok_or_else(|| {
            ClassError::refused(format!("there is no student '{id}' in this class; add them with: class add"))
        })
    }

    /// Adds students from a CSV table with the columns `id` and `name`; returns a key for each new one. A student
    /// who is in the list already keeps key and token and gets the new name.
    pub fn add(&mut self, csv: &[u8]) -> Result<Vec<NewKey>, ClassError> {
        let text = std::str::from_utf8(csv).map_err(|_| {
            ClassError::refused("the list is not UTF-8; save it as 'CSV UTF-8' and try again")
        })?;
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
        let mut rows: Vec<(String, String)> = Vec::new();
        for (index, row) in reader.records().enumerate() {
            let line = index + 1;
            let row = row.map_err(|error| ClassError::refused(format!("line {line}: {error}")))?;
            let (id, name) = (row.get(0).unwrap_or_default(), row.get(1).unwrap_or_default());
            if id.is_empty() && name.is_empty() || (index == 0 && is_heading(id)) {
                continue;
            }
            check_id(id).map_err(|problem| ClassError::refused(format!("line {line}: {problem}")))?;
            if name.is_empty() || name.chars().count() > 80 || name.chars().any(char::is_control) {
                return Err(ClassError::refused(format!(
                    "line {line}: '{}' is not a name; accepted: ID,NAME with a name of 1 to 80 characters",
                    name.escape_debug()
                )));
            }
            if rows.iter().any(|(other, _)| other == id) {
                return Err(ClassError::refused(format!("line {line}: '{id}' is in the list twice")));
            }
            rows.push((id.into(), name.into()));
            if rows.len() > MAX_STUDENTS {
                return Err(ClassError::refused(format!("line {line}: more than {MAX_STUDENTS} students")));
            }
        }
        let known = |id: &String| self.students.iter().any(|student| student.id == *id);
        let new = rows.iter().filter(|(id, _)| !known(id)).count();
        if self.students.len() + new > MAX_STUDENTS {
            return Err(ClassError::refused(format!("more than {MAX_STUDENTS} students")));
        }
        let mut keys = Vec::new();
        for (id, name) in rows {
            if let Some(known) = self.students.iter_mut().find(|student| student.id == id) {
                known.name = name;
                continue;
            }
            let key = secret()?;
            self.students.push(Student {
                id: id.clone(),
                name: name.clone(),
                key: hash(&key),
                token: String::new(),
            });
            keys.push(NewKey { id, name, key });
        }
        self.students.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(keys)
    }

    /// A new key for a student who lost theirs; the old key and token end.
    pub fn renew(&mut self, id: &str) -> Result<NewKey, ClassError> {
        self.get(id)?;
        let key = secret()?;
        let student = self.students.iter_mut().find(|student| student.id == id);
        let student = student.ok_or_else(|| ClassError::refused("no such student"))?;
        student.key = hash(&key);
        student.token.clear();
        Ok(NewKey { id: id.into(), name: student.name.clone(), key })
    }

    /// Takes a student off the list: key and token end, and the next round is played without them. What they handed in
    /// stays in the folder, and counts again if they are added again.
    pub fn remove(&mut self, id: &str) -> Result<(), ClassError> {
        self.get(id)?;
        self.students.retain(|student| student.id != id);
        Ok(())
    }

    /// Exchanges a key for a token, once.
    pub fn redeem(&mut self, id: &str, key: &str) -> Result<String, ClassError> {
        let token = secret()?;
        let student = self.students.iter_mut().find(|student| student.id == id);
        let Some(student) = student else {
            return Err(ClassError::KeyWrong);
        };
        if student.key.is_empty() {
            return Err(ClassError::KeyUsed);
        }
        if !matches(key.trim(), &student.key) {
            return Err(ClassError::KeyWrong);
        }
        student.key.clear();
        student.token = hash(&token);
        Ok(token)
    }

    /// The student that a token belongs to.
    pub fn by_token(&self, token: &str) -> Option<&Student> {
        self.students.iter().find(|student| matches(token, &student.token))
    }
}

fn is_heading(id: &str) -> bool {
    ["id", "number", "student", "student id", "学号"].contains(&id.to_lowercase().as_str())
}

fn check_id(id: &str) -> Result<(), String> {
    if is_plain_name(id, 32) {
        return Ok(());
    }
    let shown: String = id.chars().take(40).flat_map(char::escape_debug).collect();
    Err(format!("'{shown}' is not a student number; accepted: 1 to 32 letters, digits, - and _"))
}

fn list_path(folder: &Path) -> PathBuf {
    folder.join("students.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_works_once_and_its_token_from_then_on() {
        let mut list = Students::default();
        let keys = list.add("学号,姓名\n2026001,王小明\n2026002,\"Lee, Ann\"\n".as_bytes()).unwrap();
        assert_eq!(keys.iter().map(|key| key.name.as_str()).collect::<Vec<_>>(), ["王小明", "Lee, Ann"]);
        assert!(list.redeem("2026001", "wrong").is_err());
        assert!(list.redeem("2026002", &keys[0].key).is_err());
        let token = list.redeem("2026001", &keys[0].key).unwrap();
        assert_eq!(list.by_token(&token).unwrap().id, "2026001");
        let twice = list.redeem("2026001", &keys[0].key).unwrap_err().to_string();
        assert!(twice.contains("used already"), "{twice}");
        let new = list.renew("2026001").unwrap();
        assert!(list.by_token(&token).is_none());
        assert!(list.redeem("2026001", &new.key).is_ok());
        assert!(!serde_json::to_string(&list).unwrap().contains(&new.key));
    }

    #[test]
    fn bad_lists_are_refused_whole_with_the_line() {
        let said = |csv: &[u8]| {
            let mut list = Students::default();
            let error = list.add(csv).unwrap_err().to_string();
            assert!(list.students.is_empty());
            error
        };
        assert!(said(b"1,a\n../2,b\n").contains("line 2: '../2' is not a student number"));
        assert!(said(b"1,a\n1,b\n").contains("line 2: '1' is in the list twice"));
        let many: String = (0..=MAX_STUDENTS).map(|number| format!("{number},a\n")).collect();
        assert!(said(many.as_bytes()).contains("more than 2000 students"));
        assert!(said(b"1,\n").contains("is not a name"));
        assert!(said(b"1,\xce\xe5\n").contains("CSV UTF-8"));
    }

    #[test]
    fn who_is_taken_off_the_list_has_no_key_any_more() {
        let mut list = Students::default();
        let keys = list.add(b"1,\"Lee, \"\"A\"\"\"\n2,b\n").unwrap();
        assert!(key_table(&keys).starts_with("id,name,key\n1,\"Lee, \"\"A\"\"\","), "{}", key_table(&keys));
        let token = list.redeem("1", &keys[0].key).unwrap();
        list.remove("1").unwrap();
        assert!(list.by_token(&token).is_none() && list.remove("1").is_err());
        assert_eq!(list.students.len(), 1);
        assert_eq!(list.add(b"1,a\n").unwrap().len(), 1, "added again with another key");
        assert!(list.redeem("1", &keys[0].key).is_err());
    }

    #[test]
    fn adding_again_keeps_keys() {
        let mut list = Students::default();
        let keys = list.add(b"1,a\n2,b\n").unwrap();
        assert!(list.add(b"\xef\xbb\xbfid,name\n2,Bea\n1,a\n").unwrap().is_empty());
        assert_eq!(list.get("2").unwrap().name, "Bea");
        assert!(list.redeem("1", &keys[0].key).is_ok());
        assert!(list.get("3").is_err());
    }
}
