//! Game trees: a student's program answers questions about tic-tac-toe positions, and its value, move, node count and
//! order of visits are compared with the reference search.
//!
//! The program reads one line of JSON per question and prints one:
//!
//! ```text
//! > {"question":1,"algorithm":"alphabeta","board":"XO..X..O.","depth":9,"playouts":0}
//! < {"value":1,"move":2,"nodes":55,"visited":[[[2],1],[[2,3],1]]}
//! ```
//!
//! Cells are numbered 0 to 8, row by row. X is MAX; a win is 1, a draw 0, a loss -1. Moves are searched in the order of
//! their numbers; the root is not counted as a node. `visited` is optional: each node in the order of entry with the
//! moves that lead to it and the value it returned.

use super::{Difference, Grading, Part, QuestionResult, check_count, parse};
use arena::process::{Child, ChildError, Launch};
use game::StopFlag;
use search::theatre::{Algorithm, Record, RecordOptions, Search, TreeColumns};
use search::tictactoe::TicTacToe;
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Largest difference of a value that counts as equal.
const VALUE_TOLERANCE: f64 = 1e-6;
/// The same for the win rate of a search by playouts.
const RATE_TOLERANCE: f64 = 0.1;
/// Time for one question.
const QUESTION_TIME: Duration = Duration::from_secs(60);

/// An exam about game trees.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeExam {
    /// Its title.
    #[serde(default)]
    title: String,
    question: Vec<TreeQuestion>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TreeQuestion {
    /// Nine cells of `X`, `O` and `.`.
    board: String,
    /// Plies.
    #[serde(default = "nine")]
    depth: u32,
    /// Playouts, for UCT.
    #[serde(default = "thousand")]
    playouts: u64,
    /// Points for the value.
    #[serde(default = "one")]
    value: f64,
    /// Points for a best move.
    #[serde(default = "one", rename = "move")]
    mv: f64,
    /// Points for the node count.
    #[serde(default = "one")]
    nodes: f64,
    /// Points for the order of visits.
    #[serde(default)]
    visited: f64,
}

const fn nine() -> u32 {
    9
}

const fn thousand() -> u64 {
    1000
}

const fn one() -> f64 {
    1.0
}

/// What a program answers.
#[derive(Clone, Debug, Deserialize)]
struct TreeAnswer {
    value: Option<f64>,
    #[serde(rename = "move")]
    mv: Option<u32>,
    nodes: Option<u64>,
    #[serde(default)]
    visited: Vec<(Vec<u32>, Option<f64>)>,
}

impl TreeExam {
    /// Reads an exam.
    pub fn parse(text: &str) -> Result<TreeExam, String> {
        let exam: TreeExam = parse(text)?;
        check_count(exam.question.len())?;
        for (index, question) in exam.question.iter().enumerate() {
            let number = index + 1;
            question.position().map_err(|problem| format!("question {number}: {problem}"))?;
            if !(1..=9).contains(&question.depth) || !(1..=100_000).contains(&question.playouts) {
                return Err(format!("question {number}: accepted: depth 1 to 9, playouts 1 to 100000"));
            }
        }
        Ok(exam)
    }

    /// Asks a program all questions and grades its answers. A program that dies is started again for the next.
    pub fn grade(&self, algorithm: Algorithm, launch: &Launch, stop: &StopFlag) -> Result<Grading, String> {
        let mut child: Option<Child> = None;
        let mut results = Vec::new();
        for (index, question) in self.question.iter().enumerate() {
            let number = index + 1;
            let asked = match child.take().map_or_else(|| Child::spawn(launch), Ok) {
                Ok(mut running) => {
                    let answer = question.ask(algorithm, number, &mut running, stop);
                    if answer.is_ok() {
                        child = Some(running);
                    }
                    answer
                }
                Err(error) => Err(format!("it does not start: {error}")),
            };
            results.push(question.grade(algorithm, number, asked)?);
        }
        Ok(Grading::new(&self.title, results))
    }
}

