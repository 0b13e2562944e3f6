//! Two people who play one game after the other for as long as the load lasts, and what became of their games.

use crate::Fail;
use crate::games::{Against, Game, Tally, create, nth_move, open, play, resign};
use crate::server::request;
use futures_util::StreamExt;
use std::net::SocketAddr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};

/// So many moves fit on the board; then one resigns and a new game begins.
const PLIES: usize = 200;

pub(crate) struct Pair {
    client: usize,
    against: Against,
    games: Mutex<Vec<Arc<Game>>>,
    /// When a move was last acknowledged.
    last: Mutex<Option<Instant>>,
}

impl Pair {
    /// A pair and its first game. Every second pair plays on clocks: whoever takes over a game takes over its clocks.
    pub(crate) async fn meet(addr: SocketAddr, number: usize, client: usize) -> Result<Arc<Pair>, Fail> {
        let against = if number % 2 == 1 { Against::PersonOnClocks } else { Against::Person };
        let first = Arc::new(create(addr, client, against).await?);
        Ok(Arc::new(Pair { client, against, games: Mutex::new(vec![first]), last: Mutex::default() }))
    }

    /// The game they are at.
    fn game(&self) -> Option<Arc<Game>> {
        self.games.lock().ok()?.last().cloned()
    }

    /// Begins another game if this one is over.
    async fn go_on(&self, addr: SocketAddr) -> Result<Arc<Game>, Fail> {
        let game = self.game().ok_or("no game")?;
        if !game.is_over() {
            return Ok(game);
        }
        let next = Arc::new(create(addr, self.client, self.against).await?);
        self.games.lock().map_err(|_| "poisoned")?.push(next.clone());
        Ok(next)
    }

    fn acknowledged(&self, game: &Game, ply: usize) {
        if let (Ok(mut moves), Ok(mut last)) = (game.moves.lock(), self.last.lock()) {
            moves.push(nth_move(ply));
            *last = Some(Instant::now());
        }
    }

    /// Has a move been acknowledged since?
    pub(crate) fn played_since(&self, then: Instant) -> bool {
        self.last.lock().is_ok_and(|last| last.is_some_and(|last| last > then))
    }

    /// The games so far.
    pub(crate) fn games(&self) -> Vec<Arc<Game>> {
        self.games.lock().map(|games| games.clone()).unwrap_or_default()
    }
}

/// Plays until told to stop, connecting anew whenever the server is gone, each time to the next of several.
pub(crate) async fn player(
    servers: Arc<[SocketAddr]>,
    pair: Arc<Pair>,
    tally: Arc<Tally>,
    every: Duration,
    offset: Duration,
    outages: bool,
) {
    sleep(offset).await;
    let place = pair.game().map_or(0, |game| game.id.bytes().map(usize::from).sum());
    let mut next = servers.iter().cycle().skip(place % servers.len());
    let mut attempt = None;
    'connect: while !tally.stop.load(Relaxed) {
        let Some(&addr) = next.next() else { return };
        let connected = async {
            let game = pair.go_on(addr).await?;
            let sockets = [open(addr, &game, 0).await?, open(addr, &game, 1).await?];
            Ok::<_, Fail>((game, sockets))
        };
        let (game, mut sockets) = match connected.await {
            Ok(connected) => connected,
            Err(error) => {
                if !outages {
                    tally.error(error);
                }
                sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        loop {
            let ply = game.moves.lock().map(|moves| moves.len()).unwrap_or(usize::MAX);
            if tally.stop.load(Relaxed) {
                return;
            }
            if ply >= PLIES {
                if let Err(error) = resign(&mut sockets[ply % 2], &game).await {
                    failed(&tally, &error, outages);
                }
                continue 'connect;
            }
            let began = Instant::now();
            let tried = attempt.get_or_insert_with(|| tally.outages.attempt());
            if let Err(error) = play(&mut sockets[ply % 2], ply).await {
                tally.outages.failed(tried);
                failed(&tally, &error, outages);
                continue 'connect;
            }
            let took = began.elapsed();
            if let Some(attempt) = attempt.take().filter(|_| outages) {
                tally.outages.acknowledged(attempt);
            }
            pair.acknowledged(&game, ply);
            tally.acknowledged.fetch_add(1, Relaxed);
            if let Ok(mut micros) = tally.micros.lock() {
                micros.push(took.as_micros().min(u128::from(u32::MAX)) as u32);
            }
            // The other player's socket has messages waiting; a browser would read it.
            let other = &mut sockets[1 - ply % 2];
            while let Ok(Some(Ok(_))) = timeout(Duration::from_micros(10), other.next()).await {}
            sleep(every.saturating_sub(took)).await;
        }
    }
}

/// A game that is being loaded again, or a server that is gone: come again. All else is wrong.
fn failed(tally: &Tally, error: &Fail, outages: bool) {
    let text = error.to_string();
    let wrong = text.starts_with("refused") && !text.contains("reloading") && !text.contains("storage");
    if !outages || wrong {
        tally.error(text);
    }
}

/// What a server shows that was not acknowledged, or does not show that was.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Difference {
    /// Acknowledged moves that are not there.
    pub(crate) lost: usize,
    /// Moves that nobody played.
    pub(crate) doubled: usize,
    /// Games that are over though nobody resigned.
    pub(crate) ended: usize,
}

