//! Whole principal variations. The triangular table of the search loses its tail at every table cutoff and at every
//! forced end; here the rest is read back from the transposition table, and decided lines are played out to the five.

use super::score::{MATE, MATE_BOUND, is_decided};
use super::transposition::TranspositionTable;
use crate::solver::{AttackResult, SolverBudget, Vcf, Vct};
use crate::threat::{ForcedEnd, Replies, forced_end, forced_replies, may_play, winning_four};
use crate::{Board, Class, Point};
use ::game::{Bound, Side};

/// Nodes for the VCF that ends a won line: a few milliseconds, since it runs after the search's time is up.
const VCF_NODES: u64 = 2_000;
/// Nodes of a VCT where the proof is no longer in the table.
const VCT_NODES: u64 = 1_000;
/// Entries of the VCF's table of refuted positions.
const VCF_ENTRIES: usize = 1 << 14;

/// Completes lines of one search.
pub(super) struct LineCompleter<'a> {
    board: Board,
    to_move: Side,
    table: &'a TranspositionTable,
    vcf: Vcf,
    vct: Option<Vct>,
}

/// A principal variation, and the distance of its proved end in plies, as [`game::Report::mate`] counts it.
pub(super) struct CompleteLine {
    pub(super) moves: Vec<Point>,
    pub(super) mate: Option<i32>,
}

