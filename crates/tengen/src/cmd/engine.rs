//! `tengen engine PROTOCOL`: speak an engine protocol on stdin and stdout.

use crate::games;
use crate::search_args::SearchArgs;
use arena::frontend::{BotzoneFrontend, Frontend, GomocupFrontend, HtpFrontend, LineFrontend};
use arena::platform::output_is_closed;
use clap::ValueEnum;
use std::ffi::OsString;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Programs of this name are Gomocup engines: match managers start them without arguments.
const GOMOCUP_NAME: &str = "pbrain-tengen";

/// Time per move if neither the command line nor the client sets one.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// The same for Botzone, which gives a program one second.
const BOTZONE_TIME: Duration = Duration::from_millis(800);

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The protocol to speak
    protocol: Protocol,
    #[command(flatten)]
    search: SearchArgs,
    /// Board size of the line protocol and Botzone's, which cannot tell it: N or ROWSxCOLUMNS
    #[arg(long, value_parser = parse_size)]
    size: Option<(u8, u8)>,
    /// Game of Botzone's protocol, which does not tell it: gomoku or hex
    #[arg(long, default_value = "gomoku", value_name = "GAME")]
    game: String,
    /// Botzone: stay between moves instead of ending after each answer
    #[arg(long)]
    keep_running: bool,
    /// The main engine evaluates by this network instead of the one it brings
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Protocol {
    /// Gomoku: Gomocup's protocol with the Yixin extensions
    Gomocup,
    /// Hex: HTP, with HexGui's analyze commands
    Htp,
    /// Hex: `first`, a move, `change`, `finish`; one line a turn
    Line,
    /// Gomoku or Hex: Botzone's JSON, one line a turn
    Botzone,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let game = games::by_name(match args.protocol {
        Protocol::Gomocup => "gomoku",
        Protocol::Htp | Protocol::Line => "hex",
        Protocol::Botzone => &args.game,
    })?;
    let (info, options) = (games::info(game, &args.search.engine)?, args.search.options()?);
    let engine = match &args.network {
        None => (info.make)(&options)?,
        Some(path) => games::with_network(game, info, &options, path)?,
    };
    let name = engine.name().to_string();
    let time = if matches!(args.protocol, Protocol::Botzone) { BOTZONE_TIME } else { DEFAULT_TIME };
    let limits = args.search.limits(Some(time));
    let version = env!("CARGO_PKG_VERSION");
    let (rows, cols) = args.size.unwrap_or(game.default_size());
    let mut frontend: Box<dyn Frontend> = match args.protocol {
        Protocol::Gomocup => Box::new(GomocupFrontend::new(game, &name, version, limits)),
        Protocol::Htp => Box::new(HtpFrontend::new(game, &name, version, limits)?),
        Protocol::Line => Box::new(LineFrontend::new(game, rows, cols, limits)?),
        Protocol::Botzone => Box::new(BotzoneFrontend::new(game, rows, cols, limits, args.keep_running)?),
    };
    let served = arena::frontend::serve(
        &mut *frontend,
        engine,
        BufReader::new(std::io::stdin()),
        &mut std::io::stdout(),
        &|| output_is_closed(std::io::stdout()),
    );
    match served {
        // The client has gone: nobody is left to tell.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// The command line, with `engine gomocup` put in where the program is called `pbrain-tengen…`.
pub(crate) fn arguments(given: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = given.into_iter().collect();
    let name = words.first().and_then(|program| Path::new(program).file_name());
    if name.is_some_and(|name| name.to_string_lossy().to_ascii_lowercase().starts_with(GOMOCUP_NAME)) {
        words.splice(1..1, ["engine".into(), "gomocup".into()]);
    }
    words
}

fn parse_size(text: &str) -> Result<(u8, u8), String> {
    let bad = || format!("'{text}' is not a size; accepted: N or ROWSxCOLUMNS, such as 11 or 9x11");
    let (rows, cols) = text.split_once('x').unwrap_or((text, text));
    Ok((rows.parse().map_err(|_| bad())?, cols.parse().map_err(|_| bad())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_name_chooses_the_protocol() {
        let words = |given: &[&str]| {
            let words = arguments(given.iter().map(OsString::from));
            words.into_iter().map(|word| word.into_string().unwrap()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(words(&["/opt/pbrain-tengen"]), "/opt/pbrain-tengen engine gomocup");
        assert_eq!(
            words(&["PBRAIN-Tengen-64.exe", "--threads", "2"]),
            "PBRAIN-Tengen-64.exe engine gomocup --threads 2"
        );
        assert_eq!(words(&["tengen", "engine", "htp"]), "tengen engine htp");
        assert_eq!(words(&[]), "");
    }

    #[test]
    fn sizes_are_one_or_two_numbers() {
        assert_eq!(parse_size("11"), Ok((11, 11)));
        assert_eq!(parse_size("9x11"), Ok((9, 11)));
        assert!(parse_size("9x").is_err() && parse_size("900").is_err() && parse_size("").is_err());
    }
}
