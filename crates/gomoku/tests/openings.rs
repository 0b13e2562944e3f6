//! The opening protocols played through: by hand, at random, and by the engines.

use game::{
    EngineInfo, Game, Limits, Move, MoveNote, Options, Position, Record, Seat, Setup, Side, StopFlag, Watch,
};
use gomoku::{GOMOKU, Opening};
use proptest::prelude::*;
use search::rng::Rng;

fn start(opening: &str) -> Box<dyn Position> {
    let setup = Setup { rule: "renju".into(), opening: opening.into(), ..Setup::empty(15, 15) };
    GOMOKU.position(&setup).unwrap()
}

fn play(position: &mut dyn Position, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = position.parse_move(text).unwrap();
        position.play(mv).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

fn refused(position: &dyn Position, text: &str) -> String {
    position.parse_move(text).and_then(|mv| position.legal(mv)).unwrap_err().to_string()
}

#[test]
fn pro_keeps_blacks_second_stone_away_from_the_centre() {
    for (opening, near, far) in [("pro", "j10", "k8"), ("long-pro", "k8", "l8")] {
        let mut game = start(opening);
        assert!(refused(&*game, "a1").contains("in the centre"));
        play(&mut *game, "h8 h9");
        assert!(refused(&*game, near).contains("outside the central"), "{opening}");
        play(&mut *game, far);
        assert_eq!((game.turn(), game.opening_step()), (Seat::Second, None));
    }
}

#[test]
fn rif_has_two_fifth_moves_offered() {
    let mut game = start("rif");
    play(&mut *game, "h8");
    assert!(refused(&*game, "h10").contains("3x3"));
    play(&mut *game, "h9");
    assert!(refused(&*game, "l8").contains("5x5"));
    play(&mut *game, "j9");
    assert_eq!((game.turn(), game.to_move()), (Seat::Second, Side::White));
    play(&mut *game, "swap");
    // The first player holds White now and puts the fourth stone anywhere.
    assert_eq!((game.turn(), game.colour_of(Seat::First)), (Seat::First, Side::White));
    play(&mut *game, "a1");
    assert_eq!((game.turn(), game.opening_step().unwrap().offers_left), (Seat::Second, 2));
    play(&mut *game, "c3");
    assert!(refused(&*game, "c3").contains("offered already"));
    assert!(game.history().last().unwrap().cell().is_none(), "an offer puts no stone");
    play(&mut *game, "(d4)");
    assert_eq!((game.turn(), game.to_move()), (Seat::First, Side::Black));
    assert!(refused(&*game, "e5").contains("accepted: c3, d4"));
    assert_eq!(game.opening_step().unwrap().cells.unwrap().len(), 2);
    play(&mut *game, "d4");
    assert_eq!((game.turn(), game.to_move(), game.opening_step()), (Seat::First, Side::White, None));
    play(&mut *game, "e5");
    assert_eq!((game.turn(), game.to_move()), (Seat::Second, Side::Black));
}

#[test]
fn offers_that_are_mirror_images_are_refused() {
    let mut game = start("rif");
    // All stones on one column: left and right are the same.
    play(&mut *game, "h8 h9 h10 h7 g6");
    assert!(refused(&*game, "i6").contains("same position as g6"));
    play(&mut *game, "j6");
}

#[test]
fn yamaguchi_declares_before_the_swap_and_soosorv_after_the_fourth() {
    let mut game = start("yamaguchi");
    play(&mut *game, "h8 i9 j8");
    assert_eq!((game.turn(), game.opening_step().unwrap().declare_up_to), (Seat::First, 12));
    assert!(refused(&*game, "a1").contains("declare1 to declare12"));
    assert!(refused(&*game, "declare13").contains("declare12"));
    play(&mut *game, "declare3");
    assert_eq!(game.turn(), Seat::Second);
    play(&mut *game, "g8 a1 b2 c3");
    assert_eq!((game.turn(), game.to_move()), (Seat::Second, Side::Black));
    play(&mut *game, "b2 d9");
    assert_eq!(game.turn(), Seat::First);

    let mut game = start("soosorv-8");
    play(&mut *game, "h8 i9 j8 swap g8");
    assert_eq!((game.turn(), game.opening_step().unwrap().declare_up_to), (Seat::First, 8));
    play(&mut *game, "declare1");
    // The opponent offers as Black, or takes White.
    assert_eq!((game.turn(), game.opening_step().unwrap().offers_left), (Seat::Second, 1));
    play(&mut *game, "swap");
    assert_eq!((game.turn(), game.colour_of(Seat::First)), (Seat::First, Side::Black));
    play(&mut *game, "a1");
    assert_eq!((game.turn(), game.to_move()), (Seat::Second, Side::Black));
    play(&mut *game, "a1 b2");
    assert_eq!((game.turn(), game.to_move()), (Seat::First, Side::Black));
}

#[test]
fn taraguchi_swaps_after_every_stone_or_offers_ten() {
    let mut game = start("taraguchi-10");
    play(&mut *game, "h8 swap");
    assert_eq!((game.turn(), game.colour_of(Seat::First)), (Seat::First, Side::White));
    play(&mut *game, "h9");
    assert_eq!((game.turn(), game.to_move()), (Seat::Second, Side::Black));
    assert!(refused(&*game, "l8").contains("5x5"));
    play(&mut *game, "j9");
    assert_eq!(game.turn(), Seat::First);
    assert!(refused(&*game, "extend").contains("taraguchi-10"));
    assert!(refused(&*game, "l8").contains("7x7"));
    play(&mut *game, "k8");
    let mut ten = game.boxed();
    assert!(refused(&*game, "m8").contains("9x9"));
    play(&mut *game, "l8 swap a1");
    assert_eq!((game.turn(), game.to_move(), game.opening_step()), (Seat::First, Side::Black, None));

    play(&mut *ten, "extend a1 a2 a3 a4 a5 a6 a7 b1 b2 o15");
    assert_eq!((ten.turn(), ten.to_move()), (Seat::First, Side::Black));
    play(&mut *ten, "o15 o14");
    assert_eq!((ten.turn(), ten.to_move(), ten.opening_step()), (Seat::Second, Side::Black, None));
}

#[test]
fn boards_without_a_centre_and_half_open_set_ups_are_refused() {
    let setup = |opening: &str, size| Setup { opening: opening.into(), ..Setup::empty(size, size) };
    let error =
        |setup: &Setup| GOMOKU.position(setup).err().map(|error| error.to_string()).unwrap_or_default();
    for opening in ["pro", "long-pro", "rif", "yamaguchi", "soosorv-8", "taraguchi-10"] {
        for size in [7, 14] {
            assert!(error(&setup(opening, size)).contains("odd sizes from 9"), "{opening} {size}");
        }
    }
    let stone = |side, row, col| (side, game::Cell::new(row, col));
    let stones = vec![stone(Side::Black, 7, 7), stone(Side::White, 6, 7)];
    assert!(error(&Setup { stones, ..setup("rif", 15) }).contains("an empty board"));
    assert!(error(&setup("rfi", 15)).contains("taraguchi-10"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Every listed move is legal, games survive being written and read, and undo leads back.
    #[test]
    fn random_games_follow_their_protocol(seed: u64, opening in prop::sample::select(&Opening::NAMES[..])) {
        let mut rng = Rng::new(seed);
        let mut game = start(opening);
        let mut hashes = Vec::new();
        for _ in 0..24 {
            let moves = game.legal_moves();
            let (points, choices): (Vec<Move>, Vec<Move>) =
                moves.iter().partition(|mv| matches!(mv, Move::Place(_) | Move::Offer(_)));
            let pick = if rng.below(3) == 0 { rng.pick(&choices) } else { None };
            let Some(mv) = pick.or_else(|| rng.pick(&points)).or_else(|| rng.pick(&choices)) else { break };
            hashes.push(game.hash());
            prop_assert_eq!(game.parse_move(&game.format_move(mv)), Ok(mv));
            prop_assert_eq!(game.play(mv), Ok(()));
        }
        let defaults = GOMOKU.setup_of(&*game);
        let moves = game.history().iter().map(|mv| (*mv, MoveNote::default())).collect();
        let empty = String::new;
        let record = Record {
            setup: defaults.clone(),
            moves,
            first: empty(),
            second: empty(),
            result: "?".into(),
            reason: empty(),
            date: empty(),
        };
        let words: String = game.history().iter().map(|mv| game.format_move(*mv)).collect();
        for written in [GOMOKU.write_sgf(&record), words] {
            let read = GOMOKU.parse(&written, &defaults).unwrap();
            prop_assert_eq!(
                (read.history(), read.hash(), read.turn()),
                (game.history(), game.hash(), game.turn())
            );
        }
        while let Some(hash) = hashes.pop() {
            game.undo();
            prop_assert_eq!(game.hash(), hash);
        }
    }
}

/// Plays an opening and a few moves more with an engine on both sides.
fn engine_game(info: &EngineInfo, opening: &str, seed: u64) {
    let mut engine = (info.make)(&Options::default()).unwrap();
    let mut game = start(opening);
    let limits = Limits { nodes: Some(400), seed, ..Limits::default() };
    for _ in 0..22 {
        if game.outcome().is_some() {
            break;
        }
        let watch = Watch::start(StopFlag::new());
        let decision = engine.think(&*game, &limits, &watch, &mut |_| {});
        let decision = decision.unwrap_or_else(|error| panic!("{} in {opening}: {error}", info.name));
        let text = game.format_move(decision.mv);
        game.play(decision.mv).unwrap_or_else(|error| panic!("{} in {opening}: {text}: {error}", info.name));
    }
    assert!(game.history().iter().filter(|mv| mv.cell().is_some()).count() >= 6, "{} {opening}", info.name);
}

#[test]
fn every_engine_makes_only_legal_steps_in_every_opening() {
    for info in GOMOKU.engines() {
        for opening in Opening::NAMES {
            (0..2).for_each(|seed| engine_game(info, opening, seed));
        }
    }
}
