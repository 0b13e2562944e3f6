//! What a student is shown after a round, and the folder of everything that a teacher exports.

use crate::config::ClassConfig;
use crate::review::{self, GameReview, Reviewer};
use crate::round::{Round, round_folder};
use crate::submission::{self, Submission};
use crate::table::{self, Row};
use crate::{ClassError, write_whole};
use arena::journal::Finished;
use arena::tournament::Results;
use game::draw::escape;
use game::{Game, Seat};
use play::Termination;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// Nodes per position of the reviews in an export: a few seconds for a class of sixty.
pub const REVIEW_NODES: u64 = 200;

/// Everything about one student's round.
#[derive(Clone, Debug, Serialize)]
pub struct StudentReport {
    /// Title of the class.
    pub class: String,
    /// The student's line of the table.
    pub row: Row,
    /// Every version handed in.
    pub versions: Vec<Submission>,
    /// Every game.
    pub games: Vec<GameLine>,
    /// Number of the game won against the highest-rated opponent.
    pub best: Option<u32>,
    /// Number of the game lost against the lowest-rated opponent.
    pub worst: Option<u32>,
    /// The engine's review of the best and the worst game, where it was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reviews: Vec<GameReview>,
}

/// A game as its player sees it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameLine {
    /// Number of the game.
    pub id: u32,
    /// Against whom.
    pub opponent: String,
    /// Did the student's program begin?
    pub first: bool,
    /// `won`, `drawn` or `lost`.
    pub result: &'static str,
    /// Why it ended.
    pub termination: Termination,
    /// The same in English, with what the program did wrong.
    pub reason: String,
    /// Seconds used.
    pub seconds: f64,
    /// The moves.
    pub moves: Vec<String>,
    /// The program's last lines in both directions and the end of its stderr.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub log: String,
}

/// Collects a student's report from the table and the games of a round or of the ladder.
pub fn student_report(
    folder: &Path,
    config: &ClassConfig,
    rows: &[Row],
    games: &[Finished],
    student: &str,
) -> Result<StudentReport, ClassError> {
    let elo = |name: &str| rows.iter().find(|row| row.id == name).map_or(0.0, |row| row.elo);
    let row = rows.iter().find(|row| !row.reference && row.id == student).cloned();
    let row = row.ok_or_else(|| ClassError::refused(format!("there is no student '{student}'")))?;
    let lines: Vec<GameLine> = games.iter().filter_map(|game| game_line(game, student)).collect();
    let extreme = |result: &str, strongest: bool| {
        let key = |line: &&GameLine| if strongest { elo(&line.opponent) } else { -elo(&line.opponent) };
        let of_result = lines.iter().filter(|line| line.result == result);
        of_result.max_by(|a, b| key(a).total_cmp(&key(b))).map(|line| line.id)
    };
    Ok(StudentReport {
        class: config.title.clone(),
        best: extreme("won", true),
        worst: extreme("lost", false),
        versions: submission::versions(folder, student)?,
        games: lines,
        row,
        reviews: Vec::new(),
    })
}

/// A game as this student sees it; `None` if it is somebody else's.
pub fn game_line(game: &Finished, student: &str) -> Option<GameLine> {
    let seat = match game.names.iter().position(|name| name == student)? {
        0 => Seat::First,
        _ => Seat::Second,
    };
    let result = match game.winner {
        None => "drawn",
        Some(winner) if winner == seat => "won",
        Some(_) => "lost",
    };
    let own_fault = result == "lost" && game.reason.is_fault();
    let reason = match game.detail.as_str() {
        "" => game.reason.to_string(),
        // What an opponent's program printed is the opponent's business.
        detail if own_fault => format!("{}: {detail}", game.reason),
        _ => game.reason.to_string(),
    };
    Some(GameLine {
        id: game.task.id,
        opponent: game.names[1 - seat.index()].clone(),
        first: seat == Seat::First,
        result,
        termination: game.reason,
        reason,
        seconds: game.seconds[seat.index()],
        moves: game.moves.clone(),
        log: game.log(seat).to_string(),
    })
}

