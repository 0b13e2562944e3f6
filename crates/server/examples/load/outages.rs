//! What was taken away from a site, and how long moves waited because of it.

use crate::percentile;
use serde_json::{Map, Value, json};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// After its server died, or while servers are replaced, every game goes on this soon.
const TAKEOVER: Duration = Duration::from_secs(5);
/// What was taken away is back by then.
pub(crate) const RECOVERY: Duration = Duration::from_secs(60);

/// Nothing, and what can be taken away: the longest that a move may wait for its acknowledgement.
const KINDS: [(&str, Duration); 6] = [
    ("none", RECOVERY),
    ("server", TAKEOVER),
    ("broker", RECOVERY),
    ("database", RECOVERY),
    ("cut", RECOVERY),
    ("upgrade", TAKEOVER),
];

/// All outages so far, and for each acknowledged move the outage it suffered from and its wait since the first try.
#[derive(Default)]
pub(crate) struct Outages {
    /// Positions in [`KINDS`].
    announced: Mutex<Vec<usize>>,
    waits: Mutex<Vec<(usize, u32)>>,
}

/// A move that is tried until it is acknowledged.
pub(crate) struct Attempt {
    began: Instant,
    /// How many outages had been announced by then.
    before: usize,
    /// Fixed when the first try ends: an outage that begins while the move is tried again is not what it waits for.
    suffers: Option<usize>,
}

impl Outages {
    /// Something is about to be taken away.
    pub(crate) fn announce(&self, word: &str) {
        if let Some(kind) = KINDS.iter().position(|(name, _)| *name == word)
            && let Ok(mut announced) = self.announced.lock()
        {
            announced.push(kind);
        }
    }

    /// Has anything been taken away?
    pub(crate) fn any(&self) -> bool {
        self.announced.lock().is_ok_and(|announced| !announced.is_empty())
    }

    /// Forgets the waits until now.
    pub(crate) fn forget(&self) {
        if let Ok(mut waits) = self.waits.lock() {
            waits.clear();
        }
    }

    /// A move is tried for the first time.
    pub(crate) fn attempt(&self) -> Attempt {
        let before = self.announced.lock().map_or(0, |announced| announced.len());
        Attempt { began: Instant::now(), before, suffers: None }
    }

    /// A try has failed.
    pub(crate) fn failed(&self, attempt: &mut Attempt) {
        if attempt.suffers.is_none() {
            attempt.suffers = Some(self.since(attempt.before));
        }
    }

    /// The move is acknowledged.
    pub(crate) fn acknowledged(&self, mut attempt: Attempt) {
        self.failed(&mut attempt);
        let wait = attempt.began.elapsed().as_millis().try_into().unwrap_or(u32::MAX);
        if let Ok(mut waits) = self.waits.lock() {
            waits.push((attempt.suffers.unwrap_or(0), wait));
        }
    }

    /// The first outage after so many, or else the last.
    fn since(&self, before: usize) -> usize {
        let Ok(announced) = self.announced.lock() else { return 0 };
        announced.get(before).or(announced.last()).copied().unwrap_or(0)
    }

    /// Waits after each kind of outage in milliseconds, sorted.
    fn sorted(&self) -> Vec<(usize, Vec<u32>)> {
        let waits = self.waits.lock().map(|waits| waits.clone()).unwrap_or_default();
        let of = |kind: usize| {
            let mut ms: Vec<u32> =
                waits.iter().filter(|(other, _)| *other == kind).map(|(_, ms)| *ms).collect();
            ms.sort_unstable();
            (kind, ms)
        };
        (0..KINDS.len()).map(of).filter(|(_, ms)| !ms.is_empty()).collect()
    }

    /// The waits in figures.
    pub(crate) fn figures(&self) -> Value {
        let announced = self.announced.lock().map(|announced| announced.clone()).unwrap_or_default();
        let entry = |(kind, ms): (usize, Vec<u32>)| {
            let outages = announced.iter().filter(|other| **other == kind).count();
            let (p50, p99) = (percentile(&ms, 0.5), percentile(&ms, 0.99));
            let figures =
                json!({ "outages": outages, "moves": ms.len(), "p50": p50, "p99": p99, "max": ms.last() });
            (KINDS[kind].0.to_string(), figures)
        };
        Value::Object(self.sorted().into_iter().map(entry).collect::<Map<_, _>>())
    }

    /// The 99th percentile in milliseconds while nothing was missing.
    pub(crate) fn calm_p99(&self) -> Option<u32> {
        self.sorted().iter().find(|(kind, _)| *kind == 0).and_then(|(_, ms)| percentile(ms, 0.99))
    }

    /// Waits that were too long, in words.
    pub(crate) fn too_long(&self) -> Vec<String> {
        let sorted = self.sorted();
        let worst = sorted.iter().filter_map(|(kind, ms)| Some((KINDS[*kind], (*ms.last()?).into())));
        let late = worst.filter(|((_, most), ms)| Duration::from_millis(*ms) > *most);
        late.map(|((name, most), ms)| {
            format!("a move waited {:.1} s after '{name}', at most {} s", ms as f64 / 1000.0, most.as_secs())
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suffered(outages: &Outages) -> Vec<&'static str> {
        outages.waits.lock().unwrap().iter().map(|(kind, _)| KINDS[*kind].0).collect()
    }

    #[test]
    fn a_move_suffers_from_the_outage_that_its_first_try_met() {
        let outages = Outages::default();
        outages.acknowledged(outages.attempt());
        let mut struck = outages.attempt();
        outages.announce("server");
        outages.failed(&mut struck);
        outages.announce("database");
        // A later failure does not move it to a later outage, nor does the acknowledgement.
        outages.failed(&mut struck);
        outages.acknowledged(struck);
        let mut stuck = outages.attempt();
        outages.announce("cut");
        outages.announce("broker");
        outages.failed(&mut stuck);
        outages.acknowledged(stuck);
        outages.acknowledged(outages.attempt());
        assert_eq!(suffered(&outages), ["none", "server", "cut", "broker"]);
    }

    #[test]
    fn every_kind_of_outage_has_its_limit() {
        let outages = Outages::default();
        assert!(!outages.any());
        ["upgrade", "database", "unheard of"].iter().for_each(|kind| outages.announce(kind));
        assert!(outages.any());
        *outages.waits.lock().unwrap() = vec![(0, 3), (5, 5_001), (3, 59_000), (1, 4_999)];
        assert_eq!(outages.too_long(), ["a move waited 5.0 s after 'upgrade', at most 5 s"]);
        assert_eq!(outages.calm_p99(), Some(3));
        let figures = outages.figures();
        assert_eq!((&figures["upgrade"]["outages"], &figures["server"]["outages"]), (&json!(1), &json!(0)));
        outages.forget();
        assert_eq!((outages.too_long().len(), outages.calm_p99()), (0, None));
    }
}
