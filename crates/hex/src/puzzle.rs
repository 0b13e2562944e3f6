//! Puzzles: positions from games of weak play in which exactly one move wins, proved by the solver.
//!
//! Two things grade a puzzle: how many positions the solver analyzed to prove the win, and whether light playouts, which
//! choose as a hasty player does, find the move.

use crate::bits::Bits;
use crate::engine::{Policy, Tengen};
use crate::light_playout::LightPlayouts;
use crate::solver::{Query, Solution, SolverLimits, Target, solve};
use crate::{Position, Size, by_width, notation};
use game::{Engine, Limits, Move, Position as _, Puzzle, Setup, StopFlag, Watch};
use search::Rng;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::LazyLock;

static SHIPPED: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
    let text = include_str!("../../../data/puzzles/hex.jsonl");
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
});

/// The puzzles that ship, easy ones first.
pub fn shipped() -> &'static [Puzzle] {
    &SHIPPED
}

/// Board sizes in turn.
const SIZES: [u8; 6] = [5, 6, 6, 7, 7, 7];
/// Playouts per move of the games; few, so that there are mistakes to punish.
const PLAYOUTS: u64 = 40;
/// Positions the solver may analyze per query.
const NODES: u64 = 4_000;
/// Light playouts per move, to find a hasty player's choice.
const HASTY: usize = 300;

/// Makes so many puzzles, easy ones first; fewer if it is stopped. `progress` gets the number so far.
pub fn make(count: usize, seed: u64, stop: &StopFlag, progress: &mut dyn FnMut(usize)) -> Vec<Puzzle> {
    let mut collection = Collection::new(count);
    for game in 0..most_games(count) {
        if collection.is_full() || stop.is_stopped() {
            break;
        }
        if collection.look_through(seed, game, stop) {
            progress(collection.len());
        }
    }
    collection.into_puzzles()
}

/// Games played for so many puzzles at most, so that every search for them ends.
pub fn most_games(count: usize) -> u64 {
    (count as u64 + 1) * 400
}

/// A position of a game, judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The same for the half turn.
    pub hash: u64,
    /// Its puzzle, if it is one, without a number.
    pub puzzle: Option<Puzzle>,
}

/// Judges all positions of game number `game` of a seed, for a [`Collection`] somewhere else; `None` if it was stopped.
pub fn judge_game(seed: u64, game: u64, stop: &StopFlag) -> Option<Vec<Judged>> {
    let (mut judged, mut hasty) = (Vec::new(), hasty_player(seed, game));
    each_position(seed, game, &mut |position| {
        let puzzle = puzzle_of(position, &mut hasty);
        judged.push(Judged { hash: position.canonical_hash(), puzzle });
        !stop.is_stopped()
    });
    (!stop.is_stopped()).then_some(judged)
}

/// The puzzles found so far, taken in the order of their games: the same positions in the same order give the same
/// collection, wherever they were judged.
pub struct Collection {
    count: usize,
    puzzles: Vec<Puzzle>,
    seen: HashSet<u64>,
    per_grade: [usize; 6],
}

impl Collection {
    /// An empty one for so many puzzles.
    pub fn new(count: usize) -> Collection {
        Collection { count, puzzles: Vec::new(), seen: HashSet::new(), per_grade: [0; 6] }
    }

    /// Are there enough?
    pub fn is_full(&self) -> bool {
        self.puzzles.len() >= self.count
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.puzzles.len()
    }

    /// Is there none yet?
    pub fn is_empty(&self) -> bool {
        self.puzzles.is_empty()
    }

    /// Takes the next game, judged somewhere else; was there a puzzle in it?
    pub fn take(&mut self, seed: u64, game: u64, judged: &[Judged], stop: &StopFlag) -> bool {
        // A puzzle that is known is not judged again, and those after it then get another grade by chance.
        let known = |judged: &Judged| judged.puzzle.is_some() && self.seen.contains(&judged.hash);
        if judged.iter().any(known) {
            return self.look_through(seed, game, stop);
        }
        !judged.iter().all(|judged| self.offer(judged.hash, || judged.puzzle.clone()))
    }

    /// Plays the next game and takes the first puzzle in it that is new and for which there is room; was there one?
    fn look_through(&mut self, seed: u64, game: u64, stop: &StopFlag) -> bool {
        let (mut taken, mut hasty) = (false, hasty_player(seed, game));
        each_position(seed, game, &mut |position| {
            taken = !self.offer(position.canonical_hash(), || puzzle_of(position, &mut hasty));
            !taken && !stop.is_stopped()
        });
        taken
    }

