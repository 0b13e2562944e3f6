//! Copies of the whole database in a file: made while a server runs, read back into an empty database of either kind.
//!
//! The file is JSON lines: a head with the schema version, then `{"table", "columns"}` before the rows of each table and
//! an array for each row, and at the end the number of rows and the SHA-256 of all lines before. It does not depend on
//! the kind of database, so it also moves a site from SQLite to PostgreSQL.

use super::StoreError;
use super::database::{Database, Kind, migrate, schema_version};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::any::{AnyArguments, AnyRow, AnyTypeInfoKind};
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Column, Connection, Row, ValueRef};
use std::io::{BufRead, Write};
use std::path::Path;

/// The version of the file's format.
const FORMAT: u32 = 1;
/// A line longer than this is not one of ours: a study has at most a MiB.
const LONGEST_LINE: u64 = 64 << 20;
/// Tables that say nothing about games: what a writer has committed, room on the disk, which servers are alive, who waits in
/// the lobby, the schema itself.
const LEFT_OUT: [&str; 8] =
    ["writers", "probe", "site", "instances", "leases", "challenges", "online_bots", "_sqlx_migrations"];

#[derive(Serialize, Deserialize)]
struct Head {
    tengen_backup: u32,
    schema: i64,
}

#[derive(Serialize, Deserialize)]
struct TableHeader {
    table: String,
    columns: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct End {
    rows: u64,
    sha256: String,
}

/// Why a backup cannot be made or read back.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// There is no database to copy.
    #[error("there is no database in {0}")]
    Missing(String),
    /// The file is not a backup, or is damaged.
    #[error("line {line}: {what}; nothing was restored")]
    Damaged {
        /// Where, counted from 1.
        line: u64,
        /// What is wrong.
        what: String,
    },
    /// It was made by a later version.
    #[error(
        "the backup has schema version {found}, this Tengen knows {known}: use the newer one; nothing was restored"
    )]
    Newer {
        /// The version of the backup.
        found: i64,
        /// The newest known.
        known: i64,
    },
    /// Restoring would mix two databases.
    #[error(
        "the database is not empty ({table} has rows): restore into a new folder or database; nothing was restored"
    )]
    NotEmpty {
        /// A table with rows.
        table: String,
    },
}

impl From<sqlx::Error> for BackupError {
    fn from(error: sqlx::Error) -> BackupError {
        BackupError::Store(error.into())
    }
}

/// Writes a consistent copy of the database `url`, or of `tengen.db` in `folder`; returns the number of rows. A server may
/// be using it.
///
/// # Errors
/// When the database cannot be read or the copy not be written.
pub async fn backup(url: Option<&str>, folder: &Path, to: &mut impl Write) -> Result<u64, BackupError> {
    if url.is_none() && !folder.join("tengen.db").is_file() {
        return Err(BackupError::Missing(folder.display().to_string()));
    }
    let (mut connection, kind) = Database::connect(url, folder).await?;
    let schema = schema_version(&mut connection, kind).await?;
    let snapshot = match kind {
        Kind::Sqlite => "BEGIN",
        Kind::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    };
    sqlx::raw_sql(snapshot).execute(&mut connection).await?;
    let mut copy = Hashed { to, hash: Sha256::new() };
    copy.line(&Head { tengen_backup: FORMAT, schema })?;
    let mut rows = 0;
    for table in tables(&mut connection, kind).await? {
        rows += copy_table(&mut connection, table, &mut copy).await?;
    }
    let sha256 = hex(copy.hash.clone());
    copy.line(&End { rows, sha256 })?;
    copy.to.flush()?;
    connection.close().await?;
    Ok(rows)
}

async fn copy_table(
    connection: &mut AnyConnection,
    table: String,
    copy: &mut Hashed<'_, impl Write>,
) -> Result<u64, BackupError> {
    // The name comes from the database's own catalogue.
    let select = AssertSqlSafe(format!("SELECT * FROM {table}"));
    let mut found = sqlx::query(select).fetch(connection);
    let mut rows = 0;
    while let Some(row) = found.next().await {
        let row = row?;
        if rows == 0 {
            let columns = row.columns().iter().map(|column| column.name().to_string()).collect();
            copy.line(&TableHeader { table: table.clone(), columns })?;
        }
        let values: Result<Vec<Value>, BackupError> = (0..row.len()).map(|at| value(&row, at)).collect();
        copy.line(&values?)?;
        rows += 1;
    }
    Ok(rows)
}

fn value(row: &AnyRow, at: usize) -> Result<Value, BackupError> {
    let raw = row.try_get_raw(at)?;
    if raw.is_null() {
        return Ok(Value::Null);
    }
    match raw.type_info().kind() {
        AnyTypeInfoKind::Text => Ok(row.try_get::<String, _>(at)?.into()),
        AnyTypeInfoKind::SmallInt | AnyTypeInfoKind::Integer | AnyTypeInfoKind::BigInt => {
            Ok(row.try_get::<i64, _>(at)?.into())
        }
        other => Err(StoreError::Damaged(format!("a column of type {other:?}")).into()),
    }
}

