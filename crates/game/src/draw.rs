//! A small SVG writer for board pictures.
//!
//! Labels are strokes, not text, so that a picture looks the same everywhere and turns into a PNG without
//! any font on the machine.

use std::fmt::{Display, Write};

/// An SVG picture in the making.
#[derive(Clone, Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    /// An empty picture of this size in pixels.
    pub fn new(width: f64, height: f64) -> Svg {
        Svg { width, height, body: String::new() }
    }

    /// Adds an element with attributes; `body` goes inside it as it is.
    fn element(&mut self, name: &str, attributes: &[(&str, &dyn Display)], body: &str) -> &mut Svg {
        let _ = write!(self.body, "<{name}");
        for (key, value) in attributes {
            let _ = write!(self.body, " {key}=\"{}\"", escape(&value.to_string()));
        }
        let _ =
            if body.is_empty() { writeln!(self.body, "/>") } else { writeln!(self.body, ">{body}</{name}>") };
        self
    }

    /// A filled rectangle.
    pub fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str) -> &mut Svg {
        self.element(
            "rect",
            &[
                ("x", &Num(x)),
                ("y", &Num(y)),
                ("width", &Num(width)),
                ("height", &Num(height)),
                ("fill", &fill),
            ],
            "",
        )
    }

    /// A straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str, width: f64) -> &mut Svg {
        self.element(
            "line",
            &[
                ("x1", &Num(from.0)),
                ("y1", &Num(from.1)),
                ("x2", &Num(to.0)),
                ("y2", &Num(to.1)),
                ("stroke", &stroke),
                ("stroke-width", &Num(width)),
                ("stroke-linecap", &"round"),
            ],
            "",
        )
    }

    /// A circle with fill and outline; `none` is a colour too.
    pub fn circle(
        &mut self,
        centre: (f64, f64),
        radius: f64,
        fill: &str,
        stroke: &str,
        width: f64,
    ) -> &mut Svg {
        self.element(
            "circle",
            &[
                ("cx", &Num(centre.0)),
                ("cy", &Num(centre.1)),
                ("r", &Num(radius)),
                ("fill", &fill),
                ("stroke", &stroke),
                ("stroke-width", &Num(width)),
            ],
            "",
        )
    }

    /// A closed polygon.
    pub fn polygon(&mut self, points: &[(f64, f64)], fill: &str, stroke: &str, width: f64) -> &mut Svg {
        let points = points_text(points);
        self.element(
            "polygon",
            &[
                ("points", &points),
                ("fill", &fill),
                ("stroke", &stroke),
                ("stroke-width", &Num(width)),
                ("stroke-linejoin", &"round"),
            ],
            "",
        )
    }

    /// An open line through points.
    pub fn polyline(&mut self, points: &[(f64, f64)], stroke: &str, width: f64) -> &mut Svg {
        let points = points_text(points);
        self.element(
            "polyline",
            &[
                ("points", &points),
                ("fill", &"none"),
                ("stroke", &stroke),
                ("stroke-width", &Num(width)),
                ("stroke-linejoin", &"round"),
                ("stroke-linecap", &"round"),
            ],
            "",
        )
    }

    /// Letters (A to Z, shown in capitals), digits and `+ - . % : / =` centred on a point, `height` tall.
    pub fn label(&mut self, centre: (f64, f64), height: f64, text: &str, colour: &str) -> &mut Svg {
        let unit = height / 6.0;
        let advance = 5.5 * unit;
        let glyphs: Vec<char> = text.chars().map(|c| c.to_ascii_uppercase()).collect();
        let mut x = centre.0 - (advance * glyphs.len() as f64 - 1.5 * unit) / 2.0;
        let y = centre.1 - height / 2.0;
        for glyph in glyphs {
            for stroke in strokes(glyph).split(' ').filter(|s| !s.is_empty()) {
                let digits: Vec<f64> =
                    stroke.bytes().map(|b| f64::from(b.saturating_sub(b'0')) * unit).collect();
                let points: Vec<_> = digits.chunks_exact(2).map(|p| (x + p[0], y + p[1])).collect();
                self.polyline(&points, colour, height / 8.0);
            }
            x += advance;
        }
        self
    }

    /// A comment for people who read the file.
    pub fn comment(&mut self, text: &str) -> &mut Svg {
        let _ = writeln!(self.body, "<!-- {} -->", text.replace("--", "- -"));
        self
    }

    /// The finished file.
    pub fn finish(&self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\">\n{body}</svg>\n",
            w = Num(self.width),
            h = Num(self.height),
            body = self.body
        )
    }
}

/// Makes a text safe inside an attribute or an element.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn points_text(points: &[(f64, f64)]) -> String {
    let words: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", Num(*x), Num(*y))).collect();
    words.join(" ")
}

/// Two decimals at most: smaller files, and pictures that compare equal.
struct Num(f64);

impl Display for Num {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{:.2}", self.0);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if text == "-0" { "0" } else { text })
    }
}

/// Polylines on a grid 4 wide and 6 tall, as `xyxy…` digit pairs.
fn strokes(glyph: char) -> &'static str {
    match glyph {
        '0' => "103041453616050110",
        '1' => "112026 1636",
        '2' => "01103041420646",
        '3' => "01103041423313 334445361605",
        '4' => "36300444",
        '5' => "400002324345361605",
        '6' => "30100105163645443303",
        '7' => "004016",
        '8' => "103041423313020110 1304051636454433",
        '9' => "16364541301001021343",
        'A' => "062046 1434",
        'B' => "00063645443303 0030414233",
        'C' => "4130100105163645",
        'D' => "00062644422000",
        'E' => "40000646 0333",
        'F' => "400006 0333",
        'G' => "41301001051636454323",
        'H' => "0006 4046 0343",
        'I' => "1030 2026 1636",
        'J' => "2040 30351605",
        'K' => "0006 4003 1346",
        'L' => "000646",
        'M' => "0600234046",
        'N' => "06004640",
        'O' => "103041453616050110",
        'P' => "06003041423303",
        'Q' => "103041453616050110 2446",
        'R' => "06003041423303 2346",
        'S' => "413010010213334445361605",
        'T' => "0040 2026",
        'U' => "000516364540",
        'V' => "002640",
        'W' => "0016233640",
        'X' => "0046 4006",
        'Y' => "002340 2326",
        'Z' => "00400646",
        '+' => "2224 1333",
        '-' => "1333",
        '.' => "2526",
        '%' => "4006 0111 3545",
        ':' => "2122 2425",
        '/' => "0640",
        '=' => "1232 1434",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_is_whole_points_on_the_grid() {
        for glyph in ('0'..='9').chain('A'..='Z').chain("+-.%:/=".chars()) {
            let text = strokes(glyph);
            assert!(!text.is_empty(), "{glyph}");
            for stroke in text.split(' ') {
                assert!(stroke.len() >= 4 && stroke.len() % 2 == 0, "{glyph}: '{stroke}'");
                for pair in stroke.as_bytes().chunks(2) {
                    assert!(pair[0] <= b'4' && pair[1] <= b'6', "{glyph}: '{stroke}'");
                }
            }
        }
    }

    #[test]
    fn colours_cannot_break_out() {
        let mut svg = Svg::new(1.0, 1.0);
        svg.rect(0.0, 0.0, 1.0, 1.0, "\"/><script>");
        assert!(!svg.finish().contains("<script>"));
    }
}
