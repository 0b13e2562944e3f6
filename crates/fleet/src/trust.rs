//! Whom to believe: which results are run again elsewhere, and when a worker has failed too often.

/// One result in so many of each worker is run again by another.
pub const CHECK_EVERY: u64 = 100;
/// Units that a worker may fail at and others complete.
pub(crate) const MAX_FAILED: i64 = 3;

/// Which of a worker's results is checked next: a random one of its next hundred that begin now. The first result of
/// every worker is checked too.
///
/// A worker cannot know which it is, and within any 200 results in a row at least one is checked.
pub(crate) fn next_check(counted: i64, chance: u64) -> i64 {
    let every = CHECK_EVERY as i64;
    // The next block of a hundred after the one that this check belongs to.
    let block = (counted - 1).div_euclid(every) + 1;
    block * every + 1 + (chance % CHECK_EVERY) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hundred_results_have_one_check() {
        let mut at = 1;
        for round in 0..1000u64 {
            let next = next_check(at, round.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 7);
            assert!(next > at && next - at < 200, "{at} then {next}");
            assert_eq!((next - 1) / 100, (at - 1) / 100 + 1);
            at = next;
        }
    }
}
