//! Commands that go on over several lines until `DONE`: boards, Swap2 openings, blocked points.

use super::{COMMANDS, GomocupFrontend, text};
use crate::frontend::{ClientBoard, FrontendStep, quote};
use game::{Cell, Move, Setup, Side};

/// A command whose lines go on until `DONE`.
pub(super) struct List {
    pub(super) kind: ListKind,
    points: Vec<(Cell, i64)>,
    problem: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ListKind {
    Board,
    SilentBoard,
    Swap2,
    Block,
    Unblock,
}

impl GomocupFrontend {
    pub(super) fn start_list(&mut self, kind: ListKind) -> Result<FrontendStep, String> {
        // Without a board the list is still read to its end, so that its lines are no commands.
        let problem = self.board().err();
        self.list = Some(List { kind, points: Vec::new(), problem });
        Ok(FrontendStep::silent())
    }

    /// A line of a list. `None`: the line is a command, and the list was not finished.
    pub(super) fn list_line(&mut self, mut list: List, line: &str) -> Option<Result<FrontendStep, String>> {
        if line.eq_ignore_ascii_case("DONE") {
            return Some(match list.problem.take() {
                Some(problem) => Err(problem),
                None => self.finish_list(&list),
            });
        }
        let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
        if COMMANDS.split(", ").any(|command| command == word) {
            return None;
        }
        if list.problem.is_none() {
            list.problem = self.list_point(&mut list, line).err();
        }
        self.list = Some(list);
        Some(Ok(FrontendStep::silent()))
    }

    fn list_point(&self, list: &mut List, line: &str) -> Result<(), String> {
        let coloured = matches!(list.kind, ListKind::Board | ListKind::SilentBoard);
        // Managers disagree whether Swap2 stones carry a field; their order gives the colours anyway.
        let fields =
            if coloured || (list.kind == ListKind::Swap2 && line.matches(',').count() == 2) { 3 } else { 2 };
        let numbers = text::numbers(line, fields)?;
        let position = self.board()?.position();
        let cell = text::cell(position, numbers[0], numbers[1])?;
        let field = numbers.get(2).copied().unwrap_or(0);
        if coloured && !(1..=2).contains(&field) {
            return Err(format!(
                "{}: {field} is no player; accepted: x,y,1 (own) and x,y,2 (opponent)",
                quote(line)
            ));
        }
        if list.points.iter().any(|(other, _)| *other == cell) {
            return Err(format!("{} appears twice", text::xy(cell)));
        }
        list.points.push((cell, field));
        Ok(())
    }

    fn finish_list(&mut self, list: &List) -> Result<FrontendStep, String> {
        let cells = || list.points.iter().map(|(cell, _)| *cell);
        match list.kind {
            ListKind::Board => {
                let own = own_side(&list.points);
                let mut board = self.board_of(&list.points, own)?;
                board.turn_to(own).map_err(|error| error.to_string())?;
                self.board = Some(board);
                self.think(1)
            }
            ListKind::SilentBoard => {
                // The list may end with either player's stone; the first one is black's.
                let own = if list.points.first().is_none_or(|(_, who)| *who == 1) {
                    Side::Black
                } else {
                    Side::White
                };
                self.board = Some(self.board_of(&list.points, own)?);
                Ok(FrontendStep::silent())
            }
            ListKind::Swap2 => self.swap2(&cells().collect::<Vec<_>>()),
            ListKind::Block => {
                let new: Vec<Cell> = cells().filter(|cell| !self.blocked.contains(cell)).collect();
                self.blocked.extend(new);
                Ok(FrontendStep::silent())
            }
            ListKind::Unblock => {
                self.blocked.retain(|cell| !cells().any(|other| other == *cell));
                Ok(FrontendStep::silent())
            }
        }
    }

    /// A board with these stones. Where the numbers of stones allow it they are played one after the
    /// other, so that the engine knows the last moves and each can be taken back; otherwise they are set up.
    fn board_of(&self, points: &[(Cell, i64)], own: Side) -> Result<ClientBoard, String> {
        let size = self.board()?.position().rows();
        let side = |who: i64| if who == 1 { own } else { own.other() };
        let of =
            |colour: Side| points.iter().filter(move |(_, who)| side(*who) == colour).map(|(cell, _)| *cell);
        let (black, white) = (of(Side::Black).count(), of(Side::White).count());
        if black == white || black == white + 1 {
            let mut board = self.empty_board(size, "")?;
            let (mut blacks, mut whites) = (of(Side::Black), of(Side::White));
            let order =
                (0..points.len()).map_while(|n| if n % 2 == 0 { blacks.next() } else { whites.next() });
            if order.into_iter().all(|cell| board.play(Move::Place(cell)).is_ok()) {
                return Ok(board);
            }
        }
        let mut setup = Setup::empty(size, size);
        setup.rule = self.settings.rule().into();
        setup.stones = points.iter().map(|(cell, who)| (side(*who), *cell)).collect();
        setup.to_move = Some(if black > white { Side::White } else { Side::Black });
        ClientBoard::new(self.game, &setup).map_err(|error| error.to_string())
    }
}

/// The colour of the player who is to move on a `BOARD`: by the stone counts, or else the first
/// stone is black's.
fn own_side(points: &[(Cell, i64)]) -> Side {
    let own = points.iter().filter(|(_, who)| *who == 1).count();
    let opponent = points.len() - own;
    if own == opponent {
        Side::Black
    } else if opponent == own + 1 || points.first().is_some_and(|(_, who)| *who == 2) {
        Side::White
    } else {
        Side::Black
    }
}
