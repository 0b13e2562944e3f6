//! Does the server's memory grow? Samples over a run; its beginning, when caches and quotas fill up, does not count.

/// Resident memory in MB, one sample per second.
#[derive(Default)]
pub(crate) struct Memory(Vec<f64>);

/// The first so many of ten parts of a run are the warm-up; one tenth after it is compared with the last one.
const WARM_UP: usize = 3;
/// Fewer samples say nothing.
const FEWEST: usize = 30;

impl Memory {
    pub(crate) fn sample(&mut self, mb: Option<f64>) {
        self.0.extend(mb);
    }

    /// Medians after the warm-up and at the end; `None` where there are too few samples.
    pub(crate) fn begin_and_end(&self) -> Option<(f64, f64)> {
        let tenth = self.0.len() / 10;
        if self.0.len() < FEWEST {
            return None;
        }
        let begin = median(&self.0[WARM_UP * tenth..(WARM_UP + 1) * tenth]);
        Some((begin, median(&self.0[self.0.len() - tenth..])))
    }

    /// Growth between the two, in percent.
    pub(crate) fn growth(&self) -> Option<f64> {
        self.begin_and_end().map(|(begin, end)| (end / begin - 1.0) * 100.0)
    }
}

fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(samples: impl Iterator<Item = f64>) -> Option<f64> {
        let mut memory = Memory::default();
        samples.for_each(|mb| memory.sample(Some(mb)));
        memory.growth()
    }

    #[test]
    fn a_leak_is_seen_and_a_warm_up_or_a_peak_is_not() {
        let leak = growth((0..600).map(|second| 100.0 + f64::from(second) / 10.0)).unwrap();
        assert!((15.0..40.0).contains(&leak), "{leak}");
        let warm_up = growth((0..600).map(|second| 100.0 + f64::from(second.min(150)))).unwrap();
        assert!(warm_up.abs() < 1.0, "{warm_up}");
        let peaks = growth((0..600).map(|second| if second % 20 == 0 { 400.0 } else { 100.0 })).unwrap();
        assert!(peaks.abs() < 1.0, "{peaks}");
    }

    #[test]
    fn too_short_a_run_is_not_judged() {
        assert_eq!(growth((0..29).map(f64::from)), None);
    }
}