/// Writes everything about a round into a folder: the table as CSV and HTML, all games as SGF, CSV and a page to click
/// through, and a page for each student with the review of their best and worst game.
pub fn export(
    folder: &Path,
    config: &ClassConfig,
    game: &dyn Game,
    round: &Round,
    out: &Path,
    mut reviewer: Option<&mut Reviewer<'_>>,
) -> Result<Vec<Row>, ClassError> {
    let games = round.finished(folder)?;
    let rows = table::table(folder, config, &round.participants, &games)?;
    std::fs::create_dir_all(out.join("students")).map_err(ClassError::io(out))?;
    write_whole(&out.join("table.csv"), table::csv(&rows).as_bytes())?;
    write_whole(&out.join("index.html"), index_page(config, round, &rows).as_bytes())?;
    if !games.is_empty() {
        let names: Vec<String> = round.participants.iter().map(|player| player.name.clone()).collect();
        let results: Results = games.iter().map(|game| (game.task.id, game.score())).collect();
        let place = round_folder(folder, &round.name);
        let failed =
            |error: arena::report::ReportError| ClassError::Io { path: error.path, error: error.error };
        arena::report::write(&place, game, &names, &results, &config.title).map_err(failed)?;
        for file in ["games.sgf", "games.csv", "report.html"] {
            std::fs::copy(place.join(file), out.join(file)).map_err(ClassError::io(&out.join(file)))?;
        }
    }
    for row in rows.iter().filter(|row| !row.reference) {
        let mut report = student_report(folder, config, &rows, &games, &row.id)?;
        if let Some(reviewer) = &mut reviewer {
            report.review(game, &games, *reviewer)?;
        }
        let path = out.join("students").join(format!("{}.html", row.id));
        write_whole(&path, student_page(&report).as_bytes())?;
    }
    Ok(rows)
}

/// The exported folder as a zip archive.
pub fn export_archive(
    folder: &Path,
    config: &ClassConfig,
    game: &dyn Game,
    round: &Round,
    reviewer: Option<&mut Reviewer<'_>>,
) -> Result<Vec<u8>, ClassError> {
    let place = round_folder(folder, &round.name);
    let _lock = crate::lock(&place.join("export.lock"))?;
    let out = place.join("export");
    let _ = std::fs::remove_dir_all(&out);
    let archived = export(folder, config, game, round, &out, reviewer).and_then(|_| {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        archive_folder(&mut writer, &out, &round.name)?;
        let failed = |error: zip::result::ZipError| ClassError::refused(error.to_string());
        Ok(writer.finish().map_err(failed)?.into_inner())
    });
    let _ = std::fs::remove_dir_all(&out);
    archived
}

fn archive_folder(
    writer: &mut zip::ZipWriter<std::io::Cursor<Vec<u8>>>,
    folder: &Path,
    name: &str,
) -> Result<(), ClassError> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .map_err(ClassError::io(folder))?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    for path in entries {
        let inside = format!("{name}/{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            archive_folder(writer, &path, &inside)?;
            continue;
        }
        let bytes = std::fs::read(&path).map_err(ClassError::io(&path))?;
        writer
            .start_file(inside, zip::write::SimpleFileOptions::default())
            .map_err(|error| ClassError::refused(error.to_string()))?;
        writer.write_all(&bytes).map_err(ClassError::io(&path))?;
    }
    Ok(())
}

const STYLE: &str = "<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;\
padding:0 1rem}table{border-collapse:collapse;width:100%}th,td{padding:.3rem .6rem;text-align:right;border-bottom:1px solid #8884}\
td.t,th.t{text-align:left}pre{overflow:auto;background:#8881;padding:.6rem}figure{margin:0}figure svg{max-width:100%;height:auto}.wide{overflow-x:auto}</style>";

/// The beginning of a page.
pub(crate) fn head(title: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html><html><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title>{STYLE}</head><body><h1>{title}</h1>"
    )
}

