//! The matrix products of a small network over the cells of a board: in bfloat16 for the school, in bytes for searches.
//!
//! Processors with AMX multiply tiles of 16 rows at once, some ten times as fast as vector instructions; others get
//! the same numbers, bit for bit, from [`plain`] and from [`bytes`]. Everything unsafe of the project is in `amx` and in
//! the vector instructions of `bytes`.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod amx;
mod bf16;
pub mod bytes;
pub mod plain;

pub use bf16::{Half, narrow, widen};
pub use bytes::{ByteWeights, Bytes, Sums, convolve_bytes};

/// Channels of a cell.
pub const CHANNELS: usize = 64;
/// A cell and its six neighbours.
pub const TAPS: usize = 7;
/// Cells are computed in blocks of this many.
pub const BLOCK: usize = 16;
/// Cells whose slopes are summed together.
pub const STRIP: usize = 32;

/// What a cell holds between layers. Aligned, because a row of a tile that lies on two cache lines takes twice the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Halves(pub [Half; CHANNELS]);

/// What a cell holds within a layer, and a row of weights.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Lane(pub [f32; CHANNELS]);

impl Halves {
    /// Nothing.
    pub const ZERO: Halves = Halves([0; CHANNELS]);
}

impl Lane {
    /// Nothing.
    pub const ZERO: Lane = Lane([0.0; CHANNELS]);
}

/// Rows of a tile.
const ROWS: usize = 16;
/// Halves in a row of a tile.
const ROW: usize = 32;
/// Tiles of a tap's weights for one group of 16 outputs.
const DEEP: usize = CHANNELS / ROW;
/// Groups of 16 outputs.
const WIDE: usize = CHANNELS / ROWS;
/// Tiles of a layer.
const TILES: usize = WIDE * TAPS * DEEP;

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
struct Tile([[Half; ROW]; ROWS]);

/// The weights of a convolution in the order in which tiles are loaded: by outputs, then taps, then inputs. A row of a
/// tile has the weights of two inputs for sixteen outputs in turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights(Box<[Tile; TILES]>);

impl Weights {
    /// Packs the rows of the first tap, then of the second, and so on; a row has the weights from one input.
    pub fn new(rows: &[Lane]) -> Weights {
        let mut weights = Weights(Box::new([Tile([[0; ROW]; ROWS]); TILES]));
        weights.set(rows);
        weights
    }

    /// Packs other rows.
    pub fn set(&mut self, rows: &[Lane]) {
        assert_eq!(rows.len(), TAPS * CHANNELS);
        for (at, tile) in self.0.iter_mut().enumerate() {
            let (wide, step) = (at / (TAPS * DEEP), at % (TAPS * DEEP));
            for (row, pair) in tile.0.iter_mut().zip(rows[step * ROW..].chunks(2)) {
                for o in 0..ROWS {
                    row[2 * o] = narrow(pair[0].0[wide * ROWS + o]);
                    row[2 * o + 1] = narrow(pair[1].0[wide * ROWS + o]);
                }
            }
        }
    }
}

/// Does this processor have tiles?
pub fn fast() -> bool {
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    return amx::usable();
    #[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
    false
}

/// Convolves the cells from `first` on, as many as `output` has, a multiple of [`BLOCK`]: each is the sum of what its
/// taps hold times their weights.
#[inline]
pub fn convolve(
    input: &[Halves],
    taps: &[isize; TAPS],
    weights: &Weights,
    first: usize,
    output: &mut [Lane],
) {
    let least = taps.iter().copied().min().unwrap_or(0);
    let most = taps.iter().copied().max().unwrap_or(0);
    assert!(output.len().is_multiple_of(BLOCK) && first as isize + least >= 0);
    assert!((first + output.len()) as isize + most <= input.len() as isize);
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    if amx::usable() {
        // SAFETY: the processor has tiles, and the asserts above keep every cell within the input.
        unsafe { amx::convolve(input, taps, &weights.0, first, output) };
        return;
    }
    plain::convolve(input, taps, weights, first, output);
}

/// What the slopes of a layer are made of: its input with cells and channels exchanged, and its errors in pairs.
#[derive(Clone, Debug, Default)]
pub struct Strips {
    cells: usize,
    /// Channels times cells.
    input: Vec<Half>,
    /// Pairs of cells, for each channel the two errors.
    errors: Vec<[Halves; 2]>,
}

impl Strips {
    /// Takes over the input and the errors of a layer.
    pub fn set(&mut self, input: &[Halves], errors: &[Halves]) {
        assert_eq!(input.len(), errors.len());
        let cells = input.len().next_multiple_of(2);
        self.cells = cells;
        self.input.resize(CHANNELS * cells, 0);
        self.errors.resize(cells / 2, [Halves::ZERO; 2]);
        plain::exchange(input, self.input.as_chunks_mut().0, cells);
        plain::pair(errors, &mut self.errors);
    }

    /// Adds to the slopes of the weights of a layer what cells `first..first + count` say; `first` is even and `count` a
    /// multiple of [`STRIP`].
    pub fn gather(&self, taps: &[isize; TAPS], slopes: &mut [Lane], (first, count): (usize, usize)) {
        assert!(slopes.len() == TAPS * CHANNELS && first.is_multiple_of(2) && count.is_multiple_of(STRIP));
        let least = taps.iter().copied().min().unwrap_or(0);
        let most = taps.iter().copied().max().unwrap_or(0);
        assert!(first as isize + least >= 0 && (first + count) as isize + most <= self.cells as isize);
        assert!(first + count <= self.cells && self.input.len() == CHANNELS * self.cells);
        #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
        if amx::usable() {
            // SAFETY: the processor has tiles, and the asserts above keep every cell within its slice.
            unsafe { amx::gather((&self.input, self.cells), &self.errors, taps, slopes, (first, count)) };
            return;
        }
        plain::gather((&self.input, self.cells), &self.errors, taps, slopes, (first, count));
    }
}

#[cfg(test)]
mod tests;
