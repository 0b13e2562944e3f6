//! Search self-play: games of the engine against itself. Positions of the game and other well-visited nodes of long
//! searches become samples.

use super::improved_policy::improved_policy;
use super::sample::{Sample, SearchedMove};
use crate::engine::Tengen;
use crate::engine::heavy_playout::NO_CELL;
use crate::engine::params::Params;
use crate::engine::search::Memory;
use crate::engine::tree::{NodeId, NodeState, ROOT};
use crate::engine::worker::SearchPosition;
use crate::{Position, Size, by_width};
use game::{Decision, Engine, EngineError, Limits, Position as _, Side, Watch};
use search::Rng;

/// A game ends once the win rate is this close to 0 or 1.
const DECIDED: f64 = 0.02;
/// Plies at the start in which moves are drawn by their visits, for variety.
const VARIED_PLIES: usize = 8;

/// Playout cap randomization (Wu 2019, KataGo): one move in `LONG_EVERY` gets all visits, the others `SHORT_DIVISOR` times
/// fewer. Value targets need many games, policy targets long searches.
const LONG_EVERY: usize = 4;
const SHORT_DIVISOR: u64 = 8;
/// Other nodes of a long search with this fraction (one in ...) of the root's visits are samples too.
const SAMPLE_DIVISOR: u64 = 3;

/// Exploration in long searches: softmax temperature of the policy and share of root noise. Without it training
/// only confirms what the network already plays.
const POLICY_TEMPERATURE: f32 = 4.0 / 3.0;
const ROOT_NOISE: f32 = 0.25;

/// TD(lambda): a move's target is this share of the next move's target, the rest the value of the search there.
const LAMBDA: f32 = 0.97;

/// Stones of an opening, each as often as it is listed.
const OPENING_STONES: [usize; 8] = [0, 1, 2, 2, 2, 3, 3, 3];
/// Openings that are tried before the most even one is taken, and the visits by which each is judged.
const OPENING_TRIES: usize = 12;
const OPENING_VISITS: u64 = 24;
/// An opening is balanced if the win rate is this close to 1/2.
const BALANCED: f64 = 0.15;

/// A search misjudged its position if its value missed the result by this much; the worst such position of a game's first
/// [`SURPRISE_PLIES`] plies is played once more, so that training sees it again with another result or the same.
const SURPRISE: f32 = 0.55;
const SURPRISE_PLIES: usize = 40;

/// Plays a game from a balanced opening, and another one from the position that its searches misjudged most, with
/// `visits` in a long search. Returns the samples of both; nothing if `watch` was stopped.
pub fn play(engine: &mut Tengen, size: Size, seed: u64, visits: u64, watch: &Watch) -> Vec<Sample> {
    let mut rng = Rng::new(seed);
    let start = balanced_opening(engine, size, &mut rng, watch);
    let mut samples = Vec::new();
    let surprise = play_from(engine, start, visits, &mut rng, watch, &mut samples);
    if let Some(position) = surprise {
        play_from(engine, position, visits, &mut rng, watch, &mut samples);
    }
    if watch.is_stopped() { Vec::new() } else { samples }
}

/// The first balanced one of some random openings, or the most even.
fn balanced_opening(engine: &mut Tengen, size: Size, rng: &mut Rng, watch: &Watch) -> Position {
    explore(engine, false);
    let mut best = (f64::INFINITY, Position::empty(size));
    for _ in 0..OPENING_TRIES {
        let mut position = Position::empty(size);
        for _ in 0..OPENING_STONES[rng.below(OPENING_STONES.len())] {
            let moves = position.legal_moves();
            if let Some(mv) = rng.pick(&moves) {
                // A legal move cannot be refused.
                let _ = position.play(mv);
            }
        }
        if position.outcome().is_some() {
            continue;
        }
        let Ok(decision) = think(engine, &position, OPENING_VISITS, rng, watch) else { break };
        let uneven = (decision.report.win_rate - 0.5).abs();
        if uneven < best.0 {
            best = (uneven, position);
        }
        if uneven <= BALANCED {
            break;
        }
    }
    best.1
}

/// Whether the next searches explore, as long ones do.
fn explore(engine: &mut Tengen, on: bool) {
    let params = &mut engine.params;
    (params.policy_temperature, params.root_noise) =
        if on { (POLICY_TEMPERATURE, ROOT_NOISE) } else { (1.0, 0.0) };
}

