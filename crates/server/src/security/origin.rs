//! Whose pages may talk to this server.
//!
//! A browser names the page's origin; only ours is let in, for WebSockets and everything that changes
//! something. The `Host` is checked too, so that a foreign name that resolves to this machine (DNS
//! rebinding) gets no answer. Programs send no `Origin` and are let in: they hold no cookies, and send
//! a secret only on purpose.

use crate::app::App;
use api::Problem;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// The origins that are ours.
#[derive(Clone, Debug)]
pub(crate) enum Origins {
    /// On loopback: any loopback name, whatever the port (a development server proxies to us).
    Loopback,
    /// Exactly these, such as `https://tengen.example.org`.
    Listed(Vec<String>),
}

impl Origins {
    /// May pages of this origin talk to us?
    pub(crate) fn allow(&self, origin: &str) -> bool {
        match self {
            Origins::Loopback => {
                let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
                rest.is_some_and(is_loopback)
            }
            Origins::Listed(list) => list.iter().any(|known| known.eq_ignore_ascii_case(origin)),
        }
    }

    /// Is this `Host` header us?
    pub(crate) fn is_host(&self, host: &str) -> bool {
        match self {
            Origins::Loopback => is_loopback(host),
            Origins::Listed(list) => list.iter().any(|origin| {
                origin.split_once("://").is_some_and(|(_, own)| own.eq_ignore_ascii_case(host))
            }),
        }
    }
}

/// `localhost`, `127.0.0.1` or `[::1]`, with any port.
pub(crate) fn is_loopback(authority: &str) -> bool {
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => authority,
    };
    if host.eq_ignore_ascii_case("localhost") {
        return true;
    }
    let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
    bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Turns foreign pages and foreign host names away.
pub(crate) async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    match refuse(&app.origins, request.method(), request.headers()) {
        Some(problem) => problem.into_response(),
        None => next.run(request).await,
    }
}

fn refuse(origins: &Origins, method: &Method, headers: &HeaderMap) -> Option<Problem> {
    let forbid = |code, detail: &str| Some(Problem::new(StatusCode::FORBIDDEN, code, detail));
    match headers.get(header::HOST).map(|host| host.to_str()) {
        Some(Ok(host)) if origins.is_host(host) => {}
        // HTTP/1.0 probes send none; they cannot come from a browser.
        None => {}
        _ => return forbid("host.unknown", "this server does not answer to that host name"),
    }
    let changes = !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    if !changes && !headers.contains_key(header::UPGRADE) {
        return None;
    }
    match headers.get(header::ORIGIN).map(|origin| origin.to_str()) {
        None => None,
        Some(Ok(origin)) if origins.allow(origin) => None,
        _ => forbid("origin.foreign", "pages of another origin may not use this server"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_names_only() {
        let own = Origins::Loopback;
        for good in
            ["http://localhost:7878", "http://127.0.0.1:5173", "http://[::1]:7878", "http://127.0.0.1"]
        {
            assert!(own.allow(good), "{good}");
        }
        for bad in
            ["http://evil.example", "http://localhost.evil.example", "null", "", "file://", "http://10.0.0.1"]
        {
            assert!(!own.allow(bad), "{bad}");
        }
        assert!(
            own.is_host("localhost:7878") && own.is_host("[::1]:1") && !own.is_host("rebound.example:7878")
        );
    }

    #[test]
    fn listed_origins_are_exact() {
        let own = Origins::Listed(vec!["https://tengen.example.org".into()]);
        assert!(own.allow("https://tengen.example.org"));
        assert!(!own.allow("http://tengen.example.org"));
        assert!(!own.allow("https://tengen.example.org.evil.example"));
        assert!(own.is_host("tengen.example.org") && !own.is_host("localhost"));
    }

    #[test]
    fn a_foreign_page_may_read_nothing_that_changes() {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, "localhost:7878".parse().unwrap());
        headers.insert(header::ORIGIN, "http://evil.example".parse().unwrap());
        assert!(refuse(&Origins::Loopback, &Method::POST, &headers).is_some());
        headers.insert(header::UPGRADE, "websocket".parse().unwrap());
        assert!(refuse(&Origins::Loopback, &Method::GET, &headers).is_some());
        headers.insert(header::ORIGIN, "http://localhost:7878".parse().unwrap());
        assert!(refuse(&Origins::Loopback, &Method::GET, &headers).is_none());
    }
}
