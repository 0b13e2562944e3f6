//! Foreign pages, foreign hosts, floods and oversized requests are turned away; headers are strict.

use crate::client::{Socket, get, post, send};
use crate::host::{Backend, Data, Host};
use serde_json::json;
use server::{Config, ConfigError, Quota, ServeError, Server};

const JSON: (&str, &str) = ("Content-Type", "application/json");

#[test]
fn every_answer_has_strict_headers() {
    let host = Host::start();
    for path in ["/", "/api/v1/catalog", "/api/v1/none", "/api/docs", "/healthz", "/play/somewhere"] {
        let head = send(host.addr, "GET", path, &[], b"").head.to_lowercase();
        assert!(
            head.contains(
                "content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval';"
            ),
            "{path}: {head}"
        );
        for header in [
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "x-frame-options: deny",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-embedder-policy: require-corp",
        ] {
            assert!(head.contains(header), "{path}: {header}");
        }
    }
}

#[test]
fn pages_have_no_inline_script_and_no_foreign_address() {
    let host = Host::start();
    let page = String::from_utf8(send(host.addr, "GET", "/api/docs", &[], b"").body).unwrap();
    assert!(!page.contains("<script>") && !page.contains("style=") && !page.contains("://"), "{page}");
    for path in ["/api/docs.js", "/api/docs.css"] {
        let file = send(host.addr, "GET", path, &[], b"");
        assert_eq!(file.status, 200);
        assert!(!String::from_utf8(file.body).unwrap().contains("://"));
    }
    assert_eq!(
        send(host.addr, "GET", "/healthz", &[], b"").body,
        concat!("ok\ntengen ", env!("CARGO_PKG_VERSION"), "\n").as_bytes()
    );
}

#[test]
fn foreign_pages_and_hosts_are_turned_away() {
    let host = Host::start();
    let evil = ("Origin", "http://evil.example");
    send(host.addr, "POST", "/api/v1/games", &[JSON, evil], b"{}").problem(403, "origin.foreign");
    assert_eq!(Socket::open_with(host.addr, "/analysis", &[evil]).err(), Some(403));
    assert!(Socket::open_with(host.addr, "/analysis", &[("Origin", "http://localhost:5173")]).is_ok());
    send(host.addr, "GET", "/api/v1/catalog", &[("Host", "rebound.example")], b"")
        .problem(403, "host.unknown");
}

#[test]
fn bodies_and_messages_have_a_limit() {
    let host = Host::start();
    let large = format!("{{\"text\":\"{}\"}}", "x".repeat(2 << 20));
    send(host.addr, "POST", "/api/v1/import", &[JSON], large.as_bytes()).problem(413, "body.too-large");
    send(host.addr, "POST", "/api/v1/view", &[JSON], b"{").problem(400, "body.syntax");
    send(host.addr, "POST", "/api/v1/view", &[JSON], b"\xff\xfe").problem(400, "body.syntax");
    send(host.addr, "POST", "/api/v1/view", &[JSON], b"{\"setup\":7}").problem(422, "body.shape");
    send(host.addr, "POST", "/api/v1/view", &[("Content-Type", "text/plain")], b"{}")
        .problem(415, "body.type");
    send(host.addr, "DELETE", "/api/v1/games", &[], b"").problem(405, "method.unknown");
    send(host.addr, "GET", "/api/v1/games/%ff", &[], b"").problem(400, "path.unreadable");
    send(host.addr, "GET", "/api/v1/games?limit=many", &[], b"").problem(400, "query.unreadable");
    send(host.addr, "GET", "/../../etc/passwd.txt", &[], b"").problem(404, "path.unknown");
    let mut socket = Socket::open(host.addr, "/analysis");
    socket.say_text(&"x".repeat(100_000));
    assert!(socket.hear().is_none(), "an oversized message ends the connection");
    get(host.addr, "/catalog").expect(200);
}

#[test]
fn a_flood_is_answered_with_429() {
    let host = Host::with_quota(Quota { requests: 5.0, sockets: 2, messages: 2.0, ..Quota::public() });
    let mut socket = Socket::open(host.addr, "/analysis");
    for _ in 0..12 {
        socket.say(&json!({ "type": "stop", "id": "x" }));
    }
    assert_eq!(socket.hear().unwrap()["code"], "rate.exceeded");
    let _second = Socket::open(host.addr, "/analysis");
    assert_eq!(Socket::open_with(host.addr, "/analysis", &[]).err(), Some(429));
    let statuses: Vec<_> = (0..40).map(|_| get(host.addr, "/catalog").status).collect();
    assert!(statuses.contains(&200) && statuses.contains(&429), "{statuses:?}");
    // On a slow machine the next second's share may have come meanwhile.
    let refused = (0..40).map(|_| post(host.addr, "/view", &json!({}))).find(|answer| answer.status == 429);
    refused.expect("a request is refused").problem(429, "rate.exceeded");
}

