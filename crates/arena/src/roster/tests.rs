//! `engines.toml`, good and broken.

use super::*;

fn parse(text: &str) -> Result<Roster, RosterError> {
    Roster::parse(Path::new("engines.toml"), text)
}

#[test]
fn a_whole_entry() {
    let roster = parse(
        "[[engine]]\nname = 'rapfi'\ngame = 'gomoku'\nprotocol = 'gomocup'\ncommand = './rapfi'\nargs = ['-x']\n\
         dir = 'brains'\nenv = { A = 'b' }\ninit = ['INFO hash_size 64']\noptions = { thread_num = 1 }\n",
    )
    .unwrap();
    assert_eq!(roster.engine[0].protocol, Some(Protocol::Gomocup));
    assert_eq!(plain(&roster.engine[0].options["thread_num"]), "1");
}

#[test]
fn broken_files_name_the_place() {
    for (text, word) in [
        ("[[engine]\n", "line 1"),
        ("[[engine]]\nname = 'x'\ncolour = 'red'\n", "colour"),
        ("[[engine]]\nname = 'x'\ncommand = 'a'\nprotocol = 'uci'\n", "uci"),
        ("[[engine]]\nname = 'x'\n", "'command' or 'builtin'"),
        ("[[engine]]\nname = 'x'\ncommand = 'a'\nbuiltin = 'b'\n", "both"),
        ("[[engine]]\nname='x'\ncommand='a'\n[[engine]]\nname='x'\ncommand='a'\n", "another"),
        ("[[engine]]\ncommand = 'a'\n", "name"),
    ] {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.starts_with("engines.toml: ") && error.contains(word), "{text:?}: {error}");
    }
}

#[test]
fn a_program_is_shown_by_its_file_name() {
    assert_eq!(short_name("htp:/usr/bin/mohex --seed 3"), "mohex --seed 3");
}
