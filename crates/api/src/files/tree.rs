//! A game with variations.
//!
//! The `Game` trait reads and writes single lines. An SGF tree is therefore read path by path: each
//! path from the root to a leaf is written out as an SGF of its own, the game reads it, and the lines are
//! merged again. Writing does the reverse. So every game's own notation of swaps and
//! set-ups is kept, and none of it is repeated here.
//!
//! Moves near the root are on many paths. Notes are therefore carried once, by the first path through their
//! node, one path is in memory at a time, and the length of all paths together is limited.

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
/// All paths from the root to a leaf together: moves, and bytes of SGF without comments.
const PATH_MOVES: usize = 200_000;
const PATH_BYTES: usize = 8 << 20;

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
        let mut moves = Vec::new();
        let mut nodes = &self.nodes;
        while let Some(node) = nodes.first() {
            moves.push(node.text.clone());
            nodes = &node.children;
        }
        self.setup.after(game, &moves)
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
        let mut line = Path::new();
        let mut nodes = &self.nodes;
        while let Some(node) = nodes.first() {
            line.push((node.text.clone(), node.note()));
            nodes = &node.children;
        }
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

/// Properties that are text for people: they are carried beside a path, not in it.
const TEXTS: [&str; 3] = ["C", "GC", "N"];
/// Properties whose values are moves.
const MOVES: [&str; 6] = ["B", "W", "SWAP", "EXTEND", "DECLARE", "OFFER"];

