//! SVG pictures of boxes, lines and words, on white like the boards of the guide.

use std::fmt::Write;

pub(super) const INK: &str = "#1d1f23";
pub(super) const DIM: &str = "#5d6068";
pub(super) const LINE: &str = "#b9b3a5";
pub(super) const ACCENT: &str = "#0b6e69";
pub(super) const ALARM: &str = "#a8321f";
const PANEL: &str = "#f6f4ef";

/// A point, x and y from the top left.
pub(super) type Point = (f64, f64);

/// Where a text stands to its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

pub(super) struct Drawing {
    width: f64,
    height: f64,
    body: String,
}

impl Drawing {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    pub(super) fn finish(self) -> String {
        let (width, height) = (self.width, self.height);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"system-ui, 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif\" \
             font-size=\"14\">\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" \
             markerHeight=\"8\" orient=\"auto-start-reverse\"><path d=\"M0 0L8 4L0 8z\" fill=\"{DIM}\"/></marker></defs>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.body
        )
    }

    /// A box with lines of text in its middle; the first is bold.
    pub(super) fn panel(&mut self, (x, y): Point, (width, height): Point, lines: &[&str]) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{PANEL}\" stroke=\"{LINE}\"/>"
        );
        let top = y + height / 2.0 - 9.0 * (lines.len() as f64 - 1.0) + 5.0;
        for (index, line) in lines.iter().enumerate() {
            let (weight, colour) = if index == 0 { (" font-weight=\"700\"", INK) } else { ("", DIM) };
            let (x, y) = (x + width / 2.0, top + 18.0 * index as f64);
            let _ = writeln!(
                self.body,
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{colour}\"{weight}>{}</text>",
                escape(line)
            );
        }
    }

    pub(super) fn text(&mut self, (x, y): Point, anchor: Anchor, colour: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escape(text);
        let _ = writeln!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>"
        );
    }

    pub(super) fn line(&mut self, points: &[Point], colour: &str, width: f64) {
        self.path(points, &format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\""));
    }

    pub(super) fn dashes(&mut self, from: Point, to: Point, colour: &str) {
        self.path(&[from, to], &format!("stroke=\"{colour}\" stroke-dasharray=\"5 4\""));
    }

    /// From one point to another, with a tip at the end.
    pub(super) fn arrow(&mut self, from: Point, to: Point) {
        self.path(&[from, to], &format!("stroke=\"{DIM}\" stroke-width=\"1.5\" marker-end=\"url(#tip)\""));
    }

    /// The same with a tip at both ends.
    pub(super) fn exchange(&mut self, from: Point, to: Point) {
        let marks = "marker-start=\"url(#tip)\" marker-end=\"url(#tip)\"";
        self.path(&[from, to], &format!("stroke=\"{DIM}\" stroke-width=\"1.5\" {marks}"));
    }

    /// A filled area.
    pub(super) fn area(&mut self, points: &[Point], colour: &str) {
        self.path(points, &format!("fill=\"{colour}\" fill-opacity=\"0.15\""));
    }

    fn path(&mut self, points: &[Point], style: &str) {
        let mut path = String::new();
        for (index, (x, y)) in points.iter().enumerate() {
            let _ = write!(path, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' });
        }
        let _ = writeln!(self.body, "<path d=\"{path}\" {style}/>");
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[test]
fn words_cannot_break_a_picture() {
    let mut drawing = Drawing::new(100.0, 50.0);
    drawing.panel((0.0, 0.0), (100.0, 50.0), &["a < b & c"]);
    drawing.text((10.0, 10.0), Anchor::Start, INK, "<svg>");
    let picture = drawing.finish();
    assert!(picture.contains("a &lt; b &amp; c") && picture.contains("&lt;svg&gt;"));
    assert_eq!(picture.matches("<svg").count(), 1);
}
