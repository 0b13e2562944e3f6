//! The inner loops, compiled for several instruction sets and chosen when the program starts. All arithmetic is on
//! integers, so every version gives the same bits.

use super::{
    FEATURE_ONE, FEATURES, HIDDEN, INPUT_ONE, Network, POLICY_FEATURES, POOL_SHIFT, Row, VALUE_FEATURES,
    WEIGHT_ONE,
};
use multiversion::multiversion;

/// The features of a cell, as Black and as White sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct CellFeatures(pub(super) [[i16; FEATURES]; 2]);

/// Sums of activations over the board, as Black and as White sees it.
pub(super) type Pool = [[u16; VALUE_FEATURES]; 2];

/// A cell one of whose lines has changed, with the rows of the line's pattern before and after.
#[derive(Clone, Copy, Default)]
pub(super) struct Change {
    pub(super) cell: u16,
    pub(super) old: [u32; 2],
    pub(super) new: [u32; 2],
}

#[inline(always)]
pub(super) fn activation(feature: i16) -> u16 {
    (feature.clamp(0, FEATURE_ONE) >> 2) as u16
}

/// Applies changes of line patterns to the features of their cells and to the pooled activations.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
pub(super) fn update(table: &[Row], cells: &mut [CellFeatures], pool: &mut Pool, changes: &[Change]) {
    let mut sums = *pool;
    for change in changes {
        let cell = &mut cells[usize::from(change.cell)];
        for view in 0..2 {
            let old = table[change.old[view] as usize].0;
            let new = table[change.new[view] as usize].0;
            // Local copies: the compiler cannot know that the slices do not overlap.
            let before = cell.0[view];
            let mut after = [0; FEATURES];
            for i in 0..FEATURES {
                after[i] = before[i].wrapping_add(new[i].wrapping_sub(old[i]));
            }
            cell.0[view] = after;
            for i in 0..VALUE_FEATURES {
                let difference = activation(after[i]).wrapping_sub(activation(before[i]));
                sums[view][i] = sums[view][i].wrapping_add(difference);
            }
        }
    }
    *pool = sums;
}

/// The value logit in thousandths.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
pub(super) fn value(network: &Network, own: &[u16; VALUE_FEATURES], other: &[u16; VALUE_FEATURES]) -> i32 {
    let mut inputs = [0i16; 2 * VALUE_FEATURES];
    for i in 0..VALUE_FEATURES {
        inputs[i] = (own[i] >> POOL_SHIFT) as i16;
        inputs[VALUE_FEATURES + i] = (other[i] >> POOL_SHIFT) as i16;
    }
    let mut logit = i64::from(network.output_bias);
    for unit in 0..HIDDEN {
        let weights = &network.hidden[unit];
        let mut sum = network.hidden_bias[unit];
        for i in 0..2 * VALUE_FEATURES {
            sum = sum.wrapping_add(i32::from(weights[i]) * i32::from(inputs[i]));
        }
        logit += i64::from(sum.max(0) / WEIGHT_ONE) * i64::from(network.output[unit]);
    }
    (logit * 1000 / i64::from(INPUT_ONE * WEIGHT_ONE)).clamp(-100_000, 100_000) as i32
}

/// The policy logit of a cell in hundredths.
#[inline]
pub(super) fn policy(weights: &[i16; POLICY_FEATURES], features: &[i16; FEATURES]) -> i32 {
    let rectified = features[VALUE_FEATURES..].iter().map(|feature| i32::from(*feature.max(&0)));
    let sum: i32 = weights.iter().zip(rectified).map(|(weight, feature)| i32::from(*weight) * feature).sum();
    sum / (WEIGHT_ONE * FEATURE_ONE as i32 / 100)
}
