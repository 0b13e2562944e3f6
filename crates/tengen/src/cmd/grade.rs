//! `tengen grade`: compare students' answers about search with the reference algorithms.

use crate::search_args;
use anyhow::{Context, anyhow, bail};
use arena::process::Launch;
use arena::sandbox::{Sandbox, SandboxPolicy};
use class::archive::{self, Bounds};
use class::build;
use class::grade::Grading;
use class::grade::maze::MazeExam;
use class::grade::tree::TreeExam;
use class::language::Languages;
use search::theatre::Algorithm;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Answer files about mazes: path valid, shortest, cells expanded
    Maze(MazeArgs),
    /// A program's answers about alpha-beta: value, move, nodes, order of visits
    Alphabeta(TreeArgs),
    /// A program's answers about minimax
    Minimax(TreeArgs),
    /// A program's answers about UCT: move and value
    Uct(TreeArgs),
}

#[derive(clap::Args)]
struct MazeArgs {
    /// The exam: a TOML file of questions
    exam: PathBuf,
    /// Folder with the student's answer files
    answers: PathBuf,
    #[command(flatten)]
    show: ShowArgs,
}

#[derive(clap::Args)]
struct TreeArgs {
    /// The exam: a TOML file of questions
    exam: PathBuf,
    /// The student's program: a source file or an archive; it is compiled and run in the sandbox
    program: PathBuf,
    #[command(flatten)]
    show: ShowArgs,
}

#[derive(clap::Args)]
struct ShowArgs {
    /// JSON
    #[arg(long)]
    json: bool,
    /// Folder for grading.html and a record of each search that differs
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Maze(args) => {
            let exam = MazeExam::parse(&read(&args.exam)?)
                .map_err(|problem| anyhow!("{}: {problem}", args.exam.display()))?;
            let folder = args.exam.parent().unwrap_or(Path::new(""));
            let graded = exam.grade(folder, &args.answers).map_err(|problem| anyhow!(problem))?;
            show(&graded, &args.show)
        }
        Command::Alphabeta(args) => tree(Algorithm::AlphaBeta, args),
        Command::Minimax(args) => tree(Algorithm::Minimax, args),
        Command::Uct(args) => tree(Algorithm::Uct, args),
    }
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| path.display().to_string())
}

fn tree(algorithm: Algorithm, args: &TreeArgs) -> anyhow::Result<()> {
    let exam = TreeExam::parse(&read(&args.exam)?)
        .map_err(|problem| anyhow!("{}: {problem}", args.exam.display()))?;
    let home = tempfile::tempdir()?;
    let launch = compile(&args.program, home.path())?;
    let stop = search_args::stop_on_ctrl_c();
    let graded = exam.grade(algorithm, &launch, &stop).map_err(|problem| anyhow!(problem))?;
    if stop.is_stopped() {
        bail!("stopped");
    }
    show(&graded, &args.show)
}

/// Compiles a program as a class would, with the usual limits.
fn compile(program: &Path, home: &Path) -> anyhow::Result<Launch> {
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = std::fs::read(program).with_context(|| program.display().to_string())?;
    let files = archive::unpack(&name, &bytes, Bounds::default())?;
    let languages = Languages::default();
    let (language, main) = languages.of(&files)?;
    let sandbox = Sandbox::new(SandboxPolicy::default())?;
    let (source, built) = (home.join("source"), home.join("built"));
    archive::write(&files, &source)?;
    build::compile(&sandbox, language, &main, &source, &built)?;
    Ok(build::launch(&sandbox, language, &main, &built)?)
}

fn show(graded: &Grading, args: &ShowArgs) -> anyhow::Result<()> {
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        crate::output::write_file(&folder.join("grading.html"), graded.page().as_bytes())?;
        for (index, question) in graded.questions.iter().enumerate() {
            if let Some(difference) = &question.difference {
                let file = folder.join(format!("question-{}.json", index + 1));
                crate::output::write_file(&file, difference.record.as_bytes())?;
            }
        }
    }
    if args.json {
        println!("{}", serde_json::to_string(graded)?);
        return Ok(());
    }
    for question in &graded.questions {
        println!("{}: {} of {}", question.name, question.points, question.of);
        for part in &question.parts {
            let mark = if part.right { "ok  " } else { "FAIL" };
            println!("  {mark} {} ({}): {}", part.part, part.of, part.detail.replace('\n', "\n       "));
        }
        if let Some(difference) = &question.difference {
            println!("  first difference: {}", difference.detail);
            println!("  watch it: tengen serve, then {}", difference.watch);
        }
    }
    println!("{} of {} points", graded.points, graded.of);
    Ok(())
}
