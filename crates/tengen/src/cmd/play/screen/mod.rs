//! The drawn board: a full screen with cursor, mouse, panel and help.
//!
//! This file owns the terminal: it enters and leaves it, also on Ctrl-C, a signal or a panic, and turns
//! its events into calls of [`App`], which can be tested without one.

mod app;
mod board;
mod panel;

use super::controller::Controller;
use crate::{platform, search_args};
use app::App;
use game::Setup;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};
use std::io::{self, Stdout, stdout};
use std::time::Duration;

/// How long the loop sleeps when no key comes: clocks and reports move on at this pace.
const FRAME: Duration = Duration::from_millis(50);

/// Plays on the screen until the player leaves.
pub(crate) fn run(session: Controller, defaults: Setup, ascii: bool) -> anyhow::Result<()> {
    // Raw mode turns Ctrl-C into a key; this catches the signal sent from elsewhere.
    let stop = search_args::stop_on_ctrl_c();
    let mut app = App::new(session, defaults, ascii);
    let mut screen = Screen::enter()?;
    platform::end_on_hang_up(leave);
    while !app.has_left() && !stop.is_stopped() {
        app.tick();
        screen.terminal.draw(|frame| app.draw(frame))?;
        if event::poll(FRAME)? {
            app.handle(&event::read()?);
            while event::poll(Duration::ZERO)? {
                app.handle(&event::read()?);
            }
        }
    }
    drop(screen);
    Ok(())
}

/// The terminal in raw mode on its alternate screen, until dropped.
struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    fn enter() -> io::Result<Screen> {
        let (main, usual) = (std::thread::current().id(), std::panic::take_hook());
        std::panic::set_hook(Box::new(move |info| {
            // A panic of an engine is caught where it is asked; writing it here would spoil the board.
            if std::thread::current().id() == main {
                leave();
                usual(info);
            }
        }));
        enable_raw_mode()?;
        // Dropping this restores the terminal, so that it is whole even if the next steps fail.
        let screen = Terminal::new(CrosstermBackend::new(stdout())).map(|terminal| Screen { terminal });
        if screen.is_err() {
            leave();
        }
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        screen
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

/// Gives the terminal back. Nothing can be done about a failure here.
fn leave() {
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
}
