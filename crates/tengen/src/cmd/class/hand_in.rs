//! Handing in, and who has.

use super::Class;
use super::remote::Remote;
use anyhow::{Context, bail};
use arena::sandbox::Sandbox;
use class::students::Students;
use class::submission::{self, Desk, MAX_UPLOAD, Submission, Tongue};
use serde_json::json;
use std::io::Read;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct SubmitArgs {
    /// The class folder; with --server the name of the class there
    folder: PathBuf,
    /// Student number
    student: String,
    /// A source file, a zip or a tar archive
    file: PathBuf,
    /// Hand in to this server from a student's own machine, such as `https://course.example`
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// Your key, the first time on this machine
    #[arg(long, requires = "server")]
    key: Option<String>,
    /// Language of the verdict: en or zh
    #[arg(long, default_value = "en", value_parser = ["en", "zh"])]
    lang: String,
    /// JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn submit(args: &SubmitArgs) -> anyhow::Result<()> {
    let file = std::fs::File::open(&args.file).with_context(|| args.file.display().to_string())?;
    let mut bytes = Vec::new();
    file.take(MAX_UPLOAD as u64 + 1)
        .read_to_end(&mut bytes)
        .with_context(|| args.file.display().to_string())?;
    let name = args.file.file_name().unwrap_or_default().to_string_lossy();
    let submission = match &args.server {
        Some(server) => Remote::new(server, &args.folder.to_string_lossy(), &args.student)?.submit(
            args.key.as_deref(),
            &name,
            &bytes,
            &args.lang,
        )?,
        None => submit_here(args, &name, &bytes)?,
    };
    if args.json {
        println!("{}", serde_json::to_string(&submission)?);
    } else {
        show(&submission);
    }
    if !submission.verdict.accepted {
        bail!("version {} of {} cannot take part", submission.version, submission.student);
    }
    Ok(())
}

/// Hands in to a class whose folder is on this machine.
fn submit_here(args: &SubmitArgs, name: &str, bytes: &[u8]) -> anyhow::Result<Submission> {
    let class = Class::open(&args.folder)?;
    let students = Students::read(&class.folder)?;
    let student = students.get(&args.student)?;
    let sandbox = Sandbox::new(class.config.limits.clone())?;
    let tongue: Tongue = args.lang.parse().map_err(anyhow::Error::msg)?;
    let desk =
        Desk { folder: &class.folder, config: &class.config, game: class.game, sandbox: &sandbox, tongue };
    Ok(desk.submit(student, name, bytes, jiff::Timestamp::now())?)
}

fn show(submission: &Submission) {
    let verdict = &submission.verdict;
    println!(
        "version {} of {}, {}{}",
        submission.version,
        submission.student,
        if submission.language.is_empty() { "no language found" } else { &submission.language },
        if submission.late { ", after the deadline: kept, does not count" } else { "" }
    );
    for check in &verdict.checks {
        let mark = if check.passed { "ok  " } else { "FAIL" };
        let detail = check.detail.trim_end().replace('\n', "\n     ");
        println!("{mark} {}{}{detail}", check.check, if detail.is_empty() { "" } else { ": " });
        if !check.advice.is_empty() {
            println!("     {}", check.advice);
        }
    }
    if verdict.checks.is_empty() && !verdict.message.is_empty() {
        println!("{}: {}", verdict.failed, verdict.message);
    }
    println!("{}", if verdict.accepted { "accepted" } else { "not accepted" });
}

#[derive(clap::Args)]
pub(super) struct StatusArgs {
    /// The class folder
    folder: PathBuf,
    /// JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn status(args: &StatusArgs) -> anyhow::Result<()> {
    let class = Class::open(&args.folder)?;
    let mut rows = Vec::new();
    for student in Students::read(&class.folder)?.students {
        let versions = submission::versions(&class.folder, &student.id)?;
        let counting = submission::counting(&class.folder, &student.id)?.map(|counting| counting.version);
        rows.push((student, versions, counting));
    }
    if args.json {
        let list: Vec<_> = rows
            .iter()
            .map(|(student, versions, counting)| {
                json!({"id": student.id, "name": student.name, "counts": counting, "versions": versions})
            })
            .collect();
        println!(
            "{}",
            json!({"title": class.config.title, "deadline": class.config.deadline, "students": list})
        );
        return Ok(());
    }
    println!("{}, deadline: {}", class.config.title, class.config.deadline.as_deref().unwrap_or("none"));
    for (student, versions, counting) in &rows {
        let last = versions.last();
        let state = match (last, counting) {
            (None, _) => "nothing handed in".to_string(),
            (Some(last), Some(version)) => {
                format!("version {version} counts ({}), last {}", last.language, last.received)
            }
            (Some(last), None) if last.late => format!("only late, last {}", last.received),
            (Some(last), None) => format!("not accepted: {}", last.verdict.failed),
        };
        println!("{:12} {}: {state}", student.id, student.name);
    }
    Ok(())
}
