//! AVX2: `maddubs` and `madd` in place of the dot product that VNNI has.

use super::{CELL_GROUP, CHANNELS, I32x64, INPUTS_PER_WORD, Int8Tile, OUTPUT_GROUPS, TILE_ROWS, U8x64};
use std::arch::x86_64::*;

/// Sums per register.
const LANES: usize = 8;
/// Registers for 16 outputs.
const REGISTERS: usize = TILE_ROWS / LANES;

/// See [`super::convolve_int8`].
///
/// # Safety
/// The processor has AVX2, and the taps of as many cells as `output` has, from `first` on, are within `input`.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn convolve<const TAPS: usize>(
    input: &[U8x64],
    taps: &[isize; TAPS],
    weights: &[Int8Tile],
    first: usize,
    output: &mut [I32x64],
) {
    let ones = _mm256_set1_epi16(1);
    for group in 0..OUTPUT_GROUPS {
        for (chunk, output) in output.as_chunks_mut::<CELL_GROUP>().0.iter_mut().enumerate() {
            let mut sums = [[_mm256_setzero_si256(); REGISTERS]; CELL_GROUP];
            for tap in 0..TAPS {
                let tile = (&raw const weights[group * TAPS + tap]).cast::<__m256i>();
                // SAFETY: see above; a cell has 16 words of four activations, a tile 16 rows of two registers.
                unsafe {
                    let cell = input.as_ptr().add(first + chunk * CELL_GROUP).offset(taps[tap]).cast::<i32>();
                    for pair in 0..TILE_ROWS / 2 {
                        let weight = |at: usize| _mm256_load_si256(tile.add(pair * 2 * REGISTERS + at));
                        let weights = [[weight(0), weight(1)], [weight(2), weight(3)]];
                        for (c, sums) in sums.iter_mut().enumerate() {
                            let word = cell.add(c * (CHANNELS / INPUTS_PER_WORD) + 2 * pair);
                            let [a, b] = [_mm256_set1_epi32(*word), _mm256_set1_epi32(*word.add(1))];
                            for r in 0..REGISTERS {
                                let quad = _mm256_add_epi16(
                                    _mm256_maddubs_epi16(a, weights[0][r]),
                                    _mm256_maddubs_epi16(b, weights[1][r]),
                                );
                                sums[r] = _mm256_add_epi32(sums[r], _mm256_madd_epi16(quad, ones));
                            }
                        }
                    }
                }
            }
            for (output, sums) in output.iter_mut().zip(sums) {
                let output = output.0[group * TILE_ROWS..][..TILE_ROWS].as_chunks_mut::<LANES>().0;
                for (output, sums) in output.iter_mut().zip(sums) {
                    // SAFETY: the chunk has eight sums.
                    unsafe { _mm256_storeu_si256(output.as_mut_ptr().cast(), sums) };
                }
            }
        }
    }
}
