//! Every connection against brute force on small boards.

use super::*;
use crate::Size;
use crate::stones::oracle::{self, Oracle};
use proptest::prelude::*;
use std::collections::HashMap;

const W: usize = 1;

/// Plays out connections cell by cell: can the side join two sets of cells within a carrier?
struct Joining<'a> {
    shape: &'a Shape<W>,
    ends: [Bits<W>; 2],
    known: HashMap<(Bits<W>, Bits<W>, bool), bool>,
}

impl Joining<'_> {
    fn joins(&mut self, own: Bits<W>, open: Bits<W>, own_turn: bool) -> bool {
        if self.shape.lattice().flood(self.ends[0], own).meets(&self.ends[1]) {
            return true;
        }
        if let Some(&known) = self.known.get(&(own, open, own_turn)) {
            return known;
        }
        // Whoever has no cell left to play may as well pass; passing is never better for the side itself.
        let result = if own_turn {
            open.iter().any(|cell| self.joins(own.with(cell), open.without(cell), false))
        } else {
            !open.is_empty() && open.iter().all(|cell| self.joins(own, open.without(cell), true))
        };
        self.known.insert((own, open, own_turn), result);
        result
    }
}

/// The cells an end stands for, and those of them that count as stones.
fn cells_of(shape: &Shape<W>, stones: &Stones<W>, side: Side, end: End) -> (Bits<W>, Bits<W>) {
    match end {
        End::Cell(cell) => (Bits::EMPTY.with(cell), Bits::EMPTY.with(cell)),
        End::Group(cell) => (Bits::EMPTY.with(cell), Bits::EMPTY),
        // Any cell of the edge row that the side gets is joined to the edge.
        End::Edge(which) => (shape.edges(side)[which], stones.of(side) & shape.edges(side)[which]),
    }
}

fn holds(shape: &Shape<W>, stones: &Stones<W>, side: Side, connection: &Connection<W>, semi: bool) -> bool {
    let (from, from_stones) = cells_of(shape, stones, side, connection.from);
    let (to, to_stones) = cells_of(shape, stones, side, connection.to);
    let own = stones.of(side) | from_stones | to_stones;
    let mut joining = Joining { shape, ends: [from, to], known: HashMap::new() };
    joining.joins(own, connection.carrier, semi)
}

/// All that `build` claims about a side holds.
fn compare(shape: &Shape<W>, stones: &Stones<W>, effort: Effort, largest: usize) {
    let mut oracle = Oracle::new(shape);
    for side in Side::BOTH {
        let connections = Connections::build(shape, stones, side, effort);
        for full in connections.fulls().filter(|full| full.carrier.len() <= largest) {
            assert!(holds(shape, stones, side, &full, false), "{side} full {full:?} in {stones:?}");
        }
        for semi in connections.semis().filter(|semi| semi.carrier.len() <= largest) {
            assert!(holds(shape, stones, side, &semi, true), "{side} semi {semi:?} in {stones:?}");
        }
        if shape.empty(stones).len() > 14 {
            continue;
        }
        assert!(!connections.wins_moving_first() || oracle.wins(stones, side), "{side} {stones:?}");
        assert!(!connections.wins_moving_second() || !oracle.wins(stones, side.other()));
        let must_play = connections.winning().must_play;
        for cell in (shape.empty(stones) & !must_play).iter() {
            let lost = oracle.wins(&stones.with(side.other(), cell), side);
            assert!(lost, "{} need not play {cell} in {stones:?}", side.other());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(700))]

    #[test]
    fn connections_hold_on_small_boards(rows in 2u8..=4, cols in 2u8..=4, seed: u64, between in 1usize..9, or in 2usize..=4) {
        let shape = Shape::<W>::new(Size::new(rows, cols).unwrap());
        let stones = oracle::random_stones(&shape, seed, 16);
        let effort =
            Effort { between_cells: between, or_depth: or, or_of_many: or < 4, ..Effort::default() };
        if shape.winner(&stones).is_none() {
            compare(&shape, &stones, effort, 9);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(25))]

    #[test]
    fn connections_hold_on_larger_boards(rows in 5u8..=6, cols in 5u8..=6, seed: u64) {
        let shape = Shape::<W>::new(Size::new(rows, cols).unwrap());
        let stones = oracle::random_stones(&shape, seed, 30);
        if shape.winner(&stones).is_none() {
            compare(&shape, &stones, Effort::default(), 8);
        }
    }
}

#[test]
fn bridges_and_the_ziggurat_are_found() {
    let shape = Shape::<W>::new(Size::new(6, 6).unwrap());
    // A stone on the third row with room on both sides is joined to the edge.
    let stones = Stones::EMPTY.with(Side::Black, 3 * 6 + 3);
    let connections = Connections::build(&shape, &stones, Side::Black, Effort::default());
    let to_bottom = |full: &Connection<W>| full.from == End::Group(21) && full.to == End::Edge(1);
    let best = connections.fulls().filter(to_bottom).map(|full| full.carrier.len()).min();
    assert_eq!(best, Some(8));
    let second_row = Stones::EMPTY.with(Side::Black, 6 + 2);
    let connections = Connections::build(&shape, &second_row, Side::Black, Effort::default());
    let bridge = Bits::EMPTY.with(2).with(3);
    assert!(connections.fulls().any(|full| full.to == End::Edge(0) && full.carrier == bridge));
}
