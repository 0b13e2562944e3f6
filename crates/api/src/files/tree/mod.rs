//! A game with variations.
//!
//! The `Game` trait reads and writes single lines. An SGF tree is therefore read path by path: each
//! path from the root to a leaf is written out as an SGF of its own, the game reads it, and the lines are
//! merged again. Writing does the reverse. So every game's own notation of swaps and
//! set-ups is kept, and none of it is repeated here.
//!
//! Moves near the root are on many paths. Notes are therefore carried once, by the first path through their
//! node, one path is in memory at a time, and the length of all paths together is limited.

mod paths;

use self::paths::{each_sgf_path, merge};
use super::note::{Drawing, Note};
use crate::{Problem, Setup, read_deep};
use game::{Game, MoveNote, Position, Record, StopFlag, sgf};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Nodes and leaves a tree may have.
const NODES: usize = 10_000;
const LEAVES: usize = 500;
/// The longest line.
const DEPTH: usize = 2_000;
/// Moves of all paths from the root to a leaf together.
const PATH_MOVES: usize = 200_000;

/// A move with what follows it; the first child is the main line.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeNode {
    /// In the game's notation.
    #[serde(rename = "move")]
    text: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    /// What somebody drew on the board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    marks: Vec<Drawing>,
    /// SGF properties that only files have a use for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    properties: BTreeMap<String, Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion)]
    children: Vec<TreeNode>,
}

impl TreeNode {
    fn note(&self) -> Note {
        Note { comment: self.comment.clone(), marks: self.marks.clone(), properties: self.properties.clone() }
    }

    fn add(&mut self, note: Note) {
        let mut all = Note {
            comment: std::mem::take(&mut self.comment),
            marks: std::mem::take(&mut self.marks),
            properties: std::mem::take(&mut self.properties),
        };
        all.add(note);
        Note { comment: self.comment, marks: self.marks, properties: self.properties } = all;
    }
}

/// A set-up and the moves from it.
pub(crate) struct Tree {
    setup: Setup,
    /// What is said at the root, names and result of a game among it.
    pub(crate) root: Note,
    pub(crate) nodes: Vec<TreeNode>,
}

/// One path through a tree: moves with what is said after them.
type Path = Vec<(String, Note)>;

impl Tree {
    /// Reads a text of any notation.
    pub(crate) fn read(game: &'static dyn Game, text: &str, stop: &StopFlag) -> Result<Tree, Problem> {
        if let Some(own) = read_own(game, text) {
            return own;
        }
        let (rows, cols) = game.default_size();
        let defaults = game::Setup::empty(rows, cols);
        let main = game.parse(text, &defaults)?;
        let mut tree = Tree { setup: Setup::of(game, &*main), root: Note::default(), nodes: Vec::new() };
        let sgf = if text.trim_start().starts_with('(') { sgf::parse(text).ok() } else { None };
        let Some(first) = sgf.and_then(|mut trees| (!trees.is_empty()).then(|| trees.swap_remove(0))) else {
            tree.add(bare(words(game, &*main)?))?;
            return Ok(tree);
        };
        let board = game.setup_of(&*main);
        each_sgf_path(&first, stop, |text, nodes| {
            let line = game.parse(text, &defaults)?;
            let mut moves: Path = bare(words(game, &*line)?);
            for (after, node) in nodes {
                let note = Note::read(game, &board, node);
                // After the last move there may be a resignation, which is none.
                let last = moves.len();
                match after.min(last).checked_sub(1).and_then(|at| moves.get_mut(at)) {
                    Some(place) => place.1.add(note),
                    None => tree.root.add(note),
                }
            }
            tree.add(moves)
        })?;
        Ok(tree)
    }

    /// A single line.
    pub(crate) fn line(game: &'static dyn Game, setup: &Setup, moves: &[String]) -> Result<Tree, Problem> {
        let position = setup.after(game, moves)?;
        let mut tree = Tree { setup: Setup::of(game, &*position), root: Note::default(), nodes: Vec::new() };
        tree.add(bare(moves.to_vec()))?;
        Ok(tree)
    }

