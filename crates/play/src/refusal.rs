//! Why a request is refused.

use crate::end::Termination;
use game::{IllegalMove, Seat};

/// Why a request is refused. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The text is no move, or the move is against the rules.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// A text too long to be a move.
    #[error("a move has at most {0} characters")]
    LongMove(usize),
    /// The game has ended.
    #[error("the game is over")]
    Over(Termination),
    /// The flag of the player to move has fallen: [`Session::flag`](crate::Session::flag) ends the game.
    #[error("the time is over")]
    OutOfTime(Seat),
    /// Not this player's turn.
    #[error("it is the other player's turn")]
    OtherTurn,
    /// The move of this number is another one.
    #[error("move {ply} is {played} already")]
    Late {
        /// The number in the order.
        ply: usize,
        /// What was played there.
        played: String,
    },
    /// Moves before it are missing.
    #[error("the next move is number {next}, not {ply}")]
    Early {
        /// The number in the order.
        ply: usize,
        /// The number of the next move.
        next: usize,
    },
    /// The order was given before moves were taken back.
    #[error("moves were taken back since; look at the game again")]
    Stale {
        /// How often moves were taken back.
        takebacks: u32,
    },
    /// The owner is no player.
    #[error("only a player can do this")]
    PlayerOnly,
    /// There is no offer of this kind by the other player.
    #[error("there is no such offer to answer")]
    NoOffer,
    /// Nothing to take back.
    #[error("there is no move of yours to take back")]
    NothingToUndo,
    /// Nothing to play again.
    #[error("there is no move to play again")]
    NothingToRedo,
    /// Too late for a player to abort.
    #[error("after the third move only the owner can abort")]
    LateAbort,
    /// A rematch comes after the end.
    #[error("the game is not over yet")]
    NotOver,
    /// There is a rematch already.
    #[error("the rematch has begun")]
    Rematched(String),
    /// No game of this kind is drawn.
    #[error("this game knows no draw")]
    NoDraws,
    /// Programs do not chat.
    #[error("nobody is there to read it")]
    NobodyListens,
    /// The seat is taken.
    #[error("you have joined already")]
    Joined,
    /// Empty, too long, with control characters, or one too many.
    #[error(
        "a line of chat has 1 to {length} characters and no control characters; a game has {count} lines"
    )]
    Chat {
        /// The longest line, in characters.
        length: usize,
        /// How many lines a game holds.
        count: usize,
    },
    /// Empty, too long, with control characters, or one too many.
    #[error(
        "a comment has 1 to {length} characters and no control characters; a game has {count} comments of \
         {bytes} bytes together"
    )]
    Comment {
        /// The longest comment, in characters.
        length: usize,
        /// How many comments a game holds.
        count: usize,
        /// How many bytes of JSON all of them may take.
        bytes: usize,
    },
}
