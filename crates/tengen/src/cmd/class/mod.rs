//! `tengen class`: run a course on programs that play.

mod hand_in;
mod play;
mod remote;
mod results;
mod set_up;

use crate::games;
use class::config::ClassConfig;
use game::Game;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Make a class folder
    New(set_up::NewArgs),
    /// Change the settings of a class, as far as they can still change
    Set(set_up::SetArgs),
    /// Add students from a CSV list with the columns id and name; prints their one-time keys
    Add(set_up::AddArgs),
    /// Take a student off the list
    Remove(set_up::RemoveArgs),
    /// Make a new key for a student who lost theirs, for the teacher's pages, or for making classes in the browser
    Key(set_up::KeyArgs),
    /// Hand in a student's program: a source file, a zip or a tar archive
    Submit(hand_in::SubmitArgs),
    /// Show who has handed in what
    Status(hand_in::StatusArgs),
    /// Play trial games of a student's program against the reference opponents
    Try(play::TryArgs),
    /// Play a round, or go on with one that was stopped
    Run(play::RunArgs),
    /// Stop the round that another process is playing, after the games under way
    Pause(play::PauseArgs),
    /// Keep pairing and rating programs until stopped
    Ladder(play::LadderArgs),
    /// Show the table of a round or of the ladder
    Table(results::TableArgs),
    /// Let students see the table
    Publish(results::PublishArgs),
    /// Hide the table from students
    Hide(results::PublishArgs),
    /// Report on one student: games, losses by reason, time, rating, review
    Report(results::ReportArgs),
    /// Write table, games and a page per student into a folder
    Export(results::ExportArgs),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::New(args) => set_up::new(args),
        Command::Set(args) => set_up::set(args),
        Command::Add(args) => set_up::add(args),
        Command::Remove(args) => set_up::remove(args),
        Command::Key(args) => set_up::key(args),
        Command::Submit(args) => hand_in::submit(args),
        Command::Status(args) => hand_in::status(args),
        Command::Try(args) => play::try_games(args),
        Command::Run(args) => play::run(args),
        Command::Pause(args) => play::pause(args),
        Command::Ladder(args) => play::ladder(args),
        Command::Table(args) => results::table(args),
        Command::Publish(args) => results::publish(args, true),
        Command::Hide(args) => results::publish(args, false),
        Command::Report(args) => results::report(args),
        Command::Export(args) => results::export(args),
    }
}

/// A class folder with its settings and its game.
struct Class {
    folder: PathBuf,
    config: ClassConfig,
    game: &'static dyn Game,
}

impl Class {
    fn open(folder: &Path) -> anyhow::Result<Class> {
        let config = ClassConfig::read(folder)?;
        let game = games::by_name(&config.game)?;
        game.position(&config.setup())?;
        Ok(Class { folder: folder.into(), config, game })
    }
}
