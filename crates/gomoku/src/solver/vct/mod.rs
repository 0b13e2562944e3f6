//! VCT, victory by continuous threats: after every move of the attacker the defender would, if it passed, lose
//! to a five or to a VCF. Fours and threes are such moves, and so are quieter ones that prepare a VCF.
//!
//! The search is df-pn (depth-first proof-number search) over attacker and defender nodes, with [`Vcf`] tried
//! first at every attacker node. The defender's moves are limited without losing any that matters:
//! - the attacker can make five: only the point of the five;
//! - it can make a sure four (two fives at once): every move that touches all such fours, and every four of
//!   the defender's own, since any other leaves a sure four standing and makes no threat that comes first;
//! - it has some other VCF: every point of its line, every point from which a stone could make a four
//!   together with the line's forced blocks, and every four ([`vcf_zone`]).
//!
//! So a win is a win against all defences. The attacker's moves are those that make at least a two or a
//! closed three ([`Class::Two`] and up) or block a four: `None` means that no win exists within them
//! ([`Vct::run_wide`] then tries the rest).

mod longest;
mod replies;

use super::proof_table::{INFINITE, Known, Numbers, ProofTable};
use super::{AttackResult, AttackStrategy, SolverBudget, TableScope, Vcf};
use crate::threat::{five_blocks, four_points, makes_four, may_play, winning_four};
use crate::{Board, Class, Point, PointSet, Rule};
use ::game::Side;
use replies::{strong_four_stops, vcf_zone};

/// A reusable VCT solver.
pub struct Vct {
    table: ProofTable,
    vcf: Vcf,
    scope: TableScope,
    attacker: Side,
    /// Does the attacker try all moves near the stones?
    wide: bool,
    /// Stones on the board where the search began.
    root: usize,
    /// The children of all nodes on the path.
    children: Vec<Child>,
}

#[derive(Clone, Copy)]
struct Child {
    point: Point,
    numbers: Numbers,
}

/// What the defender has to choose from.
struct Replies {
    /// The moves that matter.
    points: PointSet,
    /// How soon every other move loses: it and the attacker's threat, up to the five.
    plies_of_others: u32,
}

/// Nodes for a VCF at a new attacker node: enough for nearly all there are.
const VCF_NODES: u64 = 400;
/// First guess of the work to prove a three, in leaves: it leaves the defender about so many answers. This and the
/// next four were chosen by how many of 99 public three-move problems were solved within 60,000 nodes: 69 before, 93 to
/// 95 with them.
const THREE_WORK: u32 = 3;
/// The same for a four. A VCF has been looked for, so most fours left only give away what they were for.
const FOUR_WORK: u32 = 8;
/// The same for a move that makes neither: most of them threaten nothing.
const QUIET_WORK: u32 = 20;
/// What each move already made adds to these: short wins are looked for first.
const PLY_WORK: u32 = 2;
/// With so many points for fours and threes an attack is likely to go on; with fewer it takes more work.
const ENOUGH_POINTS: u32 = 6;
/// How far from some stone an attacking move may be: further away it makes no two.
const NEAR: usize = 4;

impl Vct {
    /// A solver that uses about so much memory.
    pub fn new(memory_mb: usize) -> Vct {
        let bytes = memory_mb.clamp(1, 1 << 20) << 20;
        Vct {
            table: ProofTable::new(bytes / 4 * 3),
            vcf: Vcf::new((bytes / 8 / 8).next_power_of_two()),
            scope: TableScope::default(),
            attacker: Side::Black,
            wide: false,
            root: 0,
            children: Vec::with_capacity(1 << 12),
        }
    }

    /// Does `attacker`, to move, win by continuous threats? The game must not be over.
    pub fn run(&mut self, board: &mut Board, attacker: Side, budget: &mut SolverBudget<'_>) -> AttackResult {
        self.start(board);
        self.prove(board, attacker, budget)
    }

    /// Does `attacker` win by continuous threats with this legal move first?
    pub fn run_after(
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
        self.prove_after(board, attacker, point, budget)
    }

    /// Like [`Vct::run_after`], and where the usual threats do not win, every move near the stones is tried, as in
    /// [`Vct::run_wide`].
    pub(crate) fn run_after_wide(
        &mut self,
        board: &mut Board,
        attacker: Side,
        point: Point,
        budget: &mut SolverBudget<'_>,
    ) -> AttackResult {
        match self.run_after(board, attacker, point, budget) {
            AttackResult::None => {}
            decided => return decided,
        }
        self.wide = true;
        self.prove_after(board, attacker, point, budget)
    }

    fn prove_after(
        &mut self,
        board: &mut Board,
        attacker: Side,
        point: Point,
        budget: &mut SolverBudget<'_>,
    ) -> AttackResult {
        board.make(point, attacker);
        let result = self.prove_against(board, attacker, budget);
        board.undo();
        result
    }