    /// Looks at the next position of a game, judging it only if it is new; false: the rest of the game is not wanted.
    fn offer(&mut self, hash: u64, judge: impl FnOnce() -> Option<Puzzle>) -> bool {
        // Every grade gets its share: easy puzzles are common, so games go on until there are hard ones too.
        let share = self.count.div_ceil(5) + self.count / 20;
        if !self.is_full()
            && self.seen.insert(hash)
            && let Some(puzzle) = judge()
            && self.per_grade[usize::from(puzzle.grade.min(5))] < share
        {
            self.per_grade[usize::from(puzzle.grade.min(5))] += 1;
            self.puzzles.push(puzzle);
            return false;
        }
        true
    }

    /// All puzzles, easy ones first, numbered.
    pub fn into_puzzles(self) -> Vec<Puzzle> {
        let mut puzzles = self.puzzles;
        puzzles.sort_by_key(|puzzle| (puzzle.grade, puzzle.size, puzzle.plies));
        for (at, puzzle) in puzzles.iter_mut().enumerate() {
            puzzle.id = format!("h-{:04}", at + 1);
        }
        puzzles
    }
}

/// The chance by which a hasty player judges the puzzles of a game, one after the other.
fn hasty_player(seed: u64, game: u64) -> Rng {
    Rng::stream(seed, !game)
}

/// Plays weak game number `game` of a seed and calls `on` with its positions until that returns false.
fn each_position(seed: u64, game: u64, on: &mut dyn FnMut(&Position) -> bool) {
    let n = SIZES[(game % SIZES.len() as u64) as usize];
    let Some(size) = Size::new(n, n) else { return };
    let mut rng = Rng::stream(seed, game);
    let mut engine = Tengen::with_policy(Policy::default());
    let mut position = Position::empty(size);
    while position.outcome().is_none() {
        let stones = position.board().len();
        let moves = position.legal_moves();
        let mv = if stones < 2 || rng.below(6) == 0 {
            rng.pick(&moves)
        } else {
            engine.new_game();
            let limits = Limits { seed: rng.next_u64(), memory_mb: 2, ..Limits::nodes(PLAYOUTS) };
            engine.think(&position, &limits, &Watch::untimed(), &mut |_| {}).ok().map(|decision| decision.mv)
        };
        let Some(mv) = mv else { return };
        if position.play(mv).is_err() || position.outcome().is_some() {
            return;
        }
        // Early positions of large boards are too hard for the budget and for people.
        if position.board().len() >= usize::from(size.rows()) - 2 && !on(&position) {
            return;
        }
    }
}

fn ask(position: &Position, target: Target, nodes: Option<u64>) -> Solution {
    let query = Query { target, to_move: position.to_move(), verify: false };
    let budget = SolverLimits { nodes, memory_mb: 64, ..SolverLimits::default() };
    solve(position.board(), &query, &budget, &Watch::untimed(), &|_| {})
}

/// The puzzle of a position, if exactly one move wins and the win is not trivial.
fn puzzle_of(position: &Position, rng: &mut Rng) -> Option<Puzzle> {
    let side = position.to_move();
    let winner = ask(position, Target::Winner, Some(NODES));
    if winner.winner != Some(side) {
        return None;
    }
    let answer = ask(position, Target::WinningMoves, Some(NODES));
    let [only] = answer.winning_moves[..] else { return None };
    // A win of one or two stones is no puzzle.
    let line = winning_line(position, only)?;
    if !answer.undecided.is_empty() || line.len() < 5 {
        return None;
    }
    let size = position.size();
    let hasty = by_width!(size, W => hasty_choice::<W>(position, rng));
    let grade = grade(winner.nodes, hasty == Some(only));
    let name = |cell: usize| notation::point::format(size.cell(cell));
    let history = position.history().iter().map(|mv| position.format_move(*mv));
    Some(Puzzle {
        id: String::new(),
        position: history.collect(),
        size: (size.rows(), size.cols()),
        rule: String::new(),
        side,
        goal: "win".into(),
        grade,
        plies: line.len() as u16,
        first_moves: vec![name(only)],
        undecided: Vec::new(),
        line: line.iter().map(|&cell| name(cell)).collect(),
    })
}

/// The whole game after a winning move: where connections prove the result the engine plays both sides, which
/// shortens wins and prolongs losses; before that the solver does.
fn winning_line(position: &Position, first: usize) -> Option<Vec<usize>> {
    let size = position.size();
    let mut position = position.clone();
    let mut line = vec![first];
    let mut engine = Tengen::with_policy(Policy::default());
    position.play(Move::Place(size.cell(first))).ok()?;
    while position.outcome().is_none() {
        let limits = Limits { memory_mb: 1, ..Limits::nodes(1) };
        let decision = engine.think(&position, &limits, &Watch::untimed(), &mut |_| {}).ok()?;
        let proved = decision.report.win_rate == 0.0 || decision.report.win_rate == 1.0;
        let cell = match decision.mv.cell() {
            Some(cell) if proved => size.index(cell),
            _ => *ask(&position, Target::Winner, Some(NODES)).line.first()?,
        };
        line.push(cell);
        position.play(Move::Place(size.cell(cell))).ok()?;
    }
    Some(line)
}

