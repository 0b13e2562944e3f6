//! A small fast random generator (xoroshiro128++ by Blackman and Vigna), so that a seed gives the same
//! playouts on every machine and version.

/// Random numbers from a seed.
#[derive(Clone, Debug)]
pub struct Rng {
    a: u64,
    b: u64,
}

impl Rng {
    /// A generator; different seeds give unrelated streams.
    pub fn new(seed: u64) -> Rng {
        let a = mix(seed);
        Rng { a, b: mix(a) | 1 }
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let (a, mut b) = (self.a, self.b);
        let result = a.wrapping_add(b).rotate_left(17).wrapping_add(a);
        b ^= a;
        self.a = a.rotate_left(49) ^ b ^ (b << 21);
        self.b = b.rotate_left(28);
        result
    }

    /// A number below `bound` (which is at least 1); the bias is below 2^-32 of it.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        (((self.next_u64() >> 32) * bound as u64) >> 32) as usize
    }

    /// A number from 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A bijection that scatters small numbers over all 64 bits (the finisher of SplitMix64).
#[inline]
pub const fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_below_their_bound_and_reach_all_values() {
        let mut rng = Rng::new(7);
        let mut seen = [0; 11];
        for _ in 0..11_000 {
            seen[rng.below(11)] += 1;
        }
        assert!(seen.iter().all(|count| (800..1200).contains(count)), "{seen:?}");
    }
}
