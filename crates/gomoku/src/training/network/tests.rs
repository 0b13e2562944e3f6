//! Gradients against finite differences, quantization against floating point, and a small training run.

use super::model::{Gradients, Model, Scratch};
use super::*;
use crate::engine::Tengen;
use crate::network::{Accumulator, Network};
use crate::training::SelfPlay;
use crate::{Board, Point, Position, Rule};
use ::game::{Engine as _, Limits, Options, Position as _, Side, Watch};

/// Games of self-play at few nodes.
fn games(count: u64) -> TrainingSet {
    let mut engine = Tengen::new(&Options::new()).unwrap();
    let config = SelfPlay { rule: Rule::Freestyle, sizes: vec![9], nodes: 100 };
    let mut set = TrainingSet::new(Rule::Freestyle);
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
    let set = games(1);
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
    let set = games(2);
    let (samples, _) = set.split();
    let mut rng = Rng::new(8);
    let mut model = Model::new(Rule::Freestyle, &mut rng);
    FactoredTable::new(Rule::Freestyle, &mut rng).write(&mut model.table);
    let network = model.quantized();
    for sample in samples {
        let mut board = Board::new(Rule::Freestyle, sample.size);
        for (stones, side) in sample.stones.iter().zip([Side::Black, Side::White]) {
            let point = |cell: &u16| Point::new((cell / 9) as u8, (cell % 9) as u8);
            stones.iter().for_each(|cell| board.make(point(cell), side));
        }
        let exact = f64::from(model.evaluate(sample, &mut Scratch::default()).win_rate);
        let logit = (exact / (1.0 - exact)).ln() * 1000.0;
        let found = f64::from(Accumulator::new(&network, &board).value(&board, Side::Black));
        assert!((found - logit).abs() < 40.0, "{found} {logit}");
    }
}

#[test]
fn training_beats_an_even_policy_on_games_it_has_not_seen_and_is_reproducible() {
    let set = games(40);
    let config = TrainConfig { epochs: 2, batch: 32, rate: 0.004, seed: 2 };
    let mut losses = Vec::new();
    let file = train(&set, &config, &mut |epoch| {
        losses.push(epoch.losses);
        true
    });
    // Of some 65 empty cells an even policy gives each 4.2 nats.
    assert!(losses.iter().all(|losses| losses.policy < 3.0), "{losses:?}");
    assert!(Network::read(&file).is_ok());
    assert_eq!(file, train(&set, &config, &mut |_| true));
}

#[test]
fn an_engine_with_a_network_plays_its_rule_only_and_the_same_way_every_time() {
    let config = TrainConfig { epochs: 1, batch: 32, ..TrainConfig::default() };
    let file = train(&games(10), &config, &mut |_| true);
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
