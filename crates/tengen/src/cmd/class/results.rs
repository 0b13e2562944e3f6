//! Tables, reports and exports.

use super::Class;
use crate::games;
use anyhow::{Context, bail};
use api::{Host, review};
use arena::journal::Finished;
use class::report;
use class::review::Reviewer;
use class::round::{self, Round};
use class::table::{self, Row};
use class::{ClassError, ladder, students::Students};
use game::{Game, Watch};
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
    let (name, rows, games) = if args.ladder {
        let (players, games) = ladder::state(&class.folder)?;
        let rows = table::ladder_table(&class.folder, &class.config, &players, &games)?;
        ("ladder".to_string(), rows, games)
    } else {
        of_round(&class, args.round.as_deref())?
    };
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
        match row.mark {
            Some(mark) => format!("mark {mark:5.1}  "),
            None if row.reference => "reference   ".into(),
            None => row.version.map(|version| format!("version {version:3} ")).unwrap_or_default(),
        },
        row.name,
        if faults.is_empty() { String::new() } else { format!("({})", faults.join(", ")) },
    );
}

/// Name, table and games of a round.
fn of_round(class: &Class, name: Option<&str>) -> anyhow::Result<(String, Vec<Row>, Vec<Finished>)> {
    let round = last_or_named(class, name)?;
    let games = round.finished(&class.folder)?;
    let rows = table::table(&class.folder, &class.config, &round.participants, &games)?;
    Ok((round.name, rows, games))
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
    let (_, rows, games) = of_round(&class, args.round.as_deref())?;
    let mut report = report::student_report(&class.folder, &class.config, &rows, &games, &args.student)?;
    if args.review_nodes > 0 {
        report.review(class.game, &games, &mut reviewer(class.game, args.review_nodes))?;
    }
    match &args.out {
        Some(file) => {
            std::fs::write(file, report::student_page(&report)).with_context(|| file.display().to_string())?
        }
        None => println!("{}", serde_json::to_string(&report)?),
    }
    Ok(())
}

/// Reviews games with so many nodes for each position.
fn reviewer(game: &'static dyn Game, nodes: u64) -> impl FnMut(&Finished) -> Result<Value, ClassError> {
    let host = Host::new(games::all());
    move |played| {
        let refused = |why: String| ClassError::Refused(format!("game {}: {why}", played.task.id));
        let moves = review::whole(&host, game, &played.setup, &played.moves, nodes, &Watch::default());
        let moves = moves.map_err(|problem| refused(problem.detail))?;
        serde_json::to_value(moves).map_err(|error| refused(error.to_string()))
    }
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
    /// Nodes per position of the engine's review of each student's best and worst game; 0 for no review
    #[arg(long, default_value_t = report::REVIEW_NODES)]
    review_nodes: u64,
}

pub(super) fn export(args: &ExportArgs) -> anyhow::Result<()> {
    let class = Class::open(&args.folder)?;
    let round = last_or_named(&class, args.round.as_deref())?;
    let mut reviewer = (args.review_nodes > 0).then(|| reviewer(class.game, args.review_nodes));
    let reviewer = reviewer.as_mut().map(|reviewer| reviewer as &mut Reviewer<'_>);
    let rows = report::export(&class.folder, &class.config, class.game, &round, &args.out, reviewer)?;
    let students = rows.iter().filter(|row| !row.reference).count();
    println!("{}: table, games and {students} pages of students", args.out.join("index.html").display());
    Ok(())
}
