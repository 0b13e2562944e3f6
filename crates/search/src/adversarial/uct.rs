//! UCT: Monte Carlo that grows a tree towards the moves that do well.

use super::{Game, GameObserver, MonteCarloMove, MonteCarloOutcome, Selection};
use crate::rng::Rng;

/// How [`uct`] is to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UctOptions {
    /// Playouts to make.
    pub playouts: u64,
    /// C of UCB1: higher tries more, lower trusts more. The theory's constant for results in 0..1 is sqrt 2.
    pub exploration: f64,
    /// Tree nodes to keep at most; a full tree goes on being searched but grows no further.
    pub max_nodes: usize,
    /// Same seed, same search.
    pub seed: u64,
}

impl Default for UctOptions {
    fn default() -> Self {
        UctOptions { playouts: 10_000, exploration: std::f64::consts::SQRT_2, max_nodes: 1 << 20, seed: 1 }
    }
}

/// Repeats four steps: *select* down the tree by UCB1, w/n + C sqrt(ln N / n); *expand* the node reached; *play out*
/// at random from there; *back up* the result along the way. The most visited root move is the answer, the first of
/// equals.
///
/// Converges to the minimax move with the number of playouts. Time O(playouts x (tree depth x b + game length)),
/// memory O(`max_nodes`).
///
/// Kocsis, Szepesvári: *Bandit based Monte-Carlo planning*, ECML 2006. UCB1: Auer, Cesa-Bianchi, Fischer, Machine
/// Learning 47, 2002. The most visited move ("robust child"): Chaslot et al., 2008.
pub fn uct<G: Game, O: GameObserver<G::Move> + ?Sized>(
    game: &mut G,
    options: &UctOptions,
    mut keep_going: impl FnMut() -> bool,
    observer: &mut O,
) -> MonteCarloOutcome<G::Move> {
    let mut rng = Rng::new(options.seed);
    let mut tree = Tree { nodes: vec![Node::default()], edges: Vec::new(), max_nodes: options.max_nodes };
    // The root is expanded whatever the limit, or there would be no answer.
    tree.expand(0, game);
    let mut way: Vec<usize> = Vec::new();
    let mut line = Vec::new();
    let mut playouts = 0;

    while !tree.children(0).is_empty() && playouts < options.playouts && keep_going() {
        way.clear();
        way.push(0);
        let mut node = 0;
        loop {
            if tree.nodes[node].children.is_none() && tree.nodes[node].visits > 0 && tree.has_room() {
                tree.expand(node, game);
            }
            let ply = way.len() as u32 - 1;
            let Some(selection) = tree.select(node, ply, game.max_to_move(), options.exploration) else {
                break;
            };
            observer.select(&selection.1);
            node = selection.0;
            way.push(node);
            game.play(selection.1.mv);
        }

        line.clear();
        let result = match game.result() {
            Some(result) => result,
            None => game.playout(&mut rng, &mut line),
        };
        observer.playout(&line, result);
        playouts += 1;

        for (depth, &id) in way.iter().enumerate().rev() {
            let node = &mut tree.nodes[id];
            node.visits += 1;
            node.max_wins += result;
            if depth > 0 {
                let mv = tree.edges[id - 1];
                observer.backup(depth as u32 - 1, mv, node.visits, node.max_wins);
                game.undo(mv);
            }
        }
    }

    let children = tree.children(0);
    let mut best: Option<usize> = None;
    for child in children.clone() {
        if best.is_none_or(|best| tree.nodes[child].visits > tree.nodes[best].visits) {
            best = Some(child);
        }
    }
    let row = |id: usize| MonteCarloMove {
        mv: tree.edges[id - 1],
        visits: tree.nodes[id].visits,
        max_wins: tree.nodes[id].max_wins,
    };
    MonteCarloOutcome {
        best: best.map(|id| tree.edges[id - 1]),
        completed: playouts == options.playouts || children.is_empty(),
        root: children.map(row).collect(),
        playouts,
        nodes: tree.nodes.len(),
        max_to_move: game.max_to_move(),
    }
}

/// All nodes in one list; the children of a node are neighbours in it. Node 0 is the root, and the move that leads to
/// node `id` is `edges[id - 1]`.
struct Tree<M> {
    nodes: Vec<Node>,
    edges: Vec<M>,
    max_nodes: usize,
}

#[derive(Clone, Default)]
struct Node {
    visits: u64,
    max_wins: f64,
    /// First child and number of children; `None` until expanded.
    children: Option<(usize, usize)>,
}

impl<M: Copy> Tree<M> {
    fn has_room(&self) -> bool {
        self.nodes.len() < self.max_nodes
    }

    /// Appends the children of `node`, in which the game now is. The last expansion may overrun `max_nodes` by the
    /// children of one node.
    fn expand(&mut self, node: usize, game: &mut impl Game<Move = M>) {
        let first = self.nodes.len();
        if !game.is_over() {
            game.moves(&mut self.edges);
        }
        self.nodes.resize(self.edges.len() + 1, Node::default());
        self.nodes[node].children = Some((first, self.nodes.len() - first));
    }

    fn children(&self, node: usize) -> std::ops::Range<usize> {
        let (first, count) = self.nodes[node].children.unwrap_or((0, 0));
        first..first + count
    }

    /// The child with the highest UCB1; a child not tried yet comes before all others.
    fn select(&self, node: usize, ply: u32, max: bool, exploration: f64) -> Option<(usize, Selection<M>)> {
        let parent_visits = self.nodes[node].visits;
        let log_visits = (parent_visits.max(1) as f64).ln();
        let mut best: Option<(usize, Selection<M>)> = None;
        for child in self.children(node) {
            let Node { visits, max_wins, .. } = self.nodes[child];
            let n = visits as f64;
            let wins = if max { max_wins } else { n - max_wins };
            let (exploitation, exploration) = if visits == 0 {
                (0.0, f64::INFINITY)
            } else {
                (wins / n, exploration * (log_visits / n).sqrt())
            };
            let ucb1 = exploitation + exploration;
            if best.as_ref().is_none_or(|(_, best)| ucb1 > best.exploitation + best.exploration) {
                let mv = self.edges[child - 1];
                best = Some((child, Selection { ply, mv, visits, parent_visits, exploitation, exploration }));
            }
            if visits == 0 {
                break;
            }
        }
        best
    }
}
