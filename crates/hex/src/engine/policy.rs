//! Move priors without the network: a softmax over the empty cells, each with the sum of the weights of its features.
//! The weights are fitted to our own games (`tengen train hex patterns`) and ship in `data/hex/policy.txt`.
//!
//! Features are those of the side to move: for white the board is mirrored and the colours are exchanged, and a half turn
//! changes nothing, so both sides share all weights. The [network](super::network) is slower and much better.

use super::features::{MoveFeatures, TOTAL};
use super::tree::Estimate;
use std::sync::LazyLock;

/// The learned weights.
#[derive(Clone, Debug)]
pub struct Policy {
    /// One per feature.
    weights: Vec<f32>,
}

/// Weights are written in thousandths.
const UNIT: f32 = 1000.0;

static SHIPPED: LazyLock<Policy> =
    LazyLock::new(|| Policy::parse(include_str!("../../../../data/hex/policy.txt")).unwrap_or_default());

impl Default for Policy {
    /// All moves equally likely.
    fn default() -> Policy {
        Policy { weights: vec![0.0; TOTAL] }
    }
}

impl Policy {
    /// The policy that ships.
    pub fn shipped() -> &'static Policy {
        &SHIPPED
    }

    /// Reads integers, in thousandths, with comments after `#`.
    pub fn parse(text: &str) -> Result<Policy, String> {
        let mut numbers = Vec::with_capacity(TOTAL);
        for (line, row) in text.lines().enumerate() {
            for word in row.split('#').next().unwrap_or_default().split_whitespace() {
                let number: i32 =
                    word.parse().map_err(|_| format!("line {}: '{word}' is not an integer", line + 1))?;
                numbers.push(number as f32 / UNIT);
            }
        }
        if numbers.len() != TOTAL {
            return Err(format!("{} numbers; accepted: {}", numbers.len(), TOTAL));
        }
        Ok(Policy { weights: numbers })
    }

    /// Writes weights as [`Policy::parse`] reads them, under a comment.
    pub fn write(comment: &str, weights: &[f32]) -> String {
        let mut text = format!("# {comment}\n");
        for row in weights.chunks(20) {
            let words: Vec<String> =
                row.iter().map(|weight| ((weight * UNIT).round() as i32).to_string()).collect();
            text += &words.join(" ");
            text.push('\n');
        }
        text
    }

    /// Sets the priors of moves; they sum to 1.
    pub(crate) fn priors<const W: usize>(
        &self,
        features: &MoveFeatures<'_, W>,
        moves: &mut [(u16, Estimate)],
    ) {
        let mut largest = f32::NEG_INFINITY;
        for (cell, estimate) in moves.iter_mut() {
            let mut sum = 0.0;
            features.each_feature(*cell as usize, |feature| sum += self.weights[feature]);
            *estimate = Estimate { prior: sum, value: 0.5 };
            largest = largest.max(sum);
        }
        let mut total = 0.0;
        for (_, estimate) in moves.iter_mut() {
            estimate.prior = (estimate.prior - largest).exp();
            total += estimate.prior;
        }
        moves.iter_mut().for_each(|(_, estimate)| estimate.prior /= total);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_weights_are_read() {
        assert!(Policy::parse(include_str!("../../../../data/hex/policy.txt")).is_ok());
    }

    #[test]
    fn weights_survive_writing_and_malformed_text_is_refused() {
        let weights: Vec<f32> = (0..TOTAL).map(|at| at as f32 / 100.0 - 3.0).collect();
        let again = Policy::parse(&Policy::write("test", &weights)).unwrap();
        assert!(again.weights.iter().zip(&weights).all(|(a, b)| (a - b).abs() < 0.001));
        assert!(Policy::parse("1 2 x").unwrap_err().contains("'x'"));
        assert!(Policy::parse("1 2").is_err());
    }
}
