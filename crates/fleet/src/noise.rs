//! Is somebody else using this machine? Timed games are not comparable then.
//!
//! Measured as processor time that other processes used. Linux counts it; elsewhere no worker is ever noisy, and its
//! owner has to keep the machine quiet.

use std::time::{Duration, Instant};

/// How often it is measured.
const EVERY: Duration = Duration::from_secs(5);
/// Cores' worth of processor time that others may use beyond the cores that the worker leaves free.
const TOLERANCE: f64 = 0.2;
/// The kernel counts in hundredths of a second.
const TICKS: f64 = 100.0;

/// Watches the machine.
#[derive(Debug)]
pub(crate) struct Noise {
    /// Cores that the worker leaves to others.
    free: f64,
    last: Option<(Instant, f64)>,
}

impl Noise {
    pub(crate) fn new(threads: i64) -> Noise {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        Noise { free: (cores as f64 - threads as f64).max(0.0), last: None }
    }

    /// Whether others use too much, if it is time to say.
    pub(crate) fn measure(&mut self) -> Option<bool> {
        let now = Instant::now();
        if self.last.is_some_and(|(at, _)| now - at < EVERY) {
            return None;
        }
        let used = others()?;
        let (at, before) = self.last.replace((now, used))?;
        Some((used - before) / (now - at).as_secs_f64() > self.free + TOLERANCE)
    }
}

/// Seconds of processor time that other processes have used since the machine started. Our children count as ours
/// once they have ended, so a worker that runs engines as processes may call itself noisy for a while.
fn others() -> Option<f64> {
    let numbers =
        |text: &str| -> Vec<f64> { text.split_whitespace().filter_map(|word| word.parse().ok()).collect() };
    let all = std::fs::read_to_string("/proc/stat").ok()?;
    let all = numbers(all.lines().next()?.strip_prefix("cpu")?);
    // user, nice, system; irq, softirq and steal are not ours to blame.
    let busy: f64 = all.get(..3)?.iter().sum();
    Some(busy / TICKS - own()?)
}

/// Seconds of processor time that we and our children that have ended have used.
fn own() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may have spaces. After it come the state, ten numbers, then utime, stime, cutime, cstime.
    let words = text.rsplit_once(')')?.1.split_whitespace();
    let used: f64 = words.skip(11).take(4).filter_map(|word| word.parse::<f64>().ok()).sum();
    Some(used / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn own_work_is_counted_as_our_own() {
        let (began, before) = (Instant::now(), own().unwrap());
        let mut sum = 0u64;
        while own().unwrap() < before + 0.1 {
            sum =
                (0..1_000_000).fold(sum, |sum, n| std::hint::black_box(sum.wrapping_mul(3).wrapping_add(n)));
            assert!(began.elapsed() < Duration::from_secs(60), "no processor time in {:?}", began.elapsed());
        }
        assert!(began.elapsed() > Duration::from_millis(20), "time is counted in hundredths");
        assert!(others().is_some_and(|used| used > 0.0));
    }
}
