//! HTP, the Hex Text Protocol: GTP's frame with the commands of Hex, as HexGui, Benzene's programs and
//! match scripts speak it.
//!
//! A command is `[id] name arguments`; the answer is `=[id] text` or `?[id] message`, ended by an empty
//! line. Points are a column letter and a row number from the top. `boardsize` takes columns, then rows.
//! `play` and `genmove` take either colour at any time. `swap-pieces` mirrors the opening stone on the long
//! diagonal and recolours it, `swap-sides` leaves it and exchanges the players; `swap` alone is the kind set
//! with `param_game swap` (pieces, to begin with). The engine itself swaps only after
//! `param_game allow_swap 1`, because most clients never expect it to.

mod params;
mod solver;

use super::{ClientBoard, ClientTime, Frontend, FrontendStep, SearchJob, Urgency, over, quote};
use game::{
    Decision, EngineError, Game, Layer, Limits, Move, Picture, Position, Report, Setup, SetupError, Side,
};
use std::time::Duration;

/// Every command, in the order of `list_commands`.
const COMMANDS: [&str; 26] = [
    "all_legal_moves",
    "boardsize",
    "clear_board",
    "dfpn-solve-state",
    "dfpn-solver-find-winning",
    "final_score",
    "genmove",
    "hexgui-analyze_commands",
    "known_command",
    "list_commands",
    "name",
    "param_game",
    "param_tengen",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "showboard",
    "tengen-layer",
    "tengen-pv",
    "tengen-win_rates",
    "time_left",
    "time_settings",
    "undo",
    "version",
    "winner",
];

/// The engine side of HTP.
pub struct HtpFrontend {
    game: &'static dyn Game,
    engine: String,
    version: String,
    limits: Limits,
    clocks: [ClientTime; 2],
    swap: &'static str,
    allow_swap: bool,
    board: ClientBoard,
    asked: Option<Asked>,
}

/// A command that waits for a search.
struct Asked {
    id: String,
    side: Side,
    position: Box<dyn Position>,
    want: Want,
}

/// What is wanted of the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Play,
    Move,
    PrincipalLine,
    WinRates,
}

impl HtpFrontend {
    /// A frontend for `game`, played by the engine of this name, on the usual board. `limits.move_time` is the
    /// time for a move of a client that sets none.
    pub fn new(
        game: &'static dyn Game,
        engine: &str,
        version: &str,
        limits: Limits,
    ) -> Result<HtpFrontend, SetupError> {
        let (rows, cols) = game.default_size();
        Ok(HtpFrontend {
            game,
            engine: engine.into(),
            version: version.into(),
            clocks: [ClientTime { turn: limits.move_time, ..ClientTime::default() }; 2],
            limits: Limits { move_time: None, ..limits },
            swap: "swap-pieces",
            allow_swap: false,
            board: ClientBoard::new(game, &Setup::empty(rows, cols))?,
            asked: None,
        })
    }

    fn command(&mut self, id: &str, words: &[&str]) -> Result<FrontendStep, String> {
        let Some((name, args)) = words.split_first() else { return Ok(FrontendStep::silent()) };
        let text = match *name {
            "name" => format!("Tengen {}", self.engine),
            "version" => self.version.clone(),
            "protocol_version" => "2".into(),
            "list_commands" => format!("\n{}", COMMANDS.join("\n")),
            "known_command" => COMMANDS.contains(&one(name, args)?).to_string(),
            "boardsize" => return self.board_size(id, args),
            "clear_board" => {
                self.clear(self.board.position().rows(), self.board.position().cols())?;
                return Ok(FrontendStep::Forget(reply(id, "")));
            }
            "play" => self.play(args)?,
            "genmove" => return self.search(id, args, Want::Play),
            "reg_genmove" => return self.search(id, args, Want::Move),
            "tengen-pv" => return self.search(id, args, Want::PrincipalLine),
            "tengen-win_rates" => return self.search(id, args, Want::WinRates),
            "dfpn-solve-state" => self.solve_state(args)?,
            "dfpn-solver-find-winning" => self.find_winning(args)?,
            "tengen-layer" => self.layer(one(name, args)?)?,
            "undo" if self.board.undo() => String::new(),
            "undo" => return Err("cannot undo: there is no move to take back".into()),
            "showboard" => self.show_board(),
            "all_legal_moves" => {
                let position = self.board.position();
                words_of(position, &position.legal_moves())
            }
            "final_score" => match self.board.position().outcome() {
                Some(outcome) => play::sgf_result(&outcome),
                None => return Err("cannot score: the game is not over".into()),
            },
            "winner" => match self.board.position().outcome().and_then(|outcome| outcome.winner()) {
                Some(side) => side.to_string(),
                None => "none".into(),
            },
            "time_settings" => self.time_settings(args)?,
            "time_left" => self.time_left(args)?,
            "param_game" => self.param_game(args)?,
            "param_tengen" => self.param_tengen(args)?,
            "hexgui-analyze_commands" => self.analyze_commands(),
            "quit" => return Ok(FrontendStep::Quit(reply(id, ""))),
            unknown => return Err(format!("unknown command {}; see list_commands", quote(unknown))),
        };
        Ok(FrontendStep::Say(reply(id, &text)))
    }

