//! Pictures of a map: for the terminal, as SVG and as PNG, with the path and the expanded cells shaded by
//! the order in which they were expanded.

mod chart;

pub use chart::{Bar, chart};

use crate::grid::{Cell, Grid};
use crate::solve::drawn;
use game::draw::Svg;
use std::fmt::Write;

type Colour = [u8; 3];
const WALL: Colour = [44, 48, 60];
const FREE: Colour = [250, 249, 245];
const HEAVY: Colour = [190, 170, 130];
const FIRST: Colour = [205, 226, 247];
const LAST: Colour = [70, 120, 190];
const PATH: Colour = [215, 60, 50];
const START: Colour = [30, 150, 80];
const GOAL: Colour = [150, 50, 160];

/// One colour a cell.
#[derive(Clone, Debug)]
pub struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<Colour>,
    path: Vec<Cell>,
}

impl Picture {
    /// A map with a path (may be empty) and the cells a search closed, in order (may be empty).
    pub fn new(grid: &Grid, path: &[Cell], closed: &[Cell]) -> Picture {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let ground = |cell| match grid.weight(cell) {
            _ if !grid.is_free(cell) => WALL,
            1 => FREE,
            weight => mix(FREE, HEAVY, f64::from(weight) / 9.0),
        };
        let pixels = grid.cells().map(ground).collect();
        let mut picture = Picture { width, height, pixels, path: path.to_vec() };
        let last = closed.len().saturating_sub(1).max(1) as f64;
        for (i, &cell) in closed.iter().enumerate() {
            picture.put(cell, mix(FIRST, LAST, i as f64 / last));
        }
        drawn(path).into_iter().for_each(|cell| picture.put(cell, PATH));
        let ends =
            [(path.first().copied().or(grid.entry), START), (path.last().copied().or(grid.exit), GOAL)];
        for (cell, colour) in ends {
            if let Some(cell) = cell {
                picture.put(cell, colour);
            }
        }
        picture
    }

    /// Two rows per line, as upper half blocks in 24-bit colour.
    pub fn terminal(&self) -> String {
        let mut text = String::new();
        for row in (0..self.height).step_by(2) {
            for col in 0..self.width {
                let [r, g, b] = self.pixels[row * self.width + col];
                let _ = write!(text, "\x1b[38;2;{r};{g};{b}m");
                match self.pixels.get((row + 1) * self.width + col) {
                    Some([r, g, b]) => {
                        let _ = write!(text, "\x1b[48;2;{r};{g};{b}m▀");
                    }
                    None => text.push_str("\x1b[49m▀"),
                }
            }
            text.push_str("\x1b[0m\n");
        }
        text
    }

    /// Runs of one colour become one rectangle; the path is also a line.
    ///
    /// # Errors
    /// More than [`MAX_SVG_CELLS`]: the file would be too large for any program to show.
    pub fn svg(&self, scale: u32) -> Result<String, PictureError> {
        let (height, width) = (self.height, self.width);
        if self.pixels.len() > MAX_SVG_CELLS {
            return Err(PictureError::TooManyCells { height, width });
        }
        let scale = f64::from(scale.max(1));
        let mut svg = Svg::new(self.width as f64 * scale, self.height as f64 * scale);
        svg.rect(0.0, 0.0, self.width as f64 * scale, self.height as f64 * scale, &hex(FREE));
        for (row, pixels) in self.pixels.chunks(self.width).enumerate() {
            let mut col = 0;
            for run in pixels.chunk_by(|a, b| a == b) {
                if run[0] != FREE {
                    let (x, y) = (col as f64 * scale, row as f64 * scale);
                    svg.rect(x, y, run.len() as f64 * scale, scale, &hex(run[0]));
                }
                col += run.len();
            }
        }
        let middle = |cell: &Cell| ((f64::from(cell.col) + 0.5) * scale, (f64::from(cell.row) + 0.5) * scale);
        let points: Vec<_> = self.path.iter().map(middle).collect();
        if points.len() > 1 {
            svg.polyline(&points, &hex(PATH), scale * 0.35);
        }
        Ok(svg.finish())
    }

