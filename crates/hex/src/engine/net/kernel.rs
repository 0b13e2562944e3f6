//! What a layer does to a cell besides its convolution.

#![allow(clippy::needless_range_loop, reason = "fixed ranges are what becomes vector instructions")]

use multiversion::multiversion;
use tile::bytes::MOST;
use tile::{Bytes, CHANNELS, Halves, Lane, Sums, narrow, widen};

/// What a convolution gave, its bias and what was there before, rectified. Cells off the board stay empty.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
pub(super) fn finish(sums: &[Lane], bias: &Lane, before: &[Halves], on_board: &[bool], after: &mut [Halves]) {
    let mut cell = 0;
    while cell < sums.len() {
        if on_board[cell] {
            let (sum, before, after) = (&sums[cell].0, &before[cell].0, &mut after[cell].0);
            for k in 0..CHANNELS {
                let x = sum[k] + bias.0[k] + widen(before[k]);
                after[k] = narrow(if x > 0.0 { x } else { 0.0 });
            }
        }
        cell += 1;
    }
}

/// What becomes of a convolution in bytes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Told {
    /// What a one of its sums stands for.
    pub(super) units: Lane,
    pub(super) bias: Lane,
    /// Into how many parts a one is divided for the next layer.
    pub(super) parts: Lane,
}

/// A number whose last bit is a one: added to a small number, it leaves the nearest whole one in its last bits.
const WHOLE: f32 = (1 << 23) as f32;

/// Adds what a convolution in bytes gave and its bias to what was there, rectified, and tells the next layer in bytes. Cells
/// off the board stay as they are.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
pub(super) fn tell(sums: &[Sums], told: &Told, on_board: &[bool], lanes: &mut [Lane], after: &mut [Bytes]) {
    let Told { units: Lane(units), bias: Lane(bias), parts: Lane(parts) } = told;
    let mut cell = 0;
    while cell < sums.len() {
        if on_board[cell] {
            let (sum, lane, after) = (&sums[cell].0, &mut lanes[cell].0, &mut after[cell].0);
            for k in 0..CHANNELS {
                let x = sum[k] as f32 * units[k] + bias[k] + lane[k];
                let x = if x > 0.0 { x } else { 0.0 };
                lane[k] = x;
                let part = x * parts[k];
                let part = if part < MOST as f32 { part } else { MOST as f32 };
                after[k] = (part + WHOLE).to_bits() as u8;
            }
        }
        cell += 1;
    }
}

/// Leaves the errors where the layer's output was above zero, and adds them to the slopes of the bias.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
pub(super) fn pass(output: &[Halves], errors: &mut [Lane], halves: &mut [Halves], bias: &mut Lane) {
    let mut cell = 0;
    while cell < errors.len() {
        let (output, error, half) = (&output[cell].0, &mut errors[cell].0, &mut halves[cell].0);
        for k in 0..CHANNELS {
            error[k] = if output[k] > 0 { error[k] } else { 0.0 };
            half[k] = narrow(error[k]);
            bias.0[k] += error[k];
        }
        cell += 1;
    }
}

/// Adds what a convolution gave to the errors of the cells on the board.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
pub(super) fn add(sums: &[Lane], on_board: &[bool], errors: &mut [Lane]) {
    let mut cell = 0;
    while cell < sums.len() {
        if on_board[cell] {
            for k in 0..CHANNELS {
                errors[cell].0[k] += sums[cell].0[k];
            }
        }
        cell += 1;
    }
}

/// The sum of products, in the same order everywhere.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
pub(super) fn dot(a: &Lane, b: &Lane) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0f32; LANES];
    for part in 0..CHANNELS / LANES {
        for k in 0..LANES {
            sums[k] += a.0[part * LANES + k] * b.0[part * LANES + k];
        }
    }
    let mut width = LANES / 2;
    while width > 0 {
        for k in 0..width {
            sums[k] += sums[k + width];
        }
        width /= 2;
    }
    sums[0]
}