    /// Does `attacker` win by continuous threats where the defender is to move? Only a threat that is on the board
    /// already counts.
    pub(crate) fn run_against(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut SolverBudget<'_>,
    ) -> AttackResult {
        self.start(board);
        self.prove_against(board, attacker, budget)
    }

    /// The attacker's winning move, or `None` where none is found within the budget.
    pub(crate) fn attack_within(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut SolverBudget<'_>,
    ) -> Option<Point> {
        match self.prove(board, attacker, budget) {
            AttackResult::Win => self.table.probe(self.key(board, attacker)).map(|known| known.best),
            AttackResult::None | AttackResult::Unknown => None,
        }
    }

    /// The defender's most stubborn answer, where [`Vct::run_after`] found that the attacker's last move wins:
    /// the one that took most work to beat. `None` where the defender has no legal move that changes anything.
    pub fn defence(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut SolverBudget<'_>,
    ) -> Option<Point> {
        self.start(board);
        match self.prove_against(board, attacker, budget) {
            AttackResult::Win => self.most_stubborn(board),
            AttackResult::None | AttackResult::Unknown => None,
        }
    }

    /// The moves that may begin a win by threats: every legal move of the attacker's that [`Vct::run`] would try.
    pub fn attacks(&mut self, board: &mut Board, attacker: Side) -> Vec<Point> {
        let near = board.candidates(NEAR).into_points();
        let threats: Vec<Point> = near.filter(|point| board.class(*point, attacker) >= Class::Two).collect();
        let blocks: Vec<Point> = board.points_of(attacker.other(), Class::Five).collect();
        let moves = threats.into_iter().chain(blocks).collect::<PointSet>();
        moves.into_points().filter(|point| may_play(board, *point, attacker)).collect()
    }

    fn start(&mut self, board: &Board) {
        if self.scope.is_left_for(board) {
            self.table.clear();
            self.vcf.clear();
        }
        self.table.grow_old();
        self.wide = false;
        self.root = board.stones();
    }

    /// Like [`Vct::run`], and where the usual threats do not win, every move near the stones that threatens a
    /// VCF is tried: among them blocks of what the defender would make on the way.
    pub fn run_wide(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut SolverBudget<'_>,
    ) -> AttackResult {
        match self.run(board, attacker, budget) {
            AttackResult::None => {}
            decided => return decided,
        }
        self.wide = true;
        self.prove(board, attacker, budget)
    }

    /// One way the attack can go, after [`Vct::run`] found a win: against the defence that took most work.
    pub fn line(&mut self, board: &mut Board, attacker: Side) -> Vec<Point> {
        let mut line = Vec::new();
        while let Some(point) = self.attack(board, attacker) {
            let wins = board.makes_five(point, attacker);
            board.make(point, attacker);
            line.push(point);
            if wins {
                break;
            }
            match self.most_stubborn(board) {
                Some(reply) => {
                    board.make(reply, attacker.other());
                    line.push(reply);
                }
                None => break,
            }
        }
        line.iter().for_each(|_| {
            board.undo();
        });
        line
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        self.vcf.clear();
        self.scope = TableScope::default();
    }

    fn prove(&mut self, board: &mut Board, attacker: Side, budget: &mut SolverBudget<'_>) -> AttackResult {
        self.attacker = attacker;
        self.children.clear();
        let all = Numbers { phi: INFINITE, delta: INFINITE };
        match self.search(board, attacker, all, budget) {
            Numbers { phi: 0, .. } => AttackResult::Win,
            Numbers { delta: 0, .. } => AttackResult::None,
            _ => AttackResult::Unknown,
        }
    }

    /// The same where the defender is to move.
    fn prove_against(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut SolverBudget<'_>,
    ) -> AttackResult {
        self.attacker = attacker;
        self.children.clear();
        let all = Numbers { phi: INFINITE, delta: INFINITE };
        match self.search(board, attacker.other(), all, budget) {
            Numbers { delta: 0, .. } => AttackResult::Win,
            Numbers { phi: 0, .. } => AttackResult::None,
            _ => AttackResult::Unknown,
        }
    }

