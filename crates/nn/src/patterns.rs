//! Networks of line patterns on a board: a table row per pattern, summed into the features of a cell, pooled over the
//! board and turned into a value by a small layer, incrementally.
//!
//! Rows are chosen by the caller; here are the sums. A cell has [`CHANNELS`] features, once as either player sees the
//! board: the first [`POOLED`] are clipped and summed over the board, the rest make a policy logit. All
//! arithmetic is on integers, so the versions for the instruction sets, chosen when the program starts, give the same
//! bits.

#![allow(clippy::needless_range_loop, reason = "fixed ranges become vector instructions")]

use crate::CHANNELS;
use multiversion::multiversion;

/// Features of a cell that are summed over the board.
pub const POOLED: usize = 48;
/// Features of a cell that make its policy logit.
pub const POLICY: usize = CHANNELS - POOLED;
/// Units of the hidden layer of the value.
pub const HIDDEN: usize = 32;
/// What is added to the hidden layer, an input of 1.0 being `INPUT_ONE * WEIGHT_ONE`.
pub type HiddenRow = [i32; HIDDEN];

/// Table units of a feature of 1.0. An activation is a quarter of that, so that the sum over 22x22 cells fits into 16
/// bits.
pub const FEATURE_ONE: i16 = 508;
/// Units of a weight of 1.0 in the hidden layer, the output and the policy.
pub const WEIGHT_ONE: i32 = 1024;
/// The sum of activations over this many cells is an input of 1.0 to the hidden layer.
pub const POOL_ONE: i32 = 32;
/// Units of an input of 1.0 to the hidden layer.
pub const INPUT_ONE: i32 = (POOL_ONE * (FEATURE_ONE as i32 / 4)) >> POOL_SHIFT;
/// Largest table entry, bias included: four rows and the bias stay within 16 bits.
pub const FEATURE_LIMIT: i16 = 6_000;
/// Largest weight of the hidden layer: all its products stay within 32 bits.
pub const WEIGHT_LIMIT: i16 = 4_095;
/// Largest entry of a [`HiddenRow`]: 64 of them stay within a quarter of 32 bits.
pub const HIDDEN_ROW_LIMIT: i32 = 1 << 23;
/// Pooled activations are divided by this power of two before the hidden layer, so that its sums fit into 32 bits.
const POOL_SHIFT: u32 = 4;

/// The features of a cell, or what a pattern adds to them: two cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct I16x64(pub [i16; CHANNELS]);

/// Sums of activations over the board, as either player sees it.
pub type Pool = [[u16; POOLED]; 2];

/// A cell one of whose lines has changed, with the rows of the line's pattern before and after, as either player sees
/// it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change {
    /// The cell's number.
    pub cell: u16,
    /// The rows that no longer count.
    pub old: [u32; 2],
    /// The rows that count instead.
    pub new: [u32; 2],
}

/// The layer that turns pooled activations into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueHead {
    /// By unit: the side to move's pooled features, then the opponent's.
    pub hidden: Box<[[i16; 2 * POOLED]; HIDDEN]>,
    /// By unit.
    pub hidden_bias: [i32; HIDDEN],
    /// By unit.
    pub output: [i16; HIDDEN],
    /// Added to the logit.
    pub output_bias: i32,
}

/// A feature clipped to [0, 1], in quarters of table units.
#[inline(always)]
pub fn activation(feature: i16) -> u16 {
    (feature.clamp(0, FEATURE_ONE) >> 2) as u16
}

/// Applies changes of line patterns to the features of their cells and to the pooled activations.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
pub fn update(table: &[I16x64], cells: &mut [[I16x64; 2]], pool: &mut Pool, changes: &[Change]) {
    let mut sums = *pool;
    for change in changes {
        let cell = &mut cells[usize::from(change.cell)];
        for view in 0..2 {
            let old = table[change.old[view] as usize].0;
            let new = table[change.new[view] as usize].0;
            // Local copies: the compiler cannot know that the slices do not overlap.
            let before = cell[view].0;
            let mut after = [0; CHANNELS];
            for i in 0..CHANNELS {
                after[i] = before[i].wrapping_add(new[i].wrapping_sub(old[i]));
            }
            cell[view].0 = after;
            for i in 0..POOLED {
                let difference = activation(after[i]).wrapping_sub(activation(before[i]));
                sums[view][i] = sums[view][i].wrapping_add(difference);
            }
        }
    }
    *pool = sums;
}

