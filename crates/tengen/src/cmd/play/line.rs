//! Line mode: one command a line in, plain lines out. For pipes, scripts and screen readers.
//!
//! A bad line is answered with `error: …` and changes nothing; the end of the input ends the program.

use super::clocks;
use super::controller::{Controller, News, Task, explain};
use super::record::Saved;
use game::{Move, Picture, Position, Report, Seat, Setup};
use play::Refusal;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::time::Duration;

/// A longer line is not a command.
const MAX_LINE: u64 = 4096;

/// How often a wait for the engine looks at the clocks.
const TICK: Duration = Duration::from_millis(50);

const HELP: &str = "\
a move       play it, such as h8 (more than one word: several moves of yours in turn)
swap         take over the opponent's opening, where the rules offer it
extend       swap2: put two more stones and hand the choice of colour back; taraguchi-10: offer ten fifth moves
declare3     yamaguchi, soosorv-8: Black will offer three fifth moves
undo, redo   take back your last move and the engine's answer; play them again
hint         what the engine would play
eval         what the engine thinks of the position
show         draw the board, or over it one of: ";

const HELP_FILES: &str = "\
save FILE    write the game as SGF (save! FILE replaces another file)
load FILE    go on from a file: SGF, a grid, moves
resign       give up
new          start again
help         this list
quit         leave; so does the end of the input
";

/// How lines are shown.
pub(crate) struct Look {
    pub(crate) colour: bool,
    /// Somebody sits there: say whose turn it is before each line.
    pub(crate) prompt: bool,
}

/// Plays until `quit` or the end of the input.
pub(crate) fn run(
    session: &mut Controller,
    defaults: &Setup,
    look: &Look,
    mut input: impl BufRead,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut talk = Talk { session, defaults, look, out, told_the_end: false };
    talk.greet()?;
    talk.let_engine_play()?;
    loop {
        talk.prompt()?;
        match read_line(&mut input)? {
            None => return Ok(()),
            Some(Err(problem)) => talk.error(&problem)?,
            Some(Ok(line)) => {
                if !talk.obey(line.trim())? {
                    return Ok(());
                }
                talk.let_engine_play()?;
            }
        }
        talk.out.flush()?;
    }
}

/// One line without its end; `None` at the end of the input. What is too long or not text is skipped.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    input.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
        loop {
            let buffer = input.fill_buf()?;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(buffer.len(), |at| at + 1);
            input.consume(used);
            if end.is_some() || used == 0 {
                return Ok(Some(Err(format!(
                    "a line of more than {MAX_LINE} bytes; type help for commands"
                ))));
            }
        }
    }
    Ok(Some(String::from_utf8(bytes).map_err(|_| "the line is not UTF-8 text".into())))
}

struct Talk<'a> {
    session: &'a mut Controller,
    defaults: &'a Setup,
    look: &'a Look,
    out: &'a mut dyn Write,
    told_the_end: bool,
}

