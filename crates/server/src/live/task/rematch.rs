//! Another game by the same players with the colours exchanged.

use super::{Failure, Task};
use crate::live::create;
use crate::store::{Header, is_ladder};
use api::{Players, Problem};

impl Task {
    /// Begins it. The players keep their secrets, each in the other's seat: whoever held a seat here holds one there, and
    /// nothing secret is sent.
    pub(super) async fn begin_rematch(&self, id: &str) -> Result<(), Failure> {
        let old = &*self.live.header;
        if is_ladder(&old.creator) {
            let detail = "the ladder chooses who plays next";
            return Err(Failure::Refused(Problem::conflict("rematch.ladder", detail)));
        }
        let creator = old.creator.parse().ok();
        if creator.is_some_and(|creator| !self.app.clients.creation(creator)) {
            let detail = "too many games were created from this address; wait a minute";
            return Err(Failure::Refused(Problem::too_many("rate.creations", detail)));
        }
        let Players { first, second } = self.live.players();
        let [first_secret, second_secret, owner] = old.secrets.clone();
        let header = Header {
            id: id.into(),
            players: Players { first: second, second: first },
            secrets: [second_secret, first_secret, owner],
            created: crate::time::now_ms(),
            ..old.clone()
        };
        create(&self.app, header).await.map(drop).map_err(Failure::Refused)
    }
}
