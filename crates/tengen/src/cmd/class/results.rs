//! Tables, reports and exports.

use super::Class;
use crate::games;
use anyhow::{Context, bail};
use api::review::{Review, ReviewOrder};
use api::{AnalysisMessage, Host};
use arena::journal::Finished;
use class::entrants::Participant;
use class::report::{self, StudentReport};
use class::round::{self, Round};
use class::table::{self, Row};
use class::{ladder, students::Students};
use game::StopFlag;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct TableArgs {
    /// The class folder
    folder: PathBuf,
    /// The round [default: the last one]
    #[arg(long)]
    round: Option<String>,
    /// The standing ladder instead of a round
    #[arg(long, conflicts_with = "round")]
    ladder: bool,
    /// CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn table(args: &TableArgs) -> anyhow::Result<()> {
    let class = Class::open(&args.folder)?;
    let (name, participants, games) = match args.ladder {
        true => {
            let (players, games) = ladder::state(&class.folder)?;
            ("ladder".to_string(), players, games)
        }
        false => of_round(&class, args.round.as_deref())?,
    };
    let rows = table::table(&class.folder, &class.config, &participants, &games)?;
    if args.json {
        println!(
            "{}",
            json!({"title": class.config.title, "round": name, "games": games.len(), "table": rows})
        );
    } else if args.csv {
        print!("{}", table::csv(&rows));
    } else {
        println!("{}, {name}: {} games", class.config.title, games.len());
        rows.iter().for_each(show);
    }
    Ok(())
}

fn show(row: &Row) {
    let faults: Vec<String> = row.faults.iter().map(|(why, count)| format!("{why} {count}")).collect();
    println!(
        "{:3} {:14} {:>5} points of {:3}  Elo {:+5.0} ± {:3.0}  {}{} {}",
        row.rank,
        row.id,
        row.points,
        row.games,
        row.elo,
        row.error,
        row.mark.map(|mark| format!("mark {mark:5.1}  ")).unwrap_or_else(|| "reference   ".into()),
        row.name,
        if faults.is_empty() { String::new() } else { format!("({})", faults.join(", ")) },
    );
}

fn of_round(class: &Class, name: Option<&str>) -> anyhow::Result<(String, Vec<Participant>, Vec<Finished>)> {
    let round = last_or_named(class, name)?;
    let games = round.finished(&class.folder)?;
    Ok((round.name, round.participants, games))
}

fn last_or_named(class: &Class, name: Option<&str>) -> anyhow::Result<Round> {
    let last = round::names(&class.folder).pop();
    let Some(name) = name.map(str::to_string).or(last) else {
        bail!("no round has been played; play one with: tengen class run");
    };
    Ok(Round::read(&class.folder, &name)?)
}

#[derive(clap::Args)]
pub(super) struct PublishArgs {
    /// The class folder
    folder: PathBuf,
}

pub(super) fn publish(args: &PublishArgs, visible: bool) -> anyhow::Result<()> {
    let class = Class::open(&args.folder)?;
    class::publish(&class.folder, visible)?;
    println!("students {} see the table", if visible { "may" } else { "may not" });
    Ok(())
}

#[derive(clap::Args)]
pub(super) struct ReportArgs {
    /// The class folder
    folder: PathBuf,
    /// Student number
    student: String,
    /// The round [default: the last one]
    #[arg(long)]
    round: Option<String>,
    /// Nodes per position of the engine's review of the best and the worst game; 0 for no review
    #[arg(long, default_value_t = 2000)]
    review_nodes: u64,
    /// Write a page instead of JSON
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
}

pub(super) fn report(args: &ReportArgs) -> anyhow::Result<()> {
    let class = Class::open(&args.folder)?;
    Students::read(&class.folder)?.get(&args.student)?;
    let (_, participants, games) = of_round(&class, args.round.as_deref())?;
    let mut report =
        report::student_report(&class.folder, &class.config, &participants, &games, &args.student)?;
    if args.review_nodes > 0 {
        report.reviews = reviews(&class, &report, &games, args.review_nodes)?;
    }
    match &args.out {
        Some(file) => {
            std::fs::write(file, report::student_page(&report)).with_context(|| file.display().to_string())?
        }
        None => println!("{}", serde_json::to_string(&report)?),
    }
    Ok(())
}

/// The engine's review of the best and the worst game, with as many nodes for each position.
fn reviews(
    class: &Class,
    report: &StudentReport,
    games: &[Finished],
    nodes: u64,
) -> anyhow::Result<Vec<Value>> {
    let host = Host::new(games::all());
    let mut list = Vec::new();
    for (kind, id) in [("best", report.best), ("worst", report.worst)] {
        let Some(game) = games.iter().find(|game| Some(game.task.id) == id) else { continue };
        let setup = json!({"game": class.game.name(), "rows": game.setup.rows, "cols": game.setup.cols,
                           "rule": game.setup.rule, "opening": game.setup.opening});
        let order =
            json!({"id": kind, "setup": setup, "moves": game.moves, "nodes": nodes, "time_ms": 10_000});
        let order: ReviewOrder = serde_json::from_value(order)?;
        let problem = |problem: api::Problem| anyhow::anyhow!("{problem:?}");
        let mut review = Review::plan(&host, order).map_err(problem)?;
        while let Some(search) = review.next() {
            let found = search(&StopFlag::new()).map_err(problem)?;
            review.add(found);
        }
        if let AnalysisMessage::ReviewDone { moves, .. } = review.done() {
            list.push(json!({"which": kind, "game": id, "moves": moves}));
        }
    }
    Ok(list)
}

#[derive(clap::Args)]
pub(super) struct ExportArgs {
    /// The class folder
    folder: PathBuf,
    /// The folder to write
    out: PathBuf,
    /// The round [default: the last one]
    #[arg(long)]
    round: Option<String>,
}

pub(super) fn export(args: &ExportArgs) -> anyhow::Result<()> {
    let class = Class::open(&args.folder)?;
    let round = last_or_named(&class, args.round.as_deref())?;
    let rows = report::export(&class.folder, &class.config, class.game, &round, &args.out)?;
    println!("{}: table, games and {} pages", args.out.join("index.html").display(), rows.len());
    Ok(())
}
