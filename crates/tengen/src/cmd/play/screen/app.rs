//! What keys, mouse and time do to the screen, and how it is laid out.

use super::board::{Board, Grid};
use super::panel;
use crate::cmd::play::controller::{Controller, News, explain};
use crate::cmd::play::record::Saved;
use game::{Cell, Layer, Move, Setup};
use play::Refusal;
use ratatui::Frame;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Paragraph, Wrap};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// The game on the screen.
pub(super) struct App {
    pub(super) session: Controller,
    pub(super) cursor: Cell,
    pub(super) ascii: bool,
    defaults: Setup,
    mode: Mode,
    message: String,
    show_forbidden: bool,
    /// Which of the game's layers lies over the board, and for how many moves it was worked out.
    layer: Option<(usize, usize, Layer)>,
    ticks: u64,
    left: bool,
}

/// What the next key means.
enum Mode {
    Board,
    Help,
    /// A file name is being typed.
    Prompt(Wish, String),
    /// Waiting for `y` or `n`.
    Confirm(Deed),
}

#[derive(Clone, Copy, PartialEq)]
enum Wish {
    Save,
    Load,
}

/// What is done only after a question.
enum Deed {
    Quit,
    New,
    Resign,
    Replace(PathBuf),
    /// Load this although the present game is not saved.
    Load,
    /// A move that loses at once by the rules.
    PlayForbidden(Cell),
}

impl App {
    pub(super) fn new(session: Controller, defaults: Setup, ascii: bool) -> App {
        let (rows, cols) = (session.position().rows(), session.position().cols());
        App {
            session,
            cursor: Cell::new(rows / 2, cols / 2),
            ascii,
            defaults,
            mode: Mode::Board,
            message: "press ? for help".into(),
            show_forbidden: true,
            layer: None,
            ticks: 0,
            left: false,
        }
    }

    pub(super) fn has_left(&self) -> bool {
        self.left
    }

    pub(super) fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The layer over the board, by name.
    pub(super) fn layer(&self) -> Option<(&'static str, &Layer)> {
        let (index, _, layer) = self.layer.as_ref()?;
        Some((self.session.settings.game.layers().get(*index)?.0, layer))
    }

    /// The last move in the game's notation.
    pub(super) fn last_move(&self) -> Option<String> {
        let position = self.session.position();
        position.history().last().map(|mv| position.format_move(*mv))
    }

    /// Takes in what the engine and the clocks have done.
    pub(super) fn tick(&mut self) {
        self.ticks += 1;
        let side = self.session.position().to_move();
        for news in self.session.poll(Duration::ZERO) {
            match news {
                News::Moved(text) => {
                    self.message = format!("{side} played {text}");
                    self.follow_last_move();
                }
                News::Hint(text) => self.message = format!("hint: {text}"),
                News::Failed(problem) => self.message = format!("{problem}; . asks again, u takes back"),
                News::OutOfTime => self.message = "time is over".into(),
                News::Report | News::Evaluated => {}
            }
        }
        self.refresh_layer();
    }