impl TreeQuestion {
    fn position(&self) -> Result<TicTacToe, String> {
        let position: TicTacToe = self.board.parse().map_err(|error| format!("{error}"))?;
        if position.to_string().chars().all(|c| c != '.') || position.winner().is_some() {
            return Err(format!("the game '{}' is over", self.board));
        }
        Ok(position)
    }

    fn ask(
        &self,
        algorithm: Algorithm,
        number: usize,
        child: &mut Child,
        stop: &StopFlag,
    ) -> Result<TreeAnswer, String> {
        let line = json!({"question": number, "algorithm": algorithm, "board": self.cells(),
                          "depth": self.depth, "playouts": if algorithm.plays_out() { self.playouts } else { 0 }});
        let deadline = Instant::now() + QUESTION_TIME;
        let broken = |error: ChildError, child: &mut Child| {
            let what = match error {
                ChildError::Deadline => format!("no answer within {} s", QUESTION_TIME.as_secs()),
                ChildError::Exited(how) => format!("it ended ({how})"),
                ChildError::Closed => "it closed its output".into(),
                ChildError::Flood => "too much output".into(),
                ChildError::Stopped => "stopped".into(),
            };
            format!("{what}\n{}", child.evidence())
        };
        if let Err(error) = child.request(&line.to_string(), deadline, stop) {
            return Err(broken(error, child));
        }
        let said = match child.read_line(deadline, stop) {
            Ok(said) => said,
            Err(error) => return Err(broken(error, child)),
        };
        serde_json::from_str(said.trim()).map_err(|error| {
            let shown: String = said.chars().take(80).flat_map(char::escape_debug).collect();
            format!("'{shown}' is not an answer: {error}")
        })
    }

    fn cells(&self) -> String {
        self.position().map(|position| position.to_string().replace('\n', "")).unwrap_or_default()
    }

    fn reference(&self, algorithm: Algorithm) -> Result<Record, String> {
        let options = RecordOptions {
            depth: self.depth,
            playouts: self.playouts,
            keep: 1_000_000,
            ordering: Some(false),
            ..RecordOptions::new(algorithm)
        };
        Ok(search::tictactoe::explain(&self.position()?, &options, || true))
    }

    /// Values of all root moves by minimax to the end, and which of them are best for the side to move.
    fn best_moves(&self) -> Result<(f64, Vec<u32>), String> {
        let record = self.reference(Algorithm::Minimax)?;
        let Search::Tree { result, .. } = &record.search else { return Err("no tree".into()) };
        let best = result.value.0;
        let moves =
            result.root.iter().filter(|row| (row.1.0 - best).abs() < VALUE_TOLERANCE).map(|row| row.0);
        Ok((best, moves.collect()))
    }

