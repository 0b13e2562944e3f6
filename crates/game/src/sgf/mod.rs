//! The syntax of SGF (Smart Game Format, `FF[4]`): trees of nodes with properties, no meaning attached.
//!
//! Parsing is iterative, takes time in proportion to the text and memory up to the limits below: a node or a value may
//! cost a hundred times its few bytes of text.

mod board;

pub use board::{letter, rectangle};

use crate::TextError;
use std::collections::HashMap;

/// Texts longer than this are refused.
pub const MAX_BYTES: usize = 16 << 20;
/// Nodes of a text at most; a long game has 400.
pub(crate) const MAX_NODES: usize = 500_000;
/// Values of properties in a text at most.
pub(crate) const MAX_VALUES: usize = 1_000_000;

/// Root properties that describe the text of a written game.
const CHARSET: &str = "CA[UTF-8]";

/// A game tree; node 0 is the root, and a parent always comes before its children.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// All nodes.
    pub nodes: Vec<Node>,
}

/// One node of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Index of the parent; `None` for the root.
    pub parent: Option<usize>,
    /// Indices of the children, the main line first.
    pub children: Vec<usize>,
    /// Properties in the order of the file, values unescaped.
    pub properties: Vec<Property>,
}

/// A property such as `AB[h8][i9]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Property {
    /// Its identifier, upper case letters only (old files' lower-case letters are dropped).
    pub name: String,
    /// Its values, at least one.
    pub values: Vec<String>,
    /// Byte offset of the identifier in the text, for messages.
    pub offset: usize,
}

impl Node {
    /// All values of a property, empty where it is missing.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.properties
            .iter()
            .filter(move |p| p.name == name)
            .flat_map(|p| p.values.iter().map(String::as_str))
    }

    /// The first value of a property.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.values(name).next()
    }

    /// Adds a property.
    pub fn push<V: Into<String>>(&mut self, name: &str, values: impl IntoIterator<Item = V>) {
        let values = values.into_iter().map(Into::into).collect();
        self.properties.push(Property { name: name.into(), values, offset: 0 });
    }
}

impl Tree {
    /// A tree with an empty root.
    pub fn new() -> Tree {
        Tree { nodes: vec![Node::default()] }
    }

    /// Adds a child and returns its index.
    pub fn add(&mut self, parent: usize, mut node: Node) -> usize {
        let index = self.nodes.len();
        node.parent = Some(parent);
        self.nodes.push(node);
        self.nodes[parent].children.push(index);
        index
    }

    /// The main line: from the root always the first child.
    pub fn main_line(&self) -> impl Iterator<Item = &Node> {
        let mut at = if self.nodes.is_empty() { None } else { Some(0) };
        std::iter::from_fn(move || {
            let node = &self.nodes[at?];
            at = node.children.first().copied();
            Some(node)
        })
    }

