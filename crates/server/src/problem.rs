//! Problems of storage; all others are [`api::Problem`]'s own.

use crate::store::QuotaError;
use api::Problem;
use axum::http::StatusCode;

/// 503: the disk or the database does not answer; nothing was changed.
pub(crate) fn storage_failed(error: impl std::fmt::Display) -> Problem {
    tracing::error!(%error, "storage failed");
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "storage.failed", "the database did not answer")
}

impl From<QuotaError> for Problem {
    fn from(error: QuotaError) -> Problem {
        match &error {
            QuotaError::Client(kind) => {
                Problem::too_many("quota.yours", error.to_string()).with("kind", *kind)
            }
            QuotaError::Total(kind) => {
                let status = StatusCode::INSUFFICIENT_STORAGE;
                Problem::new(status, "quota.full", error.to_string()).with("kind", *kind)
            }
            QuotaError::Store(error) => storage_failed(error),
        }
    }
}
