//! The data folder: for one server and one user only; a damaged or newer database is refused and left alone.

use crate::host::{Backend, Data, games};
use server::{ServeError, Server, StoreError};
use std::path::Path;
use std::time::{Duration, Instant};

/// Starts and drops a server; why it did not start.
fn start(data: &Data) -> Option<ServeError> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let refused = runtime.block_on(Server::bind(data.config(), games())).err();
    runtime.shutdown_timeout(Duration::from_secs(1));
    refused
}

#[test]
fn a_second_server_on_the_same_folder_is_refused() {
    let data = Data::new(&Backend::Sqlite);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let first = runtime.block_on(Server::bind(data.config(), games())).unwrap();
    let refused = start(&data).unwrap();
    assert!(matches!(refused, ServeError::Store(StoreError::InUse(_))), "{refused}");
    assert!(refused.to_string().contains("in use by another Tengen server"), "{refused}");
    drop(first);
    runtime.shutdown_timeout(Duration::from_secs(1));
    assert!(start(&data).is_none(), "and accepted once the first has ended");
}

#[cfg(unix)]
#[test]
fn folder_and_files_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("data");
    // One that an earlier version left open, and a new one.
    for _ in 0..2 {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let server = runtime.block_on(Server::bind(crate::host::config(&folder, None), games())).unwrap();
        assert_eq!(mode(&folder), 0o700);
        let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(files.len() >= 3, "{files:?}");
        for file in files {
            assert_eq!(mode(&file), 0o600, "{}", file.display());
        }
        drop(server);
        runtime.shutdown_timeout(Duration::from_secs(1));
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
        let file = folder.join("tengen.db");
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o644)).unwrap();
    }
}

#[test]
fn a_damaged_database_is_named_at_once() {
    let data = Data::new(&Backend::Sqlite);
    let file = data.place().0.join("tengen.db");
    let rubbish = "not a database ".repeat(1000);
    std::fs::write(&file, &rubbish).unwrap();
    let began = Instant::now();
    let refused = start(&data).unwrap().to_string();
    assert!(refused.contains("cannot be opened") && refused.contains("not a database"), "{refused}");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), rubbish);
}

#[test]
fn a_newer_database_is_left_alone() {
    use sqlx::{Connection, Executor};
    let data = Data::new(&Backend::Sqlite);
    assert!(start(&data).is_none());
    let file = data.place().0.join("tengen.db");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let url = format!("sqlite://{}", file.display());
        let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
        let later = "INSERT INTO _sqlx_migrations SELECT 99, 'later', installed_on, success, checksum, execution_time \
                     FROM _sqlx_migrations WHERE version = 1";
        connection.execute(later).await.unwrap();
        connection.close().await.unwrap();
    });
    let before = std::fs::read(&file).unwrap();
    let refused = start(&data).unwrap();
    assert!(matches!(refused, ServeError::Store(StoreError::Newer { found: 99, .. })), "{refused}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert!(!file.with_extension("db-wal").exists());
}
