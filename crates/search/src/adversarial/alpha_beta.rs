//! Alpha-beta: minimax that leaves out what cannot matter.

use super::minimax::Walk;
use super::{Bound, Cutoff, Game, GameObserver, GameOutcome, Window};

/// The value of the position `depth` plies deep, as [`minimax`](super::minimax) has it, with far fewer visits.
///
/// Fail-hard: a node returns alpha (MAX) or beta (MIN), so a value outside the window comes back as the bound it
/// violates. The root keeps a full window; in the root table every move after the best shows at most the best value.
///
/// Time b^d at worst; with the best move first everywhere it visits b^ceil(d/2) + b^floor(d/2) - 1 leaves, which is
/// the least any algorithm can do. Memory O(b d).
///
/// Knuth, Moore: *An analysis of alpha-beta pruning*, Artificial Intelligence 6, 1975.
pub fn alpha_beta<G: Game, O: GameObserver<G::Move> + ?Sized>(
    game: &mut G,
    depth: u32,
    keep_going: impl FnMut() -> bool,
    observer: &mut O,
) -> GameOutcome<G::Move> {
    let mut walk = Walk::new(game, keep_going, observer);
    let value = walk.alpha_beta(0, depth, Window::OPEN);
    walk.finish(value, depth)
}

impl<G: Game, K: FnMut() -> bool, O: GameObserver<G::Move> + ?Sized> Walk<'_, G, K, O> {
    fn alpha_beta(&mut self, ply: u32, depth: u32, mut window: Window) -> f64 {
        let Some(moves) = self.expand(ply, depth) else { return self.game.evaluate() };
        let max = self.game.max_to_move();
        for (index, &mv) in moves.iter().enumerate() {
            let Some(value) = self.visit(ply, mv, &window, |walk| walk.alpha_beta(ply + 1, depth, window))
            else {
                break;
            };
            self.narrow(ply, mv, value, max, &mut window);
            if window.is_shut() {
                self.cut(ply, mv, value, max, &window, moves.len() - index - 1);
                break;
            }
        }
        self.recycle(moves);
        if max { window.alpha } else { window.beta }
    }

    /// Moves the bound of the side to move if `value` is better than all it had.
    pub(super) fn narrow(&mut self, ply: u32, mv: G::Move, value: f64, max: bool, window: &mut Window) {
        if max && value > window.alpha {
            (window.alpha, window.alpha_from) = (value, Some(ply));
            self.observer.raise(ply, mv, Bound::Alpha, value);
            self.best_line(ply, mv);
        }
        if !max && value < window.beta {
            (window.beta, window.beta_from) = (value, Some(ply));
            self.observer.raise(ply, mv, Bound::Beta, value);
            self.best_line(ply, mv);
        }
    }

    /// Counts and reports that `by` made the remaining moves of this node pointless, if any remain.
    pub(super) fn cut(
        &mut self,
        ply: u32,
        by: G::Move,
        value: f64,
        max: bool,
        window: &Window,
        skipped: usize,
    ) {
        if skipped == 0 {
            return;
        }
        let (bound, limit, bound_from) = if max {
            (Bound::Beta, window.beta, window.beta_from)
        } else {
            (Bound::Alpha, window.alpha, window.alpha_from)
        };
        self.stats.cutoffs += 1;
        self.observer.cutoff(&Cutoff { ply, by, value, bound, limit, bound_from, skipped });
    }
}
