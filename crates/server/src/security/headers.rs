//! Headers on every answer: no inline script, no foreign host, no framing, no sniffing.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

/// Everything comes from this server; styles set by script through the DOM are not affected.
pub(crate) const CSP: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
     font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// The script in which a student's own code runs: it may make functions from text, and scripts and WebAssembly from
/// what the page hands it (Python), and nothing else. A worker obeys the policy it came with, so this code reaches no
/// server, this one included. `web/scripts/site.mjs` reads it from here for sites without a server.
const STUDENT: &str = "default-src 'none'; script-src 'unsafe-eval' 'wasm-unsafe-eval' blob:";

const ALWAYS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CSP),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    // With the one above: cross-origin isolation, which threads in the page would need.
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Puts the headers on.
pub(crate) async fn put(request: Request, next: Next) -> Response {
    let student = request.uri().path() == "/student.js";
    let api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if student {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(STUDENT));
    }
    if api {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    response
}
