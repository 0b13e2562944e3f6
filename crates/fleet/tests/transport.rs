//! Coordinator, workers and submitter over a real NATS server, on SQLite.
//!
//! `TENGEN_TEST_NATS` names the program `nats-server`; `cargo xtask test` installs it and sets the variable.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use async_nats::jetstream::stream;
use fleet::broker::FleetError;
use fleet::client::Client;
use fleet::coordinator::{Coordinator, CoordinatorConfig};
use fleet::executor::{Executor, Failed, Work};
use fleet::live::{CallError, Caller, Desk, Session};
use fleet::store::{Store, Timing};
use fleet::work::{Hello, Needs, NewRun, Run, RunState, UnitResult};
use fleet::worker::{WorkerConfig, WorkerError, WorkerEvent};
use game::StopFlag;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio::task::JoinHandle;

/// A private server of NATS in a folder of its own.
struct Nats {
    program: String,
    folder: tempfile::TempDir,
    port: u16,
    child: Option<Child>,
}

impl Nats {
    fn start() -> Option<Nats> {
        let Ok(program) = std::env::var("TENGEN_TEST_NATS") else {
            eprintln!("skipped: TENGEN_TEST_NATS does not name nats-server");
            return None;
        };
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut nats = Nats { program, folder: tempfile::tempdir().unwrap(), port, child: None };
        nats.up();
        Some(nats)
    }

