//! The addresses of the HTTP API that need neither a disk nor other people, answered here.

use crate::games;
use api::explain::{ExplainPath, ExplainRequest, XrayRequest};
use api::files::ImportRequest;
use api::maze::{MapRecipe, MapText, MazeBatch, MazeGoals, MazeQuery};
use api::puzzle::{AllProgress, Attempt, Chosen};
use api::{Host, LayerRequest, PlayedLine, Problem, SolveRequest, Work, read_deep};
use game::{StopFlag, Watch};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// An answer, as HTTP would give it.
pub struct HttpReply {
    /// HTTP status.
    pub status: u16,
    /// Media type.
    pub kind: &'static str,
    /// The text or the file.
    pub body: Vec<u8>,
}

const JSON: &str = "application/json";

impl HttpReply {
    fn json(body: &impl Serialize) -> Result<HttpReply, Problem> {
        let body =
            serde_json::to_vec(body).map_err(|error| Problem::bad("body.syntax", error.to_string()))?;
        Ok(HttpReply { status: 200, kind: JSON, body })
    }
}

impl From<Problem> for HttpReply {
    fn from(problem: Problem) -> HttpReply {
        let body = serde_json::to_vec(&problem.body()).unwrap_or_default();
        HttpReply { status: problem.status.as_u16(), kind: "application/problem+json", body }
    }
}

/// Answers a request; `path` is what follows `/api/v1`.
pub fn answer(host: &Host, method: &str, path: &str, body: &[u8]) -> HttpReply {
    route(host, method, path, body).unwrap_or_else(HttpReply::from)
}

fn route(host: &Host, method: &str, path: &str, body: &[u8]) -> Result<HttpReply, Problem> {
    let words: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    match (method, words.as_slice()) {
        ("GET", ["catalog"]) => HttpReply::json(&api::catalog(host)),
        ("GET", ["puzzles"]) => HttpReply::json(&api::puzzle::list(host, None, &AllProgress::new())?),
        ("GET", ["puzzles", game, id]) => {
            HttpReply::json(&Chosen::find(host, game, id)?.show(&AllProgress::new())?)
        }
        ("POST", ["puzzles", game, id, "moves"]) => {
            run(Chosen::find(host, game, id)?.judge(read::<Attempt>(body)?)?)
        }
        ("POST", ["puzzles", game, id, "hint"]) => {
            run(Chosen::find(host, game, id)?.hint(&read::<Attempt>(body)?)?)
        }
        ("POST", ["puzzles", game, id, "solution"]) => run(Chosen::find(host, game, id)?.solution()?),
        ("POST", ["view"]) => HttpReply::json(&api::view(host, &read::<PlayedLine>(body)?)?),
        ("POST", ["layer"]) => run(api::layer(host, read::<LayerRequest>(body)?)?),
        ("POST", ["solve"]) => run(api::solve(host, read::<SolveRequest>(body)?)?),
        ("POST", ["import"]) => {
            let body = api::files::import(host, read::<ImportRequest>(body)?)?(&Watch::default())?;
            Ok(HttpReply { status: 200, kind: JSON, body })
        }
        ("POST", ["export"]) => {
            let (kind, body) = api::files::export(host, body, no_png, &StopFlag::new())?;
            Ok(HttpReply { status: 200, kind, body })
        }
        ("POST", ["explain"]) => text(api::explain::explain(host, read::<ExplainRequest>(body)?)?),
        ("POST", ["explain", "path"]) => text(api::explain::path(read::<ExplainPath>(body)?)),
        ("POST", ["xray"]) => text(api::explain::xray(host, read::<XrayRequest>(body)?)?),
        // Games that the page keeps; the server has other addresses for those it keeps.
        ("POST", ["local", "new"]) => HttpReply::json(&games::create(host, body)?),
        ("POST", ["local", "ask"]) => HttpReply::json(&games::ask(host, body)?),
        ("POST", ["maze", "solve"]) => run(api::maze::solve(read::<MazeQuery>(body)?)),
        ("POST", ["maze", "batch"]) => run(api::maze::costs(read::<MazeBatch>(body)?, 1)),
        ("POST", ["maze", "nearest"]) => run(api::maze::nearest(read::<MazeGoals>(body)?)),
        ("POST", ["maze", "import"]) => {
            HttpReply::json(&api::maze::import(&read::<MapText>(body)?, &Watch::default())?)
        }
        ("POST", ["maze", "generate"]) => run(api::maze::generate(&read::<MapRecipe>(body)?)?),
        _ => Err(Problem::missing("path.unknown", "this needs a server, and the page runs without one")),
    }
}

/// The JSON of a request.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    read_deep(body)
}

/// Nobody else runs on this thread, so nothing can stop the work; whoever waits ends the whole worker.
fn run<T: Serialize>(work: Work<T>) -> Result<HttpReply, Problem> {
    HttpReply::json(&work(&Watch::default())?)
}

/// Work whose answer is JSON already.
fn text(work: Work<String>) -> Result<HttpReply, Problem> {
    Ok(HttpReply { status: 200, kind: JSON, body: work(&Watch::default())?.into_bytes() })
}

/// A browser draws an SVG itself.
pub(crate) fn no_png(_: &str) -> Result<Vec<u8>, Problem> {
    Err(Problem::refused("picture.failed", "PNG files are drawn by the page"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host;

    fn ask(method: &str, path: &str, body: &str) -> (u16, serde_json::Value) {
        let answer = answer(&host(64), method, path, body.as_bytes());
        (answer.status, serde_json::from_slice(&answer.body).unwrap())
    }

    const SETUP: &str = r#""setup":{"game":"gomoku"}"#;

    #[test]
    fn requests_are_answered_as_the_server_would() {
        let (status, view) = ask("POST", "/view", &format!(r#"{{{SETUP},"moves":["h8"]}}"#));
        assert_eq!((status, &view["ply"]), (200, &1.into()));
        let (status, read) = ask("POST", "/import", r#"{"text":"h8i9","game":"gomoku"}"#);
        assert_eq!((status, &read["view"]["ply"]), (200, &2.into()));
        let (status, catalog) = ask("GET", "/catalog", "");
        assert_eq!((status, catalog["games"].as_array().map(Vec::len)), (200, Some(2)));
        let (status, puzzles) = ask("GET", "/puzzles", "");
        assert_eq!(status, 200);
        let first = &puzzles["puzzles"][0];
        let path = format!("/puzzles/{}/{}", first["game"].as_str().unwrap(), first["id"].as_str().unwrap());
        assert_eq!(ask("GET", &path, "").1["id"], first["id"]);
        let map = r#"{"style":"backtracker","rows":9,"cols":9}"#;
        let (status, map) = ask("POST", "/maze/generate", map);
        assert_eq!((status, &map["rows"]), (200, &9.into()), "{map}");
        let ask_tree = r#"{"algorithm":"alphabeta","tictactoe":"X.O......"}"#;
        assert_eq!(ask("POST", "/explain", ask_tree).0, 200);
    }

    #[test]
    fn bad_requests_are_problems_with_a_code() {
        let (status, problem) = ask("POST", "/view", &format!(r#"{{{SETUP},"moves":["h8","h8"]}}"#));
        assert_eq!((status, &problem["code"]), (422, &"move.occupied".into()));
        assert_eq!(ask("POST", "/view", "{").1["code"], "body.syntax");
        assert_eq!(ask("POST", "/bots", "{}").1["code"], "path.unknown");
        assert_eq!(ask("DELETE", "/view", "{}").0, 404);
    }
}