    /// Searches until the numbers reach a threshold or the budget ends.
    fn search(
        &mut self,
        board: &mut Board,
        side: Side,
        until: Numbers,
        budget: &mut SolverBudget<'_>,
    ) -> Numbers {
        let key = self.key(board, side);
        let known = self.table.probe(key);
        if let Some(known) = known
            && (known.numbers.is_solved()
                || known.numbers.phi >= until.phi
                || known.numbers.delta >= until.delta)
        {
            return known.numbers;
        }
        let spent = budget.spent();
        if !budget.spend() {
            return known.map_or(Numbers::OPEN, |known| known.numbers);
        }
        let base = self.children.len();
        let mut best = Point::from_index(0);
        let at_once = if side == self.attacker {
            self.expand_attack(board, known.is_none(), &mut best, budget)
        } else {
            self.expand_defence(board, known.is_none(), budget)
        };
        let numbers = match at_once {
            Some(numbers) => numbers,
            None => self.deepen(board, side, base, until, &mut best, budget),
        };
        self.children.truncate(base);
        let work = (budget.spent() - spent).saturating_add(known.map_or(0, |known| u64::from(known.work)));
        self.table.store(key, Known { numbers, best, work: work.min(u64::from(u32::MAX)) as u32 });
        numbers
    }

    /// Searches the most promising child again and again.
    fn deepen(
        &mut self,
        board: &mut Board,
        side: Side,
        base: usize,
        until: Numbers,
        best: &mut Point,
        budget: &mut SolverBudget<'_>,
    ) -> Numbers {
        for at in base..self.children.len() {
            let point = self.children[at].point;
            let key = self.key_after(board, point, side);
            if let Some(known) = self.table.probe(key) {
                self.children[at].numbers = known.numbers;
            }
        }
        loop {
            let (mut first, mut second) = (base, INFINITE);
            let (mut phi, mut delta) = (INFINITE, 0u32);
            for (at, child) in self.children.iter().enumerate().skip(base) {
                if child.numbers.delta < phi {
                    second = phi;
                    phi = child.numbers.delta;
                    first = at;
                } else {
                    second = second.min(child.numbers.delta);
                }
                delta = delta.saturating_add(child.numbers.phi).min(INFINITE);
            }
            let Some(child) = self.children.get(first).copied() else { return Numbers::NO };
            *best = child.point;
            if phi == 0 {
                return Numbers::YES;
            }
            if phi >= INFINITE {
                return Numbers::NO;
            }
            let numbers = Numbers { phi, delta: delta.min(INFINITE - 1) };
            if numbers.phi >= until.phi || numbers.delta >= until.delta || budget.ended() {
                return numbers;
            }
            // A quarter more than the second best keeps the search from hopping between equals.
            let below = Numbers {
                phi: until.delta.saturating_sub(numbers.delta - child.numbers.phi.min(numbers.delta)),
                delta: until.phi.min(second.saturating_add(second / 4).saturating_add(1)),
            };
            board.make(child.point, side);
            let found = self.search(board, side.other(), below, budget);
            board.undo();
            self.children[first].numbers = found;
        }
    }

