//! A bar chart of algorithms: cells expanded and time, on logarithmic scales.

use game::draw::Svg;

/// One algorithm's results.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The algorithm.
    pub name: String,
    /// Cells expanded.
    pub expanded: u64,
    /// Seconds taken.
    pub seconds: f64,
    /// Did it stop at its limit?
    pub stopped: bool,
}

/// The chart as an SVG file.
pub fn chart(bars: &[Bar]) -> String {
    const ROW: f64 = 44.0;
    const LEFT: f64 = 150.0;
    const LENGTH: f64 = 420.0;
    let height = 50.0 + ROW * bars.len() as f64;
    let mut svg = Svg::new(LEFT + LENGTH + 150.0, height);
    svg.rect(0.0, 0.0, LEFT + LENGTH + 150.0, height, "#faf9f5");
    svg.rect(LEFT, 14.0, 12.0, 12.0, "#4678be").label((LEFT + 70.0, 20.0), 10.0, "expanded", "#2c303c");
    svg.rect(LEFT + 160.0, 14.0, 12.0, 12.0, "#d73c32").label(
        (LEFT + 230.0, 20.0),
        10.0,
        "time us",
        "#2c303c",
    );
    svg.comment("bars are logarithmic").label((LEFT + 350.0, 20.0), 10.0, "log scale", "#2c303c");
    let micros = |bar: &Bar| bar.seconds * 1e6;
    let most = bars.iter().map(|bar| bar.expanded as f64).fold(10.0, f64::max);
    let longest = bars.iter().map(micros).fold(10.0, f64::max);
    let length = |value: f64, most: f64| LENGTH * (1.0 + value).ln() / (1.0 + most).ln();
    for (i, bar) in bars.iter().enumerate() {
        let y = 40.0 + ROW * i as f64;
        let (expanded, time) = (bar.expanded as f64, micros(bar));
        svg.label((LEFT / 2.0, y + 17.0), 10.0, &bar.name, "#2c303c");
        let limit = if bar.stopped { " LIMIT" } else { "" };
        for (value, most, offset, fill, text) in [
            (expanded, most, 0.0, "#4678be", format!("{}{limit}", bar.expanded)),
            (time, longest, 17.0, "#d73c32", format!("{time:.1}")),
        ] {
            let width = length(value, most);
            svg.rect(LEFT, y + offset, width.max(1.0), 15.0, fill);
            svg.label(
                (LEFT + width + 12.0 + 4.6 * text.len() as f64, y + offset + 7.5),
                9.0,
                &text,
                "#2c303c",
            );
        }
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_for_each() {
        let bar = |name: &str, expanded| Bar { name: name.into(), expanded, seconds: 1e-5, stopped: false };
        let svg = chart(&[bar("astar", 100), bar("jps", 10)]);
        assert_eq!(svg.matches("<rect").count(), 1 + 2 + 4);
        assert!(chart(&[]).starts_with("<svg"));
        // The label is made of strokes; the comment is for those who read the file.
        assert!(svg.contains("logarithmic"));
    }
}
