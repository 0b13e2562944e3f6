//! Recorded searches for the search theatre, and the X-ray of the evaluation.
//!
//! Playouts are played move by move here, so that they can be shown; the engines fill the board at once, which gives the
//! same distribution of results.

use super::evaluation::{
    BRIDGE_WEIGHT, CONNECTIVITY_WEIGHT, PATH_WEIGHT, THREAT_WEIGHT, bridges, cheapest_path, connectivity,
    path_score, threat,
};
use super::minimax::{MinimaxGame, WIN};
use crate::{Board, Position};
use game::{EngineError, Position as _, Side, Watch, Xray, XrayTerm};
use search::adversarial::Game;
use search::stop::every;
use search::theatre::{Algorithm, Record, RecordOptions, Trim, watch as record};

/// Searches a position as a classic engine does and records the search.
pub(crate) fn explain(
    position: &Position,
    engine: &str,
    wanted: &RecordOptions,
    watch: &Watch,
) -> Result<Record, EngineError> {
    if position.outcome().is_some() {
        return Err(EngineError::NoMove("the game is over".into()));
    }
    wanted.algorithm.check("hex", Some(Algorithm::Puct)).map_err(EngineError::Unsupported)?;
    if wanted.algorithm == Algorithm::Puct {
        return crate::engine::explain(position, wanted, watch);
    }
    let code = |index: usize| index as u32;
    let keep_going = every(16, || !watch.is_stopped());
    let seconds = || watch.elapsed().as_secs_f64();
    if wanted.algorithm.plays_out() {
        let stage = game::stage(position, "", wanted);
        let (board, to_move) = (position.board().clone(), position.to_move());
        let mut game = MoveByMove { board, to_move };
        return Ok(record(&mut game, wanted, stage, code, keep_going).timed(seconds()));
    }
    if !engine.is_empty() && engine != "classic-minimax" {
        let message = format!(
            "{engine} has no evaluation for {}; accepted: classic-minimax (tengen is watched with puct)",
            wanted.algorithm
        );
        return Err(EngineError::Unsupported(message));
    }
    let stage = game::stage(position, "classic-minimax", wanted);
    let key = (wanted.ordering == Some(false)).then_some(|index: usize| index as i64);
    let width = wanted.width.filter(|width| *width > 0);
    let mut game = Trim { game: MinimaxGame::new(position), key, width };
    let done = record(&mut game, wanted, stage, code, keep_going).timed(seconds());
    // Among some of the moves nothing is proved.
    Ok(if width.is_none() { done.with_win(WIN) } else { done })
}

/// The bare rules. MAX is black.
struct MoveByMove {
    board: Board,
    to_move: Side,
}

impl Game for MoveByMove {
    type Move = usize;

    fn moves(&mut self, out: &mut Vec<usize>) {
        out.extend(self.board.empty_cells());
    }

    fn play(&mut self, index: usize) {
        self.board.place(self.to_move, index);
        self.to_move = self.to_move.other();
    }

    fn undo(&mut self, _index: usize) {
        self.board.take_back();
        self.to_move = self.to_move.other();
    }

    fn is_over(&self) -> bool {
        self.board.winner().is_some()
    }

    fn evaluate(&self) -> f64 {
        self.result().unwrap_or(0.5)
    }

    fn max_to_move(&self) -> bool {
        self.to_move == Side::Black
    }

    fn result(&self) -> Option<f64> {
        self.board.winner().map(|side| f64::from(u8::from(side == Side::Black)))
    }
}