/// A search from scratch. Its tree is small: a large one takes longer to clear than a short search.
fn think(
    engine: &mut Tengen,
    position: &Position,
    visits: u64,
    rng: &mut Rng,
    watch: &Watch,
) -> Result<Decision, EngineError> {
    engine.new_game();
    let limits = Limits { seed: rng.next_u64(), memory_mb: 16, ..Limits::nodes(visits) };
    engine.think(position, &limits, watch, &mut |_| {})
}

/// Plays a game from a position and appends its samples. Returns the position that was misjudged most, if any was.
fn play_from(
    engine: &mut Tengen,
    mut position: Position,
    visits: u64,
    rng: &mut Rng,
    watch: &Watch,
    out: &mut Vec<Sample>,
) -> Option<Position> {
    let size = position.size();
    let mut game = Vec::new();
    let mut winner = None;
    while position.outcome().is_none() && !watch.is_stopped() {
        let long = rng.below(LONG_EVERY) == 0;
        let visits = if long { visits } else { visits / SHORT_DIVISOR }.max(1);
        explore(engine, long);
        let Ok(decision) = think(engine, &position, visits, rng, watch) else { break };
        let to_move = position.to_move();
        if decision.report.win_rate <= DECIDED || decision.report.win_rate >= 1.0 - DECIDED {
            winner = Some(if decision.report.win_rate > 0.5 { to_move } else { to_move.other() });
            break;
        }
        let mut samples = Vec::new();
        let enough = if long { visits / SAMPLE_DIVISOR } else { visits } as u32;
        by_width!(size, W => collect::<W>(engine, enough, &mut samples));
        let root = &decision.report.root;
        let varied = if position.history().len() < VARIED_PLIES { &root[..] } else { &[] };
        let drawn = rng.weighted(varied.iter().map(|row| row.nodes as f64));
        let mv = drawn.map_or(decision.mv, |at| root[at].mv);
        if !samples.is_empty() {
            let cell = mv.cell().map(|cell| size.index(cell) as u16);
            let before = (long && position.history().len() < SURPRISE_PLIES).then(|| position.clone());
            game.push((samples.remove(0), to_move, cell, decision.report.win_rate as f32, before));
            out.append(&mut samples);
        }
        if position.play(mv).is_err() {
            break;
        }
    }
    let winner = winner.or_else(|| position.outcome().and_then(|outcome| outcome.winner()))?;
    // Black's expected result, from the end of the game to its beginning.
    let result = f32::from(u8::from(winner == Side::Black));
    let mut black = result;
    let mut surprise = (SURPRISE, None);
    for (sample, side, cell, value, before) in game.into_iter().rev() {
        let for_side = |black: f32| if side == Side::Black { black } else { 1.0 - black };
        let missed = (for_side(result) - value).abs();
        if before.is_some() && missed > surprise.0 {
            surprise = (missed, before);
        }
        out.push(Sample { played: cell.map(|cell| (cell, for_side(black))), ..sample });
        black = LAMBDA * black + (1.0 - LAMBDA) * for_side(value);
    }
    surprise.1
}

/// Samples of all nodes of the last search with at least so many visits, the root first.
fn collect<const W: usize>(engine: &Tengen, visits: u32, samples: &mut Vec<Sample>) {
    let Some(memory) = engine.memory.as_ref().and_then(|memory| memory.downcast_ref::<Memory<W>>()) else {
        return;
    };
    let (tree, size) = (&memory.tree, memory.shape().size().rows());
    let mut open = vec![(ROOT, *memory.start())];
    while let Some((node, now)) = open.pop() {
        if tree.count(node).visits < visits || tree.children(node).is_empty() {
            continue;
        }
        let cells = |side: Side| now.stones.of(side).iter().map(|cell| cell as u16).collect();
        samples.push(Sample {
            size,
            stones: [cells(now.to_move), cells(now.to_move.other())],
            white: now.to_move == Side::White,
            last: now.last.map(|cell| (cell != NO_CELL).then_some(cell as u16)),
            played: None,
            searched: searched_moves(memory, node, &engine.params),
        });
        for child in tree.children(node) {
            let cell = tree.cell(child);
            let stones = now.stones.with(now.to_move, cell);
            open.push((
                child,
                SearchPosition { stones, to_move: now.to_move.other(), last: [cell, now.last[0]] },
            ));
        }
    }
}

