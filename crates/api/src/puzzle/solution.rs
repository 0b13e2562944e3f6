//! The solution of a puzzle as a tree: the winning move at the attacker's turn, the stubborn answers at the
//! defender's. What time or size leaves out is replaced by one line, so that every branch ends in the win.

use super::limits;
use crate::{MoveBody, move_body};
use game::{Game, Position, ProofResult, Puzzle, Watch};
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// Time for a whole tree, for one of its nodes, and its size.
const TIME: Duration = Duration::from_secs(4);
const NODE_TIME: Duration = Duration::from_millis(800);
const NODES: usize = 250;
/// Answers shown at each turn of the defender.
const REPLIES: usize = 4;

/// A move and what follows it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Branch {
    #[serde(flatten)]
    mv: MoveBody,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion)]
    children: Vec<Branch>,
}

/// The tree from the puzzle's position.
pub(super) fn solution(
    game: &dyn Game,
    puzzle: &Puzzle,
    position: &dyn Position,
    watch: &Watch,
) -> Vec<Branch> {
    let mut builder = Builder { game, goal: &puzzle.goal, watch, left: NODES };
    let first: Vec<&String> = match puzzle.first_moves.is_empty() {
        true => puzzle.line.iter().take(1).collect(),
        false => puzzle.first_moves.iter().take(3).collect(),
    };
    let mut tree = Vec::new();
    for text in first {
        let mut at = position.boxed();
        let Ok(mv) = at.parse_move(text) else { continue };
        let body = move_body(&*at, mv);
        if at.play(mv).is_ok() {
            let main = puzzle.line.first() == Some(text);
            let mut children = builder.defend(&mut *at);
            if children.is_empty() && main {
                children = line(&*at, puzzle.line.get(1..).unwrap_or_default());
            }
            tree.push(Branch { mv: body, children });
        }
    }
    tree
}

struct Builder<'a> {
    game: &'a dyn Game,
    goal: &'a str,
    watch: &'a Watch,
    left: usize,
}

impl Builder<'_> {
    fn spent(&self) -> bool {
        self.left == 0 || self.watch.is_stopped() || self.watch.elapsed() >= TIME
    }

    /// The defender's answers, each with the attack that follows.
    fn defend(&mut self, position: &mut dyn Position) -> Vec<Branch> {
        if position.outcome().is_some() || self.spent() {
            return Vec::new();
        }
        let Some(defence) =
            self.game.defend(position, self.goal, &limits(NODE_TIME), &self.watch.restarted())
        else {
            return Vec::new();
        };
        let mut branches = Vec::new();
        for mv in defence.replies.into_iter().take(REPLIES) {
            let body = move_body(position, mv);
            if position.play(mv).is_err() {
                continue;
            }
            self.left = self.left.saturating_sub(1);
            if let Some(children) = self.attack(position) {
                branches.push(Branch { mv: body, children });
            }
            position.undo();
        }
        branches
    }

    /// The winning move and what can be done against it; `None` where no win is found in time.
    fn attack(&mut self, position: &mut dyn Position) -> Option<Vec<Branch>> {
        let proof = self.game.prove(position, self.goal, &limits(NODE_TIME), &self.watch.restarted())?;
        if proof.result != ProofResult::Win {
            return None;
        }
        let Some(first) = proof.line.first() else { return Some(Vec::new()) };
        let body = move_body(position, *first);
        position.play(*first).ok()?;
        self.left = self.left.saturating_sub(1);
        let mut children = self.defend(position);
        if children.is_empty() {
            let words = crate::words(position, proof.line.get(1..).unwrap_or_default());
            children = line(position, &words);
        }
        position.undo();
        Some(vec![Branch { mv: body, children }])
    }
}

/// Moves one after the other as a tree without branches.
fn line(position: &dyn Position, words: &[String]) -> Vec<Branch> {
    let mut at = position.boxed();
    let mut bodies = Vec::new();
    for word in words {
        let Ok(mv) = at.parse_move(word) else { break };
        let body = move_body(&*at, mv);
        if at.play(mv).is_err() {
            break;
        }
        bodies.push(body);
    }
    bodies.into_iter().rev().fold(Vec::new(), |children, mv| vec![Branch { mv, children }])
}
