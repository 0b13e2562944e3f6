//! Programming languages: which files belong to which, and how programs are compiled and run.

use crate::archive::Files;
use crate::submission::Tongue;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};

/// A row of the table of languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// Name shown to people.
    pub name: String,
    /// Endings of its files, without the dot.
    pub extensions: Vec<String>,
    /// The main file where there are several.
    pub main: String,
    /// Shell command that compiles or checks; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub compile: String,
    /// The program and its arguments.
    pub run: Vec<String>,
    /// Command that prints the folder of a tool chain outside the system.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub toolchain: Vec<String>,
}

/// Why no language fits.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum LanguageError {
    /// No file of a known language.
    #[error("no program found among {found}; accepted: files ending in {known}")]
    None {
        /// Some of the files.
        found: String,
        /// The known endings.
        known: String,
    },
    /// Several files, none of which is the main one.
    #[error("the main file is missing: name it {main} and hand in again (found: {found})")]
    NoMain {
        /// What it has to be called.
        main: String,
        /// Some of the files.
        found: String,
    },
    /// Main files of several languages.
    #[error("there are main files of several languages ({0}); hand in only one")]
    Several(String),
    /// A source file is not UTF-8.
    #[error("{file} is not UTF-8 ({guess}); save it as UTF-8 and hand in again")]
    Encoding {
        /// The file.
        file: String,
        /// What it may be.
        guess: Guess,
    },
}

/// What a file that is not UTF-8 may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// It begins with a byte order mark of UTF-16.
    Utf16,
    /// Another encoding of text.
    OtherText,
    /// Not text at all.
    Program,
}

impl Guess {
    fn text(self, tongue: Tongue) -> &'static str {
        let (english, chinese) = match self {
            Guess::Utf16 => ("it looks like UTF-16", "看上去是 UTF-16"),
            Guess::OtherText => ("perhaps GBK or Latin-1", "可能是 GBK 或 Latin-1"),
            Guess::Program => (
                "it has zero bytes: is it a program and not its source?",
                "含有零字节：这是编译好的程序而不是源码吗？",
            ),
        };
        tongue.pick(english, chinese)
    }
}

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text(Tongue::English))
    }
}

impl LanguageError {
    /// The same in the reader's language.
    pub fn text(&self, tongue: Tongue) -> String {
        let chinese = match self {
            LanguageError::None { found, known } => {
                format!("在 {found} 中没有找到程序；接受以这些结尾的文件：{known}")
            }
            LanguageError::NoMain { main, found } => {
                format!("缺少主文件：请将其命名为 {main} 后重新提交（现有：{found}）")
            }
            LanguageError::Several(mains) => format!("有多种语言的主文件（{mains}）；请只提交一种"),
            LanguageError::Encoding { file, guess } => {
                format!("{file} 不是 UTF-8（{}）；请另存为 UTF-8 后重新提交", guess.text(tongue))
            }
        };
        tongue.pick(self.to_string(), chinese)
    }
}

/// The table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Languages {
    /// The languages, each a `[[language]]` table.
    #[serde(default)]
    pub language: Vec<Language>,
}

impl Default for Languages {
    fn default() -> Languages {
        toml::from_str(include_str!("languages.toml")).expect("the table that ships is valid")
    }
}

impl Languages {
    /// The table with these languages added; one of the same name is replaced.
    pub fn extended(&self, more: &[Language]) -> Languages {
        let mut language = self.language.clone();
        language.retain(|old| !more.iter().any(|new| new.name == old.name));
        language.extend(more.iter().cloned());
        Languages { language }
    }

