//! What results mean: Elo with error bars, likelihood of superiority, SPRT, and rating lists.

mod elo;
mod ratings;
mod repeats;
mod sprt;

pub use elo::{Elo, Pairs, Tally, expected};
pub use ratings::{Rating, RatingList, rate};
pub use repeats::Repeats;
pub use sprt::{Sprt, SprtState, llr_trinomial};

/// The standard normal distribution function.
fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / std::f64::consts::SQRT_2)
}

/// The complementary error function, fractional error below 1.2e-7 (a Chebyshev fit).
fn erfc(x: f64) -> f64 {
    let z = x.abs();
    let t = 1.0 / (1.0 + 0.5 * z);
    const FIT: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let poly = FIT.iter().rev().fold(0.0, |sum, c| sum * t + c);
    let tail = t * (-z * z + poly).exp();
    if x >= 0.0 { tail } else { 2.0 - tail }
}
