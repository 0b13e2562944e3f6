//! The record of UCT or flat Monte Carlo: for each playout the way down with the terms that chose it, the random
//! moves, the result, and what every node on the way then stood at.

use super::Num;
use crate::adversarial::{GameObserver, Selection};
use serde::Serialize;
use std::collections::HashMap;

/// Numbers kept at most over all columns of steps and moves, whatever the playouts: bounds the memory.
const NUMBERS: usize = 8 << 20;

/// Playouts as columns. Tree nodes are numbered in the order they were first chosen; node 0 is the root.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PlayoutColumns {
    /// Playouts that were made but not written down.
    pub dropped: u64,
    /// The node above each node, -1 for the root.
    pub parent: Vec<i32>,
    /// The move that leads to each node.
    #[serde(rename = "move")]
    pub mv: Vec<i32>,
    /// For each playout: how many steps down the tree it took.
    pub steps: Vec<u32>,
    /// For each step: the node it leads to.
    pub node: Vec<u32>,
    /// For each step: w / n of the mover before, `null` for flat Monte Carlo.
    pub exploitation: Vec<Num>,
    /// For each step: C sqrt(ln N / n) before, `null` for a move not tried yet.
    pub exploration: Vec<Num>,
    /// For each step: the node's visits after the playout.
    pub visits: Vec<u64>,
    /// For each step: MAX's wins in them.
    pub wins: Vec<Num>,
    /// For each playout: how many random moves it made.
    pub moves: Vec<u32>,
    /// The random moves, one playout after the other.
    pub playout: Vec<u32>,
    /// For each playout: 1 if MAX won, 0 if MIN did, 0.5 for a draw.
    #[serde(rename = "results")]
    pub result: Vec<Num>,
    /// For each node: the policy's prior; empty without a network.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prior: Vec<Num>,
    /// For each node: the network's value of the move, for its mover; empty without a network.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub value: Vec<Num>,
    /// For each step: what was proved about its node by then; empty where nothing is proved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proved: Vec<Proved>,
}

/// What is proved about a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proved {
    /// Nothing.
    #[default]
    Open,
    /// The player who moved there wins.
    Won,
    /// The player who moved there loses.
    Lost,
    /// Another move is at least as good.
    Pruned,
}

impl Serialize for Proved {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(*self as u8)
    }
}

/// Watches UCT or flat Monte Carlo and keeps the first playouts.
#[derive(Clone, Debug)]
pub struct PlayoutRecorder<F> {
    code: F,
    keep: usize,
    columns: PlayoutColumns,
    children: HashMap<(u32, u32), u32>,
    /// Where the steps of the current playout begin.
    begin: usize,
    at: u32,
    full: bool,
    /// Visits and wins of the root's moves, for flat Monte Carlo, which has no tree to say them.
    flat: HashMap<u32, (u64, f64)>,
}

impl<F> PlayoutRecorder<F> {
    /// Keeps at most `keep` playouts; `code` numbers the moves.
    pub fn new(code: F, keep: usize) -> PlayoutRecorder<F> {
        let columns = PlayoutColumns { parent: vec![-1], mv: vec![-1], ..PlayoutColumns::default() };
        PlayoutRecorder {
            code,
            keep,
            columns,
            children: HashMap::new(),
            begin: 0,
            at: 0,
            full: false,
            flat: HashMap::new(),
        }
    }

    /// The record.
    pub fn into_columns(self) -> PlayoutColumns {
        self.columns
    }

    /// What a network says about the move of the last step, before it was visited.
    pub fn estimate(&mut self, prior: f64, value: f64) {
        if self.full {
            return;
        }
        let nodes = self.columns.parent.len();
        if self.columns.prior.len() < nodes {
            self.columns.prior.resize(nodes, Num(f64::NAN));
            self.columns.value.resize(nodes, Num(f64::NAN));
            let at = self.at as usize;
            (self.columns.prior[at], self.columns.value[at]) = (Num(prior), Num(value));
        }
    }

    /// What is proved about the node of the step at `ply` after the playout.
    pub fn proved(&mut self, ply: u32, proved: Proved) {
        let at = self.begin + ply as usize;
        if at < self.columns.node.len() {
            self.columns.proved.resize(self.columns.node.len(), Proved::Open);
            self.columns.proved[at] = proved;
        }
    }

    /// Starts the next playout at the root, unless the record is full.
    pub fn begin(&mut self) {
        let numbers = 5 * self.columns.node.len() + self.columns.playout.len();
        self.full = self.columns.result.len() >= self.keep || numbers > NUMBERS;
        self.begin = self.columns.node.len();
        self.at = 0;
    }

    fn step(&mut self, mv: u32, exploitation: f64, exploration: f64) {
        let columns = &mut self.columns;
        let parent = self.at;
        let node = *self.children.entry((parent, mv)).or_insert_with(|| {
            columns.parent.push(parent as i32);
            columns.mv.push(mv as i32);
            columns.parent.len() as u32 - 1
        });
        columns.node.push(node);
        columns.exploitation.push(Num(exploitation));
        columns.exploration.push(Num(exploration));
        columns.visits.push(0);
        columns.wins.push(Num(0.0));
        self.at = node;
    }
}

impl<M: Copy, F: Fn(M) -> u32> GameObserver<M> for PlayoutRecorder<F> {
    fn select(&mut self, selection: &Selection<M>) {
        if selection.ply == 0 {
            self.begin();
        }
        if !self.full {
            self.step((self.code)(selection.mv), selection.exploitation, selection.exploration);
        }
    }

    fn playout(&mut self, line: &[M], result: f64) {
        let mut line = line;
        let selected = self.columns.node.len() > self.begin || self.full;
        // Flat Monte Carlo names its root move first and takes no steps.
        if let (Some((first, rest)), false) = (line.split_first(), selected) {
            self.begin();
            if !self.full {
                let mv = (self.code)(*first);
                self.step(mv, f64::NAN, f64::NAN);
                let (visits, wins) = self.flat.entry(mv).or_default();
                *visits += 1;
                *wins += result;
                if let (Some(v), Some(w)) = (self.columns.visits.last_mut(), self.columns.wins.last_mut()) {
                    (*v, *w) = (*visits, Num(*wins));
                }
            }
            line = rest;
        }
        if self.full {
            self.columns.dropped += 1;
            // Flat Monte Carlo announces itself only here; the next playout checks the capacity again.
            self.begin = self.columns.node.len();
            self.full = false;
            return;
        }
        self.columns.steps.push((self.columns.node.len() - self.begin) as u32);
        self.columns.moves.push(line.len() as u32);
        self.columns.playout.extend(line.iter().map(|mv| (self.code)(*mv)));
        self.columns.result.push(Num(result));
        if self.flat.is_empty() {
            return;
        }
        self.begin = self.columns.node.len();
    }

    fn backup(&mut self, ply: u32, _mv: M, visits: u64, wins: f64) {
        let at = self.begin + ply as usize;
        if at >= self.columns.node.len() {
            return;
        }
        self.columns.visits[at] = visits;
        self.columns.wins[at] = Num(wins);
    }
}
