//! The quantized convolution: unsigned 8-bit activations, signed 8-bit weights, 32-bit sums.
//!
//! Half the memory of bf16, several times as fast without AMX, and exact: integer sums are the same in any order, so all
//! kernels agree on every processor.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod kernel;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod vnni;

pub use kernel::Kernel;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use crate::amx;
use crate::{CHANNELS, F32x64, OUTPUT_GROUPS, TILE_ROWS, taps_fit};
use kernel::Instructions;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use std::sync::LazyLock;

/// The largest activation. 7 bits rather than 8, so that the sum of four products fits into 16 bits (see [`Int8Weights`]).
pub const MAX_ACTIVATION: u8 = 127;
/// The number of computed cells is a multiple of this, and at least [`MIN_CELLS`].
pub const CELL_GROUP: usize = 4;
/// See [`CELL_GROUP`].
pub const MIN_CELLS: usize = 32;

/// The activations of a cell, each up to [`MAX_ACTIVATION`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct U8x64(pub [u8; CHANNELS]);

/// The sums of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct I32x64(pub [i32; CHANNELS]);

impl U8x64 {
    /// All zero.
    pub const ZERO: U8x64 = U8x64([0; CHANNELS]);
}

impl I32x64 {
    /// All zero.
    pub const ZERO: I32x64 = I32x64([0; CHANNELS]);
}

/// Input channels whose weights are adjacent: those of one 32-bit word of activations.
const INPUTS_PER_WORD: usize = 4;

/// Sixteen rows, each with the weights of four inputs for 16 outputs, interleaved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Int8Tile(pub(crate) [[i8; TILE_ROWS * INPUTS_PER_WORD]; TILE_ROWS]);

/// The weights of a convolution: tiles by output group, then tap.
///
/// The AVX2 kernel adds the products of inputs 0, 1, 4 and 5 of every eight in 16 bits, and those of 2, 3, 6 and 7. Weights
/// are scaled so that neither the positive nor the negative ones of such a quad can overflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Int8Weights<const TAPS: usize>(Box<[Int8Tile]>);

/// The largest sum of the weights of a quad.
const MAX_QUAD: f32 = (i16::MAX / MAX_ACTIVATION as i16) as f32;

impl<const TAPS: usize> Int8Weights<TAPS> {
    /// Quantizes `TAPS * CHANNELS` rows, tap by tap (a row has the weights from one input channel), with a scale for each
    /// output channel. Returns also the scales: what a sum of 1 stands for.
    pub fn new(rows: &[F32x64]) -> (Int8Weights<TAPS>, F32x64) {
        assert_eq!(rows.len(), TAPS * CHANNELS);
        let mut scales = F32x64::ZERO;
        for (o, scale) in scales.0.iter_mut().enumerate() {
            let largest = rows.iter().map(|row| row.0[o].abs()).fold(0.0, f32::max);
            let quads = rows.chunks(2 * INPUTS_PER_WORD).flat_map(|rows| {
                [[0, 1, 4, 5], [2, 3, 6, 7]].into_iter().flat_map(|quad| {
                    let part = |sign: f32| quad.iter().map(|&k| (sign * rows[k].0[o]).max(0.0)).sum::<f32>();
                    [part(1.0), part(-1.0)]
                })
            });
            // Each of the four may be rounded up by half.
            let least = (largest / 127.0).max(quads.fold(0.0, f32::max) / (MAX_QUAD - 2.0));
            *scale = if least > 0.0 { least } else { 1.0 };
        }
        let empty = Int8Tile([[0; TILE_ROWS * INPUTS_PER_WORD]; TILE_ROWS]);
        let mut tiles: Box<[Int8Tile]> = vec![empty; OUTPUT_GROUPS * TAPS].into();
        for (at, tile) in tiles.iter_mut().enumerate() {
            let (group, tap) = (at / TAPS, at % TAPS);
            let rows = rows[tap * CHANNELS..].chunks(INPUTS_PER_WORD);
            for (packed, rows) in tile.0.iter_mut().zip(rows) {
                for (at, weight) in packed.iter_mut().enumerate() {
                    let o = group * TILE_ROWS + at / INPUTS_PER_WORD;
                    *weight = (rows[at % INPUTS_PER_WORD].0[o] / scales.0[o]).round() as i8;
                }
            }
        }
        (Int8Weights(tiles), scales)
    }
}

