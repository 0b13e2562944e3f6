//! VCF, victory by continuous fours: the attacker makes a four with every move, so the defender has at most
//! one answer (under Caro a few), until the fours are two at once or the answer is forbidden.
//!
//! The search is exact. Every legal four of the attacker is tried; a defender's five ends the line; when the
//! defender's block makes a four of its own, the attacker must answer it with another four. A table keeps the
//! positions found to have no VCF, with the number of attacking moves they were searched for, so transposed
//! lines are searched once and the shortest win comes from deepening step by step. Nothing is allocated
//! after [`Vcf::new`], and equal calls on a fresh solver give equal answers and node counts.

use super::{AttackResult, AttackStrategy, SolverBudget, TableScope};
use crate::threat::{five_blocks, has_four, makes_four, may_play, winning_four};
use crate::{Board, Class, Direction, Point, PointSet, Rule};
use ::game::Side;

/// A reusable VCF solver.
pub struct Vcf {
    /// Refuted positions: the hash with its low byte replaced by the attacking moves searched.
    table: Box<[u64]>,
    scope: TableScope,
    /// The candidates of all nodes on the path, one node's after the other's.
    fours: Vec<Four>,
    /// The blocks of all nodes on the path.
    blocks: Vec<Point>,
    /// The winning line, last move first while it is put together.
    line: Vec<Point>,
}

/// An attacking move, and how promising it looks.
#[derive(Clone, Copy)]
struct Four {
    point: Point,
    score: i16,
}

/// The result of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Node {
    Win,
    /// There is no VCF at all.
    None,
    /// There is none within the attacking moves allowed.
    Cut,
    Unknown,
}

/// No limit on the number of attacking moves: larger than any board.
const UNBOUNDED: u8 = u8::MAX;

/// Table entries at most: 32 GiB, or what a 32-bit address space can hold.
const MOST_ENTRIES: usize = 1 << (if usize::BITS > 32 { 32 } else { 26 });

impl Vcf {
    /// A solver that remembers about this many refuted positions (8 bytes each).
    pub fn new(hash_entries: usize) -> Vcf {
        let entries = hash_entries.clamp(1 << 8, MOST_ENTRIES).next_power_of_two();
        Vcf {
            table: vec![0; entries].into(),
            scope: TableScope::default(),
            fours: Vec::with_capacity(1 << 12),
            blocks: Vec::with_capacity(1 << 10),
            line: Vec::with_capacity(1 << 9),
        }
    }

    /// Does `attacker`, to move, win by fours alone? Spends at most `node_limit` nodes. The game must not be
    /// over. After a win, [`Vcf::line`] is the way.
    #[inline]
    pub fn search(&mut self, board: &mut Board, attacker: Side, node_limit: u64) -> AttackResult {
        self.run(board, attacker, &mut SolverBudget::nodes(node_limit))
    }

    /// The same with a budget of the caller's.
    pub fn run(&mut self, board: &mut Board, attacker: Side, budget: &mut SolverBudget<'_>) -> AttackResult {
        self.start(board);
        let node = self.attack(board, attacker, None, UNBOUNDED, budget);
        self.result(node)
    }

    /// Does `attacker` win by fours alone with this legal move first?
    pub(crate) fn run_after(
        &mut self,
        board: &mut Board,
        attacker: Side,
        point: Point,
        budget: &mut SolverBudget<'_>,
    ) -> AttackResult {
        self.start(board);
        if board.makes_five(point, attacker) {
            return AttackResult::Win;
        }
        if !makes_four(board, point, attacker) {
            return AttackResult::None;
        }
        let node = self.try_four(board, attacker, point, UNBOUNDED, budget);
        self.result(node)
    }

    /// Like [`Vcf::run`], but a win is one with the fewest attacking moves.
    pub fn shortest(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut SolverBudget<'_>,
    ) -> AttackResult {
        self.start(board);
        for moves in 1..UNBOUNDED {
            self.line.clear();
            match self.attack(board, attacker, None, moves, budget) {
                Node::Cut => {}
                node => return self.result(node),
            }
        }
        AttackResult::None
    }

    /// The moves of the last win found, the attacker's first, alternating. They end with the five, or with a
    /// four whose only blocks are forbidden to Black.
    pub fn line(&self) -> &[Point] {
        &self.line
    }

    /// Forgets all refuted positions: after this, node counts are those of a new solver.
    pub fn clear(&mut self) {
        self.table.fill(0);
        self.scope = TableScope::default();
    }

    fn start(&mut self, board: &Board) {
        if self.scope.is_left_for(board) {
            self.table.fill(0);
        }
        self.fours.clear();
        self.blocks.clear();
        self.line.clear();
    }

    /// The result for the caller of a search; the line was collected from its end.
    fn result(&mut self, root: Node) -> AttackResult {
        match root {
            Node::Win => {
                self.line.reverse();
                AttackResult::Win
            }
            Node::None | Node::Cut => AttackResult::None,
            Node::Unknown => AttackResult::Unknown,
        }
    }

