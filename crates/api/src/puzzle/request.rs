//! Requests about puzzles, and their answers.

use super::{Branch, MoveResult};
use crate::{Host, MoveBody, Problem, Setup, SideWord, View, Work, check_count, move_body};
use game::{Game, Position, Puzzle, Side};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::ToSchema;

/// What somebody has done with a puzzle, or adds to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// How often it was solved.
    pub solved: i64,
    /// How often it was failed.
    pub wrong: i64,
    /// How often help was asked for.
    pub hints: i64,
}

impl Progress {
    /// Help was asked for once.
    pub const HELPED: Progress = Progress { solved: 0, wrong: 0, hints: 1 };
}

/// Progress by game and puzzle.
pub type AllProgress = HashMap<(String, String), Progress>;

/// All puzzles.
#[derive(Serialize, ToSchema)]
pub struct PuzzleList {
    /// By game, easy ones first.
    puzzles: Vec<PuzzleEntry>,
}

/// A puzzle without its solution.
#[derive(Serialize, ToSchema)]
pub struct PuzzleEntry {
    game: &'static str,
    id: &'static str,
    /// 1 (easy) to 5.
    grade: u8,
    /// `vcf`, `vct` or `win`.
    goal: &'static str,
    /// Who is to move, and wins.
    #[schema(value_type = SideWord)]
    side: Side,
    rows: u8,
    cols: u8,
    rule: &'static str,
    /// Length of the win in plies.
    plies: u16,
    /// Exactly one first move wins.
    unique: bool,
    /// How often the holder of the secret solved it, failed, and asked for help.
    solved: i64,
    wrong: i64,
    hints: i64,
}

fn entry(game: &'static dyn Game, puzzle: &'static Puzzle, done: Progress) -> PuzzleEntry {
    PuzzleEntry {
        game: game.name(),
        id: &puzzle.id,
        grade: puzzle.grade,
        goal: &puzzle.goal,
        side: puzzle.side,
        rows: puzzle.size.0,
        cols: puzzle.size.1,
        rule: &puzzle.rule,
        plies: puzzle.plies,
        unique: puzzle.unique(),
        solved: done.solved,
        wrong: done.wrong,
        hints: done.hints,
    }
}

/// The puzzles of one game, or of all, with somebody's progress.
pub fn list(host: &Host, game: Option<&str>, done: &AllProgress) -> Result<PuzzleList, Problem> {
    let games = match game {
        Some(name) => vec![host.game(name)?],
        None => host.games.clone(),
    };
    let mut puzzles = Vec::new();
    for game in games {
        for puzzle in game.puzzles() {
            puzzles.push(entry(game, puzzle, progress(done, game, puzzle)));
        }
    }
    Ok(PuzzleList { puzzles })
}

fn progress(done: &AllProgress, game: &dyn Game, puzzle: &Puzzle) -> Progress {
    done.get(&(game.name().into(), puzzle.id.clone())).copied().unwrap_or_default()
}

/// A puzzle to be solved.
#[derive(Serialize, ToSchema)]
pub struct PuzzleBody {
    #[serde(flatten)]
    entry: PuzzleEntry,
    setup: Setup,
    /// Moves from the set-up to the position.
    moves: Vec<String>,
    view: View,
}

/// One puzzle of one game.
#[derive(Clone, Copy)]
pub struct Chosen {
    game: &'static dyn Game,
    puzzle: &'static Puzzle,
}

impl Chosen {
    /// The puzzle of this name.
    pub fn find(host: &Host, game: &str, id: &str) -> Result<Chosen, Problem> {
        let game = host.game(game).ok();
        let found = game.and_then(|game| Some((game, game.puzzles().iter().find(|puzzle| puzzle.id == id)?)));
        let (game, puzzle) =
            found.ok_or_else(|| Problem::missing("puzzle.unknown", "there is no such puzzle"))?;
        Ok(Chosen { game, puzzle })
    }

    /// Its game.
    pub fn game(&self) -> &'static dyn Game {
        self.game
    }

    /// The puzzle as it is shown, with somebody's progress.
    pub fn show(&self, done: &AllProgress) -> Result<PuzzleBody, Problem> {
        let position = super::position(self.game, self.puzzle)?;
        let view = View::of(self.game, &*position, None);
        Ok(PuzzleBody {
            entry: entry(self.game, self.puzzle, progress(done, self.game, self.puzzle)),
            setup: Setup::of(self.game, &*position),
            moves: view.moves.iter().map(|mv| mv.text.clone()).collect(),
            view,
        })
    }

    /// Judges the last of the moves, and answers it.
    pub fn judge(self, attempt: Attempt) -> Result<Work<JudgedBody>, Problem> {
        if attempt.moves.len().is_multiple_of(2) {
            return Err(Problem::conflict("turn.other", "the last move must be the solver's"));
        }
        let position = attempt.position(self.game, self.puzzle)?;
        Ok(Box::new(move |watch| {
            let judged = super::judge(self.game, self.puzzle, &attempt.moves, position, watch);
            let view = View::of(self.game, &*judged.position, None);
            let reply = judged.reply.and(view.last.clone());
            Ok(JudgedBody { verdict: judged.verdict, reply, view })
        }))
    }

    /// A winning move.
    pub fn hint(self, attempt: &Attempt) -> Result<Work<MoveBody>, Problem> {
        let position = attempt.position(self.game, self.puzzle)?;
        Ok(Box::new(move |watch| match super::hint(self.game, self.puzzle, &*position, watch) {
            Some(mv) => Ok(move_body(&*position, mv)),
            None => Err(Problem::refused("hint.none", "no win was found from here")),
        }))
    }

    /// The solution as a tree.
    pub fn solution(self) -> Result<Work<SolutionBody>, Problem> {
        let position = super::position(self.game, self.puzzle)?;
        Ok(Box::new(move |watch| {
            Ok(SolutionBody { tree: super::solution(self.game, self.puzzle, &*position, watch) })
        }))
    }
}

/// Moves since the puzzle's position, of both sides.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    moves: Vec<String>,
}

impl Attempt {
    fn position(&self, game: &dyn Game, puzzle: &Puzzle) -> Result<Box<dyn Position>, Problem> {
        check_count(self.moves.len())?;
        super::after(game, puzzle, &self.moves)
    }
}

/// What the last move was worth, and the answer to it.
#[derive(Serialize, ToSchema)]
pub struct JudgedBody {
    /// `solved`, `right` (still winning), `wrong` (refuted by the answer), `unclear` (not proved in time).
    #[schema(value_type = String)]
    verdict: MoveResult,
    /// The defender's answer, already on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<MoveBody>,
    view: View,
}

impl JudgedBody {
    /// What is to be added to somebody's progress.
    pub fn progress(&self) -> Option<Progress> {
        match self.verdict {
            MoveResult::Solved => Some(Progress { solved: 1, ..Progress::default() }),
            MoveResult::Wrong => Some(Progress { wrong: 1, ..Progress::default() }),
            MoveResult::Right | MoveResult::Unclear => None,
        }
    }
}

/// The solution.
#[derive(Serialize, ToSchema)]
pub struct SolutionBody {
    /// The winning first moves, each with the answers to it.
    tree: Vec<Branch>,
}
