//! Move ordering by the current in both sides' circuits (Anshelevich 2002).
//!
//! The circuit is that of [`crate::overlay::circuit`], solved roughly: an order needs no precision.

use crate::bits::Bits;
use crate::stones::{Neighbour, Shape, Stones};
use game::Side;

/// Rounds of relaxation; the potentials are then right to a few percent on boards of solvable size.
const ROUNDS: usize = 40;

/// Over-relaxation factor for boards of about 10x10.
const OVER_RELAXATION: f32 = 1.6;

pub(crate) fn most_promising_first<const W: usize>(
    shape: &Shape<W>,
    stones: &Stones<W>,
    to_move: Side,
    moves: Bits<W>,
) -> Box<[u16]> {
    let (own, _) = currents(shape, stones, to_move);
    let (theirs, _) = currents(shape, stones, to_move.other());
    let mut list: Vec<(f32, u16)> =
        moves.iter().map(|cell| (own[cell] * theirs[cell], cell as u16)).collect();
    list.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    list.into_iter().map(|(_, cell)| cell).collect()
}

/// The current through each empty cell of a side's circuit, and the total. An empty cell has resistance 1, an own stone
/// 0.1, an opponent's stone does not conduct.
pub(crate) fn currents<const W: usize>(shape: &Shape<W>, stones: &Stones<W>, side: Side) -> (Vec<f32>, f32) {
    let cells = shape.size().cells();
    let (own, other) = (stones.of(side), stones.of(side.other()));
    let [source, sink] = shape.edges(side);
    let half = |cell: usize| if own.contains(cell) { 0.05f32 } else { 0.5 };
    // Wires of each passable cell: to neighbours, and to the edges with potentials 1 and 0.
    struct Node {
        cell: usize,
        wires: [(u16, f32); 6],
        degree: usize,
        pull: f32,
        total: f32,
    }
    let mut nodes = Vec::with_capacity(cells);
    for cell in (shape.lattice().all() & !other).iter() {
        let mut node = Node { cell, wires: [(0, 0.0); 6], degree: 0, pull: 0.0, total: 0.0 };
        for place in shape.ring(cell) {
            if let Neighbour::Cell(next) = *place
                && !other.contains(next as usize)
            {
                let conductance = 1.0 / (half(cell) + half(next as usize));
                node.wires[node.degree] = (next, conductance);
                node.degree += 1;
                node.total += conductance;
            }
        }
        for (edge, potential) in [(source, 1.0), (sink, 0.0)] {
            if edge.contains(cell) {
                let conductance = 1.0 / half(cell);
                node.pull += conductance * potential;
                node.total += conductance;
            }
        }
        nodes.push(node);
    }
    let mut potential = vec![0.5f32; cells];
    for _ in 0..ROUNDS {
        for node in nodes.iter().filter(|node| node.total > 0.0) {
            let mut sum = node.pull;
            for &(next, conductance) in &node.wires[..node.degree] {
                sum += conductance * potential[next as usize];
            }
            let target = sum / node.total;
            potential[node.cell] += OVER_RELAXATION * (target - potential[node.cell]);
        }
    }
    let mut power = vec![0.0; cells];
    let mut total = 0.0;
    for node in &nodes {
        let here = potential[node.cell];
        let mut flow = 0.0;
        for &(next, conductance) in &node.wires[..node.degree] {
            flow += conductance * (here - potential[next as usize]).abs();
        }
        for (edge, level) in [(source, 1.0f32), (sink, 0.0)] {
            if edge.contains(node.cell) {
                flow += (here - level).abs() / half(node.cell);
            }
        }
        if source.contains(node.cell) {
            total += (1.0 - here) / half(node.cell);
        }
        power[node.cell] = flow / 2.0;
    }
    (power, total)
}