/// The evaluation of an engine for the side to move, term by term. Only `classic-minimax` (the default) has such an
/// evaluation: the other engines evaluate by network, resistance or playouts, which have no terms.
pub(crate) fn xray(position: &Position, engine: &str) -> Option<Xray> {
    if !engine.is_empty() && engine != super::minimax::INFO.name {
        return None;
    }
    let (board, side) = (position.board(), position.to_move());
    let cells = |indices: Vec<usize>| indices.into_iter().map(|index| board.size().cell(index)).collect();
    let stones = board.stones().filter(|stone| stone.0 == side).map(|stone| stone.1).collect();
    let term = |name: &str, whose: Side, amount: f64, value: f64, at: Vec<usize>| XrayTerm {
        name: name.into(),
        side: Some(whose),
        amount,
        value,
        cells: cells(at),
    };
    let (connected, path, bridged) =
        (connectivity(board, side), path_score(board, side), bridges(board, side));
    let other = side.other();
    let opponent_threat = threat(path_score(board, other));
    let terms = vec![
        term("connectivity", side, connected, CONNECTIVITY_WEIGHT * connected, stones),
        term("path", side, path, PATH_WEIGHT * path, cheapest_path(board, side)),
        term("bridges", side, bridged, BRIDGE_WEIGHT * bridged, Vec::new()),
        term("threat", other, opponent_threat, -THREAT_WEIGHT * opponent_threat, cheapest_path(board, other)),
    ];
    let score = super::evaluation::evaluate(board, side);
    Some(Xray { engine: super::minimax::INFO.name.into(), score, side: Some(side), terms, lines: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classic::evaluation::evaluate;
    use crate::{HEX, Position};
    use game::Setup;
    use search::adversarial::{UctOptions, alpha_beta, uct};
    use search::stop::never;
    use search::theatre::{Algorithm, Search};

    fn position(text: &str, n: u8) -> Position {
        crate::notation::parse(text, &Setup::empty(n, n)).unwrap()
    }

    #[test]
    fn a_watched_search_is_the_unwatched_one() {
        let start = position("b2c3", 4);
        let wanted = RecordOptions { depth: 3, ..RecordOptions::new(Algorithm::AlphaBeta) };
        let record = explain(&start, "", &wanted, &Watch::default()).unwrap();
        let Search::Tree { result, columns, .. } = &record.search else { panic!("a tree") };
        let alone = alpha_beta(&mut MinimaxGame::new(&start), 3, never(), &mut ());
        assert_eq!((result.nodes, result.value.0), (alone.stats.nodes, alone.value));
        assert_eq!(result.best, alone.best.map(|index| index as u32));
        assert_eq!(columns.nodes.len() as u64, alone.stats.nodes + 1);
        let unordered = RecordOptions { ordering: Some(false), ..wanted };
        let record = explain(&start, "", &unordered, &Watch::default()).unwrap();
        let Search::Tree { result: other, .. } = &record.search else { panic!("a tree") };
        assert_eq!(other.value, result.value);
        assert!(other.nodes > result.nodes);
    }

    #[test]
    fn playouts_fill_the_board_until_somebody_wins() {
        let start = position("b2c3", 4);
        let wanted = RecordOptions { playouts: 200, seed: 9, ..RecordOptions::new(Algorithm::Uct) };
        let record = explain(&start, "", &wanted, &Watch::default()).unwrap();
        let Search::Playouts { result, columns, .. } = &record.search else { panic!("playouts") };
        let options = UctOptions { playouts: 200, seed: 9, max_nodes: 1 << 19, ..UctOptions::default() };
        let mut game = MoveByMove { board: start.board().clone(), to_move: start.to_move() };
        let alone = uct(&mut game, &options, never(), &mut ());
        assert_eq!(result.best, alone.best.map(|index| index as u32));
        assert!(result.root.iter().zip(&alone.root).all(|(ours, theirs)| ours.1 == theirs.visits));
        assert!(!columns.playout.is_empty());
    }

    #[test]
    fn only_the_engine_with_this_evaluation_has_an_xray() {
        let start = position("c3b4", 5);
        for info in game::Game::engines(&HEX) {
            let seen = game::Game::xray(&HEX, &start, info.name);
            assert_eq!(
                seen.map(|xray| xray.engine),
                (info.name == "classic-minimax").then(|| info.name.into())
            );
        }
        assert_eq!(game::Game::xray(&HEX, &start, "").unwrap().engine, "classic-minimax");
    }

    #[test]
    fn the_terms_add_up_and_the_path_is_one() {
        for text in ["empty", "c3b4d2", "a1b2c3d4e5c2"] {
            let start = position(text, 5);
            let seen = game::Game::xray(&HEX, &start, "").unwrap();
            let sum: f64 = seen.terms.iter().map(|term| term.value).sum();
            assert!((sum - evaluate(start.board(), start.to_move())).abs() < 1e-9, "{text}");
            let board = start.board();
            for side in Side::BOTH {
                let path = cheapest_path(board, side);
                let price = |index: &usize| match board.at(*index) {
                    Some(stone) if stone == side => 0.0,
                    Some(_) => 5.0,
                    None => 1.0,
                };
                let cost: f64 = path.iter().map(price).sum();
                assert!((100.0 / (1.0 + cost) - path_score(board, side)).abs() < 1e-9, "{text} {side}");
                let linked = |pair: &[usize]| {
                    board.geometry().neighbours(pair[0]).iter().any(|next| usize::from(*next) == pair[1])
                };
                assert!(path.windows(2).all(linked), "{text} {side}");
            }
        }
    }
}
