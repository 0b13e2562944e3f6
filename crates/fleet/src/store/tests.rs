//! The record on SQLite, and on PostgreSQL where `TENGEN_TEST_POSTGRES` names a server.

use super::*;
use crate::testing::fresh_database;
use crate::work::{Hello, NewRun, RunState, UnitId, UnitResult};
use serde_json::{Value, json};

const NOW: i64 = 1_000_000;

struct Bench {
    store: Store,
    timing: Timing,
    _folder: tempfile::TempDir,
}

/// A record with a run `r` of `units` units and these workers.
async fn bench(units: i64, workers: &[&str]) -> Bench {
    let (url, folder) = fresh_database().await;
    let store = Store::open(&url).await.unwrap();
    store.create_run("r", &new_run("key"), NOW).await.unwrap();
    let specs: Vec<(i64, Value)> = (0..units).map(|number| (number, json!({"n": number}))).collect();
    store.add_units("r", &specs).await.unwrap();
    store.seal("r", NOW).await.unwrap();
    for worker in workers {
        store.join(&hello(worker), NOW).await.unwrap();
    }
    Bench { store, timing: Timing::default(), _folder: folder }
}

fn new_run(key: &str) -> NewRun {
    NewRun {
        key: key.into(),
        kind: "test".into(),
        title: "a test".into(),
        job: String::new(),
        needs: Default::default(),
        exact: true,
        unit_seconds: 100,
    }
}

fn hello(id: &str) -> Hello {
    Hello {
        id: id.into(),
        version: "1".into(),
        signature: "s".into(),
        speed: 1.0,
        threads: 1,
        programs: Vec::new(),
    }
}

fn result(n: i64) -> UnitResult {
    UnitResult { exact: json!({"n": n}), free: json!({"seconds": 0.5}) }
}

fn id(number: i64, copy: i64) -> UnitId {
    UnitId { run: "r".into(), number, copy }
}

impl Bench {
    async fn offered(&self) -> Vec<(i64, i64, i64)> {
        let units = self.store.offer("free", 100, &self.timing, NOW).await.unwrap();
        units.iter().map(|unit| (unit.id.number, unit.id.copy, unit.offer)).collect()
    }

    async fn lease(&self, number: i64, copy: i64, offer: i64, worker: &str) -> Grant {
        self.store.lease(&id(number, copy), offer, worker, &self.timing, NOW).await.unwrap()
    }

    async fn count(&self, number: i64, copy: i64, worker: &str, n: i64) -> DeliveryOutcome {
        self.store.count(&id(number, copy), worker, 0.5, &result(n), 99, NOW).await.unwrap()
    }
}

#[tokio::test]
async fn a_unit_is_offered_leased_and_counted_once() {
    let b = bench(2, &["a", "b"]).await;
    assert_eq!(b.offered().await, [(0, 0, 1), (1, 0, 1)]);
    assert_eq!(b.offered().await, []);
    assert_eq!(b.lease(0, 0, 1, "a").await, Grant::Granted);
    assert_eq!(b.lease(0, 0, 1, "a").await, Grant::Granted, "the answer was lost");
    assert_eq!(b.lease(0, 0, 1, "b").await, Grant::Stale);
    assert_eq!(b.lease(1, 0, 7, "b").await, Grant::Stale, "not the last publication");
    assert_eq!(b.count(0, 0, "a", 0).await, DeliveryOutcome::Counted);
    assert_eq!(b.count(0, 0, "a", 0).await, DeliveryOutcome::NotNeeded);
    assert_eq!(b.count(0, 0, "b", 5).await, DeliveryOutcome::NotNeeded);
    assert_eq!(b.count(1, 0, "b", 1).await, DeliveryOutcome::Counted, "late results count too");
    let run = b.store.run("r").await.unwrap();
    // The first result of each worker is checked by the other.
    assert_eq!((run.done, run.checks, run.state), (2, 2, RunState::Running));
    let results = b.store.results("r", 0, 1 << 20).await.unwrap();
    assert_eq!(results.iter().map(|r| (r.seq, r.number)).collect::<Vec<_>>(), [(1, 0), (2, 1)]);
    assert_eq!(results[0].result, result(0));
    assert_eq!(b.store.results("r", 1, 1 << 20).await.unwrap().len(), 1);
    assert_eq!(b.store.results("r", 0, 1).await.unwrap().len(), 1, "pages have at least one");
}