    fn up(&mut self) {
        let mut command = Command::new(&self.program);
        command.args(["-a", "127.0.0.1", "--auth", "secret", "-js", "-p", &self.port.to_string(), "-sd"]);
        command.arg(self.folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        self.child = Some(command.spawn().unwrap());
        let began = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(20), "nats-server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    fn url(&self) -> String {
        format!("nats://secret@127.0.0.1:{}", self.port)
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Squares numbers; `offset` makes it lie.
struct Square {
    offset: i64,
}

impl Executor for Square {
    fn execute(&mut self, work: &Work, stop: &StopFlag) -> Result<UnitResult, Failed> {
        let n = work.spec["n"].as_i64().ok_or_else(|| Failed::Because("no number".into()))?;
        let until = Instant::now() + Duration::from_millis(work.job["ms"].as_u64().unwrap_or(0));
        while Instant::now() < until {
            if stop.is_stopped() {
                return Err(Failed::Stopped);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(UnitResult { exact: json!(n * n + self.offset), free: json!({"offset": self.offset}) })
    }
}

struct Fleet {
    nats: Nats,
    folder: tempfile::TempDir,
    coordinator: Option<JoinHandle<()>>,
}

impl Fleet {
    async fn start() -> Option<Fleet> {
        let nats = Nats::start()?;
        let mut fleet = Fleet { nats, folder: tempfile::tempdir().unwrap(), coordinator: None };
        fleet.start_coordinator().await;
        Some(fleet)
    }

    async fn start_coordinator(&mut self) {
        let database = format!("sqlite://{}/fleet.db?mode=rwc", self.folder.path().display());
        let store = Store::open(&database).await.unwrap();
        let broker = fleet::broker::Broker::connect(&self.nats.url()).await.unwrap();
        let config = CoordinatorConfig {
            timing: Timing { lease: Duration::from_secs(2) },
            signature: "squares".into(),
            version: "test".into(),
            executor: Arc::new(|_| Box::new(Square { offset: 0 })),
            files: self.folder.path().join("files"),
        };
        let coordinator = Coordinator::new(store, broker, config).unwrap();
        self.coordinator = Some(tokio::spawn(async move {
            let _ = coordinator.run().await;
        }));
    }

    fn worker(&self, id: &str, offset: i64) -> (JoinHandle<Result<(), WorkerError>>, StopFlag) {
        self.worker_heard_by(id, offset, |_| {})
    }

    fn worker_heard_by(
        &self,
        id: &str,
        offset: i64,
        events: impl Fn(WorkerEvent) + Send + Sync + 'static,
    ) -> (JoinHandle<Result<(), WorkerError>>, StopFlag) {
        let hello = Hello {
            id: id.into(),
            version: "test".into(),
            signature: if id == "old" { "circles" } else { "squares" }.into(),
            speed: 1.0,
            threads: 2,
            programs: Vec::new(),
        };
        let config = WorkerConfig {
            hello,
            executor: Arc::new(move |_| Box::new(Square { offset })),
            desk: Some(Arc::new(|| Box::new(Adder { sum: 0 }))),
            files: self.folder.path().join(id),
            events: Arc::new(events),
        };
        let (url, stop) = (self.nats.url(), StopFlag::new());
        let flag = stop.clone();
        (tokio::spawn(async move { fleet::worker::work(&url, config, flag).await }), stop)
    }

    async fn client(&self) -> Client {
        Client::connect(&self.nats.url()).await.unwrap()
    }
}

fn squares() -> NewRun {
    NewRun {
        key: String::new(),
        kind: "square".into(),
        title: "squares".into(),
        job: String::new(),
        needs: Needs::default(),
        exact: true,
        unit_seconds: 60,
    }
}

async fn submit(client: &Client, units: i64, job: &Value) -> String {
    let run = client.submit(squares(), job).await.unwrap().run.id;
    client.add(&run, (0..units).map(|n| (n, json!({"n": n}))).collect()).await.unwrap();
    client.seal(&run).await.unwrap();
    run
}

/// Reads a run to its end.
async fn finish(client: &Client, run: &str) -> (Run, BTreeMap<i64, Value>) {
    let mut follower = client.follow(run).await.unwrap();
    let mut found = BTreeMap::new();
    let began = Instant::now();
    loop {
        let (run, results) = follower.next(Duration::from_secs(5)).await.unwrap();
        let over = run.state.is_over() && results.is_empty();
        found.extend(results.into_iter().map(|counted| (counted.number, counted.result.exact)));
        if over {
            return (run, found);
        }
        assert!(began.elapsed() < Duration::from_secs(120), "still {run:?}");
    }
}

fn assert_squares(found: &BTreeMap<i64, Value>, units: i64) {
    assert_eq!(found.len() as i64, units);
    assert!(found.iter().all(|(n, square)| *square == json!(n * n)), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_workers_finish_a_run_and_check_each_other() {
    let Some(fleet) = Fleet::start().await else { return };
    let client = fleet.client().await;
    let (_a, stop_a) = fleet.worker("a", 0);
    let (_b, _) = fleet.worker("b", 0);
    let run = submit(&client, 100, &json!({"ms": 1})).await;
    let (run, found) = finish(&client, &run).await;
    assert_eq!((run.state, run.done, run.dead, run.checks), (RunState::Done, 100, 0, 0));
    assert_squares(&found, 100);
    let status = client.status(None).await.unwrap();
    assert_eq!(status.workers.iter().map(|worker| worker.counted).sum::<i64>(), 100);
    assert!(status.workers.iter().all(|worker| worker.agreed > 0), "{:?}", status.workers);
    stop_a.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_liar_ends_with_the_reason_and_its_results_are_replaced() {
    let Some(fleet) = Fleet::start().await else { return };
    let client = fleet.client().await;
    let (liar, _) = fleet.worker("liar", 1);
    let (_a, _) = fleet.worker("a", 0);
    let run = submit(&client, 60, &json!({"ms": 20})).await;
    let (run, found) = finish(&client, &run).await;
    assert_eq!(run.state, RunState::Done);
    assert_squares(&found, 60);
    let why = liar.await.unwrap().unwrap_err().to_string();
    assert!(why.contains("set aside") && why.contains("differs"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn broker_and_coordinator_may_die_and_lose_what_they_know() {
    let Some(mut fleet) = Fleet::start().await else { return };
    let client = fleet.client().await;
    let (_a, _) = fleet.worker("a", 0);
    let (_b, _) = fleet.worker("b", 0);
    let run = submit(&client, 200, &json!({"ms": 20})).await;
    let follow = tokio::spawn(async move { finish(&client, &run).await });
    tokio::time::sleep(Duration::from_millis(500)).await;
    fleet.nats.kill();
    // The stream, its consumers and all files are gone.
    std::fs::remove_dir_all(fleet.nats.folder.path().join("jetstream")).unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    fleet.nats.up();
    tokio::time::sleep(Duration::from_millis(500)).await;
    fleet.coordinator.take().unwrap().abort();
    tokio::time::sleep(Duration::from_millis(500)).await;
    fleet.start_coordinator().await;
    let (run, found) = follow.await.unwrap();
    assert_eq!((run.state, run.done), (RunState::Done, 200));
    assert_squares(&found, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_a_run_stops_its_units_at_once() {
    let Some(fleet) = Fleet::start().await else { return };
    let client = fleet.client().await;
    let (_a, _) = fleet.worker("a", 0);
    let run = submit(&client, 4, &json!({"ms": 60_000})).await;
    let leased =
        async || client.status(None).await.unwrap().workers.first().map_or(0, |worker| worker.leased);
    while leased().await < 2 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    client.set_state(&run, RunState::Stopped).await.unwrap();
    // The worker is free again for another run, long before its units would have ended.
    let other = submit(&client, 4, &json!({"ms": 1})).await;
    let (other, _) = finish(&client, &other).await;
    assert_eq!(other.state, RunState::Done);
}

#[tokio::test(flavor = "multi_thread")]
async fn failing_units_end_in_the_list_of_the_dead_and_can_be_tried_again() {
    let Some(fleet) = Fleet::start().await else { return };
    let client = fleet.client().await;
    let (_a, _) = fleet.worker("a", 0);
    let run = client.submit(squares(), &json!({})).await.unwrap().run.id;
    client.add(&run, vec![(0, json!({"n": 3})), (1, json!("none"))]).await.unwrap();
    client.seal(&run).await.unwrap();
    let (ended, found) = finish(&client, &run).await;
    assert_eq!((ended.state, ended.done, ended.dead, found.len()), (RunState::Failed, 1, 1, 1));
    let dead = client.status(Some(&run)).await.unwrap().dead;
    assert_eq!((dead[0].number, dead[0].failures.len()), (1, 5));
    assert_eq!(dead[0].failures[0].log, "no number");
    assert_eq!(client.retry(&run).await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_cannot_be_fetched_now_is_nobodys_fault() {
    let Some(fleet) = Fleet::start().await else { return };
    let client = fleet.client().await;
    let run = submit(&client, 2, &json!({"ms": 1})).await;
    // The broker has lost all files, and something else is in their place: fetching one fails, and may succeed later.
    let (nats, _) = fleet::broker::connect_client(&fleet.nats.url()).await.unwrap();
    let nats = async_nats::jetstream::new(nats);
    nats.delete_object_store("tengen-files").await.unwrap();
    let subjects = vec!["$O.tengen-files.>".into()];
    nats.create_stream(stream::Config { name: "other".into(), subjects, ..Default::default() })
        .await
        .unwrap();
    let (tell, mut waits) = tokio::sync::mpsc::unbounded_channel();
    let (_a, _) = fleet.worker_heard_by("a", 0, move |event| match event {
        WorkerEvent::Failed(unit, why) => panic!("{unit}: {why}"),
        WorkerEvent::Waiting(_) => drop(tell.send(())),
        _ => {}
    });
    // More often than a unit may fail.
    for _ in 0..12 {
        waits.recv().await.unwrap();
    }
    let status = client.status(Some(&run)).await.unwrap();
    assert_eq!((status.runs[0].state, status.runs[0].dead), (RunState::Running, 0));
    assert_eq!((status.workers[0].failed, status.workers[0].set_aside.as_str()), (0, ""));
    nats.delete_stream("other").await.unwrap();
    let (run, found) = finish(&client, &run).await;
    assert_eq!(run.state, RunState::Done);
    assert_squares(&found, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_damaged_in_the_store_is_replaced() {
    let Some(fleet) = Fleet::start().await else { return };
    let client = fleet.client().await;
    let bytes = vec![7; 300_000];
    let name = client.put_file(&bytes).await.unwrap();
    let (nats, _) = fleet::broker::connect_client(&fleet.nats.url()).await.unwrap();
    let nats = async_nats::jetstream::new(nats);
    let files = nats.get_object_store("tengen-files").await.unwrap();
    let read = async || {
        let mut read = Vec::new();
        files.get(&name).await.unwrap().read_to_end(&mut read).await.unwrap();
        read
    };
    let put_again = async || {
        let before = files.info(&name).await.unwrap().nuid;
        assert_eq!(client.put_file(&bytes).await.unwrap(), name);
        assert_eq!(read().await, bytes);
        files.info(&name).await.unwrap().nuid != before
    };
    assert!(!put_again().await, "what is whole stays");
    files.put(name.as_str(), &mut &b"damaged"[..]).await.unwrap();
    assert!(put_again().await, "it is another file");
    // The list of files has it, its contents are gone.
    let parts = nats.get_stream("OBJ_tengen-files").await.unwrap();
    parts.purge().filter("$O.tengen-files.C.>").await.unwrap();
    assert!(put_again().await, "its parts are lost");
    // A worker finds it so too: the record restores it.
    let run = submit(&client, 2, &json!({"ms": 1})).await;
    parts.purge().filter("$O.tengen-files.C.>").await.unwrap();
    let (_a, _) = fleet.worker("a", 0);
    let (run, found) = finish(&client, &run).await;
    assert_eq!(run.state, RunState::Done);
    assert_squares(&found, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_addresses_tokens_and_versions_are_told_apart() {
    let Some(fleet) = Fleet::start().await else { return };
    let connect = async |url: String| Client::connect(&url).await.unwrap_err();
    let port = fleet.nats.port;
    assert!(matches!(connect("http://there".into()).await, FleetError::Address(_)));
    assert!(matches!(connect(format!("nats://wrong@127.0.0.1:{port}")).await, FleetError::WrongToken(_)));
    let error = connect("nats://secret@127.0.0.1:1".into()).await;
    assert!(
        matches!(error, FleetError::Unreachable { .. }) && !error.to_string().contains("secret"),
        "{error}"
    );
    let (old, _) = fleet.worker("old", 0);
    let why = old.await.unwrap().unwrap_err().to_string();
    assert!(why.contains("circles") && why.contains("use the same version"), "{why}");
    fleet.coordinator.as_ref().unwrap().abort();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let alone = fleet.client().await.status(None).await.unwrap_err();
    assert!(matches!(alone, FleetError::NoCoordinator(_)), "{alone}");
}

/// Adds numbers up over the calls of its session; zero means: go on until you are told to stop.
struct Adder {
    sum: i64,
}

impl Desk for Adder {
    fn carry_out(
        &mut self,
        task: &Value,
        stop: &StopFlag,
        report: &mut dyn FnMut(Value),
    ) -> Result<Value, String> {
        let number = task.as_i64().ok_or("not a number")?;
        while number == 0 && !stop.is_stopped() {
            report(json!(self.sum));
            std::thread::sleep(Duration::from_millis(5));
        }
        self.sum += number;
        Ok(json!(self.sum))
    }
}

/// A call from a thread of its own, as a server's pool makes them.
async fn call(
    caller: &Caller,
    mut session: Session,
    number: i64,
    stop: &StopFlag,
    report: impl Fn(Value) + Send + 'static,
) -> (Session, Result<Value, CallError>) {
    let (caller, stop) = (caller.clone(), stop.clone());
    let work = move || {
        let done = caller.call(&mut session, 2, &|_| json!(number), &stop, &mut |value| report(value));
        (session, done)
    };
    tokio::task::spawn_blocking(work).await.unwrap()
}

async fn ready_threads(caller: &Caller, threads: usize) {
    let began = Instant::now();
    while caller.threads() != threads {
        assert!(began.elapsed() < Duration::from_secs(60), "{} threads", caller.threads());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_reports_is_ended_and_keeps_its_session() {
    let Some(fleet) = Fleet::start().await else { return };
    let broker = fleet::broker::Broker::connect(&fleet.nats.url()).await.unwrap();
    let caller = Caller::start(&broker, "squares").await.unwrap();
    let other = Caller::start(&broker, "circles").await.unwrap();
    let never = StopFlag::new();
    let (_, none) = call(&caller, Session::new(), 1, &never, |_| {}).await;
    assert_eq!(none, Err(CallError::NoRoom), "nobody is there");
    let (worker, end) = fleet.worker("a", 0);
    ready_threads(&caller, 2).await;
    assert_eq!(other.threads(), 0, "its engines are not the same");
    // The session's own sum.
    let (session, first) = call(&caller, Session::new(), 2, &never, |_| {}).await;
    let (_, elsewhere) = call(&caller, Session::new(), 5, &never, |_| {}).await;
    let (session, second) = call(&caller, session, 3, &never, |_| {}).await;
    assert_eq!((first, elsewhere, second), (Ok(json!(2)), Ok(json!(5)), Ok(json!(5))));
    // Live reports, and an end when nobody waits any more.
    let stop = StopFlag::new();
    let (reported, mut reports) = tokio::sync::mpsc::unbounded_channel();
    let endless = tokio::spawn({
        let (caller, stop) = (caller.clone(), stop.clone());
        async move { call(&caller, session, 0, &stop, move |value| drop(reported.send(value))).await }
    });
    for _ in 0..3 {
        assert_eq!(reports.recv().await, Some(json!(5)), "while the call runs");
    }
    let (_, busy) = call(&caller, Session::new(), 1, &never, |_| {}).await;
    assert_eq!(busy, Err(CallError::NoRoom), "both its threads are taken");
    stop.stop();
    let (session, done) = endless.await.unwrap();
    assert_eq!(done, Ok(json!(5)), "what it had found counts");
    let (_, refused) = call(&caller, session, 7, &never, |_| {}).await;
    assert_eq!(refused, Ok(json!(12)));
    end.stop();
    worker.await.unwrap().unwrap();
    ready_threads(&caller, 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_to_a_worker_that_dies_is_lost() {
    let Some(fleet) = Fleet::start().await else { return };
    let broker = fleet::broker::Broker::connect(&fleet.nats.url()).await.unwrap();
    let caller = Caller::start(&broker, "squares").await.unwrap();
    let (worker, _end) = fleet.worker("a", 0);
    ready_threads(&caller, 2).await;
    let (reported, mut reports) = tokio::sync::mpsc::unbounded_channel();
    let endless = tokio::spawn({
        let caller = caller.clone();
        async move {
            call(&caller, Session::new(), 0, &StopFlag::new(), move |value| drop(reported.send(value))).await
        }
    });
    reports.recv().await.unwrap();
    worker.abort();
    let (_, done) = endless.await.unwrap();
    assert_eq!(done, Err(CallError::Lost));
}
