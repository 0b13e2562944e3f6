//! A puzzle as a talk of lines: you move, the guide judges and defends.

use super::headline;
use game::{Game, Move, Picture, Position, Puzzle};
use std::io::{self, BufRead, Read, Write};

/// Judges moves and defends.
pub(super) trait Guide {
    /// What the position after your move is worth.
    fn rule(&mut self, position: &dyn Position) -> Ruling;

    /// A way to win where it is your move; `None` where there is none (any more).
    fn line(&mut self, position: &dyn Position) -> Option<Vec<Move>>;
}

/// What a move was worth.
pub(super) enum Ruling {
    /// The game is won.
    Solved,
    /// The win is still there; the answer, if the defender has one.
    GoOn(Option<Move>),
    /// The win is gone.
    Lost,
    /// Nobody knows: neither a win nor a refutation was found in time.
    Unclear,
}

/// A longer line is not a command.
const MAX_LINE: u64 = 4096;

const HELP: &str = "\
a move      play it, such as h8
hint        where to look: the next move
solution    a whole way to win from here
undo        take back your last move and its answer
show        draw the board
quit        leave; so does the end of the input
";

/// A puzzle on the table.
pub(super) struct PuzzleSession {
    pub(super) game: &'static dyn Game,
    pub(super) puzzle: Puzzle,
    pub(super) start: Box<dyn Position>,
    pub(super) guide: Box<dyn Guide>,
    /// Somebody sits there: ask for a move before each line.
    pub(super) prompt: bool,
    pub(super) colour: bool,
}

impl PuzzleSession {
    /// Plays until the puzzle is solved, `quit`, or the end of the input.
    pub(super) fn run(mut self, mut input: impl BufRead, out: &mut dyn Write) -> io::Result<()> {
        let mut position = self.start.clone();
        self.show(&*position, out)?;
        writeln!(out, "{}; type help for commands", headline(&self.puzzle))?;
        loop {
            if self.prompt {
                write!(out, "{}> ", position.to_move())?;
            }
            out.flush()?;
            let mut bytes = Vec::new();
            input.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes)?;
            if bytes.is_empty() {
                return Ok(());
            }
            let line = String::from_utf8_lossy(&bytes).trim().to_ascii_lowercase();
            match line.as_str() {
                "" => {}
                "quit" | "exit" => return Ok(()),
                "help" | "?" => write!(out, "{HELP}")?,
                "show" => self.show(&*position, out)?,
                "undo" => self.undo(&mut *position, out)?,
                "hint" | "solution" => self.tell(&*position, line == "hint", out)?,
                word => {
                    if self.play(&mut *position, word, out)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Plays a move and its answer; true once the puzzle is solved.
    fn play(&mut self, position: &mut dyn Position, word: &str, out: &mut dyn Write) -> io::Result<bool> {
        let mv = match position.parse_move(word).and_then(|mv| position.play(mv).map(|()| mv)) {
            Ok(mv) => mv,
            Err(error) => {
                writeln!(out, "error: {error} (help lists commands)")?;
                return Ok(false);
            }
        };
        let name = position.format_move(mv);
        match self.guide.rule(position) {
            Ruling::Solved => {
                self.show(position, out)?;
                writeln!(out, "{name}: solved")?;
                return Ok(true);
            }
            Ruling::GoOn(Some(reply)) => {
                let text = position.format_move(reply);
                if let Err(error) = position.play(reply) {
                    writeln!(out, "error: the answer {text}: {error}")?;
                }
                self.show(position, out)?;
                writeln!(out, "{name}: good; {} answers {text}", self.puzzle.side.other())?;
                if position.outcome().is_some() {
                    writeln!(out, "the game is over; undo to try again")?;
                }
            }
            Ruling::GoOn(None) => {
                writeln!(out, "{name}: solved, there is no legal answer")?;
                return Ok(true);
            }
            Ruling::Lost => {
                position.undo();
                writeln!(out, "{name}: no, that lets the win slip; try another move")?;
            }
            Ruling::Unclear => {
                position.undo();
                writeln!(
                    out,
                    "{name}: perhaps, but no win was found in time, nor an escape; try another move"
                )?;
            }
        }
        Ok(false)
    }

    fn undo(&mut self, position: &mut dyn Position, out: &mut dyn Write) -> io::Result<()> {
        if position.history().len() <= self.start.history().len() {
            return writeln!(out, "error: nothing to take back");
        }
        position.undo();
        if position.to_move() != self.puzzle.side {
            position.undo();
        }
        self.show(position, out)
    }

    fn tell(&mut self, position: &dyn Position, only_next: bool, out: &mut dyn Write) -> io::Result<()> {
        match self.guide.line(position) {
            Some(line) if only_next => {
                let next: Vec<Move> = line.into_iter().take(1).collect();
                writeln!(out, "look at {}", api::words(position, &next).join(" "))
            }
            Some(line) => writeln!(out, "{}", api::words(position, &line).join(" ")),
            None => writeln!(out, "no win was found from here; undo to try again"),
        }
    }

    fn show(&self, position: &dyn Position, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}", self.game.draw_text(position, &Picture::default(), self.colour))
    }
}
