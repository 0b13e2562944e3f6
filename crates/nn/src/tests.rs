use super::int8::{I32x64, Int8Weights, Kernel, U8x64, convolve_int8};
use super::*;

/// Reproducible uniform numbers in -0.5..0.5.
pub(super) fn numbers(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1u64 << 24) as f32 - 0.5
    }
}

const TAPS: usize = 7;
const MAP: [isize; TAPS] = [0, -12, -11, -1, 1, 11, 12];
const CELLS: usize = 192;
const FIRST: usize = 14;

fn layer(seed: u64) -> (Vec<Bf16x64>, Vec<F32x64>) {
    let mut next = numbers(seed);
    let mut input = vec![Bf16x64::ZERO; CELLS];
    input.iter_mut().flat_map(|cell| &mut cell.0).for_each(|x| *x = to_bf16(next()));
    let mut rows = vec![F32x64::ZERO; TAPS * CHANNELS];
    rows.iter_mut().flat_map(|row| &mut row.0).for_each(|weight| *weight = next());
    (input, rows)
}

#[test]
fn bf16_rounds_to_nearest_even() {
    for (x, near) in [(1.0, 1.0), (-2.5, -2.5), (1.004, 1.0078125), (1.0039, 1.0), (0.0, 0.0)] {
        assert_eq!(from_bf16(to_bf16(x)), near);
    }
}

#[test]
fn a_convolution_is_a_sum_over_taps() {
    let (input, rows) = layer(1);
    let mut output = [F32x64::ZERO; 2 * BLOCK];
    convolve(&input, &MAP, &Weights::new(&rows), FIRST, &mut output);
    for cell in [FIRST, FIRST + 1, FIRST + 19, FIRST + 31, FIRST + 45] {
        for o in [0, 17, 63] {
            let mut sum = 0.0f64;
            for (tap, &offset) in MAP.iter().enumerate() {
                for k in 0..CHANNELS {
                    let weight = from_bf16(to_bf16(rows[tap * CHANNELS + k].0[o]));
                    sum += f64::from(from_bf16(input[(cell as isize + offset) as usize].0[k]))
                        * f64::from(weight);
                }
            }
            assert!(
                (f64::from(output[cell - FIRST].0[o]) - sum).abs() < 1e-3,
                "{} {sum}",
                output[cell - FIRST].0[o]
            );
        }
    }
}