    fn clear(&mut self, rows: u8, cols: u8) -> Result<(), String> {
        let mut setup = Setup::empty(rows, cols);
        if self.allow_swap && (rows == cols || self.swap == "swap-sides") {
            setup.opening = self.swap.into();
        }
        self.board = ClientBoard::new(self.game, &setup).map_err(|error| error.to_string())?;
        for clock in &mut self.clocks {
            clock.left = None;
        }
        Ok(())
    }

    fn board_size(&mut self, id: &str, args: &[&str]) -> Result<FrontendStep, String> {
        let bad = || {
            format!("boardsize {}; accepted: a size, or columns and rows, such as 11 or 11 9", args.join(" "))
        };
        let sizes: Vec<u8> =
            args.iter().map(|word| word.parse().map_err(|_| bad())).collect::<Result<_, _>>()?;
        match sizes[..] {
            [size] => self.clear(size, size)?,
            [cols, rows] => self.clear(rows, cols)?,
            _ => return Err(bad()),
        }
        Ok(FrontendStep::Forget(reply(id, "")))
    }

    fn play(&mut self, args: &[&str]) -> Result<String, String> {
        let [side, word] = args else {
            return Err("play needs a colour and a move, such as: play black f6".into());
        };
        let side = colour(side)?;
        let word = word.to_ascii_lowercase();
        match word.as_str() {
            "swap" => self.play_swap(side, self.swap)?,
            "swap-pieces" => self.play_swap(side, "swap-pieces")?,
            "swap-sides" => self.play_swap(side, "swap-sides")?,
            word => {
                let position = self.board.position();
                let mv = position.parse_move(word).map_err(|error| error.to_string())?;
                let Some(cell) = mv.cell() else { return Err(format!("{} is not a point", quote(word))) };
                if let Some(over) = over(position) {
                    return Err(over);
                }
                self.board.put(side, cell).map_err(|error| error.to_string())?;
            }
        }
        Ok(String::new())
    }

    /// The opponent swaps, whatever kind the board was set up for.
    fn play_swap(&mut self, side: Side, kind: &str) -> Result<(), String> {
        let position = self.board.position();
        if position.to_move() != side || position.history().len() != 1 || self.board.stones().len() != 1 {
            return Err(format!("{kind}: only the second player's first move can be a swap"));
        }
        let mut board =
            self.board.under(|setup| setup.opening = kind.into()).map_err(|error| error.to_string())?;
        board.play(Move::Swap).map_err(|error| error.to_string())?;
        self.board = board;
        Ok(())
    }

    fn search(&mut self, id: &str, args: &[&str], want: Want) -> Result<FrontendStep, String> {
        let side = match (args, want) {
            ([word], _) => colour(word)?,
            ([], Want::PrincipalLine | Want::WinRates) => self.board.position().to_move(),
            _ => return Err("a colour is needed, such as: genmove black".into()),
        };
        let position = self.board.as_seen_by(side).map_err(|error| error.to_string())?;
        if let Some(over) = over(&*position) {
            return Err(over);
        }
        let mut limits = self.limits.clone();
        let deadline = self.clocks[side.index()].apply(&mut limits);
        let job = SearchJob { position: position.boxed(), limits, deadline, reports: false };
        self.asked = Some(Asked { id: id.into(), side, position, want });
        Ok(FrontendStep::Think(Box::new(job)))
    }

    fn found(&mut self, asked: &Asked, decision: &Decision) -> Result<String, String> {
        let position = &*asked.position;
        match asked.want {
            Want::Move => {}
            Want::PrincipalLine => return Ok(words_of(position, decision.report.pv())),
            Want::WinRates => {
                let rates = decision.report.root.iter();
                let pairs =
                    rates.map(|root| format!("{} {:.3}", position.format_move(root.mv), root.win_rate));
                return Ok(pairs.collect::<Vec<_>>().join(" "));
            }
            Want::Play => {
                let played = match decision.mv {
                    Move::Place(cell) => self.board.put(asked.side, cell),
                    mv => self.board.play(mv),
                };
                played.map_err(|error| {
                    format!("the engine chose {}: {error}", position.format_move(decision.mv))
                })?;
            }
        }
        Ok(position.format_move(decision.mv))
    }

    fn layer(&self, name: &str) -> Result<String, String> {
        let position = self.board.position();
        match self.game.layer(position, name) {
            Some(layer) => Ok(layer_pairs(position, &layer)),
            None => {
                let names: Vec<_> = self.game.layers().iter().map(|(name, _)| *name).collect();
                Err(format!("unknown layer {}; accepted: {}", quote(name), names.join(", ")))
            }
        }
    }