    pub(crate) fn with_root(self, root: Note) -> Tree {
        Tree { root, ..self }
    }

    /// A tree from a request: every move of it must be possible.
    pub(crate) fn checked(
        game: &'static dyn Game,
        setup: &Setup,
        root: Note,
        nodes: Vec<TreeNode>,
    ) -> Result<Tree, Problem> {
        let mut position = setup.position(game)?;
        let tree = Tree { setup: Setup::of(game, &*position), root, nodes };
        let start = position.history().len();
        tree.each_node(|ply, node| {
            while position.history().len() > start + ply {
                position.undo();
            }
            position
                .parse_move(&node.text)
                .and_then(|mv| position.play(mv))
                .map_err(|error| Problem::from(error).with("ply", ply).with("move", node.text.as_str()))
        })?;
        Ok(tree)
    }

    /// The position at the end of the main line.
    pub(crate) fn main_line(&self, game: &'static dyn Game) -> Result<Box<dyn Position>, Problem> {
        let moves: Vec<String> = self.main_nodes().map(|node| node.text.clone()).collect();
        self.setup.after(game, &moves)
    }

    fn main_nodes(&self) -> impl Iterator<Item = &TreeNode> {
        std::iter::successors(self.nodes.first(), |node| node.children.first())
    }

    /// Merges a line into the tree.
    fn add(&mut self, path: Path) -> Result<(), Problem> {
        if path.len() > DEPTH {
            return Err(too_large());
        }
        let mut nodes = &mut self.nodes;
        for (word, note) in path {
            let at = match nodes.iter().position(|node| node.text == word) {
                Some(at) => at,
                None => {
                    nodes.push(TreeNode { text: word, ..TreeNode::default() });
                    nodes.len() - 1
                }
            };
            let node = &mut nodes[at];
            node.add(note);
            nodes = &mut node.children;
        }
        Ok(())
    }

    /// Every node with its depth, parents first, without recursion: a request may nest deeply.
    fn each_node<'a>(
        &'a self,
        mut visit: impl FnMut(usize, &'a TreeNode) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let mut stack: Vec<(usize, &TreeNode)> = self.nodes.iter().rev().map(|node| (0, node)).collect();
        let (mut seen, mut leaves, mut moves) = (0, 0, 0);
        while let Some((depth, node)) = stack.pop() {
            seen += 1;
            if node.children.is_empty() {
                leaves += 1;
                moves += depth + 1;
            }
            if seen > NODES || depth >= DEPTH || leaves > LEAVES || moves > PATH_MOVES {
                return Err(too_large());
            }
            visit(depth, node)?;
            stack.extend(node.children.iter().rev().map(|child| (depth + 1, child)));
        }
        Ok(())
    }

    /// Every path from the root to a leaf; each note comes with the first path that passes its node.
    fn each_path(&self, mut visit: impl FnMut(&Path) -> Result<(), Problem>) -> Result<(), Problem> {
        let mut path = Path::new();
        self.each_node(|depth, node| {
            path.truncate(depth);
            path.push((node.text.clone(), node.note()));
            if node.children.is_empty() {
                visit(&path)?;
                path.iter_mut().for_each(|(_, note)| *note = Note::default());
            }
            Ok(())
        })
    }

    /// Our own JSON, which [`Tree::read`] reads back.
    pub(crate) fn json(&self) -> String {
        let mut own = json!({ "tengen": 1, "setup": self.setup, "tree": self.nodes });
        if !self.root.is_empty() {
            own["root"] = json!(self.root);
        }
        let mut text = own.to_string();
        text.push('\n');
        text
    }

    /// SGF with all variations.
    pub(crate) fn sgf(
        &self,
        game: &'static dyn Game,
        names: &[String; 2],
        stop: &StopFlag,
    ) -> Result<String, Problem> {
        let mut merged = sgf::Tree::default();
        let mut merge_line = |line: &Path| {
            check_going(stop)?;
            let text = game.write_sgf(&self.record(game, line, names));
            if let Some(tree) = sgf::parse(&text).ok().and_then(|trees| trees.into_iter().next()) {
                let places = merge(&mut merged, &tree);
                for (at, (_, note)) in places.iter().skip(1).zip(line) {
                    note.write(game, &mut merged.nodes[*at]);
                }
            }
            Ok(())
        };
        if self.nodes.is_empty() {
            merge_line(&Path::new())?;
        }
        self.each_path(merge_line)?;
        if let Some(root) = merged.nodes.first_mut() {
            self.root.write(game, root);
        }
        Ok(merged.write())
    }