/// Every path of an SGF tree from the root to a leaf, as an SGF of its own, with the nodes that no path before it passed
/// and how many moves were made up to each.
/// The main line comes first, then its variations from the root on: the order of the file.
fn each_sgf_path(
    tree: &sgf::Tree,
    stop: &StopFlag,
    mut visit: impl FnMut(&str, Vec<(usize, &sgf::Node)>) -> Result<(), Problem>,
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
        let (mut moves, mut unseen) = (0, Vec::new());
        for at in path.into_iter().rev() {
            let Some(node) = tree.nodes.get(at) else { continue };
            // Set-up stones turn what was played before into set-up.
            if ["AB", "AW", "AE"].iter().any(|name| node.value(name).is_some()) {
                moves = 0;
            }
            moves += MOVES.iter().map(|name| node.values(name).count()).sum::<usize>();
            if !std::mem::replace(&mut seen[at], true) {
                unseen.push((moves, node));
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
        visit(&line.write(), unseen)?;
    }
    Ok(())
}

/// Moves of which nothing is said.
fn bare(words: Vec<String>) -> Path {
    words.into_iter().map(|word| (word, Note::default())).collect()
}

/// Merges a single line into a tree, and returns where its nodes are there. Nodes that are equal but for what is said
/// about them are shared, and the first comment stays.
fn merge(tree: &mut sgf::Tree, line: &sgf::Tree) -> Vec<usize> {
    fn game(node: &sgf::Node) -> impl Iterator<Item = (&str, &[String])> {
        let properties = node.properties.iter().filter(|p| p.name != "C");
        properties.map(|p| (p.name.as_str(), p.values.as_slice()))
    }
    // What the game writes comes first; notes were added behind it.
    let same = |known: &sgf::Node, new: &sgf::Node| {
        let mut rest = game(known);
        game(new).all(|property| rest.next() == Some(property))
    };
    let (mut at, mut places): (Option<usize>, Vec<usize>) = (None, Vec::new());
    for node in line.main_line() {
        let copy = sgf::Node { properties: node.properties.clone(), ..sgf::Node::default() };
        let place = match at {
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
        };
        at = Some(place);
        places.push(place);
    }
    places
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
        let written = tree.sgf(&gomoku::GOMOKU, &Default::default(), &stop).unwrap();
        assert!(written.contains("RU[renju]") || written.contains("RU[Renju]"), "{written}");
        let again = Tree::read(&gomoku::GOMOKU, &written, &stop).unwrap();
        assert_eq!(again.json(), tree.json(), "{written}");
    }

    /// What is read from `text`, and from what is written of it.
    fn read_twice(game: &'static dyn Game, text: &str) -> [serde_json::Value; 2] {
        let stop = StopFlag::new();
        let tree = Tree::read(game, text, &stop).unwrap();
        let written = tree.sgf(game, &Default::default(), &stop).unwrap();
        let again = Tree::read(game, &written, &stop).unwrap();
        [tree, again].map(|tree| serde_json::from_str(&tree.json()).unwrap())
    }

    #[test]
    fn names_result_date_comments_and_unknown_properties_survive() {
        let text = "(;GM[4]SZ[15]PB[Ann]PW[Ben]RE[B+R]DT[2024-05-01]EV[Final]C[before it];B[hh]BL[12.5]C[first]\
            (;W[ii]C[one])(;W[ii]C[two];B[jj]))";
        let [read, again] = read_twice(&gomoku::GOMOKU, text);
        assert_eq!(read, again);
        let root = json!({ "comment": "before it", "properties":
            { "PB": ["Ann"], "PW": ["Ben"], "RE": ["B+R"], "DT": ["2024-05-01"], "EV": ["Final"] } });
        assert_eq!(read["root"], root);
        assert_eq!(read["tree"][0]["properties"], json!({ "BL": ["12.5"] }));
        assert_eq!(read["tree"][0]["children"][0]["comment"], "one\n\ntwo", "of both variations");
    }

    #[test]
    fn drawings_survive_in_both_games() {
        let gomoku = "(;GM[4]SZ[15];B[hh]TR[aa]SQ[bb]CR[cc:de]MA[ff]LN[aa:cc]AR[hh:jj]LB[gg:A][hi:b: c])";
        let hex = "(;FF[4]GM[11]SZ[11];B[c3]TR[a1]SQ[b2]CR[c3]MA[f6]LN[a1:c3]AR[h8:j10]LB[g7:A])";
        for (game, text, drawn) in [(&gomoku::GOMOKU as &'static dyn Game, gomoku, 13), (&::hex::HEX, hex, 7)]
        {
            let [read, again] = read_twice(game, text);
            assert_eq!(read, again);
            let marks = &read["tree"][0]["marks"];
            assert_eq!(marks.as_array().map(Vec::len), Some(drawn), "{marks}");
            let arrow = marks.as_array().and_then(|marks| marks.iter().find(|mark| mark["kind"] == "arrow"));
            assert_eq!(arrow.unwrap()["to"], json!([9, 9]));
        }
    }

    #[test]
    fn what_is_no_point_and_what_games_use_themselves_is_left_out() {
        let text = "(;GM[4]SZ[15];B[hh]TR[zz][1]AR[hh]LB[hh]AR[hh:zz])";
        assert_eq!(read_twice(&gomoku::GOMOKU, text)[0]["tree"][0], json!({ "move": "h8" }));
        let properties = [("B", "aa"), ("AB", "bb"), ("lower", "x"), ("XX", "kept")];
        let properties = properties.map(|(name, value)| (name.to_string(), vec![value.to_string()]));
        let root = Note { properties: properties.into_iter().collect(), ..Note::default() };
        let nodes = vec![TreeNode { text: "h8".into(), ..TreeNode::default() }];
        let setup =
            Setup::of(&gomoku::GOMOKU, &*gomoku::GOMOKU.position(&game::Setup::empty(15, 15)).unwrap());
        let tree = Tree::checked(&gomoku::GOMOKU, &setup, root, nodes).unwrap();
        let written = tree.sgf(&gomoku::GOMOKU, &Default::default(), &StopFlag::new()).unwrap();
        assert!(
            written.contains("XX[kept]") && !written.contains("aa") && !written.contains("lower"),
            "{written}"
        );
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
            let said: Vec<&str> = seen.iter().filter_map(|(_, node)| node.value("C")).collect();
            bytes += path.len() + said.iter().map(|comment| comment.len()).sum::<usize>();
            comments += said.len();
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
