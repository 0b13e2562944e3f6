//! AVX-512 VNNI and AVX-VNNI: `vpdpbusd` adds the products of four activations and four weights to a 32-bit sum, so a row
//! of an [`Int8Tile`] is one or two operands as it is.
//!
//! Each step multiplies the weights of four inputs with several cells, whose sums stay in registers: the more cells, the
//! fewer loads per product. The number of cells is what the registers hold beside the weights and one broadcast word.

#![allow(clippy::needless_range_loop, reason = "fixed ranges are what stays in registers")]

use super::{CHANNELS, I32x64, INPUTS_PER_WORD, Int8Tile, OUTPUT_GROUPS, TILE_ROWS, U8x64};
use std::arch::x86_64::*;

/// 32-bit words of activations per cell.
const WORDS: usize = CHANNELS / INPUTS_PER_WORD;
const _: () = assert!(WORDS == TILE_ROWS);

/// Calls a kernel for blocks of cells: as many of six as fit, then of four or two for the rest, which is even.
macro_rules! by_blocks {
    ($many:expr, $start:ident, $six:expr, $four:expr, $two:expr) => {
        let mut $start = 0;
        while $start < $many {
            $start += match $many - $start {
                4 => {
                    $four;
                    4
                }
                2 => {
                    $two;
                    2
                }
                _ => {
                    $six;
                    6
                }
            };
        }
    };
}

/// See [`super::convolve_int8`].
///
/// # Safety
/// The taps of as many cells as `output` has, from `first` on, are within `input`; `weights` are those of `TAPS` taps.
#[target_feature(enable = "avx512f,avx512vnni")]
pub(super) unsafe fn convolve_512<const TAPS: usize>(
    input: &[U8x64],
    taps: &[isize; TAPS],
    weights: &[Int8Tile],
    first: usize,
    output: &mut [I32x64],
) {
    let many = output.len();
    // SAFETY: see above; the blocks cover the cells of the output.
    unsafe {
        let cells = input.as_ptr().add(first);
        let output = output.as_mut_ptr();
        by_blocks!(
            many,
            start,
            block_512::<TAPS, 6>(cells.add(start), taps, weights.as_ptr(), output.add(start)),
            block_512::<TAPS, 4>(cells.add(start), taps, weights.as_ptr(), output.add(start)),
            block_512::<TAPS, 2>(cells.add(start), taps, weights.as_ptr(), output.add(start))
        );
    }
}

/// All sums of `CELLS` cells.
///
/// # Safety
/// The taps of the cells are readable, the output is writable, `weights` has the tiles of `TAPS` taps.
#[target_feature(enable = "avx512f,avx512vnni")]
unsafe fn block_512<const TAPS: usize, const CELLS: usize>(
    cells: *const U8x64,
    taps: &[isize; TAPS],
    weights: *const Int8Tile,
    output: *mut I32x64,
) {
    let mut sums = [[_mm512_setzero_si512(); OUTPUT_GROUPS]; CELLS];
    for tap in 0..TAPS {
        // SAFETY: see above; a cell has 16 words of four activations, a tile 16 rows of one register.
        unsafe {
            let cell = cells.offset(taps[tap]).cast::<i32>();
            let tile = weights.add(tap).cast::<__m512i>();
            for word in 0..WORDS {
                let mut row = [_mm512_setzero_si512(); OUTPUT_GROUPS];
                for group in 0..OUTPUT_GROUPS {
                    row[group] = _mm512_load_si512(tile.add(group * TAPS * TILE_ROWS + word));
                }
                for c in 0..CELLS {
                    let held = _mm512_set1_epi32(*cell.add(c * WORDS + word));
                    for group in 0..OUTPUT_GROUPS {
                        sums[c][group] = _mm512_dpbusd_epi32(sums[c][group], held, row[group]);
                    }
                }
            }
        }
    }
    for (c, sums) in sums.into_iter().enumerate() {
        for (group, sum) in sums.into_iter().enumerate() {
            // SAFETY: see above; a cell has four registers of sums.
            unsafe { _mm512_store_si512(output.add(c).cast::<__m512i>().add(group), sum) };
        }
    }
}

/// Registers of 256 bits for 16 outputs.
const HALVES: usize = 2;

/// See [`super::convolve_int8`].
///
/// # Safety
/// The taps of as many cells as `output` has, from `first` on, are within `input`; `weights` are those of `TAPS` taps.
#[target_feature(enable = "avx2,avxvnni")]
pub(super) unsafe fn convolve_256<const TAPS: usize>(
    input: &[U8x64],
    taps: &[isize; TAPS],
    weights: &[Int8Tile],
    first: usize,
    output: &mut [I32x64],
) {
    let many = output.len();
    for group in 0..OUTPUT_GROUPS {
        // SAFETY: see above; the blocks cover the cells of the output, of which each has four groups of sums.
        unsafe {
            let cells = input.as_ptr().add(first);
            let tiles = weights.as_ptr().add(group * TAPS);
            let output = output.as_mut_ptr().cast::<__m256i>().add(group * HALVES);
            by_blocks!(
                many,
                start,
                block_256::<TAPS, 6>(cells.add(start), taps, tiles, output.add(start * CELL_SUMS)),
                block_256::<TAPS, 4>(cells.add(start), taps, tiles, output.add(start * CELL_SUMS)),
                block_256::<TAPS, 2>(cells.add(start), taps, tiles, output.add(start * CELL_SUMS))
            );
        }
    }
}

/// Registers of 256 bits for the sums of a cell.
const CELL_SUMS: usize = OUTPUT_GROUPS * HALVES;

/// The sums of 16 outputs of `CELLS` cells.
///
/// # Safety
/// The taps of the cells are readable, the output is writable, `tiles` has `TAPS` of them.
#[target_feature(enable = "avx2,avxvnni")]
unsafe fn block_256<const TAPS: usize, const CELLS: usize>(
    cells: *const U8x64,
    taps: &[isize; TAPS],
    tiles: *const Int8Tile,
    output: *mut __m256i,
) {
    let mut sums = [[_mm256_setzero_si256(); HALVES]; CELLS];
    for tap in 0..TAPS {
        // SAFETY: see above; a cell has 16 words of four activations, a tile 16 rows of two registers.
        unsafe {
            let cell = cells.offset(taps[tap]).cast::<i32>();
            let tile = tiles.add(tap).cast::<__m256i>();
            for word in 0..WORDS {
                let row = [_mm256_load_si256(tile.add(2 * word)), _mm256_load_si256(tile.add(2 * word + 1))];
                for c in 0..CELLS {
                    let held = _mm256_set1_epi32(*cell.add(c * WORDS + word));
                    for half in 0..HALVES {
                        sums[c][half] = _mm256_dpbusd_avx_epi32(sums[c][half], held, row[half]);
                    }
                }
            }
        }
    }
    for (c, sums) in sums.into_iter().enumerate() {
        for (half, sum) in sums.into_iter().enumerate() {
            // SAFETY: see above.
            unsafe { _mm256_store_si256(output.add(c * CELL_SUMS + half), sum) };
        }
    }
}
