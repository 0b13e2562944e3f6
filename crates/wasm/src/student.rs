//! Boards and maps for programs that students write in the page: the rules of the engines, one call at a time.
//!
//! A program makes and takes back many moves a second, so a board is kept here and changed in place; cells are numbers,
//! row by row from the top left, and sides are 1 for black and 2 for white.

use game::Side;
use gomoku::{Class, Point, Rule};
use maze::{Cell, Ends, Grid};
use search::adversarial::Game as _;
use search::tictactoe::TicTacToe;
use wasm_bindgen::prelude::wasm_bindgen;

/// A board of Gomoku (five or more in a row), Hex or tic-tac-toe. Either side may play at any time.
#[wasm_bindgen]
pub struct StudentBoard {
    rows: u8,
    cols: u8,
    stones: Stones,
    /// Who had won before each move.
    before: Vec<Option<Side>>,
    winner: Option<Side>,
}

enum Stones {
    Gomoku(Box<gomoku::Board>),
    Hex(hex::Board),
    /// The positions since the empty board.
    TicTacToe(Vec<TicTacToe>),
}

/// An empty board; nothing if the game has none of that size.
#[wasm_bindgen]
pub fn student_board(game: &str, rows: u8, cols: u8) -> Option<StudentBoard> {
    let stones = match game {
        "gomoku" if rows == cols && (Rule::MIN_SIZE..=Rule::MAX_SIZE).contains(&rows) => {
            Stones::Gomoku(Box::new(gomoku::Board::new(Rule::Freestyle, rows)))
        }
        "hex" => Stones::Hex(hex::Board::new(hex::Size::new(rows, cols)?)),
        "tictactoe" if (rows, cols) == (3, 3) => Stones::TicTacToe(vec![TicTacToe::new()]),
        _ => return None,
    };
    Some(StudentBoard { rows, cols, stones, before: Vec::new(), winner: None })
}

#[wasm_bindgen]
impl StudentBoard {
    /// Plays a stone; false if the cell is not empty or not on the board, or there is no such side.
    pub fn play(&mut self, cell: u16, side: u8) -> bool {
        let side = match side {
            1 => Side::Black,
            2 => Side::White,
            _ => return false,
        };
        if !self.is_empty(cell) {
            return false;
        }
        self.before.push(self.winner);
        let point = self.point(cell);
        let wins = match &mut self.stones {
            Stones::Gomoku(board) => {
                let five = board.class(point, side) == Class::Five;
                board.make(point, side);
                five
            }
            Stones::Hex(board) => {
                board.place(side, usize::from(cell));
                board.winner() == Some(side)
            }
            Stones::TicTacToe(line) => {
                let next = line.last().copied().unwrap_or_default().with(cell as u8, side == Side::Black);
                line.push(next);
                next.winner() == Some(if side == Side::Black { 'X' } else { 'O' })
            }
        };
        if self.winner.is_none() && wins {
            self.winner = Some(side);
        }
        true
    }

