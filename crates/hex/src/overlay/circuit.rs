//! Hex as an electrical circuit (Shannon; Anshelevich, *A hierarchical approach to computer Hex*, 2002).
//!
//! For one side its stones conduct freely, the opponent's do not, and an empty cell has resistance 1, half of
//! it towards each neighbour. The resistance between the edges measures how far the side is from
//! winning, and the power in each empty cell how much the connection depends on it.

use crate::{Board, Edge, Groups};
use game::Side;

/// The circuit of a side.
#[derive(Clone, Debug, PartialEq)]
pub struct Circuit {
    /// Between the edges: 0 when they are joined, infinite when they are cut apart.
    pub resistance: f64,
    /// For each cell its share of the power, summing to 1 over the empty cells; 0 where no current flows.
    pub energy: Vec<f64>,
}

/// Iterations end when the residual has fallen by this factor.
const PRECISION: f64 = 1e-10;

/// Solves the circuit of a side.
pub fn circuit(board: &Board, side: Side) -> Circuit {
    let cells = board.size().cells();
    let (source, sink) = (cells, cells + 1);
    let groups = conductors(board, side);
    let (source, sink) = (groups.find(source), groups.find(sink));
    if source == sink {
        return Circuit { resistance: 0.0, energy: vec![0.0; cells] };
    }
    let wires = wires(board, side, &groups);
    let potential = potentials(cells + 2, &wires, source, sink);
    let mut energy = vec![0.0; cells];
    let mut current = 0.0;
    for wire in &wires {
        let drop = potential[wire.from] - potential[wire.to];
        let flow = drop / wire.resistance;
        if wire.from == source || wire.to == source {
            current += flow.abs();
        }
        // Each end that is an empty cell takes its half of a cell's resistance.
        let power = flow * flow * 0.5;
        for (end, is_cell) in [(wire.from, wire.from_empty), (wire.to, wire.to_empty)] {
            if is_cell {
                energy[end] += power;
            }
        }
    }
    let total: f64 = energy.iter().sum();
    if total > 0.0 {
        energy.iter_mut().for_each(|power| *power /= total);
    }
    let resistance = if current > 1e-9 { 1.0 / current } else { f64::INFINITY };
    Circuit { resistance, energy }
}

struct Wire {
    from: usize,
    to: usize,
    from_empty: bool,
    to_empty: bool,
    resistance: f64,
}

/// Own stones that touch, and the edges they touch, are one conductor. Nodes `cells` and `cells + 1` are the
/// edges.
fn conductors(board: &Board, side: Side) -> Groups {
    let cells = board.size().cells();
    let mut groups = Groups::new(cells + 2);
    for (_, index) in board.stones().filter(|(stone, _)| *stone == side) {
        for &next in board.geometry().neighbours(index) {
            if board.at(next as usize) == Some(side) {
                groups.join(index, next as usize);
            }
        }
        for (which, edge) in Edge::of(side).into_iter().enumerate() {
            if board.geometry().touches(index, edge) {
                groups.join(index, cells + which);
            }
        }
    }
    groups
}

fn wires(board: &Board, side: Side, groups: &Groups) -> Vec<Wire> {
    let cells = board.size().cells();
    let mut wires = Vec::new();
    let mut add = |a: usize, b: usize| {
        let empty = |node: usize| node < cells && board.at(node).is_none();
        let (from_empty, to_empty) = (empty(a), empty(b));
        let resistance = 0.5 * f64::from(u8::from(from_empty) + u8::from(to_empty));
        let (from, to) = (groups.find(a), groups.find(b));
        if from != to {
            wires.push(Wire { from, to, from_empty, to_empty, resistance });
        }
    };
    for index in (0..cells).filter(|&index| board.at(index) != Some(side.other())) {
        for &next in board.geometry().neighbours(index) {
            let next = next as usize;
            if next > index && board.at(next) != Some(side.other()) {
                add(index, next);
            }
        }
        for (which, edge) in Edge::of(side).into_iter().enumerate() {
            if board.geometry().touches(index, edge) {
                add(index, cells + which);
            }
        }
    }
    wires
}