    /// Writes the tree as one SGF game. The text is UTF-8 and its root says so: without `CA`, FF\[4\] means Latin-1.
    pub fn write(&self) -> String {
        enum Step {
            Node(usize),
            Text(&'static str),
        }
        let mut out = String::from("(");
        let mut stack = vec![Step::Node(0)];
        while let Some(step) = stack.pop() {
            let index = match step {
                Step::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Step::Node(index) => index,
            };
            let Some(node) = self.nodes.get(index) else { continue };
            out.push(';');
            let root = index == 0;
            if root && node.value("FF").is_none() {
                out.push_str(CHARSET);
            }
            for property in node.properties.iter().filter(|property| !root || property.name != "CA") {
                out.push_str(&property.name);
                for value in &property.values {
                    out.push('[');
                    out.push_str(&escape(value));
                    out.push(']');
                }
                if root && property.name == "FF" {
                    out.push_str(CHARSET);
                }
            }
            match node.children.as_slice() {
                [] => {}
                [only] => stack.push(Step::Node(*only)),
                several => {
                    for child in several.iter().rev() {
                        stack.extend([Step::Text(")"), Step::Node(*child), Step::Text("\n(")]);
                    }
                }
            }
        }
        out.push_str(")\n");
        out
    }
}

/// Reads all games of a text.
pub fn parse(text: &str) -> Result<Vec<Tree>, TextError> {
    if text.len() > MAX_BYTES {
        return Err(TextError::new(1, 1, format!("SGF larger than {} MiB", MAX_BYTES >> 20)));
    }
    let bytes = text.as_bytes();
    let fail = |offset: usize, message: &str| Err(TextError::at(text, offset, message));
    let mut trees: Vec<Tree> = Vec::new();
    let mut tree = Tree::default();
    // Where each open parenthesis hangs its nodes, and the node that the next one follows.
    let mut open: Vec<(Option<usize>, usize)> = Vec::new();
    let mut last: Option<usize> = None;
    // The properties of that node by name, and whether the text may still add to them.
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut adding = false;
    let (mut nodes, mut values) = (0, 0);
    let Some(mut at) = start_of_game(bytes) else { return fail(0, "not SGF: no '(;' found") };
    while at < bytes.len() {
        match bytes[at] {
            b'(' => {
                if !open.is_empty() && last.is_none() {
                    return fail(at, "a variation may not come before the first node ';'");
                }
                open.push((last, at));
                adding = false;
                at += 1;
            }
            b')' => {
                let Some((before, _)) = open.pop() else { return fail(at, "')' without '('") };
                last = before;
                adding = false;
                at += 1;
                if open.is_empty() {
                    if tree.nodes.is_empty() {
                        return fail(at - 1, "an empty game '()'; a game needs at least one node ';'");
                    }
                    trees.push(std::mem::take(&mut tree));
                    last = None;
                    // Anything between games (mail headers and such) is not SGF's business.
                    at += start_of_game(&bytes[at..]).unwrap_or(bytes.len() - at);
                }
            }
            b';' => {
                if last.is_none() && !tree.nodes.is_empty() {
                    return fail(at, "a game has one root node");
                }
                nodes += 1;
                if nodes > MAX_NODES {
                    return fail(at, &format!("more than {MAX_NODES} nodes"));
                }
                names.clear();
                adding = true;
                last = Some(match last {
                    Some(parent) => tree.add(parent, Node::default()),
                    None => {
                        tree.nodes.push(Node::default());
                        0
                    }
                });
                at += 1;
            }
            c if c.is_ascii_whitespace() => at += 1,
            c if c.is_ascii_alphabetic() => {
                let Some(node) = last else { return fail(at, "a property outside a node; expected ';'") };
                if !adding {
                    return fail(at, "a property after a variation; expected ';', '(' or ')'");
                }
                let (property, next) = read_property(text, at)?;
                values += property.values.len();
                if values > MAX_VALUES {
                    return fail(at, &format!("more than {MAX_VALUES} values"));
                }
                let properties = &mut tree.nodes[node].properties;
                match names.get(&property.name) {
                    Some(&same) => properties[same].values.extend(property.values),
                    None => {
                        names.insert(property.name.clone(), properties.len());
                        properties.push(property);
                    }
                }
                at = next;
            }
            _ => return fail(at, "expected '(', ')', ';' or a property such as B[h8]"),
        }
    }
    match open.first() {
        Some((_, offset)) => fail(*offset, "'(' is never closed"),
        None => Ok(trees),
    }
}

/// Where the next game starts: a `(` that is followed by a node or a variation, as those of mail headers are not.
fn start_of_game(bytes: &[u8]) -> Option<usize> {
    let opens = |at: &usize| {
        let inner = bytes[at + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
        matches!(inner, None | Some(b';' | b'(' | b')'))
    };
    let mut places = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'(').map(|(at, _)| at);
    places.find(opens)
}

/// Reads `NAME[value][value]…` at `at`; returns it and where the text goes on.
fn read_property(text: &str, at: usize) -> Result<(Property, usize), TextError> {
    let bytes = text.as_bytes();
    let skip_space = |mut i: usize| {
        while i < bytes.len() && bytes[i].is_ascii_whitespace() {
            i += 1;
        }
        i
    };
    let mut end = at;
    while end < bytes.len() && bytes[end].is_ascii_alphanumeric() {
        end += 1;
    }
    let name: String = text[at..end].chars().filter(|c| !c.is_ascii_lowercase()).collect();
    if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return Err(TextError::at(text, at, "a property name has upper-case letters, such as B or SZ"));
    }
    let mut property = Property { name, values: Vec::new(), offset: at };
    let mut next = skip_space(end);
    if bytes.get(next) != Some(&b'[') {
        return Err(TextError::at(text, next, format!("expected '[' after property {}", property.name)));
    }
    while bytes.get(next) == Some(&b'[') {
        let (value, after) = read_value(text, next + 1)?;
        property.values.push(value);
        next = skip_space(after);
    }
    Ok((property, next))
}

/// Reads a value up to its closing bracket, undoing escapes.
fn read_value(text: &str, start: usize) -> Result<(String, usize), TextError> {
    let mut value = String::new();
    let mut chars = text[start..].char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            ']' => return Ok((value, start + at + 1)),
            '\\' => match chars.next() {
                // An escaped line break is no break at all.
                Some((_, '\n')) => {}
                Some((_, '\r')) => {
                    if text.as_bytes().get(start + at + 2) == Some(&b'\n') {
                        chars.next();
                    }
                }
                Some((_, escaped)) => value.push(escaped),
                None => break,
            },
            other => value.push(other),
        }
    }
    Err(TextError::at(text, start.saturating_sub(1), "'[' is never closed"))
}

