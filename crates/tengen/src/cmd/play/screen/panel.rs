//! The text beside the board: players and clocks, the turn, the cursor's cell, what the engine thinks;
//! and the help page.

use super::app::App;
use super::board;
use crate::cmd::play::clocks;
use crate::cmd::play::controller::Task;
use crate::cmd::play::line;
use game::{Cell, Report, Seat};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Widget, Wrap};

/// The panel can do with this many columns.
pub(super) const WIDTH: u16 = 18;

pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let [text, keys] = Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(area);
    let mut lines = title(app);
    lines.extend(players(app));
    lines.push(Line::default());
    lines.extend(turn(app));
    lines.extend(cursor(app));
    lines.extend(thoughts(app));
    Paragraph::new(lines).wrap(Wrap { trim: false }).render(text, buffer);
    Line::from("? help   q quit").style(Modifier::DIM).render(keys, buffer);
}

fn title(app: &App) -> Vec<Line<'static>> {
    let position = app.session.position();
    let size = format!("{} {}x{}", position.game(), position.rows(), position.cols());
    vec![Line::from(format!("{size} {}", position.rule())).style(Modifier::BOLD), Line::default()]
}

fn players(app: &App) -> Vec<Line<'_>> {
    let (session, position) = (&app.session, app.session.position());
    let mut lines = Vec::new();
    // By seat: names stay where they are while an opening protocol moves the colours about.
    for seat in [Seat::First, Seat::Second] {
        let side = position.colour_of(seat);
        let to_decide = !session.is_over() && position.turn() == seat;
        let (glyph, style) = board::stone(position.game(), side, app.ascii);
        // The stone stands on the board's ground, where its colour can be seen.
        let style = style.bg(board::ground(position.game()));
        let arrow = match (to_decide, app.ascii) {
            (false, _) => " ",
            (true, false) => "▶",
            (true, true) => ">",
        };
        lines.push(Line::from(vec![
            Span::raw(arrow),
            Span::styled(format!(" {glyph} "), style),
            Span::raw(format!(" {side}")),
        ]));
        lines.push(Line::from(format!("  {}", session.name(seat))));
        if let Some(left) = session.time_left(seat) {
            let style = if to_decide { Modifier::BOLD } else { Modifier::DIM };
            lines.push(Line::from(format!("  {}", clocks::show(left))).style(style));
        }
    }
    lines
}

fn turn(app: &App) -> Vec<Line<'static>> {
    let (session, position) = (&app.session, app.session.position());
    let mut lines = Vec::new();
    if let Some(verdict) = session.verdict() {
        lines.push(Line::from(verdict).style(Modifier::BOLD));
    } else {
        let what = match session.task() {
            Task::Move => "thinks".to_string() + dots(app),
            _ if session.failure().is_some() => "gave no move".into(),
            _ => "to play".into(),
        };
        lines.push(Line::from(format!("{}. {} {what}", position.history().len() + 1, position.to_move())));
        if session.is_your_turn() {
            for offer in line::offers(position) {
                let key = if offer == "swap" { "s" } else { "x" };
                lines.push(Line::from(format!("or {key}: {offer}")).style(Modifier::BOLD));
            }
        }
    }
    if let Some(last) = app.last_move() {
        lines.push(Line::from(format!("last move {last}")));
    }
    lines
}

/// Three dots that come and go, so that one sees the engine at work.
fn dots(app: &App) -> &'static str {
    ["", ".", "..", "..."][(app.ticks() / 8 % 4) as usize]
}

