//! Gradients against finite differences, quantization against floating point, and a small training run.

use super::model::{Gradients, Model, Scratch};
use super::*;
use crate::engine::Tengen;
use crate::network::{Accumulator, Network};
use crate::training::SelfPlay;
use crate::{Board, Point, Position, Rule};
use ::game::{Engine as _, Limits, Options, Position as _, Side, Watch};

/// Games of self-play at few nodes.
fn games(rule: Rule, count: u64) -> TrainingSet {
    let mut engine = Tengen::new(&Options::new()).unwrap();
    let config = SelfPlay { rule, sizes: vec![9], nodes: 100 };
    let mut set = TrainingSet::new(rule);
    for number in 0..count {
        let game = config.play(&mut engine, &mut Rng::stream(5, number), &Watch::untimed()).unwrap().unwrap();
        set.add(&game, number as usize + 1).unwrap();
    }
    set
}

fn loss(model: &Model, sample: &Sample, scratch: &mut Scratch) -> f64 {
    let found = model.evaluate(sample, scratch);
    let (chance, target) = (f64::from(found.win_rate), f64::from(sample.target));
    let value = -(target * chance.ln() + (1.0 - target) * (1.0 - chance).ln());
    value - found.policy.map_or(0.0, |(likelihood, _)| 0.5 * f64::from(likelihood).ln())
}

#[test]
fn gradients_agree_with_finite_differences() {
    let set = games(Rule::Freestyle, 1);
    let (samples, _) = set.split();
    let mut rng = Rng::new(3);
    let mut model = Model::new(Rule::Freestyle, &mut rng);
    model.table.iter_mut().for_each(|weight| *weight = 0.1 * rng.unit() as f32 - 0.05);
    let mut scratch = Scratch::default();
    for sample in samples.iter().step_by(5) {
        let mut gradients = Gradients::new(&model);
        model::learn(&model, &[sample], &mut scratch, &mut gradients);
        let touched: Vec<usize> =
            (0..model.table.len()).filter(|at| gradients.table[*at].abs() > 0.01).take(20).collect();
        assert!(!touched.is_empty());
        for at in touched {
            let (step, before) = (2e-3, model.table[at]);
            model.table[at] = before + step;
            let above = loss(&model, sample, &mut scratch);
            model.table[at] = before - step;
            let below = loss(&model, sample, &mut scratch);
            model.table[at] = before;
            let (found, expected) =
                (f64::from(gradients.table[at]), (above - below) / (2.0 * f64::from(step)));
            assert!((found - expected).abs() < 0.02 + 0.1 * expected.abs(), "{at}: {found} {expected}");
        }
    }
}

#[test]
fn the_quantized_network_agrees_with_floating_point() {
    for rule in [Rule::Freestyle, Rule::Renju] {
        let set = games(rule, 2);
        let (samples, _) = set.split();
        let mut rng = Rng::new(8);
        let mut model = Model::new(rule, &mut rng);
        FactoredTable::new(rule, &mut rng).write(&mut model.table);
        let network = model.quantized();
        for sample in samples {
            let board = board_of(rule, sample);
            let logit = logit(&model, sample);
            let found = f64::from(Accumulator::new(&network, &board).value(&board, sample.to_move));
            assert!((found - logit).abs() < 40.0, "{rule}: {found} {logit}");
        }
    }
}

fn board_of(rule: Rule, sample: &Sample) -> Board {
    let mut board = Board::new(rule, sample.size);
    for (stones, side) in sample.stones.iter().zip([sample.to_move, sample.to_move.other()]) {
        let point = |cell: &u16| Point::new((cell / 9) as u8, (cell % 9) as u8);
        stones.iter().for_each(|cell| board.make(point(cell), side));
    }
    board
}

/// The value in thousandths of a logit, in floating point.
fn logit(model: &Model, sample: &Sample) -> f64 {
    let exact = f64::from(model.evaluate(sample, &mut Scratch::default()).win_rate);
    (exact / (1.0 - exact)).ln() * 1000.0
}

#[test]
fn training_starts_where_a_network_of_a_rule_without_sides_ended() {
    let config = TrainConfig { epochs: 1, batch: 32, ..TrainConfig::default() };
    let freestyle = train(&games(Rule::Freestyle, 10), None, &config, &mut |_| true).unwrap();
    let network = Network::read(&freestyle).unwrap();
    let set = games(Rule::Renju, 20);
    let model = Model::from_network(Rule::Renju, &network);
    let [mut same, mut count] = [0; 2];
    for sample in set.split().0 {
        // Threats are counted by the rule of the board, so only the position must be the same.
        let board = board_of(Rule::Renju, sample);
        let found = f64::from(Accumulator::new(&network, &board).value(&board, Side::Black));
        count += usize::from(sample.to_move == Side::Black);
        same += usize::from(sample.to_move == Side::Black && (found - logit(&model, sample)).abs() < 40.0);
    }
    assert!(count > 20 && same == count, "{same} of {count}");
    let quiet = TrainConfig { epochs: 1, batch: 32, rate: 0.0, seed: 1 };
    let renju = train(&set, Some(&freestyle), &quiet, &mut |_| true).unwrap();
    assert_eq!(Network::read(&renju).unwrap(), model.quantized(), "nothing is learned at a rate of 0");
    let error = train(&games(Rule::Freestyle, 1), Some(&renju), &config, &mut |_| true).unwrap_err();
    assert!(error.to_string().contains("is for renju"), "{error}");
    assert!(train(&set, Some(b"no"), &config, &mut |_| true).is_err());
}

#[test]
fn training_beats_an_even_policy_on_games_it_has_not_seen_and_is_reproducible() {
    let set = games(Rule::Freestyle, 40);
    let config = TrainConfig { epochs: 2, batch: 32, rate: 0.004, seed: 2 };
    let mut losses = Vec::new();
    let file = train(&set, None, &config, &mut |epoch| {
        losses.push(epoch.losses);
        true
    });
    let file = file.unwrap();
    // Of some 65 empty cells an even policy gives each 4.2 nats.
    assert!(losses.iter().all(|losses| losses.policy < 3.0), "{losses:?}");
    assert!(Network::read(&file).is_ok());
    assert_eq!(file, train(&set, None, &config, &mut |_| true).unwrap());
}

#[test]
fn an_engine_with_a_network_plays_its_rule_only_and_the_same_way_every_time() {
    let config = TrainConfig { epochs: 1, batch: 32, ..TrainConfig::default() };
    let file = train(&games(Rule::Freestyle, 10), None, &config, &mut |_| true).unwrap();
    let limits = Limits { nodes: Some(3_000), ..Limits::default() };
    let think = |rule: Rule| {
        let mut engine = Tengen::with_network(&Options::new(), &file).unwrap();
        let mut position = Position::new(rule, 15);
        for text in ["h8", "i9", "g7"] {
            let mv = position.parse_move(text).unwrap();
            position.play(mv).unwrap();
        }
        engine.think(&position, &limits, &Watch::default(), &mut |_| {})
    };
    let [first, second] = [think(Rule::Freestyle).unwrap(), think(Rule::Freestyle).unwrap()];
    assert_eq!((first.mv, first.report.nodes), (second.mv, second.report.nodes));
    let error = think(Rule::Renju).unwrap_err().to_string();
    assert!(error.contains("trained for freestyle"), "{error}");
    assert!(Tengen::with_network(&Options::new(), b"no").is_err());
}