impl Talk<'_> {
    fn greet(&mut self) -> io::Result<()> {
        let position = self.session.position();
        let size = format!("{}x{}", position.rows(), position.cols());
        writeln!(self.out, "{} {size} {}; type help for commands", position.game(), position.rule())?;
        for seat in [Seat::First, Seat::Second] {
            writeln!(self.out, "{}: {}", self.session.position().colour_of(seat), self.session.name(seat))?;
        }
        self.show("")
    }

    fn prompt(&mut self) -> io::Result<()> {
        if self.look.prompt && !self.session.is_over() {
            let position = self.session.position();
            write!(self.out, "{} ({})> ", position.to_move(), self.session.name(position.turn()))?;
        } else if self.look.prompt {
            write!(self.out, "> ")?;
        }
        self.out.flush()
    }

    fn error(&mut self, problem: &dyn std::fmt::Display) -> io::Result<()> {
        writeln!(self.out, "error: {problem}")
    }

    /// Does what a line says; `false` when it says to leave.
    fn obey(&mut self, line: &str) -> io::Result<bool> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            "quit" | "exit" => return Ok(false),
            "help" | "?" => self.help()?,
            "show" => self.show(rest)?,
            "undo" => {
                let done = self.session.undo();
                self.report_back(done)?;
            }
            "redo" => {
                let done = self.session.redo();
                self.report_back(done)?;
            }
            "hint" => self.ask(Task::Hint)?,
            "eval" => self.ask(Task::Evaluation)?,
            "save" => self.save(rest, false)?,
            "save!" => self.save(rest, true)?,
            "load" => self.load(rest)?,
            "resign" => {
                if let Err(refusal) = self.session.resign() {
                    self.error(&explain(&refusal))?;
                }
            }
            "new" => match self.session.new_game() {
                Ok(()) => self.show("")?,
                Err(problem) => self.error(&problem)?,
            },
            _ => self.play(line)?,
        }
        Ok(true)
    }

    fn help(&mut self) -> io::Result<()> {
        let layers: Vec<_> = self.session.settings.game.layers().iter().map(|(name, _)| *name).collect();
        let layers = if layers.is_empty() { "(nothing here)".into() } else { layers.join(", ") };
        write!(self.out, "{HELP}{layers}\n{HELP_FILES}")
    }

    /// Plays the moves of a line as long as each is a person's to make.
    fn play(&mut self, line: &str) -> io::Result<()> {
        for word in line.split_whitespace() {
            let read = match word.to_ascii_lowercase().as_str() {
                "swap" => Ok(Move::Swap),
                "extend" => Ok(Move::Extend),
                _ => self.session.position().parse_move(word),
            };
            let text = read.as_ref().map(|mv| self.session.position().format_move(*mv)).unwrap_or_default();
            let side = self.session.position().to_move();
            if let Err(refusal) = read.map_err(Refusal::from).and_then(|mv| self.session.play(mv)) {
                return match refusal {
                    Refusal::Illegal(illegal) => self.error(&format!("{illegal} (help lists commands)")),
                    Refusal::OutOfTime(_) => Ok(()),
                    refusal => self.error(&explain(&refusal)),
                };
            }
            writeln!(self.out, "{side} plays {text}")?;
            self.let_engine_play()?;
        }
        Ok(())
    }

    /// Waits while it is the engine's turn, and tells what it does and how the game ends.
    fn let_engine_play(&mut self) -> io::Result<()> {
        let mut moved = false;
        self.told_the_end &= self.session.is_over();
        while !self.session.is_over() && !self.session.is_your_turn() && self.session.failure().is_none() {
            let side = self.session.position().to_move();
            for news in self.session.poll(TICK) {
                match news {
                    News::Moved(text) => {
                        let view = self.session.view().map(|view| value(&view.report)).unwrap_or_default();
                        writeln!(self.out, "{side} plays {text}  {view}")?;
                        moved = true;
                    }
                    News::Failed(problem) => self.error(&format!("{problem}; undo, or start a new game"))?,
                    _ => {}
                }
            }
        }
        self.session.poll(Duration::ZERO);
        if moved && self.look.prompt {
            return self.show("");
        }
        if self.session.is_over() && !self.told_the_end {
            return self.verdict();
        }
        Ok(())
    }

    fn ask(&mut self, task: Task) -> io::Result<()> {
        let asked = match task {
            Task::Hint => self.session.ask_hint(),
            _ => self.session.ask_evaluation(),
        };
        if let Err(refusal) = asked {
            return self.error(&explain(&refusal));
        }
        while self.session.task() != Task::Nothing {
            for news in self.session.poll(TICK) {
                match news {
                    News::Hint(text) => writeln!(self.out, "hint: {text}")?,
                    News::Evaluated => self.evaluation()?,
                    News::Failed(problem) => self.error(&problem)?,
                    News::Moved(_) | News::Report | News::OutOfTime => {}
                }
            }
        }
        Ok(())
    }

    fn evaluation(&mut self) -> io::Result<()> {
        let Some(view) = self.session.view() else { return Ok(()) };
        let (position, report) = (&*view.position, &view.report);
        writeln!(self.out, "for {}: {}", position.to_move(), summary(report))?;
        for line in &report.lines {
            let of_line =
                Report { score: line.score, win_rate: line.win_rate, mate: line.mate, ..Report::default() };
            writeln!(self.out, "  {}  {}", value(&of_line), api::words(position, &line.moves).join(" "))?;
        }
        Ok(())
    }

    fn report_back(&mut self, done: Result<(), Refusal>) -> io::Result<()> {
        match done {
            Ok(()) => self.show(""),
            Err(refusal) => self.error(&explain(&refusal)),
        }
    }

    fn save(&mut self, file: &str, replace: bool) -> io::Result<()> {
        if file.is_empty() {
            return self.error(&"save needs a file name");
        }
        match self.session.save(Path::new(file), replace) {
            Ok(Saved::Written) => writeln!(self.out, "saved {file}"),
            Ok(Saved::Exists) => self.error(&format!("{file} exists; `save! {file}` replaces it")),
            Err(problem) => self.error(&format!("{problem:#}")),
        }
    }

    fn load(&mut self, file: &str) -> io::Result<()> {
        if file.is_empty() {
            return self.error(&"load needs a file name");
        }
        match self.session.load(Path::new(file), self.defaults) {
            Ok(()) => self.show(""),
            Err(problem) => self.error(&format!("{problem:#}")),
        }
    }

    /// The board, with knowledge over it where `layer` names some, and whose turn it is.
    fn show(&mut self, layer: &str) -> io::Result<()> {
        let (game, position) = (self.session.settings.game, self.session.position());
        let mut picture = Picture::default();
        if !layer.is_empty() {
            let Some(found) = game.layer(position, layer) else {
                let names: Vec<_> = game.layers().iter().map(|(name, _)| *name).collect();
                return self.error(&format!("cannot show '{layer}'; accepted: {}", names.join(", ")));
            };
            picture.marks = found.cells.into_iter().map(|cell| (cell.cell, cell.label)).collect();
        }
        write!(self.out, "{}", game.draw_text(position, &picture, self.look.colour))?;
        let forbidden: Vec<_> =
            position.forbidden().iter().map(|(cell, _)| position.format_move((*cell).into())).collect();
        if !forbidden.is_empty() {
            writeln!(self.out, "forbidden: {}", forbidden.join(" "))?;
        }
        if self.session.is_over() {
            return self.verdict();
        }
        self.turn()
    }

    fn turn(&mut self) -> io::Result<()> {
        let position = self.session.position();
        let (seat, count) = (position.turn(), position.history().len());
        let what = match position.opening_step() {
            Some(step) if step.declare_up_to > 0 => {
                format!("to declare the number of fifth moves (declare1 to declare{})", step.declare_up_to)
            }
            Some(step) if step.offers_left > 0 => format!("to offer fifth moves ({} more)", step.offers_left),
            Some(step) if !step.offers.is_empty() => "to choose one of the offered fifth moves".into(),
            _ => "to play".into(),
        };
        let side = position.colour_of(seat);
        write!(self.out, "move {}: {side} ({}) {what}", count + 1, self.session.name(seat))?;
        for other in offers(position) {
            write!(self.out, ", or {other}")?;
        }
        let times: Vec<_> = [Seat::First, Seat::Second]
            .into_iter()
            .filter_map(|seat| {
                let left = clocks::show(self.session.time_left(seat)?);
                Some(format!("{} {left}", self.session.position().colour_of(seat)))
            })
            .collect();
        if !times.is_empty() {
            write!(self.out, " [{}]", times.join(", "))?;
        }
        writeln!(self.out)
    }

    fn verdict(&mut self) -> io::Result<()> {
        self.told_the_end = true;
        match self.session.verdict() {
            Some(verdict) => writeln!(self.out, "game over: {verdict}"),
            None => Ok(()),
        }
    }
}

/// The moves without a cell that are allowed now, by their command.
pub(crate) fn offers(position: &dyn Position) -> Vec<&'static str> {
    let named = [(Move::Swap, "swap"), (Move::Extend, "extend")];
    named.into_iter().filter(|(mv, _)| position.legal(*mv).is_ok()).map(|(_, name)| name).collect()
}

/// Depth, nodes and value in one line.
pub(crate) fn summary(report: &Report) -> String {
    format!("{}, depth {}, {} nodes", value(report), report.depth, report.nodes)
}

/// What the report thinks of the position, from the view of the side to move.
pub(crate) fn value(report: &Report) -> String {
    match report.mate {
        Some(plies) => api::mate_text(plies),
        None => format!("{:.0} % ({})", report.win_rate * 100.0, (report.score * 100.0).round() / 100.0),
    }
}

#[cfg(test)]
mod tests;
