//! How a clock is shown.

use std::time::Duration;

/// `4:59`, `1:02:03`, and tenths in the last twenty seconds.
pub(crate) fn show(left: Duration) -> String {
    if left < Duration::from_secs(20) {
        return format!("0:{:04.1}", (left.as_secs_f64() * 10.0).floor() / 10.0);
    }
    let seconds = left.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_hours_minutes_and_tenths() {
        let shown = |seconds: f64| show(Duration::from_secs_f64(seconds));
        assert_eq!(shown(3723.0), "1:02:03");
        assert_eq!(shown(299.9), "4:59");
        assert_eq!(shown(9.97), "0:09.9");
        assert_eq!(shown(0.0), "0:00.0");
    }
}
