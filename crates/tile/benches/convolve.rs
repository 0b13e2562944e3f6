//! A layer forward and its slopes, for a board of 11x11.

use criterion::{Criterion, criterion_group, criterion_main};
use tile::{
    BLOCK, ByteWeights, Bytes, CHANNELS, Halves, Lane, Strips, Sums, TAPS, Weights, bytes, convolve,
    convolve_bytes,
};

fn layer(criterion: &mut Criterion) {
    let taps: [isize; TAPS] = [0, -12, -11, -1, 1, 11, 12];
    let input = vec![Halves([0x3f80; CHANNELS]); 192];
    let weights = Weights::new(&vec![Lane([0.01; CHANNELS]); TAPS * CHANNELS]);
    let mut output = [Lane::ZERO; 9 * BLOCK];
    println!("tiles: {}", tile::fast());
    criterion.bench_function("convolve", |bencher| {
        bencher.iter(|| convolve(&input, &taps, &weights, 14, &mut output));
    });
    criterion.bench_function("convolve without tiles", |bencher| {
        bencher.iter(|| tile::plain::convolve(&input, &taps, &weights, 14, &mut output));
    });
    let bytes_in = vec![Bytes([1; CHANNELS]); 192];
    let (byte_weights, _) = ByteWeights::new(&vec![Lane([0.01; CHANNELS]); TAPS * CHANNELS]);
    let mut sums = [Sums::ZERO; 11 * 12];
    criterion.bench_function("convolve bytes", |bencher| {
        bencher.iter(|| convolve_bytes(&bytes_in, &taps, &byte_weights, 14, &mut sums));
    });
    criterion.bench_function("convolve bytes one by one", |bencher| {
        bencher.iter(|| bytes::plain(&bytes_in, &taps, &byte_weights, 14, &mut sums));
    });
    let mut strips = Strips::default();
    strips.set(&input, &input);
    let mut slopes = vec![Lane::ZERO; TAPS * CHANNELS];
    criterion.bench_function("strips", |bencher| bencher.iter(|| strips.set(&input, &input)));
    criterion
        .bench_function("gather", |bencher| bencher.iter(|| strips.gather(&taps, &mut slopes, (14, 160))));
}

criterion_group!(benches, layer);
criterion_main!(benches);
