//! An SGF tree as single lines, which a game reads and writes, and single lines as one SGF tree.

use super::{DEPTH, LEAVES, NODES, PATH_MOVES, check_going, too_large};
use crate::Problem;
use game::{StopFlag, sgf};

/// Bytes of SGF without comments, all paths from the root to a leaf together.
const PATH_BYTES: usize = 8 << 20;
/// Properties that are text for people: they are carried beside a path, not in it.
const TEXTS: [&str; 3] = ["C", "GC", "N"];
/// Properties whose values are moves.
const MOVES: [&str; 6] = ["B", "W", "SWAP", "EXTEND", "DECLARE", "OFFER"];

/// Every path of an SGF tree from the root to a leaf, as an SGF of its own, with the nodes that no path before it passed
/// and how many moves were made up to each.
/// The main line comes first, then its variations from the root on: the order of the file.
pub(super) fn each_sgf_path(
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

/// Merges a single line into a tree, and returns where its nodes are there. Nodes that are equal but for what is said
/// about them are shared, and the first comment stays.
pub(super) fn merge(tree: &mut sgf::Tree, line: &sgf::Tree) -> Vec<usize> {
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
