//! Errors in how the program was called: they end with exit code 2, failures with 1.

use arena::journal::JournalError;
use arena::roster::RosterError;
use class::ClassError;
use game::EngineError;
use maze::{FileError, QueryError};

/// The call makes no sense as it was written.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);

/// Leaves the function with a [`Usage`] error.
macro_rules! usage {
    ($($words:tt)*) => { return Err($crate::usage::Usage(format!($($words)*)).into()) };
}
pub(crate) use usage;

/// The option or command that helps with an error of a library, which knows none.
pub(crate) fn advice(error: &anyhow::Error) -> &'static str {
    let is = |wanted: &dyn Fn(&(dyn std::error::Error + 'static)) -> bool| error.chain().any(wanted);
    if is(&|cause| matches!(cause.downcast_ref(), Some(JournalError::Exists(_)))) {
        "; add --resume to go on with them, or choose another folder"
    } else if is(&|cause| matches!(cause.downcast_ref(), Some(ClassError::OtherRound(_)))) {
        "; choose another --round"
    } else if is(&|cause| matches!(cause.downcast_ref(), Some(QueryError::NotPrepared { .. })))
        || is(&|cause| matches!(cause.downcast_ref(), Some(FileError::NotATable(_))))
    {
        ": tengen maze prepare makes it"
    } else {
        ""
    }
}

/// 2 for an error in the call, 1 for one in the work.
pub(crate) fn exit_code(error: &anyhow::Error) -> u8 {
    let in_the_call = error.chain().any(|cause| {
        cause.is::<Usage>()
            || matches!(cause.downcast_ref(), Some(EngineError::Option { .. }))
            || matches!(cause.downcast_ref(), Some(ClassError::Setting(_) | ClassError::NotEmpty(_)))
            || matches!(
                cause.downcast_ref(),
                Some(
                    RosterError::Unknown { .. } | RosterError::WrongGame { .. } | RosterError::Option { .. }
                )
            )
    });
    if in_the_call { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_named_here_and_not_in_the_libraries() {
        let library: [(anyhow::Error, &str); 4] = [
            (JournalError::Exists("games.jsonl".into()).into(), "--resume"),
            (ClassError::OtherRound("one".into()).into(), "--round"),
            (FileError::NotATable("subgoal table").into(), "tengen maze prepare"),
            (ClassError::TooFew.into(), ""),
        ];
        for (error, option) in library {
            let text = format!("{error:#}");
            assert!(!text.contains("--") && !text.contains("tengen "), "{text}");
            assert!(advice(&error).contains(option) && advice(&error).is_empty() == option.is_empty());
        }
    }
}
