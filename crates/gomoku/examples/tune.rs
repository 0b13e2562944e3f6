//! Fits the weights of the main engine's evaluation and move order to games it plays with itself.
//!
//! `tune play GAMES NODES SEED FILE` adds games to a file, one a line: result for black (1, 0.5, 0), then the
//! moves, each with the search's value for its mover. `tune fit FILE…` reads games and prints the new
//! `tuned.rs`. The evaluation is fitted by logistic regression to a blend of each game's result and the search's
//! values (Texel's method), the move order by softmax regression to the moves chosen.

#![allow(clippy::print_stderr, clippy::print_stdout, reason = "a program for the terminal")]

use game::{Engine as _, Limits, Move, Options, Outcome, Position as Door, Side, Watch};
use gomoku::{Board, Class, Point, Position, Rule, engine};
use search::rng::Rng;
use std::io::Write;

const SHAPES: usize = 14;
/// Weights of a table: pairs, then the rest.
const TABLE: usize = SHAPES * SHAPES + SHAPES;
/// Weights by side to move or not, class, and count up to three.
const THREATS: usize = 2 * Class::COUNT * 4;
/// Value table, threats, tempo.
const VALUES: usize = TABLE + THREATS + 1;
const WIN_SCALE: f32 = 200.0;
const MATE_BOUND: f64 = 29_000.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["play", games, nodes, seed, file] => play(games.parse()?, nodes.parse()?, seed.parse()?, file),
        ["fit", ..] if args.len() > 1 => fit(&args[1..]),
        _ => Err("accepted: play GAMES NODES SEED FILE, fit FILE...".into()),
    }
}

fn play(games: u64, nodes: u64, seed: u64, file: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::fs::OpenOptions::new().create(true).append(true).open(file)?;
    let mut engine = engine::Tengen::new(&Options::new())?;
    for number in 0..games {
        let mut rng = Rng::stream(seed, number);
        let mut game = Position::new(Rule::Freestyle, 15);
        engine.new_game();
        let mut line = String::new();
        let opening = 2 + rng.below(5);
        while game.outcome().is_none() {
            let random = game.board().stones() < opening;
            let (mv, score) = if random {
                let near: Vec<Point> = match game.board().stones() {
                    0 => vec![Point::new(4 + rng.below(7) as u8, 4 + rng.below(7) as u8)],
                    _ => game.board().candidates(2).into_points().collect(),
                };
                (Move::Place(rng.pick(&near).ok_or("a full board")?.cell()), f64::NAN)
            } else {
                let limits = Limits { nodes: Some(nodes), memory_mb: 8, ..Limits::default() };
                let decision = engine.think(&game, &limits, &Watch::default(), &mut |_| {})?;
                (decision.mv, decision.report.score)
            };
            line += &format!(" {}:{score}", game.format_move(mv));
            game.play(mv)?;
        }
        let result = match game.outcome() {
            Some(Outcome::Win { side: Side::Black, .. }) => "1",
            Some(Outcome::Win { .. }) => "0",
            _ => "0.5",
        };
        writeln!(out, "{result}{line}")?;
    }
    Ok(())
}

/// The indices of a combination's three weights in a table.
fn table_indices(board: &Board, point: Point, side: Side) -> [usize; 3] {
    let mut shapes = Board::shapes_of_code(board.code(point, side));
    shapes.sort_by(|a, b| b.cmp(a));
    let [first, second, third, fourth] = shapes.map(|shape| shape as usize);
    [first * SHAPES + second, SHAPES * SHAPES + third, SHAPES * SHAPES + fourth]
}

fn threat_index(opponent: bool, class: Class, count: usize) -> usize {
    TABLE + (usize::from(opponent) * Class::COUNT + class.index()) * 4 + count.min(3)
}

/// A position for the evaluation: sparse features, and the result to expect for the side to move.
struct Sample {
    features: Vec<(u16, f32)>,
    target: f32,
}

/// A choice of a move: the weights of every candidate, the chosen one first.
struct Choice {
    candidates: Vec<[u16; 6]>,
}

fn is_forced(board: &Board) -> bool {
    Side::BOTH.into_iter().any(|side| board.has_at_least(side, Class::FourThree))
}

fn sample(board: &Board, side: Side, target: f32) -> Sample {
    let mut dense = vec![0f32; VALUES];
    for point in board.empty_points().into_points() {
        for of in Side::BOTH {
            let sign = if of == side { 1.0 } else { -1.0 };
            table_indices(board, point, of).into_iter().for_each(|index| dense[index] += sign);
        }
    }
    for (of, sign) in [(side, 1.0), (side.other(), -1.0)] {
        for class in &Class::ALL[Class::ClosedThree.index()..Class::Five.index()] {
            dense[threat_index(of != side, *class, board.count(of, *class))] += sign;
        }
    }
    dense[VALUES - 1] = 1.0;
    let features = dense.iter().enumerate().filter(|(_, v)| **v != 0.0).map(|(i, v)| (i as u16, *v));
    Sample { features: features.collect(), target }
}

