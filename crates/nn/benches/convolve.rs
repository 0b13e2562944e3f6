//! One layer of an 11x11 board, forward and backward, by the dispatched and by the plain kernels.

use criterion::{Criterion, criterion_group, criterion_main};
use nn::int8::{I32x64, Int8Weights, Kernel, U8x64, convolve_int8};
use nn::{BLOCK, Bf16x64, CHANNELS, F32x64, ONE_BF16, WeightGradients, Weights, convolve};

fn layer(criterion: &mut Criterion) {
    let taps: [isize; 7] = [0, -12, -11, -1, 1, 11, 12];
    let input = vec![Bf16x64([ONE_BF16; CHANNELS]); 192];
    let weights = Weights::new(&vec![F32x64([0.01; CHANNELS]); 7 * CHANNELS]);
    let mut output = [F32x64::ZERO; 5 * BLOCK];
    println!("AMX: {}", nn::has_amx());
    criterion.bench_function("convolve", |bencher| {
        bencher.iter(|| convolve(&input, &taps, &weights, 14, &mut output));
    });
    criterion.bench_function("convolve, plain", |bencher| {
        bencher.iter(|| nn::plain::convolve(&input, &taps, &weights, 14, &mut output));
    });
    let activations = vec![U8x64([1; CHANNELS]); 192];
    let (int8_weights, _) = Int8Weights::new(&vec![F32x64([0.01; CHANNELS]); 7 * CHANNELS]);
    let mut sums = [I32x64::ZERO; 11 * 12];
    for (name, kernel) in Kernel::list() {
        let Some(kernel) = kernel else {
            println!("int8, {name}: this processor does not have it");
            continue;
        };
        criterion.bench_function(&format!("convolve int8, {name}"), |bencher| {
            bencher.iter(|| convolve_int8(kernel, &activations, &taps, &int8_weights, 14, &mut sums));
        });
    }
    let mut operands = WeightGradients::default();
    operands.set(&input, &input);
    let mut gradients = vec![F32x64::ZERO; 7 * CHANNELS];
    criterion.bench_function("gradients, layout", |bencher| bencher.iter(|| operands.set(&input, &input)));
    criterion.bench_function("gradients, sums", |bencher| {
        bencher.iter(|| operands.accumulate(&taps, &mut gradients, (14, 160)))
    });
}

criterion_group!(benches, layer);
criterion_main!(benches);
