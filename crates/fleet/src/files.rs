//! Files by their SHA-256 in a folder of this machine, fetched from the object store when they are missing.

use crate::broker::{Broker, FleetError};
use crate::message::Request;
use crate::work::sha256;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;

/// A folder of files.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    folder: PathBuf,
    /// Fetching one thing at a time: slots of a worker want the same files at the same moment.
    turn: Arc<Mutex<()>>,
}

impl Files {
    pub(crate) fn new(folder: &Path) -> Result<Files, FleetError> {
        std::fs::create_dir_all(folder)
            .map_err(|error| FleetError::File(format!("{}: {error}", folder.display())))?;
        Ok(Files { folder: folder.into(), turn: Arc::default() })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The job's document, once it and all files it names are in the folder.
    pub(crate) async fn job(&self, broker: &Broker, name: &str) -> Result<Value, FleetError> {
        let _turn = self.turn.lock().await;
        let text = self.fetch(broker, name).await?;
        let job: Value = serde_json::from_slice(&text)
            .map_err(|error| FleetError::Refused(format!("the job {name} is not JSON: {error}")))?;
        for file in job["files"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            self.fetch(broker, file).await?;
        }
        Ok(job)
    }

    async fn fetch(&self, broker: &Broker, name: &str) -> Result<Vec<u8>, FleetError> {
        if name.len() != 64 || !name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(FleetError::Refused(format!("'{name}' is not a SHA-256")));
        }
        let path = self.folder.join(name);
        if let Ok(bytes) = std::fs::read(&path)
            && sha256(&bytes) == name
        {
            return Ok(bytes);
        }
        let bytes = match broker.get_file(name).await? {
            Some(bytes) => bytes,
            None => {
                // NATS may have lost it; the record has not.
                let restore = Request::Restore { sha256: name.into() };
                broker.insist::<()>(&restore, Duration::from_secs(30)).await?;
                let found = broker.get_file(name).await?;
                found.ok_or_else(|| FleetError::Later(format!("the file {name} is missing")))?
            }
        };
        // Renamed into place: nobody sees half a file.
        let part = self.folder.join(format!("{name}.{}", crate::random_hex()));
        let written = std::fs::write(&part, &bytes).and_then(|()| std::fs::rename(&part, &path));
        written.map_err(|error| FleetError::File(format!("{}: {error}", path.display())))?;
        Ok(bytes)
    }
}
