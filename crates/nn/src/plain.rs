//! The bf16 kernels without AMX, bit for bit the same: a tile instruction sums the even and the odd inputs of a row
//! separately, by fused multiply-add from zero, and then adds both sums to the accumulator.

#![allow(clippy::needless_range_loop, reason = "fixed ranges are what becomes vector instructions")]

use crate::{
    BLOCK, Bf16, Bf16x64, CHANNELS, F32x64, OUTPUT_GROUPS, TILE_ROW, TILE_ROWS, TILES_PER_TAP, Weights,
    from_bf16,
};
use multiversion::multiversion;

/// See [`crate::convolve`].
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+fma", "x86_64+avx2+fma"))]
pub fn convolve<const TAPS: usize>(
    input: &[Bf16x64],
    taps: &[isize; TAPS],
    weights: &Weights<TAPS>,
    first: usize,
    output: &mut [F32x64],
) {
    // Cells at a time: with two, all sums stay in the registers of AVX2.
    const CELLS: usize = 2;
    let mut start = 0;
    while start < output.len() {
        let mut group = 0;
        while group < OUTPUT_GROUPS {
            let mut sums = [[0.0f32; TILE_ROWS]; CELLS];
            let mut step = 0;
            while step < TAPS * TILES_PER_TAP {
                let tile = &weights.0[group * TAPS * TILES_PER_TAP + step];
                let from = (step % TILES_PER_TAP) * TILE_ROW;
                let cells =
                    &input[(first + start).wrapping_add_signed(taps[step / TILES_PER_TAP])..][..CELLS];
                let mut even = [[0.0f32; TILE_ROWS]; CELLS];
                let mut odd = [[0.0f32; TILE_ROWS]; CELLS];
                let mut k = 0;
                while k < TILE_ROWS {
                    let row = &tile.0[k];
                    let (mut low, mut high) = ([0.0f32; TILE_ROWS], [0.0f32; TILE_ROWS]);
                    for o in 0..TILE_ROWS {
                        low[o] = from_bf16(row[2 * o]);
                        high[o] = from_bf16(row[2 * o + 1]);
                    }
                    for c in 0..CELLS {
                        let (x, y) =
                            (from_bf16(cells[c].0[from + 2 * k]), from_bf16(cells[c].0[from + 2 * k + 1]));
                        for o in 0..TILE_ROWS {
                            even[c][o] = x.mul_add(low[o], even[c][o]);
                            odd[c][o] = y.mul_add(high[o], odd[c][o]);
                        }
                    }
                    k += 1;
                }
                for c in 0..CELLS {
                    for o in 0..TILE_ROWS {
                        sums[c][o] += even[c][o] + odd[c][o];
                    }
                }
                step += 1;
            }
            for c in 0..CELLS {
                output[start + c].0[group * TILE_ROWS..(group + 1) * TILE_ROWS].copy_from_slice(&sums[c]);
            }
            group += 1;
        }
        start += CELLS;
    }
}

/// Transposes cells by channels to channels by pairs of cells.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
pub(crate) fn transpose(input: &[Bf16x64], output: &mut [[Bf16; 2]], cells: usize) {
    const PAIRS: usize = 8;
    let pairs = cells / 2;
    let mut start = 0;
    while start < pairs {
        let mut block = [[[0; 2]; CHANNELS]; PAIRS];
        let many = (pairs - start).min(PAIRS);
        for at in 0..many {
            let a = &input[2 * (start + at)].0;
            let b = &input.get(2 * (start + at) + 1).unwrap_or(&Bf16x64::ZERO).0;
            for k in 0..CHANNELS {
                block[at][k] = [a[k], b[k]];
            }
        }
        for channel in 0..CHANNELS {
            let row = &mut output[channel * pairs + start..][..many];
            for at in 0..many {
                row[at] = block[at][channel];
            }
        }
        start += PAIRS;
    }
}

/// Interleaves the channels of each pair of cells.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
pub(crate) fn interleave(errors: &[Bf16x64], output: &mut [[Bf16x64; 2]]) {
    const HALF: usize = CHANNELS / 2;
    let mut at = 0;
    while 2 * at < errors.len() {
        let a = &errors[2 * at].0;
        let b = &errors.get(2 * at + 1).unwrap_or(&Bf16x64::ZERO).0;
        let [low, high] = &mut output[at];
        for k in 0..HALF {
            low.0[2 * k] = a[k];
            low.0[2 * k + 1] = b[k];
            high.0[2 * k] = a[HALF + k];
            high.0[2 * k + 1] = b[HALF + k];
        }
        at += 1;
    }
}

/// See [`crate::WeightGradients::accumulate`].
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+fma", "x86_64+avx2+fma"))]
pub(crate) fn gradients<const TAPS: usize>(
    (input, cells): (&[Bf16], usize),
    errors: &[[Bf16x64; 2]],
    taps: &[isize; TAPS],
    gradients: &mut [F32x64],
    (first, count): (usize, usize),
) {
    const HALF: usize = CHANNELS / 2;
    let mut tap = 0;
    while tap < TAPS {
        let from = first.wrapping_add_signed(taps[tap]);
        let mut channel = 0;
        while channel < CHANNELS {
            let row = &input[channel * cells + from..][..count];
            let mut sums = gradients[tap * CHANNELS + channel].0;
            let mut start = 0;
            while start < count {
                let (mut even, mut odd) = ([0.0f32; CHANNELS], [0.0f32; CHANNELS]);
                let mut p = start;
                while p < start + BLOCK {
                    let [low, high] = &errors[(first + p) / 2];
                    let (x, y) = (from_bf16(row[p]), from_bf16(row[p + 1]));
                    for o in 0..HALF {
                        even[o] = x.mul_add(from_bf16(low.0[2 * o]), even[o]);
                        odd[o] = y.mul_add(from_bf16(low.0[2 * o + 1]), odd[o]);
                        even[HALF + o] = x.mul_add(from_bf16(high.0[2 * o]), even[HALF + o]);
                        odd[HALF + o] = y.mul_add(from_bf16(high.0[2 * o + 1]), odd[HALF + o]);
                    }
                    p += 2;
                }
                for o in 0..CHANNELS {
                    sums[o] += even[o] + odd[o];
                }
                start += BLOCK;
            }
            gradients[tap * CHANNELS + channel].0 = sums;
            channel += 1;
        }
        tap += 1;
    }
}
