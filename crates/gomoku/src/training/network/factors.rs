//! The table as a sum of factors, so that rare patterns start from what common ones have taught.
//!
//! A row is the sum of its own entry and of three that it shares: with all patterns of the same shape class (what
//! either side's stone would make there), of the same three cells on both sides, and of the same two.

use crate::Rule;
use crate::network::patterns::Patterns;
use crate::shape::ShapeTables;
use nn::CHANNELS;
use nn::optimizer::Adam;
use search::rng::Rng;
use std::collections::HashMap;

/// Entries of the table and of its factors.
pub(super) struct FactoredTable {
    rows: usize,
    factors: Vec<Factor>,
}

struct Factor {
    /// By row of the table: the entry it shares.
    entry_of: Vec<u32>,
    entries: Vec<f32>,
    adam: Adam,
    gradients: Vec<f32>,
}

impl FactoredTable {
    /// Random shared entries; rows of their own start at zero.
    pub(super) fn new(rule: Rule, rng: &mut Rng) -> FactoredTable {
        let patterns = Patterns::of(rule);
        // Freestyle's shapes need no cell beyond the patterns; a pattern's own row learns what differs under other rules.
        let shapes = &ShapeTables::of(Rule::Freestyle).shapes;
        let mut keys = [const { Vec::new() }; 4];
        for pattern in patterns.all() {
            let furthest_first = pattern.before.iter().rev();
            let window = furthest_first.chain(&pattern.after).enumerate();
            let window: usize = window.map(|(place, cell)| usize::from(*cell) << (2 * place)).sum();
            // A stone that is there has made what it would make; the other side makes nothing.
            let visible = [0xff, 0x0f, 0xf0][usize::from(pattern.centre)];
            let side = pattern.side.index() as u8;
            let class = vec![side, pattern.centre, shapes[window] & visible];
            let inner = |reach: usize| {
                let (before, after) = (&pattern.before[..reach], &pattern.after[..reach]);
                [&[side, pattern.centre], before.min(after), before.max(after)].concat()
            };
            let own = (pattern.row as u32).to_le_bytes().to_vec();
            for (keys, key) in keys.iter_mut().zip([own, class, inner(3), inner(2)]) {
                keys.push(key);
            }
        }
        let mut factors: Vec<Factor> = keys.into_iter().map(|keys| Factor::new(&keys, rng)).collect();
        factors[0].entries.fill(0.0);
        FactoredTable { rows: patterns.count, factors }
    }

    /// Rows of their own as in a table; what they share starts at zero.
    pub(super) fn from_table(rule: Rule, table: &[f32]) -> FactoredTable {
        let mut factored = FactoredTable::new(rule, &mut Rng::new(0));
        factored.factors.iter_mut().for_each(|factor| factor.entries.fill(0.0));
        factored.factors[0].entries.copy_from_slice(table);
        factored
    }

    /// Writes the table that the factors add up to.
    pub(super) fn write(&self, table: &mut [f32]) {
        for (row, sum) in table.chunks_exact_mut(CHANNELS).enumerate() {
            sum.fill(0.0);
            for factor in &self.factors {
                let entry = factor.entry_of[row] as usize * CHANNELS;
                sum.iter_mut().zip(&factor.entries[entry..]).for_each(|(sum, add)| *sum += add);
            }
        }
    }

    /// Takes a step against the gradients of the table.
    pub(super) fn step(&mut self, rate: f32, gradients: &[f32]) {
        for factor in &mut self.factors {
            for row in 0..self.rows {
                let gradient = &gradients[row * CHANNELS..][..CHANNELS];
                let entry = factor.entry_of[row] as usize * CHANNELS;
                let sum = &mut factor.gradients[entry..][..CHANNELS];
                sum.iter_mut().zip(gradient).for_each(|(sum, add)| *sum += add);
            }
            let gradients = factor.gradients.iter_mut().map(std::mem::take);
            factor.adam.step(rate, factor.entries.iter_mut(), gradients);
        }
    }
}

impl Factor {
    /// Rows, in the order of the table, with equal keys share an entry.
    fn new(keys: &[Vec<u8>], rng: &mut Rng) -> Factor {
        let mut known = HashMap::new();
        let entry_of = keys.iter().map(|key| {
            let next = known.len() as u32;
            *known.entry(key.as_slice()).or_insert(next)
        });
        let entry_of: Vec<u32> = entry_of.collect();
        let weights = known.len() * CHANNELS;
        Factor {
            entry_of,
            entries: (0..weights).map(|_| 0.1 * rng.unit() as f32 - 0.05).collect(),
            adam: Adam::new(weights),
            gradients: vec![0.0; weights],
        }
    }
}
