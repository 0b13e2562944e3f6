//! The file format of networks: a header that names every size, then all weights as little-endian integers,
//! compressed by zlib. Reading checks every size and range, so a file that loads cannot overflow.

use super::{Network, patterns::Patterns, threats::threat_inputs};
use crate::Rule;
use miniz_oxide::{deflate::compress_to_vec_zlib, inflate::decompress_to_vec_zlib_with_limit};
use nn::CHANNELS;
use nn::patterns::{
    FEATURE_LIMIT, HIDDEN, HIDDEN_ROW_LIMIT, I16x64, POLICY, POOLED, ValueHead, WEIGHT_LIMIT,
};
use thiserror::Error;

/// What every file starts with; the last byte is the version.
const MAGIC: &[u8; 8] = b"TENGENG2";
/// Larger than any network of these sizes.
const LIMIT: usize = 64 << 20;

/// Why bytes are not a network.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum NetworkError {
    /// The bytes cannot be decompressed.
    #[error("not a zlib stream of at most {LIMIT} bytes")]
    Compression,
    /// Another kind of file, or another version.
    #[error("not a Gomoku network of this version: it must start with {}", MAGIC.escape_ascii())]
    Magic,
    /// Sizes that this program does not use.
    #[error("sizes {found:?} (rule, value features, policy features, hidden units); accepted: {accepted}")]
    Sizes {
        /// The header's value.
        found: [u8; 4],
        /// What this program reads.
        accepted: String,
    },
    /// Too few or too many bytes.
    #[error("{found} bytes of weights; {accepted} are needed")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there must be.
        accepted: usize,
    },
    /// A weight so large that sums could overflow.
    #[error("the {what} have a weight of {found}; at most {accepted} is accepted")]
    Range {
        /// Which weights.
        what: &'static str,
        /// The weight.
        found: i32,
        /// The limit.
        accepted: i32,
    },
}

impl Network {
    /// Reads a network file.
    pub(crate) fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
        let bytes = decompress_to_vec_zlib_with_limit(bytes, LIMIT).map_err(|_| NetworkError::Compression)?;
        let Some((MAGIC, rest)) = bytes.split_first_chunk() else { return Err(NetworkError::Magic) };
        let Some((sizes, weights)) = rest.split_first_chunk::<4>() else { return Err(NetworkError::Magic) };
        let [rule, rest @ ..] = *sizes;
        let rule = Rule::ALL.get(usize::from(rule)).filter(|_| rest == SIZES);
        let Some(&rule) = rule else {
            let accepted = format!("0 to 3, then {SIZES:?}");
            return Err(NetworkError::Sizes { found: *sizes, accepted });
        };
        let patterns = Patterns::of(rule);
        let inputs = threat_inputs(rule);
        let accepted = 2 * (patterns.count + 1) * CHANNELS
            + 2 * HIDDEN * (2 * POOLED + 1)
            + 4 * (HIDDEN + 1 + inputs * HIDDEN)
            + 2 * POLICY;
        if weights.len() != accepted {
            return Err(NetworkError::Length { found: weights.len(), accepted });
        }
        let mut reader = Reader(weights);
        let table = (0..patterns.count).map(|_| I16x64(reader.shorts())).collect();
        let bias = I16x64(reader.shorts());
        let hidden = Box::new(std::array::from_fn(|_| reader.shorts()));
        let (output, policy) = (reader.shorts(), reader.shorts());
        let hidden_bias = reader.words();
        let value = ValueHead { hidden, hidden_bias, output, output_bias: reader.words::<1>()[0] };
        let threats = (0..inputs).map(|_| reader.words()).collect();
        let network = Network { rule, patterns, table, bias, value, threats, policy };
        let table = network.table.iter().chain([&network.bias]).flat_map(|row| &row.0);
        check("table rows", table, FEATURE_LIMIT)?;
        check("hidden units", network.value.hidden.as_flattened(), WEIGHT_LIMIT)?;
        check("policy weights", &network.policy, WEIGHT_LIMIT)?;
        check("threats", network.threats.as_flattened(), HIDDEN_ROW_LIMIT)?;
        Ok(network)
    }

    /// The network as a file.
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(self.rule as u8);
        bytes.extend(SIZES);
        let table = self.table.iter().chain([&self.bias]).flat_map(|row| &row.0);
        let ValueHead { hidden, hidden_bias, output, output_bias } = &self.value;
        let shorts = table.chain(hidden.as_flattened()).chain(output).chain(&self.policy);
        bytes.extend(shorts.flat_map(|short| short.to_le_bytes()));
        let words = hidden_bias.iter().chain([output_bias]).chain(self.threats.as_flattened());
        bytes.extend(words.flat_map(|word| word.to_le_bytes()));
        compress_to_vec_zlib(&bytes, 9)
    }
}

const SIZES: [u8; 3] = [POOLED as u8, POLICY as u8, HIDDEN as u8];

fn check<'a, T: Copy + Into<i32> + 'a>(
    what: &'static str,
    weights: impl IntoIterator<Item = &'a T>,
    accepted: T,
) -> Result<(), NetworkError> {
    let accepted = accepted.into();
    let too_large = |weight: &i32| weight.unsigned_abs() > accepted.unsigned_abs();
    match weights.into_iter().map(|weight| (*weight).into()).find(too_large) {
        Some(found) => Err(NetworkError::Range { what, found, accepted }),
        None => Ok(()),
    }
}

/// Takes numbers from bytes whose length has been checked.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const BYTES: usize>(&mut self) -> [u8; BYTES] {
        let (bytes, rest) = self.0.split_first_chunk().unwrap_or((&[0; BYTES], &[]));
        self.0 = rest;
        *bytes
    }

    fn shorts<const COUNT: usize>(&mut self) -> [i16; COUNT] {
        std::array::from_fn(|_| i16::from_le_bytes(self.take()))
    }

    fn words<const COUNT: usize>(&mut self) -> [i32; COUNT] {
        std::array::from_fn(|_| i32::from_le_bytes(self.take()))
    }
}
