//! Mazes: is a student's path valid, is it shortest, and did the search expand as many cells as the reference?
//!
//! An answer file has the three lines of `tengen maze solve --out` (seconds, the moves as one word of `U` `D` `L` `R`,
//! the number of steps) and, where it is asked for, a fourth with the number of cells expanded.

use super::{Grading, Part, QuestionResult, check_count, parse};
use maze::{Algorithm, Budget, Cell, Ends, Grid, Neighbours, Outcome, Query, Solver};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Bytes of an answer file.
const MAX_ANSWER: u64 = 16 << 20;

/// An exam about mazes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MazeExam {
    /// Its title.
    #[serde(default)]
    title: String,
    question: Vec<MazeQuestion>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MazeQuestion {
    /// Name; the map's if missing.
    name: Option<String>,
    /// Map file, relative to the exam.
    map: PathBuf,
    /// Answer file, relative to the folder of answers.
    answer: PathBuf,
    /// Reference algorithm.
    #[serde(default = "astar")]
    algorithm: String,
    /// Points for a path from start to goal through free cells.
    #[serde(default = "one")]
    valid: f64,
    /// Points for a shortest one.
    #[serde(default = "one")]
    optimal: f64,
    /// Points for as many expanded cells as the reference, within `tolerance`.
    #[serde(default)]
    expanded: f64,
    /// Share by which the number of expanded cells may differ.
    #[serde(default = "tenth")]
    tolerance: f64,
}

fn astar() -> String {
    "astar".into()
}

const fn one() -> f64 {
    1.0
}

const fn tenth() -> f64 {
    0.1
}

/// A student's answer.
struct PathAnswer {
    moves: String,
    steps: Option<usize>,
    expanded: Option<u64>,
}

impl MazeExam {
    /// Reads an exam.
    pub fn parse(text: &str) -> Result<MazeExam, String> {
        let exam: MazeExam = parse(text)?;
        check_count(exam.question.len())?;
        Ok(exam)
    }

    /// Grades the answers in a folder; `folder` is where the exam's maps are.
    pub fn grade(&self, folder: &Path, answers: &Path) -> Result<Grading, String> {
        let graded = self.question.iter().map(|question| question.grade(folder, answers));
        Ok(Grading::new(&self.title, graded.collect::<Result<_, _>>()?))
    }
}

impl MazeQuestion {
    fn grade(&self, folder: &Path, answers: &Path) -> Result<QuestionResult, String> {
        let path = folder.join(&self.map);
        let shown = path.display().to_string();
        let bytes = std::fs::read(&path).map_err(|error| format!("{shown}: {error}"))?;
        let loaded = maze::format::read(&shown, &bytes).map_err(|error| error.to_string())?;
        let ends = Ends::resolve(&loaded.grid, None, None).map_err(|error| format!("{shown}: {error}"))?;
        let algorithm: Algorithm =
            self.algorithm.parse().map_err(|error: String| format!("{shown}: {error}"))?;
        let query = Query {
            from: ends.from,
            to: ends.to,
            algorithm,
            neighbours: Neighbours::Four,
            weight: 1.0,
            budget: Budget::default(),
        };
        let mut solver = Solver::new(&loaded.grid);
        let reference = solver.search(&query).map_err(|error| format!("{shown}: {error}"))?.answer();
        let Outcome::Found(best) = &reference.outcome else {
            return Err(format!("{shown}: the reference found no path; choose another map"));
        };
        let answer = read_answer(&answers.join(&self.answer));
        let walked =
            answer.as_ref().map_err(Clone::clone).and_then(|answer| walk(&loaded.grid, &ends, answer));
        let part = |part, of, outcome: Result<String, String>| Part {
            part,
            right: outcome.is_ok(),
            of,
            detail: outcome.unwrap_or_else(|problem| problem),
        };
        let steps = best.steps();
        let optimal = walked.clone().and_then(|walked| match walked {
            walked if walked == steps => Ok(format!("{steps} steps")),
            walked => Err(format!("{walked} steps; the shortest path has {steps}")),
        });
        let mut parts = vec![
            part("valid", self.valid, walked.map(|steps| format!("{steps} steps"))),
            part("optimal", self.optimal, optimal),
        ];
        if self.expanded > 0.0 {
            let expected = reference.expanded;
            let close = |found: u64| found.abs_diff(expected) as f64 <= self.tolerance * expected as f64;
            let outcome = answer.and_then(|answer| match answer.expanded {
                Some(found) if close(found) => Ok(format!("{found} cells, {expected} expected")),
                Some(found) => Err(format!("{found} cells; {} expands {expected}", self.algorithm)),
                None => Err("line 4 with the number of expanded cells is missing".into()),
            });
            parts.push(part("expanded", self.expanded, outcome));
        }
        let name = self.name.clone().unwrap_or_else(|| self.map.display().to_string());
        Ok(QuestionResult::new(&name, parts))
    }
}

