//! Botzone's JSON protocol from the platform's side.
//!
//! A bot reads one line with all requests (the opponent's moves) and its own responses so far and prints one line
//! with its response. In the simple form it then ends, and each move has a new process. A bot that prints
//! [`KEEP_RUNNING`] after its answer stays and gets only the new request from then on.

use super::{Driver, START_UP, ask, quote, start_without_handshake, timeline};
use crate::botzone::{KEEP_RUNNING, point, read_point};
use crate::player::{Fault, GameStart, MoveReply, MoveRequest};
use crate::process::{Child, ChildError};
use game::{Cell, Move, MoveNote, Position};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long a bot may take after its answer to end or to ask to be kept running. It is not billed.
const EXIT_GRACE: Duration = Duration::from_secs(2);
/// Characters kept of a bot's `debug` text, as on Botzone.
const DEBUG_CHARS: usize = 1024;

#[derive(Default)]
pub(super) struct BotzoneDriver {
    /// The bot stays and knows the game up to its own last move.
    running: bool,
    /// What the bot wants to be given back in its next turn, and in the next game.
    data: Option<Value>,
    global_data: Option<Value>,
}

impl Driver for BotzoneDriver {
    fn start(&mut self, child: &mut Child, start: &GameStart) -> Result<(), Fault> {
        self.running = false;
        self.data = None;
        start_without_handshake(child, start, "Botzone's protocol")
    }

    fn choose(
        &mut self,
        child: &mut Child,
        position: &dyn Position,
        request: &MoveRequest,
    ) -> Result<MoveReply, Fault> {
        let question = self.question(position)?.to_string();
        if !self.running {
            // A new process: an interpreter that is starting is not thinking.
            child.wait_until_idle(Instant::now() + START_UP, request.stop);
        }
        let (said, time) = ask(child, &question, request)?;
        let answer: Value = serde_json::from_str(said.trim()).map_err(|_| {
            Fault::Syntax(format!(
                "'{}' is not JSON; accepted: one line {{\"response\":{{\"x\":ROW,\"y\":COLUMN}}}}",
                quote(&said)
            ))
        })?;
        let Some(response) = answer.get("response") else {
            return Err(Fault::Syntax(format!("'{}' has no field \"response\"", quote(&said))));
        };
        let cell = read_point(response).map_err(Fault::Syntax)?;
        let Some(cell) = cell else {
            return Err(Fault::Syntax("the response -1, -1 is not a move".into()));
        };
        self.data = answer.get("data").cloned();
        if let Some(data) = answer.get("globaldata") {
            self.global_data = Some(data.clone());
        }
        self.running = requests_keep_running(child, request)?;
        let comment = answer.get("debug").map(text).unwrap_or_default();
        Ok(MoveReply { mv: Some(Move::Place(cell)), note: MoveNote { comment, ..MoveNote::default() }, time })
    }

    fn quit_command(&self) -> &'static str {
        ""
    }

    fn reusable(&self) -> bool {
        false
    }

    fn keeps_process(&self) -> bool {
        self.running
    }
}

impl BotzoneDriver {
    /// The whole game for a new process, the opponent's last move for one that stays.
    fn question(&self, position: &dyn Position) -> Result<Value, Fault> {
        let (_, moves) = timeline(position);
        let me = position.to_move();
        let mut requests: Vec<Option<Cell>> = Vec::new();
        let mut responses: Vec<Option<Cell>> = Vec::new();
        for (side, mv) in &moves {
            let Some(cell) = mv.cell() else {
                return Err(Fault::Refused("Botzone's protocol has no word for swapping".into()));
            };
            if *side == me {
                if responses.len() == requests.len() {
                    requests.push(None);
                }
                responses.push(Some(cell));
            } else {
                requests.push(Some(cell));
            }
        }
        if requests.len() == responses.len() {
            requests.push(None);
        }
        if self.running {
            return Ok(point(requests.last().copied().flatten()));
        }
        let points = |cells: Vec<Option<Cell>>| cells.into_iter().map(point).collect::<Vec<_>>();
        let mut question = json!({"requests": points(requests), "responses": points(responses)});
        for (key, value) in [("data", &self.data), ("globaldata", &self.global_data)] {
            if let Some(value) = value {
                question[key] = value.clone();
            }
        }
        Ok(question)
    }
}

/// What the bot does after its answer: true if it asks to be kept running.
fn requests_keep_running(child: &mut Child, request: &MoveRequest) -> Result<bool, Fault> {
    let until = Instant::now() + EXIT_GRACE;
    loop {
        match child.read_line(until, request.stop) {
            Ok(line) if line.trim() == KEEP_RUNNING => return Ok(true),
            Ok(line) if line.trim().is_empty() => {}
            Ok(line) => {
                return Err(Fault::Syntax(format!(
                    "'{}' after the answer; accepted there: {KEEP_RUNNING}, or nothing",
                    quote(&line)
                )));
            }
            Err(ChildError::Stopped) => return Err(Fault::Stopped),
            Err(ChildError::Flood) => return Err(Fault::Flood),
            Err(_) => return Ok(false),
        }
    }
}

fn text(value: &Value) -> String {
    let whole = value.as_str().map_or_else(|| value.to_string(), str::to_string);
    whole.chars().take(DEBUG_CHARS).collect()
}
