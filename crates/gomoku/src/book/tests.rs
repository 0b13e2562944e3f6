use super::*;
use crate::GOMOKU;
use crate::engine::Tengen;
use ::game::{Game, Limits, Options, Side, Watch};
use std::collections::HashMap;

/// The same moves, mirrored or rotated.
fn image(position: &Position, symmetry: usize) -> Position {
    let mut image = Position::from_setup(position.setup()).unwrap();
    for mv in position.history() {
        let mapped = match mv {
            Move::Place(cell) => Move::Place(position.board().mapped(Point::of(*cell), symmetry).cell()),
            choice => *choice,
        };
        image.play(mapped).unwrap();
    }
    image
}

#[test]
fn the_shipped_book_is_whole() {
    let text = include_str!("../../../../data/gomoku/book.jsonl");
    let book = Book::read(text).expect("every line is good");
    assert!((100..600).contains(&book.entries().count()));
    assert_eq!(book.index.len(), book.entries().count(), "no position is there twice");
    for opening in [Opening::Free, Opening::Swap2] {
        let position = start(Rule::Freestyle, 15, opening).unwrap();
        assert!(book.find(&position).is_some(), "{opening}");
    }
    // Nothing the book plays is lost at sight.
    assert!(book.entries().all(|entry| entry.score > -2000), "a lost position is no opening");
}

#[test]
fn every_mirror_image_gets_the_mirrored_move() {
    for (stored, _) in shipped().entries.iter().filter(|(stored, _)| stored.stones_to_place() == 0).step_by(7)
    {
        let advice = shipped().find(stored).unwrap();
        let Some(Move::Place(cell)) = advice.moves.first().copied() else { continue };
        let mut after = stored.clone();
        after.play(Move::Place(cell)).unwrap();
        for symmetry in 0..8 {
            let mut image = image(stored, symmetry);
            let found = shipped().find(&image).expect("a mirror image is the same position");
            image.play(found.moves[0]).unwrap();
            assert_eq!(image.board().canonical_hash(Side::Black), after.board().canonical_hash(Side::Black));
        }
    }
}

#[test]
fn the_engine_asks_the_book_only_where_told_to() {
    let position = GOMOKU.parse("h8", &Setup::empty(15, 15)).unwrap();
    let nodes = |options: &Options| {
        let mut engine = (GOMOKU.engines()[0].make)(options).unwrap();
        let limits = Limits { memory_mb: 4, ..Limits::nodes(2_000) };
        let decision = engine.think(&*position, &limits, &Watch::default(), &mut |_| {}).unwrap();
        assert!(position.legal(decision.mv).is_ok());
        decision.report.nodes
    };
    assert!(nodes(&Options::new()) > 0);
    assert_eq!(nodes(&[("book", "on")].into_iter().collect()), 0);
    assert!((GOMOKU.engines()[0].make)(&[("book", "perhaps")].into_iter().collect()).is_err());
}

#[test]
fn equal_recipes_make_equal_books_that_can_be_read() {
    let recipe = Recipe { rule: Rule::Freestyle, size: 15, openings: 2, plies: 1, nodes: 300, seed: 5 };
    let once = make(&recipe, &Watch::untimed(), &mut |_| {});
    assert_eq!(once, make(&recipe, &Watch::untimed(), &mut |_| {}));
    assert!(once.iter().any(|entry| entry.opening == "swap2" && entry.moves.len() > 1), "two ways to open");
    let text: String = once.iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n").collect();
    assert_eq!(Book::read(&text).unwrap().entries().cloned().collect::<Vec<_>>(), once);
}

#[test]
fn answers_in_any_order_make_the_same_book() {
    let recipe = Recipe { rule: Rule::Freestyle, size: 15, openings: 3, plies: 2, nodes: 200, seed: 5 };
    let here = make(&recipe, &Watch::untimed(), &mut |_| {});
    let mut maker = Maker::new(&recipe);
    let (mut known, mut rounds, mut ahead) = (HashMap::new(), 0, 0);
    loop {
        let open = maker.advance(4, &mut |question| known.get(question).cloned(), &mut |_| {});
        // The last first, each with an engine of its own.
        let Some(question) = open.last() else { break };
        let mut engine = Tengen::new(&Options::new()).unwrap();
        let answer = question.decide(&mut engine, recipe.nodes, &Watch::untimed()).unwrap();
        assert!(known.insert(question.clone(), answer).is_none(), "asked twice: {question:?}");
        rounds += 1;
        ahead = ahead.max(open.len());
    }
    assert_eq!(maker.into_entries(), here);
    assert!(rounds >= here.len() && ahead == 5, "it looks ahead");
}

#[test]
fn a_question_survives_its_text_and_a_stopped_search_answers_nothing() {
    let recipe = Recipe { rule: Rule::Renju, size: 15, openings: 1, plies: 1, nodes: 100, seed: 5 };
    let open = Maker::new(&recipe).advance(9, &mut |_| None, &mut |_| {});
    assert_eq!(open.len(), 2, "the empty board of both openings");
    let mut engine = Tengen::new(&Options::new()).unwrap();
    for question in &open {
        let again: Question = serde_json::from_str(&serde_json::to_string(question).unwrap()).unwrap();
        assert_eq!(again, *question);
        let watch = Watch::untimed();
        assert!(matches!(again.decide(&mut engine, 100, &watch), Some(Answer::Play(..))));
        watch.stop_flag().stop();
        assert_eq!(again.decide(&mut engine, 100, &watch), None);
    }
}

#[test]
fn bad_lines_are_named() {
    let line = r#"{"rule":"freestyle","opening":"free","size":15,"position":"h8","moves":["h8"],"score":0,"depth":1}"#;
    let problem = |text: &str| Book::read(text).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(problem(line).contains("line 1") && problem(line).contains("occupied"));
    assert!(problem(&format!("\n{}", line.replace("\"h8\",", "\"zz\","))).contains("line 2"));
    assert!(problem("{").contains("line 1"));
}