fn grade(nodes: u64, plain: bool) -> u8 {
    let steps = [2, 12, 60].into_iter().filter(|step| nodes >= *step).count() as u8;
    (1 + steps + u8::from(!plain)).min(5)
}

/// The move with the best share of random playouts.
fn hasty_choice<const W: usize>(position: &Position, rng: &mut Rng) -> Option<usize> {
    let side = position.to_move();
    let mut board = LightPlayouts::<W>::new(position.board(), side);
    let empty: Bits<W> = board.empty();
    let mut wins = |cell: usize| {
        board.place(cell);
        let won = (0..HASTY).filter(|_| board.playout(rng) == side).count();
        board.take_back(cell);
        won
    };
    empty.iter().map(|cell| (wins(cell), cell)).max().map(|(_, cell)| cell)
}

/// Proves a puzzle again: the side wins, by the moves named and no other, and the line is a win.
pub fn check(puzzle: &Puzzle) -> Result<(), String> {
    let (rows, cols) = puzzle.size;
    let mut position = notation::parse(&puzzle.position, &Setup::empty(rows, cols))
        .map_err(|error| format!("{}: the position: {error}", puzzle.id))?;
    if position.to_move() != puzzle.side {
        return Err(format!("{}: {} is to move, not {}", puzzle.id, position.to_move(), puzzle.side));
    }
    let answer = ask(&position, Target::WinningMoves, None);
    let name = |cell: usize| notation::point::format(position.size().cell(cell));
    let found: Vec<String> = answer.winning_moves.iter().map(|&cell| name(cell)).collect();
    if found != puzzle.first_moves {
        let (named, found) = (puzzle.first_moves.join(" "), found.join(" "));
        return Err(format!("{}: the winning moves are {found}, not {named}", puzzle.id));
    }
    if puzzle.line.first() != puzzle.first_moves.first() || puzzle.line.len() != usize::from(puzzle.plies) {
        return Err(format!("{}: the line does not fit the first move or the length", puzzle.id));
    }
    for word in &puzzle.line {
        let mv: Move = position.parse_move(word).map_err(|error| format!("{}: {error}", puzzle.id))?;
        position.play(mv).map_err(|error| format!("{}: {error}", puzzle.id))?;
    }
    match position.board().winner() {
        Some(side) if side == puzzle.side => Ok(()),
        _ => Err(format!("{}: the line does not end with the win of {}", puzzle.id, puzzle.side)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_puzzles_are_read_graded_and_a_sample_is_proved_again() {
        let lines = include_str!("../../../data/puzzles/hex.jsonl").lines().count();
        assert_eq!(shipped().len(), lines);
        assert!(lines >= 100);
        let ids: HashSet<&str> = shipped().iter().map(|puzzle| puzzle.id.as_str()).collect();
        assert_eq!(ids.len(), lines);
        assert!(shipped().is_sorted_by_key(|puzzle| puzzle.grade));
        for puzzle in shipped().iter().step_by(9) {
            assert!(puzzle.unique() && (1..=5).contains(&puzzle.grade));
            check(puzzle).unwrap();
        }
    }

    #[test]
    fn the_maker_repeats_itself_and_false_puzzles_are_refused() {
        let made = make(1, 7, &StopFlag::new(), &mut |_| {});
        assert_eq!(made, make(1, 7, &StopFlag::new(), &mut |_| {}));
        let mut elsewhere = Collection::new(1);
        for game in 0..most_games(1) {
            if elsewhere.is_full() {
                break;
            }
            let judged = judge_game(7, game, &StopFlag::new()).unwrap();
            elsewhere.take(7, game, &judged, &StopFlag::new());
        }
        assert_eq!(elsewhere.into_puzzles(), made, "judged somewhere else");
        for puzzle in &made {
            check(puzzle).unwrap();
            let other = Puzzle { side: puzzle.side.other(), ..puzzle.clone() };
            assert!(check(&other).is_err());
            let wrong = Puzzle { first_moves: vec!["z9".into()], ..puzzle.clone() };
            assert!(check(&wrong).unwrap_err().contains("the winning moves are"));
            let short = Puzzle { line: puzzle.line[..1].to_vec(), plies: 1, ..puzzle.clone() };
            assert!(check(&short).is_err());
        }
    }
}
