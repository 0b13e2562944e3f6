//! Alpha-beta with a transposition table: positions reached by another order of the same moves are searched once.

use super::minimax::Walk;
use super::{Game, GameObserver, GameOutcome, Window};

/// The value of the position `depth` plies deep, with a table that may be kept from search to search of one game.
///
/// The value is that of [`alpha_beta`](super::alpha_beta): only entries of the very same remaining depth are believed.
/// Entries of any depth put their best move first (except at the root, whose order decides between equals).
/// Without [`Game::hash`] this is plain alpha-beta.
///
/// Greenblatt, Eastlake, Crocker: *The Greenblatt chess program*, 1967. Breuker: *Memory versus search in games*, 1998.
pub fn alpha_beta_tt<G: Game, O: GameObserver<G::Move> + ?Sized>(
    game: &mut G,
    depth: u32,
    table: &mut TranspositionTable<G::Move>,
    keep_going: impl FnMut() -> bool,
    observer: &mut O,
) -> GameOutcome<G::Move> {
    let mut walk = Walk::new(game, keep_going, observer);
    let value = walk.alpha_beta_tt(0, depth, Window::OPEN, table);
    walk.finish(value, depth)
}

impl<G: Game, K: FnMut() -> bool, O: GameObserver<G::Move> + ?Sized> Walk<'_, G, K, O> {
    fn alpha_beta_tt(
        &mut self,
        ply: u32,
        depth: u32,
        mut window: Window,
        table: &mut TranspositionTable<G::Move>,
    ) -> f64 {
        let hash = self.game.hash();
        let known = hash.and_then(|hash| table.get(hash)).filter(|_| ply > 0);
        if let Some(value) = known.and_then(|entry| entry.answer(depth - ply, &window)) {
            self.stats.table_hits += 1;
            self.observer.table_hit(ply, value);
            // A value from the table has no line.
            self.line_at(ply).clear();
            return value;
        }
        let Some(mut moves) = self.expand(ply, depth) else { return self.game.evaluate() };
        let first = known.and_then(|entry| moves.iter().position(|&mv| Some(mv) == entry.best));
        if let Some(index) = first {
            moves[..=index].rotate_right(1);
        }

        let max = self.game.max_to_move();
        let asked = window;
        let mut best = None;
        for (index, &mv) in moves.iter().enumerate() {
            let below = |walk: &mut Self| walk.alpha_beta_tt(ply + 1, depth, window, table);
            let Some(value) = self.visit(ply, mv, &window, below) else { break };
            if (max && value > window.alpha) || (!max && value < window.beta) {
                best = Some(mv);
            }
            self.narrow(ply, mv, value, max, &mut window);
            if window.is_shut() {
                self.cut(ply, mv, value, max, &window, moves.len() - index - 1);
                break;
            }
        }
        self.recycle(moves);

        let value = if max { window.alpha } else { window.beta };
        if let (Some(hash), false) = (hash, self.is_stopped()) {
            let meaning = if value <= asked.alpha {
                Meaning::AtMost
            } else if value >= asked.beta {
                Meaning::AtLeast
            } else {
                Meaning::Exactly
            };
            table.put(Entry { hash, depth: depth - ply, value, meaning, best });
        }
        value
    }
}

/// What earlier searches found, one entry a slot; a newer result replaces the older.
#[derive(Clone, Debug)]
pub struct TranspositionTable<M> {
    slots: Vec<Option<Entry<M>>>,
}

impl<M: Copy> TranspositionTable<M> {
    /// An empty table with room for `entries`, rounded up to a power of two.
    pub fn new(entries: usize) -> Self {
        TranspositionTable { slots: vec![None; entries.max(1).next_power_of_two()] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(None);
    }

    fn get(&self, hash: u64) -> Option<Entry<M>> {
        self.slots[self.slot(hash)].filter(|entry| entry.hash == hash)
    }

    fn put(&mut self, entry: Entry<M>) {
        let slot = self.slot(entry.hash);
        self.slots[slot] = Some(entry);
    }

    fn slot(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry<M> {
    hash: u64,
    depth: u32,
    value: f64,
    meaning: Meaning,
    best: Option<M>,
}

/// How the true value relates to the stored one.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Meaning {
    Exactly,
    AtLeast,
    AtMost,
}

impl<M> Entry<M> {
    /// The value of the node if this entry settles it, held within the window as fail-hard search does.
    fn answer(&self, depth: u32, window: &Window) -> Option<f64> {
        let settled = match self.meaning {
            Meaning::Exactly => true,
            Meaning::AtLeast => self.value >= window.beta,
            Meaning::AtMost => self.value <= window.alpha,
        };
        (settled && self.depth == depth).then(|| self.value.max(window.alpha).min(window.beta))
    }
}
