//! School: the network learns from lessons, which are positions of games played by searches with it, and from games that it
//! plays with itself, a glance a move, as HexHex does. Lessons teach more: what a search finds is better than a glance, and so
//! are the results of its games. Glances are cheap and see odd positions.
//!
//! What a move of a glance teaches is not the result alone. Going back from the end, a move's chance is what the opponent's
//! answer leaves, mixed with what the network thinks of the position; where the answer was a poor one, drawn for variety, it
//! says nothing about the move before it (Watkins 1989, Q(lambda)).

use super::train::{Pupil, Scene, Task, Trainer};
use super::{Network, View};
use crate::engine::learn::Lesson;
use crate::engine::tree::Guess;
use crate::stones::{Shape, Stones};
use crate::{Size, by_width};
use game::Side;
use search::Rng;
use std::collections::HashMap;

/// How a network is taught.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Minutes of games with itself; lessons come before.
    pub minutes: f64,
    /// Whether the network has been taught before: then games begin at once.
    pub taught: bool,
    /// Threads at work.
    pub threads: usize,
    /// Of all that is drawn.
    pub seed: u64,
}

/// What has been learned so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Since games began.
    pub minutes: f64,
    /// Games played.
    pub games: usize,
    /// Steps taken.
    pub steps: usize,
    /// The mean loss since the last report, in nats.
    pub loss: f32,
}

/// Positions between two steps.
const BATCH: usize = 256;
/// How often each lesson is read before games begin.
const PASSES: usize = 3;
/// The share of lessons in a batch; the rest are moves of games.
const LESSONS: f32 = 0.85;
/// Batches of moves before the first step by games.
const AHEAD: usize = 20;
/// Positions that a thread remembers.
const MEMORY: usize = 50_000;
/// Boards, as often as they are named.
const SIZES: [u8; 16] = [11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 9, 10, 12, 13, 13];
/// The first and the last size of a step.
const RATES: (f32, f32) = (4e-4, 1e-5);
/// Steps until the steps have their full size.
const WARM: f32 = 200.0;
/// The sharpness of play: a move is drawn by how likely it is, times the odds of its chance to this power. Dull play makes
/// results say little about positions.
const SHARPNESS: f32 = 8.0;
/// In so many plies half of it, for variety.
const VARIED: usize = 6;
/// The share of moves that are learned from; neighbours are much alike, and playing is cheaper than learning. Of decided
/// positions fewer.
const KEPT: (f64, f64) = (0.5, 0.15);
/// How much of a move's worth comes from what followed rather than from what the network thinks; all at first.
const TRACE: f32 = 0.98;
/// How much less a move tells of the one before it for each unit that its score is below the best.
const CUT: f32 = 0.1;
/// The share of the time in which games are played to the end and only results count.
const EARLY: f32 = 0.05;
/// A position that is worth less is given up, in most games.
const LOST: f32 = 0.02;
/// Steps between reports.
const REPORT: usize = 200;

/// A move of a game and what became of it.
struct Moved {
    size: u8,
    white: bool,
    stones: [Box<[u16]>; 2],
    cell: u16,
    target: f32,
}

impl Moved {
    /// The position before the move.
    fn scene(&self, turned: bool) -> Scene<'_> {
        let [own, other] = &self.stones;
        Scene { size: self.size, white: self.white, own, other, turned }
    }
}

/// The wishes for a game.
#[derive(Clone, Copy)]
struct Style {
    sharp: f32,
    trace: f32,
    cut: f32,
    /// Lessons say which moves are good and not how good: at first no position is given up.
    to_the_end: bool,
}

fn between((first, last): (f32, f32), done: f32) -> f32 {
    first + (last - first) * done
}

