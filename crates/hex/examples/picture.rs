//! Writes a position as SVG: `cargo run -p tengen-hex --example picture -- "a2f6" flat out.svg`.

use game::{Game, Picture, Setup};
use std::io::{Error, Write};

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let position = hex::HEX.parse(word(0), &Setup::empty(11, 11)).map_err(Error::other)?;
    let picture = Picture { orientation: word(1).into(), numbers: true, ..Picture::default() };
    std::fs::write(word(2), hex::HEX.draw_svg(&*position, &picture))?;
    std::io::stdout().write_all(hex::HEX.draw_text(&*position, &picture, true).as_bytes())
}
