use super::*;

/// Numbers that come again.
fn numbers(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1u64 << 24) as f32 - 0.5
    }
}

const MAP: [isize; TAPS] = [0, -12, -11, -1, 1, 11, 12];
const CELLS: usize = 192;
const FIRST: usize = 14;

fn layer(seed: u64) -> (Vec<Halves>, Vec<Lane>) {
    let mut next = numbers(seed);
    let mut input = vec![Halves::ZERO; CELLS];
    input.iter_mut().flat_map(|cell| &mut cell.0).for_each(|half| *half = narrow(next()));
    let mut rows = vec![Lane::ZERO; TAPS * CHANNELS];
    rows.iter_mut().flat_map(|row| &mut row.0).for_each(|weight| *weight = next());
    (input, rows)
}

#[test]
fn halves_round_to_the_nearest() {
    for (x, near) in [(1.0, 1.0), (-2.5, -2.5), (1.004, 1.0078125), (1.0039, 1.0), (0.0, 0.0)] {
        assert_eq!(widen(narrow(x)), near);
    }
}

#[test]
fn a_convolution_is_a_sum_over_taps() {
    let (input, rows) = layer(1);
    let mut output = [Lane::ZERO; 3 * BLOCK];
    convolve(&input, &MAP, &Weights::new(&rows), FIRST, &mut output);
    for cell in [FIRST, FIRST + 1, FIRST + 19, FIRST + 31, FIRST + 45] {
        for o in [0, 17, 63] {
            let mut sum = 0.0f64;
            for (tap, &offset) in MAP.iter().enumerate() {
                for k in 0..CHANNELS {
                    let weight = widen(narrow(rows[tap * CHANNELS + k].0[o]));
                    sum +=
                        f64::from(widen(input[(cell as isize + offset) as usize].0[k])) * f64::from(weight);
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
fn slopes_are_sums_over_cells() {
    let (input, _) = layer(2);
    let (errors, _) = layer(3);
    let mut strips = Strips::default();
    strips.set(&input, &errors);
    let mut slopes = vec![Lane([0.5; CHANNELS]); TAPS * CHANNELS];
    let span = (FIRST, 160);
    strips.gather(&MAP, &mut slopes, span);
    for (tap, k, o) in [(0, 0, 0), (1, 5, 63), (6, 63, 17), (3, 31, 32)] {
        let cells = span.0..span.0 + span.1;
        let sum: f64 = cells
            .map(|cell| {
                let from = (cell as isize + MAP[tap]) as usize;
                f64::from(widen(input[from].0[k])) * f64::from(widen(errors[cell].0[o]))
            })
            .sum();
        let slope = f64::from(slopes[tap * CHANNELS + k].0[o]) - 0.5;
        assert!((slope - sum).abs() < 1e-3, "{slope} {sum}");
    }
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
fn tiles_give_the_same_bits() {
    if !fast() {
        return;
    }
    for seed in 0..20 {
        let (input, rows) = layer(seed);
        let (errors, _) = layer(seed + 100);
        let weights = Weights::new(&rows);
        let [mut tiles, mut plain] = [[Lane::ZERO; 3 * BLOCK]; 2];
        convolve(&input, &MAP, &weights, FIRST, &mut tiles);
        plain::convolve(&input, &MAP, &weights, FIRST, &mut plain);
        assert_eq!(tiles, plain);
        let mut strips = Strips::default();
        strips.set(&input, &errors);
        let [mut tiles, mut plain] = [(); 2].map(|()| vec![Lane([0.25; CHANNELS]); TAPS * CHANNELS]);
        strips.gather(&MAP, &mut tiles, (FIRST, 160));
        plain::gather((&strips.input, strips.cells), &strips.errors, &MAP, &mut plain, (FIRST, 160));
        assert_eq!(tiles, plain);
    }
}

/// Cells and weights at their limits now and then.
fn byte_layer(seed: u64) -> (Vec<Bytes>, ByteWeights) {
    let mut next = numbers(seed);
    let mut extreme = |usual: f32| match next() {
        x if x > 0.3 => 0.5,
        x if x < -0.3 => -0.5,
        _ => usual * next(),
    };
    let mut input = vec![Bytes::ZERO; CELLS];
    let all = input.iter_mut().flat_map(|cell| &mut cell.0);
    all.for_each(|byte| *byte = ((extreme(1.0) + 0.5) * f32::from(bytes::MOST)) as u8);
    let mut rows = vec![Lane::ZERO; TAPS * CHANNELS];
    rows.iter_mut().flat_map(|row| &mut row.0).for_each(|weight| *weight = extreme(0.5));
    (input, ByteWeights::new(&rows).0)
}

#[test]
fn bytes_give_the_same_sums_everywhere() {
    // Where tiles are wrong, nothing asks them, and what follows would not see it.
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    assert_eq!(bytes::tiles_are_right(), fast());
    for seed in 0..20 {
        let (input, weights) = byte_layer(seed);
        for many in [bytes::LEAST, 36, 132] {
            let [mut quick, mut plain] = [(); 2].map(|()| vec![Sums::ZERO; many]);
            convolve_bytes(&input, &MAP, &weights, FIRST, &mut quick);
            bytes::plain(&input, &MAP, &weights, FIRST, &mut plain);
            assert_eq!(quick, plain);
        }
    }
}

#[test]
fn bytes_are_near_to_what_they_stand_for() {
    let (_, rows) = layer(4);
    let (weights, units) = ByteWeights::new(&rows);
    let mut input = vec![Bytes::ZERO; CELLS];
    let mut next = numbers(5);
    let all = input.iter_mut().flat_map(|cell| &mut cell.0);
    all.for_each(|byte| *byte = (127.0 * (next() + 0.5)) as u8);
    let mut sums = vec![Sums::ZERO; bytes::LEAST];
    convolve_bytes(&input, &MAP, &weights, FIRST, &mut sums);
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
        let near = sums[cell].0[o] as f32 * units.0[o];
        // Some 450 roundings of a 250th each, times some 60.
        assert!((near - exact).abs() < 10.0, "{near} {exact}");
    }
}
