//! Minimax, and the walk that it shares with alpha-beta.

use super::{Game, GameObserver, GameOutcome, RootMove, Stats, Window};

/// The exact value of the position `depth` plies deep, by visiting every line. Time b^d, memory O(b d).
///
/// MAX takes the move of the highest value, MIN that of the lowest; the first of equals wins.
///
/// Von Neumann: *Zur Theorie der Gesellschaftsspiele*, 1928. Shannon: *Programming a computer for playing chess*, 1950.
pub fn minimax<G: Game, O: GameObserver<G::Move> + ?Sized>(
    game: &mut G,
    depth: u32,
    keep_going: impl FnMut() -> bool,
    observer: &mut O,
) -> GameOutcome<G::Move> {
    let mut walk = Walk::new(game, keep_going, observer);
    let value = walk.minimax(0, depth);
    walk.finish(value, depth)
}

impl<G: Game, K: FnMut() -> bool, O: GameObserver<G::Move> + ?Sized> Walk<'_, G, K, O> {
    fn minimax(&mut self, ply: u32, depth: u32) -> f64 {
        let Some(moves) = self.expand(ply, depth) else { return self.game.evaluate() };
        let max = self.game.max_to_move();
        let mut best = if max { f64::NEG_INFINITY } else { f64::INFINITY };
        for &mv in &moves {
            let Some(value) = self.visit(ply, mv, &Window::OPEN, |walk| walk.minimax(ply + 1, depth)) else {
                break;
            };
            if (max && value > best) || (!max && value < best) {
                best = value;
                self.best_line(ply, mv);
            }
        }
        self.recycle(moves);
        best
    }
}

/// A depth-first walk over a game tree: what minimax and alpha-beta have in common and what is not worth reading
/// twice. Lists are reused, so a walk stops allocating once it has been to the bottom.
pub(super) struct Walk<'a, G: Game, K, O: ?Sized> {
    pub(super) game: &'a mut G,
    pub(super) observer: &'a mut O,
    pub(super) stats: Stats,
    keep_going: K,
    stopped: bool,
    root: Vec<RootMove<G::Move>>,
    /// The best line found below each ply.
    lines: Vec<Vec<G::Move>>,
    spare: Vec<Vec<G::Move>>,
}

impl<'a, G: Game, K: FnMut() -> bool, O: GameObserver<G::Move> + ?Sized> Walk<'a, G, K, O> {
    pub(super) fn new(game: &'a mut G, keep_going: K, observer: &'a mut O) -> Self {
        let (root, lines, spare) = (Vec::new(), Vec::new(), Vec::new());
        Walk { game, observer, stats: Stats::default(), keep_going, stopped: false, root, lines, spare }
    }

    /// The moves to search at this node, or `None` if it is to be evaluated: at the depth limit, when the game is
    /// over, or when there is nothing to play.
    pub(super) fn expand(&mut self, ply: u32, depth: u32) -> Option<Vec<G::Move>> {
        self.line_at(ply).clear();
        let mut moves = self.spare.pop().unwrap_or_default();
        moves.clear();
        if ply < depth {
            if !self.game.is_over() {
                self.game.moves(&mut moves);
            }
            self.stats.saw(ply, moves.len());
        }
        if !moves.is_empty() {
            return Some(moves);
        }
        self.stats.leaves += u64::from(ply > 0);
        self.recycle(moves);
        None
    }

    /// Plays `mv`, values the position with `below`, takes it back. `None` once the search has been stopped.
    pub(super) fn visit(
        &mut self,
        ply: u32,
        mv: G::Move,
        window: &Window,
        below: impl FnOnce(&mut Self) -> f64,
    ) -> Option<f64> {
        if self.stopped || !(self.keep_going)() {
            self.stopped = true;
            return None;
        }
        let before = self.stats.nodes;
        self.stats.nodes += 1;
        self.observer.enter(ply, mv, window);
        self.game.play(mv);
        let value = below(self);
        self.game.undo(mv);
        if self.stopped {
            return None;
        }
        self.observer.leave(ply, mv, value);
        if ply == 0 {
            self.root.push(RootMove { mv, value, nodes: self.stats.nodes - before });
        }
        Some(value)
    }

    /// Notes that `mv` and the best line below it are now the best line from `ply` on.
    pub(super) fn best_line(&mut self, ply: u32, mv: G::Move) {
        let mut line = std::mem::take(self.line_at(ply));
        line.clear();
        line.push(mv);
        line.extend_from_slice(self.line_at(ply + 1));
        *self.line_at(ply) = line;
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    pub(super) fn recycle(&mut self, moves: Vec<G::Move>) {
        self.spare.push(moves);
    }

    pub(super) fn line_at(&mut self, ply: u32) -> &mut Vec<G::Move> {
        let ply = ply as usize;
        if self.lines.len() <= ply {
            self.lines.resize(ply + 1, Vec::new());
        }
        &mut self.lines[ply]
    }

    pub(super) fn finish(mut self, value: f64, depth: u32) -> GameOutcome<G::Move> {
        let line = std::mem::take(self.line_at(0));
        let value = if line.is_empty() { self.game.evaluate() } else { value };
        GameOutcome {
            best: line.first().copied(),
            value,
            line,
            root: self.root,
            depth,
            completed: !self.stopped,
            stats: self.stats,
        }
    }
}
