//! The bf16 kernels by AVX-512 BF16: `vdpbf16ps` adds two products to each `f32` sum, so a row of a [`Tile`] is an operand
//! as it is.
//!
//! It rounds after every pair of inputs, where AMX and the plain kernels sum the even and the odd inputs of a tile row
//! first: results differ in the last bits. Training needs no more than that; searches use [`crate::int8`].

use crate::{Bf16, Bf16x64, CHANNELS, F32x64, OUTPUT_GROUPS, TILE_ROWS, TILES_PER_TAP, Tile};
use std::arch::x86_64::*;
use std::sync::LazyLock;

/// Does the processor have AVX-512 BF16?
pub(crate) fn usable() -> bool {
    static USABLE: LazyLock<bool> =
        LazyLock::new(|| is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bf16"));
    *USABLE
}

/// Pairs of inputs per tap.
const PAIRS: usize = TILES_PER_TAP * TILE_ROWS;
/// Bytes that a pair takes, as one word to broadcast.
type Pair = i32;

/// See [`crate::convolve`].
///
/// # Safety
/// The processor has AVX-512 BF16; `output` has a multiple of 32 cells whose taps, from `first` on, are within `input`; and
/// `weights` are those of `TAPS` taps.
#[target_feature(enable = "avx512f,avx512bf16")]
pub(crate) unsafe fn convolve<const TAPS: usize>(
    input: &[Bf16x64],
    taps: &[isize; TAPS],
    weights: &[Tile],
    first: usize,
    output: &mut [F32x64],
) {
    const CELLS: usize = 4;
    for start in (0..output.len()).step_by(CELLS) {
        let mut sums = [[_mm512_setzero_ps(); OUTPUT_GROUPS]; CELLS];
        for (tap, &offset) in taps.iter().enumerate() {
            // SAFETY: see above; a cell has 32 pairs, a tap 32 rows of weights for each group of outputs.
            unsafe {
                let cell = input.as_ptr().add(first + start).offset(offset).cast::<Pair>();
                let rows = weights.as_ptr().add(tap * TILES_PER_TAP).cast::<__m512i>();
                for pair in 0..PAIRS {
                    let words: [*const Pair; CELLS] = std::array::from_fn(|c| cell.add(c * PAIRS + pair));
                    multiply(&mut sums, words, rows.add(pair), TAPS * PAIRS);
                }
            }
        }
        for (output, sums) in output[start..start + CELLS].iter_mut().zip(sums) {
            for (output, sum) in output.0.as_chunks_mut::<TILE_ROWS>().0.iter_mut().zip(sums) {
                // SAFETY: the chunk has sixteen sums.
                unsafe { _mm512_storeu_ps(output.as_mut_ptr(), sum) };
            }
        }
    }
}

/// See [`crate::WeightGradients::accumulate`].
///
/// # Safety
/// The processor has AVX-512 BF16, all cells and their taps are within the slices, and `count` is even.
#[target_feature(enable = "avx512f,avx512bf16")]
pub(crate) unsafe fn gradients<const TAPS: usize>(
    (input, cells): (&[Bf16], usize),
    errors: &[[Bf16x64; 2]],
    taps: &[isize; TAPS],
    gradients: &mut [F32x64],
    (first, count): (usize, usize),
) {
    const ROWS: usize = 4;
    for (row, gradients) in gradients.as_chunks_mut::<ROWS>().0.iter_mut().enumerate() {
        let (tap, channel) = (row * ROWS / CHANNELS, row * ROWS % CHANNELS);
        // SAFETY: see above; a pair of cells has four registers of errors, a row of gradients four of sums.
        unsafe {
            let input = input.as_ptr().add(channel * cells + first).offset(taps[tap]);
            let errors = errors.as_ptr().add(first / 2).cast::<__m512i>();
            let sums_of =
                |at: usize, group: usize| gradients.as_ptr().add(at).cast::<f32>().add(group * TILE_ROWS);
            let mut sums: [[__m512; OUTPUT_GROUPS]; ROWS] =
                std::array::from_fn(|at| std::array::from_fn(|group| _mm512_loadu_ps(sums_of(at, group))));
            for pair in 0..count / 2 {
                let words: [*const Pair; ROWS] =
                    std::array::from_fn(|at| input.add(at * cells + 2 * pair).cast());
                multiply(&mut sums, words, errors.add(pair * OUTPUT_GROUPS), 1);
            }
            for (gradients, sums) in gradients.iter_mut().zip(sums) {
                for (gradients, sum) in gradients.0.as_chunks_mut::<TILE_ROWS>().0.iter_mut().zip(sums) {
                    _mm512_storeu_ps(gradients.as_mut_ptr(), sum);
                }
            }
        }
    }
}

/// Adds the products of some pairs with four registers, `stride` apart, to the sums.
///
/// # Safety
/// The words and the registers are readable.
#[inline]
#[target_feature(enable = "avx512f,avx512bf16")]
unsafe fn multiply<const ROWS: usize>(
    sums: &mut [[__m512; OUTPUT_GROUPS]; ROWS],
    words: [*const Pair; ROWS],
    registers: *const __m512i,
    stride: usize,
) {
    // SAFETY: see above; the types of a transmutation are 512 bits of any content.
    unsafe {
        let operands: [__m512bh; OUTPUT_GROUPS] = std::array::from_fn(|group| {
            std::mem::transmute(_mm512_loadu_si512(registers.add(group * stride)))
        });
        for (sums, word) in sums.iter_mut().zip(words) {
            let pair = std::mem::transmute::<__m512i, __m512bh>(_mm512_set1_epi32(word.read_unaligned()));
            for (sum, operand) in sums.iter_mut().zip(operands) {
                *sum = _mm512_dpbf16_ps(*sum, pair, operand);
            }
        }
    }
}
