//! The Gomocup protocol from the manager's side.
//!
//! `x` is the column and `y` the row from the top left. Reference: Gomocup's protocol description, version 2,
//! with the extensions for nodes, depth and threads that strong engines understand.

use super::{Driver, quote, timeline};
use crate::player::{Fault, GameStart, MoveReply, MoveRequest};
use crate::process::Child;
use game::{Cell, Move, MoveNote, Position, Side, StopFlag};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

pub(super) struct GomocupDriver {
    init: Vec<String>,
    options: Vec<(String, String)>,
    /// Length of the history that the program has seen, its own last move included.
    known: Option<usize>,
    /// When it last answered.
    answered: Option<Instant>,
    swap2: bool,
    /// Moves of a swap2 answer that are still to be made.
    pending: VecDeque<Move>,
}

/// Openings with decisions that the protocol has no words for.
const NOT_EXPRESSIBLE: [&str; 4] = ["rif", "yamaguchi", "soosorv-8", "taraguchi-10"];

/// Pause between an engine's answer and the next line sent to it.
pub(super) const PAUSE_AFTER_ANSWER: Duration = Duration::from_millis(5);

impl GomocupDriver {
    pub(super) fn new(init: Vec<String>, options: Vec<(String, String)>) -> GomocupDriver {
        GomocupDriver { init, options, known: None, answered: None, swap2: false, pending: VecDeque::new() }
    }
}

impl Driver for GomocupDriver {
    fn start(&mut self, child: &mut Child, start: &GameStart) -> Result<(), Fault> {
        self.known = None;
        self.swap2 = start.setup.opening == "swap2";
        self.pending.clear();
        let opening = start.setup.opening.as_str();
        if NOT_EXPRESSIBLE.contains(&opening) {
            return Err(Fault::Refused(format!(
                "the Gomocup protocol has no words for opening {opening}; accepted: free, swap, swap2, pro, long-pro"
            )));
        }
        let (rows, cols) = (start.setup.rows, start.setup.cols);
        let word = if rows == cols { format!("START {rows}") } else { format!("RECTSTART {cols},{rows}") };
        child.request(&word, start.deadline, start.stop)?;
        loop {
            let line = child.read_line(start.deadline, start.stop)?;
            match OutputLine::read(&line) {
                OutputLine::Ok => break,
                OutputLine::Trouble(text) => {
                    return Err(Fault::Refused(format!("answer to {word}: {}", quote(text))));
                }
                // Banners are common before the handshake.
                _ => {}
            }
        }
        let control = start.control;
        let rule = match start.setup.rule.as_str() {
            "standard" | "exact" => 1,
            "renju" => 4,
            "caro" => 8,
            _ => 0,
        };
        let turn = control.per_move.or(control.per_game).unwrap_or(control.patience);
        let mut infos = vec![
            format!("timeout_turn {}", millis(turn)),
            format!("timeout_match {}", control.per_game.map_or(0, millis)),
            format!("max_memory {}", start.limits.memory_mb.saturating_mul(1 << 20)),
            "game_type 1".into(),
            format!("rule {rule}"),
            format!("folder {}", std::env::temp_dir().display()),
            format!("thread_num {}", start.limits.threads),
        ];
        infos.extend(control.depth.map(|depth| format!("max_depth {depth}")));
        infos.extend(control.nodes.map(|nodes| format!("max_node {nodes}")));
        infos.extend(self.options.iter().map(|(key, value)| format!("{key} {value}")));
        for info in infos {
            child.send(&format!("INFO {info}"), start.deadline, start.stop)?;
        }
        for line in &self.init {
            child.send(line, start.deadline, start.stop)?;
        }
        Ok(())
    }