/// Convolves the cells from `first` on, as many as `output` has: at least [`MIN_CELLS`] and a multiple of
/// [`CELL_GROUP`]. Activations above [`MAX_ACTIVATION`] may overflow.
#[inline]
pub fn convolve_int8<const TAPS: usize>(
    kernel: Kernel,
    input: &[U8x64],
    taps: &[isize; TAPS],
    weights: &Int8Weights<TAPS>,
    first: usize,
    output: &mut [I32x64],
) {
    assert!(output.len().is_multiple_of(CELL_GROUP) && output.len() >= MIN_CELLS);
    assert!(taps_fit(taps, first, output.len(), input.len()));
    #[cfg_attr(
        not(any(target_arch = "x86_64", target_feature = "simd128")),
        allow(unused_unsafe, reason = "only the plain kernel")
    )]
    // SAFETY: the processor has what a `Kernel` needs, and the asserts above keep every cell within the input.
    unsafe {
        match kernel.instructions() {
            #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
            Instructions::Amx => amx::convolve_int8(input, taps, &weights.0, first, output),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512Vnni => vnni::convolve_512(input, taps, &weights.0, first, output),
            #[cfg(target_arch = "x86_64")]
            Instructions::AvxVnni => vnni::convolve_256(input, taps, &weights.0, first, output),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => avx2::convolve(input, taps, &weights.0, first, output),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Instructions::Simd128 => simd128::convolve(input, taps, &weights.0, first, output),
            Instructions::Plain => plain(input, taps, weights, first, output),
        }
    }
}

/// Is AMX available, and does it give the right sums? Checked once, at first use: a wrong sum would show only as weak
/// play, and the kernel cannot be tested on a machine without AMX.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub(crate) fn amx_is_exact() -> bool {
    static EXACT: LazyLock<bool> = LazyLock::new(|| {
        let number = |at: usize, mask: usize| at.wrapping_mul(0x9e37_79b9) >> 7 & mask;
        let taps: [isize; 7] = [0, -6, -5, 1, 6, 5, -1];
        let input: Vec<U8x64> = (0..MIN_CELLS + CELL_GROUP + 12)
            .map(|cell| {
                U8x64(std::array::from_fn(|k| number(cell * CHANNELS + k, MAX_ACTIVATION.into()) as u8))
            })
            .collect();
        let row = |k: usize| F32x64(std::array::from_fn(|o| number(k * CHANNELS + o, 255) as f32 - 127.5));
        let (weights, _) = Int8Weights::new(&(0..7 * CHANNELS).map(row).collect::<Vec<_>>());
        let [mut tiles, mut exact] = [(); 2].map(|()| vec![I32x64::ZERO; MIN_CELLS + CELL_GROUP]);
        plain(&input, &taps, &weights, 6, &mut exact);
        // SAFETY: the processor has AMX, and there are six cells on both sides for the taps.
        unsafe { amx::convolve_int8(&input, &taps, &weights.0, 6, &mut tiles) };
        tiles == exact
    });
    amx::usable() && *EXACT
}

/// The same sums without vector instructions.
pub fn plain<const TAPS: usize>(
    input: &[U8x64],
    taps: &[isize; TAPS],
    weights: &Int8Weights<TAPS>,
    first: usize,
    output: &mut [I32x64],
) {
    for (cell, sums) in output.iter_mut().enumerate() {
        *sums = I32x64::ZERO;
        for (tap, &offset) in taps.iter().enumerate() {
            let held = &input[(first + cell).wrapping_add_signed(offset)].0;
            for (group, sums) in sums.0.as_chunks_mut::<TILE_ROWS>().0.iter_mut().enumerate() {
                for (row, held) in
                    weights.0[group * TAPS + tap].0.iter().zip(held.as_chunks::<INPUTS_PER_WORD>().0)
                {
                    for (sum, weights) in sums.iter_mut().zip(row.as_chunks::<INPUTS_PER_WORD>().0) {
                        *sum += (0..INPUTS_PER_WORD)
                            .map(|k| i32::from(held[k]) * i32::from(weights[k]))
                            .sum::<i32>();
                    }
                }
            }
        }
    }
}
