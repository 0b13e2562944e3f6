//! The players as people: their names, what they say to each other, and the game they agree to play next. None of it
//! changes the position or a clock.

use crate::event::{ChatLine, Comment, Event, EventKind};
use crate::refusal::Refusal;
use crate::session::Session;
use game::Seat;

/// Comments a game can hold, how long one may be in characters, and how much all may be in bytes of JSON.
const COMMENTS: usize = 500;
const COMMENT: usize = 1000;
const COMMENT_BYTES: usize = 256 << 10;

/// The same for chat.
const CHAT_LINES: usize = 200;
const CHAT_LINE: usize = 280;

/// What a session knows of its players besides their moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Company {
    /// Who has joined, and under which name.
    pub(crate) joined: [Option<Option<String>>; 2],
    pub(crate) comments: Vec<Comment>,
    pub(crate) chat: Vec<ChatLine>,
    pub(crate) rematch: Option<String>,
}

impl Company {
    pub(crate) fn fold(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Join { seat, name } => self.joined[*seat as usize] = Some(name.clone()),
            EventKind::Comment { seat, ply, text } => {
                self.comments.push(Comment { ply: *ply, seat: *seat, text: text.clone() });
            }
            EventKind::Chat { seat, text } => {
                self.chat.push(ChatLine { seat: *seat, at: event.at, text: text.clone() });
            }
            EventKind::Rematch { game } => self.rematch = Some(game.clone()),
            _ => {}
        }
    }
}

impl Session {
    /// All comments.
    pub fn comments(&self) -> &[Comment] {
        &self.company.comments
    }

    /// What the players wrote to each other.
    pub fn chat(&self) -> &[ChatLine] {
        &self.company.chat
    }

    /// Has this player taken the seat?
    pub fn has_joined(&self, seat: Seat) -> bool {
        self.company.joined[seat as usize].is_some()
    }

    /// The name under which a player joined.
    pub fn name(&self, seat: Seat) -> Option<&str> {
        self.company.joined[seat as usize].as_ref()?.as_deref()
    }

    /// The game that the players went on to.
    pub fn rematch(&self) -> Option<&str> {
        self.company.rematch.as_deref()
    }

    pub(crate) fn comment(
        &self,
        seat: Option<Seat>,
        text: &str,
        ply: Option<u32>,
    ) -> Result<EventKind, Refusal> {
        let text = text.trim();
        let bytes = self.comments().iter().map(|comment| bytes_in_json(&comment.text)).sum::<usize>();
        let full = self.comments().len() >= COMMENTS || bytes + bytes_in_json(text) > COMMENT_BYTES;
        if full || !is_writing(text, COMMENT) {
            return Err(Refusal::Comment { length: COMMENT, count: COMMENTS, bytes: COMMENT_BYTES });
        }
        let ply = ply.unwrap_or(u32::MAX).min(self.plies().len() as u32);
        Ok(EventKind::Comment { seat, ply, text: text.into() })
    }

    pub(crate) fn say(&self, seat: Seat, text: &str) -> Result<EventKind, Refusal> {
        let text = text.trim();
        if self.chat().len() >= CHAT_LINES || !is_writing(text, CHAT_LINE) {
            return Err(Refusal::Chat { length: CHAT_LINE, count: CHAT_LINES });
        }
        Ok(EventKind::Chat { seat, text: text.into() })
    }
}

/// Bytes of a text in JSON. Control characters, which take six each, are refused before.
fn bytes_in_json(text: &str) -> usize {
    text.len() + text.bytes().filter(|byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\t')).count()
}

/// 1 to `length` characters, none of them a control character but tabs and new lines.
fn is_writing(text: &str, length: usize) -> bool {
    let refused = |c: char| c.is_control() && c != '\n' && c != '\t';
    !text.is_empty() && text.chars().count() <= length && !text.contains(refused)
}