/// Potentials with 1 at the source and 0 at the sink, by conjugate gradients on Kirchhoff's equations.
fn potentials(nodes: usize, wires: &[Wire], source: usize, sink: usize) -> Vec<f64> {
    let fixed = |node: usize| node == source || node == sink;
    // The free part of (conductance matrix) * v.
    let apply = |v: &[f64], out: &mut [f64]| {
        out.fill(0.0);
        for wire in wires {
            let flow = (v[wire.from] - v[wire.to]) / wire.resistance;
            out[wire.from] += flow;
            out[wire.to] -= flow;
        }
        out[source] = 0.0;
        out[sink] = 0.0;
    };
    let mut diagonal = vec![0.0; nodes];
    for wire in wires {
        diagonal[wire.from] += 1.0 / wire.resistance;
        diagonal[wire.to] += 1.0 / wire.resistance;
    }
    let mut v = vec![0.0; nodes];
    v[source] = 1.0;
    let mut image = vec![0.0; nodes];
    apply(&v, &mut image);
    let mut residual: Vec<f64> = image.iter().map(|x| -x).collect();
    let scaled = |residual: &[f64]| -> Vec<f64> {
        (0..nodes)
            .map(|i| if diagonal[i] > 0.0 && !fixed(i) { residual[i] / diagonal[i] } else { 0.0 })
            .collect()
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let mut z = scaled(&residual);
    let mut direction = z.clone();
    let mut size = dot(&residual, &z);
    let enough = size * PRECISION * PRECISION;
    for _ in 0..4 * nodes {
        if size <= enough || size <= f64::MIN_POSITIVE {
            break;
        }
        apply(&direction, &mut image);
        let step = size / dot(&direction, &image);
        for i in 0..nodes {
            v[i] += step * direction[i];
            residual[i] -= step * image[i];
        }
        z = scaled(&residual);
        let next = dot(&residual, &z);
        for i in 0..nodes {
            direction[i] = z[i] + next / size * direction[i];
        }
        size = next;
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Size, notation};
    use game::{Cell, Setup};

    fn board(text: &str) -> Board {
        notation::parse(text, &Setup::empty(3, 3)).unwrap().board().clone()
    }

    #[test]
    fn one_column_is_cells_in_series() {
        let column = Board::new(Size::new(4, 1).unwrap());
        let solved = circuit(&column, Side::Black);
        assert!((solved.resistance - 4.0).abs() < 1e-6, "{}", solved.resistance);
        assert!(solved.energy.iter().all(|e| (e - 0.25).abs() < 1e-6));
        // Across, the four cells are in parallel (wires between them carry nothing).
        assert!((circuit(&column, Side::White).resistance - 0.25).abs() < 1e-6);
    }

    #[test]
    fn joined_and_cut() {
        let won = board(".X.\n.X.\n.X.");
        assert_eq!(circuit(&won, Side::Black).resistance, 0.0);
        assert_eq!(circuit(&won, Side::White).resistance, f64::INFINITY);
    }

    #[test]
    fn symmetric_boards_have_symmetric_circuits() {
        let empty = Board::new(Size::new(5, 5).unwrap());
        let (black, white) = (circuit(&empty, Side::Black), circuit(&empty, Side::White));
        assert!((black.resistance - white.resistance).abs() < 1e-6);
        let size = empty.size();
        for index in 0..25 {
            assert!((black.energy[index] - black.energy[24 - index]).abs() < 1e-6);
            let mirrored = size.index(size.mirrored(size.cell(index)));
            assert!((black.energy[index] - white.energy[mirrored]).abs() < 1e-6);
        }
    }

    #[test]
    fn a_stone_helps_its_side_and_hurts_the_other() {
        let mut with = Board::new(Size::new(5, 5).unwrap());
        let before = Side::BOTH.map(|side| circuit(&with, side).resistance);
        with.place(Side::Black, with.size().index(Cell::new(2, 2)));
        let after = Side::BOTH.map(|side| circuit(&with, side).resistance);
        assert!(after[0] < before[0] && after[1] > before[1]);
    }
}
