//! JSON that nests as deep as a game is long.

use crate::Problem;
use serde::de::DeserializeOwned;

/// JSON may nest this deep: a tree of moves needs two levels a move.
const NESTING: usize = 4_100;

/// Reads JSON that nests deeper than the usual limit of 128. Needs a stack for it: 64 MiB, or less for
/// a smaller limit.
pub fn read_deep<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let (mut depth, mut text, mut escaped) = (0usize, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if text => escaped = true,
            b'"' => text = !text,
            b'[' | b'{' if !text => depth += 1,
            b']' | b'}' if !text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > NESTING {
            return Err(Problem::refused("body.too-deep", format!("JSON may nest {NESTING} levels deep")));
        }
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    reader.disable_recursion_limit();
    let fail = |error: serde_json::Error| match error.is_data() {
        true => Problem::refused("body.shape", error.to_string()),
        false => Problem::bad("body.syntax", error.to_string()),
    };
    let value = T::deserialize(&mut reader).map_err(fail)?;
    reader.end().map_err(fail)?;
    Ok(value)
}
