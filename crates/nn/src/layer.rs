//! What a layer does besides its convolution, and its backward pass. Cells where `mask` is false are padding and stay zero.

#![allow(clippy::needless_range_loop, reason = "fixed ranges become vector instructions")]

use crate::int8::{I32x64, MAX_ACTIVATION, U8x64};
use crate::{Bf16x64, CHANNELS, F32x64, from_bf16, to_bf16};
use multiversion::multiversion;

/// Bias, residual connection and ReLU: `output = max(0, sums + bias + residual)`.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
pub fn residual_relu(
    sums: &[F32x64],
    bias: &F32x64,
    residual: &[Bf16x64],
    mask: &[bool],
    output: &mut [Bf16x64],
) {
    let mut cell = 0;
    while cell < sums.len() {
        if mask[cell] {
            let (sum, residual, output) = (&sums[cell].0, &residual[cell].0, &mut output[cell].0);
            for k in 0..CHANNELS {
                let x = sum[k] + bias.0[k] + from_bf16(residual[k]);
                output[k] = to_bf16(if x > 0.0 { x } else { 0.0 });
            }
        }
        cell += 1;
    }
}

/// From the sums of a quantized convolution to the quantized input of the next one, channel by channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Requantize {
    /// What a sum of 1 stands for.
    pub scales: F32x64,
    /// Added to the scaled sums.
    pub bias: F32x64,
    /// Activation quantization scale: steps of the next layer's input per unit.
    pub steps: F32x64,
}

/// 2^23: adding it rounds to an integer in the low mantissa bits.
const ROUND: f32 = (1 << 23) as f32;

/// Bias, residual connection and ReLU in `f32`, and the result quantized for the next layer. The residual stream stays
/// in `f32`, so rounding errors do not add up from layer to layer.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
pub fn requantize(
    sums: &[I32x64],
    by: &Requantize,
    mask: &[bool],
    residual: &mut [F32x64],
    output: &mut [U8x64],
) {
    let Requantize { scales: F32x64(scales), bias: F32x64(bias), steps: F32x64(steps) } = by;
    let mut cell = 0;
    while cell < sums.len() {
        if mask[cell] {
            let (sum, residual, output) = (&sums[cell].0, &mut residual[cell].0, &mut output[cell].0);
            for k in 0..CHANNELS {
                let x = sum[k] as f32 * scales[k] + bias[k] + residual[k];
                let x = if x > 0.0 { x } else { 0.0 };
                residual[k] = x;
                let quantized = x * steps[k];
                let quantized =
                    if quantized < MAX_ACTIVATION as f32 { quantized } else { MAX_ACTIVATION as f32 };
                output[k] = (quantized + ROUND).to_bits() as u8;
            }
        }
        cell += 1;
    }
}

/// Backward pass of ReLU and bias: zeroes the errors where the layer's output was zero, stores them in bf16 too, and adds
/// them to the gradients of the bias.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
pub fn relu_backward(output: &[Bf16x64], errors: &mut [F32x64], rounded: &mut [Bf16x64], bias: &mut F32x64) {
    let mut cell = 0;
    while cell < errors.len() {
        let (output, error, rounded) = (&output[cell].0, &mut errors[cell].0, &mut rounded[cell].0);
        for k in 0..CHANNELS {
            error[k] = if output[k] > 0 { error[k] } else { 0.0 };
            rounded[k] = to_bf16(error[k]);
            bias.0[k] += error[k];
        }
        cell += 1;
    }
}

/// Backward pass of the residual connection: adds what came back through the convolution to the errors.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
pub fn add_masked(sums: &[F32x64], mask: &[bool], errors: &mut [F32x64]) {
    let mut cell = 0;
    while cell < sums.len() {
        if mask[cell] {
            for k in 0..CHANNELS {
                errors[cell].0[k] += sums[cell].0[k];
            }
        }
        cell += 1;
    }
}

/// The dot product, summed in the same order on every processor.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
pub fn dot(a: &F32x64, b: &F32x64) -> f32 {
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