fn choice(board: &Board, side: Side, chosen: Point) -> Choice {
    let indices = |point: Point| {
        let own = table_indices(board, point, side);
        let other = table_indices(board, point, side.other()).map(|index| index + TABLE);
        [own[0], own[1], own[2], other[0], other[1], other[2]].map(|index| index as u16)
    };
    let others = board.candidates(2).into_points().filter(|point| *point != chosen).map(indices);
    Choice { candidates: [indices(chosen)].into_iter().chain(others).collect() }
}

fn fit(files: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let mut samples = Vec::new();
    let mut choices = Vec::new();
    for file in files {
        for line in std::fs::read_to_string(file)?.lines() {
            let mut words = line.split(' ');
            let result: f32 = words.next().unwrap_or("").parse()?;
            let mut game = Position::new(Rule::Freestyle, 15);
            for word in words {
                let (mv, score) = word.split_once(':').ok_or("no score")?;
                let (mv, score): (Move, f64) = (game.parse_move(mv)?, score.parse()?);
                let (board, side) = (game.board(), game.to_move());
                let chosen = mv.cell().map(Point::of).ok_or("not a stone")?;
                if score.is_finite()
                    && board.count(Side::Black, Class::Five) + board.count(Side::White, Class::Five) == 0
                {
                    let own_result = if side == Side::Black { result } else { 1.0 - result };
                    let searched = match score {
                        win if win >= MATE_BOUND => 1.0,
                        loss if loss <= -MATE_BOUND => 0.0,
                        score => 1.0 / (1.0 + (-(score as f32) / WIN_SCALE).exp()),
                    };
                    if !board.has_at_least(side, Class::FourThree) {
                        samples.push(sample(board, side, 0.5 * own_result + 0.5 * searched));
                    }
                    // Once the game is decided, what is chosen teaches little.
                    if !is_forced(board) && score > -MATE_BOUND {
                        choices.push(choice(board, side, chosen));
                    }
                }
                game.play(mv)?;
            }
        }
    }
    eprintln!("{} positions, {} choices", samples.len(), choices.len());
    let value = fit_values(&samples);
    let policy = fit_policy(&choices);
    print_weights(&value, &policy);
    Ok(())
}

/// Weights by stochastic gradient with a rate of its own for each (Adagrad), pulled back to where they started.
struct Model {
    start: Vec<f32>,
    now: Vec<f32>,
    seen: Vec<f32>,
    /// The sum of the weights after each of the last epochs; their mean is steadier than the last of them.
    sum: Vec<f32>,
    summed: f32,
    rate: f32,
    pull: f32,
}

impl Model {
    fn new(start: Vec<f32>, rate: f32, pull: f32) -> Model {
        let (seen, sum) = (vec![1.0; start.len()], vec![0.0; start.len()]);
        Model { now: start.clone(), seen, sum, summed: 0.0, start, rate, pull }
    }

    fn end_epoch(&mut self) {
        self.sum.iter_mut().zip(&self.now).for_each(|(sum, now)| *sum += now);
        self.summed += 1.0;
    }

    fn settle(&mut self) {
        self.now = self.sum.iter().map(|sum| sum / self.summed.max(1.0)).collect();
    }

    fn step(&mut self, index: usize, gradient: f32) {
        let gradient = gradient + self.pull * (self.now[index] - self.start[index]);
        self.seen[index] += gradient * gradient;
        self.now[index] -= self.rate * gradient / self.seen[index].sqrt();
    }
}

fn shuffled(len: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    Rng::new(seed).shuffle(&mut order);
    order
}

/// The last tenth of the data is held out to see whether the fit is real.
fn fit_values(samples: &[Sample]) -> Vec<f32> {
    let start = engine::weights_for_tuning();
    let mut model = Model::new(start[..VALUES].iter().map(|w| w / WIN_SCALE).collect(), 0.02, 1e-5);
    let split = samples.len() * 9 / 10;
    let predict = |model: &Model, sample: &Sample| {
        let logit: f32 = sample.features.iter().map(|(i, v)| v * model.now[usize::from(*i)]).sum();
        1.0 / (1.0 + (-logit).exp())
    };
    let loss = |model: &Model| {
        let squares = samples[split..].iter().map(|s| (predict(model, s) - s.target).powi(2));
        squares.sum::<f32>() / (samples.len() - split).max(1) as f32
    };
    eprintln!("evaluation: held-out squared error {:.5}", loss(&model));
    for epoch in 0..25 {
        for index in shuffled(split, epoch) {
            let sample = &samples[index];
            let error = predict(&model, sample) - sample.target;
            for (i, v) in &sample.features {
                // A dead combination is worth nothing: occupied points look like one.
                if usize::from(*i) != 0 && usize::from(*i) != SHAPES * SHAPES {
                    model.step(usize::from(*i), error * v);
                }
            }
        }
        if epoch >= 5 {
            model.end_epoch();
        }
        if epoch % 6 == 0 || epoch == 24 {
            eprintln!("evaluation: epoch {epoch}, held-out squared error {:.5}", loss(&model));
        }
    }
    model.settle();
    eprintln!("evaluation: mean of the epochs, held-out squared error {:.5}", loss(&model));
    model.now.iter().map(|w| w * WIN_SCALE).collect()
}