/// The moves of a node, with visits as the improved policy distributes them. Once a move is proved to win, only such moves
/// count; moves proved to lose never do.
fn searched_moves<const W: usize>(memory: &Memory<W>, node: NodeId, params: &Params) -> Vec<SearchedMove> {
    let tree = &memory.tree;
    let children = tree.children(node);
    let total: u32 = children.clone().map(|child| tree.count(child).visits).sum();
    let won = children.clone().any(|child| tree.state(child) == NodeState::Won);
    let counts = |state: NodeState| state == if won { NodeState::Won } else { NodeState::Open };
    let prior_and_value = |(at, child): (usize, NodeId)| {
        let (count, estimate) = (tree.count(child), tree.estimate(child));
        let without_noise = if node == ROOT { memory.root_priors.get(at).copied() } else { None };
        let prior = without_noise.unwrap_or(estimate.prior);
        let value = count.mean(estimate.value, params.prior_visits);
        if counts(tree.state(child)) { (prior, value) } else { (0.0, 0.0) }
    };
    let moves: Vec<_> = children.clone().enumerate().map(prior_and_value).collect();
    let shares = improved_policy(&moves, params.cpuct / (total.max(1) as f32).sqrt());
    children
        .zip(shares)
        .map(|(child, share)| {
            let count = tree.count(child);
            let value = match tree.state(child) {
                NodeState::Won => Some(1.0),
                NodeState::Lost => Some(0.0),
                NodeState::Open | NodeState::Pruned => {
                    (count.visits > 0).then(|| count.wins / count.visits as f32)
                }
            };
            let visits = (share * total as f32).round() as u32;
            SearchedMove { cell: tree.cell(child) as u16, visits, value }
        })
        .filter(|row| row.visits > 0 || row.value.is_some())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_noise_makes_a_search_try_more_moves_but_not_the_targets() {
        let mut engine = Tengen::new(&game::Options::new()).unwrap();
        let position = Position::empty(Size::new(9, 9).unwrap());
        let [plain, noisy] = [0.0, 0.9].map(|noise| {
            engine.params.root_noise = noise;
            engine.new_game();
            let decision =
                engine.think(&position, &Limits::nodes(60), &Watch::default(), &mut |_| {}).unwrap();
            decision.report.root.iter().filter(|row| row.nodes > 0).count()
        });
        assert!(noisy > plain, "{plain} {noisy}");
        let mut samples = Vec::new();
        collect::<2>(&engine, 60, &mut samples);
        let targets = samples[0].searched.iter().filter(|row| row.visits > 0).count();
        assert!(targets < noisy, "{targets} {noisy}");
    }

    #[test]
    fn a_game_depends_on_its_seed_and_not_on_the_game_before() {
        let size = Size::new(7, 7).unwrap();
        let engine = || Tengen::new(&game::Options::new()).unwrap();
        let first = |seed| play(&mut engine(), size, seed, 40, &Watch::untimed());
        for seed in 0..4 {
            let mut used = engine();
            // What the last search of the game before may leave behind.
            explore(&mut used, true);
            assert_eq!(play(&mut used, size, seed, 40, &Watch::untimed()), first(seed), "seed {seed}");
        }
    }

    #[test]
    fn games_give_samples_that_survive_their_text_form() {
        let size = Size::new(5, 5).unwrap();
        let mut engine = Tengen::new(&game::Options::new()).unwrap();
        let samples = play(&mut engine, size, 3, 60, &Watch::untimed());
        assert!(samples.iter().any(|sample| sample.played.is_some()));
        for sample in &samples {
            let mut rounded = sample.clone();
            let values = rounded.searched.iter_mut().filter_map(|row| row.value.as_mut());
            for value in values.chain(rounded.played.iter_mut().map(|row| &mut row.1)) {
                *value = format!("{value:.3}").parse().unwrap();
            }
            assert_eq!(Sample::parse(&sample.write()), Some(rounded));
            assert_eq!(sample.features().len(), sample.searched.len());
        }
        for wrong in [
            "",
            "5 0 - -|1|2",
            "5 0 - -|1|99|3:1",
            "40 0 - -|1|2|3:1",
            "5 0 - -|1|2|3",
            "5 0 - -|1|2|3:1:2",
            "5 0 - - 3=2|1|2|3:1",
        ] {
            assert_eq!(Sample::parse(wrong), None, "{wrong}");
        }
    }
}
