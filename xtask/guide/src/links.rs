//! No link of the built guide leads nowhere: files exist, and so do the places in them.

use anyhow::bail;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Looks at every link and picture of every page. Addresses above the guide belong to the app, whose browser tests follow them.
pub(crate) fn check(out: &Path) -> anyhow::Result<()> {
    let mut pages = HashMap::new();
    gather(out, &mut pages)?;
    let places: HashMap<&PathBuf, HashSet<&str>> =
        pages.iter().map(|(path, html)| (path, values(html, " id=\"").collect())).collect();
    let mut dead = Vec::new();
    for (path, html) in &pages {
        for link in values(html, " href=\"").chain(values(html, " src=\"")) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let base = if file.is_empty() { path.clone() } else { path.with_file_name("").join(file) };
            let mut target = normal(&base);
            if !target.starts_with(out) {
                continue;
            }
            if file.ends_with('/') {
                target.push("index.html");
            }
            let there = target.is_file()
                && (place.is_empty() || places.get(&target).is_some_and(|ids| ids.contains(place)));
            if !there {
                dead.push(format!("{}: {link}", path.strip_prefix(out).unwrap_or(path).display()));
            }
        }
    }
    dead.sort();
    if !dead.is_empty() {
        bail!("links that lead nowhere:\n  {}", dead.join("\n  "));
    }
    Ok(())
}

fn gather(folder: &Path, pages: &mut HashMap<PathBuf, String>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, pages)?;
        } else if path.extension().is_some_and(|ending| ending == "html") {
            pages.insert(path.clone(), fs::read_to_string(&path)?);
        }
    }
    Ok(())
}

/// Values of an attribute.
fn values<'a>(html: &'a str, start: &'a str) -> impl Iterator<Item = &'a str> {
    html.split(start).skip(1).filter_map(|rest| rest.split('"').next())
}

/// A path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = normal.pop(),
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(page: &str) -> anyhow::Result<()> {
        let folder = std::env::temp_dir().join(format!("tengen-links-{}-{}", std::process::id(), page.len()));
        fs::create_dir_all(folder.join("en"))?;
        fs::write(folder.join("en/index.html"), page)?;
        let result = check(&folder);
        fs::remove_dir_all(&folder)?;
        result
    }

    #[test]
    fn a_dead_link_a_missing_picture_and_a_missing_place_are_found() {
        assert!(checked("<h2 id=\"a\"></h2><a href=\"#a\"></a><a href=\"../../new\"></a>").is_ok());
        assert!(checked("<a href=\"../en/\">").is_ok());
        assert!(checked("<a href=\"other.html\"></a>").is_err());
        assert!(checked("<img src=\"../pictures/x.svg\">").is_err());
        assert!(checked("<a href=\"index.html#b\"></a>").is_err());
    }
}
