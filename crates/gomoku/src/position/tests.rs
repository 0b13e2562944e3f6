use super::*;
use crate::notation;
use ::game::Position as _;
use proptest::prelude::*;

fn setup(rule: &str, opening: &str, size: u8) -> Setup {
    Setup { rule: rule.into(), opening: opening.into(), ..Setup::empty(size, size) }
}

fn play(rule: &str, opening: &str, moves: &str) -> Position {
    notation::parse(moves, &setup(rule, opening, 15)).unwrap_or_else(|error| panic!("{moves}: {error}"))
}

#[test]
fn five_ends_the_game_at_once() {
    let mut position = play("freestyle", "", "h8a1i8a2j8a3k8a4l8");
    let Some(Outcome::Win { side, cells, reason }) = position.outcome() else { panic!("not over") };
    assert_eq!((side, cells.len(), reason), (Side::Black, 5, EndReason::Five));
    assert_eq!(position.play(Cell::new(0, 0).into()), Err(IllegalMove::GameOver));
    assert!(position.legal_moves().is_empty());
    assert!(position.undo().is_some() && position.outcome().is_none());
}

#[test]
fn six_wins_only_where_it_may() {
    // Black fills the gap of h8i8j8.l8m8.
    let line = "h8a1i8a3j8a5l8a7m8a9k8";
    let winner = |rule: &str, moves: &str| {
        notation::parse(moves, &setup(rule, "", 15)).map(|p| p.outcome().and_then(|o| o.winner()))
    };
    assert_eq!(winner("freestyle", line), Ok(Some(Side::Black)));
    let six = "h8a1i8a3j8a5l8a7m8a9g8c3";
    assert_eq!(winner("standard", &format!("{six}k8")), Ok(None));
    assert_eq!(winner("caro", &format!("{six}k8")), Ok(None));
    let error = winner("renju", &format!("{six}k8")).unwrap_err();
    assert!(error.message.contains("overline"), "{error}");
    // White may make six under Renju.
    let white = notation::parse(&format!("a15{six}k8"), &setup("renju", "", 15)).unwrap();
    assert_eq!(white.outcome().and_then(|o| o.winner()), Some(Side::White));
}

#[test]
fn caro_needs_an_open_end() {
    let both_closed = play("caro", "", "h8g8i8m8j8a1k8a3l8");
    assert_eq!(both_closed.outcome(), None);
    let one_open = play("caro", "", "h8g8i8a5j8a1k8a3l8");
    assert_eq!(one_open.outcome().and_then(|o| o.winner()), Some(Side::Black));
}

#[test]
fn a_five_is_never_forbidden() {
    // The last move makes five in a row and six in a column at once.
    let mut position = Position::from_setup(&Setup {
        stones: ["d8", "e8", "f8", "g8", "h9", "h10", "h11", "h7", "h6"]
            .map(|name| (Side::Black, crate::notation::points::parse_point(name, 15).unwrap()))
            .to_vec(),
        to_move: Some(Side::Black),
        ..setup("renju", "", 15)
    })
    .unwrap();
    assert_eq!(position.play(position.parse_move("h8").unwrap()), Ok(()));
    assert_eq!(position.outcome().and_then(|o| o.winner()), Some(Side::Black));
}

#[test]
fn black_with_forbidden_points_only_draws() {
    // d7 would make six; White fills the last other point.
    let rows = ["XXX.XXO", "OOXOOXX", "XXOXXOO", "OOXOOXX", "XXOXXOO", "OOXOOXX", "XXOXXO."].join("\n");
    let defaults = Setup { to_move: Some(Side::White), ..setup("renju", "", 7) };
    let mut position = notation::parse(&rows, &defaults).unwrap();
    assert_eq!(position.outcome(), None);
    position.play(position.parse_move("g1").unwrap()).unwrap();
    assert_eq!(position.outcome(), Some(Outcome::Draw));
    assert!(position.legal_moves().is_empty());
    position.undo();
    assert_eq!(position.forbidden_to_black(), [(Point::new(0, 3), Forbidden::Overline)]);
}

#[test]
fn a_full_board_is_a_draw() {
    let rows = ["XXOOX", "OOXXO", "XXOOX", "OOXXO", "XXOO."].join("\n");
    let mut position = notation::parse(&rows, &setup("freestyle", "", 5)).unwrap();
    let mv = position.legal_moves();
    assert_eq!(mv.len(), 1);
    position.play(mv[0]).unwrap();
    assert_eq!(position.outcome(), Some(Outcome::Draw));
}

