//! A game with variations.
//!
//! The `Game` trait reads and writes single lines. An SGF tree is therefore read path by path: each
//! path from the root to a leaf is written out as an SGF of its own, the game reads it, and the lines are
//! merged again. Writing does the reverse. So every game's own notation of swaps and
//! set-ups is kept, and none of it is repeated here.
//!
//! Moves near the root are on many paths. Comments are therefore carried once, by the first path through their
//! node, one path is in memory at a time, and the length of all paths together is limited.

use crate::{Problem, Setup, read_deep};
use game::{Game, MoveNote, Position, Record, StopFlag, sgf};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Nodes and leaves a tree may have.
const NODES: usize = 10_000;
const LEAVES: usize = 500;
/// The longest line.
const DEPTH: usize = 2_000;
/// All paths from the root to a leaf together: moves, and bytes of SGF without comments.
const PATH_MOVES: usize = 200_000;
const PATH_BYTES: usize = 8 << 20;
/// The longest comment of an SGF node that is kept, in characters.
const COMMENT: usize = 10_000;

/// A move with what follows it; the first child is the main line.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeNode {
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
pub(crate) struct Tree {
    setup: Setup,
    pub(crate) nodes: Vec<TreeNode>,
}

/// One path through a tree: moves with comments.
type Path = Vec<(String, String)>;

impl Tree {
    /// Reads a text of any notation.
    pub(crate) fn read(game: &'static dyn Game, text: &str, stop: &StopFlag) -> Result<Tree, Problem> {
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
        each_sgf_path(&first, stop, |text, comments| {
            let line = game.parse(text, &defaults)?;
            let mut moves: Path =
                words(game, &*line)?.into_iter().map(|word| (word, String::new())).collect();
            for (after, comment) in comments {
                if let Some(place) = after.checked_sub(1).and_then(|at| moves.get_mut(at)) {
                    place.1 = comment;
                }
            }
            tree.add(&moves)
        })?;
        Ok(tree)
    }

    /// A single line.
    pub(crate) fn line(game: &'static dyn Game, setup: &Setup, moves: &[String]) -> Result<Tree, Problem> {
        let position = setup.after(game, moves)?;
        let mut tree = Tree { setup: Setup::of(game, &*position), nodes: Vec::new() };
        tree.add(&moves.iter().map(|word| (word.clone(), String::new())).collect())?;
        Ok(tree)
    }

    /// A tree from a request: every move of it must be possible.
    pub(crate) fn checked(
        game: &'static dyn Game,
        setup: &Setup,
        nodes: Vec<TreeNode>,
    ) -> Result<Tree, Problem> {
        let mut position = setup.position(game)?;
        let tree = Tree { setup: Setup::of(game, &*position), nodes };
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
        let mut moves = Vec::new();
        let mut nodes = &self.nodes;
        while let Some(node) = nodes.first() {
            moves.push(node.text.clone());
            nodes = &node.children;
        }
        self.setup.after(game, &moves)
    }

    /// Merges a line into the tree.
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

    /// Every path from the root to a leaf; each comment comes with the first path that passes its node.
    fn each_path(&self, mut visit: impl FnMut(&Path) -> Result<(), Problem>) -> Result<(), Problem> {
        let mut path = Path::new();
        self.each_node(|depth, node| {
            path.truncate(depth);
            path.push((node.text.clone(), node.comment.clone()));
            if node.children.is_empty() {
                visit(&path)?;
                path.iter_mut().for_each(|(_, comment)| comment.clear());
            }
            Ok(())
        })
    }