impl Difference {
    /// Compares a game with what was acknowledged.
    fn of(moves: &[String], resigned: bool, stored: &[&str], over: bool) -> Difference {
        let missing = |(at, mv): &(usize, &String)| stored.get(*at) != Some(&mv.as_str());
        Difference {
            lost: moves.iter().enumerate().filter(missing).count(),
            // One more is the move whose acknowledgement an outage swallowed.
            doubled: stored.len().saturating_sub(moves.len() + 1),
            ended: usize::from(over && !resigned),
        }
    }

    pub(crate) fn add(&mut self, other: Difference) {
        self.lost += other.lost;
        self.doubled += other.doubled;
        self.ended += other.ended;
    }
}

/// Compares every game with what was acknowledged, and waits so long for each that cannot be shown yet.
pub(crate) async fn compare(
    addr: SocketAddr,
    pairs: &[Arc<Pair>],
    patience: Duration,
) -> Result<Difference, Fail> {
    let mut sum = Difference::default();
    for game in pairs.iter().flat_map(|pair| pair.games()) {
        let began = Instant::now();
        let difference = loop {
            match compare_one(addr, &game).await {
                Err(_) if began.elapsed() < patience => sleep(Duration::from_millis(500)).await,
                done => break done?,
            }
        };
        sum.add(difference);
    }
    Ok(sum)
}

async fn compare_one(addr: SocketAddr, game: &Game) -> Result<Difference, Fail> {
    let shown = request(game.from, addr, "GET", &format!("/games/{}", game.id), "").await?;
    let stored = shown["view"]["moves"].as_array().ok_or_else(|| format!("no moves: {shown}"))?;
    let stored: Vec<&str> = stored.iter().filter_map(|mv| mv["move"].as_str()).collect();
    let moves = game.moves.lock().map_err(|_| "poisoned")?.clone();
    Ok(Difference::of(&moves, game.is_resigned(), &stored, shown["status"] == "over"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(acknowledged: usize, resigned: bool, stored: &[String], over: bool) -> Difference {
        let moves: Vec<String> = (0..acknowledged).map(nth_move).collect();
        let stored: Vec<&str> = stored.iter().map(String::as_str).collect();
        Difference::of(&moves, resigned, &stored, over)
    }

    #[test]
    fn lost_doubled_and_ended_are_told_apart() {
        let stored: Vec<String> = (0..4).map(nth_move).collect();
        assert_eq!(difference(4, false, &stored, false), Difference::default());
        assert_eq!(
            difference(3, true, &stored, true),
            Difference::default(),
            "one acknowledgement swallowed"
        );
        assert_eq!(difference(6, false, &stored, false), Difference { lost: 2, ..Difference::default() });
        assert_eq!(difference(2, false, &stored, false), Difference { doubled: 1, ..Difference::default() });
        assert_eq!(difference(4, false, &stored, true), Difference { ended: 1, ..Difference::default() });
    }

    #[test]
    fn a_full_game_has_as_many_different_moves_as_plies() {
        let moves: std::collections::BTreeSet<String> = (0..PLIES).map(nth_move).collect();
        assert_eq!(moves.len(), PLIES);
    }
}