    /// Takes the last stone back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(winner) = self.before.pop() else { return false };
        self.winner = winner;
        match &mut self.stones {
            Stones::Gomoku(board) => drop(board.undo()),
            Stones::Hex(board) => drop(board.take_back()),
            Stones::TicTacToe(line) => drop(line.pop()),
        }
        true
    }

    /// Who has won: 1, 2, or 0.
    pub fn winner(&self) -> u8 {
        match self.winner {
            None => 0,
            Some(Side::Black) => 1,
            Some(Side::White) => 2,
        }
    }

    /// The cells where a stone may be played.
    pub fn moves(&self) -> Vec<u16> {
        match &self.stones {
            Stones::Gomoku(_) => (0..self.cells()).filter(|cell| self.is_empty(*cell)).collect(),
            Stones::Hex(board) => board.empty_cells().map(|cell| cell as u16).collect(),
            Stones::TicTacToe(line) => {
                let mut moves = Vec::new();
                line.last().copied().unwrap_or_default().moves(&mut moves);
                moves.into_iter().map(u16::from).collect()
            }
        }
    }

    /// How many cells are empty.
    pub fn left(&self) -> u16 {
        self.cells() - self.before.len() as u16
    }

    /// The cells beside a cell, in order.
    pub fn neighbours(&self, cell: u16) -> Vec<u16> {
        if cell >= self.cells() {
            return Vec::new();
        }
        let steps: &[(i8, i8)] = match &self.stones {
            Stones::Hex(_) => &hex::DIRECTIONS,
            Stones::Gomoku(_) | Stones::TicTacToe(_) => {
                &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
            }
        };
        let (rows, cols) = (i32::from(self.rows), i32::from(self.cols));
        let (row, col) = (i32::from(cell) / cols, i32::from(cell) % cols);
        let near = steps.iter().map(|(down, right)| (row + i32::from(*down), col + i32::from(*right)));
        let inside = near.filter(|(row, col)| (0..rows).contains(row) && (0..cols).contains(col));
        let mut found: Vec<u16> = inside.map(|(row, col)| (row * cols + col) as u16).collect();
        found.sort_unstable();
        found
    }

    fn cells(&self) -> u16 {
        u16::from(self.rows) * u16::from(self.cols)
    }

    fn is_empty(&self, cell: u16) -> bool {
        cell < self.cells()
            && match &self.stones {
                Stones::Gomoku(board) => board.is_empty(self.point(cell)),
                Stones::Hex(board) => board.at(usize::from(cell)).is_none(),
                Stones::TicTacToe(line) => line.last().is_some_and(|board| board.cell(cell as u8) == '.'),
            }
    }

    fn point(&self, cell: u16) -> Point {
        let cols = u16::from(self.cols);
        Point::new((cell / cols) as u8, (cell % cols) as u8)
    }
}

/// A map with its start and goal; one walks up, down, left and right.
#[wasm_bindgen]
pub struct StudentMap {
    grid: Grid,
    ends: Ends,
}

/// A map from its drawing; nothing if it cannot be read or has no two ends.
#[wasm_bindgen]
pub fn student_map(drawing: &str) -> Option<StudentMap> {
    let grid = maze::format::read("map", drawing.as_bytes()).ok()?.grid;
    let ends = Ends::resolve(&grid, None, None).ok()?;
    Some(StudentMap { grid, ends })
}

#[wasm_bindgen]
impl StudentMap {
    /// The cell to start from.
    pub fn start(&self) -> u32 {
        self.number(self.ends.from)
    }

    /// The cell to reach.
    pub fn goal(&self) -> u32 {
        self.number(self.ends.to)
    }

    /// What entering a cell costs; 0 for a wall and outside the map.
    pub fn cost(&self, row: i32, col: i32) -> u8 {
        match self.cell(row, col) {
            Some(cell) if self.grid.is_free(cell) => self.grid.weight(cell),
            _ => 0,
        }
    }

    /// The free cells beside a cell: above, right, below, left.
    pub fn neighbours(&self, row: i32, col: i32) -> Vec<u32> {
        if self.cost(row, col) == 0 {
            return Vec::new();
        }
        let near = [(row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1)];
        let free = near.into_iter().filter(|(row, col)| self.cost(*row, *col) > 0);
        free.filter_map(|(row, col)| self.cell(row, col)).map(|cell| self.number(cell)).collect()
    }

    fn cell(&self, row: i32, col: i32) -> Option<Cell> {
        let cell = Cell::new(u32::try_from(row).ok()?, u32::try_from(col).ok()?);
        self.grid.contains(cell).then_some(cell)
    }

    fn number(&self, cell: Cell) -> u32 {
        cell.row * self.grid.width() + cell.col
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Game, Move, Setup};
    use search::Rng;