    /// HexGui's menu: kind of answer, title, command.
    fn analyze_commands(&self) -> String {
        let mut lines = vec![
            "plist/Legal Moves/all_legal_moves".to_string(),
            "string/Winner/winner".into(),
            "string/Show Board/showboard".into(),
            "var/Principal Line/tengen-pv".into(),
            "pspairs/Win Rates/tengen-win_rates".into(),
        ];
        for (name, _) in self.game.layers() {
            let mut title = name.replace(['-', '_'], " ");
            if let Some(first) = title.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            lines.push(format!("pspairs/{title}/tengen-layer {name}"));
        }
        if !self.game.questions().is_empty() {
            lines.push("string/Solve State/dfpn-solve-state".into());
            lines.push("plist/Winning Moves/dfpn-solver-find-winning %c".into());
        }
        lines.push("param/Game Parameters/param_game".into());
        lines.push("param/Engine Parameters/param_tengen".into());
        lines.join("\n")
    }

    fn show_board(&self) -> String {
        let text = self.game.draw_text(self.board.position(), &Picture::default(), false);
        // An empty line would end the answer.
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        format!("\n{}", lines.join("\n"))
    }
}

impl Frontend for HtpFrontend {
    fn handle(&mut self, line: &str) -> FrontendStep {
        let (id, words) = split_id(line);
        let numbered = id.is_some();
        let id = id.unwrap_or_default();
        if words.is_empty() {
            return if numbered {
                FrontendStep::Say(error(id, "no command after the id"))
            } else {
                FrontendStep::silent()
            };
        }
        self.command(id, &words).unwrap_or_else(|problem| FrontendStep::Say(error(id, &problem)))
    }

    fn urgency(&self, line: &str) -> Urgency {
        let quits = split_id(line).1.first().is_some_and(|command| *command == "quit");
        if quits { Urgency::LeaveInOrder } else { Urgency::Wait }
    }

    fn refuse(&self, line: &str, problem: &str) -> String {
        error(split_id(line).0.unwrap_or_default(), problem)
    }

    fn report(&mut self, _report: &Report) -> String {
        String::new()
    }

    fn answer(&mut self, result: Result<Decision, EngineError>, elapsed: Duration) -> FrontendStep {
        let Some(asked) = self.asked.take() else { return FrontendStep::silent() };
        if asked.want == Want::Play {
            self.clocks[asked.side.index()].spend(elapsed);
        }
        let done = match result {
            Ok(decision) => self.found(&asked, &decision),
            Err(problem) => Err(problem.to_string()),
        };
        FrontendStep::Say(match done {
            Ok(text) => reply(&asked.id, &text),
            Err(problem) => error(&asked.id, &problem),
        })
    }
}

/// A good answer: the empty line that ends it comes with the line's own end.
fn reply(id: &str, text: &str) -> String {
    let space = if text.is_empty() || text.starts_with('\n') { "" } else { " " };
    format!("={id}{space}{}\n", text.trim_end())
}

/// The number and the words of a line, without its comment.
fn split_id(line: &str) -> (Option<&str>, Vec<&str>) {
    let line = line.split('#').next().unwrap_or_default();
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let numbered = words.first().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    (numbered.then(|| words.remove(0)), words)
}

fn error(id: &str, problem: &str) -> String {
    format!("?{id} {problem}\n")
}

fn one<'a>(command: &str, args: &[&'a str]) -> Result<&'a str, String> {
    match args {
        [word] => Ok(word),
        _ => Err(format!("{command} needs one argument")),
    }
}

fn colour(word: &str) -> Result<Side, String> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" | "red" | "r" => Ok(Side::Black),
        "w" | "white" | "blue" => Ok(Side::White),
        _ => Err(format!("{} is not a colour; accepted: black, white, b, w, red, blue", quote(word))),
    }
}

fn words_of(position: &dyn Position, moves: &[Move]) -> String {
    moves.iter().map(|mv| position.format_move(*mv)).collect::<Vec<_>>().join(" ")
}

/// Knowledge as HexGui draws it: pairs of a point and a short label. The carrier of a connection is labelled
/// with its owner.
fn layer_pairs(position: &dyn Position, layer: &Layer) -> String {
    let point = |cell| position.format_move(Move::Place(cell));
    let cells = layer.cells.iter().map(|shown| {
        let label = if shown.label.is_empty() {
            format!("{:.2}", shown.value)
        } else {
            shown.label.replace(' ', "_")
        };
        format!("{} {label}", point(shown.cell))
    });
    let mut carriers: Vec<_> =
        layer.links.iter().flat_map(|link| link.carrier.iter().map(|cell| (*cell, link.side))).collect();
    carriers.sort();
    carriers.dedup();
    let links = carriers.iter().map(|(cell, side)| format!("{} {}", point(*cell), ["B", "W"][side.index()]));
    cells.chain(links).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
