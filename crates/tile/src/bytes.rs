//! The same convolution in whole numbers of eight bits, for searches: half the room, several times the speed where a
//! processor has no tiles, and the same sums on every processor, in whatever order they are taken.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use crate::amx;
use crate::{CHANNELS, Lane, ROWS, TAPS, WIDE};
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use std::sync::LazyLock;

/// The largest number that a cell may hold. A bit less than a byte has, so that the sums of four products fit into 16
/// bits (see [`ByteWeights`]).
pub const MOST: u8 = 127;

/// Cells are computed in groups of this many, and never fewer than [`LEAST`].
pub const GROUP: usize = 4;
/// See [`GROUP`].
pub const LEAST: usize = 32;

/// What a cell holds between layers: numbers up to [`MOST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Bytes(pub [u8; CHANNELS]);

/// What a convolution gives a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Sums(pub [i32; CHANNELS]);

impl Bytes {
    /// Nothing.
    pub const ZERO: Bytes = Bytes([0; CHANNELS]);
}

impl Sums {
    /// Nothing.
    pub const ZERO: Sums = Sums([0; CHANNELS]);
}

/// Inputs whose weights lie together.
const TOGETHER: usize = 4;

/// Sixteen rows, each with the weights of four inputs for sixteen outputs in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct ByteTile(pub(crate) [[i8; ROWS * TOGETHER]; ROWS]);

/// Tiles of a layer: by outputs, then taps.
pub(crate) const BYTE_TILES: usize = WIDE * TAPS;

/// The weights of a convolution. Of the inputs 8n to 8n + 7 of a tap, the weights of 0, 1, 4 and 5 add up to no more than
/// `FOUR`, and so do those of 2, 3, 6 and 7: their products with [`MOST`] fit into 16 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByteWeights(Box<[ByteTile; BYTE_TILES]>);

const FOUR: f32 = (i16::MAX / MOST as i16) as f32;

impl ByteWeights {
    /// The nearest whole numbers to the rows of the first tap, then of the second, and so on (a row has the weights from
    /// one input), and what one stands for in each output.
    pub fn new(rows: &[Lane]) -> (ByteWeights, Lane) {
        assert_eq!(rows.len(), TAPS * CHANNELS);
        let mut units = Lane::ZERO;
        for (o, unit) in units.0.iter_mut().enumerate() {
            let largest = rows.iter().map(|row| row.0[o].abs()).fold(0.0, f32::max);
            let fours = rows.chunks(2 * TOGETHER).flat_map(|rows| {
                [[0, 1, 4, 5], [2, 3, 6, 7]].into_iter().flat_map(|four| {
                    let part = |sign: f32| four.iter().map(|&k| (sign * rows[k].0[o]).max(0.0)).sum::<f32>();
                    [part(1.0), part(-1.0)]
                })
            });
            // Each of the four may be rounded up.
            let least = (largest / 127.0).max(fours.fold(0.0, f32::max) / (FOUR - 2.0));
            *unit = if least > 0.0 { least } else { 1.0 };
        }
        let mut tiles = Box::new([ByteTile([[0; ROWS * TOGETHER]; ROWS]); BYTE_TILES]);
        for (at, tile) in tiles.iter_mut().enumerate() {
            let (wide, tap) = (at / TAPS, at % TAPS);
            let rows = rows[tap * CHANNELS..].chunks(TOGETHER);
            for (packed, rows) in tile.0.iter_mut().zip(rows) {
                for (at, weight) in packed.iter_mut().enumerate() {
                    let o = wide * ROWS + at / TOGETHER;
                    *weight = (rows[at % TOGETHER].0[o] / units.0[o]).round() as i8;
                }
            }
        }
        (ByteWeights(tiles), units)
    }
}

/// Convolves the cells from `first` on, as many as `output` has, at least [`LEAST`] and a multiple of [`GROUP`]. Numbers
/// above [`MOST`] give sums that say nothing.
#[inline]
pub fn convolve_bytes(
    input: &[Bytes],
    taps: &[isize; TAPS],
    weights: &ByteWeights,
    first: usize,
    output: &mut [Sums],
) {
    let least = taps.iter().copied().min().unwrap_or(0);
    let most = taps.iter().copied().max().unwrap_or(0);
    assert!(output.len().is_multiple_of(GROUP) && output.len() >= LEAST && first as isize + least >= 0);
    assert!((first + output.len()) as isize + most <= input.len() as isize);
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    if tiles_are_right() {
        // SAFETY: the processor has tiles, and the asserts above keep every cell within the input.
        unsafe { amx::convolve_bytes(input, taps, &weights.0, first, output) };
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, and the asserts above keep every cell within the input.
        unsafe { avx2::convolve(input, taps, &weights.0, first, output) };
        return;
    }
    plain(input, taps, weights, first, output);
}