    fn grade(
        &self,
        algorithm: Algorithm,
        number: usize,
        answer: Result<TreeAnswer, String>,
    ) -> Result<QuestionResult, String> {
        let record = self.reference(algorithm)?;
        let (exact, best) = self.best_moves()?;
        let (value, nodes, columns) = match &record.search {
            Search::Tree { result, columns, .. } => (result.value.0, Some(result.nodes), Some(&**columns)),
            Search::Playouts { result, .. } => {
                let top = result.root.iter().max_by_key(|row| row.1);
                let rate = top.map_or(0.5, |row| row.2.0 / row.1.max(1) as f64);
                (2.0 * rate - 1.0, None, None)
            }
        };
        let close = if algorithm.plays_out() { 2.0 * RATE_TOLERANCE } else { VALUE_TOLERANCE };
        let part = |part, of, outcome: Result<String, String>| Part {
            part,
            right: outcome.is_ok(),
            of,
            detail: outcome.unwrap_or_else(|problem| problem),
        };
        let compare = |found: Option<f64>| match found {
            Some(found) if (found - value).abs() <= close => Ok(format!("{found}")),
            Some(found) => Err(format!("{found}; expected {value}")),
            None => Err(format!("missing; expected {value}")),
        };
        let judge_move = |found: Option<u32>| match found {
            Some(found) if best.contains(&found) => Ok(format!("{found}")),
            Some(found) => Err(format!("{found}; the best value {exact} is reached by {best:?}")),
            None => Err(format!("missing; expected one of {best:?}")),
        };
        let given = |read: &dyn Fn(&TreeAnswer) -> Result<String, String>| {
            answer.as_ref().map_err(Clone::clone).and_then(read)
        };
        let mut parts = vec![
            part("value", self.value, given(&|answer| compare(answer.value))),
            part("move", self.mv, given(&|answer| judge_move(answer.mv))),
        ];
        if let Some(expected) = nodes {
            let count = |answer: &TreeAnswer| match answer.nodes {
                Some(found) if found == expected => Ok(format!("{found}")),
                Some(found) => Err(format!("{found}; expected {expected}")),
                None => Err(format!("missing; expected {expected}")),
            };
            parts.push(part("nodes", self.nodes, given(&count)));
        }
        let mut difference = None;
        if let Some(columns) = columns {
            let visited = answer.as_ref().map(|answer| answer.visited.as_slice()).unwrap_or_default();
            let found = first_difference(columns, visited);
            if self.visited > 0.0 {
                let outcome = match (&found, visited.is_empty()) {
                    (_, true) => Err("\"visited\" is missing".into()),
                    (Some((_, detail)), _) => Err(detail.clone()),
                    (None, _) => Ok(format!("{} nodes", visited.len())),
                };
                parts.push(part("visited", self.visited, outcome));
            }
            let wrong = parts.iter().any(|part| !part.right);
            difference = found.filter(|_| wrong && !visited.is_empty()).map(|(node, detail)| Difference {
                node,
                detail,
                watch: self.address(algorithm, columns, node),
                record: serde_json::to_string(&record).unwrap_or_default(),
            });
        }
        let name = format!("{number}. {} {}", algorithm.name(), self.cells());
        Ok(QuestionResult { difference, ..QuestionResult::new(&name, parts) })
    }

    /// The tree theatre, at the moment when the node is entered.
    fn address(&self, algorithm: Algorithm, columns: &TreeColumns, node: usize) -> String {
        let cells = self.cells();
        let rows: Vec<&str> = (0..3).filter_map(|row| cells.get(3 * row..3 * row + 3)).collect();
        let enter = (node as u32) * 8;
        let at = columns.events.iter().position(|event| *event == enter).map_or(0, |index| index + 1);
        format!(
            "/see/tree?position=tictactoe:{}&algorithm={}&depth={}&ordering=off&keep=100000&at={at}",
            rows.join("/"),
            algorithm.name(),
            self.depth
        )
    }
}

/// The first node that was not visited in the reference's order, or came back with another value.
fn first_difference(columns: &TreeColumns, visited: &[(Vec<u32>, Option<f64>)]) -> Option<(usize, String)> {
    for (index, node) in columns.nodes.iter().enumerate().skip(1) {
        let expected = path_to(columns, index);
        let Some((path, value)) = visited.get(index - 1) else {
            return Some((index, format!("node {index}, {expected:?}, was not visited")));
        };
        if *path != expected {
            return Some((index, format!("node {index} is {path:?}; expected {expected:?}")));
        }
        if let Some(value) = value
            && node.value.is_finite()
            && (value - node.value).abs() > VALUE_TOLERANCE
        {
            let text = format!("node {index}, {expected:?}, returned {value}; expected {}", node.value);
            return Some((index, text));
        }
    }
    let expected = columns.nodes.len() - 1;
    (visited.len() > expected)
        .then(|| (expected, format!("{} nodes were visited; expected {expected}", visited.len())))
}

fn path_to(columns: &TreeColumns, node: usize) -> Vec<u32> {
    let mut path = Vec::new();
    let mut at = node;
    while let Some(found) = columns.nodes.get(at)
        && found.parent >= 0
    {
        path.push(found.mv as u32);
        at = found.parent as usize;
    }
    path.reverse();
    path
}

