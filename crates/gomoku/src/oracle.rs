//! Slow and obvious: the rules read straight off a grid of cells, to check the fast code against: in tests,
//! and wherever a claimed win is verified.
//!
//! Nothing here knows about windows, tables or classes; it walks lines and tries stones out.

use crate::{Board, Direction, Forbidden, Point, Rule};
use ::game::Side;

pub(crate) struct Grid {
    rule: Rule,
    size: i32,
    cells: Vec<Option<Side>>,
}

/// A row and a column, on the board or off it.
pub(crate) type Spot = (i32, i32);

impl Grid {
    pub(crate) fn of(board: &Board) -> Grid {
        let cells = board.all_points().map(|point| board.at(point)).collect();
        Grid { rule: board.rule(), size: i32::from(board.size()), cells }
    }

    pub(crate) fn spot(point: Point) -> Spot {
        (i32::from(point.row()), i32::from(point.col()))
    }

    pub(crate) fn point((row, col): Spot) -> Point {
        Point::new(row as u8, col as u8)
    }

    /// Puts a stone on an empty spot.
    pub(crate) fn put(&mut self, spot: Spot, side: Side) {
        if let Some(index) = self.index(spot) {
            self.cells[index] = Some(side);
        }
    }

    /// Takes a stone away.
    pub(crate) fn take(&mut self, spot: Spot) {
        if let Some(index) = self.index(spot) {
            self.cells[index] = None;
        }
    }

    pub(crate) fn step(direction: Direction) -> Spot {
        match direction {
            Direction::Row => (0, 1),
            Direction::Column => (1, 0),
            Direction::Falling => (1, 1),
            Direction::Rising => (1, -1),
        }
    }

    fn index(&self, (row, col): Spot) -> Option<usize> {
        let inside = (0..self.size).contains(&row) && (0..self.size).contains(&col);
        inside.then_some((row * self.size + col) as usize)
    }

    fn at(&self, spot: Spot) -> Option<Side> {
        self.cells[self.index(spot)?]
    }

    fn is_empty(&self, spot: Spot) -> bool {
        self.index(spot).is_some_and(|index| self.cells[index].is_none())
    }

    pub(crate) fn with<T>(&mut self, spot: Spot, side: Side, ask: impl FnOnce(&mut Grid) -> T) -> T {
        let index = self.index(spot).expect("on the board");
        assert_eq!(self.cells[index].replace(side), None);
        let answer = ask(self);
        self.cells[index] = None;
        answer
    }

    /// The row of one colour through a stone: both ends, exclusive.
    fn row(&self, spot: Spot, step: Spot) -> (usize, [Spot; 2]) {
        let side = self.at(spot);
        let mut length = 1;
        let ends = [-1, 1].map(|sign| {
            let mut end = spot;
            loop {
                end = (end.0 + sign * step.0, end.1 + sign * step.1);
                if self.at(end) != side {
                    return end;
                }
                length += 1;
            }
        });
        (length, ends)
    }

    /// Does the stone at a spot stand in a winning row along `step`?
    pub(crate) fn is_five(&self, spot: Spot, step: Spot) -> bool {
        let Some(side) = self.at(spot) else { return false };
        let (length, ends) = self.row(spot, step);
        match self.rule {
            Rule::Freestyle => length >= 5,
            Rule::Standard => length == 5,
            Rule::Renju => length == 5 || length > 5 && side == Side::White,
            Rule::Caro => length == 5 && ends.iter().any(|end| self.is_empty(*end)),
        }
    }

    pub(crate) fn is_five_anywhere(&self, spot: Spot) -> bool {
        Direction::ALL.into_iter().any(|direction| self.is_five(spot, Grid::step(direction)))
    }

    /// Empty spots on the line where `side` would make a five that also holds the stone at `spot`.
    pub(crate) fn five_spots(&mut self, spot: Spot, step: Spot, side: Side) -> Vec<Spot> {
        (-4..=4)
            .map(|k| (spot.0 + k * step.0, spot.1 + k * step.1))
            .filter(|there| self.is_empty(*there))
            .collect::<Vec<_>>()
            .into_iter()
            .filter(|there| {
                self.with(*there, side, |grid| {
                    grid.is_five(*there, step) && grid.connected(spot, *there, step)
                })
            })
            .collect()
    }

    /// Does one unbroken row hold both spots?
    fn connected(&self, a: Spot, b: Spot, step: Spot) -> bool {
        let side = self.at(a);
        for sign in [-1, 1] {
            let mut at = a;
            for _ in 0..9 {
                if self.at(at) != side {
                    break;
                }
                if at == b {
                    return true;
                }
                at = (at.0 + sign * step.0, at.1 + sign * step.1);
            }
        }
        false
    }

    /// How many fours the stone at a spot has on a line, and whether one is straight.
    fn fours(&mut self, spot: Spot, step: Spot) -> (usize, bool) {
        let side = self.at(spot).expect("a stone");
        let fives = self.five_spots(spot, step, side);
        let straight = fives.iter().any(|a| fives.contains(&(a.0 + 5 * step.0, a.1 + 5 * step.1)));
        if straight { (1, true) } else { (fives.len(), false) }
    }

    /// Renju's judgement of a black stone on an empty spot.
    pub(crate) fn forbidden(&mut self, spot: Spot) -> Option<Forbidden> {
        if self.rule != Rule::Renju {
            return None;
        }
        self.with(spot, Side::Black, |grid| {
            let steps = Direction::ALL.map(Grid::step);
            if grid.is_five_anywhere(spot) {
                return None;
            }
            if steps.iter().any(|step| grid.row(spot, *step).0 > 5) {
                return Some(Forbidden::Overline);
            }
            if steps.iter().map(|step| grid.fours(spot, *step).0).sum::<usize>() >= 2 {
                return Some(Forbidden::DoubleFour);
            }
            let threes = steps.iter().filter(|step| grid.is_three(spot, **step)).count();
            (threes >= 2).then_some(Forbidden::DoubleThree)
        })
    }

    /// Can the stone at a spot become part of a straight four on this line by one legal move that makes no
    /// five, while it is not a four yet?
    fn is_three(&mut self, spot: Spot, step: Spot) -> bool {
        if self.fours(spot, step).0 > 0 {
            return false;
        }
        (-4..=4).map(|k| (spot.0 + k * step.0, spot.1 + k * step.1)).any(|there| {
            self.is_empty(there)
                && self.with(there, Side::Black, |grid| {
                    grid.fours(spot, step).1 && !grid.is_five_anywhere(there)
                })
                && self.forbidden(there).is_none()
        })
    }

    /// What the shape tables should say of a line, for the shapes that decide games: 4 five, 3 strong four,
    /// 2 four, 1 three, 0 less. `spot` is empty.
    #[cfg(test)]
    pub(crate) fn strength(&mut self, spot: Spot, step: Spot, side: Side) -> u8 {
        let forbids = self.rule.forbids(side);
        self.with(spot, side, |grid| {
            if grid.is_five(spot, step) {
                return 4;
            }
            match grid.five_spots(spot, step, side).len() {
                0 => {}
                1 => return 2,
                _ => return 3,
            }
            let three = (-4..=4).map(|k| (spot.0 + k * step.0, spot.1 + k * step.1)).any(|there| {
                grid.is_empty(there)
                    && grid.with(there, side, |grid| {
                        let (fours, straight) = grid.fours(spot, step);
                        straight || fours >= 2 && !forbids
                    })
            });
            u8::from(three)
        })
    }
}
