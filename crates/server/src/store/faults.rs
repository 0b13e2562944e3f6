//! Faults for tests: statement by statement, before or after it has run, or a full database. The tests run on SQLite, or
//! on the PostgreSQL server that `TENGEN_TEST_POSTGRES` names.

use super::database::{Database, Kind};
use super::writer::Writer;
use super::{Header, Store};
use crate::metrics::Metrics;
use api::puzzle::Progress;
use api::{Player, Players, Setup, Visibility};
use game::MoveNote;
use play::{Event, EventKind};
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};
use std::io::{Error, ErrorKind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// The statement does not run.
    Before(ErrorKind),
    /// It runs, but its answer is lost.
    After(ErrorKind),
    /// SQLite cannot allocate another page (a real error, with the rollback that SQLite does by itself).
    Full,
}

#[derive(Debug, Default)]
pub(super) struct Faults {
    armed: Mutex<Option<Armed>>,
    struck: AtomicUsize,
}

#[derive(Clone, Copy, Debug)]
struct Armed {
    fault: Fault,
    /// Statements until it strikes.
    countdown: usize,
    /// It strikes at every statement from then on.
    lasting: bool,
}

impl Faults {
    fn arm(&self, fault: Fault, countdown: usize, lasting: bool) {
        *self.armed.lock().unwrap() = Some(Armed { fault, countdown, lasting });
    }

    fn mend(&self) {
        *self.armed.lock().unwrap() = None;
    }

    pub(super) fn on_connect(&self) -> Result<(), sqlx::Error> {
        match *self.armed.lock().unwrap() {
            Some(Armed { fault: Fault::Before(kind), countdown: 0, lasting: true }) => {
                Err(Error::from(kind).into())
            }
            _ => Ok(()),
        }
    }

