//! Finds puzzles: quick games from random openings, each walked back to the move at which its winner first had a
//! forced win.

use super::check::{self, FirstMoveProof, UNIQUE_NODES};
use super::collection::{Collection, Found};
use crate::engine::Tengen;
use crate::notation::moves;
use crate::solver::{AttackResult, Goal, SolverBudget, Vcf, Vct};
use crate::{Board, Class, Point, Position, Rule};
use ::game::{
    Engine, Limits, Move, Options, Outcome, Position as GamePosition, Puzzle, Side, StopFlag, Watch,
};
use search::rng::Rng;

/// What puzzles to make.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// How many.
    pub count: usize,
    /// Rules, taken in turn.
    pub rules: Vec<Rule>,
    /// Rows, and columns.
    pub size: u8,
    /// Seed of openings and games: equal recipes make equal puzzles.
    pub seed: u64,
    /// Games at most, so that a recipe that cannot be met ends.
    pub games: u64,
    /// Games played at the same time.
    pub threads: usize,
}

/// Nodes of a move, least and most: weak games have sudden ends, better ones long combinations.
const GAME_NODES: (usize, usize) = (150, 2500);
/// Nodes to find out whether somebody has a win by fours, and by threats.
const VCF_NODES: u64 = 20_000;
/// See [`VCF_NODES`].
const VCT_NODES: u64 = 4_000;
/// A puzzle with more winning first moves than this has no clear idea.
const MOST_FIRST_MOVES: usize = 3;
/// Shorter wins are too easy.
const LEAST_PLIES: usize = 5;
/// On a fuller board shapes are hard to see.
const MOST_STONES: usize = 60;

impl Recipe {
    fn rule_of(&self, game: u64) -> Rule {
        match self.rules.len() as u64 {
            0 => Rule::Freestyle,
            many => self.rules[(game % many) as usize],
        }
    }
}

/// Makes puzzles until there are enough, the games are played or `stop` is set; `progress` is called for each as it is
/// found, with the games played so far. The result is sorted, easy ones first, and numbered. Threads make it
/// faster, not different.
pub fn make(recipe: &Recipe, stop: &StopFlag, progress: &mut dyn FnMut(&Puzzle, u64)) -> Vec<Puzzle> {
    let mut collection = Collection::new(recipe.count);
    let mut finders: Vec<Finder> = (0..recipe.threads.clamp(1, 256)).map(|_| Finder::new()).collect();
    let mut next = 0;
    while next < recipe.games && !collection.is_full() && !stop.is_stopped() {
        let numbers = next..recipe.games.min(next + finders.len() as u64);
        next = numbers.end;
        let wanted = |puzzle: &Puzzle| collection.has_room_for(puzzle);
        let found: Vec<Option<Found>> = std::thread::scope(|scope| {
            let wanted = &wanted;
            let work = finders.iter_mut().zip(numbers.clone());
            let threads: Vec<_> = work
                .map(|(finder, number)| scope.spawn(move || finder.find(recipe, number, wanted, stop)))
                .collect();
            // A thread that panicked has found nothing.
            threads.into_iter().map(|thread| thread.join().ok().flatten()).collect()
        });
        for (found, number) in found.into_iter().zip(numbers) {
            if let Some(puzzle) = found.and_then(|found| collection.offer(&found)) {
                progress(puzzle, number + 1);
            }
        }
    }
    collection.into_puzzles()
}

/// 1 to 5: how many moves must be seen ahead, whether quiet moves are among them, and how many ways there are.
fn grade(goal: Goal, plies: usize, first_moves: usize) -> u8 {
    let moves = plies.div_ceil(2).saturating_sub(2);
    let quiet = usize::from(goal == Goal::Vct);
    let choice = usize::from(first_moves == MOST_FIRST_MOVES);
    match (moves + quiet).saturating_sub(choice) {
        0..=2 => 1,
        3 => 2,
        4 | 5 => 3,
        6..=8 => 4,
        _ => 5,
    }
}

/// Looks for puzzles, one game at a time. What it finds in a game depends on nothing but the recipe and the game's number.
pub struct Finder {
    engine: Option<Tengen>,
    vcf: Vcf,
    vct: Vct,
}

impl Default for Finder {
    fn default() -> Finder {
        Finder::new()
    }
}

impl Finder {
    /// A finder for any recipe.
    pub fn new() -> Finder {
        Finder { engine: Tengen::new(&Options::new()).ok(), vcf: Vcf::new(1 << 16), vct: Vct::new(16) }
    }

    /// The puzzle of one game, if it has a good one that is `wanted`. A finder that is stopped finds nothing.
    pub fn find(
        &mut self,
        recipe: &Recipe,
        number: u64,
        wanted: &dyn Fn(&Puzzle) -> bool,
        stop: &StopFlag,
    ) -> Option<Found> {
        // Fresh tables, so that a puzzle depends on nothing but its game.
        self.vct.clear();
        self.vcf.clear();
        let mut rng = Rng::stream(recipe.seed, number);
        let game = self.play(recipe.rule_of(number), recipe.size, &mut rng, stop)?;
        let (position, goal) = self.turning_point(&game)?;
        let puzzle = self.judge(&position, goal)?;
        let good = wanted(&puzzle) && check::check(&puzzle).is_ok();
        good.then(|| Found { puzzle, hash: position.canonical_hash() })
    }

