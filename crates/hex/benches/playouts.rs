//! Light playouts per second, compared with the obvious way: shuffle the empty cells and use union-find.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use game::{Game, Limits, Options, Setup, Side, Watch};
use hex::light_playout::LightPlayouts;
use hex::{Board, HEX, Rng, Size, by_width};
use std::hint::black_box;

fn playouts(criterion: &mut Criterion) {
    for n in [9, 11, 13, 19] {
        let Some(size) = Size::new(n, n) else { continue };
        let mut group = criterion.benchmark_group(format!("playout {n}x{n}"));
        group.throughput(Throughput::Elements(1));
        by_width!(size, W => {
            let start = LightPlayouts::<W>::new(&Board::new(size), Side::Black);
            let mut rng = Rng::new(1);
            group.bench_function("bits", |b| b.iter(|| black_box(start.playout(&mut rng))));
        });
        let mut rng = Rng::new(1);
        let empty = Board::new(size);
        group.bench_function("shuffle and union-find", |b| {
            b.iter(|| {
                let mut board = empty.clone();
                let mut cells: Vec<usize> = board.empty_cells().collect();
                rng.shuffle(&mut cells);
                let mut side = Side::Black;
                for cell in cells {
                    board.place(side, cell);
                    side = side.other();
                }
                black_box(board.winner())
            })
        });
        group.finish();
    }
}

/// The whole of `classic-flat`: 400,000 playouts on an empty 11x11 board, two threads.
fn flat(criterion: &mut Criterion) {
    let Some(info) = HEX.engines().iter().find(|info| info.name == "classic-flat") else { return };
    let Ok(position) = HEX.position(&Setup::empty(11, 11)) else { return };
    let Ok(mut engine) = (info.make)(&Options::new()) else { return };
    let limits = Limits { threads: 2, ..Limits::default() };
    let mut group = criterion.benchmark_group("classic-flat");
    group.sample_size(10);
    group.bench_function("400000 playouts, 11x11, 2 threads", |b| {
        b.iter(|| black_box(engine.think(&*position, &limits, &Watch::default(), &mut |_| {})))
    });
    group.finish();
}

criterion_group!(benches, playouts, flat);
criterion_main!(benches);
