//! Can we write? What `/healthz` answers.
//!
//! Every transaction tells how it went. If none has lately, somebody who asks has one made: a row large enough to need
//! space on the disk is written and deleted again. However many ask, there is one probe at a time.

use super::writer::{Write, Writer};
use super::{Store, StoreError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A success answers for so long, a failure for so long.
const FRESH: Duration = Duration::from_secs(2);
const FAILED: Duration = Duration::from_millis(200);
/// A probe that takes longer counts as failed.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes of a probe: more than a few moves need.
const ROOM: usize = 32 << 10;

#[derive(Debug, Default)]
pub(super) struct Health {
    last: Mutex<Option<(Instant, bool)>>,
    probing: tokio::sync::Mutex<()>,
}

impl Health {
    /// A transaction failed, or one that needed disk space succeeded.
    pub(super) fn note(&self, success: bool) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), success));
    }

    fn recent(&self) -> Option<bool> {
        let (at, success) = (*self.last.lock().unwrap_or_else(PoisonError::into_inner))?;
        (at.elapsed() < if success { FRESH } else { FAILED }).then_some(success)
    }

    async fn check(&self, writer: &Writer) -> Result<(), StoreError> {
        let answer = |success| if success { Ok(()) } else { Err(StoreError::Failed("writes fail".into())) };
        if let Some(success) = self.recent() {
            return answer(success);
        }
        let _one = self.probing.lock().await;
        if let Some(success) = self.recent() {
            return answer(success);
        }
        let probe = async {
            writer.write(Write::TakeRoom { body: "x".repeat(ROOM) }).await?;
            writer.write(Write::GiveRoom).await
        };
        let late = |_| StoreError::Failed("a probe got no answer".into());
        tokio::time::timeout(PATIENCE, probe).await.map_err(late).flatten().inspect_err(|_| self.note(false))
    }
}

impl Store {
    /// Can we write?
    pub(crate) async fn check(&self) -> Result<(), StoreError> {
        self.writer.health.check(&self.writer).await
    }
}