#[test]
fn gradients_are_sums_over_cells() {
    let (input, _) = layer(2);
    let (errors, _) = layer(3);
    let mut operands = WeightGradients::default();
    operands.set(&input, &errors);
    let mut gradients = vec![F32x64([0.5; CHANNELS]); TAPS * CHANNELS];
    let span = (FIRST, 160);
    operands.accumulate(&MAP, &mut gradients, span);
    for (tap, k, o) in [(0, 0, 0), (1, 5, 63), (6, 63, 17), (3, 31, 32)] {
        let cells = span.0..span.0 + span.1;
        let sum: f64 = cells
            .map(|cell| {
                let from = (cell as isize + MAP[tap]) as usize;
                f64::from(from_bf16(input[from].0[k])) * f64::from(from_bf16(errors[cell].0[o]))
            })
            .sum();
        let gradient = f64::from(gradients[tap * CHANNELS + k].0[o]) - 0.5;
        assert!((gradient - sum).abs() < 1e-3, "{gradient} {sum}");
    }
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
fn amx_gives_the_same_bits_as_the_plain_kernels() {
    if !has_amx() {
        println!("not compared: bf16 by AMX, which this processor does not have");
        return;
    }
    for seed in 0..20 {
        let (input, rows) = layer(seed);
        let (errors, _) = layer(seed + 100);
        let weights = Weights::new(&rows);
        let [mut tiles, mut plain] = [[F32x64::ZERO; 2 * BLOCK]; 2];
        convolve(&input, &MAP, &weights, FIRST, &mut tiles);
        plain::convolve(&input, &MAP, &weights, FIRST, &mut plain);
        assert_eq!(tiles, plain);
        let mut operands = WeightGradients::default();
        operands.set(&input, &errors);
        let [mut tiles, mut plain] = [(); 2].map(|()| vec![F32x64([0.25; CHANNELS]); TAPS * CHANNELS]);
        operands.accumulate(&MAP, &mut tiles, (FIRST, 160));
        plain::gradients((&operands.input, operands.cells), &operands.errors, &MAP, &mut plain, (FIRST, 160));
        assert_eq!(tiles, plain);
    }
}

/// AVX-512 BF16 rounds in another order than the plain kernels, so its sums are only near theirs.
#[cfg(target_arch = "x86_64")]
#[test]
fn avx512_bf16_gives_nearly_the_sums_of_the_plain_kernels() {
    if !avx512_bf16::usable() {
        println!("not compared: bf16 by AVX-512 BF16, which this processor does not have");
        return;
    }
    let near = |fast: &[F32x64], plain: &[F32x64]| {
        let pairs = fast.iter().zip(plain).flat_map(|(fast, plain)| fast.0.into_iter().zip(plain.0));
        pairs.for_each(|(fast, plain)| assert!((fast - plain).abs() < 1e-4, "{fast} {plain}"));
    };
    for seed in 0..20 {
        let (input, rows) = layer(seed);
        let (errors, _) = layer(seed + 100);
        let weights = Weights::new(&rows);
        let [mut fast, mut plain] = [[F32x64::ZERO; 2 * BLOCK]; 2];
        // SAFETY: the processor has AVX-512 BF16, and the cells have all their taps.
        unsafe { avx512_bf16::convolve(&input, &MAP, &weights.0, FIRST, &mut fast) };
        plain::convolve(&input, &MAP, &weights, FIRST, &mut plain);
        near(&fast, &plain);
        let mut operands = WeightGradients::default();
        operands.set(&input, &errors);
        let parts = (&operands.input[..], operands.cells);
        let [mut fast, mut plain] = [(); 2].map(|()| vec![F32x64([0.25; CHANNELS]); TAPS * CHANNELS]);
        // SAFETY: as above.
        unsafe { avx512_bf16::gradients(parts, &operands.errors, &MAP, &mut fast, (FIRST, 160)) };
        plain::gradients(parts, &operands.errors, &MAP, &mut plain, (FIRST, 160));
        near(&fast, &plain);
    }
}

/// Activations and weights, many of them at their limits.
fn int8_layer(seed: u64) -> (Vec<U8x64>, Int8Weights<TAPS>) {
    let mut next = numbers(seed);
    let mut extreme = |usual: f32| match next() {
        x if x > 0.3 => 0.5,
        x if x < -0.3 => -0.5,
        _ => usual * next(),
    };
    let mut input = vec![U8x64::ZERO; CELLS];
    let all = input.iter_mut().flat_map(|cell| &mut cell.0);
    all.for_each(|x| *x = ((extreme(1.0) + 0.5) * f32::from(int8::MAX_ACTIVATION)) as u8);
    let mut rows = vec![F32x64::ZERO; TAPS * CHANNELS];
    rows.iter_mut().flat_map(|row| &mut row.0).for_each(|weight| *weight = extreme(0.5));
    (input, Int8Weights::new(&rows).0)
}

#[test]
fn every_int8_kernel_gives_the_same_sums() {
    // A wrong AMX kernel is not listed, so the comparison below would not see it.
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    assert_eq!(int8::amx_is_exact(), has_amx());
    for (name, kernel) in Kernel::list() {
        let Some(kernel) = kernel else {
            println!("not compared: int8 by {name}, which this processor does not have");
            continue;
        };
        println!("compared: int8 by {name}");
        for seed in 0..20 {
            let (input, weights) = int8_layer(seed);
            for many in [int8::MIN_CELLS, 36, 40, 132] {
                let [mut quick, mut plain] = [(); 2].map(|()| vec![I32x64::ZERO; many]);
                convolve_int8(kernel, &input, &MAP, &weights, FIRST, &mut quick);
                int8::plain(&input, &MAP, &weights, FIRST, &mut plain);
                assert_eq!(quick, plain, "{name}");
            }
        }
    }
}

#[test]
fn quantized_sums_are_near_the_exact_ones() {
    let (_, rows) = layer(4);
    let (weights, scales) = Int8Weights::new(&rows);
    let mut input = vec![U8x64::ZERO; CELLS];
    let mut next = numbers(5);
    let all = input.iter_mut().flat_map(|cell| &mut cell.0);
    all.for_each(|x| *x = (127.0 * (next() + 0.5)) as u8);
    let mut sums = vec![I32x64::ZERO; int8::MIN_CELLS];
    convolve_int8(Kernel::fastest(), &input, &MAP, &weights, FIRST, &mut sums);
    for (cell, o) in [(0, 0), (7, 63), (31, 17)] {
        let exact: f32 = MAP
            .iter()
            .enumerate()
            .flat_map(|(tap, &offset)| (0..CHANNELS).map(move |k| (tap, offset, k)))
            .map(|(tap, offset, k)| {
                let held = input[(FIRST + cell).wrapping_add_signed(offset)].0[k];
                f32::from(held) * rows[tap * CHANNELS + k].0[o]
            })
            .sum();
        let near = sums[cell].0[o] as f32 * scales.0[o];
        // About 450 roundings of 1/250 each, times about 60.
        assert!((near - exact).abs() < 10.0, "{near} {exact}");
    }
}
