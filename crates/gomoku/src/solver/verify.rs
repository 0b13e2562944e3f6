//! A referee for claimed wins that shares nothing with the solvers but the moves they name.
//!
//! It walks the game tree on a plain grid ([`Grid`]), without tables, classes or threat knowledge. At the
//! attacker's turn it takes the move the strategy names; at the defender's turn it tries every legal move,
//! except those that plainly lose at once: where the attacker can make five and the defender cannot, only a
//! stone on that point can matter, and no single stone can stop two such points. (Under Caro a stone beside
//! the row can, so there every move is tried.) A claimed win that survives this is a win.

use super::SolverBudget;
use crate::oracle::{Grid, Spot};
use crate::{Board, Direction, Point, Rule};
use ::game::Side;
use std::collections::HashSet;
use std::fmt;

/// Names the attacker's move in a position it claims to be won.
pub trait AttackStrategy {
    /// The attacker's move, or `None` if there is none to win with.
    fn attack(&mut self, board: &mut Board, attacker: Side) -> Option<Point>;
}

/// Why a claim was not confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifyError {
    /// After these moves the attacker has nothing, or the defender wins.
    Refuted(Vec<Point>),
    /// The budget ended before everything was tried.
    Unfinished,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::Refuted(line) => write!(f, "refuted after {} moves", line.len()),
            VerifyError::Unfinished => f.write_str("not checked to the end"),
        }
    }
}

/// Checks that `attacker`, to move, wins with `strategy` against every defence. A node of the budget is a
/// position with the attacker to move. The board is unchanged afterwards.
pub fn verify(
    board: &mut Board,
    attacker: Side,
    strategy: &mut dyn AttackStrategy,
    budget: &mut SolverBudget<'_>,
) -> Result<(), VerifyError> {
    let grid = Grid::of(board);
    let mut walk = Walk {
        rule: board.rule(),
        grid,
        board,
        attacker,
        strategy,
        budget,
        won: HashSet::new(),
        path: Vec::new(),
    };
    let fives = walk.all_fives();
    walk.attack(&fives)
}

struct Walk<'a, 'b> {
    rule: Rule,
    grid: Grid,
    /// The same stones, for the strategy to look at.
    board: &'a mut Board,
    attacker: Side,
    strategy: &'a mut dyn AttackStrategy,
    budget: &'a mut SolverBudget<'b>,
    /// Positions with the attacker to move that are known to be won.
    won: HashSet<u64>,
    path: Vec<Point>,
}

/// Where each side could make five now.
#[derive(Clone)]
struct Fives([Vec<Spot>; 2]);

impl Walk<'_, '_> {
    /// The attacker is to move.
    fn attack(&mut self, fives: &Fives) -> Result<(), VerifyError> {
        if !fives.0[self.attacker.index()].is_empty() || self.won.contains(&self.board.hash(self.attacker)) {
            return Ok(());
        }
        if !self.budget.spend() {
            return Err(VerifyError::Unfinished);
        }
        let Some(point) = self.strategy.attack(self.board, self.attacker) else {
            return Err(self.refuted());
        };
        if !self.legal(point, self.attacker) {
            return Err(self.refuted());
        }
        self.with(point, self.attacker, fives, Walk::defend)?;
        self.won.insert(self.board.hash(self.attacker));
        Ok(())
    }

    /// The defender is to move.
    fn defend(&mut self, fives: &Fives) -> Result<(), VerifyError> {
        let defender = self.attacker.other();
        let [mine, yours] = [&fives.0[self.attacker.index()], &fives.0[defender.index()]];
        if !yours.is_empty() {
            return Err(self.refuted());
        }
        let replies: Vec<Point> = match mine.as_slice() {
            [_, _, ..] if self.rule != Rule::Caro => return Ok(()),
            [five] if self.rule != Rule::Caro => {
                let block = Grid::point(*five);
                if self.legal(block, defender) { vec![block] } else { return Ok(()) }
            }
            _ => {
                let empty = self.board.empty_points();
                let legal: Vec<Point> = empty.iter().filter(|point| self.legal(*point, defender)).collect();
                if legal.is_empty() {
                    return Err(self.refuted());
                }
                legal
            }
        };
        replies.into_iter().try_for_each(|reply| self.with(reply, defender, fives, Walk::attack))
    }

    /// Plays a move, goes on with what then can make five, and takes the move back.
    fn with(
        &mut self,
        point: Point,
        side: Side,
        fives: &Fives,
        go_on: fn(&mut Self, &Fives) -> Result<(), VerifyError>,
    ) -> Result<(), VerifyError> {
        let spot = Grid::spot(point);
        self.grid.put(spot, side);
        self.board.make(point, side);
        self.path.push(point);
        let fives = self.fives_after(spot, side, fives);
        let done = go_on(self, &fives);
        self.path.pop();
        self.board.undo();
        self.grid.take(spot);
        done
    }

    /// A new five of `side` must hold the new stone; the others are still there, except on the point itself.
    /// Under Caro stones can also close what was open, so everything is looked up afresh.
    fn fives_after(&mut self, spot: Spot, side: Side, before: &Fives) -> Fives {
        if self.rule == Rule::Caro {
            return self.all_fives();
        }
        let mut fives = before.clone();
        fives.0.iter_mut().for_each(|spots| spots.retain(|other| *other != spot));
        for direction in Direction::ALL {
            for new in self.grid.five_spots(spot, Grid::step(direction), side) {
                if !fives.0[side.index()].contains(&new) {
                    fives.0[side.index()].push(new);
                }
            }
        }
        fives
    }

    fn all_fives(&mut self) -> Fives {
        let empty = self.board.empty_points();
        Fives(Side::BOTH.map(|side| {
            let spots = empty.iter().map(Grid::spot);
            spots.filter(|spot| self.grid.with(*spot, side, |grid| grid.is_five_anywhere(*spot))).collect()
        }))
    }

    fn legal(&mut self, point: Point, side: Side) -> bool {
        self.board.is_empty(point)
            && !(self.rule.forbids(side) && self.grid.forbidden(Grid::spot(point)).is_some())
    }

    fn refuted(&self) -> VerifyError {
        VerifyError::Refuted(self.path.clone())
    }
}