    /// Random stones of both sides in turn: a board and the game's own position agree, and taking back restores it.
    fn same_as_the_game(game: &dyn Game, sizes: &[(u8, u8)]) {
        let mut rng = Rng::new(7);
        for &(rows, cols) in sizes {
            let mut position = game.position(&Setup::empty(rows, cols)).unwrap();
            let mut board = student_board(game.name(), rows, cols).unwrap();
            let mut seen = Vec::new();
            while position.outcome().is_none() {
                let moves: Vec<u16> = (position.legal_moves().iter().filter_map(|mv| mv.cell()))
                    .map(|cell| u16::from(cell.row) * u16::from(cols) + u16::from(cell.col))
                    .collect();
                let mut own = board.moves();
                own.sort_unstable();
                let mut legal = moves.clone();
                legal.sort_unstable();
                assert_eq!((own, board.winner()), (legal.clone(), 0));
                assert_eq!(usize::from(board.left()), legal.len());
                let cell = moves[rng.below(moves.len())];
                seen.push(board.moves());
                let side = if position.to_move() == Side::Black { 1 } else { 2 };
                assert!(board.play(cell, side) && !board.play(cell, side), "{cell}");
                let (row, col) = ((cell / u16::from(cols)) as u8, (cell % u16::from(cols)) as u8);
                position.play(Move::Place(game::Cell::new(row, col))).unwrap();
            }
            let winner = position.outcome().and_then(|outcome| outcome.winner());
            assert_eq!(board.winner(), winner.map_or(0, |side| if side == Side::Black { 1 } else { 2 }));
            while let Some(moves) = seen.pop() {
                assert!(board.undo());
                assert_eq!((board.moves(), board.winner()), (moves, 0));
            }
            assert!(!board.undo());
        }
    }

    #[test]
    fn boards_follow_the_rules_of_their_games() {
        same_as_the_game(&gomoku::GOMOKU, &[(5, 5), (7, 7), (15, 15), (22, 22)]);
        same_as_the_game(&hex::HEX, &[(1, 1), (3, 3), (4, 7), (11, 11), (19, 19)]);
        let mut board = student_board("tictactoe", 3, 3).unwrap();
        // A side may play twice, and what was won first stays won.
        for cell in [0, 4, 8] {
            assert!(board.play(cell, 2));
        }
        assert_eq!((board.winner(), board.left()), (2, 6));
        for cell in [1, 2] {
            assert!(board.play(cell, 1));
        }
        assert_eq!((board.winner(), board.moves()), (2, vec![3, 5, 6, 7]));
        while board.undo() {}
        assert_eq!((board.winner(), board.left()), (0, 9));
    }

    #[test]
    fn what_is_not_on_the_board_is_refused() {
        let sizes = [("gomoku", 5, 6), ("gomoku", 4, 4), ("gomoku", 23, 23), ("hex", 0, 3), ("hex", 20, 20)];
        for (game, rows, cols) in sizes.into_iter().chain([("tictactoe", 4, 4), ("go", 9, 9)]) {
            assert!(student_board(game, rows, cols).is_none(), "{game} {rows}x{cols}");
        }
        let mut board = student_board("hex", 3, 3).unwrap();
        assert!(!board.play(9, 1) && !board.play(0, 0) && !board.play(0, 3) && !board.undo());
        assert_eq!(board.neighbours(4), [1, 2, 3, 5, 6, 7]);
        assert_eq!(board.neighbours(0), [1, 3]);
        assert!(board.neighbours(9).is_empty());
        assert_eq!(student_board("gomoku", 5, 5).unwrap().neighbours(6), [0, 1, 2, 5, 7, 10, 11, 12]);
    }

    #[test]
    fn a_map_has_costs_and_free_neighbours() {
        let map = student_map("S.9\n.#.\n..G\n").unwrap();
        assert_eq!((map.start(), map.goal()), (0, 8));
        let costs = [(0, 0, 1), (0, 2, 9), (1, 1, 0), (2, 2, 1), (-1, 0, 0), (3, 0, 0), (0, i32::MAX, 0)];
        for (row, col, cost) in costs {
            assert_eq!(map.cost(row, col), cost, "{row} {col}");
        }
        assert_eq!(map.neighbours(0, 1), [2, 0]);
        assert_eq!(map.neighbours(1, 1), [0; 0]);
        assert!(student_map("").is_none() && student_map("...\n").is_none());
    }
}
