//! What storms share: processes that are killed and started again, outages of random length.

use crate::nats::Nats;
use crate::postgres::Postgres;
use anyhow::Context;
use search::Rng;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Random numbers, seeded by the clock: every storm is another one.
pub(crate) struct Dice(Rng);

impl Dice {
    pub(crate) fn new() -> anyhow::Result<Dice> {
        Ok(Dice(Rng::new(SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos() as u64)))
    }

    /// A number below `n`.
    pub(crate) fn roll(&mut self, n: u64) -> u64 {
        self.0.below(n as usize) as u64
    }

    /// Waits for less than `most` milliseconds.
    pub(crate) fn pause(&mut self, most: u64) {
        let pause = self.roll(most);
        std::thread::sleep(Duration::from_millis(pause));
    }

    pub(crate) fn broker_outage(&mut self, nats: &mut Nats) -> anyhow::Result<()> {
        nats.kill();
        self.pause(1500);
        nats.up()
    }

    pub(crate) fn database_outage(&mut self, postgres: &mut Postgres) -> anyhow::Result<()> {
        postgres.kill()?;
        self.pause(1000);
        postgres.up()
    }
}

/// A process that can be started again; dropping it kills it.
pub(crate) struct Process {
    pub(crate) child: Child,
    command: Command,
}

impl Process {
    pub(crate) fn start(mut command: Command, words: &[&str]) -> anyhow::Result<Process> {
        command.args(words).stdin(Stdio::null());
        let child = command.spawn().with_context(|| format!("{command:?}"))?;
        Ok(Process { child, command })
    }

    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits until it ends by itself; false if it does not.
    pub(crate) fn has_ended_within(&mut self, limit: Duration) -> anyhow::Result<bool> {
        let began = Instant::now();
        while self.child.try_wait()?.is_none() {
            if began.elapsed() > limit {
                return Ok(false);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(true)
    }

    pub(crate) fn restart(&mut self) -> anyhow::Result<()> {
        self.kill();
        self.child = self.command.spawn()?;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_does_not_end_is_not_waited_for() {
        let sleep = |seconds| Process::start(Command::new("sleep"), &[seconds]).unwrap();
        assert!(!sleep("600").has_ended_within(Duration::from_millis(50)).unwrap());
        assert!(sleep("0").has_ended_within(Duration::from_secs(60)).unwrap());
    }
}
