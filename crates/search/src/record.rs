//! Observers that write down what they see, up to a cap, for `tengen explain` and the web app to replay.
//!
//! Events come in the order of the search. Once the cap is reached the rest is only counted, so what is kept is the
//! true beginning of the search and memory stays bounded. Infinite bounds are `None`: JSON has no infinity.

use serde::{Deserialize, Serialize};

use crate::adversarial::{Bound, Cutoff, GameObserver, Selection, Window};
use crate::path::PathObserver;

/// A bounded list of events. Watches games as `Recorder<GameEvent<M>>` and paths as `Recorder<PathEvent<S>>`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recorder<E> {
    /// The first events, at most the cap.
    pub events: Vec<E>,
    /// How many more there were.
    pub dropped: u64,
    cap: usize,
}

/// A recorder for game-tree searches.
pub type GameRecorder<M> = Recorder<GameEvent<M>>;

/// A recorder for path searches.
pub type PathRecorder<S> = Recorder<PathEvent<S>>;

impl<E> Recorder<E> {
    /// Keeps at most `cap` events.
    pub fn new(cap: usize) -> Self {
        Recorder { events: Vec::new(), dropped: 0, cap }
    }

    /// Whether everything was kept.
    pub fn is_complete(&self) -> bool {
        self.dropped == 0
    }

    /// Takes the event only if there is room: a full recorder costs a comparison.
    #[inline]
    fn push(&mut self, event: impl FnOnce() -> E) {
        if self.events.len() < self.cap {
            self.events.push(event());
        } else {
            self.dropped += 1;
        }
    }
}

/// What happened in a game tree; see [`GameObserver`] for the meaning of each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the fields are those of the observer's methods")]
pub enum GameEvent<M> {
    Enter {
        ply: u32,
        #[serde(rename = "move")]
        mv: M,
        alpha: Option<f64>,
        beta: Option<f64>,
    },
    Leave {
        ply: u32,
        #[serde(rename = "move")]
        mv: M,
        value: f64,
    },
    Raise {
        ply: u32,
        #[serde(rename = "move")]
        mv: M,
        bound: Bound,
        value: f64,
    },
    Cutoff {
        ply: u32,
        by: M,
        value: f64,
        bound: Bound,
        limit: f64,
        bound_from: Option<u32>,
        skipped: usize,
    },
    TableHit {
        ply: u32,
        value: f64,
    },
    Select {
        ply: u32,
        #[serde(rename = "move")]
        mv: M,
        visits: u64,
        parent_visits: u64,
        exploitation: f64,
        exploration: Option<f64>,
    },
    Playout {
        line: Vec<M>,
        result: f64,
    },
    Backup {
        ply: u32,
        #[serde(rename = "move")]
        mv: M,
        visits: u64,
        max_wins: f64,
    },
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

impl<M: Copy> GameObserver<M> for GameRecorder<M> {
    fn enter(&mut self, ply: u32, mv: M, window: &Window) {
        self.push(|| GameEvent::Enter { ply, mv, alpha: finite(window.alpha), beta: finite(window.beta) });
    }

    fn leave(&mut self, ply: u32, mv: M, value: f64) {
        self.push(|| GameEvent::Leave { ply, mv, value });
    }

    fn raise(&mut self, ply: u32, mv: M, bound: Bound, value: f64) {
        self.push(|| GameEvent::Raise { ply, mv, bound, value });
    }

    fn cutoff(&mut self, cutoff: &Cutoff<M>) {
        let Cutoff { ply, by, value, bound, limit, bound_from, skipped } = *cutoff;
        self.push(|| GameEvent::Cutoff { ply, by, value, bound, limit, bound_from, skipped });
    }

    fn table_hit(&mut self, ply: u32, value: f64) {
        self.push(|| GameEvent::TableHit { ply, value });
    }

    fn select(&mut self, selection: &Selection<M>) {
        let Selection { ply, mv, visits, parent_visits, exploitation, exploration } = *selection;
        let exploration = finite(exploration);
        self.push(|| GameEvent::Select { ply, mv, visits, parent_visits, exploitation, exploration });
    }

    fn playout(&mut self, line: &[M], result: f64) {
        self.push(|| GameEvent::Playout { line: line.to_vec(), result });
    }

    fn backup(&mut self, ply: u32, mv: M, visits: u64, wins: f64) {
        self.push(|| GameEvent::Backup { ply, mv, visits, max_wins: wins });
    }
}

/// What happened in a path search; see [`PathObserver`] for the meaning of each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the fields are those of the observer's methods")]
pub enum PathEvent<S> {
    Expand { state: S, g: f64, h: f64 },
    Generate { parent: S, child: S, g: f64 },
    Reopen { state: S, old_g: f64, g: f64 },
    Bound { bound: f64 },
    Cut { state: S, f: f64, bound: f64 },
}

impl<S: Clone> PathObserver<S> for PathRecorder<S> {
    fn expand(&mut self, state: &S, g: f64, h: f64) {
        self.push(|| PathEvent::Expand { state: state.clone(), g, h });
    }

    fn generate(&mut self, parent: &S, child: &S, g: f64) {
        self.push(|| PathEvent::Generate { parent: parent.clone(), child: child.clone(), g });
    }

    fn reopen(&mut self, state: &S, old_g: f64, g: f64) {
        self.push(|| PathEvent::Reopen { state: state.clone(), old_g, g });
    }

    fn bound(&mut self, bound: f64) {
        self.push(|| PathEvent::Bound { bound });
    }

    fn cut(&mut self, state: &S, f: f64, bound: f64) {
        self.push(|| PathEvent::Cut { state: state.clone(), f, bound });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversarial::{UctOptions, alpha_beta, uct};
    use crate::stop::never;
    use crate::tictactoe::TicTacToe;

    #[test]
    fn a_recording_survives_json() {
        let mut recorder = GameRecorder::new(100_000);
        let mut game: TicTacToe = "XO..X...O".parse().unwrap();
        alpha_beta(&mut game, 9, never(), &mut recorder);
        uct(&mut game, &UctOptions { playouts: 50, ..UctOptions::default() }, never(), &mut recorder);
        assert!(recorder.is_complete());
        let json = serde_json::to_string(&recorder).unwrap();
        assert!(json.contains(r#"{"event":"enter","ply":0,"move":2,"alpha":null,"beta":null}"#), "{json}");
        assert_eq!(serde_json::from_str::<GameRecorder<u8>>(&json).unwrap(), recorder);
    }

    #[test]
    fn the_cap_keeps_the_beginning_and_counts_the_rest() {
        let (mut all, mut some) = (GameRecorder::new(usize::MAX), GameRecorder::new(10));
        alpha_beta(&mut TicTacToe::new(), 4, never(), &mut all);
        alpha_beta(&mut TicTacToe::new(), 4, never(), &mut some);
        assert_eq!(some.events, all.events[..10]);
        assert_eq!(some.dropped as usize, all.events.len() - 10);
    }
}
