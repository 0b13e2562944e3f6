//! Textbook engines, plain and readable, on the searches of `crates/search`: alpha-beta over a hand-made evaluation, flat
//! Monte Carlo, and UCT. They follow a source document that students program from; its constants are kept.

mod evaluation;
mod explain;
mod flat;
mod level;
mod minimax;
mod request;
mod simulation;
mod uct;

pub(crate) use explain::{explain, xray};

use game::EngineInfo;

/// The engines, strongest first.
pub const ENGINES: [EngineInfo; 3] = [uct::INFO, flat::INFO, minimax::INFO];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use game::{EngineError, Level, Limits, Move, Options, Position as _, Setup, StopFlag, Watch};
    use std::time::Duration;

    fn position(text: &str, n: u8) -> Position {
        crate::notation::parse(text, &Setup::empty(n, n)).unwrap()
    }

    fn think(info: &EngineInfo, position: &Position, limits: &Limits) -> game::Decision {
        let mut engine = (info.make)(&Options::new()).unwrap();
        engine.think(position, limits, &Watch::default(), &mut |_| {}).unwrap()
    }

    #[test]
    fn all_find_a_win_in_one_and_block_a_loss_in_one() {
        // Black joins with b1; where white is to move, b1 is the only block.
        let win = position(". . . .\n. X . .\n. X O .\n. X O .", 4);
        let lose = position(". O . .\n. X . .\nO X O .\nO X . .", 4);
        for info in &ENGINES {
            for level in Level::ALL {
                for seed in 0..6 {
                    let limits = Limits { level, seed, ..Limits::nodes(4_000) };
                    let mut black = win.as_set_up(game::Side::Black);
                    black.play(think(info, &black, &limits).mv).unwrap();
                    assert!(black.outcome().is_some(), "{} {level}", info.name);
                    if level < Level::MAX {
                        let mut white = lose.as_set_up(game::Side::White);
                        let threats = level::winning_cells(white.board(), game::Side::Black);
                        assert_eq!(threats.len(), 1);
                        let mv = think(info, &white, &limits).mv;
                        assert_eq!(mv, Move::Place(white.size().cell(threats[0])), "{} {level}", info.name);
                        white.play(mv).unwrap();
                    }
                }
            }
        }
    }

    #[test]
    fn answers_repeat_and_obey_the_limits() {
        let start = position("c3b4", 5);
        for info in &ENGINES {
            let limits = Limits { lines: 3, ..Limits::nodes(2_000) };
            let a = think(info, &start, &limits);
            let b = think(info, &start, &limits);
            assert_eq!((a.mv, a.report.nodes), (b.mv, b.report.nodes), "{}", info.name);
            assert!(a.report.nodes <= 2_000 && a.report.nodes > 0, "{}", info.name);
            assert!(!a.report.root.is_empty() && a.report.lines.len() == 3, "{}", info.name);
            assert_eq!(a.report.pv().first(), Some(&a.mv));
            let only = Limits { only: start.legal_moves()[3..5].to_vec(), ..limits.clone() };
            assert!(only.only.contains(&think(info, &start, &only).mv));
            let exclude = Limits { exclude: vec![a.mv], ..limits.clone() };
            assert_ne!(think(info, &start, &exclude).mv, a.mv);
            let nothing = Limits { exclude: start.legal_moves(), ..limits };
            let mut engine = (info.make)(&Options::new()).unwrap();
            let error = engine.think(&start, &nothing, &Watch::default(), &mut |_| {});
            assert!(matches!(error, Err(EngineError::NoMove(_))));
        }
    }

    /// Work after the stop is counted by the watch's owner: a stopped search may not even reach its default playouts.
    #[test]
    fn all_stop_when_told_even_at_depth_17() {
        for info in &ENGINES {
            let watch = Watch::start(StopFlag::new());
            watch.stop_flag().stop();
            let limits = Limits { depth: Some(17), nodes: Some(u64::MAX), threads: 2, ..Limits::default() };
            let mut engine = (info.make)(&Options::new()).unwrap();
            let decision = engine.think(&position("empty", 11), &limits, &watch, &mut |_| {}).unwrap();
            assert!(decision.mv.cell().is_some());
            assert!(decision.report.nodes <= 2 * 64, "{}: {}", info.name, decision.report.nodes);
        }
    }

    #[test]
    fn the_option_playouts_is_a_limit_even_with_time() {
        let options: Options = [("playouts", "200")].into_iter().collect();
        for info in ENGINES.iter().filter(|info| info.options.iter().any(|option| option.0 == "playouts")) {
            for limits in [Limits::time(Duration::from_secs(2)), Limits::nodes(5_000), Limits::default()] {
                let mut engine = (info.make)(&options).unwrap();
                let decision =
                    engine.think(&position("c3b4", 5), &limits, &Watch::default(), &mut |_| {}).unwrap();
                assert!(decision.report.nodes <= 200, "{}: {}", info.name, decision.report.nodes);
            }
        }
    }

    #[test]
    fn time_is_kept_and_the_game_can_be_finished() {
        for info in &ENGINES {
            let mut game = position("empty", 4);
            while game.outcome().is_none() {
                let limits = Limits { nodes: Some(300), ..Limits::time(Duration::from_millis(30)) };
                game.play(think(info, &game, &limits).mv).unwrap();
            }
        }
    }

    #[test]
    fn options_are_checked() {
        for info in &ENGINES {
            let mut options = Options::new();
            options.set("nonsense", "1");
            assert!((info.make)(&options).is_err());
        }
        let mut options = Options::new();
        options.set("c", "abc");
        assert!((uct::INFO.make)(&options).is_err());
        options.set("c", "0.7");
        assert!((uct::INFO.make)(&options).is_ok());
    }

    #[test]
    fn a_strong_first_stone_is_swapped() {
        let setup = Setup { opening: "swap-pieces".into(), ..Setup::empty(11, 11) };
        let mut game = Position::new(&setup).unwrap();
        game.play(Move::Place(game::Cell::new(5, 5))).unwrap();
        for info in &ENGINES {
            assert_eq!(think(info, &game, &Limits::nodes(500)).mv, Move::Swap, "{}", info.name);
            let no_swap = Limits { exclude: vec![Move::Swap], ..Limits::nodes(500) };
            assert_ne!(think(info, &game, &no_swap).mv, Move::Swap);
        }
    }
}
