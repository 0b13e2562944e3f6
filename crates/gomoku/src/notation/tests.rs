use super::*;
use crate::Rule;
use ::game::testing::shared_data;
use ::game::{Position as _, Record, Side};
use proptest::prelude::*;

fn defaults() -> Setup {
    Setup::empty(15, 15)
}

/// Same board, side, rule and size.
fn assert_same(a: &Position, b: &Position) {
    assert_eq!(a.hash(), b.hash(), "{}\n{}", grid::write(a), grid::write(b));
}

#[test]
fn points_read_as_they_are_written() {
    for size in Rule::MIN_SIZE..=Rule::MAX_SIZE {
        for row in 0..size {
            for col in 0..size {
                let cell = ::game::Cell::new(row, col);
                assert_eq!(points::parse_point(&points::format_point(cell, size), size), Ok(cell));
            }
        }
    }
    assert_eq!(points::parse_point("h8", 15), Ok(::game::Cell::new(7, 7)));
    assert_eq!(points::parse_point("a1", 15), Ok(::game::Cell::new(14, 0)));
    for text in ["", "h", "8", "88", "h8x", "h0", "p1", "a16", "é8", "h99999999999", "h-1", "h+1"] {
        assert!(points::parse_point(text, 15).is_err(), "{text}");
    }
}

#[test]
fn broken_texts_name_place_and_cure() {
    for (text, place, word) in [
        ("h8h8", (1, 3), "occupied"),
        ("h8 z9", (1, 4), "off the board"),
        ("hello", (1, 1), "accepted"),
        ("h8\ni9 ?", (2, 4), "accepted"),
        (".....\n.....\n..X..\n....\n.....", (4, 1), "4 cells"),
        (".....\n.....\n..?..\n.....\n.....", (3, 3), "accepted"),
        ("...\n...\n...", (1, 1), "5 to 22"),
        ("XX...\n.....\n.....\n.....\n.....", (1, 1), "whose turn"),
        ("{\"black\":[\"H8\"],\"white\":[\"H8\"]}", (1, 11), "two stones"),
        ("{\"black\":[\"Z8\"]}", (1, 11), "points a1 to o15"),
        ("{\"black\":[\"H8\"", (1, 14), "accepted"),
        ("{\"side\":\"red\",\"black\":[]}", (1, 9), "black, white"),
        ("{\"size\":4,\"black\":[]}", (1, 1), "5 to 22"),
        ("{}", (1, 1), "accepted: {\"side\""),
        ("{\"size\":15,\"rule\":\"renju\"}", (1, 1), "without a position"),
        ("{\"blak\":[\"H8\"]}", (1, 7), "`black`"),
        ("{\"side\":\"white\",\"moves\":\"h8i9\"}", (1, 25), "black is to move"),
        ("{\"position\":\"{}\"}", (1, 1), "another notation"),
        ("(;GM[1]SZ[19];B[aa])", (1, 3), "GM[4]"),
        ("(;GM[4]SZ[x])", (1, 8), "SZ[15]"),
        ("(;GM[4]SZ[15];B[h8];W[h8])", (1, 21), "occupied"),
        ("(;GM[4]SZ[15]AB[h8]AW[h8])", (1, 20), "two stones"),
        ("(;GM[4]SZ[15];B[z9])", (1, 15), "accepted"),
        ("0,0, 0,0", (1, 6), "two stones"),
        ("0,0, 9,0", (1, 6), "off the"),
        ("0,0, 1", (1, 6), "without"),
        ("Piskvorky axb", (1, 1), "psq"),
        ("Piskvorky 15x20, 1", (1, 1), "square"),
        ("Piskvorky 15x15, 11:11, 0\n1,1,0\n16,1,0", (3, 1), "off the board"),
    ] {
        let error = parse(text, &defaults()).err().unwrap_or_else(|| panic!("accepted: {text}"));
        assert_eq!((error.line, error.column), place, "{text}: {error}");
        assert!(error.message.contains(word), "{text}: {error}");
    }
}

