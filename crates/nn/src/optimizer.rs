//! Adam (Kingma and Ba 2015), and an exponential moving average (EMA) of the weights.

/// Decay of the first and second moments, and the term that keeps the division finite: the values of the paper.
const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The state of Adam for a fixed list of weights.
#[derive(Clone, Debug)]
pub struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Adam {
    /// For so many weights.
    pub fn new(weights: usize) -> Adam {
        Adam { means: vec![0.0; weights], squares: vec![0.0; weights], steps: 0 }
    }

    /// Takes a step against the gradients; weights and gradients come in the same order every time.
    pub fn step<'a>(
        &mut self,
        rate: f32,
        weights: impl Iterator<Item = &'a mut f32>,
        gradients: impl Iterator<Item = f32>,
    ) {
        self.steps += 1;
        // Bias correction of both moments, folded into the rate.
        let rate = rate * (1.0 - BETA2.powi(self.steps)).sqrt() / (1.0 - BETA1.powi(self.steps));
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for ((weight, gradient), (mean, square)) in weights.zip(gradients).zip(moments) {
            *mean = BETA1 * *mean + (1.0 - BETA1) * gradient;
            *square = BETA2 * *square + (1.0 - BETA2) * gradient * gradient;
            *weight -= rate * *mean / (square.sqrt() + EPSILON);
        }
    }
}

/// An exponential moving average; of the first steps a plain mean, so that it does not lean on the initial weights.
#[derive(Clone, Copy, Debug)]
pub struct Ema {
    rate: f32,
    steps: u32,
}

impl Ema {
    /// An average in which the newest value counts `rate`, 0 to 1.
    pub fn new(rate: f32) -> Ema {
        Ema { rate, steps: 0 }
    }

    /// Moves the averages towards the values.
    pub fn update<'a>(
        &mut self,
        averages: impl Iterator<Item = &'a mut f32>,
        values: impl Iterator<Item = f32>,
    ) {
        self.steps += 1;
        let share = (1.0 / self.steps as f32).max(self.rate);
        averages.zip(values).for_each(|(average, value)| *average += share * (value - *average));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adam_finds_the_minimum_of_a_parabola() {
        let (mut weights, mut adam) = ([3.0f32, -2.0], Adam::new(2));
        for _ in 0..2000 {
            let gradients = [2.0 * (weights[0] - 1.0), 20.0 * (weights[1] - 0.5)];
            adam.step(0.01, weights.iter_mut(), gradients.into_iter());
        }
        assert!((weights[0] - 1.0).abs() < 1e-2 && (weights[1] - 0.5).abs() < 1e-2, "{weights:?}");
    }

    #[test]
    fn the_average_starts_as_a_mean_and_then_forgets() {
        let (mut average, mut ema) = ([9.0f32], Ema::new(0.1));
        for value in [1.0, 2.0, 3.0] {
            ema.update(average.iter_mut(), [value].into_iter());
        }
        assert_eq!(average, [2.0]);
        (0..100).for_each(|_| ema.update(average.iter_mut(), [5.0].into_iter()));
        assert!((average[0] - 5.0).abs() < 1e-3);
    }
}
