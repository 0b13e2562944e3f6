//! Pages of Markdown: their fenced blocks, their links, the files of the project that they name.

use std::ops::Range;
use std::path::{Path, PathBuf};

pub(crate) struct Page {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) blocks: Vec<Block>,
}

pub(crate) struct Block {
    /// What to do with it, from the words after the fence.
    pub(crate) kind: Kind,
    pub(crate) body: String,
    /// Where the body is in the text of the page.
    pub(crate) range: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Commands, run by bash; `python,run` and `js,run` by their interpreters.
    Run(&'static str),
    /// The same in bash, where `nats-server` is installed.
    RunOnFleet,
    /// One command that is left running to the end of the page, where `nats-server` is installed.
    Background,
    /// A program that asks: it is told `quit`.
    Interactive,
    /// A server: it is started, asked for its health and stopped.
    Serve,
    /// Commands that a test cannot run, for one of [`REASONS`].
    NotRun,
    /// What the block before printed; with `varies`, numbers may differ.
    Output { varies: bool },
    /// Anything else: a file, a transcript, code to read.
    Text,
}

/// Why a block of commands may be left out: `sh,no_run,REASON`.
const REASONS: [&str; 3] = ["install", "build", "machines"];

impl Kind {
    fn parse(info: &str) -> Result<Self, String> {
        let marks: Vec<&str> = info.split(',').collect();
        match marks.as_slice() {
            ["sh"] => Ok(Self::Run("bash")),
            ["python", "run"] => Ok(Self::Run("python3")),
            ["js", "run"] => Ok(Self::Run("node")),
            ["sh", "nats"] => Ok(Self::RunOnFleet),
            ["sh", "nats", "background"] => Ok(Self::Background),
            ["sh", "interactive"] => Ok(Self::Interactive),
            ["sh", "serve"] => Ok(Self::Serve),
            ["sh", "no_run", reason] if REASONS.contains(reason) => Ok(Self::NotRun),
            ["output"] => Ok(Self::Output { varies: false }),
            ["output", "varies"] => Ok(Self::Output { varies: true }),
            ["text" | "toml" | "json" | "python" | "js" | "rust" | "cpp" | "csv" | "nginx"] => Ok(Self::Text),
            _ => Err(format!(
                "unknown mark '{info}'; accepted: sh, sh,nats, sh,nats,background, sh,interactive, sh,serve, sh,no_run,({}), python,run, js,run, output, output,varies, text, toml, json, …",
                REASONS.join("|")
            )),
        }
    }
}

impl Page {
    pub(crate) fn read(path: PathBuf) -> Result<Self, String> {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let blocks = blocks(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { path, text, blocks })
    }

    /// What is run of this page, without the comments, which are in the page's language.
    pub(crate) fn commands(&self) -> Vec<(Kind, String)> {
        let runs = self.blocks.iter().filter(|block| !matches!(block.kind, Kind::Text));
        let words = |block: &Block| match block.kind {
            Kind::Output { .. } => String::new(),
            _ => block.body.lines().map(|line| without_comment(line).to_string() + "\n").collect(),
        };
        runs.map(|block| (block.kind, words(block))).collect()
    }

    /// Targets of links and pictures outside of code.
    pub(crate) fn links(&self) -> Vec<&str> {
        let mut prose = Vec::new();
        let mut from = 0;
        for block in &self.blocks {
            prose.push(&self.text[from..block.range.start]);
            from = block.range.end;
        }
        prose.push(&self.text[from..]);
        let links = prose.iter().flat_map(|text| text.split("](").skip(1));
        links.filter_map(|rest| rest.split(')').next()).collect()
    }

    /// The code in the first column of tables, up to the first word that may be in the page's language.
    pub(crate) fn explained(&self) -> Vec<&str> {
        let rows = self.text.lines().filter_map(|line| line.strip_prefix("| "));
        let cells = rows.filter_map(|row| row.split(" | ").next());
        let codes = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
        codes
            .map(|code| code.split([' ', '=']).next().unwrap_or_default())
            .filter(|code| code.is_ascii())
            .collect()
    }

    /// Files and folders of the project named in the text, such as `crates/play/src/lib.rs`.
    pub(crate) fn project_files(&self) -> Vec<&str> {
        let quoted = self.text.split('`').filter(|word| {
            ["crates/", "xtask/", "web/", "data/", "docs/", "examples/", "packaging/", "deploy/"]
                .iter()
                .any(|folder| word.starts_with(folder))
        });
        quoted.filter(|word| !word.contains(char::is_whitespace) && !word.contains(['*', '{', '…'])).collect()
    }

    /// Replaces the bodies of output blocks, given by their index.
    pub(crate) fn rewrite(&self, outputs: &[(usize, String)]) {
        let mut text = self.text.clone();
        for (index, output) in outputs.iter().rev() {
            text.replace_range(self.blocks[*index].range.clone(), output);
        }
        if text != self.text {
            std::fs::write(&self.path, text).unwrap();
        }
    }
}

fn blocks(text: &str) -> Result<Vec<Block>, String> {
    let (mut blocks, mut open, mut at) = (Vec::new(), None::<(Kind, usize)>, 0);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let end = at + line.len();
        match (line.strip_prefix("```"), open) {
            (Some(_), Some((kind, start))) => {
                blocks.push(Block { kind, body: text[start..at].to_string(), range: start..at });
                open = None;
            }
            (Some(info), None) => {
                let kind =
                    Kind::parse(info.trim_end()).map_err(|error| format!("{}: {error}", number + 1))?;
                open = Some((kind, end));
            }
            (None, _) => {}
        }
        at = end;
    }
    if open.is_some() {
        return Err("a block is not closed".into());
    }
    Ok(blocks)
}

fn without_comment(line: &str) -> &str {
    let end = if line.starts_with('#') { 0 } else { line.find("  #").unwrap_or(line.len()) };
    line[..end].trim_end()
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

#[test]
fn blocks_have_marks_that_are_known() {
    let kinds =
        |text: &str| blocks(text).map(|blocks| blocks.iter().map(|block| block.kind).collect::<Vec<_>>());
    let page = "```sh\ntengen\n```\n\n```output,varies\nhelp\n```\n";
    assert_eq!(kinds(page), Ok(vec![Kind::Run("bash"), Kind::Output { varies: true }]));
    assert!(kinds("```sh,no_run\ntengen play\n```\n").is_err(), "no reason");
    assert!(kinds("```sh,norun,build\n```\n").is_err());
    assert!(kinds("```\n```\n").is_err(), "no mark");
    assert!(kinds("```sh\ntengen\n").is_err(), "not closed");
}

#[test]
fn a_comment_is_no_part_of_a_command() {
    assert_eq!(without_comment("tengen engines   # 引擎"), "tengen engines");
    assert_eq!(without_comment("tengen maze solve a#b"), "tengen maze solve a#b");
}