#[test]
fn sgf_main_line_keeps_the_set_up() {
    let text =
        "(;GM[4]SZ[15]RU[Renju]AB[h8][hf]AW[i9]C[start]PL[W];W[j10]C[a\\]b](;B[k11];W[a1])(;B[l12]C[else]))";
    let main = parse(text, &defaults()).unwrap();
    assert_eq!((main.history().len(), main.setup().rule.as_str()), (3, "renju"));
    assert_same(&parse(&sgf::write(&main), &defaults()).unwrap(), &main);
}

#[test]
fn sgf_takes_what_other_programs_write() {
    let go_style = parse("(;FF[4]GM[4]SZ[15];B[hh];W[ig])", &defaults()).unwrap();
    assert_eq!(moves::write(&go_style), "h8i9");
    assert!(sgf::write(&go_style).contains(";B[hh];W[ig])"), "{}", sgf::write(&go_style));
    let size = parse("(;GM[4]SZ[20:20];B[t20])", &defaults()).unwrap();
    assert_eq!(size.size(), 20);
    let passes = parse("(;GM[4]SZ[15];B[h8];W[];B[i8])", &defaults()).unwrap();
    assert_eq!((passes.board().stones(), passes.to_move()), (2, Side::White));
    let white_first = parse("(;GM[4]SZ[15];W[h8];B[i8])", &defaults()).unwrap();
    assert_eq!(white_first.at(::game::Cell::new(7, 7)), Some(Side::White));
    let later = parse("(;GM[4]SZ[15];B[h8];W[i9];AE[h8]AB[a1:c1];W[b2])", &defaults()).unwrap();
    assert_eq!(later.board().stones(), 5);
}

#[test]
fn openings_come_one_a_line() {
    let text = "# two openings\n\n0,0, 1,-1, 2,0\nh8i9\n{\"black\":[\"H8\"]}\nempty\n";
    let openings = parse_openings(text, &defaults()).unwrap();
    assert_eq!(openings.iter().map(|p| p.board().stones()).collect::<Vec<_>>(), [3, 2, 1, 0]);
    let error = parse_openings("0,0, 1,-1\n  0,0, x\n", &defaults()).unwrap_err();
    assert_eq!((error.line, error.column), (2, 8), "{error}");
}

#[test]
fn gomocup_openings_are_read() {
    let boards = [("openings_freestyle15.txt", "", 36), ("openings_swap2.txt", "swap2", 40)];
    for ((file, opening, count), size) in boards.into_iter().zip([15, 20]) {
        let Some(path) = shared_data(&format!("gomoku/{file}")) else { return };
        let text = std::fs::read_to_string(path).unwrap();
        let setup = Setup { opening: opening.into(), ..Setup::empty(size, size) };
        let openings = parse_openings(&text, &setup).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(openings.len() >= count, "{file}: {}", openings.len());
        for position in &openings {
            let again = parse(&offsets::write(position).unwrap(), &setup).unwrap();
            assert_same(&again, position);
        }
    }
}

#[test]
fn levels_are_read() {
    for level in 1..=20 {
        let Some(path) = shared_data(&format!("levels/{level:02}.txt")) else { return };
        let text = std::fs::read_to_string(path).unwrap();
        let position = parse(&text, &defaults()).unwrap();
        assert_eq!((position.size(), position.to_move()), (15, Side::Black), "{level}");
        assert_eq!(grid::write(&position).trim(), text.replace('\r', "").trim());
    }
}

