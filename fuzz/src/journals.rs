//! What a match writes down and a later one reads.

use arena::journal::Finished;
use game::Game;

/// Lines of a journal: what was read is written and read again as the same, and replayed by either game.
pub(crate) fn journal(data: &[u8]) {
    for line in data.split(|byte| *byte == b'\n') {
        let Ok(game) = serde_json::from_slice::<Finished>(line) else { continue };
        let written = serde_json::to_vec(&game).expect("a game can be written");
        let again: Finished = serde_json::from_slice(&written).expect("what was written can be read");
        // Scores are read to the last bit but one.
        assert_eq!((&again.task, &again.moves, &again.setup), (&game.task, &game.moves, &game.setup));
        assert_eq!((again.winner, again.reason, again.names), (game.winner, game.reason, game.names.clone()));
        let _ = (game.score(), game.sgf_result());
        for rules in [&gomoku::GOMOKU as &dyn Game, &hex::HEX] {
            let _ = game.record(rules);
        }
    }
}
