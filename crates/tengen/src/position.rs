//! POSITION arguments: a file, `-` for standard input, a move string, or `empty`.

use crate::games;
use crate::usage::usage;
use anyhow::{Context, bail};
use game::{Game, Position, Setup, Side};
use std::io::Read;
use std::path::Path;

/// A position file larger than this is a mistake.
const MAX_BYTES: u64 = 16 << 20;

/// What a position argument leaves open.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct BoardArgs {
    /// Board size: N, or ROWSxCOLS where the game allows it [default: gomoku 15, hex 11]
    #[arg(long, value_parser = parse_size)]
    pub(crate) size: Option<(u8, u8)>,
    /// Rule variant (gomoku: freestyle, standard, renju, caro) [default: the first]
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) rule: String,
    /// Opening protocol (gomoku: free, swap, swap2, pro, long-pro, rif, yamaguchi, soosorv-8, taraguchi-10; hex: none, swap-pieces, swap-sides) [default: the first]
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) opening: String,
    /// Side to move, where the stones alone do not say
    #[arg(long, value_parser = parse_side)]
    pub(crate) to_move: Option<Side>,
}

impl BoardArgs {
    /// The set-up of an empty board with these choices; what is wrong with them is wrong with the call.
    pub(crate) fn setup(&self, game: &dyn Game) -> anyhow::Result<Setup> {
        let (rows, cols) = self.size.unwrap_or(game.default_size());
        let empty =
            Setup { rule: self.rule.clone(), opening: self.opening.clone(), ..Setup::empty(rows, cols) };
        if let Err(error) = game.position(&empty) {
            usage!("{error}");
        }
        Ok(Setup { to_move: self.to_move, ..empty })
    }
}

/// Reads a game's name and a position of it.
pub(crate) fn read(
    game: &str,
    position: &str,
    board: &BoardArgs,
) -> anyhow::Result<(&'static dyn Game, Box<dyn Position>)> {
    let game = games::by_name(game)?;
    let setup = board.setup(game)?;
    if position == "empty" {
        return Ok((game, game.position(&setup)?));
    }
    let (name, text) = read_text(position)?;
    let position = parse(game, &text, &setup).with_context(|| name)?;
    Ok((game, position))
}

/// Reads a position in any notation of the game; no text at all is an error, not the empty board.
pub(crate) fn parse(game: &dyn Game, text: &str, setup: &Setup) -> anyhow::Result<Box<dyn Position>> {
    if text.trim().is_empty() {
        bail!("there is no position; accepted: a grid, a move string, SGF, JSON, or `empty`");
    }
    Ok(game::read_for_side(setup, |setup| game.parse(text, setup), |position| &**position)?)
}

/// The text behind a POSITION argument, with a name for messages.
pub(crate) fn read_text(argument: &str) -> anyhow::Result<(String, String)> {
    let path = Path::new(argument);
    if argument == "-" {
        return Ok(("standard input".into(), read_file(path)?));
    }
    if path.exists() {
        return Ok((argument.to_string(), read_file(path)?));
    }
    // What looks like a file but is not there should not be explained as a bad move string.
    let like_a_path = argument.contains(['/', '\\']) || path.extension().is_some();
    if like_a_path && !argument.trim_start().starts_with(['(', '{', '[']) && !argument.contains("://") {
        bail!("{argument}: no such file");
    }
    Ok((format!("position '{argument}'"), argument.to_string()))
}

/// A text file, or standard input for `-`; refused if it is too large or not text.
pub(crate) fn read_file(path: &Path) -> anyhow::Result<String> {
    let (name, bytes) = if path == Path::new("-") {
        ("standard input".into(), read_bytes(std::io::stdin()))
    } else {
        (path.display().to_string(), std::fs::File::open(path).and_then(read_bytes))
    };
    let bytes = bytes.with_context(|| name.clone())?;
    decode(&name, bytes)
}

fn read_bytes(source: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn decode(name: &str, bytes: Vec<u8>) -> anyhow::Result<String> {
    if bytes.len() as u64 > MAX_BYTES {
        bail!("{name}: larger than {} MiB", MAX_BYTES >> 20);
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            bail!("{name}: byte {at} is not UTF-8 text; accepted: grid, move string, SGF, JSON")
        }
    }
}

fn parse_size(text: &str) -> Result<(u8, u8), String> {
    let bad = || format!("'{text}' is not a size; accepted: N or ROWSxCOLS, such as 15 or 9x11");
    let one = |word: &str| word.parse::<u8>().map_err(|_| bad());
    match text.split_once(['x', 'X']) {
        Some((rows, cols)) => Ok((one(rows)?, one(cols)?)),
        None => one(text).map(|n| (n, n)),
    }
}

pub(crate) fn parse_side(text: &str) -> Result<Side, String> {
    Side::parse(text).ok_or_else(|| format!("'{text}' is not a side; accepted: black, white"))
}