#[test]
fn swap_exchanges_colours_not_seats() {
    let mut position = play("freestyle", "swap", "h8i9");
    assert_eq!((position.turn(), position.to_move()), (Seat::First, Side::Black));
    assert!(position.play(Move::Swap).is_err());
    position.play(position.parse_move("j10").unwrap()).unwrap();
    assert_eq!((position.turn(), position.to_move()), (Seat::Second, Side::White));
    assert!(position.play(Move::Extend).is_err());
    let stay = {
        let mut stay = position.clone();
        stay.play(stay.parse_move("a1").unwrap()).unwrap();
        stay
    };
    assert_eq!((stay.turn(), stay.colour_of(Seat::Second)), (Seat::First, Side::White));
    position.play(Move::Swap).unwrap();
    assert_eq!((position.turn(), position.colour_of(Seat::First)), (Seat::First, Side::White));
    assert!(position.play(Move::Swap).is_err());
    assert_eq!(position.undo(), Some(Move::Swap));
    assert_eq!((position.turn(), position.colour_of(Seat::First)), (Seat::Second, Side::Black));
}

#[test]
fn swap2_may_be_extended() {
    let mut position = play("standard", "swap2", "h8i9j10");
    position.play(Move::Extend).unwrap();
    for (name, side) in [("a1", Side::White), ("b2", Side::Black)] {
        assert_eq!((position.turn(), position.to_move()), (Seat::Second, side));
        position.play(position.parse_move(name).unwrap()).unwrap();
    }
    assert_eq!((position.turn(), position.to_move()), (Seat::First, Side::White));
    assert_eq!(position.colour_of(Seat::First), Side::White);
    assert!(position.play(Move::Extend).is_err());
    position.play(Move::Swap).unwrap();
    assert_eq!((position.turn(), position.colour_of(Seat::Second)), (Seat::Second, Side::White));
    let again = notation::parse(&notation::moves::write(&position), position.setup()).unwrap();
    assert_eq!(again.hash(), position.hash());
}

#[test]
fn set_ups_that_contradict_themselves_are_refused() {
    let at = |name: &str| crate::notation::points::parse_point(name, 15).unwrap();
    let row = |side, row: &str| ["a", "b", "c", "d", "e"].map(|c| (side, at(&format!("{c}{row}")))).to_vec();
    let refused = |change: &dyn Fn(&mut Setup), word: &str| {
        let mut setup = setup("freestyle", "", 15);
        change(&mut setup);
        let error = Position::from_setup(&setup).err().unwrap_or_else(|| panic!("accepted: {word}"));
        assert!(error.to_string().contains(word), "{error}");
    };
    refused(&|s| s.stones = vec![(Side::Black, at("h8")), (Side::White, at("h8"))], "two stones on h8");
    refused(&|s| s.stones = vec![(Side::Black, Cell::new(15, 0))], "off the 15x15 board");
    refused(&|s| s.stones = [row(Side::Black, "1"), row(Side::White, "3")].concat(), "both sides");
    refused(&|s| s.stones = row(Side::White, "3")[..2].to_vec(), "whose turn");
    refused(&|s| s.rows = 4, "5 to 22");
    refused(&|s| (s.rows, s.cols) = (23, 23), "5 to 22");
    refused(&|s| s.rule = "chess".into(), "unknown rule");
    refused(&|s| s.opening = "swap9".into(), "unknown opening");
    refused(
        &|s| {
            s.opening = "swap".into();
            s.to_move = Some(Side::White);
        },
        "alternate",
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn play_and_undo_restore_everything(
        rule in 0..4usize,
        opening in 0..Opening::NAMES.len(),
        size in Rule::MIN_SIZE..=Rule::MAX_SIZE,
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..80),
    ) {
        let opening = Opening::NAMES[opening];
        // Openings around the centre want an odd board of nine or more.
        let centred = !["free", "swap", "swap2"].contains(&opening);
        let size = if centred { size.max(9) | 1 } else { size }.min(if centred { 21 } else { Rule::MAX_SIZE });
        let setup = setup(Rule::NAMES[rule], opening, size);
        let mut position = Position::from_setup(&setup).unwrap();
        let mut seen = Vec::new();
        for pick in picks {
            let moves = position.legal_moves();
            if moves.is_empty() {
                prop_assert!(position.outcome().is_some());
                break;
            }
            let mv = *pick.get(&moves);
            seen.push((position.hash(), position.turn(), position.to_move(), position.canonical_hash()));
            prop_assert_eq!(position.parse_move(&position.format_move(mv)), Ok(mv));
            prop_assert!(position.play(mv).is_ok());
        }
        while let Some(before) = seen.pop() {
            prop_assert!(position.undo().is_some());
            let now = (position.hash(), position.turn(), position.to_move(), position.canonical_hash());
            prop_assert_eq!(before, now);
        }
        prop_assert_eq!(position.undo(), None);
    }
}
