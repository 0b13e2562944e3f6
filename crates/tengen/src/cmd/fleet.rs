//! `tengen fleet status|runs|pause|resume|stop|retry`: what many machines are doing.

use crate::fleet::Connection;
use fleet::message::Status;
use fleet::work::{Run, RunState, Worker};
use serde_json::json;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The fleet: nats://TOKEN@HOST:PORT
    #[arg(
        long,
        value_name = "URL",
        env = "TENGEN_FLEET",
        hide_env_values = true,
        global = true,
        default_value = "nats://127.0.0.1:4222"
    )]
    fleet: String,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Workers, running runs and failed units
    Status,
    /// All runs, or one with its failed units
    Runs {
        /// The run
        run: Option<String>,
    },
    /// Give out no more units of a run
    Pause {
        /// The run
        run: String,
    },
    /// Give out units of a paused run again
    Resume {
        /// The run
        run: String,
    },
    /// End a run; what counted stays
    Stop {
        /// The run
        run: String,
    },
    /// Try the failed units of a run again, or let a worker that was set aside take part again
    Retry {
        /// The run
        #[arg(required_unless_present = "worker")]
        run: Option<String>,
        /// The worker
        #[arg(long, conflicts_with = "run")]
        worker: Option<String>,
    },
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let fleet = Connection::open(&args.fleet)?;
    let set = |run: &str, state| -> anyhow::Result<()> {
        let run = fleet.ask(async |client| client.set_state(run, state).await)?;
        match args.json {
            true => println!("{}", json!(run)),
            false => println!("{}", run_line(&run)),
        }
        Ok(())
    };
    match &args.action {
        Action::Status => {
            let status = fleet.ask(async |client| client.status(None).await)?;
            if args.json {
                println!("{}", json!(status));
            } else {
                print_workers(&status);
                println!();
                let open: Vec<&Run> = status.runs.iter().filter(|run| !run.state.is_over()).collect();
                open.iter().for_each(|run| println!("{}", run_line(run)));
                if open.is_empty() {
                    println!("no run is open");
                }
                print_dead(&status);
            }
            Ok(())
        }
        Action::Runs { run } => {
            let status = fleet.ask(async |client| client.status(run.as_deref()).await)?;
            if args.json {
                println!("{}", json!({"runs": status.runs, "dead": status.dead}));
            } else {
                status.runs.iter().for_each(|run| println!("{}", run_line(run)));
                if run.is_some() {
                    print_dead(&status);
                }
            }
            Ok(())
        }
        Action::Pause { run } => set(run, RunState::Paused),
        Action::Resume { run } => set(run, RunState::Running),
        Action::Stop { run } => set(run, RunState::Stopped),
        Action::Retry { run: Some(run), .. } => {
            let units = fleet.ask(async |client| client.retry(run).await)?;
            match args.json {
                true => println!("{}", json!({"units": units})),
                false => println!("{units} units queued again"),
            }
            Ok(())
        }
        Action::Retry { worker, .. } => {
            let worker = worker.as_deref().unwrap_or_default();
            fleet.ask(async |client| client.readmit(worker).await)?;
            match args.json {
                true => println!("{}", json!({"worker": worker})),
                false => println!("{worker} may take part again"),
            }
            Ok(())
        }
    }
}

fn run_line(run: &Run) -> String {
    let state = json!(run.state);
    let failed = if run.dead > 0 { format!(", {} failed", run.dead) } else { String::new() };
    let state = state.as_str().unwrap_or_default();
    format!("{}  {state:<8} {:>7} of {:<7}{failed} {}", run.id, run.done, run.units, run.title)
}

fn print_workers(status: &Status) {
    println!(
        "{:<28} {:>7} {:>10} {:>6} {:>8} {:>7} {:>6}  state",
        "worker", "threads", "nodes/s", "units", "counted", "agreed", "failed"
    );
    for worker in &status.workers {
        println!(
            "{:<28} {:>7} {:>10.0} {:>6} {:>8} {:>7} {:>6}  {}",
            worker.hello.id,
            worker.hello.threads,
            worker.hello.speed,
            worker.leased,
            worker.counted,
            worker.agreed,
            worker.failed,
            state(worker)
        );
    }
    if status.workers.is_empty() {
        println!("no worker has joined; `tengen worker --join URL` does");
    }
}

fn state(worker: &Worker) -> String {
    match worker {
        Worker { set_aside, .. } if !set_aside.is_empty() => format!("set aside: {set_aside}"),
        Worker { alive: false, .. } => "gone".into(),
        Worker { noisy: true, .. } => "noisy: no timed games".into(),
        _ => "working".into(),
    }
}

fn print_dead(status: &Status) {
    for unit in &status.dead {
        println!("\nunit {}.{} failed {} times:", unit.run, unit.number, unit.failures.len());
        for failure in &unit.failures {
            println!("    {}: {}", failure.worker, failure.log);
        }
    }
}
