//! A game being played, without I/O: the one model that server, arena and terminal share.
//!
//! A [`Session`] is the fold of its [`Event`]s. What a player asks for is checked first and becomes a
//! [`Pending`] event that already holds the position after it; the caller stores the event if it must, and
//! then commits. Nothing here reads a clock: each request carries the [`Moment`] it was made at.
//!
//! ```
//! use play::{MoveOrder, Moment, Ordered, Session, Termination, TimeControl};
//! use game::{Game, Seat, Setup};
//! use std::time::{Duration, Instant};
//!
//! let game = &gomoku::GOMOKU;
//! let start = game.position(&Setup::empty(15, 15))?;
//! let control = TimeControl::per_game(Duration::from_secs(300), Duration::from_secs(3));
//! let mut session = Session::new(game, start, Some(control), 0);
//!
//! let now = Moment { instant: Instant::now(), unix_ms: 1_000 };
//! let order = MoveOrder { ply: 0, text: "h8".into(), takebacks: None };
//! let Ordered::Play(pending) = session.order(Seat::First, &order, now)? else { panic!("played before") };
//! // A server writes `pending.event()` to disk here.
//! session.commit(*pending, now.instant);
//! assert_eq!(session.turn(), Some(Seat::Second));
//!
//! // The clock of the second player runs; a minute later 4 minutes are left.
//! let later = now.instant + Duration::from_secs(60);
//! assert_eq!(session.clocks().unwrap().left_ms(later), [300_000, 240_000]);
//! let flag = Moment { instant: now.instant + Duration::from_secs(300), unix_ms: 301_000 };
//! let timeout = session.flag(flag).unwrap();
//! session.commit(timeout, flag.instant);
//! assert_eq!(session.end().unwrap().termination, Termination::Timeout);
//! assert_eq!(session.record(["Ann".into(), "Bob".into()]).result, "B+Time");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | `session` | [`Session`]: position, moves, clocks, offer, end; checking, committing, restoring |
//! | `company` | names, comments, chat, the next game |
//! | `event` | [`Event`], [`EventKind`] and [`Pending`]: what can happen, as it is stored |
//! | `action` | [`Action`]: what players do besides moving, and what it leads to |
//! | `clock` | [`TimeControl`], [`SeatClock`], [`Clocks`] |
//! | `end` | [`Termination`], [`GameResult`], [`End`], the SGF result |
//! | `record` | the [`game::Record`] of a session, and [`date`] |
//! | `refusal` | [`Refusal`]: why a request is refused |

mod action;
mod clock;
mod company;
mod end;
mod event;
mod record;
mod refusal;
mod session;

pub use action::{Action, ActionOutcome, Opponent};
pub use clock::{Clocks, SeatClock, TimeControl, TimeControlError};
pub use end::{End, GameResult, Termination, sgf_result};
pub use event::{ChatLine, Comment, Event, EventKind, Offer, OfferKind, Pending, Ply};
pub use record::date;
pub use refusal::Refusal;
pub use session::{Moment, MoveOrder, Ordered, Session};
