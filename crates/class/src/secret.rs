//! Keys that are typed from paper. Only their hashes are stored, and they are compared in constant time.

use crate::{ClassError, read_json, write_json};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::PathBuf;
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

/// A file with the hash of one key.
pub(crate) struct KeyFile(pub(crate) PathBuf);

#[derive(Serialize, Deserialize)]
struct Stored {
    key: String,
}

impl KeyFile {
    /// A new key; the old one ends.
    pub(crate) fn renew(&self) -> Result<String, ClassError> {
        let key = secret()?;
        write_json(&self.0, &Stored { key: hash(&key) })?;
        Ok(key)
    }

    /// Has there ever been a key?
    pub(crate) fn exists(&self) -> bool {
        self.0.exists()
    }

    /// Is this the last one?
    pub(crate) fn matches(&self, key: &str) -> Result<bool, ClassError> {
        Ok(self.exists() && matches(key, &read_json::<Stored>(&self.0)?.key))
    }
}
