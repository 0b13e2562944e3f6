//! Every claim against brute force on small boards.

use super::dead::dead_cells;
use super::*;
use crate::Size;
use crate::stones::oracle::{self, Oracle};
use crate::stones::{Shape, Stones};
use game::Side;
use proptest::prelude::*;

const W: usize = 1;

/// Does the colour of the cell matter in any completion of the board?
fn matters(shape: &Shape<W>, stones: &Stones<W>, cell: usize) -> bool {
    let open: Vec<usize> = shape.empty(stones).iter().filter(|&other| other != cell).collect();
    (0..1u32 << open.len()).any(|colours| {
        let mut full = *stones;
        for (at, &other) in open.iter().enumerate() {
            full.put(Side::BOTH[(colours >> at & 1) as usize], other);
        }
        shape.winner(&full.with(Side::Black, cell)) != shape.winner(&full.with(Side::White, cell))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn dead_cells_never_matter(rows in 2u8..=4, cols in 2u8..=4, seed: u64) {
        let shape = Shape::<W>::new(Size::new(rows, cols).unwrap());
        let stones = oracle::random_stones(&shape, seed, 11);
        for cell in dead_cells(&shape, &stones).iter() {
            prop_assert!(!matters(&shape, &stones, cell), "{stones:?} {cell}");
        }
    }

    #[test]
    fn fill_in_changes_no_winner(rows in 2u8..=4, cols in 2u8..=4, seed: u64) {
        let shape = Shape::<W>::new(Size::new(rows, cols).unwrap());
        let stones = oracle::random_stones(&shape, seed, 12);
        let fill = fill_in(&shape, &stones);
        let mut oracle = Oracle::new(&shape);
        for side in Side::BOTH {
            prop_assert_eq!(oracle.wins(&stones, side), oracle.wins(&fill.stones, side), "{:?}", fill);
        }
    }

    #[test]
    fn some_move_that_is_left_wins_if_any_does(rows in 2u8..=4, cols in 2u8..=4, seed: u64) {
        let shape = Shape::<W>::new(Size::new(rows, cols).unwrap());
        let stones = oracle::random_stones(&shape, seed, 12);
        let mut oracle = Oracle::new(&shape);
        for side in Side::BOTH {
            let inferior = inferior_cells(&shape, &stones, side);
            if shape.winner(&inferior.filled).is_some() {
                continue;
            }
            let left = shape.empty(&inferior.filled) & !inferior.pruned();
            let wins = left.iter().any(|cell| {
                !oracle.wins(&inferior.filled.with(side, cell), side.other())
            });
            prop_assert_eq!(wins, oracle.wins(&stones, side), "{:?} {:?}", inferior, stones);
            // A dominator is at least as good by itself.
            for &(cell, by) in &inferior.dominated {
                let [worse, better] = [cell, by].map(|cell| {
                    !oracle.wins(&inferior.filled.with(side, cell), side.other())
                });
                prop_assert!(better || !worse, "{cell} by {by} in {inferior:?}");
            }
        }
    }
}

#[test]
fn the_second_row_captures_the_first() {
    // On an open edge a stone on the second row captures the two cells below it.
    let shape = Shape::<W>::new(Size::new(5, 5).unwrap());
    let stones = Stones::EMPTY.with(Side::Black, 6);
    let fill = fill_in(&shape, &stones);
    assert!(fill.captured[0].contains(1) && fill.captured[0].contains(2));
    // In the corner white gets the pair of its own edge.
    assert!(fill.captured[1].contains(0) && fill.captured[1].contains(5));
}