#[test]
fn a_public_server_needs_a_choice_and_then_answers_only_to_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let open = Config { addr: "0.0.0.0:0".parse().unwrap(), data: folder.path().into(), ..Config::default() };
    let refused = runtime.block_on(Server::bind(open, crate::host::games()));
    assert!(matches!(refused.err(), Some(ServeError::Config(ConfigError::NotPublic(_)))));
    let bad = Config { database: Some("mysql://x".into()), data: folder.path().into(), ..Config::default() };
    assert!(matches!(runtime.block_on(Server::bind(bad, vec![])).err(), Some(ServeError::Store(_))));
    let host = Host::with(|config| {
        config.public = true;
        config.origins = vec!["https://tengen.example.org".into()];
    });
    let ask = |headers: &[(&str, &str)], method: &str| {
        let body: &[u8] = if method == "POST" { br#"{"setup":{"game":"hex"}}"# } else { b"" };
        let headers: Vec<_> = headers.iter().copied().chain([JSON]).collect();
        send(host.addr, method, "/api/v1/view", &headers, body)
    };
    let name = ("Host", "tengen.example.org");
    ask(&[name], "POST").expect(200);
    ask(&[name, ("Origin", "https://tengen.example.org")], "POST").expect(200);
    ask(&[name, ("Origin", "http://tengen.example.org")], "POST").problem(403, "origin.foreign");
    for other in ["localhost", "127.0.0.1", "tengen.example.org.evil.example", "tengen.example.org:81"] {
        ask(&[("Host", other)], "POST").problem(403, "host.unknown");
    }
}

/// A wrong method is answered with the right ones.
#[test]
fn a_wrong_method_is_told_the_right_ones() {
    let host = Host::start();
    let described: serde_json::Value = serde_json::from_str(&server::openapi_json()).unwrap();
    let paths = described["paths"].as_object().unwrap();
    assert!(paths.len() > 20);
    for (path, operations) in paths {
        let path = format!("/api/v1{}", path.replace("{game}", "hex").replace("{id}", "x"));
        let answer = send(host.addr, "PATCH", &path, &[], b"");
        answer.problem(405, "method.unknown");
        let head = answer.head.to_lowercase();
        let allow = head.lines().find_map(|line| line.strip_prefix("allow: ")).expect("an Allow header");
        for method in operations.as_object().unwrap().keys() {
            assert!(allow.split(',').any(|word| word == method), "{path}: {allow} has no {method}");
        }
    }
}

/// A probe comes by address, by any name, and as often as it likes; metrics are not for strangers.
#[test]
fn probes_are_never_turned_away_and_metrics_are_guarded() {
    let data = Data::new(&Backend::Sqlite);
    let quota = Quota { requests: 0.1, ..Quota::public() };
    let host = Host::serve(
        Config {
            public: true,
            origins: vec!["https://tengen.example.org".into()],
            quota: Some(quota),
            metrics_token: Some("open sesame".into()),
            ..data.config()
        },
        data,
    );
    for _ in 0..20 {
        for name in ["10.0.0.7:7878", "tengen.example.org", "whatever"] {
            for path in ["/healthz", "/readyz"] {
                assert_eq!(send(host.addr, "GET", path, &[("Host", name)], b"").status, 200, "{path} {name}");
            }
        }
    }
    let metrics = |headers: &[(&str, &str)]| send(host.addr, "GET", "/metrics", headers, b"");
    let public = ("Host", "tengen.example.org");
    metrics(&[public]).problem(403, "metrics.guarded");
    metrics(&[public, ("Authorization", "Bearer wrong")]).problem(403, "metrics.guarded");
    metrics(&[("X-Forwarded-For", "192.0.2.1")]).problem(403, "metrics.guarded");
    assert_eq!(metrics(&[public, ("Authorization", "Bearer open sesame")]).status, 200);
    assert_eq!(metrics(&[]).status, 200, "from this machine to this machine");
}