#[tokio::test]
async fn a_run_is_done_when_its_checks_agree() {
    let b = bench(1, &["a", "b"]).await;
    b.offered().await;
    b.lease(0, 0, 1, "a").await;
    b.count(0, 0, "a", 0).await;
    assert_eq!(b.offered().await, [(0, 1, 1)]);
    assert_eq!(b.lease(0, 1, 1, "a").await, Grant::Elsewhere, "not by its author");
    assert_eq!(b.lease(0, 1, 1, "b").await, Grant::Granted);
    assert_eq!(b.count(0, 1, "b", 0).await, DeliveryOutcome::Agrees);
    let run = b.store.run("r").await.unwrap();
    assert_eq!((run.done, run.checks, run.state), (1, 0, RunState::Done));
    let workers = b.store.workers(10, &b.timing, NOW).await.unwrap();
    assert!(workers.iter().all(|worker| worker.agreed == 1 && worker.alive), "{workers:?}");
}

#[tokio::test]
async fn a_liar_is_set_aside_and_its_results_are_withdrawn() {
    let b = bench(3, &["honest", "liar"]).await;
    b.offered().await;
    for number in [0, 1] {
        b.lease(number, 0, 1, "liar").await;
        assert_eq!(b.count(number, 0, "liar", 77).await, DeliveryOutcome::Counted);
    }
    assert_eq!(b.offered().await, [(0, 1, 1)]);
    b.lease(0, 1, 1, "honest").await;
    assert_eq!(b.count(0, 1, "honest", 0).await, DeliveryOutcome::Differs);
    let disputed = b.store.disputed().await.unwrap();
    assert_eq!(disputed.iter().map(|unit| unit.id.clone()).collect::<Vec<_>>(), [id(0, 1)]);
    assert_eq!(disputed[0].spec, json!({"n": 0}));
    assert_eq!(b.store.settle(&id(0, 1), &result(0), NOW).await.unwrap(), ["liar"]);
    let run = b.store.run("r").await.unwrap();
    assert_eq!((run.done, run.checks, run.state), (0, 0, RunState::Running));
    assert!(matches!(b.lease(2, 0, 1, "liar").await, Grant::SetAside(why) if why.contains("differs")));
    assert!(matches!(b.count(2, 0, "liar", 2).await, DeliveryOutcome::SetAside(_)));
    // Others do its work again; a client that reads on sees the new results.
    assert_eq!(b.offered().await, [(0, 0, 2), (1, 0, 2)]);
    for number in [0, 1, 2] {
        assert_eq!(b.count(number, 0, "honest", number).await, DeliveryOutcome::Counted);
    }
    let results = b.store.results("r", 2, 1 << 20).await.unwrap();
    assert_eq!(results.iter().map(|r| r.number).collect::<Vec<_>>(), [0, 1, 2]);
    b.store.readmit("liar").await.unwrap();
    b.store.drop_checks(NOW).await.unwrap();
    assert_eq!(b.store.run("r").await.unwrap().state, RunState::Done);
}

#[tokio::test]
async fn a_check_that_is_wrong_leaves_the_first_result_alone() {
    let b = bench(1, &["honest", "liar"]).await;
    b.offered().await;
    b.lease(0, 0, 1, "honest").await;
    b.count(0, 0, "honest", 0).await;
    b.offered().await;
    b.lease(0, 1, 1, "liar").await;
    assert_eq!(b.count(0, 1, "liar", 9).await, DeliveryOutcome::Differs);
    assert_eq!(b.store.settle(&id(0, 1), &result(0), NOW).await.unwrap(), ["liar"]);
    let run = b.store.run("r").await.unwrap();
    assert_eq!((run.done, run.checks, run.state), (1, 0, RunState::Done));
}