    pub(super) async fn before(&self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let due = {
            let mut armed = self.armed.lock().unwrap();
            match &mut *armed {
                Some(Armed { countdown: 0, fault: fault @ (Fault::Before(_) | Fault::Full), lasting }) => {
                    let due = *fault;
                    if !*lasting && due != Fault::Full {
                        *armed = None;
                    }
                    Some(due)
                }
                Some(Armed { countdown, .. }) => {
                    *countdown = countdown.saturating_sub(1);
                    None
                }
                None => None,
            }
        };
        match due {
            Some(Fault::Before(kind)) => {
                self.struck.fetch_add(1, Relaxed);
                Err(Error::from(kind).into())
            }
            Some(Fault::Full) => {
                // Not less than there is: the database stays as large as it is.
                sqlx::query("PRAGMA max_page_count = 1").execute(connection).await?;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn after(&self) -> Result<(), sqlx::Error> {
        let mut armed = self.armed.lock().unwrap();
        match *armed {
            Some(Armed { countdown: 0, fault: Fault::After(kind), lasting }) => {
                if !lasting {
                    *armed = None;
                }
                self.struck.fetch_add(1, Relaxed);
                Err(Error::from(kind).into())
            }
            _ => Ok(()),
        }
    }
}

/// A new, empty database on a PostgreSQL server.
async fn new_database(server: &str) -> String {
    sqlx::any::install_default_drivers();
    let name = format!("faults_{}", crate::security::secret::random().unwrap());
    let mut admin = AnyConnection::connect(server).await.unwrap();
    admin.execute(AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
    admin.close().await.unwrap();
    format!("{}/{name}", server.rsplit_once('/').unwrap().0)
}

/// A store whose faults are in the test's hands.
struct Faulty {
    store: Store,
    faults: Arc<Faults>,
    metrics: Arc<Metrics>,
    kind: Kind,
}

async fn open(folder: &std::path::Path) -> Faulty {
    let metrics = Arc::new(Metrics::default());
    let url = match std::env::var("TENGEN_TEST_POSTGRES") {
        Ok(server) => Some(new_database(&server).await),
        Err(_) => None,
    };
    let (database, pool, _) = Database::open(url.as_deref(), folder).await.unwrap();
    let (faults, kind) = (database.faults.clone(), database.kind);
    let writer = Writer::start(database, metrics.clone()).unwrap();
    Faulty {
        store: Store { pool, writer, usage: Arc::default(), prune: None, _lock: None },
        faults,
        metrics,
        kind,
    }
}

fn header(id: &str) -> Header {
    let human = || Player::Human { name: None };
    Header {
        id: id.into(),
        setup: serde_json::from_str::<Setup>(r#"{"game":"gomoku"}"#).unwrap(),
        players: Players { first: human(), second: human() },
        clock: None,
        pace_ms: 0,
        visibility: Visibility::Link,
        secrets: Default::default(),
        created: 0,
        creator: String::new(),
    }
}

fn event(seq: i64) -> Event {
    let kind = EventKind::Move { r#move: format!("m{seq} {}", "x".repeat(200)), note: MoveNote::default() };
    Event { seq, at: seq, left_ms: None, kind }
}

/// Appends to a game as a live game does: after an error it looks at what is on disk and goes on from there. Returns
/// how many events, and how many additions to the progress were acknowledged and refused. It goes on until enough faults
/// have struck, however fast the machine is.
async fn append_all(store: Store, game: Arc<str>, faults: Arc<Faults>) -> (i64, i64, i64) {
    let (mut acknowledged, mut refused) = (0, 0);
    let progress = Progress { solved: 1, ..Progress::default() };
    let mut seq = 0;
    while seq < 120 || faults.struck.load(Relaxed) < STRIKES {
        assert!(seq < 20_000, "no faults strike");
        match store.writer.append(game.clone(), event(seq), None).await {
            Ok(()) => seq += 1,
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(1)).await;
                let on_disk = store.game(&game).await.unwrap().unwrap().1.len() as i64;
                assert!(on_disk >= seq, "acknowledged up to {seq}, on disk up to {on_disk}");
                seq = on_disk;
            }
        }
        match store.add_progress(&game, "gomoku", "p", progress, String::new(), 0).await {
            Ok(()) => acknowledged += 1,
            Err(_) => refused += 1,
        }
    }
    (seq, acknowledged, refused)
}

/// Faults that must have struck before the test ends.
const STRIKES: usize = 60;

const KINDS: [ErrorKind; 3] = [ErrorKind::StorageFull, ErrorKind::Other, ErrorKind::ConnectionReset];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_write_is_lost_or_doubled_whichever_statement_fails() {
    let folder = tempfile::tempdir().unwrap();
    let Faulty { store, faults, metrics, kind: database } = open(folder.path()).await;
    let games = 4;
    let mut tasks = Vec::new();
    for game in 0..games {
        let id = format!("{game:032x}");
        store.writer.create(header(&id), None).await.unwrap();
        tasks.push(tokio::spawn(append_all(store.clone(), id.into(), faults.clone())));
    }
    // Faults one after the other until all is written: every kind, at each of the first statements.
    let mut number = 0;
    while !tasks.iter().all(tokio::task::JoinHandle::is_finished) {
        let kind = KINDS[number % 3];
        let countdown = number / 3 % 7;
        match number / 21 % 3 {
            0 => faults.arm(Fault::Before(kind), countdown, false),
            1 => faults.arm(Fault::After(kind), countdown, false),
            _ if database == Kind::Sqlite => faults.arm(Fault::Full, countdown, false),
            // A server's disk cannot be filled from here.
            _ => faults.mend(),
        }
        number += 1;
        tokio::time::sleep(Duration::from_millis(3)).await;
        if number % 5 == 0 {
            faults.mend();
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    faults.mend();
    for (game, task) in tasks.into_iter().enumerate() {
        let (count, acknowledged, refused) = task.await.unwrap();
        let id = format!("{game:032x}");
        let events = store.game(&id).await.unwrap().unwrap().1;
        let expected: Vec<Event> = (0..count).map(event).collect();
        assert_eq!(events, expected);
        let added = store.progress(&id).await.unwrap()[&("gomoku".into(), "p".into())].solved;
        assert!((acknowledged..=acknowledged + refused).contains(&added), "{acknowledged} {added} {refused}");
    }
    assert!(metrics.failed_transactions.load(Relaxed) >= STRIKES as u64 / 2);
}

/// Whether a commit whose answer is lost has happened is found out before anyone is answered.
#[tokio::test]
async fn a_commit_without_an_answer_is_neither_lost_nor_doubled() {
    let folder = tempfile::tempdir().unwrap();
    let Faulty { store, faults, .. } = open(folder.path()).await;
    let id: Arc<str> = "0".repeat(32).into();
    store.writer.create(header(&id), None).await.unwrap();
    // A group of one event: BEGIN, the claim, INSERT, COMMIT.
    for (seq, fault) in [Fault::After(ErrorKind::ConnectionReset), Fault::Before(ErrorKind::ConnectionReset)]
        .into_iter()
        .enumerate()
    {
        for statement in 0..4 {
            faults.arm(fault, statement, false);
            let seq = (seq * 4 + statement) as i64;
            store.writer.append(id.clone(), event(seq), None).await.unwrap();
            let progress = Progress { solved: 1, ..Progress::default() };
            faults.arm(fault, statement, false);
            store.add_progress(&id, "hex", "p", progress, String::new(), 0).await.unwrap();
        }
    }
    assert_eq!(faults.struck.load(Relaxed), 16);
    assert_eq!(store.game(&id).await.unwrap().unwrap().1.len(), 8);
    assert_eq!(store.progress(&id).await.unwrap()[&("hex".into(), "p".into())].solved, 8);
}

/// One write that contradicts the database does not take the others of its group along.
#[tokio::test]
async fn a_refused_write_fails_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await.store;
    let id: Arc<str> = "0".repeat(32).into();
    store.writer.create(header(&id), None).await.unwrap();
    store.writer.append(id.clone(), event(0), None).await.unwrap();
    let writes = (0..8).map(|seq| {
        let (store, id) = (store.clone(), id.clone());
        tokio::spawn(async move { store.writer.append(id, event(seq), None).await.is_ok() })
    });
    let writes: Vec<_> = writes.collect();
    for (seq, write) in writes.into_iter().enumerate() {
        assert_eq!(write.await.unwrap(), seq > 0, "{seq}");
    }
    assert_eq!(store.game(&id).await.unwrap().unwrap().1.len(), 8);
    store.check().await.unwrap();
}

/// Red while writes fail, although a heartbeat still fits; green as soon as there is space again.
#[tokio::test]
async fn health_is_red_while_the_database_is_full_and_green_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let Faulty { store, faults, kind, .. } = open(folder.path()).await;
    store.check().await.unwrap();
    let id: Arc<str> = "0".repeat(32).into();
    store.writer.create(header(&id), None).await.unwrap();
    let mut seq = 0;
    let full = (kind == Kind::Sqlite).then_some(Fault::Full);
    let errors = [ErrorKind::StorageFull, ErrorKind::Other].map(Fault::Before);
    for fault in full.into_iter().chain(errors) {
        faults.arm(fault, 0, true);
        // Pages that were freed before are used up first.
        while store.writer.append(id.clone(), event(seq), None).await.is_ok() {
            seq += 1;
            assert!(seq < 5_000, "{fault:?} has no effect");
        }
        for _ in 0..5 {
            let _ = store.writer.heartbeat(1).await;
            assert!(store.check().await.is_err(), "{fault:?} goes on");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        faults.mend();
        let began = Instant::now();
        while store.check().await.is_err() {
            assert!(began.elapsed() < Duration::from_secs(5), "{fault:?} is over");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
