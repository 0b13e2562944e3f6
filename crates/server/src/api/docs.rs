//! The OpenAPI description, and a page to try the API.

use super::{
    actions, analysis, bots, catalog, explain, files, games, layer, maze, puzzles, solve, studies, view,
    watch,
};
use crate::live::{BotMessage, GameMessage};
use axum::Json;
use axum::http::{HeaderName, header};
use axum::response::IntoResponse;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

#[derive(OpenApi)]
#[openapi(
    info(title = "Tengen", description = include_str!("docs/about.md")),
    servers((url = "/api/v1")),
    paths(
        catalog::catalog, view::view, layer::layer, files::import, files::export,
        games::create, games::list, games::show, games::play, actions::act, actions::hint, files::record,
        watch::watch, analysis::analysis, bots::create, bots::list, bots::connect,
        studies::create, studies::show, studies::save, solve::solve,
        puzzles::list, puzzles::progress, puzzles::show, puzzles::judge, puzzles::hint, puzzles::solution,
        maze::generate, maze::solve, maze::import,
        explain::explain, explain::path, explain::xray,
    ),
    components(schemas(GameMessage, BotMessage)),
    modifiers(&Secrets),
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
    fn the_written_page_names_every_path() {
        let page = include_str!("../../../../docs/api.md");
        let missing: Vec<_> = Description::openapi()
            .paths
            .paths
            .into_keys()
            .filter(|path| !page.contains(path.as_str()))
            .collect();
        assert!(missing.is_empty(), "docs/api.md does not name {missing:?}");
    }
}
