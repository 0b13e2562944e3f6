//! The arithmetic of the network: convolutions over a cell and its six neighbours.
//!
//! Cells lie in rows one longer than the board, so that a neighbour is always at the same distance and the cell
//! between two rows is off the board on both sides. Sums are taken in the same order on every processor and always with
//! fused operations, so a network gives the same numbers everywhere (slowly where the processor has none).

#![allow(clippy::needless_range_loop, reason = "fixed ranges are what becomes vector instructions")]

use multiversion::multiversion;

/// Channels of every layer.
pub(super) const CHANNELS: usize = 32;

/// What one cell holds.
pub(super) type Lane = [f32; CHANNELS];

/// A cell and its neighbours.
pub(super) const TAPS: usize = 7;

/// Cells computed together: as many sums as registers hold.
pub(super) const BLOCK: usize = 4;

/// Inputs whose slopes are summed together; divides the number of planes and of channels.
const TOGETHER: usize = 4;

/// Adds a convolution of cells `first..first + count` (a multiple of [`BLOCK`]) to `bias`. `weights` has the rows of
/// the first tap, then of the second, and so on.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
pub(super) fn convolve<const IN: usize>(
    input: &[[f32; IN]],
    taps: &[isize; TAPS],
    (weights, bias): (&[Lane], &Lane),
    output: &mut [Lane],
    (first, count): (usize, usize),
) {
    // Plain loops over fixed ranges: iterators are not always taken into a function for another processor.
    let mut start = first;
    while start < first + count {
        let [mut a, mut b, mut c, mut d] = [*bias; BLOCK];
        let mut tap = 0;
        while tap < TAPS {
            let from = start.wrapping_add_signed(taps[tap]);
            let [w, x, y, z]: &[[f32; IN]; BLOCK] =
                input[from..].first_chunk().unwrap_or(&[[0.0; IN]; BLOCK]);
            let rows = &weights[tap * IN..(tap + 1) * IN];
            let mut k = 0;
            while k < IN {
                let (row, w, x, y, z) = (&rows[k], w[k], x[k], y[k], z[k]);
                for o in 0..CHANNELS {
                    a[o] = w.mul_add(row[o], a[o]);
                    b[o] = x.mul_add(row[o], b[o]);
                    c[o] = y.mul_add(row[o], c[o]);
                    d[o] = z.mul_add(row[o], d[o]);
                }
                k += 1;
            }
            tap += 1;
        }
        output[start] = a;
        output[start + 1] = b;
        output[start + 2] = c;
        output[start + 3] = d;
        start += BLOCK;
    }
}

/// Adds to `slopes` of one tap's weights what cells `first..first + count` say.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
pub(super) fn gather<const IN: usize>(
    input: &[[f32; IN]],
    tap: isize,
    errors: &[Lane],
    slopes: &mut [Lane],
    (first, count): (usize, usize),
) {
    let cells = &input[first.wrapping_add_signed(tap)..][..count];
    let errors = &errors[first..first + count];
    let mut block = 0;
    while block < IN {
        let [mut a, mut b, mut c, mut d] = [[0.0f32; CHANNELS]; TOGETHER];
        let mut p = 0;
        while p < count {
            let (error, cell) = (&errors[p], &cells[p]);
            let (w, x, y, z) = (cell[block], cell[block + 1], cell[block + 2], cell[block + 3]);
            for o in 0..CHANNELS {
                a[o] = w.mul_add(error[o], a[o]);
                b[o] = x.mul_add(error[o], b[o]);
                c[o] = y.mul_add(error[o], c[o]);
                d[o] = z.mul_add(error[o], d[o]);
            }
            p += 1;
        }
        let rows = &mut slopes[block..block + TOGETHER];
        for o in 0..CHANNELS {
            rows[0][o] += a[o];
            rows[1][o] += b[o];
            rows[2][o] += c[o];
            rows[3][o] += d[o];
        }
        block += TOGETHER;
    }
}
