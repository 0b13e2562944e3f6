//! What a move looks like before any search: a softmax over the empty cells, each with the sum of the weights of
//! its features. The weights come from our own games (`examples/learn.rs`) and ship in `data/hex/policy.txt`.
//!
//! Features are named from the view of the side to move: for white the board is mirrored and the colours
//! change, and a half turn of the board changes nothing, so both sides share all weights. The network of
//! [`super::net`] says the same more slowly and better, where a node has been visited a few times.

use super::features::{Scene, TOTAL};
use super::tree::Guess;
use std::sync::LazyLock;

/// The learned weights.
#[derive(Clone, Debug)]
pub struct Policy {
    /// For each feature.
    weights: Vec<f32>,
}

/// Weights are written in thousandths.
const UNIT: f32 = 1000.0;

static SHIPPED: LazyLock<Policy> =
    LazyLock::new(|| Policy::parse(include_str!("../../../../data/hex/policy.txt")).unwrap_or_default());

impl Default for Policy {
    /// Knows nothing: all moves alike.
    fn default() -> Policy {
        Policy { weights: vec![0.0; TOTAL] }
    }
}

impl Policy {
    /// The policy that ships.
    pub fn shipped() -> &'static Policy {
        &SHIPPED
    }

    /// Reads a text of whole numbers, thousandths, with comments after `#`.
    pub fn parse(text: &str) -> Result<Policy, String> {
        let mut numbers = Vec::with_capacity(TOTAL);
        for (line, row) in text.lines().enumerate() {
            for word in row.split('#').next().unwrap_or_default().split_whitespace() {
                let number: i32 =
                    word.parse().map_err(|_| format!("line {}: '{word}' is not a whole number", line + 1))?;
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

    /// Turns moves into moves with their priors, which sum to 1.
    pub(super) fn priors<const W: usize>(&self, scene: &Scene<'_, W>, moves: &mut [(u16, Guess)]) {
        let mut largest = f32::NEG_INFINITY;
        for (cell, guess) in moves.iter_mut() {
            let mut sum = 0.0;
            scene.each_feature(*cell as usize, |feature| sum += self.weights[feature]);
            *guess = Guess { prior: sum, chance: 0.5 };
            largest = largest.max(sum);
        }
        let mut total = 0.0;
        for (_, guess) in moves.iter_mut() {
            guess.prior = (guess.prior - largest).exp();
            total += guess.prior;
        }
        moves.iter_mut().for_each(|(_, guess)| guess.prior /= total);
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
    fn texts_come_back_and_wrong_ones_are_refused() {
        let weights: Vec<f32> = (0..TOTAL).map(|at| at as f32 / 100.0 - 3.0).collect();
        let again = Policy::parse(&Policy::write("test", &weights)).unwrap();
        assert!(again.weights.iter().zip(&weights).all(|(a, b)| (a - b).abs() < 0.001));
        assert!(Policy::parse("1 2 x").unwrap_err().contains("'x'"));
        assert!(Policy::parse("1 2").is_err());
    }
}
