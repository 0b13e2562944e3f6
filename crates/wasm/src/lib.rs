//! The engines in the page: the JSON of the HTTP API, answered in a web worker on the visitor's own processor.
//!
//! Everything here is thin: `tengen_api` holds the shapes and the functions behind them, as it does for the server. A
//! worker calls [`request`] for one answer and [`analysis`] for a search that reports while it runs. A search on a thread
//! of its own cannot be told to stop, because a worker hears nothing while it computes: the page ends the worker instead
//! and keeps its last report.
//!
//! ```
//! let host = tengen_wasm::host(64);
//! let body = br#"{ "setup": { "game": "hex" }, "moves": ["f6"] }"#;
//! let reply = tengen_wasm::answer(&host, "POST", "/view", body);
//! assert_eq!((reply.status, reply.kind), (200, "application/json"));
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `games` | games that the page keeps |
//! | `router` | requests by method and path |
//! | `student` | boards and maps for programs that students write |

mod games;
mod router;
mod student;

pub use router::{HttpReply, answer};
pub use student::{StudentBoard, StudentMap, student_board, student_map};

use api::review::Review;
use api::{AnalysisMessage, AnalysisRequest, Host, Problem, Search};
use game::Watch;
use js_sys::Function;
use std::cell::RefCell;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The built-in games, one thread, and this much memory for a search.
pub fn host(memory_mb: usize) -> Host {
    Host { memory_mb, ..Host::new(vec![&gomoku::GOMOKU, &hex::HEX]) }
}

thread_local! {
    static HOST: RefCell<Host> = RefCell::new(host(64));
}

/// Memory that one search may use, in MiB.
#[wasm_bindgen]
pub fn set_memory(megabytes: usize) {
    HOST.with_borrow_mut(|host| host.memory_mb = megabytes.clamp(1, 1024));
}

/// Installs the Hex network, which is a file of its own; false if it is damaged or there is one already.
#[wasm_bindgen]
pub fn hex_network(bytes: &[u8]) -> bool {
    hex::engine::network::QuantizedNetwork::install(bytes)
}

/// Installs the Gomoku network, which is a file of its own; false if it is damaged or there is one already.
#[wasm_bindgen]
pub fn gomoku_network(bytes: &[u8]) -> bool {
    gomoku::install_network(bytes)
}

/// An answer for JavaScript.
#[wasm_bindgen]
pub struct Response(HttpReply);

#[wasm_bindgen]
impl Response {
    /// HTTP status.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> u16 {
        self.0.status
    }

    /// Media type.
    #[wasm_bindgen(getter)]
    pub fn kind(&self) -> String {
        self.0.kind.into()
    }

    /// The bytes, taken out.
    pub fn body(self) -> Vec<u8> {
        self.0.body
    }
}

/// Answers a request of the HTTP API; `path` is what follows `/api/v1`.
#[wasm_bindgen]
pub fn request(method: &str, path: &str, body: &[u8]) -> Response {
    Response(HOST.with_borrow(|host| answer(host, method, path, body)))
}

/// Runs a search or a review to its end, from a message as `/analysis` takes it; `send` gets the messages it answers.
#[wasm_bindgen]
pub fn analysis(message: &str, send: &Function) {
    HOST.with_borrow(|host| {
        analyse(host, message, &mut |message| {
            let text = serde_json::to_string(&message).unwrap_or_default();
            // A listener that throws is the page's mistake, and no reason to end the search.
            let _ = send.call1(&JsValue::NULL, &text.into());
        });
    });
}

/// Lets the engine to move in a game that the page keeps think, see [`games::think`].
#[wasm_bindgen]
pub fn think(request: &str, send: &Function) {
    HOST.with_borrow(|host| {
        games::think(host, request.as_bytes(), &mut |message| {
            let _ = send.call1(&JsValue::NULL, &message.to_string().into());
        });
    });
}

/// See [`analysis`].
pub fn analyse(host: &Host, message: &str, send: &mut dyn FnMut(AnalysisMessage)) {
    match router::read::<AnalysisRequest>(message.as_bytes()) {
        Ok(AnalysisRequest::Start(order)) => {
            let id = order.id.clone();
            match Search::plan(host, order) {
                Ok(search) => {
                    let last = search.run(&Watch::default(), send);
                    send(last);
                }
                Err(problem) => send(AnalysisMessage::refused(&id, problem)),
            }
        }
        Ok(AnalysisRequest::Review(order)) => {
            let id = order.id.clone();
            match Review::plan(host, order) {
                Ok(review) => send_review(review, send),
                Err(problem) => send(AnalysisMessage::refused(&id, problem)),
            }
        }
        Ok(AnalysisRequest::Stop { .. } | AnalysisRequest::Ping) => {}
        Err(problem) => send(AnalysisMessage::Error { id: None, error: problem.into() }),
    }
}

fn send_review(mut review: Review, send: &mut dyn FnMut(AnalysisMessage)) {
    while let Some(work) = review.next() {
        let found: Result<_, Problem> = work(&Watch::default());
        match found {
            Ok(found) => send(review.add(found)),
            Err(problem) => return send(AnalysisMessage::failed(review.id(), problem)),
        }
    }
    send(review.done());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(message: &str) -> Vec<serde_json::Value> {
        let mut all = Vec::new();
        analyse(&host(16), message, &mut |message| all.push(serde_json::to_value(message).unwrap()));
        all
    }

    #[test]
    fn a_search_ends_with_its_move_and_a_review_with_every_verdict() {
        let start = r#"{"type":"start","id":"a","setup":{"game":"gomoku"},"moves":["h8"],"nodes":500}"#;
        let last = messages(start).pop().unwrap();
        assert_eq!((&last["type"], &last["id"]), (&"done".into(), &"a".into()), "{last}");
        let review =
            r#"{"type":"review","id":"r","setup":{"game":"gomoku"},"moves":["h8","i9"],"nodes":200}"#;
        let all = messages(review);
        assert_eq!(all.len(), 4, "three positions and the end");
        assert_eq!(all[3]["moves"].as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn damaged_networks_are_refused() {
        for damaged in [&b""[..], b"no network"] {
            assert!(!gomoku_network(damaged) && !hex_network(damaged));
        }
    }

    #[test]
    fn bad_orders_are_refused() {
        for bad in ["", r#"{"type":"start","id":"a","setup":{"game":"go"}}"#] {
            assert_eq!(messages(bad).last().unwrap()["type"], "error", "{bad}");
        }
    }
}