    fn choose(
        &mut self,
        child: &mut Child,
        position: &dyn Position,
        request: &MoveRequest,
    ) -> Result<MoveReply, Fault> {
        if let Some(mv) = self.pending.pop_front() {
            return Ok(MoveReply { mv: Some(mv), note: MoveNote::default(), time: Duration::ZERO });
        }
        // Some engines announce a move a moment before they listen again, and lose what is sent at once. The
        // pause is the referee's: the clock starts after it.
        if let Some(answered) = self.answered {
            std::thread::sleep(PAUSE_AFTER_ANSWER.saturating_sub(answered.elapsed()));
        }
        let asked = Instant::now();
        let deadline = asked + request.allowed;
        let left = request.limits.clock.map_or(i32::MAX as u128, |clock| clock.left.as_millis());
        // The first line of a request discards stale output; the others keep what arrives.
        child.request(&format!("INFO time_left {left}"), deadline, request.stop)?;
        let mut send = |line: &str| child.send(line, deadline, request.stop);
        let offer = self.swap2 && offers_choice(position);
        let history = position.history();
        match (history.last(), self.known) {
            _ if offer => {
                send("SWAP2BOARD")?;
                for (_, cell) in stones(position) {
                    send(&format!("{},{}", cell.col, cell.row))?;
                }
                send("DONE")?;
            }
            (Some(Move::Place(cell)), Some(known)) if history.len() == known + 1 => {
                send(&format!("TURN {},{}", cell.col, cell.row))?;
            }
            _ => {
                let stones = stones(position);
                if stones.is_empty() {
                    send("BEGIN")?;
                } else {
                    send("BOARD")?;
                    for (side, cell) in stones {
                        let owner = if side == position.to_move() { 1 } else { 2 };
                        send(&format!("{},{},{owner}", cell.col, cell.row))?;
                    }
                    send("DONE")?;
                }
            }
        }
        let mut note = MoveNote::default();
        let said = read_answer(child, deadline, request.stop, &mut note)?;
        let answered = Instant::now();
        self.known = Some(history.len() + 1);
        self.answered = Some(answered);
        let syntax = || Fault::Syntax(format!("'{}' is not a move; accepted: x,y such as 7,7", quote(&said)));
        let mv = if offer {
            self.pending = swap2_answer(&said, history.len()).ok_or_else(syntax)?;
            // The referee decides what the board looks like after a swap2 answer.
            self.known = None;
            self.pending.pop_front().ok_or_else(syntax)?
        } else {
            Move::Place(point(&said).ok_or_else(syntax)?)
        };
        Ok(MoveReply { mv: Some(mv), note, time: answered - asked })
    }

    fn quit_command(&self) -> &'static str {
        "END"
    }
}

/// Is this one of the three points at which swap2 offers a choice?
fn offers_choice(position: &dyn Position) -> bool {
    stones(position).is_empty()
        || position.legal_moves().iter().any(|mv| matches!(mv, Move::Swap | Move::Extend))
}

/// All stones on the board, in the order they came.
fn stones(position: &dyn Position) -> Vec<(Side, Cell)> {
    let (base, moves) = timeline(position);
    let cells = (0..base.rows()).flat_map(|row| (0..base.cols()).map(move |col| Cell::new(row, col)));
    let mut stones: Vec<_> = cells.filter_map(|cell| Some((base.at(cell)?, cell))).collect();
    stones.extend(moves.iter().filter_map(|(side, mv)| Some((*side, mv.cell()?))));
    // A swap may have moved or recoloured stones: the board decides.
    stones.retain(|(_, cell)| position.at(*cell).is_some());
    stones.iter().map(|(side, cell)| (position.at(*cell).unwrap_or(*side), *cell)).collect()
}

/// The answer to `SWAP2BOARD`: the opening's three stones, or `SWAP`, one stone or two.
fn swap2_answer(text: &str, history: usize) -> Option<VecDeque<Move>> {
    if text.eq_ignore_ascii_case("SWAP") {
        return Some(VecDeque::from([Move::Swap]));
    }
    let cells: Option<Vec<Cell>> = text.split_whitespace().map(point).collect();
    let mut moves: VecDeque<Move> = cells?.into_iter().map(Move::Place).collect();
    match (history, moves.len()) {
        (0, 3) | (1.., 1) => Some(moves),
        (1.., 2) => {
            moves.push_front(Move::Extend);
            Some(moves)
        }
        _ => None,
    }
}

/// Waits for the line that is neither a message nor an acknowledgement.
fn read_answer(
    child: &mut Child,
    deadline: Instant,
    stop: &StopFlag,
    note: &mut MoveNote,
) -> Result<String, Fault> {
    loop {
        let line = child.read_line(deadline, stop)?;
        match OutputLine::read(&line) {
            OutputLine::Ok | OutputLine::Chatter => {}
            OutputLine::Message(text) => read_note(text, note),
            OutputLine::Trouble(text) if is_about_info(text) => {}
            OutputLine::Trouble(text) => return Err(Fault::Refused(quote(text))),
            OutputLine::Move(text) => return Ok(text.to_string()),
        }
    }
}

/// Is a complaint about an `INFO`, which needs no answer? Some engines take its words for commands when it comes
/// while they are still busy with their last answer.
fn is_about_info(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(str::to_ascii_lowercase).collect();
    let about = |word: &String| word == "info" || word == "time_left" || word.parse::<u64>().is_ok();
    words.iter().any(|word| word == "unknown") && words.last().is_some_and(about)
}

