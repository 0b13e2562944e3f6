//! What mdBook's pages still need: no files of its own theme, the current page marked, a search index.
//!
//! mdBook's own search splits text at blanks, so it finds nothing in Chinese; ours looks for substrings.

use std::fs;
use std::path::Path;

/// Works on one language's folder of built pages.
pub(crate) fn pages(folder: &Path) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            fs::remove_dir_all(&path)?;
        } else if !name.ends_with(".html") || ["404.html", "toc.html"].contains(&name.as_str()) {
            fs::remove_file(&path)?;
        }
    }
    let mut index = Vec::new();
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let html = fs::read_to_string(&path)?;
        index.extend(sections(&name, &html));
        fs::write(&path, with_plain_pictures(&with_current_page(&html, &name)))?;
    }
    fs::write(folder.join("search.json"), serde_json::to_string(&index)?)?;
    Ok(())
}

/// Marks the page in the table of contents, and links to its twin.
fn with_current_page(html: &str, name: &str) -> String {
    let link = format!("<a href=\"{name}\">");
    let marked = format!("<a href=\"{name}\" aria-current=\"page\">");
    html.replacen(&link, &marked, 1).replace("TWIN.html", name)
}

/// mdBook puts a picture twice into a checkbox that its theme shows enlarged; ours shows it once.
fn with_plain_pictures(html: &str) -> String {
    let (open, close) = ("<label class=\"checkbox-label\">", "</label>");
    let mut out = String::new();
    let mut rest = html;
    while let Some((before, after)) = rest.split_once(open) {
        let (label, behind) = after.split_once(close).unwrap_or((after, ""));
        let picture = label.find("<img").map_or("", |at| &label[at..]);
        out.push_str(before);
        out.push_str(&picture[..picture.find('>').map_or(0, |at| at + 1)]);
        rest = behind;
    }
    out + rest
}

/// The sections of a page as `[address, heading, text]`; the first heading is the page's.
fn sections(name: &str, html: &str) -> Vec<[String; 3]> {
    let Some((_, main)) = html.split_once("<main") else { return Vec::new() };
    let main = main.split("</main>").next().unwrap_or_default();
    let main = main.split_once('>').map_or("", |(_, rest)| rest);
    let mut sections = Vec::new();
    let mut rest = main;
    while let Some(start) = heading(rest) {
        let body = &rest[start..];
        let id = attribute(body, "id").unwrap_or_default();
        let end = body.find("</h").unwrap_or(body.len());
        let title = text(&body[..end]);
        let after = &body[end..];
        let after = after.split_once('>').map_or("", |(_, rest)| rest);
        let until = heading(after).unwrap_or(after.len());
        let address = if sections.is_empty() { name.to_string() } else { format!("{name}#{id}") };
        sections.push([address, title, text(&after[..until])]);
        rest = &after[until..];
    }
    sections
}

/// Where the next heading starts.
fn heading(html: &str) -> Option<usize> {
    ["<h1", "<h2", "<h3"].iter().filter_map(|tag| html.find(tag)).min()
}

/// An attribute of the first tag.
fn attribute(html: &str, name: &str) -> Option<String> {
    let tag = &html[..html.find('>')?];
    let value = tag.split_once(&format!(" {name}=\""))?.1;
    Some(value.split('"').next()?.to_string())
}

/// The text between tags, with single blanks.
fn text(html: &str) -> String {
    let mut text = String::new();
    for part in html.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, after)| after));
        text.push(' ');
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&amp;", "&").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_page_is_indexed_by_its_headings() {
    let page = "<nav><h2>no</h2></nav><main id=\"main\"><h1 id=\"a\"><a href=\"#a\">Hex</a></h1><p>Two &amp; <em>three</em></p>\
                <h2 id=\"swap\">Swap</h2><p>one</p></main>";
    let index = sections("hex.html", page);
    assert_eq!(index[0], ["hex.html", "Hex", "Two & three"].map(String::from));
    assert_eq!(index[1], ["hex.html#swap", "Swap", "one"].map(String::from));
    assert_eq!(index.len(), 2);
}

#[test]
fn the_current_page_is_marked_once() {
    let page = "<nav><a href=\"hex.html\">Hex</a></nav><a href=\"../zh/TWIN.html\">中文</a><a href=\"hex.html\">again</a>";
    let marked = with_current_page(page, "hex.html");
    assert_eq!(marked.matches("aria-current").count(), 1);
    assert!(marked.contains("../zh/hex.html"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_shown_once_and_without_a_checkbox() {
        let picture = "<img src=\"a.svg\" alt=\"A\">";
        let html = format!(
            "<p>x<label class=\"checkbox-label\"><input type=\"checkbox\">{picture}<span>{picture}</span></label>y</p><p>{picture}</p>"
        );
        assert_eq!(with_plain_pictures(&html), format!("<p>x{picture}y</p><p>{picture}</p>"));
        assert_eq!(with_plain_pictures("<p>none</p>"), "<p>none</p>");
    }
}
