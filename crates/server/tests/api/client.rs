//! A client for tests: requests by hand over TCP, and WebSockets.

use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// An answer.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Response {
    /// The body as JSON; panics with the body if it is not.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("not JSON: {} {}", self.status, String::from_utf8_lossy(&self.body)))
    }

    /// The body, if the status is as it should be.
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        self.json()
    }

    /// Checks that it is a problem document with this status and code.
    pub(crate) fn problem(&self, status: u16, code: &str) -> Value {
        let body = self.expect(status);
        assert!(self.head.to_lowercase().contains("content-type: application/problem+json"), "{}", self.head);
        assert_eq!(body["code"], code, "{body}");
        assert_eq!(body["status"], status);
        body
    }
}

/// Sends a request with any headers and body.
pub(crate) fn send(
    addr: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Response {
    let mut stream = TcpStream::connect(addr).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut head =
        format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        head.push_str(&format!("Host: {addr}\r\n"));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    // A server that refuses a body early may close before all of it is sent.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap_or_else(|| panic!("{method} {path}: no answer, only {:?}", String::from_utf8_lossy(&bytes)));
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status line");
    Response { status, head, body: bytes[end + 4..].to_vec() }
}

const PREFIX: &str = "/api/v1";

pub(crate) fn get(addr: SocketAddr, path: &str) -> Response {
    send(addr, "GET", &format!("{PREFIX}{path}"), &[], b"")
}

pub(crate) fn post(addr: SocketAddr, path: &str, body: &Value) -> Response {
    let headers = [("Content-Type", "application/json")];
    send(addr, "POST", &format!("{PREFIX}{path}"), &headers, body.to_string().as_bytes())
}

/// As a client of a server that believes its proxy.
pub(crate) fn post_from(addr: SocketAddr, from: &str, path: &str, body: &Value) -> Response {
    let headers = [("Content-Type", "application/json"), ("X-Forwarded-For", from)];
    send(addr, "POST", &format!("{PREFIX}{path}"), &headers, body.to_string().as_bytes())
}

/// The same with a secret.
pub(crate) fn as_from(addr: SocketAddr, from: &str, secret: &Value, path: &str, body: &Value) -> Response {
    let bearer = format!("Bearer {}", secret.as_str().expect("a secret"));
    let headers =
        [("Content-Type", "application/json"), ("X-Forwarded-For", from), ("Authorization", &bearer)];
    send(addr, "POST", &format!("{PREFIX}{path}"), &headers, body.to_string().as_bytes())
}

/// With a secret.
pub(crate) fn as_(addr: SocketAddr, secret: &Value, method: &str, path: &str, body: &Value) -> Response {
    let bearer = format!("Bearer {}", secret.as_str().expect("a secret"));
    let headers = [("Content-Type", "application/json"), ("Authorization", &bearer)];
    send(addr, method, &format!("{PREFIX}{path}"), &headers, body.to_string().as_bytes())
}

/// A WebSocket.
pub(crate) struct Socket(WebSocket<MaybeTlsStream<TcpStream>>);

impl Socket {
    /// Opens one.
    pub(crate) fn open(addr: SocketAddr, path: &str) -> Socket {
        Socket::open_with(addr, path, &[]).unwrap()
    }

    /// Opens one with headers; the status if it is refused.
    pub(crate) fn open_with(addr: SocketAddr, path: &str, headers: &[(&str, &str)]) -> Result<Socket, u16> {
        let mut request = format!("ws://{addr}{PREFIX}{path}").into_client_request().unwrap();
        for (name, value) in headers {
            let name: tungstenite::http::HeaderName = name.parse().unwrap();
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        match tungstenite::connect(request) {
            Ok((socket, _)) => {
                if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
                    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
                }
                Ok(Socket(socket))
            }
            Err(tungstenite::Error::Http(response)) => Err(response.status().as_u16()),
            // The server is gone.
            Err(_) => Err(0),
        }
    }

    pub(crate) fn say(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).unwrap();
    }

    /// Sends; false if the other side is gone.
    pub(crate) fn try_say(&mut self, message: &Value) -> bool {
        self.0.send(Message::text(message.to_string())).is_ok()
    }

    pub(crate) fn say_text(&mut self, text: &str) {
        self.0.send(Message::text(text.to_string())).unwrap();
    }

    /// The next message; `None` when the other side is gone.
    pub(crate) fn hear(&mut self) -> Option<Value> {
        loop {
            match self.0.read().ok()? {
                Message::Text(text) => return Some(serde_json::from_str(&text).unwrap()),
                Message::Close(_) => return None,
                _ => {}
            }
        }
    }

    /// The next message of this type; others are skipped.
    pub(crate) fn hear_type(&mut self, kind: &str) -> Value {
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(20) {
            let message = self.hear().unwrap_or_else(|| panic!("closed while waiting for {kind}"));
            if message["type"] == kind {
                return message;
            }
            assert!(message["type"] != "error" && message["type"] != "failed", "{message}");
        }
        panic!("no {kind} came");
    }
}

/// A game between two people.
pub(crate) fn two_people(addr: SocketAddr, setup: &Value, more: &Value) -> Value {
    let mut body =
        json!({ "setup": setup, "players": { "first": { "kind": "human" }, "second": { "kind": "human" } } });
    for (key, value) in more.as_object().into_iter().flatten() {
        body[key] = value.clone();
    }
    post(addr, "/games", &body).expect(201)
}

/// Plays a move for a seat.
pub(crate) fn play(addr: SocketAddr, game: &Value, seat: &str, ply: usize, mv: &str) -> Response {
    let id = game["id"].as_str().unwrap();
    as_(addr, &game["seats"][seat], "POST", &format!("/games/{id}/moves"), &json!({ "ply": ply, "move": mv }))
}
