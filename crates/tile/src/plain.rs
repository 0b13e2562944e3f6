//! The same numbers without tiles: sums in the order of the tile instructions. A tile instruction takes the even and the
//! odd inputs of a row apart, sums each by fused operations from zero, and adds both to what was there.

#![allow(clippy::needless_range_loop, reason = "fixed ranges are what becomes vector instructions")]

use crate::{CHANNELS, DEEP, Half, Halves, Lane, ROW, ROWS, STRIP, TAPS, WIDE, Weights, widen};
use multiversion::multiversion;

/// See [`crate::convolve`].
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+fma", "x86_64+avx2+fma"))]
pub fn convolve(
    input: &[Halves],
    taps: &[isize; TAPS],
    weights: &Weights,
    first: usize,
    output: &mut [Lane],
) {
    // Cells at a time: of two, all sums stay in the registers of AVX2.
    const TOGETHER: usize = 2;
    let mut start = 0;
    while start < output.len() {
        let mut wide = 0;
        while wide < WIDE {
            let mut sums = [[0.0f32; ROWS]; TOGETHER];
            let mut step = 0;
            while step < TAPS * DEEP {
                let tile = &weights.0[wide * TAPS * DEEP + step];
                let from = (step % DEEP) * ROW;
                let cells = &input[(first + start).wrapping_add_signed(taps[step / DEEP])..][..TOGETHER];
                let mut even = [[0.0f32; ROWS]; TOGETHER];
                let mut odd = [[0.0f32; ROWS]; TOGETHER];
                let mut k = 0;
                while k < ROWS {
                    let row = &tile.0[k];
                    let (mut low, mut high) = ([0.0f32; ROWS], [0.0f32; ROWS]);
                    for o in 0..ROWS {
                        low[o] = widen(row[2 * o]);
                        high[o] = widen(row[2 * o + 1]);
                    }
                    for c in 0..TOGETHER {
                        let (x, y) = (widen(cells[c].0[from + 2 * k]), widen(cells[c].0[from + 2 * k + 1]));
                        for o in 0..ROWS {
                            even[c][o] = x.mul_add(low[o], even[c][o]);
                            odd[c][o] = y.mul_add(high[o], odd[c][o]);
                        }
                    }
                    k += 1;
                }
                for c in 0..TOGETHER {
                    for o in 0..ROWS {
                        sums[c][o] += even[c][o] + odd[c][o];
                    }
                }
                step += 1;
            }
            for c in 0..TOGETHER {
                output[start + c].0[wide * ROWS..(wide + 1) * ROWS].copy_from_slice(&sums[c]);
            }
            wide += 1;
        }
        start += TOGETHER;
    }
}

/// Exchanges cells and channels, two cells at a time.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
pub(crate) fn exchange(input: &[Halves], output: &mut [[Half; 2]], cells: usize) {
    const PAIRS: usize = 8;
    let pairs = cells / 2;
    let mut start = 0;
    while start < pairs {
        let mut block = [[[0; 2]; CHANNELS]; PAIRS];
        let many = (pairs - start).min(PAIRS);
        for at in 0..many {
            let a = &input[2 * (start + at)].0;
            let b = &input.get(2 * (start + at) + 1).unwrap_or(&Halves::ZERO).0;
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

/// Puts the channels of two cells in turn.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
pub(crate) fn pair(errors: &[Halves], output: &mut [[Halves; 2]]) {
    const HALF: usize = CHANNELS / 2;
    let mut at = 0;
    while 2 * at < errors.len() {
        let a = &errors[2 * at].0;
        let b = &errors.get(2 * at + 1).unwrap_or(&Halves::ZERO).0;
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

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+fma", "x86_64+avx2+fma"))]
pub(crate) fn gather(
    (input, cells): (&[Half], usize),
    errors: &[[Halves; 2]],
    taps: &[isize; TAPS],
    slopes: &mut [Lane],
    (first, count): (usize, usize),
) {
    const HALF: usize = CHANNELS / 2;
    let mut tap = 0;
    while tap < TAPS {
        let from = first.wrapping_add_signed(taps[tap]);
        let mut channel = 0;
        while channel < CHANNELS {
            let row = &input[channel * cells + from..][..count];
            let mut sums = slopes[tap * CHANNELS + channel].0;
            let mut start = 0;
            while start < count {
                let (mut even, mut odd) = ([0.0f32; CHANNELS], [0.0f32; CHANNELS]);
                let mut p = start;
                while p < start + STRIP {
                    let [low, high] = &errors[(first + p) / 2];
                    let (x, y) = (widen(row[p]), widen(row[p + 1]));
                    for o in 0..HALF {
                        even[o] = x.mul_add(widen(low.0[2 * o]), even[o]);
                        odd[o] = y.mul_add(widen(low.0[2 * o + 1]), odd[o]);
                        even[HALF + o] = x.mul_add(widen(high.0[2 * o]), even[HALF + o]);
                        odd[HALF + o] = y.mul_add(widen(high.0[2 * o + 1]), odd[HALF + o]);
                    }
                    p += 2;
                }
                for o in 0..CHANNELS {
                    sums[o] += even[o] + odd[o];
                }
                start += STRIP;
            }
            slopes[tap * CHANNELS + channel].0 = sums;
            channel += 1;
        }
        tap += 1;
    }
}