/// The value logit in thousandths, within ±100,000. `extra` is added to the hidden layer.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
pub fn value(head: &ValueHead, own: &[u16; POOLED], other: &[u16; POOLED], extra: &HiddenRow) -> i32 {
    let mut inputs = [0i16; 2 * POOLED];
    for i in 0..POOLED {
        inputs[i] = (own[i] >> POOL_SHIFT) as i16;
        inputs[POOLED + i] = (other[i] >> POOL_SHIFT) as i16;
    }
    let mut logit = i64::from(head.output_bias);
    for unit in 0..HIDDEN {
        let weights = &head.hidden[unit];
        let mut sum = head.hidden_bias[unit].wrapping_add(extra[unit]);
        for i in 0..2 * POOLED {
            sum = sum.wrapping_add(i32::from(weights[i]) * i32::from(inputs[i]));
        }
        logit += i64::from(sum.max(0) / WEIGHT_ONE) * i64::from(head.output[unit]);
    }
    (logit * 1000 / i64::from(INPUT_ONE * WEIGHT_ONE)).clamp(-100_000, 100_000) as i32
}

/// The policy logit of a cell in hundredths.
#[inline]
pub fn policy(weights: &[i16; POLICY], features: &I16x64) -> i32 {
    let rectified = features.0[POOLED..].iter().map(|feature| i32::from(*feature.max(&0)));
    let sum: i32 = weights.iter().zip(rectified).map(|(weight, feature)| i32::from(*weight) * feature).sum();
    sum / (WEIGHT_ONE * FEATURE_ONE as i32 / 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::numbers;

    #[test]
    fn updates_equal_sums_from_scratch() {
        let mut next = numbers(1);
        let mut short = |limit: f32| (2.0 * limit * next()) as i16;
        let table: Vec<I16x64> = (0..50).map(|_| I16x64(std::array::from_fn(|_| short(700.0)))).collect();
        let rows =
            |cell: usize, round: usize| [0, 1].map(|view| ((cell * 7 + round * 11 + view) % 50) as u32);
        let mut cells = vec![[I16x64([0; CHANNELS]); 2]; 30];
        let mut pool = [[0; POOLED]; 2];
        for (cell, features) in cells.iter_mut().enumerate() {
            for (view, features) in features.iter_mut().enumerate() {
                *features = table[rows(cell, 0)[view] as usize];
                (0..POOLED).for_each(|i| pool[view][i] += activation(features.0[i]));
            }
        }
        for round in 1..4 {
            let change =
                |cell| Change { cell: cell as u16, old: rows(cell, round - 1), new: rows(cell, round) };
            let changes: Vec<Change> = (0..30).map(change).collect();
            update(&table, &mut cells, &mut pool, &changes);
            for view in 0..2 {
                let mut sums = [0; POOLED];
                for (cell, features) in cells.iter().enumerate() {
                    assert_eq!(features[view], table[rows(cell, round)[view] as usize]);
                    (0..POOLED).for_each(|i| sums[i] += activation(features[view].0[i]));
                }
                assert_eq!(pool[view], sums);
            }
        }
    }

    #[test]
    fn the_value_is_a_rectified_layer_of_both_pools() {
        let mut next = numbers(2);
        let mut short = |limit: f32| (2.0 * limit * next()) as i16;
        let head = ValueHead {
            hidden: Box::new(std::array::from_fn(|_| std::array::from_fn(|_| short(4000.0)))),
            hidden_bias: std::array::from_fn(|_| i32::from(short(4000.0)) * 500),
            output: std::array::from_fn(|_| short(1000.0)),
            output_bias: i32::from(short(1000.0)),
        };
        let pools: Pool = std::array::from_fn(|_| std::array::from_fn(|_| short(8000.0).unsigned_abs()));
        let extra: HiddenRow = std::array::from_fn(|_| i32::from(short(4000.0)) * 300);
        let mut logit = i64::from(head.output_bias);
        for unit in 0..HIDDEN {
            let products = head.hidden[unit].iter().zip(pools.as_flattened());
            let sum: i64 =
                products.map(|(weight, input)| i64::from(*weight) * i64::from(input >> POOL_SHIFT)).sum();
            let sum = sum + i64::from(head.hidden_bias[unit]) + i64::from(extra[unit]);
            logit += sum.max(0) / i64::from(WEIGHT_ONE) * i64::from(head.output[unit]);
        }
        let expected = (logit * 1000 / i64::from(INPUT_ONE * WEIGHT_ONE)).clamp(-100_000, 100_000);
        assert_eq!(i64::from(value(&head, &pools[0], &pools[1], &extra)), expected);
    }
}