/// The table as a page.
pub fn index_page(config: &ClassConfig, round: &Round, rows: &[Row]) -> String {
    let mut page = head(&format!("{} · {}", config.title, round.name));
    page.push_str(
        "<div class=\"wide\"><table><tr><th>#</th><th class=\"t\">ID</th><th class=\"t\">Name 姓名</th><th>Games 局</th>\
         <th>+</th><th>=</th><th>−</th><th>Points 分</th><th>Elo</th><th>±</th><th>s/game 秒/局</th><th>Mark 成绩</th></tr>",
    );
    for row in rows {
        let id = escape(&row.id);
        let link =
            if row.reference { id.clone() } else { format!("<a href=\"students/{id}.html\">{id}</a>") };
        let _ = write!(
            page,
            "<tr><td>{}</td><td class=\"t\">{link}</td><td class=\"t\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td>{}</td><td>{:.0}</td><td>{:.0}</td><td>{:.2}</td><td>{}</td></tr>",
            row.rank,
            escape(&row.name),
            row.games,
            row.wins,
            row.draws,
            row.losses,
            row.points,
            row.elo,
            row.error,
            row.seconds_per_game,
            row.mark.map(|mark| format!("{mark:.1}")).unwrap_or_default(),
        );
    }
    page.push_str("</table></div><p><a href=\"report.html\">All games 全部对局</a> · <a href=\"table.csv\">CSV</a> · <a href=\"games.sgf\">SGF</a></p></body></html>");
    page
}

/// A student's report as a page.
pub fn student_page(report: &StudentReport) -> String {
    let row = &report.row;
    let mut page = head(&format!("{} {} · {}", row.id, row.name, report.class));
    let _ = write!(
        page,
        "<p>Place 名次 {} · points 得分 {} / {} · Elo {:.0} ± {:.0} · mark 成绩 {}</p><h2>Versions 提交</h2>",
        row.rank,
        row.points,
        row.games,
        row.elo,
        row.error,
        row.mark.map(|mark| format!("{mark:.1}")).unwrap_or_default()
    );
    for version in &report.versions {
        let verdict = &version.verdict;
        let state = match (verdict.accepted, version.late) {
            (_, true) => "late 迟交",
            (true, false) => "accepted 通过",
            (false, false) => "rejected 未通过",
        };
        let _ = write!(
            page,
            "<h3>{} · {} · {} · {state}</h3>",
            version.version,
            escape(&version.received),
            escape(&version.language)
        );
        if !verdict.message.is_empty() {
            let _ = write!(page, "<pre>{}</pre>", escape(&verdict.message));
        }
        for check in verdict.checks.iter().filter(|check| !check.passed) {
            let text = format!("{}\n{}\n{}", check.check, check.advice, check.detail);
            let _ = write!(page, "<pre>{}</pre>", escape(&text));
        }
    }
    page.push_str("<h2>Games 对局</h2><div class=\"wide\"><table><tr><th>#</th><th class=\"t\">Opponent 对手</th><th class=\"t\">Result 结果</th><th class=\"t\">Reason 原因</th><th>s 秒</th><th>Moves 手数</th></tr>");
    for game in &report.games {
        let _ = write!(
            page,
            "<tr><td><a href=\"../report.html#{}\">{}</a></td><td class=\"t\">{}</td><td class=\"t\">{}</td><td class=\"t\">{}</td>\
             <td>{:.2}</td><td>{}</td></tr>",
            game.id,
            game.id + 1,
            escape(&game.opponent),
            game.result,
            escape(&game.reason),
            game.seconds,
            game.moves.len()
        );
    }
    page.push_str("</table></div>");
    // Faults first: a page of twenty logs is enough to read.
    let faulty = |game: &&GameLine| !game.log.is_empty() && game.reason.contains(": ");
    for game in report.games.iter().filter(faulty).take(20) {
        let _ = write!(page, "<h3>Log of game 对局日志 {}</h3><pre>{}</pre>", game.id + 1, escape(&game.log));
    }
    page.push_str(&review::section(&report.reviews));
    page.push_str("</body></html>");
    page
}
