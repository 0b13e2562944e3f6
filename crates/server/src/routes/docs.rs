//! The OpenAPI description, and a page to try the API.

use super::bots::BotRequest;
use super::messages::{BotReply, GameReply};
use super::watch::GameRequest;
use super::{
    actions, analysis, arenas, bots, catalog, challenges, classes, explain, files, fleet, games, ladder,
    layer, maze, puzzles, solve, studies, view, watch,
};
use crate::live::{BotMessage, GameMessage};
use api::{AnalysisMessage, AnalysisRequest, ProblemBody};
use axum::Json;
use axum::http::{HeaderName, header};
use axum::response::IntoResponse;
use std::collections::BTreeMap;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Content, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, Modify, OpenApi};

#[derive(OpenApi)]
#[openapi(
    info(title = "Tengen", description = include_str!("docs/about.md")),
    servers((url = "/api/v1")),
    paths(
        catalog::catalog, view::view, layer::layer, files::import, files::export,
        games::create, games::list, games::show, games::play, actions::act, actions::hint, files::record,
        watch::watch, analysis::analysis, bots::create, bots::list, bots::connect, ladder::show, ladder::join,
        ladder::games, arenas::create, arenas::close, arenas::invite, arenas::dismiss,
        challenges::post, challenges::list, challenges::fate, challenges::withdraw, challenges::accept,
        studies::create, studies::show, studies::save, solve::solve,
        puzzles::list, puzzles::progress, puzzles::show, puzzles::judge, puzzles::hint, puzzles::solution,
        maze::generate, maze::solve, maze::batch, maze::nearest, maze::import,
        explain::explain, explain::path, explain::xray, fleet::status,
        classes::list, classes::show, classes::enter, classes::hand_in::submit, classes::teach::handed_in,
        classes::hand_in::work, classes::hand_in::try_games, classes::results::trial, classes::results::table,
        classes::results::report, classes::results::games, classes::results::game, classes::teach::students,
        classes::set_up::create, classes::set_up::change, classes::set_up::add, classes::set_up::renew,
        classes::set_up::remove, classes::teach::rounds, classes::teach::play, classes::teach::publish, classes::teach::export,
    ),
    components(schemas(
        AnalysisRequest, AnalysisMessage, GameRequest, GameReply, GameMessage, BotRequest, BotReply, BotMessage,
        ProblemBody,
    )),
    modifiers(&Secrets, &Refusals),
)]
struct Description;

/// The bearer secret of a seat, an owner, a bot or a study.
struct Secrets;

impl Modify for Secrets {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        let components = openapi.components.get_or_insert_with(Default::default);
        components.add_security_scheme("secret", SecurityScheme::Http(bearer));
    }
}

/// A problem as a response.
fn refusal(description: &str) -> RefOr<Response> {
    let problem = Content::new(Some(Ref::from_schema_name("ProblemBody")));
    let response = ResponseBuilder::new().description(description);
    response.content("application/problem+json", problem).build().into()
}

/// Status codes with which a handler refuses a request, with a problem that speaks for itself.
pub(crate) struct Refused<
    const A: u16,
    const B: u16 = 0,
    const C: u16 = 0,
    const D: u16 = 0,
    const E: u16 = 0,
>;

impl<const A: u16, const B: u16, const C: u16, const D: u16, const E: u16> IntoResponses
    for Refused<A, B, C, D, E>
{
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let codes = [A, B, C, D, E].into_iter().filter(|code| *code != 0);
        codes.map(|code| (code.to_string(), refusal(""))).collect()
    }
}

/// Error responses that any request can get before its handler runs.
struct Refusals;

impl Modify for Refusals {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        for (path, item) in &mut openapi.paths.paths {
            for operation in
                [&mut item.get, &mut item.post, &mut item.put, &mut item.delete].into_iter().flatten()
            {
                let mut add = |status: &str, description: &str| {
                    operation
                        .responses
                        .responses
                        .entry(status.into())
                        .or_insert_with(|| refusal(description));
                };
                add("403", "`host.unknown` or `origin.foreign`");
                add("429", "`rate.exceeded`");
                if operation.request_body.is_some() {
                    add("400", "`body.syntax` or `body.unreadable`");
                    add("413", "`body.too-large`");
                    if !path.ends_with("/submissions") && !path.ends_with("/students") {
                        add("415", "`body.type`: the body must be application/json");
                    }
                } else {
                    add("400", "`path.unreadable`, `query.unreadable` or `socket.expected`");
                }
                if path.ends_with("/ws") || path == "/analysis" {
                    add("426", "`socket.expected`");
                }
            }
        }
    }
}

/// The description as JSON text.
pub fn openapi_json() -> String {
    Description::openapi().to_pretty_json().unwrap_or_default()
}

/// The description.
pub(crate) async fn openapi() -> Json<utoipa::openapi::OpenApi> {
    Json(Description::openapi())
}

const HTML: &str = "text/html; charset=utf-8";

/// The page to try the API.
pub(crate) async fn page() -> impl IntoResponse {
    typed(HTML, include_str!("docs/page.html"))
}

/// Its script.
pub(crate) async fn script() -> impl IntoResponse {
    typed("text/javascript; charset=utf-8", include_str!("docs/page.js"))
}

/// Its style.
pub(crate) async fn style() -> impl IntoResponse {
    typed("text/css; charset=utf-8", include_str!("docs/page.css"))
}

fn typed(kind: &'static str, text: &'static str) -> ([(HeaderName, &'static str); 1], &'static str) {
    ([(header::CONTENT_TYPE, kind)], text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_is_described() {
        let known = Description::openapi().components.unwrap().schemas;
        for name in [
            "AnalysisRequest",
            "AnalysisMessage",
            "GameRequest",
            "GameReply",
            "BotRequest",
            "BotReply",
            "ReviewedMove",
        ] {
            assert!(known.contains_key(name), "{name}");
        }
    }

    #[test]
    fn the_written_page_names_every_path() {
        let page = include_str!("../../../../guide/en/api.md");
        let missing: Vec<_> = Description::openapi()
            .paths
            .paths
            .into_keys()
            .filter(|path| !page.contains(path.as_str()))
            .collect();
        assert!(missing.is_empty(), "guide/en/api.md does not name {missing:?}");
    }
}
