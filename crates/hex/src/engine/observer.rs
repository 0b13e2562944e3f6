//! Watching the search: what a visit reports about itself, and the record made of it.
//!
//! The search is generic over its [`Observer`]. In play that is `()`, and nothing is left of it in the compiled search.

use super::params::Params;
use super::select::terms;
use super::tree::{NodeId, NodeState, Tree};
use super::{INFO, Tengen};
use crate::request::EngineRequest;
use crate::{Position, by_width};
use game::{EngineError, Limits, Options, Watch};
use search::adversarial::{GameObserver, Selection};
use search::theatre::{
    Algorithm, FORMAT, Num, PlayoutRecorder, PlayoutResult, Proved, Record, RecordOptions, Search, VERSION,
};

/// Sees the visits of one thread.
pub(crate) trait Observer {
    /// Does it look at all? Where not, what it would be told is not even computed.
    const ON: bool;

    /// A visit begins.
    #[inline(always)]
    fn start(&mut self) {}

    /// At a node at `ply`, with `visits` visits, `child` is selected.
    #[inline(always)]
    fn select<const W: usize>(
        &mut self,
        _ply: usize,
        _tree: &Tree<W>,
        _child: NodeId,
        _visits: u32,
        _params: &Params,
    ) {
    }

    /// The visit is backed up along `path`, the root first; `result` is that of the side to move at the root.
    #[inline(always)]
    fn backed_up<const W: usize>(&mut self, _tree: &Tree<W>, _path: &[NodeId], _result: f32) {}
}

impl Observer for () {
    const ON: bool = false;
}

type CellToIndex = fn(usize) -> u32;

impl Observer for PlayoutRecorder<CellToIndex> {
    const ON: bool = true;

    fn start(&mut self) {
        self.begin();
    }

    fn select<const W: usize>(
        &mut self,
        ply: usize,
        tree: &Tree<W>,
        child: NodeId,
        visits: u32,
        params: &Params,
    ) {
        let (count, estimate) = (tree.count(child), tree.estimate(child));
        let (mean, bonus) = terms(tree, child, visits, params);
        GameObserver::select(
            self,
            &Selection {
                ply: ply as u32,
                mv: tree.cell(child),
                visits: u64::from(count.visits),
                parent_visits: u64::from(visits),
                exploitation: f64::from(mean),
                exploration: f64::from(bonus),
            },
        );
        self.estimate(f64::from(estimate.prior), f64::from(estimate.value));
    }

    fn backed_up<const W: usize>(&mut self, tree: &Tree<W>, path: &[NodeId], result: f32) {
        self.playout(&[], f64::from(result));
        for (ply, &node) in path.iter().skip(1).enumerate() {
            let count = tree.count(node);
            let wins = f64::from(count.wins);
            // A node counts for the player who moved there: the root's side moves at even plies.
            let wins = if ply % 2 == 0 { wins } else { f64::from(count.visits) - wins };
            self.backup(ply as u32, tree.cell(node), u64::from(count.visits), wins);
            self.proved(
                ply as u32,
                match tree.state(node) {
                    NodeState::Open => Proved::Open,
                    NodeState::Won => Proved::Won,
                    NodeState::Lost => Proved::Lost,
                    NodeState::Pruned => Proved::Pruned,
                },
            );
        }
    }
}

