//! Ways to say how long a search may go on.
//!
//! A search asks its `keep_going` closure before every node (or playout) and winds up as soon as the answer is `false`.
//! The closure is therefore the place for node limits, stop flags and clocks; this module has the usual ones.

/// Never stops.
pub fn never() -> impl FnMut() -> bool {
    || true
}

/// Stops after `limit` nodes.
pub fn after(limit: u64) -> impl FnMut() -> bool {
    let mut left = limit;
    move || {
        let go = left > 0;
        left = left.saturating_sub(1);
        go
    }
}

/// Asks `check` at the first node and at every `period`-th one from there on, because reading a clock at each would
/// dominate a cheap search. Once `check` has said `false` the answer stays `false`.
pub fn every(period: u32, mut check: impl FnMut() -> bool) -> impl FnMut() -> bool {
    let mut until_check = 0;
    let mut going = true;
    move || {
        if until_check == 0 {
            until_check = period.max(1);
            going = going && check();
        }
        until_check -= 1;
        going
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_counts_exactly() {
        let mut going = after(3);
        let answers: Vec<bool> = (0..5).map(|_| going()).collect();
        assert_eq!(answers, [true, true, true, false, false]);
    }

    #[test]
    fn every_asks_rarely_and_remembers_a_no() {
        let mut asked = 0;
        let mut going = every(4, || {
            asked += 1;
            asked != 2
        });
        let answers: Vec<bool> = (0..9).map(|_| going()).collect();
        assert_eq!(answers, [true, true, true, true, false, false, false, false, false]);
        drop(going);
        assert_eq!(asked, 2);
    }
}