/// Teaches a network by lessons alone, then by games and lessons; `clock` tells minutes. Who is told of the progress may
/// answer with other lessons.
pub fn teach(
    mut trainer: Trainer,
    mut lessons: Vec<Lesson>,
    plan: Plan,
    clock: &dyn Fn() -> f64,
    tell: &mut dyn FnMut(Progress, &Network) -> Option<Vec<Lesson>>,
) -> Trainer {
    let threads = plan.threads.max(1);
    let mut students: Vec<Student> =
        (0..threads as u64).map(|at| Student::new(Rng::stream(plan.seed, at))).collect();
    let lesson_steps = if plan.taught { 0 } else { PASSES * lessons.len() / BATCH };
    let mut now = Progress::default();
    let mut loss = 0.0;
    let mut began = clock();
    for step in 0.. {
        if step == lesson_steps {
            began = clock();
        }
        let only_lessons = step < lesson_steps;
        now.minutes = if only_lessons { 0.0 } else { clock() - began };
        let done = if only_lessons { 0.0 } else { (now.minutes / plan.minutes) as f32 };
        if done >= 1.0 {
            break;
        }
        let many = (BATCH / threads).max(1);
        let work = |student: &mut Student| match only_lessons {
            true => student.read(&trainer, &lessons, many),
            false => student.play_and_learn(&trainer, &lessons, many, (done, plan.taught)),
        };
        std::thread::scope(|scope| {
            let at_work: Vec<_> = students.iter_mut().map(|student| scope.spawn(|| work(student))).collect();
            loss += at_work.into_iter().filter_map(|student| student.join().ok()).sum::<f32>();
        });
        // Slowly at first, with lessons and with games.
        let since = if only_lessons { step } else { step - lesson_steps };
        let warm = ((since + 1) as f32 / WARM).min(1.0);
        let cosine = 0.5 + 0.5 * (std::f32::consts::PI * done).cos();
        let mut pupils: Vec<&mut Pupil> = students.iter_mut().map(|student| &mut student.pupil).collect();
        trainer.step(&mut pupils, warm * between((RATES.1, RATES.0), cosine));
        if step % REPORT == REPORT - 1 {
            now.steps = step + 1;
            now.games = students.iter().map(|student| student.games).sum();
            now.loss = loss / (REPORT * many * threads) as f32;
            loss = 0.0;
            lessons = tell(now, &trainer.calm).unwrap_or(lessons);
        }
    }
    trainer
}

/// Measures the spans of a network anew, by so many games with itself.
pub fn measure(network: &mut Network, games: usize, seed: u64) {
    let (mut pupil, mut boards, mut rng) = (Pupil::new(), Boards::default(), Rng::new(seed));
    let style = Style { sharp: SHARPNESS, trace: 0.0, cut: 0.0, to_the_end: true };
    network.forget_spans();
    for _ in 0..games {
        for moved in boards.play(network, style, &mut rng) {
            let view = pupil.look(network, moved.scene(false)).cloned();
            view.iter().for_each(|view| network.widen_spans(view));
        }
    }
}

/// A thread at school.
struct Student {
    pupil: Pupil,
    rng: Rng,
    boards: Boards,
    memory: Vec<Moved>,
    oldest: usize,
    /// Moves to play before the next step.
    due: isize,
    games: usize,
}

impl Student {
    fn new(rng: Rng) -> Student {
        let boards = Boards::default();
        Student { pupil: Pupil::new(), rng, boards, memory: Vec::new(), oldest: 0, due: 0, games: 0 }
    }

    /// Learns from lessons; returns the sum of losses.
    fn read(&mut self, trainer: &Trainer, lessons: &[Lesson], many: usize) -> f32 {
        let Student { pupil, rng, .. } = self;
        let mut one = || {
            let lesson = &lessons[rng.below(lessons.len())];
            pupil.study(trainer, lesson.scene(rng.below(2) == 0), &Task::Lesson(lesson))
        };
        (0..if lessons.is_empty() { 0 } else { many }).map(|_| one()).sum()
    }