enum OutputLine<'a> {
    Ok,
    Chatter,
    Message(&'a str),
    Trouble(&'a str),
    Move(&'a str),
}

impl OutputLine<'_> {
    fn read(line: &str) -> OutputLine<'_> {
        let line = line.trim();
        let word = line.split_whitespace().next().unwrap_or_default();
        match word.to_ascii_uppercase().as_str() {
            "" | "DEBUG" | "SUGGEST" => OutputLine::Chatter,
            "OK" => OutputLine::Ok,
            "MESSAGE" => OutputLine::Message(line[word.len()..].trim()),
            "ERROR" | "UNKNOWN" => OutputLine::Trouble(line),
            _ => OutputLine::Move(line),
        }
    }
}

/// `x,y` on a board of up to 255 lines.
fn point(text: &str) -> Option<Cell> {
    let (x, y) = text.split_once(',')?;
    Some(Cell::new(y.trim().parse().ok()?, x.trim().parse().ok()?))
}

/// Picks depth, score and nodes out of a message such as `Depth 12-20 | Eval -35 | Node 1.2M`.
fn read_note(text: &str, note: &mut MoveNote) {
    let words: Vec<String> = text
        .split(|c: char| c.is_whitespace() || "|:=,()".contains(c))
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    for pair in words.windows(2) {
        let value = pair[1].as_str();
        match pair[0].as_str() {
            "depth" | "d" => note.depth = value.split('-').next().and_then(|d| d.parse().ok()).or(note.depth),
            "ev" | "eval" | "score" | "value" => {
                note.score = score(value).or(note.score);
            }
            "n" | "node" | "nodes" => note.nodes = count(value).or(note.nodes),
            _ => {}
        }
    }
}

/// A number, or a win (`+m5`) or loss (`-m4`) in so many moves as a very large one.
fn score(text: &str) -> Option<f64> {
    const MATE: f64 = 30_000.0;
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    match rest.strip_prefix('m') {
        Some(plies) => plies.parse::<f64>().ok().map(|plies| sign * (MATE - plies)),
        None => rest.parse::<f64>().ok().filter(|value| value.is_finite()).map(|value| sign * value),
    }
}

/// `1200`, `12k`, `1.2m`, `3g`.
fn count(text: &str) -> Option<u64> {
    let (digits, unit) = match text.as_bytes().last()? {
        b'k' => (&text[..text.len() - 1], 1e3),
        b'm' => (&text[..text.len() - 1], 1e6),
        b'g' | b'b' => (&text[..text.len() - 1], 1e9),
        _ => (text, 1.0),
    };
    digits.parse::<f64>().ok().filter(|n| (0.0..1e18).contains(n)).map(|n| (n * unit) as u64)
}

fn millis(time: Duration) -> u128 {
    time.as_millis().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_known_engines_are_understood() {
        let mut note = MoveNote::default();
        read_note("Depth 12-20 | Eval -35 | Time 810ms | H8 I9", &mut note);
        assert_eq!((note.depth, note.score), (Some(12), Some(-35.0)));
        read_note("depth 9 ev +M7 n 12K", &mut note);
        assert_eq!((note.depth, note.score, note.nodes), (Some(9), Some(29_993.0), Some(12_000)));
        read_note("winrate: 51.2%, no score yet", &mut note);
        assert_eq!(note.score, Some(29_993.0));
    }

    #[test]
    fn complaints_about_an_info_are_not_refusals() {
        for text in ["ERROR Unknown command: TIME_LEFT", "UNKNOWN command 4000", "ERROR unknown command INFO"]
        {
            assert!(is_about_info(text), "{text}");
        }
        for text in ["ERROR Unknown command: TURN", "ERROR no game", "UNKNOWN", "ERROR 5"] {
            assert!(!is_about_info(text), "{text}");
        }
    }

    #[test]
    fn swap2_answers() {
        let place = |x, y| Move::Place(Cell::new(y, x));
        assert_eq!(swap2_answer("SWAP", 3), Some([Move::Swap].into()));
        assert_eq!(swap2_answer("1,2 3,4", 3), Some([Move::Extend, place(1, 2), place(3, 4)].into()));
        assert_eq!(swap2_answer("1,2 3,4 5,6", 0).map(|moves| moves.len()), Some(3));
        assert_eq!(swap2_answer("1,2", 0), None);
        assert_eq!(swap2_answer("1;2", 3), None);
    }

    #[test]
    fn points_are_column_then_row() {
        assert_eq!(point("3,12"), Some(Cell::new(12, 3)));
        for bad in ["", "3", "3,", "-1,3", "300,1", "3,1 4,4", "a,b"] {
            assert_eq!(point(bad), None, "{bad}");
        }
    }
}