#[tokio::test]
async fn lost_units_come_back_and_die_after_too_many_attempts() {
    let b = bench(1, &["a", "b"]).await;
    let late = NOW + 31_000;
    for attempt in 1..=5 {
        assert_eq!(b.offered().await, [(0, 0, attempt)]);
        assert_eq!(b.store.expire(false, late).await.unwrap(), [], "offers may wait");
        assert_eq!(b.lease(0, 0, attempt, if attempt % 2 == 0 { "a" } else { "b" }).await, Grant::Granted);
        assert_eq!(b.store.expire(false, NOW).await.unwrap(), []);
        assert_eq!(b.store.expire(false, late).await.unwrap(), [id(0, 0)]);
        // Only while both are alive must another worker try.
        b.store.left("a").await.unwrap();
        b.store.left("b").await.unwrap();
    }
    let run = b.store.run("r").await.unwrap();
    assert_eq!((run.dead, run.state), (1, RunState::Failed));
    let dead = b.store.dead_units(Some("r"), 10).await.unwrap();
    assert_eq!(dead[0].failures.len(), 5);
    assert!(dead[0].failures[0].log.contains("not heard of"));
    assert_eq!(b.store.retry_run("r").await.unwrap(), 1);
    assert_eq!(b.offered().await, [(0, 0, 6)]);
    assert_eq!(b.store.expire(true, late).await.unwrap(), [id(0, 0)], "a lost offer is made again");
    assert_eq!(b.offered().await, [(0, 0, 7)]);
}

#[tokio::test]
async fn a_unit_that_hangs_behind_a_live_worker_is_taken_away() {
    let b = bench(1, &["a"]).await;
    b.offered().await;
    b.lease(0, 0, 1, "a").await;
    let held = [id(0, 0)];
    let beat = |now| b.store.extend("a", &held, &b.timing, now);
    assert_eq!(beat(NOW + 99_000).await.unwrap(), []);
    assert_eq!(beat(NOW + 101_000).await.unwrap(), [id(0, 0)], "100 seconds are over");
}

#[tokio::test]
async fn a_worker_that_fails_where_others_succeed_is_set_aside() {
    let b = bench(3, &["bad", "good"]).await;
    b.offered().await;
    for number in 0..3 {
        b.lease(number, 0, 1, "bad").await;
        b.store.give_back(&id(number, 0), "bad", "no such file", NOW).await.unwrap();
        assert_eq!(b.offered().await, [(number, 0, 2)]);
        assert_eq!(b.lease(number, 0, 2, "bad").await, Grant::Elsewhere);
        b.lease(number, 0, 2, "good").await;
        b.count(number, 0, "good", number).await;
        b.store.drop_checks(NOW).await.unwrap();
    }
    let workers = b.store.workers(10, &b.timing, NOW).await.unwrap();
    let bad = workers.iter().find(|worker| worker.hello.id == "bad").unwrap();
    assert!(bad.set_aside.contains("no such file"), "{bad:?}");
}

#[tokio::test]
async fn workers_that_were_set_aside_stay_on_the_list() {
    let b = bench(0, &["bad", "worse"]).await;
    for worker in ["bad", "worse"] {
        b.store.set_aside(worker, "it lies", NOW).await.unwrap();
    }
    // Every restart is a new name.
    for number in 0..5 {
        b.store.join(&hello(&format!("w{number}")), NOW + 1 + number).await.unwrap();
    }
    let listed = async |limit| {
        let workers = b.store.workers(limit, &b.timing, NOW).await.unwrap();
        workers.into_iter().map(|worker| worker.hello.id).collect::<Vec<_>>()
    };
    assert_eq!(listed(2).await, ["bad", "worse", "w4", "w3"]);
    assert_eq!(listed(100).await, ["bad", "worse", "w4", "w3", "w2", "w1", "w0"]);
    b.store.readmit("bad").await.unwrap();
    assert_eq!(listed(1).await, ["worse", "w4"]);
}

/// Loses the leases of three units of "cut", which "good" then completes; why "cut" is set aside, if it is.
async fn set_aside_after_lost_leases(late: i64) -> String {
    let b = bench(3, &["cut", "good"]).await;
    b.offered().await;
    for number in 0..3 {
        b.lease(number, 0, 1, "cut").await;
        assert_eq!(b.store.expire(false, late).await.unwrap(), [id(number, 0)]);
        b.store.left("cut").await.unwrap();
        assert_eq!(b.offered().await, [(number, 0, 2)]);
        b.lease(number, 0, 2, "good").await;
        b.count(number, 0, "good", number).await;
        b.store.drop_checks(NOW).await.unwrap();
    }
    let workers = b.store.workers(10, &b.timing, NOW).await.unwrap();
    workers.iter().find(|worker| worker.hello.id == "cut").unwrap().set_aside.clone()
}