    /// The main line as a record.
    pub(crate) fn main_record(&self, game: &'static dyn Game, names: &[String; 2]) -> Record {
        let line: Path = self.main_nodes().map(|node| (node.text.clone(), node.note())).collect();
        self.record(game, &line, names)
    }

    fn record(&self, game: &'static dyn Game, line: &Path, names: &[String; 2]) -> Record {
        let mut moves = Vec::with_capacity(line.len());
        if let Ok(mut position) = self.setup.position(game) {
            for (word, note) in line {
                // Checked when the tree was made.
                let Ok(mv) = position.parse_move(word) else { break };
                if position.play(mv).is_err() {
                    break;
                }
                moves.push((mv, MoveNote { comment: note.comment.clone(), ..MoveNote::default() }));
            }
        }
        let [first, second] = names.clone();
        // What a file said of its game stays true when it is written again.
        let said = |name: &str| self.root.properties.get(name).and_then(|values| values.first()).cloned();
        Record {
            setup: self.setup.to_game(game),
            moves,
            first,
            second,
            result: said("RE").unwrap_or_else(|| "?".into()),
            reason: String::new(),
            date: said("DT").unwrap_or_default(),
        }
    }
}

fn too_large() -> Problem {
    let detail = format!(
        "a tree has at most {NODES} moves, {LEAVES} variations, lines of {DEPTH} moves, and {PATH_MOVES} moves \
         in all lines together"
    );
    Problem::refused("tree.too-large", detail)
}

/// Fails once the request is cancelled.
fn check_going(stop: &StopFlag) -> Result<(), Problem> {
    match stop.is_stopped() {
        true => Err(Problem::busy()),
        false => Ok(()),
    }
}

/// Our own JSON, if the text is that.
fn read_own(game: &'static dyn Game, text: &str) -> Option<Result<Tree, Problem>> {
    #[derive(Deserialize)]
    struct Own {
        tengen: u32,
        setup: Setup,
        #[serde(default)]
        root: Note,
        tree: Vec<TreeNode>,
    }
    let own: Own = match read_deep(text.as_bytes()) {
        Ok(own) => own,
        // Ours, but broken; anything else is left to the game's own readers.
        Err(problem) if problem.code == "body.too-deep" || is_own(text) => {
            return Some(Err(Problem::refused("text.unreadable", problem.detail)));
        }
        Err(_) => return None,
    };
    if own.tengen != 1 {
        return Some(Err(Problem::refused("file.version", "this file was written by a newer version")));
    }
    if own.setup.game != game.name() {
        return Some(Err(Problem::refused("game.kind", format!("this is a game of {}", own.setup.game))));
    }
    Some(Tree::checked(game, &own.setup, own.root, own.tree))
}

/// Does the text start like our own JSON? Checks the first key only, as the rest may be malformed.
fn is_own(text: &str) -> bool {
    let inside = text.trim_start().strip_prefix('{').map(str::trim_start);
    inside.is_some_and(|inside| inside.starts_with("\"tengen\""))
}

/// The moves of a position's history, each in the position it was played in.
fn words(game: &'static dyn Game, position: &dyn Position) -> Result<Vec<String>, Problem> {
    let mut at = game.position(&game.setup_of(position))?;
    position
        .history()
        .iter()
        .map(|mv| {
            let word = at.format_move(*mv);
            at.play(*mv)?;
            Ok(word)
        })
        .collect()
}

/// Moves of which nothing is said.
fn bare(words: Vec<String>) -> Path {
    words.into_iter().map(|word| (word, Note::default())).collect()
}

#[cfg(test)]
mod tests;
