//! Numbers of 16 bits with the exponent of an `f32`.

/// A bfloat16 by its bits.
pub type Half = u16;

/// The nearest half; of two the even one.
#[inline(always)]
pub fn narrow(x: f32) -> Half {
    let bits = x.to_bits();
    ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16) as Half
}

/// The same number.
#[inline(always)]
pub fn widen(half: Half) -> f32 {
    f32::from_bits(u32::from(half) << 16)
}
