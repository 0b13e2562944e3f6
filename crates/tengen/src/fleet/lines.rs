//! Lines of a batch as units: each is answered by a line of JSON, the same as on this machine.

use super::executor::JobExecutor;
use super::{Submission, new_run};
use crate::cmd::solve;
use fleet::work::UnitResult;
use game::StopFlag;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};

/// The kind of these units.
pub(super) const KIND: &str = "lines";
/// A line that takes longer has hung, unless the command sets a time.
const HUNG: u32 = 24 * 3600;

/// What all units of a batch share.
#[derive(Serialize, Deserialize)]
struct LinesJob {
    /// The arguments of the command that answers lines, without its name.
    args: Vec<String>,
    /// SHA-256 of all lines: another batch is another run.
    lines: String,
}

#[derive(Serialize, Deserialize)]
struct LineSpec {
    line: String,
}

/// Answers lines as `tengen solve --batch` does.
pub(super) struct LinesExecutor {
    args: solve::Args,
}

impl LinesExecutor {
    pub(super) fn new(job: &Value) -> anyhow::Result<LinesExecutor> {
        let job: LinesJob = serde_json::from_value(job.clone())?;
        Ok(LinesExecutor { args: solve::Args::parse_words(&job.args)? })
    }
}

impl JobExecutor for LinesExecutor {
    fn execute(&mut self, spec: &Value, stop: &StopFlag) -> anyhow::Result<UnitResult> {
        let spec: LineSpec = serde_json::from_value(spec.clone())?;
        let mut answer = match solve::answer_line(&self.args, &spec.line, stop) {
            Ok(answer) => answer,
            Err(error) => json!({"error": format!("{error:#}")}),
        };
        let seconds = answer.as_object_mut().and_then(|answer| answer.remove("seconds"));
        Ok(UnitResult { exact: answer, free: json!({"seconds": seconds}) })
    }
}

/// Has every line answered by the fleet; `tell` hears the answers in any order, errors as `Err`.
pub(crate) fn answer_lines(
    url: &str,
    title: String,
    args: Vec<String>,
    exact: bool,
    lines: &[(usize, String)],
    stop: &StopFlag,
    tell: &mut dyn FnMut(usize, Result<Value, String>),
) -> anyhow::Result<()> {
    let text: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
    let job = LinesJob { args, lines: fleet::work::sha256(text.join("\n").as_bytes()) };
    let job = serde_json::to_value(job)?;
    let mut submission = Submission::new(url, new_run(KIND, title, exact, HUNG), &job)?;
    let known = std::mem::take(&mut submission.known);
    let units = lines.iter().map(|(number, line)| (*number as i64, json!({"line": line})));
    submission.add(units.filter(|(number, _)| !known.contains_key(number)).collect())?;
    submission.end(false)?;
    let mut answers: BTreeMap<usize, Value> = BTreeMap::new();
    let mut told: HashSet<usize> = HashSet::new();
    loop {
        if stop.is_stopped() {
            return submission.pause();
        }
        let (run, results) = submission.next()?;
        let over = run.state.is_over() && results.is_empty();
        for counted in results {
            let mut answer = counted.result.exact;
            if let (Some(answer), Some(seconds)) =
                (answer.as_object_mut(), counted.result.free.get("seconds"))
                && !seconds.is_null()
            {
                answer.insert("seconds".into(), seconds.clone());
            }
            answers.insert(counted.number as usize, answer);
        }
        // A result may be replaced until the run is over: its author may be found to be wrong.
        if over {
            for (number, answer) in answers {
                if told.insert(number) {
                    let error = answer.get("error").and_then(Value::as_str).map(String::from);
                    tell(number, error.map_or(Ok(answer), Err));
                }
            }
            return Ok(());
        }
    }
}
