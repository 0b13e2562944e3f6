//! What the tests of this crate share.

use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};

/// A new, empty database: on the PostgreSQL server that `TENGEN_TEST_POSTGRES` names, otherwise an SQLite file in the
/// folder.
pub(crate) async fn fresh_database() -> (String, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let Ok(server) = std::env::var("TENGEN_TEST_POSTGRES") else {
        return (format!("sqlite://{}/fleet.db?mode=rwc", folder.path().display()), folder);
    };
    sqlx::any::install_default_drivers();
    let name = format!("fleet_{}", crate::random_hex());
    let mut admin = AnyConnection::connect(&server).await.unwrap();
    admin.execute(AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
    admin.close().await.unwrap();
    let (server, _) = server.rsplit_once('/').unwrap();
    (format!("{server}/{name}"), folder)
}