impl<'a> LineCompleter<'a> {
    pub(super) fn new(board: &Board, to_move: Side, table: &'a TranspositionTable) -> LineCompleter<'a> {
        LineCompleter { board: board.clone(), to_move, table, vcf: Vcf::new(VCF_ENTRIES), vct: None }
    }

    /// The whole line that begins with `line` and has this value, searched to `depth` plies.
    pub(super) fn complete(&mut self, line: &[Point], value: i32, depth: usize) -> CompleteLine {
        let start = self.board.stones();
        let mut moves = Vec::with_capacity(depth);
        let mut side = self.to_move;
        let mut over = false;
        for point in line {
            if over || !self.board.is_empty(*point) || !may_play(&mut self.board, *point, side) {
                break;
            }
            over = self.play(*point, &mut side, &mut moves);
        }
        let winner = match value {
            value if value >= MATE_BOUND => Some(self.to_move),
            value if value <= -MATE_BOUND => Some(self.to_move.other()),
            _ => None,
        };
        while !over && !self.board.is_full() {
            let next = match winner {
                None if moves.len() >= depth => None,
                None => self.table_move(side),
                Some(winner) if winner == side => self.winning_move(side, moves.len()),
                Some(_) => self.longest_defence(side, moves.len()),
            };
            let Some(next) = next else { break };
            over = self.play(next, &mut side, &mut moves);
        }
        while self.board.stones() > start {
            self.board.undo();
        }
        let mate = is_decided(value).then(|| {
            let won = value > 0;
            let longest = if over { moves.len() as i32 } else { 0 };
            // No game outlasts the board; a win ends with a move of the side to move, a loss with the other's.
            let empty = self.board.empty_points().len() as i32;
            let most = empty - i32::from((empty % 2 != 0) != won);
            let plies = (MATE - value.abs()).max(longest).min(most);
            if won { plies } else { -plies }
        });
        CompleteLine { moves, mate }
    }

    /// The shortest VCF of the side to move, played out to its five, if there is one.
    pub(super) fn shortest_vcf(&mut self) -> Option<CompleteLine> {
        let mut budget = SolverBudget::nodes(VCF_NODES);
        if self.vcf.shortest(&mut self.board, self.to_move, &mut budget) != AttackResult::Win {
            return None;
        }
        let line = self.vcf.line().to_vec();
        Some(self.complete(&line, MATE - line.len() as i32, line.len()))
    }

    /// Plays a move; true where it makes five.
    fn play(&mut self, point: Point, side: &mut Side, moves: &mut Vec<Point>) -> bool {
        let five = self.board.makes_five(point, *side);
        self.board.make(point, *side);
        moves.push(point);
        *side = side.other();
        five
    }

    fn table_move(&mut self, side: Side) -> Option<Point> {
        let best = self.table.get(self.board.hash(side), 0)?.best?;
        (self.board.is_empty(best) && may_play(&mut self.board, best, side)).then_some(best)
    }

    /// The winner's move: as the proof has it, or by VCF.
    fn winning_move(&mut self, side: Side, ply: usize) -> Option<Point> {
        if let Some(five) = self.board.five_point(side) {
            return Some(five);
        }
        let threatened = self.board.count(side.other(), Class::Five) > 0;
        if !threatened && let Some(four) = winning_four(&self.board, side) {
            return Some(four);
        }
        let entry = self.table.get(self.board.hash(side), ply as i32);
        let proved = entry.is_some_and(|entry| entry.value >= MATE_BOUND && entry.bound != Bound::Upper);
        if proved && let Some(best) = self.table_move(side) {
            return Some(best);
        }
        if self.vcf.run(&mut self.board, side, &mut SolverBudget::nodes(VCF_NODES)) == AttackResult::Win {
            return self.vcf.line().first().copied();
        }
        // A double three that the opponent has no four to interrupt, or any move whose refutation is in the table.
        if forced_end(&self.board, side).is_some() {
            return self.board.points_of(side, Class::DoubleThree).next();
        }
        for point in self.replies(side) {
            if self.distance_after(point, side, ply).is_some_and(|plies| plies < 0) {
                return Some(point);
            }
        }
        // The table has forgotten this part of the proof.
        let vct = self.vct.get_or_insert_with(|| Vct::new(1));
        vct.attack_within(&mut self.board, side, &mut SolverBudget::nodes(VCT_NODES))
    }

    /// The loser's move that holds out longest, as far as the table tells.
    fn longest_defence(&mut self, side: Side, ply: usize) -> Option<Point> {
        let mut replies = self.replies(side);
        if replies.is_empty() {
            // Nothing helps: block one of the fives, or play anywhere.
            replies = self.board.points_of(side.other(), Class::Five).collect();
            replies.extend(self.board.empty_points().iter());
            return replies.into_iter().find(|point| may_play(&mut self.board, *point, side));
        }
        let mut best: Option<(i32, Point)> = None;
        for point in replies {
            let plies = self.distance_after(point, side, ply).unwrap_or(0);
            if best.is_none_or(|(longest, _)| plies > longest) {
                best = Some((plies, point));
            }
        }
        best.map(|(_, point)| point)
    }

    /// The legal replies to the threats on the board, or all moves near stones.
    fn replies(&mut self, side: Side) -> Vec<Point> {
        let moves: Vec<Point> = match forced_replies(&self.board, side) {
            Replies::Forced { moves, .. } => moves,
            Replies::Any => super::ordering::candidates(&self.board).into_points().collect(),
        };
        moves.into_iter().filter(|point| may_play(&mut self.board, *point, side)).collect()
    }

    /// Plies to the proved end after `side` plays a move, for the side then to move: positive wins, negative loses.
    fn distance_after(&mut self, point: Point, side: Side, ply: usize) -> Option<i32> {
        let other = side.other();
        self.board.make(point, side);
        let end = forced_end(&self.board, other);
        let entry = self.table.get(self.board.hash(other), ply as i32 + 1);
        self.board.undo();
        match (end, entry) {
            (Some(ForcedEnd::Win(plies)), _) => Some(plies),
            (Some(ForcedEnd::Loss(plies)), _) => Some(-plies),
            (None, Some(entry)) if entry.value >= MATE_BOUND && entry.bound != Bound::Upper => {
                Some(MATE - entry.value - ply as i32 - 1)
            }
            (None, Some(entry)) if entry.value <= -MATE_BOUND && entry.bound != Bound::Lower => {
                Some(entry.value + MATE - ply as i32 - 1).map(|plies| -plies)
            }
            _ => None,
        }
    }
}
