//! Errors in how the program was called: they end with exit code 2, failures with 1.

use arena::roster::RosterError;
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