/// Searches a position with a fresh engine and one thread, and records every visit. MAX is the side to move. With `keep`
/// 0 nothing is watched and only the result is recorded.
pub(crate) fn explain(
    position: &Position,
    wanted: &RecordOptions,
    watch: &Watch,
) -> Result<Record, EngineError> {
    let limits = Limits { seed: wanted.seed, ..Limits::nodes(wanted.playouts) };
    let request = EngineRequest::check(INFO.name, position, &limits, watch)?;
    if request.cells.is_empty() {
        return Err(EngineError::NoMove("only a swap is allowed".into()));
    }
    let mut engine = Tengen::new(&Options::new())?;
    let mut recorder = PlayoutRecorder::new((|cell| cell as u32) as CellToIndex, wanted.keep);
    let size = position.size();
    let decision = if wanted.keep > 0 {
        by_width!(size, W => engine.decide::<W, _>(&request, &mut recorder, &mut |_| {}))
    } else {
        by_width!(size, W => engine.decide::<W, _>(&request, &mut (), &mut |_| {}))
    };
    let code = |mv: game::Move| mv.cell().map(|cell| size.index(cell) as u32);
    let columns = recorder.into_columns();
    let root = decision.report.root.iter();
    let result = PlayoutResult {
        best: code(decision.mv),
        root: root
            .filter_map(|row| Some((code(row.mv)?, row.nodes, Num(row.win_rate * row.nodes as f64))))
            .collect(),
        // Ended by the visits asked for, or by a proof.
        completed: !watch.is_stopped(),
        playouts: columns.result.len() as u64 + columns.dropped,
        nodes: columns.parent.len(),
        seconds: watch.elapsed().as_secs_f64(),
    };
    let stage = game::stage(position, INFO.name, wanted);
    Ok(Record {
        format: FORMAT,
        version: VERSION,
        kind: "mcts",
        algorithm: Algorithm::Puct,
        max: stage.to_move.clone(),
        stage,
        search: Search::Playouts {
            c: f64::from(engine.params.cpuct),
            seed: wanted.seed,
            result,
            columns: Box::new(columns),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Engine, Game as _, Setup};

    /// The recorded search is the engine's: the same visits of every root move as an engine that nobody watches.
    #[test]
    fn the_recorded_search_makes_the_visits_of_the_unrecorded_one() {
        for (size, moves) in [(7, "a2"), (11, "a2f6e7")] {
            let position = crate::HEX.parse(moves, &Setup::empty(size, size)).unwrap();
            let wanted = RecordOptions { playouts: 150, ..RecordOptions::new(Algorithm::Puct) };
            let record = crate::HEX.explain(&*position, "", &wanted, &Watch::default()).unwrap();
            let mut engine = Tengen::new(&Options::new()).unwrap();
            let limits = Limits::nodes(150);
            let decision = engine.think(&*position, &limits, &Watch::default(), &mut |_| {}).unwrap();
            let Search::Playouts { result, columns, .. } = &record.search else { panic!("playouts") };
            assert_eq!(result.playouts, decision.report.nodes, "{size}");
            let code = |mv: game::Move| {
                let cell = mv.cell().unwrap();
                u32::from(cell.row) * u32::from(size) + u32::from(cell.col)
            };
            assert_eq!(result.best, Some(code(decision.mv)));
            let rows: Vec<_> = decision.report.root.iter().map(|row| (code(row.mv), row.nodes)).collect();
            assert_eq!(result.root.iter().map(|row| (row.0, row.1)).collect::<Vec<_>>(), rows);
            // The columns say the same again, counted from the steps.
            assert_eq!(columns.steps.iter().sum::<u32>() as usize, columns.node.len());
            let mut first_steps = std::collections::BTreeMap::<u32, u64>::new();
            let mut at = 0;
            for steps in &columns.steps {
                *first_steps.entry(columns.mv[columns.node[at] as usize] as u32).or_default() += 1;
                at += *steps as usize;
            }
            for (cell, visits) in rows.into_iter().filter(|row| row.1 > 0) {
                assert_eq!(first_steps.get(&cell), Some(&visits), "{size}: {cell}");
            }
            assert_eq!(columns.prior.len(), columns.parent.len());
            assert!(columns.prior.iter().skip(1).all(|prior| (0.0..=1.0).contains(&prior.0)));
            assert!(columns.value.iter().skip(1).all(|value| (0.0..=1.0).contains(&value.0)));
            assert_eq!(columns.proved.len(), columns.node.len());
        }
    }

    #[test]
    fn keeping_fewer_visits_changes_no_result() {
        let position = crate::HEX.position(&Setup::empty(5, 5)).unwrap();
        let run = |keep| {
            let wanted = RecordOptions { playouts: 60, keep, ..RecordOptions::new(Algorithm::Puct) };
            let record = crate::HEX.explain(&*position, "", &wanted, &Watch::default()).unwrap();
            let Search::Playouts { result, .. } = record.search else { panic!("playouts") };
            (result.best, result.root)
        };
        assert_eq!(run(10), run(1000));
        assert_eq!(run(0), run(1000));
    }

    /// CPU time of this thread, which does not grow while others use the processor.
    fn thread_time() -> std::time::Duration {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        std::time::Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
    }

    /// Both in turn, so that what else the machine does falls on both; the quickest of each counts.
    #[test]
    fn recording_takes_less_than_twice_the_time() {
        let position = crate::HEX.parse("a2f6e7", &Setup::empty(11, 11)).unwrap();
        let mut least = [std::time::Duration::MAX; 2];
        for _ in 0..4 {
            for (least, keep) in least.iter_mut().zip([0, 200_000]) {
                let wanted = RecordOptions { playouts: 150, keep, ..RecordOptions::new(Algorithm::Puct) };
                let before = thread_time();
                crate::HEX.explain(&*position, "", &wanted, &Watch::default()).unwrap();
                *least = (*least).min(thread_time() - before);
            }
        }
        let [off, on] = least;
        assert!(on < 2 * off, "recorded {on:?}, not recorded {off:?}");
    }
}
