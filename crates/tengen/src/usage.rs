//! Errors in how the program was called: they end with exit code 2, failures with 1.

use arena::journal::JournalError;
use arena::roster::RosterError;
use class::ClassError;
use game::EngineError;

/// The call makes no sense as it was written.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);

/// Leaves the function with a [`Usage`] error.
macro_rules! usage {
    ($($words:tt)*) => { return Err($crate::usage::Usage(format!($($words)*)).into()) };
}
pub(crate) use usage;

/// Options that help with an error of a library, which knows none.
pub(crate) fn advice(error: &anyhow::Error) -> &'static str {
    let advice = error.chain().find_map(|cause| match (cause.downcast_ref(), cause.downcast_ref()) {
        (Some(JournalError::Exists(_)), _) => {
            Some("; add --resume to go on with them, or choose another folder")
        }
        (_, Some(ClassError::OtherRound(_))) => Some("; choose another --round"),
        _ => None,
    });
    advice.unwrap_or_default()
}

/// 2 for an error in the call, 1 for one in the work.
pub(crate) fn exit_code(error: &anyhow::Error) -> u8 {
    let in_the_call = error.chain().any(|cause| {
        cause.is::<Usage>()
            || matches!(cause.downcast_ref(), Some(EngineError::Option { .. }))
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
        let library: [(anyhow::Error, &str); 3] = [
            (JournalError::Exists("games.jsonl".into()).into(), "--resume"),
            (ClassError::OtherRound("one".into()).into(), "--round"),
            (ClassError::TooFew.into(), ""),
        ];
        for (error, option) in library {
            assert!(!format!("{error:#}").contains("--"), "{error:#}");
            assert!(advice(&error).contains(option) && advice(&error).is_empty() == option.is_empty());
        }
    }
}