    /// The attacker is to move and may make `moves` more.
    fn attack(
        &mut self,
        board: &mut Board,
        attacker: Side,
        last: Option<Point>,
        moves: u8,
        budget: &mut SolverBudget<'_>,
    ) -> Node {
        let defender = attacker.other();
        if let Some(five) = board.five_point(attacker) {
            self.line.push(five);
            return Node::Win;
        }
        if !has_four(board, attacker) {
            return Node::None;
        }
        if moves < 2 {
            return Node::Cut;
        }
        let pressed = board.count(defender, Class::Five) > 0;
        if !pressed && let Some(strong) = winning_four(board, attacker) {
            self.tell_sure_win(board, attacker, strong);
            return Node::Win;
        }
        let key = board.hash(attacker);
        if let Some(refuted) = self.probe(key, moves) {
            return refuted;
        }
        if !budget.spend() {
            return Node::Unknown;
        }
        let base = self.fours.len();
        collect(board, attacker, last, &mut self.fours);
        let mut result = Node::None;
        for at in base..self.fours.len() {
            let Four { point, .. } = self.fours[at];
            match self.try_four(board, attacker, point, moves, budget) {
                Node::None => {}
                Node::Cut => result = Node::Cut,
                decided => {
                    self.fours.truncate(base);
                    return decided;
                }
            }
        }
        self.fours.truncate(base);
        let searched = if result == Node::None { UNBOUNDED } else { moves };
        self.store(key, searched);
        result
    }

    /// The attacker makes a four at `point`; wins if every answer loses.
    fn try_four(
        &mut self,
        board: &mut Board,
        attacker: Side,
        point: Point,
        moves: u8,
        budget: &mut SolverBudget<'_>,
    ) -> Node {
        let defender = attacker.other();
        let base = self.blocks.len();
        board.make(point, attacker);
        let result = if board.count(defender, Class::Five) > 0 {
            Node::None
        } else {
            let blocks = five_blocks(board, attacker).into_points();
            self.blocks.extend(blocks.filter(|block| may_play(board, *block, defender)));
            let before = self.line.len();
            let mut result = Node::Win;
            for at in base..self.blocks.len() {
                let block = self.blocks[at];
                self.line.truncate(before);
                board.make(block, defender);
                result = self.attack(board, attacker, Some(point), moves - 1, budget);
                board.undo();
                self.line.push(block);
                if result != Node::Win {
                    self.line.truncate(before);
                    break;
                }
            }
            if result == Node::Win && base == self.blocks.len() {
                self.push_finish(board, attacker);
            }
            result
        };
        board.undo();
        self.blocks.truncate(base);
        if result == Node::Win {
            self.line.push(point);
        }
        result
    }

    fn tell_sure_win(&mut self, board: &mut Board, attacker: Side, point: Point) {
        board.make(point, attacker);
        self.push_finish(board, attacker);
        board.undo();
        self.line.push(point);
    }

    /// The end of the line where no block helps: one of them, if any is legal, and the five.
    fn push_finish(&mut self, board: &mut Board, attacker: Side) {
        let fives: PointSet = board.points_of(attacker, Class::Five).collect();
        for block in fives.into_points() {
            if !may_play(board, block, attacker.other()) {
                continue;
            }
            board.make(block, attacker.other());
            let five = board.five_point(attacker);
            board.undo();
            if let Some(five) = five {
                self.line.extend([five, block]);
                return;
            }
        }
    }

    #[inline]
    fn probe(&self, key: u64, moves: u8) -> Option<Node> {
        let entry = self.table[self.slot(key)];
        if entry >> 8 != key >> 8 || (entry as u8) < moves {
            return None;
        }
        Some(if entry as u8 == UNBOUNDED { Node::None } else { Node::Cut })
    }

    #[inline]
    fn store(&mut self, key: u64, searched: u8) {
        let slot = self.slot(key);
        self.table[slot] = key & !0xff | u64::from(searched);
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        (key >> 8) as usize & (self.table.len() - 1)
    }
}

impl AttackStrategy for Vcf {
    fn attack(&mut self, board: &mut Board, attacker: Side) -> Option<Point> {
        match self.search(board, attacker, u64::MAX) {
            AttackResult::Win => self.line.first().copied(),
            AttackResult::None | AttackResult::Unknown => None,
        }
    }
}

/// The attacker's legal fours, the most promising first. Where the defender threatens five, only what could
/// stop it.
fn collect(board: &mut Board, attacker: Side, last: Option<Point>, fours: &mut Vec<Four>) {
    let base = fours.len();
    let defender = attacker.other();
    if board.rule() != Rule::Caro
        && let Some(forced) = board.five_point(defender)
    {
        // Two fives cannot be stopped, and a single one only here.
        if board.count(defender, Class::Five) == 1
            && makes_four(board, forced, attacker)
            && may_play(board, forced, attacker)
        {
            fours.push(Four { point: forced, score: 0 });
        }
        return;
    }
    for point in board.hot_points(attacker).into_points() {
        if makes_four(board, point, attacker) && may_play(board, point, attacker) {
            fours.push(Four { point, score: score(board, attacker, point, last) });
        }
    }
    fours[base..].sort_unstable_by_key(|four| (-four.score, four.point));
}

/// How promising a four is: what else it makes, how near it is to the last one, and what its block gives the
/// defender.
fn score(board: &Board, attacker: Side, point: Point, last: Option<Point>) -> i16 {
    let made = match board.class(point, attacker) {
        Class::OpenFour | Class::DoubleFour | Class::Five => 60,
        Class::FourThree | Class::DoubleThree => 40,
        Class::FourPlus => 20,
        _ => 0,
    };
    let near = last.map_or(0, |last| {
        let (rows, cols) = (last.row().abs_diff(point.row()), last.col().abs_diff(point.col()));
        match (rows.max(cols), rows == 0 || cols == 0 || rows == cols) {
            (0..=4, true) => 12,
            (0..=2, false) => 4,
            _ => 0,
        }
    });
    let mut given = 0;
    for direction in Direction::ALL {
        if board.shape(point, attacker, direction).fours() == 1 {
            for block in board.gain(point, attacker, direction).points(point, direction) {
                given = given.max(match board.class(block, attacker.other()) {
                    class if class >= Class::Four => 30,
                    class if class >= Class::Three => 6,
                    _ => 0,
                });
            }
        }
    }
    made + near - given
}

#[cfg(test)]
mod tests;