fn cursor(app: &App) -> Vec<Line<'static>> {
    let (cell, position) = (app.cursor, app.session.position());
    let mut lines = vec![Line::from(format!("cursor {}", position.format_move(cell.into())))];
    if let Some((_, kind)) = position.forbidden().iter().find(|(at, _)| *at == cell) {
        lines.push(Line::from(format!("forbidden: {kind}")));
    }
    let Some((name, layer)) = app.layer() else { return lines };
    lines.push(Line::default());
    lines.push(Line::from(format!("marks: {name}")).style(Modifier::BOLD));
    let of_cell = layer.cells.iter().filter(|mark| mark.cell == cell);
    for mark in of_cell {
        let side = mark.side.map(|side| format!("{side} ")).unwrap_or_default();
        lines.push(Line::from(format!("{side}{} {:.2}", mark.label, mark.value)));
    }
    let name = |cell: Cell| position.format_move(cell.into());
    for link in layer.links.iter().filter(|link| link.carrier.contains(&cell)).take(3) {
        let to = link.to.map_or_else(|| link.edge.clone(), name);
        lines.push(Line::from(format!("{} {}-{to}", link.side, name(link.from))));
    }
    if layer.cells.is_empty() && layer.links.is_empty() {
        lines.push(Line::from("none here"));
    }
    lines
}

fn thoughts(app: &App) -> Vec<Line<'static>> {
    if !app.session.is_evaluating() {
        return Vec::new();
    }
    let Some(view) = app.session.view() else { return Vec::new() };
    let (position, report) = (&*view.position, &view.report);
    let mut lines = vec![Line::default()];
    let current = position.history() == app.session.position().history();
    let side = position.to_move();
    let about = if current { format!("evaluation for {side}") } else { format!("{side} before its move") };
    lines.push(Line::from(about).style(Modifier::BOLD));
    lines.push(Line::from(line::value(report)));
    lines.push(Line::from(format!("depth {}, {} nodes", report.depth, short(report.nodes))));
    for found in &report.lines {
        let of_line =
            Report { score: found.score, win_rate: found.win_rate, mate: found.mate, ..Report::default() };
        let moves = api::words(position, found.moves.get(..6).unwrap_or(&found.moves)).join(" ");
        let value =
            if report.lines.len() > 1 { format!("{} ", line::value(&of_line)) } else { String::new() };
        lines.push(Line::from(format!("{value}{moves}")));
    }
    lines
}

fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..10_000_000 => format!("{} k", count / 1_000),
        _ => format!("{} M", count / 1_000_000),
    }
}

const KEYS: [(&str, &str); 17] = [
    ("arrows, hjkl", "move the cursor"),
    ("Enter, Space, click", "play at the cursor"),
    ("s / x", "swap / extend, where the rules offer it"),
    ("u, Backspace", "take back your move and the answer"),
    ("r", "play it again"),
    ("t", "hint: what the engine would play"),
    ("e", "evaluation on and off"),
    ("m", "marks over the board, kind by kind"),
    ("f", "forbidden points on and off"),
    (".", "engine: move now"),
    ("c", "cursor to the last move"),
    ("w", "save the game as SGF"),
    ("o", "load a game or position"),
    ("R", "resign"),
    ("n", "new game"),
    ("?", "this page"),
    ("q, Ctrl-C", "leave (Ctrl-C without asking)"),
];

/// The help page over everything else.
pub(super) fn draw_help(app: &App, area: Rect, buffer: &mut Buffer) {
    let width = area.width.min(66);
    let height = area.height.min(KEYS.len() as u16 + 5);
    let box_area =
        Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    Clear.render(box_area, buffer);
    let mut lines: Vec<Line> = KEYS
        .iter()
        .map(|(keys, what)| {
            Line::from(vec![
                Span::styled(format!(" {keys:<20}"), Style::new().add_modifier(Modifier::BOLD)),
                Span::raw(*what),
            ])
        })
        .collect();
    let marks: Vec<_> = app.session.settings.game.layers().iter().map(|(name, _)| *name).collect();
    if !marks.is_empty() {
        lines.push(Line::from(format!(" marks: {}", marks.join(", "))));
    }
    if app.session.position().game() == "hex" {
        lines.push(Line::from(" black joins top and bottom, white joins left and right"));
    }
    lines.push(Line::from(" [ ] cursor  ( ) last move  any key closes this page").style(Modifier::DIM));
    Paragraph::new(lines).block(Block::bordered().title(" tengen play ")).render(box_area, buffer);
}