    /// The language of a submission and its main file.
    pub fn of(&self, files: &Files) -> Result<(&Language, PathBuf), LanguageError> {
        let found = || {
            let names: Vec<String> = files.keys().take(8).map(|path| path.display().to_string()).collect();
            names.join(", ")
        };
        let of_language = |language: &Language| -> Vec<&PathBuf> {
            let known = |path: &&PathBuf| {
                let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
                ending.is_some_and(|ending| language.extensions.contains(&ending))
            };
            files.keys().filter(known).collect()
        };
        let candidates: Vec<(&Language, Vec<&PathBuf>)> = self
            .language
            .iter()
            .map(|language| (language, of_language(language)))
            .filter(|(_, sources)| !sources.is_empty())
            .collect();
        let main_of = |(language, sources): &(&Language, Vec<&PathBuf>)| -> Option<PathBuf> {
            let named = sources.iter().find(|path| path.to_str() == Some(language.main.as_str()));
            // A program of one file may be called anything.
            let only = if sources.len() == 1 { sources.first() } else { None };
            named.or(only).map(|path| path.to_path_buf())
        };
        let mut mains: Vec<(&Language, PathBuf)> =
            candidates.iter().filter_map(|found| Some((found.0, main_of(found)?))).collect();
        let named: Vec<_> =
            mains.iter().filter(|(l, main)| main.to_str() == Some(&l.main)).cloned().collect();
        if !named.is_empty() {
            mains = named;
        }
        let chosen = match mains.as_slice() {
            [one] => one.clone(),
            [] => {
                return Err(match candidates.first() {
                    Some((language, _)) => {
                        LanguageError::NoMain { main: language.main.clone(), found: found() }
                    }
                    None => {
                        let endings = self.language.iter().flat_map(|language| &language.extensions);
                        let known = endings.map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(" ");
                        LanguageError::None { found: found(), known }
                    }
                });
            }
            several => {
                let names: Vec<_> = several.iter().map(|(_, main)| main.display().to_string()).collect();
                return Err(LanguageError::Several(names.join(", ")));
            }
        };
        for path in of_language(chosen.0) {
            check_encoding(path, &files[path].0)?;
        }
        Ok(chosen)
    }
}

impl Language {
    /// A command with its placeholders filled in.
    pub fn fill(&self, text: &str, main: &Path, memory_mb: u64) -> String {
        let stem = main.file_stem().unwrap_or_default().to_string_lossy();
        text.replace("{main}", &main.display().to_string())
            .replace("{stem}", &stem)
            .replace("{memory}", &memory_mb.to_string())
    }
}

fn check_encoding(path: &Path, bytes: &[u8]) -> Result<(), LanguageError> {
    let guess = if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        Guess::Utf16
    } else if std::str::from_utf8(bytes).is_err() {
        Guess::OtherText
    } else if bytes.contains(&0) {
        Guess::Program
    } else {
        return Ok(());
    };
    Err(LanguageError::Encoding { file: path.display().to_string(), guess })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(list: &[(&str, &[u8])]) -> Files {
        list.iter().map(|(name, bytes)| (PathBuf::from(name), (bytes.to_vec(), false))).collect()
    }

    fn chosen(list: &[(&str, &[u8])]) -> Result<(String, String), LanguageError> {
        let table = Languages::default();
        let (language, main) = table.of(&files(list))?;
        Ok((language.name.clone(), main.display().to_string()))
    }

    #[test]
    fn the_main_file_decides() {
        let is = |language: &str, main: &str| Ok((language.to_string(), main.to_string()));
        assert_eq!(chosen(&[("my_bot.py", b"")]), is("Python", "my_bot.py"));
        assert_eq!(chosen(&[("main.cpp", b""), ("board.cpp", b""), ("board.h", b"")]), is("C++", "main.cpp"));
        assert_eq!(chosen(&[("main.c", b""), ("plot.py", b"")]), is("C", "main.c"));
        assert_eq!(chosen(&[("Main.java", b""), ("Board.java", b"")]), is("Java", "Main.java"));
    }

    #[test]
    fn what_is_missing_is_named() {
        let said = |list: &[(&str, &[u8])]| chosen(list).unwrap_err().to_string();
        assert!(said(&[("report.pdf", b"")]).contains("no program found among report.pdf"));
        assert!(said(&[("a.py", b""), ("b.py", b"")]).contains("name it main.py"));
        assert!(said(&[("main.py", b""), ("main.c", b"")]).contains("several languages"));
        assert!(said(&[("main.py", b"\xff\xfea\0")]).contains("UTF-16"));
        assert!(said(&[("main.py", b"# \xce\xe5\xd7\xd3")]).contains("GBK"));
        assert!(said(&[("main.py", b"\x7fELF\0")]).contains("zero bytes"));
    }
}