#[tokio::test]
async fn a_worker_behind_a_network_that_is_cut_is_not_to_blame() {
    assert_eq!(set_aside_after_lost_leases(NOW + 31_000).await, "");
    assert!(set_aside_after_lost_leases(NOW + 101_000).await.contains("took too long"));
}

#[tokio::test]
async fn units_given_back_without_blame_cost_no_attempt() {
    let b = bench(1, &["a"]).await;
    for offer in 1..20 {
        assert_eq!(b.offered().await, [(0, 0, offer)]);
        assert_eq!(b.lease(0, 0, offer, "a").await, Grant::Granted);
        b.store.give_back(&id(0, 0), "a", "", NOW).await.unwrap();
    }
}

#[tokio::test]
async fn the_same_command_continues_its_run_and_a_finished_one_starts_anew() {
    let b = bench(1, &["a"]).await;
    let (run, continued) = b.store.create_run("other", &new_run("key"), NOW).await.unwrap();
    assert!(continued && run.id == "r");
    b.store.add_units("r", &[(0, json!("ignored"))]).await.unwrap();
    assert_eq!(b.store.run("r").await.unwrap().units, 1, "a unit that is there stays");
    b.store.set_run_state("r", RunState::Paused, NOW).await.unwrap();
    assert_eq!(b.offered().await, []);
    b.store.set_run_state("r", RunState::Running, NOW).await.unwrap();
    assert_eq!(b.offered().await.len(), 1);
    b.store.set_run_state("r", RunState::Stopped, NOW).await.unwrap();
    assert_eq!(b.lease(0, 0, 1, "a").await, Grant::Stale);
    assert!(b.store.set_run_state("r", RunState::Running, NOW).await.is_err());
    let (run, continued) = b.store.create_run("other", &new_run("key"), NOW).await.unwrap();
    assert!(!continued && run.id == "other");
    assert!(matches!(b.store.run("none").await, Err(StoreError::NoRun(_))));
}

#[tokio::test]
async fn many_tasks_at_once_count_every_unit_once() {
    let b = bench(60, &["a", "b", "c", "d"]).await;
    let mut tasks = Vec::new();
    for worker in ["a", "b", "c", "d"] {
        let (store, timing) = (b.store.clone(), b.timing);
        tasks.push(tokio::spawn(async move {
            let mut counted = 0;
            loop {
                let units = store.offer("free", 3, &timing, NOW).await.unwrap();
                if units.is_empty() {
                    return counted;
                }
                for unit in units {
                    let grant = store.lease(&unit.id, unit.offer, worker, &timing, NOW).await.unwrap();
                    if grant == Grant::Granted {
                        let n = result(unit.id.number);
                        let verdict = store.count(&unit.id, worker, 0.0, &n, 5, NOW).await.unwrap();
                        counted += i64::from(verdict == DeliveryOutcome::Counted);
                    }
                }
            }
        }));
    }
    let mut counted = 0;
    for task in tasks {
        counted += task.await.unwrap();
    }
    let run = b.store.run("r").await.unwrap();
    assert_eq!((counted, run.done), (60, 60));
    let results = b.store.results("r", 0, 1 << 20).await.unwrap();
    assert_eq!(results.iter().map(|r| r.seq).collect::<Vec<_>>(), (1..=60).collect::<Vec<_>>());
}

#[tokio::test]
async fn files_are_kept_by_their_hash() {
    let b = bench(0, &[]).await;
    assert_eq!(b.store.blob("x").await.unwrap(), None);
    b.store.put_blob("x", &[0, 255, 7]).await.unwrap();
    b.store.put_blob("x", &[1]).await.unwrap();
    assert_eq!(b.store.blob("x").await.unwrap().unwrap(), [0, 255, 7]);
}