fn fit_policy(choices: &[Choice]) -> Vec<f32> {
    let start = engine::weights_for_tuning();
    let mut model = Model::new(start[VALUES..].iter().map(|w| w / 100.0).collect(), 0.05, 1e-5);
    let split = choices.len() * 9 / 10;
    let logits = |model: &Model, choice: &Choice| -> Vec<f32> {
        let sum = |indices: &[u16; 6]| indices.iter().map(|i| model.now[usize::from(*i)]).sum::<f32>();
        let logits: Vec<f32> = choice.candidates.iter().map(sum).collect();
        let most = logits.iter().copied().fold(f32::MIN, f32::max);
        let odds: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
        let total: f32 = odds.iter().sum();
        odds.into_iter().map(|odds| odds / total).collect()
    };
    let judge = |model: &Model| {
        let (mut loss, mut right) = (0.0, 0);
        for choice in &choices[split..] {
            let chances = logits(model, choice);
            loss -= chances[0].max(1e-9).ln();
            right += usize::from(chances.iter().all(|chance| *chance <= chances[0]));
        }
        let count = (choices.len() - split).max(1) as f32;
        (loss / count, right as f32 / count)
    };
    eprintln!("move order: held-out (loss, first right) {:?}", judge(&model));
    for epoch in 0..12 {
        for index in shuffled(split, epoch) {
            let choice = &choices[index];
            let chances = logits(&model, choice);
            for (n, (indices, chance)) in choice.candidates.iter().zip(chances).enumerate() {
                let error = chance - if n == 0 { 1.0 } else { 0.0 };
                if error.abs() > 1e-3 {
                    indices.iter().for_each(|i| model.step(usize::from(*i), error));
                }
            }
        }
        if epoch % 4 == 3 {
            eprintln!("move order: epoch {epoch}, held-out (loss, first right) {:?}", judge(&model));
        }
    }
    model.now.iter().map(|w| w * 100.0).collect()
}

fn print_weights(value: &[f32], policy: &[f32]) {
    let row = |weights: &[f32]| -> String {
        let numbers: Vec<String> = weights.iter().map(|w| format!("{}", w.round() as i32)).collect();
        format!("[{}]", numbers.join(", "))
    };
    let table = |name: &str, about: &str, weights: &[f32]| {
        println!("/// {about}\npub(super) const {name}: Table = Table {{\n    pairs: [");
        for shape in 0..SHAPES {
            println!("        {},", row(&weights[shape * SHAPES..][..SHAPES]));
        }
        println!("    ],\n    rest: {},\n}};\n", row(&weights[SHAPES * SHAPES..][..SHAPES]));
    };
    println!("//! Weights of the evaluation and the move order.\n//!");
    println!("//! Made by `cargo run --release --example tune -- fit FILE...` from games of `tune play`.\n");
    println!("use crate::Class;\n");
    println!(
        "/// Weights by line shape: of the two strongest lines together (the stronger one first), and of each other one."
    );
    println!(
        "pub(super) struct Table {{\n    pub(super) pairs: [[i16; 14]; 14],\n    pub(super) rest: [i16; 14],\n}}\n"
    );
    table("VALUE", "What a point is worth to the evaluation.", &value[..TABLE]);
    table(
        "ATTACK",
        "What a point is worth as a move to the side that would make the shapes: hundredths of a logit.",
        &policy[..TABLE],
    );
    table("DEFENCE", "What it is worth as a move of the opponent.", &policy[TABLE..]);
    println!(
        "/// Added to the evaluation for points of a class: to the side to move and to its opponent, by class and by\n/// how many there are (none, one, two, three or more)."
    );
    println!("pub(super) const THREATS: [[[i16; 4]; Class::COUNT]; 2] = [");
    for side in value[TABLE..TABLE + THREATS].chunks(Class::COUNT * 4) {
        println!("    [");
        side.chunks(4).for_each(|counts| println!("        {},", row(counts)));
        println!("    ],");
    }
    println!(
        "];\n\n/// Added for being to move.\npub(super) const TEMPO: i32 = {};",
        value[VALUES - 1].round() as i32
    );
}