fn escape(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        if c == ']' || c == '\\' {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn variations_and_escapes() {
        let text = "junk (;FF[4]C[a\\]b\\\\c]\n;B[h8](;W[i9];B[a1])(;W[j10]C[x]))";
        let tree = &parse(text).unwrap()[0];
        assert_eq!(tree.nodes[0].value("C"), Some("a]b\\c"));
        assert_eq!(tree.main_line().count(), 4);
        assert_eq!(tree.nodes[1].children.len(), 2);
        let again = &parse(&tree.write()).unwrap()[0];
        assert_eq!(again.write(), tree.write());
    }

    #[test]
    fn two_games_in_one_text() {
        assert_eq!(parse("(;B[a1])\n(;B[b2];W[c3])").unwrap().len(), 2);
    }

    #[test]
    fn broken_texts_name_the_place() {
        for (text, place) in [
            ("", (1, 1)),
            ("hello", (1, 1)),
            ("(;B[a1]", (1, 1)),
            ("(;B[a1", (1, 4)),
            ("(\n;B]", (2, 3)),
            ("(;B[a1]))x(", (1, 11)),
            ("()", (1, 2)),
            ("(B[a1])", (1, 1)),
            ("(;B[a1](;W[b2])C[late])", (1, 16)),
            ("(;b[a1])", (1, 3)),
            ("(;a1B[])", (1, 3)),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!((error.line, error.column), place, "{text}: {error}");
        }
    }

    #[test]
    fn text_around_games_is_skipped() {
        let text = "Black (me) won (; no, not this)\n";
        assert!(parse(text).is_err(), "a game that starts must be whole");
        let trees = parse("From: me (at home)\n\n( ;B[a1]) (and another)\n(;B[b2])bye").unwrap();
        assert_eq!(
            trees.iter().map(|tree| tree.nodes[0].value("B")).collect::<Vec<_>>(),
            [Some("a1"), Some("b2")]
        );
    }

    #[test]
    fn what_is_written_names_its_encoding_once() {
        for (text, expected) in [
            ("(;FF[4]GM[4];B[h8])", "(;FF[4]CA[UTF-8]GM[4];B[h8])\n"),
            ("(;FF[4]CA[GB2312]C[\u{5929}])", "(;FF[4]CA[UTF-8]C[\u{5929}])\n"),
            ("(;B[a1])", "(;CA[UTF-8]B[a1])\n"),
        ] {
            assert_eq!(parse(text).unwrap()[0].write(), expected);
        }
    }

    #[test]
    fn equal_names_of_a_node_are_one_property() {
        let node = &parse("(;AB[a1]C[x]AB[b2][c3])").unwrap()[0].nodes[0];
        assert_eq!(node.properties.len(), 2);
        assert_eq!(node.values("AB").collect::<Vec<_>>(), ["a1", "b2", "c3"]);
    }

    #[test]
    fn distinct_properties_take_linear_time() {
        // 300,000 in one node: comparing each with all before it would take minutes.
        let names = (0..300_000).map(|n| format!("P{n}[]"));
        let text = format!("(;{})", names.collect::<String>());
        assert_eq!(parse(&text).unwrap()[0].nodes[0].properties.len(), 300_000);
    }

    #[test]
    fn nodes_and_values_are_limited() {
        let error = parse(&format!("({})", ";".repeat(MAX_NODES + 1))).unwrap_err();
        assert!(error.message.contains("nodes") && error.column == MAX_NODES + 2, "{error}");
        let error = parse(&format!("(;AB{};B[a1])", "[]".repeat(MAX_VALUES + 1))).unwrap_err();
        assert!(error.message.contains("values"), "{error}");
    }

    #[test]
    fn deep_nesting_does_not_overflow() {
        let text = "(;B[a1]".repeat(100_000) + &")".repeat(100_000);
        let tree = parse(&text).unwrap().remove(0);
        assert_eq!(tree.nodes.len(), 100_000);
        assert!(!tree.write().is_empty());
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[();A-Za-z\\[\\]\\\\ \n\u{0}-\u{ff}]{0,60}") {
            if let Ok(trees) = parse(&text) {
                for tree in trees {
                    let again = parse(&tree.write()).expect("what we write, we read");
                    prop_assert_eq!(again[0].write(), tree.write());
                }
            }
        }
    }
}