/// The answer of the reference itself, in the form that programs use.
pub fn reference_answer(algorithm: Algorithm, board: &str, depth: u32) -> Result<Value, String> {
    let question = format!("[[question]]\nboard = \"{board}\"\ndepth = {depth}\n");
    let exam = TreeExam::parse(&question)?;
    let record = exam.question[0].reference(algorithm)?;
    let Search::Tree { result, columns, .. } = &record.search else {
        return Err("only for searches of a tree".into());
    };
    let visited: Vec<Value> = (1..columns.nodes.len())
        .map(|node| json!([path_to(columns, node), columns.nodes[node].value]))
        .collect();
    Ok(json!({"value": result.value.0, "move": result.best, "nodes": result.nodes, "visited": visited}))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "XO..X..O.";

    fn grade(answer: &str, points_for_visits: f64) -> Grading {
        let exam =
            format!("title = \"t\"\n[[question]]\nboard = \"{BOARD}\"\nvisited = {points_for_visits:.1}\n");
        let script = format!("while read l; do cat <<'END'\n{answer}\nEND\ndone");
        let launch = Launch { program: "sh".into(), args: vec!["-c".into(), script], ..Launch::default() };
        TreeExam::parse(&exam).unwrap().grade(Algorithm::AlphaBeta, &launch, &StopFlag::new()).unwrap()
    }

    #[test]
    fn the_reference_gets_all_points() {
        let answer = reference_answer(Algorithm::AlphaBeta, BOARD, 9).unwrap();
        let graded = grade(&answer.to_string(), 2.0);
        assert_eq!((graded.points, graded.of), (5.0, 5.0), "{graded:?}");
        assert_eq!(graded.questions[0].difference, None);
    }

    #[test]
    fn the_first_difference_can_be_watched() {
        let mut answer = reference_answer(Algorithm::AlphaBeta, BOARD, 9).unwrap();
        answer["visited"][2][1] = json!(0.5);
        let graded = grade(&answer.to_string(), 2.0);
        let difference = graded.questions[0].difference.clone().unwrap();
        assert_eq!((graded.points, difference.node), (3.0, 3));
        assert!(difference.detail.contains("returned 0.5"), "{difference:?}");
        assert!(difference.watch.starts_with("/see/tree?position=tictactoe:XO./.X./.O.&algorithm=alphabeta"));
        let record: Value = serde_json::from_str(&difference.record).unwrap();
        assert_eq!(record["format"], "tengen-record");
        assert!(graded.page().contains("at="));
    }

    #[test]
    fn wrong_answers_are_explained_and_the_exam_goes_on() {
        let graded = grade("hello", 0.0);
        assert_eq!(graded.points, 0.0);
        assert!(graded.questions[0].parts[0].detail.contains("'hello' is not an answer"));
        let graded = grade("{\"value\":-1,\"move\":0,\"nodes\":1}", 0.0);
        assert!(graded.questions[0].parts.iter().all(|part| !part.right), "{graded:?}");
        let silent = Launch { program: "false".into(), ..Launch::default() };
        let exam = TreeExam::parse("[[question]]\nboard = \".........\"\ndepth = 2\n").unwrap();
        let graded = exam.grade(Algorithm::Minimax, &silent, &StopFlag::new()).unwrap();
        assert!(graded.questions[0].parts[0].detail.contains("ended"), "{graded:?}");
        assert!(TreeExam::parse("[[question]]\nboard = \"XXX......\"\n").is_err());
        assert!(TreeExam::parse("").is_err());
    }

    #[test]
    fn uct_is_judged_by_exact_play() {
        let exam = TreeExam::parse("[[question]]\nboard = \"XX.OO....\"\nplayouts = 500\n").unwrap();
        let script = "read l; echo '{\"move\":2,\"value\":1}'";
        let launch =
            Launch { program: "sh".into(), args: vec!["-c".into(), script.into()], ..Launch::default() };
        let graded = exam.grade(Algorithm::Uct, &launch, &StopFlag::new()).unwrap();
        assert_eq!((graded.points, graded.of), (2.0, 2.0), "{graded:?}");
    }
}
