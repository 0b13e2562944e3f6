//! MovingAI scenario files: one query a line, with the cost of its optimal path.

use super::{FormatError, Problem, column, lines};
use crate::grid::Cell;

/// A scenario file.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenarios {
    /// One query a line.
    pub list: Vec<Scenario>,
}

/// One line of a scenario file.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Number of its line, from 1.
    pub line: u64,
    /// The map it is for, as written.
    pub map: String,
    /// Columns of that map.
    pub width: u32,
    /// Rows of that map.
    pub height: u32,
    /// Start.
    pub from: Cell,
    /// Goal.
    pub to: Cell,
    /// Cost of an optimal path.
    pub optimum: f64,
    /// How far the printed cost may be from the true one: the files round, and drop zeros at the end.
    pub rounding: f64,
}

impl Scenario {
    /// The map's name without folders.
    pub fn map_name(&self) -> &str {
        self.map.rsplit(['/', '\\']).next().unwrap_or(&self.map)
    }
}

/// Reads a scenario file (version 1 or 1.0). `name` is what errors call the file.
pub fn read_scenarios(name: &str, bytes: &[u8]) -> Result<Scenarios, FormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let at = |line, column, problem| FormatError { file: name.to_owned(), line, column, problem };
    let mut lines = lines(bytes).filter(|(_, line)| !line.trim_ascii().is_empty());
    let (number, first) = lines.next().ok_or_else(|| at(1, 1, Problem::Empty))?;
    let words: Vec<_> = first.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    if !matches!(words.as_slice(), [b"version", b"1" | b"1.0"]) {
        return Err(at(number, 1, Problem::Version));
    }
    let read =
        |(number, line)| read_line(number, line).map_err(|(column, problem)| at(number, column, problem));
    let mut list: Vec<(Scenario, usize)> = lines.map(read).collect::<Result<_, _>>()?;
    let decimals = list.iter().map(|entry| entry.1).max().unwrap_or(0);
    for (scenario, _) in &mut list {
        scenario.rounding = rounding(scenario.optimum, decimals);
    }
    Ok(Scenarios { list: list.into_iter().map(|entry| entry.0).collect() })
}

/// Half a unit of the last place that a file prints, zeros dropped at the end included: its most decimals,
/// and, where these are few, no more than six digits in all.
fn rounding(length: f64, decimals: usize) -> f64 {
    let whole_digits = (length.max(1.0).log10().floor() as usize) + 1;
    let places = if decimals > 6 { decimals } else { decimals.min(6usize.saturating_sub(whole_digits)) };
    0.5 * 0.1f64.powi(places.min(15) as i32)
}

/// A scenario, and how many decimals its length is printed with.
fn read_line(number: u64, line: &[u8]) -> Result<(Scenario, usize), (u64, Problem)> {
    let text = std::str::from_utf8(line).map_err(|error| {
        let i = error.valid_up_to();
        let accepted = "a scenario file is UTF-8 text";
        (column(i), Problem::Character { byte: line.get(i).copied().unwrap_or(0), accepted })
    })?;
    // A map's name may hold spaces where tabs part the fields.
    let part = if text.contains('\t') { |c: char| c == '\t' } else { |c: char| c.is_ascii_whitespace() };
    let fields: Vec<&str> = text.split(part).map(str::trim).filter(|field| !field.is_empty()).collect();
    let &[bucket, map, width, height, x1, y1, x2, y2, length] = fields.as_slice() else {
        return Err((1, Problem::Fields(fields.len())));
    };
    // Every field is a slice of `text`, so its column is the distance of their starts.
    let column_of = |field: &str| column(field.as_ptr() as usize - text.as_ptr() as usize);
    let whole = |field: &str| {
        let expected = "a whole number";
        field
            .parse::<u32>()
            .map_err(|_| (column_of(field), Problem::Number { text: field.to_owned(), expected }))
    };
    whole(bucket)?;
    let optimum = length.parse::<f64>().ok().filter(|length| length.is_finite() && *length >= 0.0);
    let expected = "a path length";
    let optimum =
        optimum.ok_or_else(|| (column_of(length), Problem::Number { text: length.to_owned(), expected }))?;
    let decimals = length.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let scenario = Scenario {
        line: number,
        map: map.to_owned(),
        width: whole(width)?,
        height: whole(height)?,
        from: Cell { row: whole(y1)?, col: whole(x1)? },
        to: Cell { row: whole(y2)?, col: whole(x2)? },
        optimum,
        rounding: 0.0,
    };
    Ok((scenario, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_and_both_separators() {
        for text in [
            "version 1\n0\tmaps/dao/arena.map\t49\t48\t1\t11\t2\t12\t2.41421\n",
            "version 1.0\r\n0 maps\\dao\\arena.map 49 48 1 11 2 12 2.41421\r\n",
        ] {
            let list = read_scenarios("s", text.as_bytes()).unwrap().list;
            let scenario = &list[0];
            assert_eq!(scenario.map_name(), "arena.map");
            assert_eq!((scenario.width, scenario.height), (49, 48));
            assert_eq!((scenario.from, scenario.to), (Cell::new(11, 1), Cell::new(12, 2)));
            assert_eq!((scenario.optimum, scenario.line), (2.41421, 2));
            assert!((scenario.rounding - 5e-6).abs() < 1e-12);
        }
    }

    #[test]
    fn lengths_are_as_exact_as_the_file_prints_them() {
        // Six digits, zeros dropped: 1081 stands for anything that rounds to 1081.00.
        let half = |length, decimals| (rounding(length, decimals) * 1e9).round() / 1e9;
        assert_eq!([half(1081.0, 5), half(73.2426, 5), half(2.41421, 5)], [0.005, 0.00005, 0.000_005]);
        assert_eq!([half(450.32, 2), half(73.2, 2)], [0.005, 0.005]);
        assert_eq!(half(1234.567_890_12, 8), 5e-9);
    }

    #[test]
    fn errors_point_at_the_place() {
        let error = |text: &str| {
            let error = read_scenarios("s", text.as_bytes()).unwrap_err();
            (error.line, error.column, error.problem)
        };
        assert_eq!(error(""), (1, 1, Problem::Empty));
        assert_eq!(error("version 2\n"), (1, 1, Problem::Version));
        assert_eq!(error("version 1\n0 a.map 4 4\n"), (2, 1, Problem::Fields(4)));
        let number = |text: &str, expected| Problem::Number { text: text.to_owned(), expected };
        let line = error("version 1\n0 a.map 4 4 0 -1 1 1 2\n");
        assert_eq!(line, (2, 15, number("-1", "a whole number")));
        assert_eq!(error("version 1\n0 a.map 4 4 0 0 1 1 NaN\n").2, number("NaN", "a path length"));
    }
}
