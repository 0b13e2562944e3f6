//! What a worker does for servers: their searches, each session with an engine of its own.

use api::{SearchTask, Searcher};
use fleet::live::{Desk, MakeDesk};
use game::{Report, StopFlag, Watch};
use serde_json::Value;
use std::sync::Arc;

/// Desks that know all games.
pub(crate) fn make_desk() -> MakeDesk {
    Arc::new(|| Box::new(SearchDesk(Searcher::new(crate::games::all()))))
}

struct SearchDesk(Searcher);

impl Desk for SearchDesk {
    fn carry_out(
        &mut self,
        task: &Value,
        stop: &StopFlag,
        report: &mut dyn FnMut(Value),
    ) -> Result<Value, String> {
        let task: SearchTask = serde_json::from_value(task.clone()).map_err(|error| error.to_string())?;
        let mut tell = |found: &Report| {
            if let Ok(found) = serde_json::to_value(found) {
                report(found);
            }
        };
        let found = self.0.carry_out(&task, &Watch::start(stop.clone()), &mut tell);
        serde_json::to_value(found).map_err(|error| error.to_string())
    }
}