    /// Plays some games and learns from as many moves of those it remembers; returns the sum of losses.
    fn play_and_learn(
        &mut self,
        trainer: &Trainer,
        lessons: &[Lesson],
        many: usize,
        (done, taught): (f32, bool),
    ) -> f32 {
        let early = done < EARLY && !taught;
        let (trace, cut) = if early { (1.0, 0.0) } else { (TRACE, CUT) };
        let style = Style { sharp: SHARPNESS, trace, cut, to_the_end: early };
        let read = (many as f32 * LESSONS) as usize;
        let many = many - read;
        self.due += many as isize;
        // Some batches ahead of the first step, so that it is not all of one game.
        while self.due > 0 || self.memory.len() < AHEAD * many {
            let game = self.boards.play(&trainer.network, style, &mut self.rng);
            self.games += 1;
            self.due -= game.len() as isize;
            for moved in game {
                if self.memory.len() < MEMORY {
                    self.memory.push(moved);
                } else {
                    self.memory[self.oldest] = moved;
                    self.oldest = (self.oldest + 1) % MEMORY;
                }
            }
        }
        self.read(trainer, lessons, read);
        let Student { pupil, rng, memory, .. } = self;
        let mut one = || {
            let moved = &memory[rng.below(memory.len())];
            let scene = moved.scene(rng.below(2) == 0);
            pupil.study(trainer, scene, &Task::Chance(moved.cell, moved.target))
        };
        (0..many).map(|_| one()).sum()
    }
}

/// What a thread plays on.
#[derive(Default)]
struct Boards {
    views: HashMap<(u8, bool), View>,
}

impl Boards {
    fn play(&mut self, network: &Network, style: Style, rng: &mut Rng) -> Vec<Moved> {
        let side = SIZES[rng.below(SIZES.len())];
        let Some(size) = Size::new(side, side) else { return Vec::new() };
        by_width!(size, W => self.play_by::<W>(network, size, style, rng))
    }

    fn play_by<const W: usize>(
        &mut self,
        network: &Network,
        size: Size,
        style: Style,
        rng: &mut Rng,
    ) -> Vec<Moved> {
        let shape = Shape::<W>::new(size);
        let sharp = style.sharp * (1.4 * rng.unit() as f32 - 0.9).exp();
        let to_the_end = style.to_the_end || rng.below(8) == 0;
        // One odd move, or none, so that poor moves are known as such.
        let odd = rng.below(size.cells());
        let (mut stones, mut to_move) = self.opening(network, &shape, rng);
        // For each move: the stones before it, the cell, how poor it is, and what was thought of the position.
        let mut line: Vec<(Stones<W>, Side, usize, f32, f32)> = Vec::new();
        let mut left = None;
        let mut moves: Vec<(u16, Guess)> = Vec::new();
        loop {
            let scores = network.scores(self.view(size, to_move), shape.lattice(), &stones, to_move);
            moves.clear();
            moves.extend(shape.empty(&stones).iter().map(|cell| (cell as u16, Guess::default())));
            let thought = super::read(scores, &mut moves, 1.0);
            let scores = &scores[0];
            let best = moves.iter().map(|row| scores[row.0 as usize]).fold(f32::NEG_INFINITY, f32::max);
            if thought < LOST && !to_the_end {
                left = Some(thought);
                break;
            }
            let sharp = match line.len() {
                ply if ply == odd => 1.0,
                ply if ply < VARIED => 0.5 * sharp,
                _ => sharp,
            };
            let drawn = rng.weighted(moves.iter().map(|&(cell, guess)| {
                f64::from(guess.prior * (sharp * (scores[cell as usize] - best)).exp())
            }));
            let cell = moves[drawn.unwrap_or(0)].0 as usize;
            line.push((stones, to_move, cell, scores[cell] - best, thought));
            stones.put(to_move, cell);
            if shape.winner(&stones).is_some() {
                break;
            }
            to_move = to_move.other();
        }
        let thoughts: Vec<(f32, f32)> = line.iter().map(|row| (row.3, row.4)).collect();
        let worths = worths(&thoughts, left.map_or(1.0, |thought| 1.0 - thought), style);
        let mut out = Vec::with_capacity(line.len());
        for ((stones, to_move, cell, _, thought), target) in line.into_iter().zip(worths) {
            let decided = !(0.03..=0.97).contains(&thought);
            if rng.unit() < if decided { KEPT.1 } else { KEPT.0 } {
                let cells = |side: Side| stones.of(side).iter().map(|cell| cell as u16).collect();
                out.push(Moved {
                    size: size.rows(),
                    white: to_move == Side::White,
                    stones: [cells(to_move), cells(to_move.other())],
                    cell: cell as u16,
                    target,
                });
            }
        }
        out
    }