    pub(super) fn handle(&mut self, event: &Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            _ => {}
        }
        self.refresh_layer();
    }

    fn key(&mut self, key: KeyEvent) {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            self.left = true;
            return;
        }
        match std::mem::replace(&mut self.mode, Mode::Board) {
            Mode::Board => self.board_key(key.code),
            Mode::Help => {}
            Mode::Prompt(wish, text) => self.prompt_key(wish, text, key.code),
            Mode::Confirm(deed) => match key.code {
                KeyCode::Char('y' | 'Y') => self.carry_out(deed),
                _ => self.message.clear(),
            },
        }
    }

    fn board_key(&mut self, code: KeyCode) {
        self.message.clear();
        match code {
            KeyCode::Left | KeyCode::Char('h') => self.step(0, -1),
            KeyCode::Down | KeyCode::Char('j') => self.step(1, 0),
            KeyCode::Up | KeyCode::Char('k') => self.step(-1, 0),
            KeyCode::Right | KeyCode::Char('l') => self.step(0, 1),
            KeyCode::Char('c') => self.follow_last_move(),
            KeyCode::Enter | KeyCode::Char(' ') => self.play(),
            KeyCode::Char('s') => self.play_named(Move::Swap),
            KeyCode::Char('x') => self.play_named(Move::Extend),
            KeyCode::Char('u') | KeyCode::Backspace => {
                let done = self.session.undo();
                self.tell(done, "taken back; r plays it again");
            }
            KeyCode::Char('r') => {
                let done = self.session.redo();
                self.tell(done, "played again");
            }
            KeyCode::Char('t') => {
                let done = self.session.ask_hint();
                self.tell(done, "looking for a hint");
            }
            KeyCode::Char('e') => {
                self.session.set_evaluating(!self.session.is_evaluating());
                let state = if self.session.is_evaluating() { "on" } else { "off" };
                self.message = format!("evaluation {state}");
            }
            KeyCode::Char('m') => self.next_layer(),
            KeyCode::Char('f') => {
                self.show_forbidden = !self.show_forbidden;
                let state = if self.show_forbidden { "shown" } else { "hidden" };
                self.message = format!("forbidden points {state}");
            }
            KeyCode::Char('.') => self.session.stop_and_move(),
            KeyCode::Char('w') => self.mode = Mode::Prompt(Wish::Save, self.file_name()),
            KeyCode::Char('o') if self.session.has_unsaved_moves() => self.mode = Mode::Confirm(Deed::Load),
            KeyCode::Char('o') => self.mode = Mode::Prompt(Wish::Load, String::new()),
            KeyCode::Char('R') if self.session.is_over() => self.carry_out(Deed::Resign),
            KeyCode::Char('R') => self.mode = Mode::Confirm(Deed::Resign),
            KeyCode::Char('n') if self.session.has_unsaved_moves() => self.mode = Mode::Confirm(Deed::New),
            KeyCode::Char('n') => self.carry_out(Deed::New),
            KeyCode::Char('?') => self.mode = Mode::Help,
            KeyCode::Char('q') if self.session.has_unsaved_moves() => self.mode = Mode::Confirm(Deed::Quit),
            KeyCode::Char('q') => self.left = true,
            _ => self.message = "press ? for the keys".into(),
        }
    }

    fn prompt_key(&mut self, wish: Wish, mut text: String, code: KeyCode) {
        match code {
            KeyCode::Enter if text.trim().is_empty() => {}
            KeyCode::Enter => {
                let path = PathBuf::from(text.trim());
                if wish == Wish::Save { self.save(path, false) } else { self.load(path) }
            }
            KeyCode::Esc => {}
            code => {
                match code {
                    KeyCode::Backspace => drop(text.pop()),
                    KeyCode::Char(letter) => text.push(letter),
                    _ => {}
                }
                self.mode = Mode::Prompt(wish, text);
            }
        }
    }

    fn carry_out(&mut self, deed: Deed) {
        match deed {
            Deed::Quit => self.left = true,
            Deed::New => match self.session.new_game() {
                Ok(()) => self.message = "a new game".into(),
                Err(problem) => self.message = problem.to_string(),
            },
            Deed::Resign => {
                let done = self.session.resign();
                self.tell(done, "resigned; u takes it back");
            }
            Deed::Replace(path) => self.save(path, true),
            Deed::Load => self.mode = Mode::Prompt(Wish::Load, String::new()),
            Deed::PlayForbidden(cell) => {
                let done = self.session.play(cell.into());
                self.tell(done, "");
            }
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        let grid = Grid::of(self.session.position());
        match (mouse.kind, &self.mode) {
            (MouseEventKind::Down(MouseButton::Left), Mode::Board) => {
                if let Some(cell) = grid.cell_at(mouse.column, mouse.row) {
                    self.message.clear();
                    self.cursor = cell;
                    self.play();
                }
            }
            (MouseEventKind::Down(_), Mode::Help) => self.mode = Mode::Board,
            _ => {}
        }
    }

    fn step(&mut self, rows: i8, cols: i8) {
        let moved = |at: u8, by: i8, size: u8| at.saturating_add_signed(by).min(size.saturating_sub(1));
        let position = self.session.position();
        self.cursor = Cell::new(
            moved(self.cursor.row, rows, position.rows()),
            moved(self.cursor.col, cols, position.cols()),
        );
    }

    fn follow_last_move(&mut self) {
        let last = self.session.position().history().last().and_then(|mv| mv.cell());
        self.cursor = last.unwrap_or(self.cursor);
    }

    fn play(&mut self) {
        let cell = self.cursor;
        let forbidden = self.session.position().forbidden().into_iter().any(|(at, _)| at == cell);
        if forbidden && self.session.is_your_turn() && self.session.position().legal(cell.into()).is_ok() {
            self.mode = Mode::Confirm(Deed::PlayForbidden(cell));
            return;
        }
        let done = self.session.play(cell.into());
        self.tell(done, "");
    }

    fn play_named(&mut self, mv: Move) {
        let seat = self.session.position().turn();
        match self.session.play(mv) {
            Ok(()) => {
                let side = self.session.position().colour_of(seat);
                let who = match self.session.name(seat) {
                    "you" => "you hold".to_string(),
                    name => format!("{name} holds"),
                };
                self.message = format!("{} played; {who} {side}", self.last_move().unwrap_or_default());
            }
            Err(refusal) => self.message = explain(&refusal),
        }
    }

    fn tell(&mut self, done: Result<(), Refusal>, success: &str) {
        self.message = match done {
            Ok(()) => success.to_string(),
            Err(refusal) => explain(&refusal),
        };
    }

    fn next_layer(&mut self) {
        let layers = self.session.settings.game.layers();
        let next = self.layer.as_ref().map_or(0, |(index, ..)| index + 1);
        self.layer = layers.get(next).map(|_| (next, usize::MAX, Layer::default()));
        self.message = match layers.get(next) {
            Some((name, about)) => format!("{name}: {about}"),
            None if layers.is_empty() => "this game has no marks".into(),
            None => "no marks".into(),
        };
        self.refresh_layer();
    }

    /// Works the layer out again when the position has changed.
    fn refresh_layer(&mut self) {
        let position = self.session.position();
        let moves = position.history().len();
        // Undo and redo can keep the count but not the stones; the hash tells.
        let stamp = moves.wrapping_add(position.hash() as usize);
        if let Some((index, seen, layer)) = &mut self.layer
            && *seen != stamp
        {
            let name = self.session.settings.game.layers().get(*index).map_or("", |(name, _)| *name);
            *layer = self.session.settings.game.layer(position, name).unwrap_or_default();
            *seen = stamp;
        }
    }

    fn file_name(&self) -> String {
        match &self.session.file {
            Some(path) => path.display().to_string(),
            None => format!("{}-{}.sgf", self.session.position().game(), play::date(SystemTime::now())),
        }
    }

    fn save(&mut self, path: PathBuf, replace: bool) {
        match self.session.save(&path, replace) {
            Ok(Saved::Written) => self.message = format!("saved {}", path.display()),
            Ok(Saved::Exists) => self.mode = Mode::Confirm(Deed::Replace(path)),
            Err(problem) => self.message = format!("{problem:#}"),
        }
    }

    fn load(&mut self, path: PathBuf) {
        match self.session.load(&path, &self.defaults) {
            Ok(()) => {
                self.message = format!("loaded {}", path.display());
                self.step(0, 0);
                self.follow_last_move();
            }
            Err(problem) => self.message = format!("{problem:#}"),
        }
    }

    pub(super) fn draw(&self, frame: &mut Frame) {
        let area = frame.area();
        let (width, height) = Grid::of(self.session.position()).size();
        if area.width < width || area.height < height + 1 {
            self.draw_too_small(frame, width, height + 1);
            return;
        }
        let board = Board {
            position: self.session.position(),
            cursor: self.cursor,
            hint: self.session.hint(),
            show_forbidden: self.show_forbidden,
            layer: self.layer().map(|(_, layer)| layer),
            ascii: self.ascii,
        };
        frame.render_widget(&board, Rect { width, height, ..area });
        let beside = area.width - width;
        let has_panel = beside > panel::WIDTH;
        if has_panel {
            let panel = Rect { x: area.x + width + 1, y: area.y, width: beside - 1, height: area.height - 1 };
            panel::draw(self, panel, frame.buffer_mut());
        }
        let bottom = Rect { y: area.bottom() - 1, height: 1, ..area };
        let (text, style) = self.bottom_line(has_panel);
        frame.render_widget(Paragraph::new(text).style(style), bottom);
        if matches!(self.mode, Mode::Help) {
            panel::draw_help(self, area, frame.buffer_mut());
        }
    }

    fn draw_too_small(&self, frame: &mut Frame, width: u16, height: u16) {
        let area = frame.area();
        let text = format!(
            "This board needs a terminal of {width}x{height}, with the panel {}x{height}; this one is {}x{}. \
             Enlarge it, or leave (q) and play with --plain.",
            width + panel::WIDTH + 1,
            area.width,
            area.height
        );
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
    }

    /// Question, prompt, message or, without a panel, whose turn it is.
    fn bottom_line(&self, has_panel: bool) -> (String, Style) {
        let loud = Style::new().add_modifier(Modifier::REVERSED);
        match &self.mode {
            Mode::Confirm(deed) => (self.question(deed) + " y/n", loud),
            Mode::Prompt(Wish::Save, text) => (format!("save as: {text}_"), loud),
            Mode::Prompt(Wish::Load, text) => (format!("load: {text}_"), loud),
            Mode::Board | Mode::Help if self.message.is_empty() && !has_panel => {
                let position = self.session.position();
                let turn = || format!("{} ({})", position.to_move(), self.session.name(position.turn()));
                (self.session.verdict().unwrap_or_else(|| turn() + " to play"), Style::new())
            }
            Mode::Board | Mode::Help => (self.message.clone(), Style::new()),
        }
    }

    fn question(&self, deed: &Deed) -> String {
        match deed {
            Deed::Quit => "leave without saving the game?".into(),
            Deed::New => "start again without saving this game?".into(),
            Deed::Load => "load another game without saving this one?".into(),
            Deed::Resign => "resign?".into(),
            Deed::Replace(path) => format!("{} exists; replace it?", path.display()),
            Deed::PlayForbidden(cell) => {
                let name = self.session.position().format_move((*cell).into());
                format!("{name} is forbidden and loses the game; play it?")
            }
        }
    }
}

#[cfg(test)]
mod tests;
