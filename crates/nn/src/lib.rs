//! Small networks on CPUs: convolutions in bf16 for training and int8 for search, and sums of line patterns.
//!
//! Activations are stored cell by cell with [`CHANNELS`] channels each, in one array in which a neighbour is at a fixed
//! offset (a *tap*). A convolution sums, for each cell, its taps' channels times their weights; the number of taps is a
//! const parameter: 7 for a hexagonal board, 9 for a 3x3 window on a square one.
//!
//! ```
//! use nn::{BLOCK, CHANNELS, Bf16x64, F32x64, ONE_BF16, Weights, convolve};
//!
//! // One-dimensional cells: each looks at itself and at both neighbours.
//! let taps = [0, -1, 1];
//! // Output channel 0 sums input channel 0 over all taps; `weights` has a row for each tap and input channel.
//! let mut weights = vec![F32x64::ZERO; taps.len() * CHANNELS];
//! (0..taps.len()).for_each(|tap| weights[tap * CHANNELS].0[0] = 1.0);
//! // Cells 1 to BLOCK are computed; cells 0 and BLOCK + 1 are padding.
//! let mut input = vec![Bf16x64::ZERO; BLOCK + 2];
//! input[5].0[0] = ONE_BF16;
//! let mut output = vec![F32x64::ZERO; BLOCK];
//! convolve(&input, &taps, &Weights::new(&weights), 1, &mut output);
//! let sums: Vec<f32> = output[2..7].iter().map(|cell| cell.0[0]).collect();
//! assert_eq!(sums, [0.0, 1.0, 1.0, 1.0, 0.0]);
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | crate root | bf16 convolution and its weight gradients |
//! | [`int8`] | the quantized convolution: AMX, AVX-512 VNNI, AVX-VNNI, AVX2, wasm SIMD or plain, chosen at run time |
//! | [`layer`] | what follows a convolution: bias, residual, ReLU, requantization, and their backward passes |
//! | [`optimizer`] | Adam and an exponential moving average of the weights |
//! | [`patterns`] | networks of line patterns: incremental sums, value and policy |
//! | [`plain`] | the bf16 kernels without AMX, with the same bits |
//! | `amx` | AMX tiles by inline assembly (x86-64 Linux) |
//! | `avx512_bf16` | the bf16 kernels by AVX-512 BF16, equal up to rounding |
//!
//! All int8 kernels give the same bits on every processor, so an engine's answer does not depend on where it runs; bf16 is
//! for training only, and there AVX-512 BF16 rounds more often than the others. To add an int8 kernel, add a function with
//! the signature of [`int8::plain`], an entry in [`int8::Kernel`] and a case in [`int8::convolve_int8`]; the tests compare
//! every kernel that the processor has with the plain one and name the others.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod amx;
#[cfg(target_arch = "x86_64")]
mod avx512_bf16;
mod bf16;
pub mod int8;
pub mod layer;
pub mod optimizer;
pub mod patterns;
pub mod plain;

pub use bf16::{Bf16, ONE_BF16, from_bf16, to_bf16};

/// Channels per cell.
pub const CHANNELS: usize = 64;
/// bf16 kernels compute a multiple of this many cells: two tiles of 16 rows forward, one row of 32 backward.
pub const BLOCK: usize = 32;

/// The activations of a cell in bf16. Aligned, because a tile row that crosses a cache line takes twice the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Bf16x64(pub [Bf16; CHANNELS]);

/// The sums of a cell, or a row of weights: from one input channel to all output channels.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct F32x64(pub [f32; CHANNELS]);

impl Bf16x64 {
    /// All zero.
    pub const ZERO: Bf16x64 = Bf16x64([0; CHANNELS]);
}

impl F32x64 {
    /// All zero.
    pub const ZERO: F32x64 = F32x64([0.0; CHANNELS]);
}

/// Rows of a tile, and output channels that a tile of weights covers.
const TILE_ROWS: usize = 16;
/// bf16 numbers in a row of a tile.
const TILE_ROW: usize = 32;
/// Tiles of weights per tap for one group of output channels.
const TILES_PER_TAP: usize = CHANNELS / TILE_ROW;
/// Groups of [`TILE_ROWS`] output channels.
const OUTPUT_GROUPS: usize = CHANNELS / TILE_ROWS;

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
struct Tile([[Bf16; TILE_ROW]; TILE_ROWS]);

/// The weights of a convolution in the order in which tiles are loaded: by output group, tap, input. A tile row holds
/// the weights of two inputs for 16 outputs, interleaved.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights<const TAPS: usize>(Box<[Tile]>);

impl<const TAPS: usize> Weights<TAPS> {
    /// Packs `TAPS * CHANNELS` rows, tap by tap; a row has the weights from one input channel.
    pub fn new(rows: &[F32x64]) -> Weights<TAPS> {
        let tiles = vec![Tile([[0; TILE_ROW]; TILE_ROWS]); OUTPUT_GROUPS * TAPS * TILES_PER_TAP];
        let mut weights = Weights(tiles.into());
        weights.set(rows);
        weights
    }