/// Reads a copy back into the database `url`, or `tengen.db` in `folder`, which must be empty; returns the number of rows.
/// `open` opens the file anew: it is checked as a whole before anything is written.
///
/// # Errors
/// When the file or the database is refused; then nothing was restored.
pub async fn restore<R: BufRead>(
    url: Option<&str>,
    folder: &Path,
    open: impl Fn() -> std::io::Result<R>,
) -> Result<u64, BackupError> {
    let schema = check(open()?)?;
    let (database, lock) = Database::claim(url, folder)?;
    let known = super::database::KNOWN_SCHEMA;
    if schema > known {
        return Err(BackupError::Newer { found: schema, known });
    }
    let mut connection = database.connection().await?;
    migrate(&mut connection, schema).await?;
    for table in tables(&mut connection, database.kind).await? {
        let any = AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}"));
        let (count,): (i64,) = sqlx::query_as(any).fetch_one(&mut connection).await?;
        if count > 0 {
            return Err(BackupError::NotEmpty { table });
        }
    }
    let mut transaction = connection.begin().await?;
    let mut table = None;
    let mut rows = 0;
    for (number, line) in lines(open()?).enumerate().skip(1) {
        let line = line?;
        if let Ok(next) = serde_json::from_str::<TableHeader>(&line) {
            table = Some(next);
        } else if let (Ok(values), Some(table)) = (serde_json::from_str::<Vec<Value>>(&line), &table) {
            insert(table, values, number as u64 + 1)?.execute(&mut *transaction).await?;
            rows += 1;
        }
    }
    transaction.commit().await?;
    migrate(&mut connection, known).await?;
    connection.close().await?;
    drop(lock);
    Ok(rows)
}

fn insert(
    table: &TableHeader,
    values: Vec<Value>,
    line: u64,
) -> Result<Query<'static, Any, AnyArguments>, BackupError> {
    let damaged = |what: String| BackupError::Damaged { line, what };
    let mut placeholders = Vec::with_capacity(values.len());
    let mut count = 0;
    for value in &values {
        // NULL is written out: a bound one would need the column's type.
        placeholders.push(if value.is_null() {
            "NULL".to_string()
        } else {
            count += 1;
            format!("${count}")
        });
    }
    let sql = format!(
        "INSERT INTO {} ({}) VALUES ({})",
        table.table,
        table.columns.join(","),
        placeholders.join(",")
    );
    // `check` has let only names of letters, digits and underscores through.
    let mut insert = sqlx::query(AssertSqlSafe(sql));
    for value in values {
        insert = match value {
            Value::Null => insert,
            Value::String(text) => insert.bind(text),
            Value::Number(number) => {
                insert.bind(number.as_i64().ok_or_else(|| damaged(format!("{number} is not an integer")))?)
            }
            other => return Err(damaged(format!("{other} is neither text nor a number"))),
        };
    }
    Ok(insert)
}

/// Reads a copy through: its schema version, if it is whole and well formed.
fn check(file: impl BufRead) -> Result<i64, BackupError> {
    let mut hash = Sha256::new();
    let (mut schema, mut width, mut rows, mut number) = (None, None, 0, 0);
    let mut ended = false;
    for line in lines(file) {
        let line = line?;
        number += 1;
        let damaged = |what: &str| BackupError::Damaged { line: number, what: what.to_string() };
        if ended {
            return Err(damaged("there is something after the end"));
        }
        if schema.is_none() {
            let head: Head = serde_json::from_str(&line).map_err(|_| damaged("not a backup of Tengen"))?;
            if head.tengen_backup != FORMAT {
                return Err(damaged(&format!(
                    "format {} is unknown; accepted: {FORMAT}",
                    head.tengen_backup
                )));
            }
            schema = Some(head.schema);
        } else if let Ok(end) = serde_json::from_str::<End>(&line) {
            if end.rows != rows || end.sha256 != hex(hash.clone()) {
                return Err(damaged("the file is damaged: its content does not fit its checksum"));
            }
            ended = true;
        } else if let Ok(table) = serde_json::from_str::<TableHeader>(&line) {
            if !table.columns.iter().chain([&table.table]).all(|name| is_name(name)) {
                return Err(damaged("not the name of a table or column"));
            }
            width = Some(table.columns.len());
        } else {
            let row: Vec<Value> = serde_json::from_str(&line).map_err(|_| damaged("not a row"))?;
            if width != Some(row.len()) {
                return Err(damaged("a row with the wrong number of values"));
            }
            rows += 1;
        }
        hash.update(line.as_bytes());
        hash.update(b"\n");
    }
    match (schema, ended) {
        (Some(schema), true) => Ok(schema),
        _ => Err(BackupError::Damaged { line: number + 1, what: "the file is cut off".into() }),
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Lines of bounded length.
fn lines<R: BufRead>(mut file: R) -> impl Iterator<Item = Result<String, std::io::Error>> {
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        let read = std::io::Read::take(&mut file, LONGEST_LINE).read_until(b'\n', &mut line);
        match read {
            Err(error) => Some(Err(error)),
            Ok(0) => None,
            Ok(_) => {
                let whole = line.pop() == Some(b'\n');
                let text = String::from_utf8(line).ok().filter(|_| whole);
                Some(text.ok_or_else(|| {
                    std::io::Error::new(std::io::ErrorKind::InvalidData, "not a backup of Tengen, or cut off")
                }))
            }
        }
    })
}

/// The tables that are copied.
async fn tables(connection: &mut AnyConnection, kind: Kind) -> Result<Vec<String>, BackupError> {
    let catalogue = match kind {
        Kind::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        Kind::Postgres => "SELECT tablename::TEXT FROM pg_tables WHERE schemaname = current_schema()",
    };
    let names: Vec<(String,)> = sqlx::query_as(catalogue).fetch_all(connection).await?;
    let mut names: Vec<String> =
        names.into_iter().map(|(name,)| name).filter(|name| !LEFT_OUT.contains(&name.as_str())).collect();
    names.sort();
    Ok(names)
}

/// A writer that keeps the checksum of what went through it.
struct Hashed<'a, W> {
    to: &'a mut W,
    hash: Sha256,
}

impl<W: Write> Hashed<'_, W> {
    fn line(&mut self, value: &impl Serialize) -> Result<(), std::io::Error> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.hash.update(&line);
        self.to.write_all(&line)
    }
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