    fn view(&mut self, size: Size, side: Side) -> &mut View {
        self.views.entry((size.rows(), side == Side::White)).or_insert_with(|| View::new(size, side))
    }

    /// The most even of four random beginnings.
    fn opening<const W: usize>(
        &mut self,
        network: &Network,
        shape: &Shape<W>,
        rng: &mut Rng,
    ) -> (Stones<W>, Side) {
        let mut best = (f32::INFINITY, Stones::EMPTY, Side::Black);
        for _ in 0..4 {
            let (mut stones, mut to_move) = (Stones::EMPTY, Side::Black);
            for _ in 0..1 + rng.below(2) {
                let empty: Vec<usize> = shape.empty(&stones).iter().collect();
                stones.put(to_move, empty[rng.below(empty.len())]);
                to_move = to_move.other();
            }
            let [scores, _] =
                network.scores(self.view(shape.size(), to_move), shape.lattice(), &stones, to_move);
            let most = shape.empty(&stones).iter().map(|cell| scores[cell]).fold(f32::NEG_INFINITY, f32::max);
            if most.abs() < best.0 {
                best = (most.abs(), stones, to_move);
            }
        }
        (best.1, best.2)
    }
}

/// What became of each move of a game, from how much poorer than the best it was and what was thought of the position before
/// it; the last mover has `end`.
fn worths(thoughts: &[(f32, f32)], end: f32, style: Style) -> Vec<f32> {
    let mut worth = end;
    let mut out: Vec<f32> = thoughts
        .iter()
        .rev()
        .map(|&(poorer, thought)| {
            let told = style.trace * (style.cut * poorer).exp();
            let before = 1.0 - (told * worth + (1.0 - told) * thought);
            std::mem::replace(&mut worth, before)
        })
        .collect();
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style { sharp: 4.0, trace: 1.0, cut: 0.0, to_the_end: true };

    #[test]
    fn a_move_is_worth_what_its_answer_leaves() {
        let thoughts = [(0.0, 0.6), (-2.0, 0.3), (0.0, 0.9)];
        assert_eq!(worths(&thoughts, 1.0, STYLE), [1.0, 0.0, 1.0]);
        let thought_only = worths(&thoughts, 1.0, Style { trace: 0.0, ..STYLE });
        assert_eq!(thought_only, [1.0 - 0.3, 1.0 - 0.9, 1.0]);
        // A poor answer tells less about the move before it.
        let cut = worths(&thoughts, 1.0, Style { cut: 10.0, ..STYLE });
        assert!((cut[0] - 0.7).abs() < 1e-3 && cut[1] == 0.0, "{cut:?}");
    }

    #[test]
    fn games_end_and_say_who_won() {
        let network = Trainer::new(1).network;
        let mut rng = Rng::new(2);
        let mut boards = Boards::default();
        let moves: Vec<Moved> = (0..4).flat_map(|_| boards.play(&network, STYLE, &mut rng)).collect();
        assert!(moves.len() > 40 && moves.iter().all(|moved| moved.target == 0.0 || moved.target == 1.0));
        for moved in moves {
            let [own, other] = &moved.stones;
            assert!(!own.contains(&moved.cell) && !other.contains(&moved.cell));
            assert!(own.len() == other.len() || own.len() + 1 == other.len());
        }
    }

    #[test]
    fn school_lowers_the_loss() {
        let lessons = vec![Lesson::parse("5 1 7 2|2 9 20|7 11|12:140 13:10 3:2").unwrap_or_default(); BATCH];
        let plan = Plan { minutes: 1.0, taught: false, threads: 2, seed: 1 };
        let minutes = std::cell::Cell::new(0.0);
        let clock = || minutes.replace(minutes.get() + 1.0);
        let taught = teach(Trainer::new(1), lessons.clone(), plan, &clock, &mut |_, _| None);
        let task = Task::Lesson(&lessons[0]);
        let [before, after] = [&Trainer::new(1), &taught]
            .map(|trainer| Pupil::new().test(trainer, lessons[0].scene(false), &task));
        assert!(after < before, "{before} {after}");
    }
}
