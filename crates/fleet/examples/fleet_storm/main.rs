//! The parts of a fleet as processes that can be killed, with units that sleep; `cargo xtask fleet-storm`
//! starts and kills them.
//!
//! ```text
//! fleet_storm coordinator NATS DATABASE FOLDER
//! fleet_storm worker NATS FOLDER NAME [--lie]
//! fleet_storm drive NATS UNITS MILLISECONDS [--liar]
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool talks to the person who started it")]

use fleet::broker::Broker;
use fleet::client::Client;
use fleet::coordinator::{Coordinator, CoordinatorConfig};
use fleet::executor::{Executor, Failed, MakeExecutor, Work};
use fleet::store::{Store, Timing};
use fleet::work::{Counted, Hello, Needs, NewRun, RunState, UnitResult, sha256};
use fleet::worker::WorkerConfig;
use game::StopFlag;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SIGNATURE: &str = "storm";
const LEASE: Duration = Duration::from_secs(4);

#[tokio::main]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["coordinator", nats, database, folder] => coordinator(nats, database, folder).await,
        ["worker", nats, folder, name] => worker(nats, folder, name, false).await,
        ["worker", nats, folder, name, "--lie"] => worker(nats, folder, name, true).await,
        ["drive", nats, units, mean] => drive(nats, units, mean, false).await,
        ["drive", nats, units, mean, "--liar"] => drive(nats, units, mean, true).await,
        _ => Err("see the head of this file".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("storm: {error}");
            ExitCode::FAILURE
        }
    }
}

type Done = Result<(), Box<dyn Error>>;

/// Honest results of the liar before its first lie: its first result is checked, so it must earn trust.
const HONEST: u64 = 5;

/// Hashes a number after a while, or lies about it.
struct Hash {
    lie: bool,
    done: u64,
}

impl Executor for Hash {
    fn execute(&mut self, work: &Work, _stop: &StopFlag) -> Result<UnitResult, Failed> {
        let n = work.spec.as_u64().ok_or_else(|| Failed::Because("not a number".into()))?;
        let mean = work.job["milliseconds"].as_u64().unwrap_or(10).max(1);
        // Spread over 0 to twice the mean; 7919 is prime.
        std::thread::sleep(Duration::from_millis(n.wrapping_mul(7919) % (2 * mean)));
        self.done += 1;
        let lie = self.lie && self.done > HONEST;
        Ok(UnitResult { exact: answer(if lie { n + 1 } else { n }), free: Value::Null })
    }
}

fn answer(n: u64) -> Value {
    json!(sha256(n.to_string().as_bytes()))
}

fn executor(lie: bool) -> MakeExecutor {
    Arc::new(move |_| Box::new(Hash { lie, done: 0 }))
}

async fn coordinator(nats: &str, database: &str, folder: &str) -> Done {
    let store = loop {
        match Store::open(database).await {
            Ok(store) => break store,
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    };
    let broker = Broker::connect_patiently(nats, &|_| {}).await?;
    let config = CoordinatorConfig {
        timing: Timing { lease: LEASE },
        signature: SIGNATURE.into(),
        version: "storm".into(),
        executor: executor(false),
        files: folder.into(),
    };
    Ok(Coordinator::new(store, broker, config)?.run().await?)
}

async fn worker(nats: &str, folder: &str, name: &str, lie: bool) -> Done {
    let hello = Hello {
        id: format!("{name}-{}", std::process::id()),
        version: "storm".into(),
        signature: SIGNATURE.into(),
        speed: 1.0,
        threads: 1,
        programs: Vec::new(),
    };
    let config = WorkerConfig {
        hello,
        executor: executor(lie),
        desk: None,
        files: folder.into(),
        events: Arc::new(|_| {}),
    };
    Ok(fleet::worker::work(nats, config, StopFlag::new()).await?)
}

/// Hands in a run, reads it to its end, and checks that every unit counted once and with the right answer.
async fn drive(nats: &str, units: &str, mean: &str, liar: bool) -> Done {
    let (units, mean): (u64, u64) = (units.parse()?, mean.parse()?);
    let client = loop {
        match Client::connect(nats).await {
            Ok(client) => break client,
            Err(error) if error.is_passing() => tokio::time::sleep(Duration::from_millis(200)).await,
            Err(error) => return Err(error.into()),
        }
    };
    let began = Instant::now();
    let new = NewRun {
        key: String::new(),
        kind: "hash".into(),
        title: format!("{units} hashes"),
        job: String::new(),
        needs: Needs::default(),
        exact: true,
        unit_seconds: 60,
    };
    let job =
        json!({"units": units, "milliseconds": mean, "nonce": format!("{:?}", std::time::SystemTime::now())});
    let run = loop {
        match client.submit(new.clone(), &job).await {
            Ok(submitted) => break submitted.run.id,
            Err(error) if error.is_passing() => tokio::time::sleep(Duration::from_millis(200)).await,
            Err(error) => return Err(error.into()),
        }
    };
    client.add(&run, (0..units).map(|n| (n as i64, json!(n))).collect()).await?;
    client.seal(&run).await?;
    let mut follower = client.follow(&run).await?;
    let mut found: BTreeMap<i64, Counted> = BTreeMap::new();
    let (mut last, mut withdrawn) = (0, 0);
    let run = loop {
        let (run, results) = follower.next(Duration::from_secs(5)).await?;
        let over = run.state.is_over() && results.is_empty();
        for counted in results {
            if counted.seq <= last {
                return Err(format!("result {} came after {last}", counted.seq).into());
            }
            last = counted.seq;
            withdrawn += u64::from(found.insert(counted.number, counted).is_some());
            if (last as u64).is_multiple_of((units / 10).max(1)) {
                println!("{last} results after {:.0} s", began.elapsed().as_secs_f64());
            }
        }
        if over {
            break run;
        }
    };
    let wrong = found.iter().filter(|(n, counted)| counted.result.exact != answer(**n as u64)).count();
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{} of {units} units counted, {wrong} wrong, {withdrawn} withdrawn and done again, {:?}, {seconds:.0} s",
        found.len(),
        run.state
    );
    let all = found.len() as u64 == units && run.done as u64 == units && run.dead == 0;
    if !all || wrong > 0 || run.state != RunState::Done || (withdrawn > 0 && !liar) {
        return Err(format!("units were lost, doubled or wrong: {run:?}").into());
    }
    let mut status = client.status(None).await?;
    status.workers.retain(|worker| !worker.set_aside.is_empty());
    for worker in &status.workers {
        println!("{} was set aside after {} results: {}", worker.hello.id, worker.counted, worker.set_aside);
    }
    match (liar, status.workers.as_slice()) {
        (false, []) => Ok(()),
        (true, [one]) if one.hello.id.starts_with("liar") && one.counted <= 200 => Ok(()),
        (true, _) => Err("the liar, and nobody else, should have been set aside within 200 results".into()),
        (false, _) => Err("an honest worker was set aside".into()),
    }
}
