//! A tiny random number generator: SplitMix64.
//!
//! Playouts need many cheap numbers and the same ones for the same seed, on every platform and in every release.
//! SplitMix64 has a 64-bit counter as its state, accepts any seed (zero too), and passes BigCrush.
//! Not for secrets.
//!
//! Steele, Lea, Flood: *Fast splittable pseudorandom number generators*, OOPSLA 2014.

/// A seeded stream of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

/// 2^64 divided by the golden ratio, made odd: the step of the counter.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Rng {
    /// The stream that belongs to `seed`.
    pub fn new(seed: u64) -> Self {
        Rng { state: seed }
    }

    /// An independent stream for worker number `index`: same seed and index, same stream.
    pub fn stream(seed: u64, index: u64) -> Self {
        Rng::new(mix(seed ^ mix(index.wrapping_add(GOLDEN))))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// A number in `0..bound` (0 when `bound` is 0).
    ///
    /// Multiply and shift (Lemire 2019) without the rejection step: the bias is below `bound` / 2^64.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// A number in `0.0..1.0` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True with this probability.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of `items`, or `None` when there is none.
    #[inline]
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len())).copied()
    }

    /// An index drawn by weights that are not negative; `None` where nothing has weight.
    pub fn weighted(&mut self, weights: impl Iterator<Item = f64> + Clone) -> Option<usize> {
        let mut at = self.unit() * weights.clone().sum::<f64>();
        let heavy = weights.enumerate().filter(|row| row.1 > 0.0);
        let mut found = None;
        for (index, weight) in heavy {
            // The last one too if rounding has left something.
            found = Some(index);
            at -= weight;
            if at < 0.0 {
                break;
            }
        }
        found
    }

    /// Shuffles in place, every order equally likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// Scrambles 64 bits, one to one. Also good for making hash keys.
#[inline]
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_published_stream() {
        // The reference implementation's first outputs for seed 1234567.
        let mut rng = Rng::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn numbers_stay_in_range_and_reach_every_value() {
        let mut rng = Rng::new(0);
        let mut seen = [0u32; 7];
        for _ in 0..7000 {
            seen[rng.below(7)] += 1;
            assert!((0.0..1.0).contains(&rng.unit()));
        }
        assert!(seen.iter().all(|&count| (800..1200).contains(&count)), "{seen:?}");
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.pick::<u8>(&[]), None);
    }

    #[test]
    fn weights_are_heeded() {
        let mut rng = Rng::new(5);
        let mut seen = [0u32; 4];
        for _ in 0..4000 {
            if let Some(at) = rng.weighted([0.0, 1.0, 3.0, 0.0].into_iter()) {
                seen[at] += 1;
            }
        }
        assert!(seen[0] == 0 && seen[3] == 0 && (900..1100).contains(&seen[1]), "{seen:?}");
        assert_eq!(rng.weighted([0.0, 0.0].into_iter()), None);
        assert_eq!(rng.weighted(std::iter::empty()), None);
    }

    #[test]
    fn a_shuffle_keeps_the_items() {
        let mut items: Vec<u32> = (0..50).collect();
        Rng::new(3).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..50));
    }

    #[test]
    fn streams_differ() {
        assert_ne!(Rng::stream(1, 0).next_u64(), Rng::stream(1, 1).next_u64());
        assert_ne!(Rng::stream(1, 0).next_u64(), Rng::stream(0, 1).next_u64());
    }
}
