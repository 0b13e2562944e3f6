//! A game with variations.
//!
//! The door of a game reads and writes single lines. A tree of SGF is therefore read path by path: each
//! path from the root to a leaf is written out as an SGF of its own, the game reads it, and the lines are
//! laid over each other again. Writing goes the same way back. So every game's own spelling of swaps and
//! set-ups holds, and nothing of it is known here.

use crate::api::extract::read_deep;
use crate::problem::Problem;
use crate::shape::Setup;
use game::{Game, MoveNote, Position, Record, sgf};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Nodes and leaves a tree may have.
const NODES: usize = 10_000;
const LEAVES: usize = 500;
/// The longest line.
const DEPTH: usize = 2_000;

/// A move with what follows it; the first child is the main line.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TreeNode {
    /// In the game's notation.
    #[serde(rename = "move")]
    text: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion)]
    children: Vec<TreeNode>,
}

/// A set-up and the moves from it.
pub(super) struct Tree {
    setup: Setup,
    pub(super) nodes: Vec<TreeNode>,
}

/// One way through a tree: moves with comments.
type Path = Vec<(String, String)>;

impl Tree {
    /// Reads a text of any notation.
    pub(super) fn read(game: &'static dyn Game, text: &str) -> Result<Tree, Problem> {
        if let Some(own) = read_own(game, text) {
            return own;
        }
        let (rows, cols) = game.default_size();
        let defaults = game::Setup::empty(rows, cols);
        let main = game.parse(text, &defaults)?;
        let mut tree = Tree { setup: Setup::of(game, &*main), nodes: Vec::new() };
        let sgf = if text.trim_start().starts_with('(') { sgf::parse(text).ok() } else { None };
        let Some(first) = sgf.and_then(|mut trees| (!trees.is_empty()).then(|| trees.swap_remove(0))) else {
            tree.add(&words(game, &*main)?.into_iter().map(|word| (word, String::new())).collect())?;
            return Ok(tree);
        };
        for path in paths(&first)? {
            let line = game.parse(&path.text, &defaults)?;
            let mut moves: Path =
                words(game, &*line)?.into_iter().map(|word| (word, String::new())).collect();
            for (after, comment) in path.comments {
                if let Some(place) = after.checked_sub(1).and_then(|at| moves.get_mut(at)) {
                    place.1 = comment;
                }
            }
            tree.add(&moves)?;
        }
        Ok(tree)
    }

    /// A single line.
    pub(super) fn line(game: &'static dyn Game, setup: &Setup, moves: &[String]) -> Result<Tree, Problem> {
        let position = setup.after(game, moves)?;
        let mut tree = Tree { setup: Setup::of(game, &*position), nodes: Vec::new() };
        tree.add(&moves.iter().map(|word| (word.clone(), String::new())).collect())?;
        Ok(tree)
    }

    /// A tree from a request: every move of it must be possible.
    pub(super) fn checked(
        game: &'static dyn Game,
        setup: &Setup,
        nodes: Vec<TreeNode>,
    ) -> Result<Tree, Problem> {
        let start = setup.position(game)?;
        let tree = Tree { setup: Setup::of(game, &*start), nodes };
        for path in tree.paths()? {
            let moves: Vec<String> = path.into_iter().map(|(word, _)| word).collect();
            setup.after(game, &moves)?;
        }
        Ok(tree)
    }

    /// The position at the end of the main line.
    pub(super) fn main_line(&self, game: &'static dyn Game) -> Result<Box<dyn Position>, Problem> {
        let mut moves = Vec::new();
        let mut nodes = &self.nodes;
        while let Some(node) = nodes.first() {
            moves.push(node.text.clone());
            nodes = &node.children;
        }
        self.setup.after(game, &moves)
    }

    /// Lays a line over the tree.
    fn add(&mut self, path: &Path) -> Result<(), Problem> {
        if path.len() > DEPTH {
            return Err(too_large());
        }
        let mut nodes = &mut self.nodes;
        for (word, comment) in path {
            let at = match nodes.iter().position(|node| node.text == *word) {
                Some(at) => at,
                None => {
                    nodes.push(TreeNode { text: word.clone(), ..TreeNode::default() });
                    nodes.len() - 1
                }
            };
            let node = &mut nodes[at];
            if node.comment.is_empty() {
                node.comment.clone_from(comment);
            }
            nodes = &mut node.children;
        }
        Ok(())
    }

    /// All ways from the root to a leaf, without recursion: a request may nest deeply.
    fn paths(&self) -> Result<Vec<Path>, Problem> {
        let mut found = Vec::new();
        let mut stack: Vec<(usize, &TreeNode)> = self.nodes.iter().rev().map(|node| (0, node)).collect();
        let mut way: Path = Vec::new();
        let mut seen = 0;
        while let Some((depth, node)) = stack.pop() {
            seen += 1;
            if seen > NODES || depth >= DEPTH || found.len() >= LEAVES {
                return Err(too_large());
            }
            way.truncate(depth);
            way.push((node.text.clone(), node.comment.clone()));
            if node.children.is_empty() {
                found.push(way.clone());
            }
            stack.extend(node.children.iter().rev().map(|child| (depth + 1, child)));
        }
        Ok(found)
    }

