//! A Gomoku engine that speaks the Gomocup protocol: completes its longest line, or blocks the opponent's.

use std::io::{self, BufRead, Write};

struct Board {
    size: i32,
    /// 0 empty, 1 own, 2 opponent's.
    cells: Vec<u8>,
}

impl Board {
    fn new(size: i32) -> Self {
        Board { size, cells: vec![0; (size * size) as usize] }
    }

    fn at(&self, x: i32, y: i32) -> Option<u8> {
        let inside = (0..self.size).contains(&x) && (0..self.size).contains(&y);
        inside.then(|| self.cells[(y * self.size + x) as usize])
    }

    fn run(&self, x: i32, y: i32, dx: i32, dy: i32, side: u8) -> i32 {
        (1..).take_while(|step| self.at(x + dx * step, y + dy * step) == Some(side)).count() as i32
    }

    /// The longest line through a point, an own one before one to block, then the distance from the centre.
    fn score(&self, x: i32, y: i32) -> (i32, i32) {
        let mut best = 0;
        for side in [1, 2] {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let length = self.run(x, y, dx, dy, side) + self.run(x, y, -dx, -dy, side);
                best = best.max(2 * length + 2 - i32::from(side));
            }
        }
        (best, -(x - self.size / 2).abs() - (y - self.size / 2).abs())
    }

    /// Puts a stone from text such as `7,8` or `7,8,1`.
    fn put(&mut self, text: &str, side: u8) -> Option<()> {
        let mut numbers = text.trim().split(',').map(|word| word.parse::<i32>());
        let (x, y) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
        let side = numbers.next().map_or(side, |side| if side == Ok(1) { 1 } else { 2 });
        if self.at(x, y)? != 0 {
            return None;
        }
        self.cells[(y * self.size + x) as usize] = side;
        Some(())
    }

    fn play(&mut self) -> String {
        let points = (0..self.size * self.size).map(|cell| (cell % self.size, cell / self.size));
        let free = points.filter(|(x, y)| self.at(*x, *y) == Some(0));
        let Some((x, y)) = free.max_by_key(|(x, y)| self.score(*x, *y)) else {
            return "ERROR the board is full".into();
        };
        self.cells[(y * self.size + x) as usize] = 1;
        format!("{x},{y}")
    }
}

fn main() {
    let mut board = Board::new(15);
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    while let Some(line) = lines.next() {
        let (command, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let answer = match command {
            "START" | "RESTART" => {
                let size = rest.parse().ok().filter(|size| (5..=22).contains(size));
                board = Board::new(size.unwrap_or(board.size));
                "OK".into()
            }
            "BEGIN" => board.play(),
            "TURN" if board.put(rest, 2).is_some() => board.play(),
            "TURN" => format!("ERROR not a free point: {rest}"),
            "BOARD" => {
                board = Board::new(board.size);
                for stone in lines.by_ref().take_while(|stone| stone.trim() != "DONE") {
                    board.put(&stone, 1);
                }
                board.play()
            }
            "ABOUT" => "name=\"first-rust\", version=\"1\"".into(),
            "INFO" => continue,
            "END" => break,
            _ => "UNKNOWN".into(),
        };
        println!("{answer}");
        io::stdout().flush().ok();
    }
}
