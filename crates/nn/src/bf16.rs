//! bfloat16: the upper 16 bits of an `f32`, so the same exponent range with 8 significant bits.

/// A bfloat16 number by its bits.
pub type Bf16 = u16;

/// 1.0.
pub const ONE_BF16: Bf16 = 0x3f80;

/// Rounds to bf16, ties to even.
#[inline(always)]
pub fn to_bf16(x: f32) -> Bf16 {
    let bits = x.to_bits();
    ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16) as Bf16
}

/// The same number as an `f32`; exact.
#[inline(always)]
pub fn from_bf16(x: Bf16) -> f32 {
    f32::from_bits(u32::from(x) << 16)
}