    /// Every cell a square of `scale` pixels.
    pub fn png(&self, scale: u32) -> Result<Vec<u8>, PictureError> {
        let scale = scale.max(1);
        let too_large = PictureError::TooLarge { height: self.height, width: self.width, scale };
        let side = |cells: usize| u32::try_from(cells).ok().and_then(|cells| cells.checked_mul(scale));
        let (Some(width), Some(height)) = (side(self.width), side(self.height)) else {
            return Err(too_large);
        };
        if u64::from(width) * u64::from(height) > 1 << 30 {
            return Err(too_large);
        }
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        let mut data = Vec::with_capacity(width as usize * height as usize * 3);
        for row in self.pixels.chunks(self.width) {
            let line: Vec<u8> =
                row.iter().flat_map(|pixel| std::iter::repeat_n(*pixel, scale as usize)).flatten().collect();
            (0..scale).for_each(|_| data.extend_from_slice(&line));
        }
        writer.write_image_data(&data)?;
        writer.finish()?;
        Ok(bytes)
    }

    fn put(&mut self, cell: Cell, colour: Colour) {
        let (row, col) = (cell.row as usize, cell.col as usize);
        if row < self.height && col < self.width {
            self.pixels[row * self.width + col] = colour;
        }
    }
}

/// Cells of an SVG at most; each may become an element of some 60 bytes.
pub(crate) const MAX_SVG_CELLS: usize = 1 << 20;

/// A picture that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// More than 2^30 pixels.
    #[error(
        "a picture of {height} x {width} cells at {scale} pixels a cell is too large: at most 2^30 pixels"
    )]
    TooLarge {
        /// Rows of cells.
        height: usize,
        /// Columns of cells.
        width: usize,
        /// Pixels per cell.
        scale: u32,
    },
    /// More than [`MAX_SVG_CELLS`].
    #[error("an SVG of {height} x {width} cells is too large: at most {MAX_SVG_CELLS} cells; PNG takes more")]
    TooManyCells {
        /// Rows of cells.
        height: usize,
        /// Columns of cells.
        width: usize,
    },
    /// The encoder failed.
    #[error("cannot make the PNG: {0}")]
    Encoding(#[from] png::EncodingError),
}

fn mix(from: Colour, to: Colour, share: f64) -> Colour {
    std::array::from_fn(|i| {
        let (from, to) = (f64::from(from[i]), f64::from(to[i]));
        (from + (to - from) * share.clamp(0.0, 1.0)).round() as u8
    })
}

fn hex([r, g, b]: Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_pictures_show_walls_path_and_order() {
        let grid = crate::format::read("t", b"####\nS..G\n####\n").unwrap().grid;
        let path: Vec<_> = (0..4).map(|col| Cell::new(1, col)).collect();
        let picture = Picture::new(&grid, &path, &path[..3]);
        let svg = picture.svg(10).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("<polyline") && svg.contains(&hex(WALL)));
        assert_eq!(picture.terminal().lines().count(), 2);
        let png = picture.png(3).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (12, 9));
        let mut pixels = vec![0; 12 * 9 * 3];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels[..3], WALL);
        assert_eq!(pixels[3 * 12 * 3..3 * 12 * 3 + 3], START);
    }

    #[test]
    fn huge_pictures_are_refused() {
        let picture = Picture::new(&Grid::open(1000, 1000).unwrap(), &[], &[]);
        assert!(matches!(picture.png(1_000_000), Err(PictureError::TooLarge { .. })));
        let picture = Picture::new(&Grid::open(1024, 1025).unwrap(), &[], &[]);
        assert!(matches!(picture.svg(1), Err(PictureError::TooManyCells { .. })));
    }
}