    /// A game from a random opening to its end; `None` where nobody wins.
    fn play(&mut self, rule: Rule, size: u8, rng: &mut Rng, stop: &StopFlag) -> Option<Position> {
        let engine = self.engine.as_mut()?;
        engine.new_game();
        let mut game = Position::new(rule, size);
        let centre = Point::new(game.size() / 2, game.size() / 2);
        let stones = 3 + rng.below(5);
        while game.history().len() < stones && game.outcome().is_none() {
            let near: Vec<Point> = game.board().candidates(2).into_points().collect();
            let point = rng.pick(&near).unwrap_or(centre);
            // A point forbidden to Black is simply drawn again.
            let _ = game.play(Move::Place(point.cell()));
        }
        while game.outcome().is_none() && !stop.is_stopped() {
            let (least, most) = GAME_NODES;
            let nodes = least + rng.below(most - least);
            let limits = Limits { memory_mb: 4, ..Limits::nodes(nodes as u64) };
            let decision = engine.think(&game, &limits, &Watch::untimed(), &mut |_| {}).ok()?;
            game.play(decision.mv).ok()?;
        }
        matches!(game.outcome(), Some(Outcome::Win { .. })).then_some(game)
    }

    /// The position of a won game at which the winner, to move, first had a forced win, and of which kind.
    fn turning_point(&mut self, game: &Position) -> Option<(Position, Goal)> {
        let mut at = game.clone();
        at.undo();
        let winner = at.to_move();
        let mut found = None;
        loop {
            let mut board = at.board().clone();
            let goal = self.winning_goal(&mut board, winner);
            match goal {
                Some(goal) => found = Some((at.clone(), goal)),
                None => return found,
            }
            at.undo();
            at.undo()?;
        }
    }

    fn winning_goal(&mut self, board: &mut Board, side: Side) -> Option<Goal> {
        if self.vcf.search(board, side, VCF_NODES) == AttackResult::Win {
            return Some(Goal::Vcf);
        }
        let won = self.vct.run(board, side, &mut SolverBudget::nodes(VCT_NODES)) == AttackResult::Win;
        won.then_some(Goal::Vct)
    }

    /// The puzzle of a position, if it is a good one.
    fn judge(&mut self, position: &Position, goal: Goal) -> Option<Puzzle> {
        let side = position.to_move();
        let mut board = position.board().clone();
        // Where a four must be blocked first, the first move is no idea.
        if board.count(side.other(), Class::Five) > 0 || board.stones() > MOST_STONES {
            return None;
        }
        let line = match goal {
            Goal::Vcf => {
                let won = self.vcf.shortest(&mut board, side, &mut SolverBudget::nodes(4 * VCF_NODES));
                (won == AttackResult::Win).then(|| self.vcf.line().to_vec())?
            }
            Goal::Vct | Goal::Win => {
                let won = self.vct.run(&mut board, side, &mut SolverBudget::nodes(4 * VCT_NODES));
                (won == AttackResult::Win).then(|| self.vct.line(&mut board, side))?
            }
        };
        if line.len() < LEAST_PLIES {
            return None;
        }
        let (first_moves, undecided) = self.first_moves(&mut board, side, goal, line.first().copied())?;
        let name = |point: &Point| position.format_move(Move::Place(point.cell()));
        Some(Puzzle {
            id: "g-new".into(),
            position: moves::write(position),
            size: (position.size(), position.size()),
            rule: position.rule().name().into(),
            side,
            goal: goal.name().into(),
            grade: grade(goal, line.len(), first_moves.len()),
            plies: line.len() as u16,
            first_moves: first_moves.iter().map(name).collect(),
            undecided: undecided.iter().map(name).collect(),
            line: line.iter().map(name).collect(),
        })
    }

    /// All first moves that are proved to win by the goal, `known` among them; where that is the only one, also those
    /// that could not be refuted. `None` where there are too many.
    fn first_moves(
        &mut self,
        board: &mut Board,
        side: Side,
        goal: Goal,
        known: Option<Point>,
    ) -> Option<(Vec<Point>, Vec<Point>)> {
        let mut proof = FirstMoveProof { goal, vcf: &mut self.vcf, vct: &mut self.vct };
        let mut winning: Vec<Point> = known.into_iter().collect();
        let mut undecided = Vec::new();
        for point in board.empty_points().into_points().filter(|point| Some(*point) != known) {
            match proof.run(board, side, point, VCT_NODES) {
                AttackResult::Win => winning.push(point),
                AttackResult::None => {}
                AttackResult::Unknown => undecided.push(point),
            }
            if winning.len() > MOST_FIRST_MOVES {
                return None;
            }
        }
        let candidates = std::mem::take(&mut undecided);
        if winning.len() == 1 {
            for point in candidates {
                match proof.run(board, side, point, UNIQUE_NODES) {
                    AttackResult::Win => winning.push(point),
                    AttackResult::None => {}
                    AttackResult::Unknown => undecided.push(point),
                }
            }
        }
        if winning.len() > 1 {
            undecided.clear();
        }
        (winning.len() <= MOST_FIRST_MOVES).then_some((winning, undecided))
    }
}