    /// The attacker's moves as children, or the numbers where they are plain.
    fn expand_attack(
        &mut self,
        board: &mut Board,
        first_visit: bool,
        best: &mut Point,
        budget: &mut SolverBudget<'_>,
    ) -> Option<Numbers> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        if let Some(five) = board.five_point(attacker) {
            *best = five;
            return Some(Numbers::YES);
        }
        let pressed = board.count(defender, Class::Five) > 0;
        if !pressed && let Some(four) = winning_four(board, attacker) {
            *best = four;
            return Some(Numbers::YES);
        }
        if first_visit {
            let vcf = &mut self.vcf;
            if budget.share(VCF_NODES, |share| vcf.run(board, attacker, share)) == AttackResult::Win {
                *best = vcf.line().first().copied().unwrap_or(*best);
                return Some(Numbers::YES);
            }
        }
        let moves: PointSet = if pressed {
            let fives: PointSet = board.points_of(defender, Class::Five).collect();
            match (board.rule(), fives.len()) {
                (Rule::Caro, _) => board.hot_points(attacker).union(&fives),
                (_, 1) => fives,
                _ => PointSet::EMPTY,
            }
        } else {
            let least = if self.wide { Class::Quiet } else { Class::Two };
            let near = board.candidates(NEAR).into_points();
            near.filter(|point| board.class(*point, attacker) >= least).collect()
        };
        let base = self.children.len();
        let late = PLY_WORK * board.stones().saturating_sub(self.root) as u32;
        for point in moves.into_points() {
            if may_play(board, point, attacker) {
                let work = match board.class(point, attacker) {
                    _ if pressed => 1,
                    _ if makes_four(board, point, attacker) => late + FOUR_WORK,
                    class if class >= Class::Three => late + THREE_WORK,
                    class if class >= Class::Two => late + QUIET_WORK,
                    _ => late + 2 * QUIET_WORK,
                };
                self.children.push(Child { point, numbers: Numbers { phi: 1, delta: work } });
            }
        }
        if self.children.len() == base {
            return Some(Numbers::NO);
        }
        self.children[base..].sort_by_key(|child| std::cmp::Reverse(board.class(child.point, attacker)));
        None
    }

    /// The defender's moves as children, or the numbers where they are plain.
    fn expand_defence(
        &mut self,
        board: &mut Board,
        first_visit: bool,
        budget: &mut SolverBudget<'_>,
    ) -> Option<Numbers> {
        let defender = self.attacker.other();
        let base = self.children.len();
        let replies = match self.replies(board, budget) {
            Ok(replies) => replies.points,
            Err(numbers) => return Some(numbers),
        };
        for point in replies.into_points() {
            if may_play(board, point, defender) {
                let numbers = if first_visit { self.judge(board, point, budget) } else { Numbers::OPEN };
                self.children.push(Child { point, numbers });
            }
        }
        (self.children.len() == base).then_some(Numbers::NO)
    }

    /// The defender's moves that matter, or the numbers where there is nothing to search.
    fn replies(&mut self, board: &mut Board, budget: &mut SolverBudget<'_>) -> Result<Replies, Numbers> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        if board.count(defender, Class::Five) > 0 {
            return Err(Numbers::YES);
        }
        if board.count(attacker, Class::Five) > 0 {
            return Ok(Replies { points: five_blocks(board, attacker), plies_of_others: 2 });
        }
        let (stops, plies_of_others) = match strong_four_stops(board, attacker) {
            Some(stops) => (stops, 4),
            None => {
                let vcf = &mut self.vcf;
                let mut threat = budget.share(VCF_NODES, |share| vcf.run(board, attacker, share));
                if threat == AttackResult::Unknown {
                    // Rare; but only a finished search proves that the attacker threatens nothing.
                    threat = vcf.run(board, attacker, budget);
                }
                match threat {
                    AttackResult::Win => (vcf_zone(board, attacker, vcf.line()), 1 + vcf.line().len() as u32),
                    AttackResult::None => return Err(Numbers::YES),
                    AttackResult::Unknown => return Err(Numbers::OPEN),
                }
            }
        };
        Ok(Replies { points: stops.union(&four_points(board, defender)), plies_of_others })
    }

    /// Is an answer met by a VCF? Told beforehand, so that the proof numbers count only real defences.
    fn judge(&mut self, board: &mut Board, reply: Point, budget: &mut SolverBudget<'_>) -> Numbers {
        let key = self.key_after(board, reply, self.attacker.other());
        if let Some(known) = self.table.probe(key) {
            return known.numbers;
        }
        board.make(reply, self.attacker.other());
        let (attacker, vcf) = (self.attacker, &mut self.vcf);
        let won = budget.share(VCF_NODES, |share| vcf.run(board, attacker, share)) == AttackResult::Win;
        let points = board.hot_points(attacker).len() as u32;
        board.undo();
        let best = vcf.line().first().copied().unwrap_or(reply);
        let numbers = match won {
            true => Numbers::YES,
            false => Numbers { phi: 1 + ENOUGH_POINTS.saturating_sub(points) / 2, delta: 1 + points },
        };
        self.table.store(key, Known { numbers, best, work: 1 });
        numbers
    }

    /// The answer that took most work to beat, the defender to move.
    fn most_stubborn(&mut self, board: &mut Board) -> Option<Point> {
        let base = self.children.len();
        let open = self.expand_defence(board, false, &mut SolverBudget::nodes(u64::MAX)).is_none();
        let replies: Vec<Point> = self.children.drain(base..).map(|child| child.point).collect();
        let worked = |point: &Point| {
            let known = self.table.probe(self.key_after(board, *point, self.attacker.other()));
            (known.map_or(0, |known| known.work), std::cmp::Reverse(*point))
        };
        if open {
            return replies.into_iter().max_by_key(worked);
        }
        // Nothing helps: the line still shows a defence, where the attacker would play next.
        let next = self.attack(board, self.attacker)?;
        may_play(board, next, self.attacker.other()).then_some(next)
    }

    #[inline]
    fn key(&self, board: &Board, side: Side) -> u64 {
        board.hash(side) ^ self.attacker_key()
    }

    #[inline]
    fn key_after(&self, board: &Board, point: Point, side: Side) -> u64 {
        board.hash_after(point, side) ^ self.attacker_key()
    }

    /// Numbers belong to an attacker and to the moves it tries.
    #[inline]
    fn attacker_key(&self) -> u64 {
        let keys = [0, 0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b];
        keys[self.attacker.index() + 2 * usize::from(self.wide)]
    }
}

impl AttackStrategy for Vct {
    fn attack(&mut self, board: &mut Board, attacker: Side) -> Option<Point> {
        self.attack_within(board, attacker, &mut SolverBudget::nodes(u64::MAX))
    }
}

#[cfg(test)]
mod tests;