    /// Packs other rows.
    pub fn set(&mut self, rows: &[F32x64]) {
        assert_eq!(rows.len(), TAPS * CHANNELS);
        for (at, tile) in self.0.iter_mut().enumerate() {
            let (group, step) = (at / (TAPS * TILES_PER_TAP), at % (TAPS * TILES_PER_TAP));
            for (row, pair) in tile.0.iter_mut().zip(rows[step * TILE_ROW..].chunks(2)) {
                for o in 0..TILE_ROWS {
                    row[2 * o] = to_bf16(pair[0].0[group * TILE_ROWS + o]);
                    row[2 * o + 1] = to_bf16(pair[1].0[group * TILE_ROWS + o]);
                }
            }
        }
    }
}

/// Does this processor have AMX, and may the process use it?
pub fn has_amx() -> bool {
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    return amx::usable();
    #[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
    false
}

/// Do all taps of cells `first..first + count` lie within `0..cells`?
fn taps_fit(taps: &[isize], first: usize, count: usize, cells: usize) -> bool {
    let least = taps.iter().copied().min().unwrap_or(0);
    let largest = taps.iter().copied().max().unwrap_or(0);
    first as isize + least >= 0 && (first + count) as isize + largest <= cells as isize
}

/// Convolves the cells from `first` on, as many as `output` has, a multiple of [`BLOCK`].
#[inline]
pub fn convolve<const TAPS: usize>(
    input: &[Bf16x64],
    taps: &[isize; TAPS],
    weights: &Weights<TAPS>,
    first: usize,
    output: &mut [F32x64],
) {
    assert!(output.len().is_multiple_of(BLOCK) && taps_fit(taps, first, output.len(), input.len()));
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    if amx::usable() {
        // SAFETY: the processor has AMX, and the assert above keeps every cell within the input.
        unsafe { amx::convolve(input, taps, &weights.0, first, output) };
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if avx512_bf16::usable() {
        // SAFETY: the processor has AVX-512 BF16, and the assert above keeps every cell within the input.
        unsafe { avx512_bf16::convolve(input, taps, &weights.0, first, output) };
        return;
    }
    plain::convolve(input, taps, weights, first, output);
}

/// The operands of a layer's weight gradients, laid out for the kernels: the input transposed to channels by cells, and
/// the errors interleaved by pairs of cells.
#[derive(Clone, Debug, Default)]
pub struct WeightGradients {
    cells: usize,
    /// Channels times cells.
    input: Vec<Bf16>,
    /// For each pair of cells and each channel the two errors.
    errors: Vec<[Bf16x64; 2]>,
}

impl WeightGradients {
    /// Takes over the input and the errors of a layer.
    pub fn set(&mut self, input: &[Bf16x64], errors: &[Bf16x64]) {
        assert_eq!(input.len(), errors.len());
        let cells = input.len().next_multiple_of(2);
        self.cells = cells;
        self.input.resize(CHANNELS * cells, 0);
        self.errors.resize(cells / 2, [Bf16x64::ZERO; 2]);
        plain::transpose(input, self.input.as_chunks_mut().0, cells);
        plain::interleave(errors, &mut self.errors);
    }

    /// Adds the gradients of cells `first..first + count` to `gradients`, which has the rows of the weights; `first` is
    /// even and `count` a multiple of [`BLOCK`].
    pub fn accumulate<const TAPS: usize>(
        &self,
        taps: &[isize; TAPS],
        gradients: &mut [F32x64],
        (first, count): (usize, usize),
    ) {
        assert!(gradients.len() == TAPS * CHANNELS);
        assert!(first.is_multiple_of(2) && count.is_multiple_of(BLOCK));
        assert!(taps_fit(taps, first, count, self.cells) && first + count <= self.cells);
        assert!(self.input.len() == CHANNELS * self.cells);
        #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
        if amx::usable() {
            // SAFETY: the processor has AMX, and the asserts above keep every cell within its slice.
            unsafe {
                amx::gradients((&self.input, self.cells), &self.errors, taps, gradients, (first, count))
            };
            return;
        }
        #[cfg(target_arch = "x86_64")]
        if avx512_bf16::usable() {
            // SAFETY: the processor has AVX-512 BF16, and the asserts above keep every cell within its slice.
            unsafe {
                avx512_bf16::gradients(
                    (&self.input, self.cells),
                    &self.errors,
                    taps,
                    gradients,
                    (first, count),
                );
            }
            return;
        }
        plain::gradients((&self.input, self.cells), &self.errors, taps, gradients, (first, count));
    }
}

#[cfg(test)]
mod tests;