    /// Our own JSON, which [`Tree::read`] reads back.
    pub(super) fn json(&self) -> String {
        let mut text = json!({ "tengen": 1, "setup": self.setup, "tree": self.nodes }).to_string();
        text.push('\n');
        text
    }

    /// SGF with all variations.
    pub(super) fn sgf(&self, game: &'static dyn Game, names: &[String; 2]) -> String {
        let mut merged = sgf::Tree::default();
        let paths = self.paths().unwrap_or_default();
        let lines = if paths.is_empty() { vec![Path::new()] } else { paths };
        for line in lines {
            let text = game.write_sgf(&self.record(game, &line, names));
            let Ok(mut trees) = sgf::parse(&text) else { continue };
            if !trees.is_empty() {
                merge(&mut merged, &trees.swap_remove(0));
            }
        }
        merged.write()
    }

    /// The main line as a record.
    pub(super) fn main_record(&self, game: &'static dyn Game, names: &[String; 2]) -> Record {
        let mut line = Path::new();
        let mut nodes = &self.nodes;
        while let Some(node) = nodes.first() {
            line.push((node.text.clone(), node.comment.clone()));
            nodes = &node.children;
        }
        self.record(game, &line, names)
    }

    fn record(&self, game: &'static dyn Game, line: &Path, names: &[String; 2]) -> Record {
        let mut moves = Vec::with_capacity(line.len());
        if let Ok(mut position) = self.setup.position(game) {
            for (word, comment) in line {
                // Checked when the tree was made.
                let Ok(mv) = position.parse_move(word) else { break };
                if position.play(mv).is_err() {
                    break;
                }
                moves.push((mv, MoveNote { comment: comment.clone(), ..MoveNote::default() }));
            }
        }
        let [first, second] = names.clone();
        Record {
            setup: self.setup.to_game(game),
            moves,
            first,
            second,
            result: "?".into(),
            reason: String::new(),
            date: String::new(),
        }
    }
}

fn too_large() -> Problem {
    let detail = format!("a tree has at most {NODES} moves, {LEAVES} variations, and lines of {DEPTH}");
    Problem::refused("tree.too-large", detail)
}

/// Our own JSON, if the text is that.
fn read_own(game: &'static dyn Game, text: &str) -> Option<Result<Tree, Problem>> {
    #[derive(Deserialize)]
    struct Own {
        tengen: u32,
        setup: Setup,
        tree: Vec<TreeNode>,
    }
    let own: Own = read_deep(text.as_bytes()).ok()?;
    if own.tengen != 1 {
        return Some(Err(Problem::refused("file.version", "this file was written by a newer version")));
    }
    if own.setup.game != game.name() {
        return Some(Err(Problem::refused("game.kind", format!("this is a game of {}", own.setup.game))));
    }
    Some(Tree::checked(game, &own.setup, own.tree))
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

/// One path of an SGF tree as an SGF of its own, with the comments after so many moves.
struct SgfPath {
    text: String,
    comments: Vec<(usize, String)>,
}

fn paths(tree: &sgf::Tree) -> Result<Vec<SgfPath>, Problem> {
    let leaves: Vec<usize> =
        tree.nodes.iter().enumerate().filter(|(_, n)| n.children.is_empty()).map(|(at, _)| at).collect();
    if leaves.len() > LEAVES || tree.nodes.len() > NODES {
        return Err(too_large());
    }
    // The main line first, then its variations from the root on: the order of the file.
    leaves
        .into_iter()
        .map(|leaf| {
            let mut way = vec![leaf];
            while let Some(parent) =
                way.last().and_then(|at| tree.nodes.get(*at)).and_then(|node| node.parent)
            {
                way.push(parent);
            }
            if way.len() > DEPTH {
                return Err(too_large());
            }
            let mut line = sgf::Tree::default();
            let (mut moves, mut comments) = (0, Vec::new());
            for at in way.into_iter().rev() {
                let Some(node) = tree.nodes.get(at) else { continue };
                moves += usize::from(node.value("B").is_some() || node.value("W").is_some());
                if let Some(comment) = node.value("C") {
                    comments.push((moves, comment.chars().take(10_000).collect()));
                }
                let copy = sgf::Node { properties: node.properties.clone(), ..sgf::Node::default() };
                match line.nodes.len().checked_sub(1) {
                    Some(last) => {
                        line.add(last, copy);
                    }
                    None => line.nodes.push(copy),
                }
            }
            Ok(SgfPath { text: line.write(), comments })
        })
        .collect()
}

/// Lays a single line over a tree: equal nodes are shared.
fn merge(tree: &mut sgf::Tree, line: &sgf::Tree) {
    let same = |a: &sgf::Node, b: &sgf::Node| {
        a.properties.len() == b.properties.len()
            && a.properties.iter().zip(&b.properties).all(|(x, y)| x.name == y.name && x.values == y.values)
    };
    let mut at: Option<usize> = None;
    for node in line.main_line() {
        let copy = sgf::Node { properties: node.properties.clone(), ..sgf::Node::default() };
        at = Some(match at {
            None if tree.nodes.is_empty() => {
                tree.nodes.push(copy);
                0
            }
            None => 0,
            Some(parent) => {
                let children = tree.nodes[parent].children.clone();
                match children.into_iter().find(|child| same(&tree.nodes[*child], &copy)) {
                    Some(child) => child,
                    None => tree.add(parent, copy),
                }
            }
        });
    }
}
