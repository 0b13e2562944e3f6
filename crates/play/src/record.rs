//! The game as it goes into files.

use crate::session::Session;
use game::{MoveNote, Record};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The day of a moment as `YYYY-MM-DD` (UTC); empty beyond the year 9999.
pub fn date(time: SystemTime) -> String {
    let timestamp = jiff::Timestamp::try_from(time);
    timestamp.map_or_else(|_| String::new(), |time| time.strftime("%Y-%m-%d").to_string())
}

impl Session {
    /// The record of the game so far; `names` are the players', the first seat's first.
    pub fn record(&self, names: [String; 2]) -> Record {
        let mut before = self.created();
        let moves = self.plies().iter().zip(1..).map(|(ply, after)| {
            let passed = ply.at.map(|at| (at - std::mem::replace(&mut before, at)).max(0) as f64 / 1000.0);
            let comments = self.comments().iter().filter(|comment| comment.ply == after);
            let remarks: Vec<_> = comments.map(|comment| comment.text.as_str()).collect();
            let note = MoveNote {
                seconds: ply.note.seconds.or(passed),
                comment: remarks.join("\n"),
                ..ply.note.clone()
            };
            (ply.mv, note)
        });
        let [first, second] = names;
        Record {
            setup: self.game().setup_of(self.position()),
            moves: moves.collect(),
            first,
            second,
            result: self.end().map_or("?".into(), |end| end.sgf_result()),
            reason: self.end().map(|end| end.termination.to_string()).unwrap_or_default(),
            date: date(UNIX_EPOCH + Duration::from_millis(self.created().max(0) as u64)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        let day = |seconds: u64| date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(951_782_400), "2000-02-29");
        assert_eq!(day(1_735_689_599), "2024-12-31");
        assert_eq!(day(20_772 * 86_400), "2026-11-15");
        assert_eq!(day(u64::MAX / 4), "");
    }
}
