//! WebAssembly SIMD. With relaxed SIMD the dot product of bytes that AVX2 calls `maddubs`; without it one of 16-bit
//! numbers. A module is built for one or the other, because it cannot ask what the browser has.

use super::{CELL_GROUP, CHANNELS, I32x64, INPUTS_PER_WORD, Int8Tile, OUTPUT_GROUPS, TILE_ROWS, U8x64};
use std::arch::wasm32::*;

/// Sums per register.
const LANES: usize = 4;
/// Registers for 16 outputs.
const REGISTERS: usize = TILE_ROWS / LANES;
/// Registers of outputs at a time: with [`CELL_GROUP`] cells, the sums leave room for weights in 16 registers.
#[cfg(target_feature = "relaxed-simd")]
const AT_ONCE: usize = 2;
#[cfg(not(target_feature = "relaxed-simd"))]
const AT_ONCE: usize = 1;

/// What this module was built for.
pub(super) const NAME: &str = if cfg!(target_feature = "relaxed-simd") { "relaxed SIMD" } else { "SIMD128" };

/// See [`super::convolve_int8`].
///
/// # Safety
/// The taps of as many cells as `output` has, from `first` on, are within `input`.
pub(super) unsafe fn convolve<const TAPS: usize>(
    input: &[U8x64],
    taps: &[isize; TAPS],
    weights: &[Int8Tile],
    first: usize,
    output: &mut [I32x64],
) {
    for (group, at) in
        (0..OUTPUT_GROUPS).flat_map(|group| (0..REGISTERS).step_by(AT_ONCE).map(move |at| (group, at)))
    {
        for (chunk, output) in output.as_chunks_mut::<CELL_GROUP>().0.iter_mut().enumerate() {
            let mut sums = [[Sum::ZERO; AT_ONCE]; CELL_GROUP];
            for tap in 0..TAPS {
                let tile = (&raw const weights[group * TAPS + tap]).cast::<v128>();
                // SAFETY: see above; a cell has 16 words of four activations, a tile 16 rows of four registers.
                unsafe {
                    let cell = input.as_ptr().add(first + chunk * CELL_GROUP).offset(taps[tap]).cast::<u32>();
                    for pair in 0..TILE_ROWS / 2 {
                        let rows = tile.add(pair * 2 * REGISTERS + at);
                        let weights: [_; AT_ONCE] =
                            std::array::from_fn(|r| Weights::new(*rows.add(r), *rows.add(REGISTERS + r)));
                        for (c, sums) in sums.iter_mut().enumerate() {
                            let word = cell.add(c * (CHANNELS / INPUTS_PER_WORD) + 2 * pair);
                            let inputs = [v128_load32_splat(word), v128_load32_splat(word.add(1))];
                            for (sum, weights) in sums.iter_mut().zip(&weights) {
                                sum.add(inputs, weights);
                            }
                        }
                    }
                }
            }
            for (output, sums) in output.iter_mut().zip(sums) {
                let output = &mut output.0[group * TILE_ROWS + at * LANES..];
                for (output, sum) in output.as_chunks_mut::<LANES>().0.iter_mut().zip(sums) {
                    // SAFETY: the chunk has four sums.
                    unsafe { v128_store(output.as_mut_ptr().cast(), sum.total()) };
                }
            }
        }
    }
}

/// The weights of four outputs for eight inputs.
#[cfg(target_feature = "relaxed-simd")]
struct Weights([v128; 2]);

/// The sums of four outputs.
#[cfg(target_feature = "relaxed-simd")]
#[derive(Clone, Copy)]
struct Sum(v128);

#[cfg(target_feature = "relaxed-simd")]
impl Weights {
    fn new(a: v128, b: v128) -> Weights {
        Weights([a, b])
    }
}

#[cfg(target_feature = "relaxed-simd")]
impl Sum {
    const ZERO: Sum = Sum(i32x4(0, 0, 0, 0));

    #[inline(always)]
    fn add(&mut self, inputs: [v128; 2], weights: &Weights) {
        // Activations have 7 bits and quads fit into 16, so nothing here depends on the processor.
        let quad = i16x8_add(
            i16x8_relaxed_dot_i8x16_i7x16(weights.0[0], inputs[0]),
            i16x8_relaxed_dot_i8x16_i7x16(weights.0[1], inputs[1]),
        );
        self.0 = i32x4_add(self.0, i32x4_extadd_pairwise_i16x8(quad));
    }

    fn total(self) -> v128 {
        self.0
    }
}

/// The weights of four outputs for eight inputs, as 16-bit numbers.
#[cfg(not(target_feature = "relaxed-simd"))]
struct Weights([[v128; 2]; 2]);

/// The sums of four outputs, each in two halves: inputs 0 and 1 of every four, and 2 and 3.
#[cfg(not(target_feature = "relaxed-simd"))]
#[derive(Clone, Copy)]
struct Sum([v128; 2]);

#[cfg(not(target_feature = "relaxed-simd"))]
impl Weights {
    fn new(a: v128, b: v128) -> Weights {
        Weights([a, b].map(|row| [i16x8_extend_low_i8x16(row), i16x8_extend_high_i8x16(row)]))
    }
}

#[cfg(not(target_feature = "relaxed-simd"))]
impl Sum {
    const ZERO: Sum = Sum([i32x4(0, 0, 0, 0); 2]);

    #[inline(always)]
    fn add(&mut self, inputs: [v128; 2], weights: &Weights) {
        for (input, weights) in inputs.into_iter().zip(&weights.0) {
            let input = i16x8_extend_low_i8x16(input);
            for (sum, weights) in self.0.iter_mut().zip(weights) {
                *sum = i32x4_add(*sum, i32x4_dot_i16x8(input, *weights));
            }
        }
    }

    fn total(self) -> v128 {
        let [low, high] = self.0;
        i32x4_add(i32x4_shuffle::<0, 2, 4, 6>(low, high), i32x4_shuffle::<1, 3, 5, 7>(low, high))
    }
}
