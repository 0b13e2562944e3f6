//! Keys that are typed from paper. Only their hashes are stored, and they are compared in constant time.

use crate::ClassError;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Letters of a key: no two look alike.
const ALPHABET: &[u8; 31] = b"23456789abcdefghjkmnpqrstuvwxyz";

/// 99 random bits in letters that can be typed from paper.
pub(crate) fn secret() -> Result<String, ClassError> {
    let mut bytes = [0u8; 20];
    getrandom::fill(&mut bytes).map_err(|error| ClassError::refused(format!("no randomness: {error}")))?;
    // The bias of the first letters costs less than a bit.
    Ok(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()])).collect())
}

pub(crate) fn hash(secret: &str) -> String {
    Sha256::digest(secret.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn matches(secret: &str, stored: &str) -> bool {
    !stored.is_empty() && bool::from(hash(secret).as_bytes().ct_eq(stored.as_bytes()))
}
