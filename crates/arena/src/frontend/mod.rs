//! Our engines' side of the protocols: a frontend lets a client play any [`Engine`](game::Engine) through stdin
//! and stdout.
//!
//! A [`Frontend`] is a pure state machine. It is given one line at a time and returns what to do next ([`FrontendStep`]);
//! it reads no clock, starts no thread and prints nothing, so every protocol can be tested and fuzzed by
//! calling functions. The [`serve`] loop around it owns the reader thread and the engine's thread and keeps
//! the promise that a command that arrives during a search is obeyed at once or waits its turn, and is
//! never lost.
//!
//! | frontend | protocol | game |
//! |---|---|---|
//! | [`GomocupFrontend`] | Gomocup (Piskvork), with the Yixin and Rapfi extensions | Gomoku |
//! | [`HtpFrontend`] | Hex Text Protocol, with HexGui's analyze commands | Hex |
//! | [`LineFrontend`] | `first`, `f6`, `change`, `finish`: one line per turn | Hex |
//! | [`BotzoneFrontend`] | Botzone's JSON, one line per turn | both |

mod botzone;
mod client_board;
mod client_time;
mod gomocup;
mod htp;
mod line;
mod serve;
#[cfg(test)]
pub(crate) mod testing;

pub use botzone::BotzoneFrontend;
pub use client_board::ClientBoard;
pub use client_time::ClientTime;
pub use gomocup::GomocupFrontend;
pub use htp::HtpFrontend;
pub use line::LineFrontend;
pub use serve::serve;

use game::{Decision, EngineError, Limits, Position, Report};
use std::time::Duration;

/// The engine side of one protocol.
pub trait Frontend {
    /// Handles a line. Only called while no search is running, except for lines whose [`Frontend::urgency`] is
    /// [`Urgency::Now`].
    fn handle(&mut self, line: &str) -> FrontendStep;

    /// How a line that arrives during a search is to be treated.
    fn urgency(&self, line: &str) -> Urgency;

    /// Lines to send while the search runs; empty for none.
    fn report(&mut self, report: &Report) -> String;

    /// The search that [`FrontendStep::Think`] asked for is done after this time.
    fn answer(&mut self, result: Result<Decision, EngineError>, elapsed: Duration) -> FrontendStep;

    /// The reply to a line that is dropped unread, with the reason.
    fn refuse(&self, line: &str, problem: &str) -> String;

    /// A search for the opponent's time, whose result is dropped; it runs until the next command.
    fn ponder(&self) -> Option<SearchJob> {
        None
    }
}

/// What the loop has to do next.
#[derive(Debug)]
pub enum FrontendStep {
    /// Send this text: whole lines without the last line's end. Nothing is sent for an empty text.
    Say(String),
    /// Let the engine forget what it learnt, then send the text.
    Forget(String),
    /// Search, then call [`Frontend::answer`].
    Think(Box<SearchJob>),
    /// Send the text and exit.
    Quit(String),
}

impl FrontendStep {
    /// No reply at all.
    pub fn silent() -> FrontendStep {
        FrontendStep::Say(String::new())
    }
}

/// A search to run.
pub struct SearchJob {
    /// What to think about.
    pub position: Box<dyn Position>,
    /// The limits passed to the engine.
    pub limits: Limits,
    /// When the search is stopped even if the engine goes on: an engine that only knows depths must not
    /// lose on time.
    pub deadline: Option<Duration>,
    /// Whether the frontend wants [`Frontend::report`].
    pub reports: bool,
}

impl std::fmt::Debug for SearchJob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SearchJob").field("limits", &self.limits).field("deadline", &self.deadline).finish()
    }
}

/// What to do with a line that arrives during a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// Handle it at once.
    Now,
    /// Handle it at once unless other lines wait already: the order of settings and commands is kept.
    InOrder,
    /// It stops the search, and that is all it does.
    Stop,
    /// The client wants to leave: every search from here on is cut short, then the line is handled.
    Leave,
    /// The client wants to leave when everything before this line has been answered.
    LeaveInOrder,
    /// It waits until the search has answered.
    Wait,
}

/// How a finished game reads in a message.
fn over(position: &dyn Position) -> Option<String> {
    use game::{EndReason, Outcome};
    Some(match position.outcome()? {
        Outcome::Draw => "the game is over: a draw".into(),
        Outcome::Win { side, reason, .. } => {
            let how = match reason {
                EndReason::Five => "by a five",
                EndReason::Forbidden => "because the other side played a forbidden point",
                EndReason::Connection => "by connection",
            };
            format!("the game is over: {side} has won {how}")
        }
    })
}

/// A line of the client as it may stand in a reply: short, on one line.
fn quote(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(40).collect();
    if text.chars().count() > 40 { format!("'{clean}…'") } else { format!("'{clean}'") }
}
