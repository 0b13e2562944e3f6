//! Random playouts a second, beside the plain way: shuffle the empty cells and ask a union-find.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use game::Side;
use hex::playout::Playouts;
use hex::{Board, Rng, Size, by_width};
use std::hint::black_box;

fn playouts(criterion: &mut Criterion) {
    for n in [9, 11, 13, 19] {
        let Some(size) = Size::new(n, n) else { continue };
        let mut group = criterion.benchmark_group(format!("playout {n}x{n}"));
        group.throughput(Throughput::Elements(1));
        by_width!(size, W => {
            let start = Playouts::<W>::new(&Board::new(size), Side::Black);
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

criterion_group!(benches, playouts);
criterion_main!(benches);
