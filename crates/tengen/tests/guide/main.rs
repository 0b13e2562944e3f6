//! The READMEs and the guide: every command runs in an empty folder with `examples/` at hand and prints what the page shows,
//! every link leads somewhere, and every page has its twin in the other language.
//!
//! `cargo xtask guide --update` runs this with `TENGEN_GUIDE=update`, which writes the outputs into the pages.
#![cfg(unix)]
#![allow(clippy::print_stderr, reason = "a skipped check says so")]

mod fleet;
mod newcomer;
mod page;
mod run;

use page::{Kind, Page, root};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

/// The pages of one language of the guide by their names.
fn guide(language: &str) -> BTreeMap<String, Page> {
    let folder = root().join("guide").join(language);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let files = entries.map(|entry| entry.unwrap().path());
    let pages = files.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let pages: BTreeMap<_, _> = pages.map(|path| (name(&path), read(path))).collect();
    assert!(pages.len() > 20, "{} has {} pages", folder.display(), pages.len());
    pages
}

fn read(path: PathBuf) -> Page {
    Page::read(path).unwrap_or_else(|error| panic!("{error}"))
}

/// Every page in English with its twin in Chinese.
fn twins() -> Vec<(Page, Page)> {
    let mut twins = vec![(read(root().join("README.md")), read(root().join("README.zh.md")))];
    let mut chinese = guide("zh");
    for (name, page) in guide("en") {
        let twin = chinese.remove(&name).unwrap_or_else(|| panic!("guide/zh has no {name}"));
        twins.push((page, twin));
    }
    assert!(chinese.is_empty(), "guide/en has no {:?}", chinese.keys());
    twins
}

#[test]
fn twins_have_the_same_commands() {
    for (page, twin) in twins() {
        assert_eq!(page.commands(), twin.commands(), "{}", page.path.display());
    }
}

#[test]
fn every_command_runs_in_an_empty_folder_and_prints_what_the_page_shows() {
    let update = std::env::var("TENGEN_GUIDE").is_ok_and(|word| word == "update");
    let (queue, wrong) = (Mutex::new(twins()), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let next = queue.lock().unwrap().pop();
            let Some((page, twin)) = next else { break };
            match run::outputs(&page) {
                Ok(outputs) if update => [&page, &twin].iter().for_each(|page| rewrite(page, &outputs)),
                Ok(outputs) => {
                    for page in [&page, &twin] {
                        wrong.lock().unwrap().extend(differences(page, &outputs));
                    }
                }
                Err(error) => wrong.lock().unwrap().push(error),
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The outputs belong to blocks by their order, since a twin may have other blocks of text.
fn output_blocks(page: &Page) -> Vec<usize> {
    let outputs = page.blocks.iter().enumerate();
    outputs.filter(|(_, block)| matches!(block.kind, Kind::Output { .. })).map(|(index, _)| index).collect()
}

fn rewrite(page: &Page, outputs: &[(usize, String)]) {
    let texts = outputs.iter().map(|(_, text)| text.clone());
    page.rewrite(&output_blocks(page).into_iter().zip(texts).collect::<Vec<_>>());
}

fn differences(page: &Page, outputs: &[(usize, String)]) -> Vec<String> {
    let blocks = output_blocks(page).into_iter().map(|index| &page.blocks[index]);
    let differs = |(block, (_, output)): &(&page::Block, &(usize, String))| {
        let varies = block.kind == Kind::Output { varies: true };
        if varies { run::shape(&block.body) != run::shape(output) } else { block.body != *output }
    };
    let texts = blocks.zip(outputs).filter(differs).map(|(block, (_, output))| {
        format!("{}: shown:\n{}printed:\n{output}", page.path.display(), block.body)
    });
    texts.collect()
}

#[test]
fn links_lead_to_files_that_exist() {
    for page in twins().iter().flat_map(|(page, twin)| [page, twin]) {
        for link in page.links() {
            let file = link.split('#').next().unwrap();
            // Addresses of the running app are followed by the browser tests (web/tests/browser/guide.spec.ts).
            if file.is_empty() || file.contains("://") || file.starts_with('/') {
                continue;
            }
            assert!(page.path.parent().unwrap().join(file).exists(), "{}: {link}", page.path.display());
        }
        for file in page.project_files() {
            assert!(root().join(file).exists(), "{}: there is no {file}", page.path.display());
        }
    }
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    for language in ["en", "zh"] {
        let pages = guide(language);
        let summary = &pages["SUMMARY.md"].text;
        for name in pages.keys().filter(|name| *name != "SUMMARY.md") {
            assert!(summary.contains(&format!("({name})")), "{language}: {name} is not in SUMMARY.md");
        }
    }
}

#[test]
fn every_picture_is_light_and_shown_in_its_language() {
    const MOST: u64 = 150_000;
    let folder = root().join("guide/pictures").canonicalize().unwrap();
    let mut shown: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    for (page, twin) in twins() {
        for (page, language) in [(page, "en"), (twin, "zh")] {
            for link in page.links() {
                let path = page.path.parent().unwrap().join(link).canonicalize().unwrap_or_default();
                if path.starts_with(&folder) {
                    shown.entry(path).or_default().push(language.into());
                }
            }
        }
    }
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = path.metadata().unwrap().len();
        assert!(bytes <= MOST, "{} has {bytes} bytes", path.display());
        let languages = shown.get(&path).unwrap_or_else(|| panic!("no page shows {}", path.display()));
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        for (ending, language) in [("-en", "en"), ("-zh", "zh")] {
            let fits = !name.ends_with(ending) || languages.iter().all(|shown| shown == language);
            assert!(fits, "{name} is shown in {languages:?}");
        }
    }
}

/// Reference pages are complete in both languages: what the tables of one explain, in the code of their first column, the
/// other names too.
#[test]
fn what_a_reference_page_explains_its_twin_explains() {
    let (english, chinese) = (guide("en"), guide("zh"));
    for name in ["api.md", "engines.md", "formats.md", "protocols.md", "records.md", "site.md"] {
        for (page, twin) in [(&english[name], &chinese[name]), (&chinese[name], &english[name])] {
            for code in page.explained() {
                assert!(twin.text.contains(code), "{} does not explain {code}", twin.path.display());
            }
        }
    }
    for page in chinese.values() {
        let sent = page.links().into_iter().find(|link| link.starts_with("../en/"));
        assert_eq!(sent, None, "{} sends its reader to another language", page.path.display());
    }
}