/// The labels of two independent programs, kinds included; and no trouble with the unlabelled twin.
#[test]
fn forbidden_points_match_the_labels() {
    let renju = Setup { rule: "renju".into(), to_move: Some(Side::Black), ..defaults() };
    let Some(path) = shared_data("gomoku/forbidden_renju.jsonl") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let mut wrong = Vec::new();
    for (number, position) in json::read_lines(&text, &renju) {
        let position = position.unwrap();
        let line: serde_json::Value = serde_json::from_str(text.lines().nth(number - 1).unwrap()).unwrap();
        let labels = line["forbidden"].as_object().unwrap();
        let mut expected: Vec<(String, String)> = labels
            .iter()
            .map(|(point, kind)| {
                let kind = match kind.as_str().unwrap() {
                    "DoubleThree" => "double-three",
                    "DoubleFour" => "double-four",
                    "Overline" => "overline",
                    other => panic!("{other}"),
                };
                (point.to_lowercase(), kind.to_string())
            })
            .collect();
        expected.sort();
        let mut found: Vec<(String, String)> = position
            .forbidden()
            .into_iter()
            .map(|(cell, kind)| (points::format_point(cell, 15), kind.to_string()))
            .collect();
        found.sort();
        if found != expected {
            wrong.push(format!("line {number}: found {found:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let Some(path) = shared_data("gomoku/forbidden_renju_blind.jsonl") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    assert!(
        json::read_lines(&text, &renju).all(|(_, position)| position.is_ok_and(|p| p.forbidden().len() < 30))
    );
}

fn any_game() -> impl Strategy<Value = Position> {
    let picks = prop::collection::vec(any::<prop::sample::Index>(), 0..50);
    (0..4usize, 0..3usize, Rule::MIN_SIZE..=Rule::MAX_SIZE, picks).prop_map(|(rule, opening, size, picks)| {
        let setup = Setup {
            rule: Rule::NAMES[rule].into(),
            opening: crate::Opening::NAMES[opening].into(),
            ..Setup::empty(size, size)
        };
        let mut position = Position::from_setup(&setup).unwrap();
        for pick in picks {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(*pick.get(&moves)).unwrap();
        }
        position
    })
}

fn record_of(position: &Position) -> Record {
    Record {
        setup: position.setup().clone(),
        moves: position.history().iter().map(|mv| (*mv, Default::default())).collect(),
        first: "one".into(),
        second: "two [x]".into(),
        result: "B+".into(),
        reason: "five".into(),
        date: "2026-01-01".into(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_is_written_reads_the_same(position in any_game()) {
        let setup = position.setup();
        assert_same(&parse(&sgf::write(&position), &defaults()).unwrap(), &position);
        assert_same(&parse(&sgf::write_record(&record_of(&position)), &defaults()).unwrap(), &position);
        if !position.history().is_empty() {
            assert_same(&parse(&moves::write(&position), setup).unwrap(), &position);
        }
        // The rest hold the board only, not the state of an opening protocol.
        let free = Setup { opening: String::new(), to_move: Some(position.to_move()), ..setup.clone() };
        let board = grid::write(&position);
        let flat = parse(&board, &free).unwrap();
        prop_assert_eq!(grid::write(&flat), board.clone());
        assert_same(&parse(&json::write(&position), &defaults()).unwrap(), &flat);
        let from_start = Setup { to_move: None, ..free };
        let psq = parse(&psq::write(&record_of(&position)), &from_start).unwrap();
        prop_assert_eq!(grid::write(&psq), board.clone());
        if let Some(text) = offsets::write(&position).filter(|text| !text.is_empty()) {
            prop_assert_eq!(grid::write(&parse(&text, &from_start).unwrap()), board);
        }
    }

    #[test]
    fn no_text_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = parse(&text, &defaults());
        let _ = parse_openings(&text, &defaults());
    }

    #[test]
    fn no_likely_text_panics(
        head in prop::sample::select(vec!["", "(;GM[4]", "{\"black\":[", "Piskvorky 15x15, 0\n", "0,0,", "X.O\n"]),
        tail in "[a-z0-9.,XO\\[\\]\\(\\);:ABWEPLSZ\"{} \n-]{0,80}",
    ) {
        let text = format!("{head}{tail}");
        let _ = parse(&text, &defaults());
        let _ = parse_openings(&text, &defaults());
    }
}
