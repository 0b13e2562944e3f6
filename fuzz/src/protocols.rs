//! Our engines' side of the protocols: as state machines, which is quick and repeatable, and inside the loop with its
//! threads.

use arena::frontend::{
    BotzoneFrontend, Frontend, FrontendStep, GomocupFrontend, HtpFrontend, LineFrontend, Urgency, serve,
};
use game::{Decision, Engine, EngineError, Limits, Line, Position, Report, RootMove, Watch};
use std::io::Cursor;
use std::time::Duration;

/// Clients say less than this; a longer input only repeats itself.
const MAX_BYTES: usize = 8 << 10;

pub(crate) fn gomocup(data: &[u8]) {
    talk(gomocup_frontend(), data);
}

pub(crate) fn htp(data: &[u8]) {
    talk(htp_frontend(), data);
}

pub(crate) fn line(data: &[u8]) {
    talk(LineFrontend::new(&hex::HEX, 11, 11, Limits::default()).expect("a board"), data);
}

pub(crate) fn botzone(data: &[u8]) {
    talk(BotzoneFrontend::new(&hex::HEX, 11, 11, Limits::default(), true).expect("a board"), data);
}

pub(crate) fn gomocup_loop(data: &[u8]) {
    serve_all(gomocup_frontend(), data);
}

pub(crate) fn htp_loop(data: &[u8]) {
    serve_all(htp_frontend(), data);
}

fn gomocup_frontend() -> GomocupFrontend {
    GomocupFrontend::new(&gomoku::GOMOKU, "first", "1", Limits::default())
}

fn htp_frontend() -> HtpFrontend {
    HtpFrontend::new(&hex::HEX, "first", "1", Limits::default()).expect("a board")
}

/// Gives the frontend one line after the other; searches are answered at once.
fn talk(mut frontend: impl Frontend, data: &[u8]) {
    for line in lines(data).lines() {
        let urgency = frontend.urgency(line);
        let _ = frontend.refuse(line, "too many lines");
        let mut step = frontend.handle(line);
        while let FrontendStep::Think(job) = step {
            let result = first_move(&*job.position, &job.limits);
            if let (true, Ok(decision)) = (job.reports, &result) {
                let _ = frontend.report(&decision.report);
            }
            // A client may say these while the search runs.
            if urgency == Urgency::Now {
                let _ = frontend.handle(line);
            }
            step = frontend.answer(result, Duration::from_millis(1));
        }
        if matches!(step, FrontendStep::Quit(_)) {
            return;
        }
        if let Some(job) = frontend.ponder() {
            assert!(job.position.outcome().is_none(), "pondering after the end");
        }
    }
}

fn serve_all(mut frontend: impl Frontend, data: &[u8]) {
    let input = Cursor::new(lines(data).into_bytes());
    serve(&mut frontend, Box::new(First), input, &mut Vec::new(), &|| false)
        .expect("memory can be written to");
}

/// The client's lines without those that compute for as long as the client allows: Hex's solver and layers.
fn lines(data: &[u8]) -> String {
    let text = String::from_utf8_lossy(&data[..data.len().min(MAX_BYTES)]);
    let kept = text.split('\n').filter(|line| !line.contains("dfpn") && !line.contains("tengen-layer"));
    kept.collect::<Vec<_>>().join("\n")
}

/// Plays the first legal move.
struct First;

impl Engine for First {
    fn name(&self) -> &str {
        "first"
    }

    fn think(
        &mut self,
        position: &dyn Position,
        limits: &Limits,
        _watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        let decision = first_move(position, limits)?;
        report(&decision.report);
        Ok(decision)
    }
}

fn first_move(position: &dyn Position, limits: &Limits) -> Result<Decision, EngineError> {
    assert!(position.outcome().is_none(), "asked for a move after the end");
    let mv = position.legal_moves().into_iter().find(|mv| limits.allows(*mv));
    let mv = mv.ok_or_else(|| EngineError::NoMove("every move is excluded".into()))?;
    let line = Line { moves: vec![mv], score: 12.0, win_rate: 0.6, depth: 3, ..Line::default() };
    let root = RootMove { mv, score: 12.0, win_rate: 0.6, bound: game::Bound::Exact, nodes: 100 };
    let report = Report { depth: 3, nodes: 100, lines: vec![line], root: vec![root], ..Report::default() };
    Ok(Decision { mv, report })
}
