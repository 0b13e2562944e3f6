//! The built web app, embedded in the binary.

use api::Problem;
use axum::body::Body;
use axum::http::{HeaderValue, Method, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Dist;

/// A file of the app or the guide, or the `index.html` of a folder; any other address without a dot is one of the app's own
/// pages.
pub(crate) async fn serve(method: Method, uri: Uri) -> Response {
    if method != Method::GET && method != Method::HEAD {
        let status = axum::http::StatusCode::METHOD_NOT_ALLOWED;
        let problem = Problem::new(status, "method.unknown", "pages can only be read");
        return ([(header::ALLOW, "GET,HEAD")], problem).into_response();
    }
    let path = uri.path().trim_start_matches('/');
    let index = format!("{path}index.html");
    let folder = |index: &str| Dist::get(index).is_some();
    if !path.is_empty() && !path.ends_with('/') && folder(&format!("{path}/index.html")) {
        // Links of the guide are relative to the folder of their page.
        return Redirect::permanent(&format!("/{path}/")).into_response();
    }
    let path = if path.is_empty() || path.ends_with('/') && folder(&index) { &index } else { path };
    let found = Dist::get(path);
    let page = !path.rsplit('/').next().unwrap_or_default().contains('.');
    let files = path == "api" || path.starts_with("api/") || path.starts_with("guide/");
    let (name, file) = match found {
        Some(file) => (path, file),
        None if page && !files => match Dist::get("index.html") {
            Some(file) => ("index.html", file),
            None => return missing(),
        },
        None => return missing(),
    };
    // Vite names what it builds after its content: those never change.
    let cache = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let kind = match file.metadata.mimetype() {
        "text/html" => "text/html; charset=utf-8",
        other => other,
    };
    let kind = HeaderValue::from_str(kind).unwrap_or(HeaderValue::from_static("application/octet-stream"));
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, HeaderValue::from_static(cache))];
    (headers, Body::from(file.data)).into_response()
}

/// A page that plays a record without any server: the app's player and the record in one file. `None` if this build
/// has no web app.
pub fn player_page(record: &str) -> Option<String> {
    let text = |name: &str| Some(String::from_utf8_lossy(&Dist::get(name)?.data).into_owned());
    let (script, style) = (text("player/player.js")?, text("player/player.css")?);
    // In a script element only `</script` ends the text, and `<!--` changes how it is read.
    let record = record.replace('<', "\\u003c");
    let script = script.replace("</script", "<\\/script").replace("<!--", "<\\!--");
    Some(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Tengen</title>\n<style>\n{style}\n</style>\n</head>\n<body>\n<div id=\"app\"></div>\n\
         <script type=\"application/json\" id=\"record\">{record}</script>\n<script>\n{script}\n</script>\n</body>\n</html>\n"
    ))
}

fn missing() -> Response {
    Problem::missing("path.unknown", "there is nothing at this address").into_response()
}