/// Are there tiles, and do they give the right sums? They are asked once: a wrong sum would show in nothing but poor play, and
/// not everybody who changes this has such a processor.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub(crate) fn tiles_are_right() -> bool {
    static RIGHT: LazyLock<bool> = LazyLock::new(|| {
        let number = |at: usize, most: usize| at.wrapping_mul(0x9e37_79b9) >> 7 & most;
        let taps: [isize; TAPS] = [0, -6, -5, 1, 6, 5, -1];
        let input: Vec<Bytes> = (0..LEAST + GROUP + 12)
            .map(|cell| Bytes(std::array::from_fn(|k| number(cell * CHANNELS + k, MOST.into()) as u8)))
            .collect();
        let row = |k: usize| Lane(std::array::from_fn(|o| number(k * CHANNELS + o, 255) as f32 - 127.5));
        let (weights, _) = ByteWeights::new(&(0..TAPS * CHANNELS).map(row).collect::<Vec<_>>());
        let [mut tiles, mut one_by_one] = [(); 2].map(|()| vec![Sums::ZERO; LEAST + GROUP]);
        plain(&input, &taps, &weights, 6, &mut one_by_one);
        // SAFETY: the processor has tiles, and there are six cells on both sides for the taps.
        unsafe { amx::convolve_bytes(&input, &taps, &weights.0, 6, &mut tiles) };
        tiles == one_by_one
    });
    amx::usable() && *RIGHT
}

/// The same sums, one by one.
pub fn plain(
    input: &[Bytes],
    taps: &[isize; TAPS],
    weights: &ByteWeights,
    first: usize,
    output: &mut [Sums],
) {
    for (cell, sums) in output.iter_mut().enumerate() {
        *sums = Sums::ZERO;
        for (tap, &offset) in taps.iter().enumerate() {
            let held = &input[(first + cell).wrapping_add_signed(offset)].0;
            for (wide, sums) in sums.0.as_chunks_mut::<ROWS>().0.iter_mut().enumerate() {
                for (row, held) in weights.0[wide * TAPS + tap].0.iter().zip(held.as_chunks::<TOGETHER>().0) {
                    for (sum, weights) in sums.iter_mut().zip(row.as_chunks::<TOGETHER>().0) {
                        *sum +=
                            (0..TOGETHER).map(|k| i32::from(held[k]) * i32::from(weights[k])).sum::<i32>();
                    }
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{BYTE_TILES, ByteTile, Bytes, CHANNELS, GROUP, ROWS, Sums, TAPS, TOGETHER, WIDE};
    use std::arch::x86_64::*;

    /// Outputs of one register.
    const LANES: usize = 8;
    /// Registers for sixteen outputs.
    const HALVES: usize = ROWS / LANES;

    /// See [`super::convolve_bytes`].
    ///
    /// # Safety
    /// The taps of as many cells as `output` has, from `first` on, are within `input`.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn convolve(
        input: &[Bytes],
        taps: &[isize; TAPS],
        weights: &[ByteTile; BYTE_TILES],
        first: usize,
        output: &mut [Sums],
    ) {
        let ones = _mm256_set1_epi16(1);
        for wide in 0..WIDE {
            for (group, output) in output.as_chunks_mut::<GROUP>().0.iter_mut().enumerate() {
                let mut sums = [[_mm256_setzero_si256(); HALVES]; GROUP];
                for tap in 0..TAPS {
                    let tile = (&raw const weights[wide * TAPS + tap]).cast::<__m256i>();
                    // SAFETY: see above; a cell has 16 words of four numbers, a tile 16 rows of two registers.
                    unsafe {
                        let cell = input.as_ptr().add(first + group * GROUP).offset(taps[tap]).cast::<i32>();
                        for two in 0..ROWS / 2 {
                            let weight = |at: usize| _mm256_load_si256(tile.add(two * 2 * HALVES + at));
                            let weights = [[weight(0), weight(1)], [weight(2), weight(3)]];
                            for (c, sums) in sums.iter_mut().enumerate() {
                                let word = cell.add(c * (CHANNELS / TOGETHER) + 2 * two);
                                let [a, b] = [_mm256_set1_epi32(*word), _mm256_set1_epi32(*word.add(1))];
                                for half in 0..HALVES {
                                    let four = _mm256_add_epi16(
                                        _mm256_maddubs_epi16(a, weights[0][half]),
                                        _mm256_maddubs_epi16(b, weights[1][half]),
                                    );
                                    sums[half] = _mm256_add_epi32(sums[half], _mm256_madd_epi16(four, ones));
                                }
                            }
                        }
                    }
                }
                for (output, sums) in output.iter_mut().zip(sums) {
                    let output = output.0[wide * ROWS..][..ROWS].as_chunks_mut::<LANES>().0;
                    for (output, sums) in output.iter_mut().zip(sums) {
                        // SAFETY: there is room for eight numbers.
                        unsafe { _mm256_storeu_si256(output.as_mut_ptr().cast(), sums) };
                    }
                }
            }
        }
    }
}
