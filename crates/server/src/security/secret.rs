//! Unguessable ids and secrets. Only hashes of secrets are stored, and they are compared in constant time.

use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// 128 random bits as 32 hexadecimal digits: an id or a secret.
///
/// # Errors
/// When the operating system has no randomness to give.
pub(crate) fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

/// Could this be an id that [`random`] made? Anything else need not be looked up.
pub(crate) fn looks_like_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// What is stored of a secret. 128 random bits need no salt and no slow hash.
pub(crate) fn hash(secret: &str) -> String {
    let digest = Sha256::digest(secret.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Does this secret belong to this hash? Takes the same time whatever the answer; an empty hash is
/// nobody's.
pub(crate) fn matches(secret: &str, hash_of_it: &str) -> bool {
    !hash_of_it.is_empty() && bool::from(hash(secret).as_bytes().ct_eq(hash_of_it.as_bytes()))
}

/// The `Authorization: Bearer …` word of a request.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ").map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_secret_matches() {
        let (one, two) = (random().unwrap(), random().unwrap());
        assert_ne!(one, two);
        assert!(looks_like_id(&one));
        assert!(matches(&one, &hash(&one)));
        assert!(!matches(&two, &hash(&one)));
        assert!(!matches("", ""));
        assert!(!looks_like_id("../../etc/passwd"));
    }
}