fn read_answer(path: &Path) -> Result<PathAnswer, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let size = path.metadata().map_err(|error| format!("{name}: {error}"))?.len();
    if size > MAX_ANSWER {
        return Err(format!("{name} has {size} bytes; accepted: up to {MAX_ANSWER}"));
    }
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{name} is not UTF-8"))?;
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().map(str::trim).collect();
    let Some(moves) = lines.get(1) else {
        return Err(format!("{name} has {} lines; accepted: seconds, moves, steps", lines.len()));
    };
    let steps = lines.get(2).and_then(|line| line.parse().ok());
    let expanded = lines.get(3).and_then(|line| line.parse().ok());
    Ok(PathAnswer { moves: (*moves).to_string(), steps, expanded })
}

/// Walks the answer's moves; the number of steps if they lead from start to goal.
fn walk(grid: &Grid, ends: &Ends, answer: &PathAnswer) -> Result<usize, String> {
    let mut at = ends.from;
    let mut steps = 0;
    for letter in answer.moves.chars() {
        steps += 1;
        let (row, col) = (at.row, at.col);
        let next = match letter.to_ascii_uppercase() {
            'U' => row.checked_sub(1).map(|row| Cell::new(row, col)),
            'D' => Some(Cell::new(row + 1, col)),
            'L' => col.checked_sub(1).map(|col| Cell::new(row, col)),
            'R' => Some(Cell::new(row, col + 1)),
            other => {
                return Err(format!(
                    "step {steps}: '{}' is not a move; accepted: U D L R",
                    other.escape_debug()
                ));
            }
        };
        at = next
            .filter(|cell| grid.contains(*cell) && grid.is_free(*cell))
            .ok_or_else(|| format!("step {steps} ({letter}) from {at} leads into a wall or off the map"))?;
    }
    if at != ends.to {
        return Err(format!("the path ends at {at}, not at the goal {}", ends.to));
    }
    match answer.steps {
        Some(said) if said != steps => Err(format!("line 3 says {said} steps, the moves are {steps}")),
        _ => Ok(steps),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "1 1 1 1 1\n0 0 0 0 1\n1 0 1 0 1\n1 0 0 0 0\n1 1 1 1 1\n";

    fn grade(answer: &[u8]) -> Grading {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("map.txt"), MAP).unwrap();
        std::fs::write(folder.path().join("a.txt"), answer).unwrap();
        let exam = "title = \"Mazes\"\n[[question]]\nmap = \"map.txt\"\nanswer = \"a.txt\"\nvalid = 2.0\noptimal = 3.0\nexpanded = 1.0\n";
        MazeExam::parse(exam).unwrap().grade(folder.path(), folder.path()).unwrap()
    }

    #[test]
    fn a_shortest_path_gets_all_points_for_the_path() {
        let graded = grade(b"0.1\nRDDRRR\n6\n");
        assert_eq!((graded.points, graded.of), (5.0, 6.0));
        assert!(graded.questions[0].parts[2].detail.contains("line 4"));
        let expected: u64 = {
            let text = grade(b"0.1\nRDDRRR\n6\n100000\n").questions[0].parts[2].detail.clone();
            text.rsplit(' ').next().unwrap().parse().unwrap()
        };
        assert_eq!(grade(format!("0.1\nRDDRRR\n6\n{expected}\n").as_bytes()).points, 6.0);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (answer, points, problem) in [
            (&b"0.1\nRLRDDRRR\n8\n"[..], 2.0, "the shortest path has 6"),
            (b"0.1\nRDDRRU\n6\n", 0.0, "ends at"),
            (b"0.1\nRRRRR\n5\n", 0.0, "step 4 (R)"),
            (b"0.1\nRXD\n3\n", 0.0, "'X' is not a move"),
            (b"0.1\nRDDRRR\n7\n", 0.0, "line 3 says 7 steps"),
            (b"0.1\n", 0.0, "accepted: seconds, moves, steps"),
            (b"\xff\xfe", 0.0, "not UTF-8"),
        ] {
            let graded = grade(answer);
            let text = serde_json::to_string(&graded).unwrap();
            assert!(graded.points == points && text.contains(problem), "{text}");
        }
    }
}
