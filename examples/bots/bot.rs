//! A bot for Tengen: it plays a random legal move.
//!
//!     TENGEN_TOKEN=… cargo run --example bot -- [ws://127.0.0.1:7878/api/v1/bots/ws]
//!
//! The token is made in the app (or with POST /api/v1/bots). Put your own thinking into `choose`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a small program talks on the terminal")]

use serde_json::{Value, json};
use std::error::Error;
use std::time::{Duration, SystemTime};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, connect};

/// `turn` has game, you, ply, setup, moves, board (rows of . X O), legal (all legal moves) and clock.
fn choose(turn: &Value) -> Option<&str> {
    let legal = turn["legal"].as_array()?;
    let nanos = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?.subsec_nanos() as usize;
    legal.get(nanos / 7 % legal.len().max(1))?.as_str()
}

fn play(url: &str, token: &str) -> Result<(), Box<dyn Error>> {
    let mut request = url.into_client_request()?;
    request.headers_mut().insert("Authorization", format!("Bearer {token}").parse()?);
    let (mut socket, _) = connect(request)?;
    loop {
        // Pings are answered by the library.
        let Message::Text(text) = socket.read()? else { continue };
        let message: Value = serde_json::from_str(&text)?;
        match message["type"].as_str() {
            Some("turn") => {
                let Some(choice) = choose(&message) else { continue };
                let order =
                    json!({ "type": "move", "game": message["game"], "ply": message["ply"], "move": choice });
                socket.send(Message::text(order.to_string()))?;
            }
            Some("welcome" | "end" | "error") => println!("{message}"),
            _ => {}
        }
    }
}

fn main() {
    let url = std::env::args().nth(1).unwrap_or_else(|| "ws://127.0.0.1:7878/api/v1/bots/ws".into());
    let Ok(token) = std::env::var("TENGEN_TOKEN") else {
        eprintln!("set TENGEN_TOKEN to the bot's token");
        std::process::exit(2);
    };
    loop {
        // The server restarts: come back, it tells us our turns again.
        if let Err(error) = play(&url, &token) {
            eprintln!("{error}");
        }
        std::thread::sleep(Duration::from_secs(1));
    }
}
