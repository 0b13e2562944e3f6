//! The screen on a test terminal: what it draws and what keys and clicks do.

use super::*;
use crate::cmd::play::controller::Task;
use crate::cmd::play::tictactoe::{session, setup};
use game::Side;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

fn app(engine: &str, opening: &str, human: Option<Side>) -> App {
    App::new(session(engine, opening, human), setup(opening), false)
}

fn press(app: &mut App, keys: &str) {
    for letter in keys.chars() {
        let code = match letter {
            '\n' => KeyCode::Enter,
            '\u{8}' => KeyCode::Backspace,
            '\u{1b}' => KeyCode::Esc,
            letter => KeyCode::Char(letter),
        };
        app.handle(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }
}

fn settle(app: &mut App) {
    app.tick();
    while app.session.task() != Task::Nothing {
        std::thread::sleep(Duration::from_millis(1));
        app.tick();
    }
}

fn screen(app: &App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| app.draw(frame)).unwrap();
    let buffer = terminal.backend().buffer();
    let row = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_string();
    (0..height).map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn draws_board_players_and_turn() {
    let mut app = app("first", "", Some(Side::Black));
    press(&mut app, "\nlj");
    settle(&mut app);
    press(&mut app, "jl");
    let expected = "\x20\
3 (○)×─┐  tictactoe 3x3 plain
 2  ├[●]┤
 1  └─┴─┘  ▶ ●  black
    a b c    you
             ○  white
             first

           3. black to play
           last move a3
           cursor b2
";
    assert_eq!(
        screen(&app, 50, 13).lines().take(10).map(|l| l.to_string() + "\n").collect::<String>(),
        expected
    );
}

#[test]
fn keys_walk_play_undo_and_redo() {
    let mut app = app("first", "", Some(Side::Black));
    press(&mut app, "kkkkhhhh");
    assert_eq!(app.cursor, Cell::new(0, 0));
    press(&mut app, "lllljjjj");
    assert_eq!(app.cursor, Cell::new(2, 2));
    press(&mut app, " ");
    settle(&mut app);
    assert_eq!(app.session.position().history().len(), 2);
    assert_eq!(app.cursor, Cell::new(0, 0), "the cursor follows the answer");
    press(&mut app, "\n");
    assert!(app.message.contains("occupied"));
    press(&mut app, "u");
    assert_eq!(app.session.position().history().len(), 0);
    press(&mut app, "r");
    assert_eq!(app.session.position().history().len(), 2);
}

#[test]
fn a_click_plays() {
    let mut app = app("first", "", None);
    let click = |column, row| {
        let kind = MouseEventKind::Down(MouseButton::Left);
        Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
    };
    app.handle(&click(6, 1));
    app.handle(&click(30, 1));
    app.handle(&click(8, 2));
    let cells: Vec<_> = app.session.position().history().iter().filter_map(|mv| mv.cell()).collect();
    assert_eq!(cells, [Cell::new(1, 1), Cell::new(2, 2)]);
}

#[test]
fn leaving_asks_only_when_moves_would_be_lost() {
    let mut fresh = app("first", "", None);
    press(&mut fresh, "q");
    assert!(fresh.has_left());
    let mut app = app("first", "", None);
    press(&mut app, "\nq");
    assert!(!app.has_left());
    assert!(screen(&app, 50, 10).contains("leave without saving the game? y/n"));
    press(&mut app, "n");
    assert!(!app.has_left());
    press(&mut app, "qy");
    assert!(app.has_left());
}

#[test]
fn control_c_leaves_at_once() {
    let mut app = app("slow", "", Some(Side::White));
    app.tick();
    assert_eq!(app.session.task(), Task::Move);
    app.handle(&Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)));
    assert!(app.has_left());
}

#[test]
fn hint_marks_and_evaluation_are_shown() {
    let mut app = app("first", "", None);
    press(&mut app, "tme");
    settle(&mut app);
    let shown = screen(&app, 60, 24);
    assert!(shown.contains(" 3  ◆─┬─C"), "{shown}");
    assert!(shown.contains("marks: corners"), "{shown}");
    assert!(shown.contains("evaluation for black"), "{shown}");
    press(&mut app, "m");
    assert!(!screen(&app, 60, 24).contains("marks: corners"));
}

#[test]
fn a_forbidden_point_is_marked_and_asked_about() {
    let mut app = app("first", "", None);
    press(&mut app, "\nk");
    assert!(screen(&app, 60, 24).contains("[×]"));
    assert!(screen(&app, 60, 24).contains("forbidden: unwise"));
    press(&mut app, "\n");
    assert!(screen(&app, 60, 24).contains("b3 is forbidden and loses the game; play it? y/n"));
    press(&mut app, "n");
    assert_eq!(app.session.position().history().len(), 1);
    press(&mut app, "\ny");
    assert_eq!(app.session.position().history().len(), 2);
}

#[test]
fn swap_is_offered_where_it_is_legal() {
    let mut app = app("first", "swap", None);
    press(&mut app, "s");
    assert!(app.message.contains("swap is only"));
    press(&mut app, "\n");
    assert!(screen(&app, 60, 24).contains("or s: swap"));
    press(&mut app, "s");
    assert_eq!(app.session.position().history().last(), Some(&Move::Swap));
}

#[test]
fn saving_and_loading_through_prompts() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("g.sgf");
    let mut app = app("first", "", None);
    press(&mut app, "\nw");
    assert!(screen(&app, 60, 24).contains("save as: tictactoe-"));
    press(&mut app, &"\u{8}".repeat(60));
    press(&mut app, &format!("{}\n", path.display()));
    assert!(app.message.starts_with("saved"), "{}", app.message);
    press(&mut app, &format!("no{}\n", path.display()));
    assert_eq!(app.session.position().history().len(), 1, "{}", app.message);
    press(&mut app, "lo");
    press(&mut app, "nowhere\n");
    assert!(app.message.starts_with("nowhere: "), "{}", app.message);
    assert_eq!(app.session.position().history().len(), 1);
    press(&mut app, "nw");
    press(&mut app, &"\u{8}".repeat(60));
    press(&mut app, &format!("{}\n", path.display()));
    assert!(screen(&app, 120, 24).contains("exists; replace it? y/n"));
}

#[test]
fn help_names_the_keys_and_closes() {
    let mut app = app("first", "", None);
    press(&mut app, "?");
    let shown = screen(&app, 80, 24);
    assert!(shown.contains("take back your move") && shown.contains("corners"), "{shown}");
    press(&mut app, "x");
    assert!(!screen(&app, 80, 24).contains("take back your move"));
}

#[test]
fn a_small_terminal_is_told_so_and_any_size_is_survived() {
    let mut app = app("first", "", None);
    press(&mut app, "m?");
    assert!(screen(&app, 9, 24).replace('\n', " ").contains("needs a"));
    assert!(!screen(&app, 12, 6).contains("tictactoe"));
    for width in 1..40 {
        for height in 1..26 {
            screen(&app, width, height);
        }
    }
}