    /// Our own JSON, which [`Tree::read`] reads back.
    pub(crate) fn json(&self) -> String {
        let mut text = json!({ "tengen": 1, "setup": self.setup, "tree": self.nodes }).to_string();
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
                merge(&mut merged, &tree);
            }
            Ok(())
        };
        if self.nodes.is_empty() {
            merge_line(&Path::new())?;
        }
        self.each_path(merge_line)?;
        Ok(merged.write())
    }

    /// The main line as a record.
    pub(crate) fn main_record(&self, game: &'static dyn Game, names: &[String; 2]) -> Record {
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
    Some(Tree::checked(game, &own.setup, own.tree))
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

/// Properties that are text for people: they are carried beside a path, not in it.
const TEXTS: [&str; 3] = ["C", "GC", "N"];

/// Every path of an SGF tree from the root to a leaf, as an SGF of its own, with the comments after so many moves.
/// The main line comes first, then its variations from the root on: the order of the file.
fn each_sgf_path(
    tree: &sgf::Tree,
    stop: &StopFlag,
    mut visit: impl FnMut(&str, Vec<(usize, String)>) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let is_leaf = |node: &sgf::Node| node.children.is_empty();
    if tree.nodes.len() > NODES || tree.nodes.iter().filter(|node| is_leaf(node)).count() > LEAVES {
        return Err(too_large());
    }
    let mut seen = vec![false; tree.nodes.len()];
    let (mut all_moves, mut all_bytes) = (0, 0);
    for (leaf, _) in tree.nodes.iter().enumerate().filter(|(_, node)| is_leaf(node)) {
        check_going(stop)?;
        let mut path = vec![leaf];
        while let Some(parent) = path.last().and_then(|at| tree.nodes.get(*at)).and_then(|node| node.parent) {
            path.push(parent);
        }
        all_moves += path.len();
        if path.len() > DEPTH || all_moves > PATH_MOVES {
            return Err(too_large());
        }
        let mut line = sgf::Tree::default();
        let (mut moves, mut comments) = (0, Vec::new());
        for at in path.into_iter().rev() {
            let Some(node) = tree.nodes.get(at) else { continue };
            moves += usize::from(node.value("B").is_some() || node.value("W").is_some());
            if let (false, Some(comment)) = (std::mem::replace(&mut seen[at], true), node.value("C")) {
                comments.push((moves, comment.chars().take(COMMENT).collect()));
            }
            let kept = node.properties.iter().filter(|p| !TEXTS.contains(&p.name.as_str())).cloned();
            let copy = sgf::Node { properties: kept.collect(), ..sgf::Node::default() };
            all_bytes += copy.properties.iter().flat_map(|p| &p.values).map(String::len).sum::<usize>();
            if all_bytes > PATH_BYTES {
                return Err(too_large());
            }
            match line.nodes.len().checked_sub(1) {
                Some(last) => {
                    line.add(last, copy);
                }
                None => line.nodes.push(copy),
            }
        }
        visit(&line.write(), comments)?;
    }
    Ok(())
}

/// Merges a single line into a tree: nodes that are equal but for their comment are shared, and the first comment
/// stays.
fn merge(tree: &mut sgf::Tree, line: &sgf::Tree) {
    fn bare(node: &sgf::Node) -> impl Iterator<Item = (&str, &[String])> {
        let properties = node.properties.iter().filter(|p| p.name != "C");
        properties.map(|p| (p.name.as_str(), p.values.as_slice()))
    }
    let same = |a: &sgf::Node, b: &sgf::Node| bare(a).eq(bare(b));
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
                let mut children = tree.nodes[parent].children.iter().copied();
                match children.find(|child| same(&tree.nodes[*child], &copy)) {
                    Some(child) => child,
                    None => tree.add(parent, copy),
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sgf_keeps_variations_comments_and_set_up() {
        let text =
            "(;GM[4]SZ[15]RU[Renju]AB[h8][hf]AW[i9]PL[W];W[j10]C[a\\]b](;B[k11];W[a1])(;B[l12]C[else]))";
        let stop = StopFlag::new();
        let tree = Tree::read(&gomoku::GOMOKU, text, &stop).unwrap();
        let [first] = tree.nodes.as_slice() else { panic!("one first move") };
        assert_eq!((first.text.as_str(), first.comment.as_str()), ("j10", "a]b"));
        let answers: Vec<_> = first.children.iter().map(|node| (&*node.text, &*node.comment)).collect();
        assert_eq!(answers, [("k11", ""), ("l12", "else")]);
        assert_eq!(first.children[0].children[0].text, "a1");
        let written = tree.sgf(&gomoku::GOMOKU, &[String::new(), String::new()], &stop).unwrap();
        assert!(written.contains("RU[renju]") || written.contains("RU[Renju]"), "{written}");
        let again = Tree::read(&gomoku::GOMOKU, &written, &stop).unwrap();
        assert_eq!(again.json(), tree.json(), "{written}");
    }

    /// A main line of commented moves with a variation of one move at each.
    fn branching_tree(trunk: usize, comment: &str) -> (String, sgf::Tree) {
        let node = |at: usize| format!(";B[{}]C[{comment}]", char::from(b'a' + (at % 15) as u8));
        let mut text = String::from("(;GM[4]");
        for at in 0..trunk {
            text.push_str(&format!("{}(;W[b1])(", node(at)));
        }
        text.push_str(&format!(";W[c1]{}", ")".repeat(trunk + 1)));
        let tree = sgf::parse(&text).unwrap().swap_remove(0);
        (text, tree)
    }

    #[test]
    fn comments_are_carried_once_however_many_variations_pass_them() {
        let (text, tree) = branching_tree(300, &"x".repeat(3_000));
        let (mut bytes, mut comments, mut paths) = (0, 0, 0);
        let read = each_sgf_path(&tree, &StopFlag::new(), |path, seen| {
            bytes += path.len() + seen.iter().map(|(_, comment)| comment.len()).sum::<usize>();
            comments += seen.len();
            paths += 1;
            Ok(())
        });
        assert!(read.is_ok());
        assert_eq!((paths, comments), (301, 300));
        assert!(bytes < 2 * text.len(), "{bytes} of {}", text.len());
    }

    #[test]
    fn large_properties_of_a_shared_trunk_are_refused() {
        let (text, _) = branching_tree(300, "");
        let large = text.replace("GM[4]", &format!("GM[4]XX[{}]", "y".repeat(100_000)));
        let tree = sgf::parse(&large).unwrap().swap_remove(0);
        let read = each_sgf_path(&tree, &StopFlag::new(), |_, _| Ok(()));
        assert_eq!(read.unwrap_err().code, "tree.too-large");
    }

    #[test]
    fn reading_stops_when_nobody_waits() {
        let (_, tree) = branching_tree(100, "");
        let (stop, mut paths) = (StopFlag::new(), 0);
        let read = each_sgf_path(&tree, &stop, |_, _| {
            paths += 1;
            stop.stop();
            Ok(())
        });
        assert!(read.is_err());
        assert_eq!(paths, 1);
    }
}
