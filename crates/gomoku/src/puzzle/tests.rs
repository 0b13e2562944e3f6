//! The shipped puzzles are what they say, and the maker makes the same ones again.

use super::{Guide, Recipe, Ruling, check, make, position, shipped};
use crate::Rule;
use crate::engine::Tengen;
use ::game::{Engine as _, Limits, Options, Position as _, Puzzle, StopFlag, Watch};
use std::collections::HashSet;

#[test]
fn the_shipped_puzzles_hold() {
    let lines = include_str!("../../../../data/puzzles/gomoku.jsonl").lines().count();
    assert_eq!(shipped().len(), lines, "every line is read");
    assert!(lines >= 200);
    let mut ids = HashSet::new();
    let mut boards = HashSet::new();
    for (number, puzzle) in shipped().iter().enumerate() {
        assert!(ids.insert(&puzzle.id), "{} twice", puzzle.id);
        assert!(boards.insert(position(puzzle).unwrap().canonical_hash()), "{} is there already", puzzle.id);
        // All of them are verified by `tengen puzzle check gomoku`; here the short ones, those that claim that no other
        // first move wins, and some others.
        let short = number % 8 == 0 && puzzle.plies < 15 && puzzle.first_moves.len() <= 3;
        if puzzle.goal == "vcf" || puzzle.unique() || short {
            assert_eq!(check(puzzle), Ok(()), "{}", puzzle.id);
        }
    }
    assert!((1..=5).all(|grade| shipped().iter().filter(|p| p.grade == grade).count() >= 20));
    assert!(shipped().iter().filter(|puzzle| puzzle.unique()).count() >= 20);
    assert!(shipped().is_sorted_by_key(|puzzle| puzzle.grade));
}

#[test]
fn equal_recipes_make_equal_puzzles() {
    let rules = vec![Rule::Freestyle, Rule::Renju];
    let recipe = Recipe { count: 2, rules, size: 15, seed: 3, games: 40, threads: 2 };
    let mut reported = 0;
    let once = make(&recipe, &StopFlag::new(), &mut |_, _| reported += 1);
    assert_eq!((once.len(), reported), (2, 2));
    let alone = Recipe { threads: 1, ..recipe };
    assert_eq!(once, make(&alone, &StopFlag::new(), &mut |_, _| {}), "threads change nothing");
    for puzzle in &once {
        assert_eq!(check(puzzle), Ok(()));
    }
}

#[test]
fn false_claims_are_found() {
    let good = shipped().iter().find(|puzzle| puzzle.goal == "vcf" && puzzle.unique()).unwrap().clone();
    let broken = |change: fn(&mut Puzzle)| {
        let mut puzzle = good.clone();
        change(&mut puzzle);
        check(&puzzle).map_err(|fault| fault.to_string())
    };
    assert_eq!(broken(|_| {}), Ok(()));
    assert!(broken(|p| p.position = "h8zz".into()).unwrap_err().contains("position"));
    assert!(broken(|p| p.side = p.side.other()).unwrap_err().contains("to move"));
    assert!(broken(|p| p.grade = 6).unwrap_err().contains("1 to 5"));
    assert!(broken(|p| p.goal = "luck".into()).unwrap_err().contains("accepted"));
    assert!(broken(|p| p.plies += 1).unwrap_err().contains("plies"));
    assert!(broken(|p| p.first_moves.clear()).unwrap_err().contains("first moves"));
    assert!(
        broken(|p| {
            p.line.truncate(2);
            p.plies = 2;
        })
        .unwrap_err()
        .contains("does not end")
    );
    // Leaving out one of several winning first moves claims that there is only one.
    let several = shipped().iter().find(|p| p.goal == "vcf" && p.first_moves.len() == 2).unwrap();
    let mut alone = several.clone();
    alone.first_moves.retain(|text| Some(text) == several.line.first());
    assert_eq!(check(several), Ok(()));
    assert!(check(&alone).unwrap_err().to_string().contains("wins too"));
    // A corner point wins nothing.
    assert!(broken(|p| p.first_moves.push("a1".into())).unwrap_err().contains("a1"));
}

#[test]
fn the_guide_leads_puzzles_to_their_end() {
    let mut slips = 0;
    for puzzle in shipped().iter().step_by(12) {
        let mut guide = Guide::new(puzzle);
        let mut game = position(puzzle).unwrap();
        let mut moves = 0;
        loop {
            let line = guide.line(&game).expect("a win is there");
            game.play(line[0]).unwrap();
            moves += 1;
            match guide.rule(&game) {
                Ruling::Solved => break,
                Ruling::Winning(Some(reply)) => game.play(reply).unwrap(),
                ruling => panic!("{} {ruling:?} {game:?}", puzzle.id),
            }
        }
        assert!(moves <= 60, "{}", puzzle.id);
        let mut slack = position(puzzle).unwrap();
        let corner = slack.legal_moves()[0];
        slack.play(corner).unwrap();
        slips += usize::from(guide.rule(&slack) == Ruling::Lost);
    }
    // A few positions are so good that even a wasted move leaves a win.
    assert!(slips >= 15, "{slips} of 20 wasted moves let the win slip");
}

/// A win that is there is not missed: the engine sees every puzzle's and plays it home against its own defence.
#[test]
fn the_engine_misses_no_win() {
    let mut engine = Tengen::new(&Options::new()).unwrap();
    for puzzle in shipped().iter().step_by(9) {
        let mut game = position(puzzle).unwrap();
        engine.new_game();
        while game.outcome().is_none() {
            let limits = Limits { memory_mb: 16, ..Limits::nodes(60_000) };
            let decision = engine.think(&game, &limits, &Watch::default(), &mut |_| {}).unwrap();
            let rate = decision.report.win_rate;
            assert!(game.to_move() != puzzle.side || rate > 0.999, "{}: {rate} in {game:?}", puzzle.id);
            game.play(decision.mv).unwrap();
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner());
        assert_eq!(winner, Some(puzzle.side), "{}: {game:?}", puzzle.id);
    }
}
