//! POSITION arguments: a file, `-` for standard input, a move string, or `empty`.

use crate::games;
use anyhow::{Context, bail};
use game::{Game, Position, Setup, Side};
use std::io::Read;
use std::path::Path;

/// A position file larger than this is a mistake.
const MAX_BYTES: u64 = 16 << 20;

/// What a position argument leaves open.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct BoardArgs {
    /// Board size: N, or ROWSxCOLS where the game allows it
    #[arg(long, value_parser = parse_size)]
    pub(crate) size: Option<(u8, u8)>,
    /// Rule variant (gomoku: freestyle, standard, renju, caro)
    #[arg(long, default_value = "")]
    pub(crate) rule: String,
    /// Opening protocol (gomoku: free, swap, swap2; hex: none, swap-pieces, swap-sides)
    #[arg(long, default_value = "")]
    pub(crate) opening: String,
    /// Side to move, where the text does not say
    #[arg(long, value_parser = parse_side)]
    pub(crate) to_move: Option<Side>,
}

impl BoardArgs {
    /// The set-up of an empty board with these choices.
    pub(crate) fn setup(&self, game: &dyn Game) -> Setup {
        let (rows, cols) = self.size.unwrap_or(game.default_size());
        Setup {
            rule: self.rule.clone(),
            opening: self.opening.clone(),
            to_move: self.to_move,
            ..Setup::empty(rows, cols)
        }
    }
}

/// Reads a game's name and a position of it.
pub(crate) fn read(
    game: &str,
    position: &str,
    board: &BoardArgs,
) -> anyhow::Result<(&'static dyn Game, Box<dyn Position>)> {
    let game = games::by_name(game)?;
    let setup = board.setup(game);
    if position == "empty" {
        return Ok((game, game.position(&setup)?));
    }
    let (name, text) = read_text(position)?;
    let position = game.parse(&text, &setup).with_context(|| name)?;
    Ok((game, position))
}

/// The text behind a POSITION argument, with a name for messages.
pub(crate) fn read_text(argument: &str) -> anyhow::Result<(String, String)> {
    if argument == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().take(MAX_BYTES + 1).read_to_end(&mut bytes).context("standard input")?;
        return Ok(("standard input".into(), decode("standard input", bytes)?));
    }
    let path = Path::new(argument);
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

/// A text file, refused if it is too large or not text.
pub(crate) fn read_file(path: &Path) -> anyhow::Result<String> {
    let name = path.display().to_string();
    let file = std::fs::File::open(path).with_context(|| name.clone())?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).with_context(|| name.clone())?;
    decode(&name, bytes)
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
