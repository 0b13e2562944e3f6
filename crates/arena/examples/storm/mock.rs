//! An engine that plays the first free cell until, at a given move, its habit shows.

use std::collections::HashSet;
use std::io::{BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

const FOR_EVER: Duration = Duration::from_secs(3600);

pub(crate) fn run(protocol: &str, habit: &str, at: usize) {
    if habit == "mute" {
        std::thread::sleep(FOR_EVER);
    }
    let mut mock = Mock { habit: habit.into(), at, made: 0, size: 4, taken: HashSet::new() };
    let stdin = std::io::stdin();
    let mut board = false;
    for line in stdin.lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match protocol {
            "gomocup" => match words.as_slice() {
                ["START", size] => {
                    mock.size = size.parse().unwrap_or(4);
                    mock.taken.clear();
                    say("OK\n");
                }
                ["BEGIN"] => mock.gomocup_move(),
                ["TURN", point] => {
                    mock.take_point(point);
                    mock.gomocup_move();
                }
                ["BOARD"] => {
                    board = true;
                    mock.taken.clear();
                }
                ["DONE"] => {
                    board = false;
                    mock.gomocup_move();
                }
                ["END"] => mock.leave(),
                [stone] if board => mock.take_point(stone),
                _ => {}
            },
            "htp" => match words.as_slice() {
                ["boardsize", size, ..] => {
                    mock.size = size.parse().unwrap_or(4);
                    say("= \n\n");
                }
                ["clear_board"] => {
                    mock.taken.clear();
                    say("= \n\n");
                }
                ["play", _, cell] => {
                    mock.take_cell(cell);
                    say("= \n\n");
                }
                ["genmove", _] => {
                    let cell = mock.choose();
                    mock.act(
                        &format!("= {}", letters(cell)),
                        &format!("= {}", letters(mock.stolen())),
                        "\n\n",
                    );
                }
                ["quit"] => {
                    say("= \n\n");
                    mock.leave();
                }
                _ => say("= \n\n"),
            },
            _ => match words.as_slice() {
                ["finish"] => mock.leave(),
                ["first"] => mock.line_move(),
                [cell] => {
                    mock.take_cell(cell);
                    mock.line_move();
                }
                _ => {}
            },
        }
    }
}

struct Mock {
    habit: String,
    at: usize,
    made: usize,
    size: usize,
    taken: HashSet<(usize, usize)>,
}

impl Mock {
    /// The first free cell as (row, column); it is taken from now on.
    fn choose(&mut self) -> (usize, usize) {
        let free = (0..self.size * self.size).map(|i| (i / self.size, i % self.size));
        let cell = free.clone().find(|cell| !self.taken.contains(cell)).unwrap_or((0, 0));
        self.taken.insert(cell);
        cell
    }

    /// A cell with a stone on it, other than the one just chosen where there is one.
    fn stolen(&self) -> (usize, usize) {
        (0..self.size * self.size)
            .map(|i| (i / self.size, i % self.size))
            .find(|cell| self.taken.contains(cell))
            .unwrap_or((0, 0))
    }

    fn take_point(&mut self, text: &str) {
        let mut numbers = text.split(',').filter_map(|word| word.parse().ok());
        if let (Some(x), Some(y)) = (numbers.next(), numbers.next()) {
            self.taken.insert((y, x));
        }
    }

    fn take_cell(&mut self, text: &str) {
        let col = text.bytes().next().map_or(0, |b| usize::from(b.saturating_sub(b'a')));
        let row = text.get(1..).and_then(|digits| digits.parse::<usize>().ok()).unwrap_or(1);
        self.taken.insert((row.saturating_sub(1), col));
    }

    fn gomocup_move(&mut self) {
        let (row, col) = self.choose();
        let (bad_row, bad_col) = self.stolen();
        self.act(&format!("{col},{row}"), &format!("{bad_col},{bad_row}"), "\n");
    }

    fn line_move(&mut self) {
        let cell = self.choose();
        self.act(&letters(cell), &letters(self.stolen()), "\n");
    }

    /// Answers, in the way of the habit when its time has come.
    fn act(&mut self, answer: &str, stolen: &str, end: &str) {
        self.made += 1;
        let good = format!("{answer}{end}");
        if self.habit == "fork" && self.made == 1 {
            // A grandchild in a session of its own, which nobody waits for.
            let _ = Command::new("setsid").args(["sh", "-c", "sleep 3600 & sleep 3600"]).spawn();
        }
        if self.made < self.at {
            return say(&good);
        }
        match self.habit.as_str() {
            "stall" => std::thread::sleep(FOR_EVER),
            "late" => {
                std::thread::sleep(Duration::from_secs(2));
                say(&good);
            }
            "crash" | "fork" => std::process::exit(3),
            "abort" => std::process::abort(),
            "occupied" => say(&format!("{stolen}{end}")),
            "garbage" => say(&format!("= hello, world{end}")),
            "empty" => say("\n\n\n"),
            "half" => {
                say(&answer[..answer.len() - 1]);
                std::thread::sleep(FOR_EVER);
            }
            "half-exit" => say_and_exit(&answer[..answer.len() - 1]),
            "utf16" => {
                let wide: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
                bytes(&wide);
                bytes(b"\n\n");
            }
            "latin1" => bytes(b"\xe9\xff\xfe\n\n"),
            "flood" => loop {
                say(&"MESSAGE = all work and no play makes a dull engine ".repeat(1000));
            },
            // In large pieces, so that even a busy machine sees a flood before the time is up.
            "flood-lines" => loop {
                say(&"MESSAGE nothing\n".repeat(1000));
            },
            "close" => {
                // Another program takes this process over with its output closed.
                let _ = Command::new("sh").args(["-c", "exec >&-; exec sleep 3600"]).exec();
            }
            "noisy" => {
                for _ in 0..3000 {
                    let _ = std::io::stderr().write_all(&[b'e'; 1000]);
                }
                say(&good);
            }
            _ => say(&good),
        }
    }

    fn leave(&self) {
        if self.habit == "stay" {
            std::thread::sleep(FOR_EVER);
        }
        std::process::exit(0);
    }
}

fn letters((row, col): (usize, usize)) -> String {
    format!("{}{}", char::from(b'a' + (col % 26) as u8), row + 1)
}

fn say(text: &str) {
    bytes(text.as_bytes());
}

fn bytes(text: &[u8]) {
    let mut out = std::io::stdout();
    if out.write_all(text).and_then(|()| out.flush()).is_err() {
        std::process::exit(1);
    }
}

fn say_and_exit(text: &str) {
    say(text);
    std::process::exit(0);
}
