//! Grading of search itself: answers are compared with those of the reference algorithms, question by question.
//!
//! An exam is a TOML file with `[[question]]` tables. [`maze`] grades answer files, [`tree`] a program that answers
//! questions about game trees. Both give a [`Grading`]: points for each part of each question, with what was expected
//! and what was found.

pub mod maze;
pub mod tree;

use game::draw::escape;
use serde::Serialize;
use std::fmt::Write as _;

/// The outcome of an exam.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grading {
    /// Title of the exam.
    pub title: String,
    /// Points reached.
    pub points: f64,
    /// Points that could be reached.
    pub of: f64,
    /// Question by question.
    pub questions: Vec<QuestionResult>,
}

/// The outcome of one question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuestionResult {
    /// Its name.
    pub name: String,
    /// Points reached.
    pub points: f64,
    /// Points that could be reached.
    pub of: f64,
    /// Part by part.
    pub parts: Vec<Part>,
    /// Where the first difference can be watched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}

/// A part of a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// What was asked for: `valid`, `optimal`, `value`, `move`, …
    pub part: &'static str,
    /// Was it right?
    pub right: bool,
    /// Points for it.
    pub of: f64,
    /// What was found, and what was expected where it differs.
    pub detail: String,
}

/// The first node at which a search differs from the reference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Number of the node in the order of the reference search, from 1; the root is not counted.
    pub node: usize,
    /// What differs.
    pub detail: String,
    /// Address in the web app that opens the tree theatre at this node.
    pub watch: String,
    /// The reference search, as a record for the theatre.
    #[serde(skip)]
    pub record: String,
}

impl QuestionResult {
    fn new(name: &str, parts: Vec<Part>) -> QuestionResult {
        let points = parts.iter().filter(|part| part.right).map(|part| part.of).sum();
        let of = parts.iter().map(|part| part.of).sum();
        QuestionResult { name: name.into(), points, of, parts, difference: None }
    }
}

impl Grading {
    fn new(title: &str, questions: Vec<QuestionResult>) -> Grading {
        let points = questions.iter().map(|question| question.points).sum();
        let of = questions.iter().map(|question| question.of).sum();
        Grading { title: title.into(), points, of, questions }
    }

    /// The result as a page.
    pub fn page(&self) -> String {
        let mut page = crate::report::head(&self.title);
        let _ = write!(page, "<p><b>{} / {}</b></p>", self.points, self.of);
        for question in &self.questions {
            let name = escape(&question.name);
            let _ = write!(page, "<h2>{name}: {} / {}</h2><table>", question.points, question.of);
            for part in &question.parts {
                let mark = if part.right { "✓" } else { "✗" };
                let _ = write!(
                    page,
                    "<tr><td class=\"t\">{mark} {}</td><td>{}</td><td class=\"t\">{}</td></tr>",
                    part.part,
                    part.of,
                    escape(&part.detail)
                );
            }
            page.push_str("</table>");
            if let Some(difference) = &question.difference {
                let _ = write!(
                    page,
                    "<p>{}. <a href=\"{}\">{}</a></p>",
                    escape(&difference.detail),
                    escape(&difference.watch),
                    escape(&difference.watch)
                );
            }
        }
        page.push_str("</body></html>");
        page
    }
}

/// Reads an exam; the error has the line.
fn parse<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        game::TextError::at(text, at, error.message()).to_string()
    })
}

/// Questions in one exam.
const MAX_QUESTIONS: usize = 200;

fn check_count(count: usize) -> Result<(), String> {
    match count {
        0 => Err("the exam has no [[question]]".into()),
        1..=MAX_QUESTIONS => Ok(()),
        _ => Err(format!("the exam has {count} questions; accepted: up to {MAX_QUESTIONS}")),
    }
}
